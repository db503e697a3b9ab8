"""Actions reach the client, and the user is notified of what needs attention."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.downloads import download_of
from fakes.model_entries import entry_of, starter_spec
from fakes.pointer import click
from fakes.window import RouterLog, WindowLog, window_context
from fireside.core.errors import DownloadError, HubGated, HubTokenRefused
from fireside.core.events import AppEvent
from fireside.core.hub import Download, DownloadProgressed, DownloadsChanged, DownloadState
from fireside.core.ids import ModelId
from fireside.core.library import ModelOrigin
from fireside.ui.chat.answer.links import LinkDialog
from fireside.ui.downloads.download_controller import DownloadController
from fireside.ui.downloads.download_row import DownloadRow
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.tasks import TaskRunner

Settled = Callable[[], None]


class Harness:
    """The page with its controller, over a client in memory."""

    def __init__(self, qtbot: QtBot, *, tasks: TaskRunner) -> None:
        self.client = AppClient()
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(900, 700)
        self.view = DownloadsView(self.window)
        self.models = ModelsView(self.window)
        log = WindowLog()
        self.urls, self.revealed = log.urls, log.revealed
        self.n_alerts = 0
        context = window_context(self.client, tasks=tasks, window=self.window, models=self.models, log=log)
        assert isinstance(context.router, RouterLog)
        self.asked = context.router.calls
        self.toast = context.toast
        self.controller = DownloadController(context, downloads=self.view, draw_attention=self._alert)
        self.page = self.controller.page
        self.page.setParent(self.window)
        self.page.resize(900, 700)
        self.client.frame.connect(self._on_frame)
        self.window.show()
        qtbot.waitExposed(self.window)

    def fill(self, *downloads: Download) -> None:
        """Put downloads into the queue before the window opens."""
        self.client.keep_downloads(*downloads)
        self.view.set_initial(downloads)

    def tell(self, *downloads: Download) -> None:
        """Emit the current queue."""
        self.client.publish(DownloadsChanged(downloads=downloads))

    def row(self, download_id: str) -> DownloadRow:
        row = self.page.queue.row(download_id)
        assert row is not None
        return row

    def states(self) -> dict[str, DownloadState]:
        return {download.id: download.state for download in self.view.downloads}

    def _alert(self) -> None:
        self.n_alerts += 1

    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        for event in events:
            match event:
                case DownloadsChanged(downloads=downloads):
                    self.view.set_downloads(downloads)
                case DownloadProgressed(download=download):
                    self.view.set_progress(download)
                case _:
                    pass


@pytest.fixture
def harness(qtbot: QtBot, tasks: TaskRunner) -> Iterator[Harness]:
    made = Harness(qtbot, tasks=tasks)
    yield made
    made.client.frame.disconnect(made._on_frame)


def test_pause_and_resume_reach_the_client(harness: Harness, settled: Settled) -> None:
    harness.fill(download_of("a"))
    click(harness.row("a").pause_button)
    settled()
    assert harness.states() == {"a": DownloadState.PAUSED}
    click(harness.row("a").pause_button)
    settled()
    assert harness.states() == {"a": DownloadState.RUNNING}


def test_a_failed_download_is_retried(harness: Harness, settled: Settled) -> None:
    error = DownloadError.of("download_unwritable", path="/x", reason="it is read-only.").info()
    harness.fill(download_of("a", state=DownloadState.FAILED, error=error))
    click(harness.row("a").recovery.retry)
    settled()
    assert harness.client.called("downloads.resume") == [("a",)]


def test_cancelling_shows_a_note_and_removes_the_row(harness: Harness, settled: Settled) -> None:
    harness.fill(download_of("a", n_bytes=0))
    click(harness.row("a").cancel)
    settled()
    assert harness.view.downloads == ()
    assert harness.toast.text == "Download of a cancelled"


def test_removing_a_finished_download_shows_no_note(harness: Harness, settled: Settled) -> None:
    harness.fill(download_of("a", state=DownloadState.DONE))
    click(harness.row("a").cancel)
    settled()
    assert harness.view.downloads == ()
    assert not harness.toast.isVisible()


def test_only_finished_downloads_are_cleared(harness: Harness, settled: Settled) -> None:
    harness.fill(download_of("a", state=DownloadState.DONE), download_of("b"))
    click(harness.page.queue.clear)
    settled()
    assert list(harness.states()) == ["b"]


def test_a_move_reaches_the_client_and_the_list_follows(harness: Harness, settled: Settled) -> None:
    harness.fill(*(download_of(name, state=DownloadState.QUEUED) for name in "abc"))
    harness.page.move_by("c", -1)
    settled()
    assert [row.download.id for row in harness.page.queue.rows] == ["a", "c", "b"]


def test_pausing_all_pauses_queued_downloads_first(harness: Harness, settled: Settled) -> None:
    harness.fill(
        download_of("a"),
        download_of("b", state=DownloadState.QUEUED),
        download_of("c", state=DownloadState.PAUSED),
        download_of("d", state=DownloadState.WAITING_FOR_NETWORK),
    )
    click(harness.page.pause_all_button)
    settled()
    assert harness.client.called("downloads.pause") == [("b",), ("a",), ("d",)]


def test_resuming_all_leaves_failed_downloads(harness: Harness, settled: Settled) -> None:
    harness.fill(
        download_of("a", state=DownloadState.PAUSED),
        download_of("b", state=DownloadState.FAILED),
        download_of("c", state=DownloadState.PAUSED),
    )
    click(harness.page.pause_all_button)
    settled()
    assert harness.client.called("downloads.resume") == [("a",), ("c",)]


def test_a_removed_download_does_not_stop_pausing_all(harness: Harness, settled: Settled) -> None:
    harness.fill(download_of("a"), download_of("b"))
    harness.client.app.downloads._list.remove(download_of("a").id)
    click(harness.page.pause_all_button)
    settled()
    assert harness.client.called("downloads.pause") == [("a",), ("b",)]
    assert harness.page.notices.texts == ()


def test_a_click_on_a_removed_download_shows_no_error(harness: Harness, settled: Settled) -> None:
    harness.view.set_initial((download_of("a"),))
    harness.controller.pause("a")
    settled()
    assert harness.page.notices.texts == ()


def test_a_failed_action_is_shown_on_the_page(harness: Harness, settled: Settled) -> None:
    harness.fill(download_of("a"))
    error = DownloadError.of("download_unwritable", path="/x", reason="it is read-only.")
    harness.client.fail("downloads.pause", error)
    harness.controller.pause("a")
    settled()
    assert harness.page.notices.texts == (error.sentence(),)


def test_the_licence_page_opens_only_after_confirmation(harness: Harness) -> None:
    address = "https://hub.example/ada/a"
    error = HubGated(repo="ada/a", page=address, with_token=True).info()
    harness.fill(download_of("a", state=DownloadState.FAILED, error=error))
    click(harness.row("a").recovery.page)
    dialog = harness.page.window().findChild(LinkDialog)
    assert dialog is not None
    assert harness.urls == []
    opener = next(button for button in dialog.findChildren(QPushButton) if button.text() == "Open")
    click(opener)
    assert harness.urls == [address]


def test_a_download_can_continue_without_a_refused_token(harness: Harness, settled: Settled) -> None:
    harness.fill(download_of("a", state=DownloadState.FAILED, error=HubTokenRefused().info()))
    steps = harness.row("a").recovery
    assert steps.tokenless.isVisible()
    click(steps.tokenless)
    settled()
    assert harness.client.called("token.suspend") == [()]
    assert harness.client.called("downloads.resume") == [("a",)]


# What the user is told


def library_has(harness: Harness, download: Download) -> None:
    file = download.files[0]
    origin = ModelOrigin(
        repo=file.repo, commit=file.commit, path=file.file.path, digest="0" * 64, downloaded_at=""
    )
    spec = msgspec.structs.replace(starter_spec(), id=ModelId("arrived"), path="/library/arrived.gguf")
    harness.models.set_entries([msgspec.structs.replace(entry_of(spec), origin=origin)])


def test_a_finished_download_offers_the_chat(harness: Harness) -> None:
    harness.fill(download_of("a"))
    library_has(harness, download_of("a"))
    harness.tell(download_of("a", state=DownloadState.DONE))
    assert harness.toast.text == "a is ready"
    harness.toast.trigger_action()
    assert harness.asked == [("use_model", "arrived")]
    assert harness.n_alerts == 1


def test_a_finished_download_outside_the_library_links_to_the_downloads(harness: Harness) -> None:
    harness.fill(download_of("a"))
    harness.tell(download_of("a", state=DownloadState.DONE))
    harness.toast.trigger_action()
    assert harness.asked == [("show_page", Page.DOWNLOADS)]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (DownloadState.FAILED, "Download of a failed"),
        (DownloadState.WAITING_FOR_SPACE, "Not enough disk space for a"),
    ],
)
def test_failures_are_notified_while_the_page_is_hidden(
    harness: Harness, state: DownloadState, words: str
) -> None:
    harness.fill(download_of("a"))
    harness.page.hide()
    harness.tell(download_of("a", state=state))
    assert harness.toast.text == words
    harness.toast.trigger_action()
    assert harness.asked == [("show_page", Page.DOWNLOADS)]
    assert harness.n_alerts == 1


def test_the_visible_page_shows_a_failure_only_in_its_row(harness: Harness) -> None:
    harness.fill(download_of("a"))
    harness.page.show()
    harness.tell(download_of("a", state=DownloadState.FAILED))
    assert not harness.toast.isVisible()


def test_a_failure_is_notified_once(harness: Harness) -> None:
    harness.fill(download_of("a"), download_of("b"))
    harness.page.hide()
    harness.tell(download_of("a", state=DownloadState.FAILED))
    harness.toast.hide_now()
    harness.tell(download_of("a", state=DownloadState.FAILED), download_of("b", state=DownloadState.PAUSED))
    assert not harness.toast.isVisible()


def test_a_lost_network_is_not_notified(harness: Harness) -> None:
    harness.fill(download_of("a"))
    harness.page.hide()
    harness.tell(download_of("a", state=DownloadState.WAITING_FOR_NETWORK))
    assert not harness.toast.isVisible()
    assert harness.n_alerts == 0


# After a start


def test_resumed_downloads_are_notified_at_the_start(harness: Harness) -> None:
    harness.fill(download_of("a", state=DownloadState.QUEUED))
    harness.controller.start()
    assert harness.toast.text == "Interrupted downloads resume"


@pytest.mark.parametrize(
    "states", [(), (DownloadState.DONE,), (DownloadState.FAILED,), (DownloadState.PAUSED,)]
)
def test_a_start_without_downloads_is_silent(harness: Harness, states: tuple[DownloadState, ...]) -> None:
    harness.fill(*(download_of("a", state=state) for state in states))
    harness.controller.start()
    assert not harness.toast.isVisible()
