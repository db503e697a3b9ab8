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
from fireside.core.errors import DownloadUnwritable, HubGated, HubTokenRefused
from fireside.core.events import AppEvent
from fireside.core.hub import Download, DownloadProgressed, DownloadsChanged, DownloadState
from fireside.core.ids import ModelId
from fireside.core.library import ModelOrigin
from fireside.ui.chat.links import LinkDialog
from fireside.ui.downloads.download_controller import DownloadController
from fireside.ui.downloads.download_row import DownloadRow
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme

Settled = Callable[[], None]


class Place:
    """The page with its controller, over a client in memory."""

    def __init__(self, qtbot: QtBot, *, tasks: TaskRunner, theme: Theme) -> None:
        self.client = AppClient()
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(900, 700)
        self.view = DownloadsView(self.window)
        self.models = ModelsView(self.window)
        log = WindowLog()
        self.urls, self.revealed = log.urls, log.revealed
        self.n_alerts = 0
        context = window_context(
            self.client, tasks=tasks, theme=theme, window=self.window, models=self.models, log=log
        )
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
def place(qtbot: QtBot, tasks: TaskRunner, theme: Theme) -> Iterator[Place]:
    made = Place(qtbot, tasks=tasks, theme=theme)
    yield made
    made.client.frame.disconnect(made._on_frame)


def test_pause_and_resume_reach_the_client(place: Place, settled: Settled) -> None:
    place.fill(download_of("a"))
    click(place.row("a").pause_button)
    settled()
    assert place.states() == {"a": DownloadState.PAUSED}
    click(place.row("a").pause_button)
    settled()
    assert place.states() == {"a": DownloadState.RUNNING}


def test_a_failed_download_is_retried(place: Place, settled: Settled) -> None:
    error = DownloadUnwritable(path="/x", reason="it is read-only.").info()
    place.fill(download_of("a", state=DownloadState.FAILED, error=error))
    click(place.row("a").recovery.retry)
    settled()
    assert place.client.called("downloads.resume") == [("a",)]


def test_cancelling_shows_a_note_and_removes_the_row(place: Place, settled: Settled) -> None:
    place.fill(download_of("a", n_bytes=0))
    click(place.row("a").cancel)
    settled()
    assert place.view.downloads == ()
    assert place.toast.text == "Download of a cancelled"


def test_removing_a_finished_download_shows_no_note(place: Place, settled: Settled) -> None:
    place.fill(download_of("a", state=DownloadState.DONE))
    click(place.row("a").cancel)
    settled()
    assert place.view.downloads == ()
    assert not place.toast.isVisible()


def test_only_finished_downloads_are_cleared(place: Place, settled: Settled) -> None:
    place.fill(download_of("a", state=DownloadState.DONE), download_of("b"))
    click(place.page.queue.clear)
    settled()
    assert list(place.states()) == ["b"]


def test_a_move_reaches_the_client_and_the_list_follows(place: Place, settled: Settled) -> None:
    place.fill(*(download_of(name, state=DownloadState.QUEUED) for name in "abc"))
    place.page.move_by("c", -1)
    settled()
    assert [row.download.id for row in place.page.queue.rows] == ["a", "c", "b"]


def test_pausing_all_pauses_queued_downloads_first(place: Place, settled: Settled) -> None:
    place.fill(
        download_of("a"),
        download_of("b", state=DownloadState.QUEUED),
        download_of("c", state=DownloadState.PAUSED),
        download_of("d", state=DownloadState.WAITING_FOR_NETWORK),
    )
    click(place.page.pause_all_button)
    settled()
    assert place.client.called("downloads.pause") == [("b",), ("a",), ("d",)]


def test_resuming_all_leaves_failed_downloads(place: Place, settled: Settled) -> None:
    place.fill(
        download_of("a", state=DownloadState.PAUSED),
        download_of("b", state=DownloadState.FAILED),
        download_of("c", state=DownloadState.PAUSED),
    )
    click(place.page.pause_all_button)
    settled()
    assert place.client.called("downloads.resume") == [("a",), ("c",)]


def test_a_removed_download_does_not_stop_pausing_all(place: Place, settled: Settled) -> None:
    place.fill(download_of("a"), download_of("b"))
    place.client.app.downloads._list.remove(download_of("a").id)
    click(place.page.pause_all_button)
    settled()
    assert place.client.called("downloads.pause") == [("a",), ("b",)]
    assert place.page.notices.texts == ()


def test_a_click_on_a_removed_download_shows_no_error(place: Place, settled: Settled) -> None:
    place.view.set_initial((download_of("a"),))
    place.controller.pause("a")
    settled()
    assert place.page.notices.texts == ()


def test_a_failed_action_is_shown_on_the_page(place: Place, settled: Settled) -> None:
    place.fill(download_of("a"))
    error = DownloadUnwritable(path="/x", reason="it is read-only.")
    place.client.fail("downloads.pause", error)
    place.controller.pause("a")
    settled()
    assert place.page.notices.texts == (error.sentence(),)


def test_the_licence_page_opens_only_after_confirmation(place: Place) -> None:
    address = "https://hub.example/ada/a"
    error = HubGated(repo="ada/a", page=address, with_token=True).info()
    place.fill(download_of("a", state=DownloadState.FAILED, error=error))
    click(place.row("a").recovery.page)
    dialog = place.page.findChild(LinkDialog)
    assert dialog is not None
    assert place.urls == []
    opener = next(button for button in dialog.findChildren(QPushButton) if button.text() == "Open")
    click(opener)
    assert place.urls == [address]


def test_a_download_can_continue_without_a_refused_token(place: Place, settled: Settled) -> None:
    place.fill(download_of("a", state=DownloadState.FAILED, error=HubTokenRefused().info()))
    steps = place.row("a").recovery
    assert steps.tokenless.isVisible()
    click(steps.tokenless)
    settled()
    assert place.client.called("token.suspend") == [()]
    assert place.client.called("downloads.resume") == [("a",)]


# What the user is told


def library_has(place: Place, download: Download) -> None:
    file = download.files[0]
    origin = ModelOrigin(
        repo=file.repo, commit=file.commit, path=file.file.path, digest="0" * 64, downloaded_at=""
    )
    spec = msgspec.structs.replace(starter_spec(), id=ModelId("arrived"), path="/library/arrived.gguf")
    place.models.set_entries([msgspec.structs.replace(entry_of(spec), origin=origin)])


def test_a_finished_download_offers_the_chat(place: Place) -> None:
    place.fill(download_of("a"))
    library_has(place, download_of("a"))
    place.tell(download_of("a", state=DownloadState.DONE))
    assert place.toast.text == "a is ready"
    place.toast.trigger_action()
    assert place.asked == [("use_model", "arrived")]
    assert place.n_alerts == 1


def test_a_finished_download_outside_the_library_links_to_the_downloads(place: Place) -> None:
    place.fill(download_of("a"))
    place.tell(download_of("a", state=DownloadState.DONE))
    place.toast.trigger_action()
    assert place.asked == [("show_page", Page.DOWNLOADS)]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (DownloadState.FAILED, "Download of a failed"),
        (DownloadState.WAITING_FOR_SPACE, "Not enough disk space for a"),
    ],
)
def test_failures_are_notified_while_the_page_is_hidden(
    place: Place, state: DownloadState, words: str
) -> None:
    place.fill(download_of("a"))
    place.page.hide()
    place.tell(download_of("a", state=state))
    assert place.toast.text == words
    place.toast.trigger_action()
    assert place.asked == [("show_page", Page.DOWNLOADS)]
    assert place.n_alerts == 1


def test_the_visible_page_shows_a_failure_only_in_its_row(place: Place) -> None:
    place.fill(download_of("a"))
    place.page.show()
    place.tell(download_of("a", state=DownloadState.FAILED))
    assert not place.toast.isVisible()


def test_a_failure_is_notified_once(place: Place) -> None:
    place.fill(download_of("a"), download_of("b"))
    place.page.hide()
    place.tell(download_of("a", state=DownloadState.FAILED))
    place.toast.hide_now()
    place.tell(download_of("a", state=DownloadState.FAILED), download_of("b", state=DownloadState.PAUSED))
    assert not place.toast.isVisible()


def test_a_lost_network_is_not_notified(place: Place) -> None:
    place.fill(download_of("a"))
    place.page.hide()
    place.tell(download_of("a", state=DownloadState.WAITING_FOR_NETWORK))
    assert not place.toast.isVisible()
    assert place.n_alerts == 0


# After a start


def test_resumed_downloads_are_notified_at_the_start(place: Place) -> None:
    place.fill(download_of("a", state=DownloadState.QUEUED))
    place.controller.start()
    assert place.toast.text == "Interrupted downloads resume"


@pytest.mark.parametrize(
    "states", [(), (DownloadState.DONE,), (DownloadState.FAILED,), (DownloadState.PAUSED,)]
)
def test_a_start_without_downloads_is_silent(place: Place, states: tuple[DownloadState, ...]) -> None:
    place.fill(*(download_of("a", state=state) for state in states))
    place.controller.start()
    assert not place.toast.isVisible()
