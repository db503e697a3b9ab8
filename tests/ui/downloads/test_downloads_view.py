"""The window's view of the queue follows the events, and each change is signalled once."""

from __future__ import annotations

import pytest

from fakes.downloads import download_of
from fireside.core.hub import Download, DownloadState
from fireside.ui.downloads_view import DownloadsView


class Heard:
    """The signals of a view."""

    def __init__(self, view: DownloadsView) -> None:
        self.news: list[tuple[str, str]] = []
        self.n_queues = 0
        self.progressed: list[str] = []
        view.completed.connect(lambda download: self.news.append(("arrived", download.id)))
        view.failed.connect(lambda download: self.news.append(("failed", download.id)))
        view.out_of_space.connect(lambda download: self.news.append(("starved", download.id)))
        view.queue_changed.connect(self._on_queue)
        view.progressed.connect(self.progressed.append)

    def _on_queue(self) -> None:
        self.n_queues += 1


@pytest.fixture
def view(qapp: object) -> DownloadsView:
    return DownloadsView()


@pytest.fixture
def heard(view: DownloadsView) -> Heard:
    return Heard(view)


def test_initial_downloads_emit_no_signals(view: DownloadsView, heard: Heard) -> None:
    view.set_initial(
        [download_of("a", state=DownloadState.DONE), download_of("b", state=DownloadState.FAILED)]
    )
    assert heard.news == []
    assert heard.n_queues == 1


@pytest.mark.parametrize(
    ("state", "news"),
    [
        (DownloadState.DONE, [("arrived", "a")]),
        (DownloadState.FAILED, [("failed", "a")]),
        (DownloadState.WAITING_FOR_SPACE, [("starved", "a")]),
        (DownloadState.WAITING_FOR_NETWORK, []),
        (DownloadState.CHECKING, []),
    ],
)
def test_a_new_state_is_signalled_once(
    view: DownloadsView, heard: Heard, state: DownloadState, news: list[tuple[str, str]]
) -> None:
    view.set_initial([download_of("a"), download_of("b")])
    for _ in range(2):
        view.set_downloads([download_of("a", state=state), download_of("b")])
    assert heard.news == news


def test_a_slot_sees_the_current_queue(view: DownloadsView) -> None:
    seen: list[tuple[Download, ...]] = []
    view.completed.connect(lambda _download: seen.append(view.downloads))
    view.set_initial([download_of("a"), download_of("b")])
    after = (download_of("a", state=DownloadState.DONE), download_of("b", n_bytes=7))
    view.set_downloads(after)
    assert seen == [after]


def test_late_progress_does_not_restore_a_removed_download(view: DownloadsView, heard: Heard) -> None:
    view.set_initial([download_of("a")])
    view.set_downloads([])
    view.set_progress(download_of("a", n_bytes=7))
    assert view.downloads == ()
    assert heard.progressed == []


def test_progress_keeps_the_order(view: DownloadsView, heard: Heard) -> None:
    view.set_initial([download_of("a"), download_of("b")])
    view.set_progress(download_of("a", n_bytes=7))
    assert [download.n_bytes for download in view.downloads] == [7, 1_000_000_000]
    assert heard.progressed == ["a"]
