"""Say how a download, and all of them together, are doing. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import number, tr, tr_noop
from fireside.ui.duration_text import format_remaining
from fireside.ui.model_text import SEPARATOR
from fireside.ui.widgets.text import one_line

_MIN_SPEED: Final = 1.0
"""Bytes a second below which a speed says nothing."""


def speed_text(bytes_per_s: float) -> str:
    """Return a speed: ``14 MB/s``; empty for none."""
    if bytes_per_s < _MIN_SPEED:
        return ""
    if bytes_per_s >= 10_000_000:
        return f"{number(bytes_per_s / 1e6)} MB/s"
    return f"{format_bytes(round(bytes_per_s))}/s"


def bytes_done_text(n_bytes: int, *, of: int) -> str:
    """Return how much has arrived: ``1.2 of 4.9 GB``, or ``340 MB of 4.9 GB``."""
    done, whole = format_bytes(min(n_bytes, of)), format_bytes(of)
    value, _, unit = done.partition(" ")
    return tr("{part} of {whole}").format(part=value if whole.endswith(f" {unit}") else done, whole=whole)


class Title(msgspec.Struct, frozen=True):
    """A download's model and its size, in words."""

    name: str
    label: str


def title_of(download: Download) -> Title:
    """Return the model's name without its owner, and the label of its quantization if it has one."""
    title = one_line(download.title)
    whole, _, label = title.partition(":")
    name = whole.rpartition("/")[2] or whole
    return Title(re.sub(r"[-_.]gguf$", "", name, flags=re.IGNORECASE) or name, label)


class LineText(msgspec.Struct, frozen=True, kw_only=True):
    """What a line of the queue shows: the colour and icon of its state, its words, and what is wrong."""

    tint: str
    icon: str
    state: str
    facts: str
    problem: str = ""
    """What the user should know or do, as a sentence; empty if nothing."""

    @property
    def line(self) -> str:
        """State and facts in one line."""
        # That it is downloading can be seen by its speed, and the line is short in a narrow window.
        parts = (self.facts,) if "/s" in self.facts else (self.state, self.facts)
        return SEPARATOR.join(part for part in parts if part)


_STYLES: Final = {
    DownloadState.QUEUED: ("dim", "clock", tr_noop("Queued")),
    DownloadState.RUNNING: ("accent", "download", tr_noop("Downloading")),
    DownloadState.CHECKING: ("accent", "shield-check", tr_noop("Verifying")),
    DownloadState.WAITING_FOR_NETWORK: ("warn", "wifi-off", tr_noop("Waiting for network")),
    DownloadState.WAITING_FOR_SPACE: ("warn", "hard-drive", tr_noop("Waiting for disk space")),
    DownloadState.PAUSED: ("dim", "pause", tr_noop("Paused")),
    DownloadState.FAILED: ("danger", "circle-alert", tr_noop("Failed")),
    DownloadState.DONE: ("ok", "circle-check", tr_noop("Ready")),
}
_STALLED: Final = ("warn", "triangle-alert", tr_noop("Stalled"))
_GOES_ON: Final = tr_noop("Resumes automatically.")
_WAITING: Final = frozenset({DownloadState.WAITING_FOR_NETWORK, DownloadState.WAITING_FOR_SPACE})


def ended_text(download: Download, *, problem: str) -> LineText:
    """Return what the line of one that is done shows where its model is no more, or has a ``problem``."""
    state = tr("Unusable") if problem else tr("Removed")
    tint, icon = ("danger", "circle-alert") if problem else ("dim", "trash-2")
    return LineText(tint=tint, icon=icon, state=state, facts=_facts(download), problem=problem)


def line_text(download: Download) -> LineText:
    """Return what the line of ``download`` shows."""
    is_stalled = download.state is DownloadState.RUNNING and download.is_stalled
    tint, icon, state = _STALLED if is_stalled else _STYLES[download.state]
    return LineText(tint=tint, icon=icon, state=tr(state), facts=_facts(download), problem=_problem(download))


def _facts(download: Download) -> str:
    match download.state:
        case DownloadState.DONE | DownloadState.CHECKING:
            return format_bytes(download.size_bytes)
        case _ if not download.n_bytes:
            return format_bytes(download.size_bytes)
        case DownloadState.RUNNING if not download.is_stalled:
            left = (
                tr("{time} left").format(time=format_remaining(download.seconds_left))
                if download.seconds_left is not None
                else ""
            )
            parts = (_arrived(download), speed_text(download.bytes_per_s), left)
            return SEPARATOR.join(part for part in parts if part)
        case _:
            return _arrived(download)


def _arrived(download: Download) -> str:
    return bytes_done_text(download.n_bytes, of=download.size_bytes)


def _problem(download: Download) -> str:
    note = one_line(download.note)
    if download.state is DownloadState.FAILED:
        return one_line(download.error.sentence) if download.error is not None else note
    if download.state is DownloadState.WAITING_FOR_NETWORK:
        return f"{note} {tr(_GOES_ON)}".strip()
    if download.state is DownloadState.WAITING_FOR_SPACE:
        return note or tr(_GOES_ON)
    return note


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """All downloads together."""

    n_active: int = 0
    """That run, or wait for something that ends by itself."""
    n_queued: int = 0
    n_paused: int = 0
    n_failed: int = 0
    n_done: int = 0
    n_waiting: int = 0
    """Of the active ones: those that wait for network or space."""
    bytes_remaining: int = 0
    """Of those that run, wait or are queued."""
    bytes_per_s: float = 0.0
    fraction: float = 0.0
    """Of the bytes of those that run, wait or are queued; 0 to 1."""

    @property
    def n_in_progress(self) -> int:
        """How many will end by themselves."""
        return self.n_active + self.n_queued

    @property
    def is_held_up(self) -> bool:
        """Whether everything that is under way waits for network or space."""
        return self.n_active > 0 and self.n_waiting == self.n_active


def totals(downloads: Iterable[Download]) -> Totals:
    """Add up the queue."""
    known = tuple(downloads)

    def count(state: DownloadState) -> int:
        return sum(download.state is state for download in known)

    going = [d for d in known if d.state.is_active or d.state is DownloadState.QUEUED]
    size = sum(download.size_bytes for download in going)
    here = sum(min(download.n_bytes, download.size_bytes) for download in going)
    return Totals(
        n_active=sum(download.state.is_active for download in known),
        n_queued=count(DownloadState.QUEUED),
        n_paused=count(DownloadState.PAUSED),
        n_failed=count(DownloadState.FAILED),
        n_done=count(DownloadState.DONE),
        n_waiting=sum(download.state in _WAITING for download in known),
        bytes_remaining=size - here,
        bytes_per_s=sum(download.bytes_per_s for download in going),
        fraction=here / size if size else 0.0,
    )


def totals_text(all_of_them: Totals) -> str:
    """Return the page's line: ``2 running, 14 MB/s, 3.1 GB to go``; empty with nothing to say."""
    n_running = all_of_them.n_active - all_of_them.n_waiting
    parts = []
    if n_running:
        parts.append(tr("%n active|%n active", "downloads", n_running))
    if all_of_them.n_waiting:
        parts.append(tr("%n queued|%n queued", "downloads", all_of_them.n_waiting))
    if all_of_them.n_queued:
        parts.append(tr("%n queued|%n queued", "downloads", all_of_them.n_queued))
    if not all_of_them.n_in_progress:
        # Told only when nothing moves: the line is short, and the list shows it.
        parts += _still_parts(all_of_them)
    if speed := speed_text(all_of_them.bytes_per_s):
        parts.append(speed)
    if all_of_them.n_in_progress and all_of_them.bytes_remaining:
        parts.append(tr("{size} left").format(size=format_bytes(all_of_them.bytes_remaining)))
    return ", ".join(parts)


def button_text(all_of_them: Totals) -> str:
    """Return what the way to the downloads is called while there are some, in all and for a screen reader."""
    under_way = all_of_them.n_in_progress
    parts = []
    if under_way:
        percent = int(all_of_them.fraction * 100)
        parts.append(
            tr("%n active, {percent}%|%n active, {percent}%", "downloads", under_way).format(percent=percent)
        )
    if all_of_them.is_held_up:
        parts.append(tr("queued"))
    parts += _still_parts(all_of_them)
    return tr("Downloads: {parts}").format(parts=", ".join(parts)) if parts else tr("Downloads")


def _still_parts(all_of_them: Totals) -> list[str]:
    parts = []
    if all_of_them.n_paused:
        parts.append(tr("%n paused|%n paused", "downloads", all_of_them.n_paused))
    if all_of_them.n_failed:
        parts.append(tr("%n failed|%n failed", "downloads", all_of_them.n_failed))
    return parts
