"""How far a download is: a bar for who looks, lines for who reads later."""

from __future__ import annotations

import io
import os

import pytest

from fireside.cli.progress import Progress
from fireside.cli.screen import Screen
from fireside.core.hub import Download, DownloadFile, DownloadId, DownloadState, HubFile


class Seen(io.StringIO):
    def isatty(self) -> bool:
        return True


def download(n_bytes: int, **more: object) -> Download:
    file = HubFile(path="a.gguf", size_bytes=1_000_000_000, digest="0" * 64)
    planned = DownloadFile(repo="a/b", commit="0" * 40, file=file, name="a/b/a.gguf")
    fields = {"state": DownloadState.RUNNING, **more}
    return Download(id=DownloadId("x"), title="a/b", files=(planned,), n_bytes=n_bytes, **fields)  # type: ignore[arg-type]


def shown(stream: io.StringIO, *downloads: Download) -> str:
    progress = Progress(screen=Screen(output=io.StringIO(), status=stream), status=stream)
    for known in downloads:
        progress.show_download(known)
    progress.end()
    return stream.getvalue()


def test_who_looks_sees_a_bar_with_speed_and_time_left() -> None:
    text = shown(Seen(), download(500_000_000, bytes_per_s=20_000_000.0, seconds_left=83.0))
    assert "████████████░░░░░░░░░░░░" in text
    assert " 50%  500 MB of 1.0 GB  20.0 MB/s  1 min 23 s left" in text


def test_who_reads_later_finds_a_line_for_each_tenth() -> None:
    text = shown(io.StringIO(), *(download(n * 10_000_000) for n in range(101)))
    assert len(text.splitlines()) == 11


def test_a_download_that_waits_says_so_once() -> None:
    waiting = download(5, state=DownloadState.WAITING_FOR_NETWORK, note="The hub is away.")
    assert shown(io.StringIO(), waiting, waiting) == "Waiting for network. The hub is away.\n"


def test_a_stalled_download_is_marked() -> None:
    assert "stalled" in shown(Seen(), download(5, is_stalled=True))


@pytest.mark.parametrize("columns", [20, 40, 60, 79, 80, 200])
def test_no_line_is_longer_than_the_terminal_is_wide(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((columns, 24)))
    monkeypatch.setattr(Seen, "fileno", lambda _: 2)
    text = shown(Seen(), download(500_000_000, bytes_per_s=20_000_000.0, seconds_left=83.0))
    (line,) = (line for line in text.split("\r\x1b[K") if line)
    assert len(line) < columns
    assert line.strip("█░ ").startswith("50%  500 MB")
    assert ("█" in line) is (columns >= 60)


def test_the_next_check_starts_new_lines() -> None:
    stream = io.StringIO()
    progress = Progress(screen=Screen(output=io.StringIO(), status=stream), status=stream)
    for _ in range(2):
        progress.show_fraction(5, 10)
        progress.end()
    assert stream.getvalue() == "50%, 5 bytes of 10 bytes\n" * 2
