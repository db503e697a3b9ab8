"""The downloads page as a user works it: rows, buttons, keys, dragging."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import cast

import msgspec
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QProgressBar
from pytestqt.qtbot import QtBot

from fakes.downloads import download_of
from fakes.model_entries import broken_entry, entry_of, starter_spec
from fakes.pointer import click
from fireside.core.errors import DownloadError, HubGated, HubNotFound, HubOffline
from fireside.core.hub import Download, DownloadState
from fireside.core.ids import ModelId
from fireside.core.library import ModelOrigin
from fireside.core.model import ModelEntry
from fireside.core.options import Purpose
from fireside.ui.downloads.download_controller import DownloadController
from fireside.ui.downloads.download_row import CONFIRM_FROM_BYTES, DownloadRow
from fireside.ui.downloads.downloads_page import DownloadsPage
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.theme import Theme, ThemeChoice
from fireside.ui.window_context import Router

LEFT = Qt.MouseButton.LeftButton


class ActionsLog:
    """Records calls of the controller and of the router."""

    def __init__(self, calls: list[tuple[object, ...]]) -> None:
        self.router = self
        self._asked = calls

    def __getattr__(self, name: str) -> Callable[..., None]:
        if not hasattr(DownloadController, name) and name not in Router.__dataclass_fields__:
            raise AttributeError(name)
        return lambda *given: self._asked.append((name, *given))


@pytest.fixture
def calls() -> list[tuple[object, ...]]:
    """The calls that the page made: method and arguments."""
    return []


@pytest.fixture
def view() -> DownloadsView:
    return DownloadsView()


@pytest.fixture
def models() -> ModelsView:
    return ModelsView()


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    made = QMainWindow()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def page(
    qtbot: QtBot,
    view: DownloadsView,
    models: ModelsView,
    window: QMainWindow,
    calls: list[tuple[object, ...]],
) -> DownloadsPage:
    actions = cast("DownloadController", ActionsLog(calls))
    made = DownloadsPage(actions, downloads=view, models=models)
    window.setCentralWidget(made)
    window.resize(900, 900)
    window.show()
    qtbot.waitExposed(window)
    return made


def row_of(page: DownloadsPage, download_id: str) -> DownloadRow:
    row = page.queue.row(download_id)
    assert row is not None
    return row


def ids(page: DownloadsPage) -> list[str]:
    return [row.download.id for row in page.queue.rows]


def three(view: DownloadsView) -> None:
    view.set_initial([download_of(name, state=DownloadState.QUEUED) for name in "abc"])


def origin_of(download: Download) -> ModelOrigin:
    file = download.files[0]
    return ModelOrigin(
        repo=file.repo, commit=file.commit, path=file.file.path, digest="0" * 64, downloaded_at=""
    )


def entry_for(download: Download, *, purpose: Purpose = Purpose.GENERATE) -> ModelEntry:
    spec = msgspec.structs.replace(
        starter_spec(), id=ModelId("arrived"), path="/library/arrived.gguf", purpose=purpose
    )
    return msgspec.structs.replace(entry_of(spec), origin=origin_of(download))


# What is there


def test_an_empty_queue_links_to_the_discover_page(
    page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    assert page.empty.isVisible()
    click(page.empty_discover)
    assert calls[-1] == ("show_page", Page.DISCOVER)


def test_rows_are_in_queue_order_with_finished_ones_below(view: DownloadsView, page: DownloadsPage) -> None:
    done = download_of("b", state=DownloadState.DONE)
    view.set_initial([download_of("a"), done, download_of("c")])
    assert not page.empty.isVisible()
    assert ids(page) == ["a", "c", "b"]
    assert page.queue.clear.isVisible()


def test_the_row_of_a_removed_download_is_removed(view: DownloadsView, page: DownloadsPage) -> None:
    three(view)
    view.set_downloads([download_of("c", state=DownloadState.QUEUED)])
    assert ids(page) == ["c"]
    assert not page.queue.clear.isVisible()


@pytest.mark.parametrize("state", DownloadState)
def test_each_state_offers_its_actions(
    view: DownloadsView, page: DownloadsPage, state: DownloadState
) -> None:
    error = DownloadError.of("download_damaged", name="x").info() if state is DownloadState.FAILED else None
    view.set_initial([download_of("a", state=state, error=error)])
    row = row_of(page, "a")
    ended = state in (DownloadState.FAILED, DownloadState.DONE)
    assert row.pause_button.isVisible() is not ended
    can_retry = state in (DownloadState.FAILED, DownloadState.WAITING_FOR_NETWORK)
    assert row.recovery.retry.isVisible() is can_retry
    assert row.bar.isVisible() is (state is not DownloadState.DONE)
    assert row.cancel.isVisible()


def test_the_bar_has_an_accessible_name_and_value(view: DownloadsView, page: DownloadsPage) -> None:
    view.set_initial([download_of("a", size_bytes=4_000, n_bytes=1_000)])
    interface = QAccessible.queryAccessibleInterface(row_of(page, "a").bar)
    assert interface is not None
    assert interface.role() is QAccessible.Role.ProgressBar
    assert interface.text(QAccessible.Text.Name) == "Download of a"
    bar = row_of(page, "a").bar
    assert bar.value() / bar.maximum() == 0.25


def test_a_bar_is_full_only_with_the_last_byte(view: DownloadsView, page: DownloadsPage) -> None:
    view.set_initial([download_of("a", size_bytes=10_000_000, n_bytes=9_999_999)])
    bar = row_of(page, "a").bar
    assert bar.value() < bar.maximum()


def test_a_row_has_its_state_as_accessible_text(view: DownloadsView, page: DownloadsPage) -> None:
    view.set_initial([download_of("a", state=DownloadState.WAITING_FOR_NETWORK, note="No network.")])
    row = row_of(page, "a")
    assert row.accessibleName() == "a Q4_K_M"
    assert row.accessibleDescription() == ("Waiting for network. No network. Resumes automatically.")


def test_a_hostile_name_is_shown_as_text(view: DownloadsView, page: DownloadsPage) -> None:
    view.set_initial([download_of("a", title="x/<img src=x>&y\u202e:Q4")])
    row = row_of(page, "a")
    assert row.title.text() == "<img src=x>&y"
    assert "<img" not in row.title.toolTip()
    assert "\u202e" not in row.pause_button.accessibleName()


# Cheap updates


class PaintCount(QObject):
    """Counts paint events of the widgets it watches."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: Counter[QEvent.Type] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.kinds[event.type()] += 1
        return super().eventFilter(watched, event)


def test_progress_updates_only_its_row(view: DownloadsView, page: DownloadsPage, qapp: QApplication) -> None:
    view.set_initial([download_of("a"), download_of("b")])
    qapp.processEvents()
    row = row_of(page, "b")
    count = PaintCount()
    for watched in (row, row.bar, row.facts, row.title):
        watched.installEventFilter(count)
    for step in range(20):
        view.set_progress(download_of("a", n_bytes=1_000_000_000 + step * 1_000_000, bytes_per_s=1e6))
        qapp.processEvents()
    assert not count.kinds


def test_an_unchanged_download_repaints_nothing(
    view: DownloadsView, page: DownloadsPage, qapp: QApplication
) -> None:
    view.set_initial([download_of("a", bytes_per_s=1e6), download_of("b")])
    qapp.processEvents()
    row = row_of(page, "a")
    count = PaintCount()
    for watched in (row, row.bar, row.facts, row.title, row.problem):
        watched.installEventFilter(count)
    for extra in range(10):
        view.set_progress(download_of("a", n_bytes=1_000_000_000 + extra, bytes_per_s=1e6))
        view.set_downloads(view.downloads)
        qapp.processEvents()
    assert not count.kinds


def test_rows_are_reused_so_that_they_keep_the_focus(
    qtbot: QtBot, view: DownloadsView, page: DownloadsPage, window: QMainWindow
) -> None:
    three(view)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    row = row_of(page, "c")
    row.pause_button.setFocus()
    by_id: dict[str, Download] = {download.id: download for download in view.downloads}
    view.set_downloads([by_id[name] for name in ("c", "a", "b")])
    assert ids(page) == ["c", "a", "b"]
    assert row_of(page, "c") is row
    assert row.pause_button.hasFocus()


# Buttons


def test_pause_and_resume_are_one_button_that_keeps_the_focus(
    qtbot: QtBot,
    view: DownloadsView,
    page: DownloadsPage,
    calls: list[tuple[object, ...]],
    window: QMainWindow,
) -> None:
    view.set_initial([download_of("a")])
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    row = row_of(page, "a")
    row.pause_button.setFocus()
    QTest.keyClick(row.pause_button, Qt.Key.Key_Space)
    assert calls[-1] == ("pause", "a")
    view.set_downloads([download_of("a", state=DownloadState.PAUSED)])
    assert row.pause_button.hasFocus()
    assert row.pause_button.accessibleName() == "Resume a"
    QTest.keyClick(row.pause_button, Qt.Key.Key_Space)
    assert calls[-1] == ("resume", "a")


def test_a_small_download_is_cancelled_at_once(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([download_of("a", n_bytes=CONFIRM_FROM_BYTES - 1)])
    click(row_of(page, "a").cancel)
    assert calls[-1] == ("cancel", "a")


def test_a_large_partial_download_is_discarded_only_after_confirmation(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([download_of("a", n_bytes=3_100_000_000)])
    row = row_of(page, "a")
    before = list(calls)
    click(row.cancel)
    assert calls == before
    assert row._question_text.text() == "Discard the 3.1 GB downloaded so far?"
    click(row.confirm)
    assert calls[-1] == ("cancel", "a")


def test_the_confirmation_is_closed_by_escape_or_keep(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([download_of("a")])
    row = row_of(page, "a")
    before = list(calls)
    ways: tuple[Callable[[], None], ...] = (
        lambda: click(row.keep_button),
        lambda: QTest.keyClick(row.keep_button, Qt.Key.Key_Escape),
    )
    for leave in ways:
        click(row.cancel)
        assert row.keep_button.isVisible()
        leave()
        assert not row.keep_button.isVisible()
    assert calls == before


def test_the_confirmation_is_closed_when_the_download_finishes(
    view: DownloadsView, page: DownloadsPage
) -> None:
    view.set_initial([download_of("a")])
    row_of(page, "a").confirm_cancel()
    view.set_downloads([download_of("a", state=DownloadState.DONE)])
    assert not row_of(page, "a").confirm.isVisible()


def test_a_finished_download_is_removed_without_confirmation(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([download_of("a", state=DownloadState.DONE)])
    row = row_of(page, "a")
    assert row.cancel.accessibleName() == "Remove from list: a"
    click(row.cancel)
    assert calls[-1] == ("cancel", "a")


def test_a_gated_model_offers_licence_settings_and_retry(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    address = "https://hub.example/ada/a"
    error = HubGated(repo="ada/a", page=address, with_token=False)
    view.set_initial([download_of("a", state=DownloadState.FAILED, error=error.info())])
    row = row_of(page, "a")
    assert row.problem.text() == error.sentence()
    click(row.recovery.page)
    assert calls[-1] == ("open_link", address)
    click(row.recovery.settings)
    assert calls[-1] == ("show_setting", "hub.token")
    click(row.recovery.retry)
    assert calls[-1] == ("resume", "a")


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "", "data:text/html,x"])
def test_an_address_that_is_no_web_page_is_not_offered(
    view: DownloadsView, page: DownloadsPage, address: str
) -> None:
    error = HubGated(repo="ada/a", page=address, with_token=True)
    view.set_initial([download_of("a", state=DownloadState.FAILED, error=error.info())])
    assert not row_of(page, "a").recovery.page.isVisible()


@pytest.mark.parametrize(
    ("error", "setting"),
    [(HubOffline(), "hub.offline"), (HubNotFound(what="ada/a"), "hub.token")],
)
def test_a_failure_links_to_the_setting_that_helps(
    view: DownloadsView,
    page: DownloadsPage,
    calls: list[tuple[object, ...]],
    error: HubOffline | HubNotFound,
    setting: str,
) -> None:
    view.set_initial([download_of("a", state=DownloadState.FAILED, error=error.info())])
    click(row_of(page, "a").recovery.settings)
    assert calls[-1] == ("show_setting", setting)


def test_a_failure_without_a_helpful_setting_links_to_none(view: DownloadsView, page: DownloadsPage) -> None:
    error = DownloadError.of("download_damaged", name="x").info()
    view.set_initial([download_of("a", state=DownloadState.FAILED, error=error)])
    steps = row_of(page, "a").recovery
    assert not steps.settings.isVisible()
    assert not steps.page.isVisible()
    view.set_downloads([download_of("a")])
    assert not steps.isVisible()


def test_a_download_waiting_for_the_network_can_be_retried(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([download_of("a", state=DownloadState.WAITING_FOR_NETWORK)])
    row = row_of(page, "a")
    assert row.recovery.retry.text().strip() == "Retry now"
    assert row.recovery.retry.accessibleName().startswith("Retry now: ")
    click(row.recovery.retry)
    assert calls[-1] == ("resume", "a")


def test_a_full_disk_links_to_the_disk_use(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([download_of("a", state=DownloadState.WAITING_FOR_SPACE)])
    steps = row_of(page, "a").recovery
    assert not steps.retry.isVisible()
    click(steps.free_space)
    assert calls[-1] == ("show_disk_use",)
    view.set_downloads([download_of("a")])
    assert not steps.isVisible()


def test_one_button_pauses_or_resumes_all(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([download_of("a"), download_of("b", state=DownloadState.PAUSED)])
    click(page.pause_all_button)
    assert calls[-1] == ("pause_all",)
    view.set_downloads([download_of(name, state=DownloadState.PAUSED) for name in "ab"])
    assert page.pause_all_button.accessibleName() == "Resume all"
    click(page.pause_all_button)
    assert calls[-1] == ("resume_all",)


def test_one_download_needs_no_button_for_all(view: DownloadsView, page: DownloadsPage) -> None:
    view.set_initial([download_of("a")])
    assert not page.pause_all_button.isVisible()


def test_the_summary_follows_the_queue(view: DownloadsView, page: DownloadsPage) -> None:
    view.set_initial([download_of("a", size_bytes=4_000_000_000, n_bytes=0)])
    view.set_progress(download_of("a", n_bytes=900_000_000, bytes_per_s=14e6))
    assert page.summary == "1 active, 14 MB/s, 3.1 GB left"


# Finished


def test_a_finished_download_offers_the_chat_once_the_library_has_it(
    view: DownloadsView, models: ModelsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    done = download_of("a", state=DownloadState.DONE)
    view.set_initial([done])
    row = row_of(page, "a")
    assert not row.chat.isVisible()
    models.set_entries([entry_for(done)])
    click(row.chat)
    assert calls[-1] == ("use_model", "arrived")
    click(row.show_file)
    assert calls[-1] == ("reveal", "/library/arrived.gguf")


def test_a_model_that_cannot_chat_is_not_offered_for_it(
    view: DownloadsView, models: ModelsView, page: DownloadsPage
) -> None:
    done = download_of("a", state=DownloadState.DONE)
    models.set_entries([entry_for(done, purpose=Purpose.EMBED)])
    view.set_initial([done])
    assert not row_of(page, "a").chat.isVisible()
    assert row_of(page, "a").show_file.isVisible()


def test_a_model_removed_from_the_library_offers_no_chat(
    view: DownloadsView, models: ModelsView, page: DownloadsPage
) -> None:
    done = download_of("a", state=DownloadState.DONE)
    models.set_entries([entry_for(done)])
    view.set_initial([done])
    models.set_entries([entry_for(download_of("other"))])
    assert not row_of(page, "a").chat.isVisible()
    assert not row_of(page, "a").show_file.isVisible()
    assert "Removed" in row_of(page, "a").facts.text()
    models.set_entries([entry_for(done)])
    assert "Ready" in row_of(page, "a").facts.text()


def test_an_unusable_file_is_not_ready(view: DownloadsView, models: ModelsView, page: DownloadsPage) -> None:
    done = download_of("a", state=DownloadState.DONE)
    view.set_initial([done])
    problem = "It is cut short."
    models.set_entries([broken_entry(path=f"/library/{done.files[0].name}", problem=problem)])
    row = row_of(page, "a")
    assert "Unusable" in row.facts.text()
    assert row.problem.text() == problem
    assert not row.chat.isVisible()


def test_a_model_without_an_origin_is_found_by_its_path(
    view: DownloadsView, models: ModelsView, page: DownloadsPage
) -> None:
    done = download_of("a", state=DownloadState.DONE)
    spec = msgspec.structs.replace(starter_spec(), path=f"/library/{done.files[0].name}")
    models.set_entries([entry_of(spec)])
    view.set_initial([done])
    assert row_of(page, "a").chat.isVisible()


def test_the_finished_ones_are_cleared(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([download_of("a", state=DownloadState.DONE)])
    click(page.queue.clear)
    assert calls[-1] == ("clear",)


# Order


@pytest.mark.parametrize(("key", "place"), [(Qt.Key.Key_Up, 0), (Qt.Key.Key_Down, 2)])
def test_alt_and_an_arrow_move_the_focused_row(
    qtbot: QtBot,
    view: DownloadsView,
    page: DownloadsPage,
    calls: list[tuple[object, ...]],
    window: QMainWindow,
    key: Qt.Key,
    place: int,
) -> None:
    three(view)
    # The window has the same keys for stepping through the chats.
    stepped: list[bool] = []
    for keys in ("Alt+Up", "Alt+Down"):
        action = QAction(window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: stepped.append(True))
        window.addAction(action)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    row = row_of(page, "b")
    for part in (row.drag_handle, row.pause_button, row.cancel):
        part.setFocus()
        QTest.keyClick(part, key, Qt.KeyboardModifier.AltModifier)
        assert calls[-1] == ("move", "b", place)
    assert not stepped


def test_a_single_row_cannot_be_moved(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([download_of("a"), download_of("b", state=DownloadState.DONE)])
    row = row_of(page, "a")
    assert not row.drag_handle.isVisible()
    before = list(calls)
    QTest.keyClick(row.pause_button, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert calls == before


def test_the_menu_of_the_handle_moves_to_the_ends(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    three(view)
    menu = row_of(page, "c").drag_handle.open_menu()
    top = next(action for action in menu.actions() if action.text() == "Move to the top")
    top.trigger()
    menu.close()
    assert calls[-1] == ("move", "c", 0)


def drag(page: DownloadsPage, row: DownloadRow, *, to: int) -> Callable[[], None]:
    """Drag ``row`` to a height of the queue, and return a function that drops it."""
    grip = row.drag_handle
    QTest.mousePress(grip, LEFT, pos=grip.rect().center())
    at = grip.mapFromGlobal(page.queue.mapToGlobal(QPoint(10, to)))
    QTest.mouseMove(grip, grip.rect().center() + QPoint(0, 40))
    QTest.mouseMove(grip, at)
    return lambda: QTest.mouseRelease(grip, LEFT, pos=at)


def test_a_row_is_dragged_below_another(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    three(view)
    below_b = row_of(page, "b").geometry().center().y() + 8
    drop = drag(page, row_of(page, "a"), to=below_b)
    assert page.queue._drop_marker.isVisible()
    drop()
    assert calls[-1] == ("move", "a", 1)
    assert not page.queue._drop_marker.isVisible()


def test_a_row_is_dragged_to_the_end_but_not_among_the_finished(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    view.set_initial([*(download_of(name) for name in "abc"), download_of("d", state=DownloadState.DONE)])
    drop = drag(page, row_of(page, "a"), to=5000)
    drop()
    assert calls[-1] == ("move", "a", 2)


def test_escape_cancels_a_drag(
    view: DownloadsView, page: DownloadsPage, calls: list[tuple[object, ...]]
) -> None:
    three(view)
    row = row_of(page, "a")
    drop = drag(page, row, to=5000)
    before = list(calls)
    QTest.keyClick(row.drag_handle, Qt.Key.Key_Escape)
    assert not page.queue._drop_marker.isVisible()
    drop()
    assert calls == before


def test_a_click_on_the_handle_opens_its_menu(qtbot: QtBot, view: DownloadsView, page: DownloadsPage) -> None:
    three(view)
    grip = row_of(page, "a").drag_handle
    with qtbot.assertNotEmitted(grip.dropped):
        click(grip)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()


def test_tab_follows_the_rows_from_top_to_bottom(
    qtbot: QtBot, view: DownloadsView, page: DownloadsPage, window: QMainWindow
) -> None:
    three(view)
    by_id: dict[str, Download] = {download.id: download for download in view.downloads}
    view.set_downloads([by_id[name] for name in ("b", "c", "a")])
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    first = row_of(page, "b").drag_handle
    first.setFocus(Qt.FocusReason.TabFocusReason)
    visited = []
    for _ in range(9):
        focused = QApplication.focusWidget()
        row = next(
            (row for row in page.queue.rows if focused is not None and row.isAncestorOf(focused)), None
        )
        visited.append((row.download.id if row else "", type(focused).__name__))
        window.focusNextChild()
    assert [place for place, _ in visited] == ["b"] * 3 + ["c"] * 3 + ["a"] * 3


# Looks


@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_no_row_is_wider_than_a_narrow_page(
    qtbot: QtBot,
    view: DownloadsView,
    page: DownloadsPage,
    window: QMainWindow,
    theme: Theme,
    choice: ThemeChoice,
) -> None:
    theme.set_choice(choice)
    gated = HubGated(repo="ada/" + "x" * 60, page="https://hub.example/" + "x" * 90, with_token=False).info()
    view.set_initial(
        [
            download_of("a", title="owner/" + "very-long-name-" * 12 + ":UD-Q4_K_XL", bytes_per_s=1e6),
            download_of("b", state=DownloadState.FAILED, error=gated),
            download_of("c", state=DownloadState.DONE),
        ]
    )
    window.resize(424, 900)
    qtbot.waitUntil(lambda: window.width() <= 424)
    assert window.width() == 424
    for row in page.queue.rows:
        assert row.width() <= page.width()


def test_the_bar_has_the_colour_of_the_state(view: DownloadsView, page: DownloadsPage) -> None:
    view.set_initial([download_of("a", size_bytes=100, n_bytes=20)])
    bar: QProgressBar = row_of(page, "a").bar
    early = bar.grab().toImage()
    view.set_progress(download_of("a", size_bytes=100, n_bytes=90))
    late = bar.grab().toImage()
    middle = QPoint(bar.width() // 2, bar.height() // 2)
    assert early.pixelColor(middle) != late.pixelColor(middle)
    view.set_downloads([download_of("a", size_bytes=100, n_bytes=90, state=DownloadState.FAILED)])
    assert bar.grab().toImage().pixelColor(middle) != late.pixelColor(middle)
