"""The texts for the state of a download, and of all together. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import number, tr, tr_noop
from fireside.ui.model_text import SEPARATOR
from fireside.ui.time_text import format_remaining
from fireside.ui.widgets.text import one_line

_MIN_SPEED: Final = 1.0
"""Bytes per second below which no speed is shown."""


def speed_text(bytes_per_s: float) -> str:
    """Return a speed: ``14 MB/s``; empty for none."""
    if bytes_per_s < _MIN_SPEED:
        return ""
    if bytes_per_s >= 10_000_000:
        return f"{number(bytes_per_s / 1e6)} MB/s"
    return f"{format_bytes(round(bytes_per_s))}/s"


def bytes_done_text(n_bytes: int, *, of: int) -> str:
    """Return how much has been downloaded: ``1.2 of 4.9 GB``, or ``340 MB of 4.9 GB``."""
    arrived, total = format_bytes(min(n_bytes, of)), format_bytes(of)
    value, _, unit = arrived.partition(" ")
    return tr("{part} of {whole}").format(part=value if total.endswith(f" {unit}") else arrived, whole=total)


class Title(msgspec.Struct, frozen=True):
    """A download's model name and size, as text."""

    name: str
    label: str


def title_of(download: Download) -> Title:
    """Return the model's name without its owner, and the label of its quantization if it has one."""
    title = one_line(download.title)
    repository, _, label = title.partition(":")
    name = repository.rpartition("/")[2] or repository
    return Title(re.sub(r"[-_.]gguf$", "", name, flags=re.IGNORECASE) or name, label)


class LineText(msgspec.Struct, frozen=True, kw_only=True):
    """What a row of the queue shows: colour and icon of the state, the texts, and the problem."""

    tint: str
    icon: str
    state: str
    facts: str
    problem: str = ""
    """What the user should know or do, as a sentence; empty for no problem."""

    @property
    def line(self) -> str:
        """State and facts in one line."""
        # A speed shows that it is downloading, and the row is short in a narrow window.
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
_RESUMES: Final = tr_noop("Resumes automatically.")
_WAITING: Final = frozenset({DownloadState.WAITING_FOR_NETWORK, DownloadState.WAITING_FOR_SPACE})


def ended_text(download: Download, *, problem: str) -> LineText:
    """Return the texts of a finished download whose model was removed, or has a ``problem``."""
    state = tr("Unusable") if problem else tr("Removed")
    tint, icon = ("danger", "circle-alert") if problem else ("dim", "trash-2")
    return LineText(tint=tint, icon=icon, state=state, facts=_facts(download), problem=problem)


def line_text(download: Download) -> LineText:
    """Return the texts of the row of ``download``."""
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
            remaining = (
                tr("{time} left").format(time=format_remaining(download.seconds_left))
                if download.seconds_left is not None
                else ""
            )
            parts = (_arrived(download), speed_text(download.bytes_per_s), remaining)
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
        return f"{note} {tr(_RESUMES)}".strip()
    if download.state is DownloadState.WAITING_FOR_SPACE:
        return note or tr(_RESUMES)
    return note


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """The sums over all downloads."""

    n_active: int = 0
    """Downloads that are running, or wait for something that ends by itself."""
    n_queued: int = 0
    n_paused: int = 0
    n_failed: int = 0
    n_done: int = 0
    n_waiting: int = 0
    """The active downloads that wait for network or disk space."""
    bytes_remaining: int = 0
    """Remaining bytes of the active and queued downloads."""
    bytes_per_s: float = 0.0
    fraction: float = 0.0
    """Progress of the active and queued downloads by bytes, 0 to 1."""

    @property
    def n_in_progress(self) -> int:
        """The number of downloads that will finish without the user."""
        return self.n_active + self.n_queued

    @property
    def is_held_up(self) -> bool:
        """Whether all active downloads wait for network or disk space."""
        return self.n_active > 0 and self.n_waiting == self.n_active


def totals(downloads: Iterable[Download]) -> Totals:
    known = tuple(downloads)

    def count(state: DownloadState) -> int:
        return sum(download.state is state for download in known)

    in_progress = [d for d in known if d.state.is_active or d.state is DownloadState.QUEUED]
    size = sum(download.size_bytes for download in in_progress)
    arrived = sum(min(download.n_bytes, download.size_bytes) for download in in_progress)
    return Totals(
        n_active=sum(download.state.is_active for download in known),
        n_queued=count(DownloadState.QUEUED),
        n_paused=count(DownloadState.PAUSED),
        n_failed=count(DownloadState.FAILED),
        n_done=count(DownloadState.DONE),
        n_waiting=sum(download.state in _WAITING for download in known),
        bytes_remaining=size - arrived,
        bytes_per_s=sum(download.bytes_per_s for download in in_progress),
        fraction=arrived / size if size else 0.0,
    )


def totals_text(sums: Totals) -> str:
    """Return the summary line of the page: ``2 active, 14 MB/s, 3.1 GB left``; empty for no downloads."""
    n_running = sums.n_active - sums.n_waiting
    parts = []
    if n_running:
        parts.append(tr("%n active|%n active", "downloads", n_running))
    if sums.n_waiting:
        parts.append(tr("%n waiting|%n waiting", "downloads", sums.n_waiting))
    if sums.n_queued:
        parts.append(tr("%n queued|%n queued", "downloads", sums.n_queued))
    if not sums.n_in_progress:
        # Only where nothing is active: the line is short, and the list shows it too.
        parts += _inactive_parts(sums)
    if speed := speed_text(sums.bytes_per_s):
        parts.append(speed)
    if sums.n_in_progress and sums.bytes_remaining:
        parts.append(tr("{size} left").format(size=format_bytes(sums.bytes_remaining)))
    return ", ".join(parts)


def button_text(sums: Totals) -> str:
    """Return the accessible name of the downloads button while there are downloads."""
    n_in_progress = sums.n_in_progress
    parts = []
    if n_in_progress:
        percent = int(sums.fraction * 100)
        parts.append(
            tr("%n active, {percent}%|%n active, {percent}%", "downloads", n_in_progress).format(
                percent=percent
            )
        )
    if sums.is_held_up:
        parts.append(tr("queued"))
    parts += _inactive_parts(sums)
    return tr("Downloads: {parts}").format(parts=", ".join(parts)) if parts else tr("Downloads")


def _inactive_parts(sums: Totals) -> list[str]:
    parts = []
    if sums.n_paused:
        parts.append(tr("%n paused|%n paused", "downloads", sums.n_paused))
    if sums.n_failed:
        parts.append(tr("%n failed|%n failed", "downloads", sums.n_failed))
    return parts
