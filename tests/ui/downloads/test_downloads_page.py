"""The downloads page as a user works it: rows, buttons, keys, dragging."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from fakes.downloads import download_of
from fakes.model_entries import broken_entry
from fakes.pointer import click
from fakes.widgets import child
from fireside.core.errors import DownloadError, HubGated, HubNotFound, HubOffline
from fireside.core.hub import Download, DownloadState
from fireside.core.options import Purpose
from fireside.ui.chat.answer.links import LinkDialog
from fireside.ui.downloads.download_row import DownloadRow
from fireside.ui.page import Page
from fireside.ui.theme import Theme, ThemeChoice
from ui.downloads.conftest import Harness

LEFT = Qt.MouseButton.LeftButton


def ids(harness: Harness) -> list[str]:
    return [row.download.id for row in harness.page.queue.rows]


def three(harness: Harness) -> None:
    harness.view.set_initial([download_of(name, state=DownloadState.QUEUED) for name in "abc"])


# What is there


def test_an_empty_queue_links_to_the_discover_page(harness: Harness) -> None:
    assert harness.page.empty.isVisible()
    click(harness.page.empty_discover)
    assert harness.asked[-1] == ("show_page", Page.DISCOVER)


def test_rows_are_in_queue_order_with_finished_ones_below(harness: Harness) -> None:
    done = download_of("b", state=DownloadState.DONE)
    harness.view.set_initial([download_of("a"), done, download_of("c")])
    assert not harness.page.empty.isVisible()
    assert ids(harness) == ["a", "c", "b"]
    assert harness.page.queue.clear.isVisible()


def test_the_row_of_a_removed_download_is_removed(harness: Harness) -> None:
    three(harness)
    harness.view.set_downloads([download_of("c", state=DownloadState.QUEUED)])
    assert ids(harness) == ["c"]
    assert not harness.page.queue.clear.isVisible()


@pytest.mark.parametrize("state", DownloadState)
def test_each_state_offers_its_actions(harness: Harness, state: DownloadState) -> None:
    error = DownloadError.of("download_damaged", name="x").info() if state is DownloadState.FAILED else None
    harness.view.set_initial([download_of("a", state=state, error=error)])
    row = harness.row("a")
    ended = state in (DownloadState.FAILED, DownloadState.DONE)
    assert row.pause_button.isVisible() is not ended
    can_retry = state in (DownloadState.FAILED, DownloadState.WAITING_FOR_NETWORK)
    assert row.recovery.retry.isVisible() is can_retry
    assert row.bar.isVisible() is (state is not DownloadState.DONE)
    assert row.cancel.isVisible()


def test_the_bar_has_an_accessible_name_and_value(harness: Harness) -> None:
    harness.view.set_initial([download_of("a", size_bytes=4_000, n_bytes=1_000)])
    interface = QAccessible.queryAccessibleInterface(harness.row("a").bar)
    assert interface is not None
    assert interface.role() is QAccessible.Role.ProgressBar
    assert interface.text(QAccessible.Text.Name) == "Download of a"
    bar = harness.row("a").bar
    assert bar.value() / bar.maximum() == 0.25


def test_a_bar_is_full_only_with_the_last_byte(harness: Harness) -> None:
    harness.view.set_initial([download_of("a", size_bytes=10_000_000, n_bytes=9_999_999)])
    bar = harness.row("a").bar
    assert bar.value() < bar.maximum()


def test_a_row_has_its_state_as_accessible_text(harness: Harness) -> None:
    harness.view.set_initial([download_of("a", state=DownloadState.WAITING_FOR_NETWORK, note="No network.")])
    row = harness.row("a")
    assert row.accessibleName() == "a Q4_K_M"
    assert row.accessibleDescription() == ("Waiting for network. No network. Resumes automatically.")


def test_a_hostile_name_is_shown_as_text(harness: Harness) -> None:
    harness.view.set_initial([download_of("a", title="x/<img src=x>&y\u202e:Q4")])
    row = harness.row("a")
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


def test_progress_updates_only_its_row(harness: Harness, qapp: QApplication) -> None:
    harness.view.set_initial([download_of("a"), download_of("b")])
    qapp.processEvents()
    row = harness.row("b")
    count = PaintCount()
    for watched in (row, row.bar, row.facts, row.title):
        watched.installEventFilter(count)
    for step in range(20):
        harness.view.set_progress(download_of("a", n_bytes=1_000_000_000 + step * 1_000_000, bytes_per_s=1e6))
        qapp.processEvents()
    assert not count.kinds


def test_an_unchanged_download_repaints_nothing(harness: Harness, qapp: QApplication) -> None:
    harness.view.set_initial([download_of("a", bytes_per_s=1e6), download_of("b")])
    qapp.processEvents()
    row = harness.row("a")
    count = PaintCount()
    for watched in (row, row.bar, row.facts, row.title, row.problem):
        watched.installEventFilter(count)
    for extra in range(10):
        harness.view.set_progress(download_of("a", n_bytes=1_000_000_000 + extra, bytes_per_s=1e6))
        harness.view.set_downloads(harness.view.downloads)
        qapp.processEvents()
    assert not count.kinds


def test_rows_are_reused_so_that_they_keep_the_focus(qtbot: QtBot, harness: Harness) -> None:
    three(harness)
    harness.window.activateWindow()
    qtbot.waitUntil(harness.window.isActiveWindow)
    row = harness.row("c")
    row.pause_button.setFocus()
    by_id: dict[str, Download] = {download.id: download for download in harness.view.downloads}
    harness.view.set_downloads([by_id[name] for name in ("c", "a", "b")])
    assert ids(harness) == ["c", "a", "b"]
    assert harness.row("c") is row
    assert row.pause_button.hasFocus()


# Buttons


def test_pause_and_resume_are_one_button_that_keeps_the_focus(qtbot: QtBot, harness: Harness) -> None:
    harness.fill(download_of("a"))
    harness.window.activateWindow()
    qtbot.waitUntil(harness.window.isActiveWindow)
    row = harness.row("a")
    row.pause_button.setFocus()
    QTest.keyClick(row.pause_button, Qt.Key.Key_Space)
    assert harness.requested()[-1] == ("downloads.pause", "a")
    assert harness.states() == {"a": DownloadState.PAUSED}
    assert row.pause_button.hasFocus()
    assert row.pause_button.accessibleName() == "Resume a"
    QTest.keyClick(row.pause_button, Qt.Key.Key_Space)
    assert harness.requested()[-1] == ("downloads.resume", "a")
    assert harness.states() == {"a": DownloadState.RUNNING}


def test_a_large_partial_download_is_discarded_only_after_confirmation(harness: Harness) -> None:
    harness.view.set_initial([download_of("a", n_bytes=3_100_000_000)])
    row = harness.row("a")
    click(row.cancel)
    assert harness.requested() == []
    assert row._question_text.text() == "Discard the 3.1 GB downloaded so far?"
    click(row.confirm)
    assert harness.requested()[-1] == ("downloads.cancel", "a")


def test_the_confirmation_is_closed_by_escape_or_keep(harness: Harness) -> None:
    harness.view.set_initial([download_of("a")])
    row = harness.row("a")
    ways: tuple[Callable[[], None], ...] = (
        lambda: click(row.keep_button),
        lambda: QTest.keyClick(row.keep_button, Qt.Key.Key_Escape),
    )
    for leave in ways:
        click(row.cancel)
        assert row.keep_button.isVisible()
        leave()
        assert not row.keep_button.isVisible()
    assert harness.requested() == []


def test_the_confirmation_is_closed_when_the_download_finishes(harness: Harness) -> None:
    harness.view.set_initial([download_of("a")])
    harness.row("a").confirm_cancel()
    harness.view.set_downloads([download_of("a", state=DownloadState.DONE)])
    assert not harness.row("a").confirm.isVisible()


def test_a_gated_model_offers_licence_settings_and_retry(harness: Harness) -> None:
    address = "https://hub.example/ada/a"
    error = HubGated(repo="ada/a", page=address, with_token=False)
    harness.view.set_initial([download_of("a", state=DownloadState.FAILED, error=error.info())])
    row = harness.row("a")
    assert row.problem.text() == error.sentence()
    click(row.recovery.page)
    dialog = child(harness.window, LinkDialog)
    assert harness.urls == [], "before it is confirmed"
    click(next(button for button in dialog.findChildren(QPushButton) if button.text() == "Open"))
    assert harness.urls == [address]
    click(row.recovery.settings)
    assert harness.asked[-1] == ("show_setting", "hub.token")
    click(row.recovery.retry)
    assert harness.requested()[-1] == ("downloads.resume", "a")


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "", "data:text/html,x"])
def test_an_address_that_is_no_web_page_is_not_offered(harness: Harness, address: str) -> None:
    error = HubGated(repo="ada/a", page=address, with_token=True)
    harness.view.set_initial([download_of("a", state=DownloadState.FAILED, error=error.info())])
    assert not harness.row("a").recovery.page.isVisible()


@pytest.mark.parametrize(
    ("error", "setting"),
    [(HubOffline(), "hub.offline"), (HubNotFound(what="ada/a"), "hub.token")],
)
def test_a_failure_links_to_the_setting_that_helps(
    harness: Harness, error: HubOffline | HubNotFound, setting: str
) -> None:
    harness.view.set_initial([download_of("a", state=DownloadState.FAILED, error=error.info())])
    click(harness.row("a").recovery.settings)
    assert harness.asked[-1] == ("show_setting", setting)


def test_a_failure_without_a_helpful_setting_links_to_none(harness: Harness) -> None:
    error = DownloadError.of("download_damaged", name="x").info()
    harness.view.set_initial([download_of("a", state=DownloadState.FAILED, error=error)])
    steps = harness.row("a").recovery
    assert not steps.settings.isVisible()
    assert not steps.page.isVisible()
    harness.view.set_downloads([download_of("a")])
    assert not steps.isVisible()


def test_a_download_waiting_for_the_network_can_be_retried(harness: Harness) -> None:
    harness.view.set_initial([download_of("a", state=DownloadState.WAITING_FOR_NETWORK)])
    row = harness.row("a")
    assert row.recovery.retry.text().strip() == "Retry now"
    assert row.recovery.retry.accessibleName().startswith("Retry now: ")
    click(row.recovery.retry)
    assert harness.requested()[-1] == ("downloads.resume", "a")


def test_one_download_needs_no_button_for_all(harness: Harness) -> None:
    harness.view.set_initial([download_of("a")])
    assert not harness.page.pause_all_button.isVisible()


def test_the_summary_follows_the_queue(harness: Harness) -> None:
    harness.view.set_initial([download_of("a", size_bytes=4_000_000_000, n_bytes=0)])
    harness.view.set_progress(download_of("a", n_bytes=900_000_000, bytes_per_s=14e6))
    assert harness.page.summary == "1 active, 14 MB/s, 3.1 GB left"


# Finished


def test_a_finished_download_offers_the_chat_once_the_library_has_it(harness: Harness) -> None:
    done = download_of("a", state=DownloadState.DONE)
    harness.view.set_initial([done])
    row = harness.row("a")
    assert not row.chat.isVisible()
    harness.store(done)
    click(row.chat)
    assert harness.asked[-1] == ("use_model", "arrived")
    click(row.show_file)
    assert harness.revealed == ["/library/arrived.gguf"]


def test_a_model_that_cannot_chat_is_not_offered_for_it(harness: Harness) -> None:
    done = download_of("a", state=DownloadState.DONE)
    harness.store(done, purpose=Purpose.EMBED)
    harness.view.set_initial([done])
    assert not harness.row("a").chat.isVisible()
    assert harness.row("a").show_file.isVisible()


def test_a_model_removed_from_the_library_offers_no_chat(harness: Harness) -> None:
    done = download_of("a", state=DownloadState.DONE)
    harness.store(done)
    harness.view.set_initial([done])
    harness.store(download_of("other"))
    assert not harness.row("a").chat.isVisible()
    assert not harness.row("a").show_file.isVisible()
    assert "Removed" in harness.row("a").facts.text()
    harness.store(done)
    assert "Ready" in harness.row("a").facts.text()


def test_an_unusable_file_is_not_ready(harness: Harness) -> None:
    done = download_of("a", state=DownloadState.DONE)
    harness.view.set_initial([done])
    problem = "It is cut short."
    harness.models.set_entries([broken_entry(path=f"/library/{done.files[0].name}", problem=problem)])
    row = harness.row("a")
    assert "Unusable" in row.facts.text()
    assert row.problem.text() == problem
    assert not row.chat.isVisible()


# Order


@pytest.mark.parametrize(("key", "place"), [(Qt.Key.Key_Up, 0), (Qt.Key.Key_Down, 2)])
def test_alt_and_an_arrow_move_the_focused_row(
    qtbot: QtBot, harness: Harness, key: Qt.Key, place: int
) -> None:
    three(harness)
    # The window has the same keys for stepping through the chats.
    stepped: list[bool] = []
    for keys in ("Alt+Up", "Alt+Down"):
        action = QAction(harness.window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: stepped.append(True))
        harness.window.addAction(action)
    harness.window.activateWindow()
    qtbot.waitUntil(harness.window.isActiveWindow)
    row = harness.row("b")
    for part in (row.drag_handle, row.pause_button, row.cancel):
        part.setFocus()
        QTest.keyClick(part, key, Qt.KeyboardModifier.AltModifier)
        assert harness.requested()[-1] == ("downloads.move", "b", place)
    assert not stepped


def test_a_single_row_cannot_be_moved(harness: Harness) -> None:
    harness.view.set_initial([download_of("a"), download_of("b", state=DownloadState.DONE)])
    row = harness.row("a")
    assert not row.drag_handle.isVisible()
    QTest.keyClick(row.pause_button, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert harness.requested() == []


def test_the_menu_of_the_handle_moves_to_the_ends(harness: Harness) -> None:
    three(harness)
    menu = harness.row("c").drag_handle.open_menu()
    top = next(action for action in menu.actions() if action.text() == "Move to the top")
    top.trigger()
    menu.close()
    assert harness.requested()[-1] == ("downloads.move", "c", 0)


def drag(harness: Harness, row: DownloadRow, *, to: int) -> Callable[[], None]:
    """Drag ``row`` to a height of the queue, and return a function that drops it."""
    grip = row.drag_handle
    QTest.mousePress(grip, LEFT, pos=grip.rect().center())
    at = grip.mapFromGlobal(harness.page.queue.mapToGlobal(QPoint(10, to)))
    QTest.mouseMove(grip, grip.rect().center() + QPoint(0, 40))
    QTest.mouseMove(grip, at)
    return lambda: QTest.mouseRelease(grip, LEFT, pos=at)


def test_a_row_is_dragged_below_another(harness: Harness) -> None:
    three(harness)
    below_b = harness.row("b").geometry().center().y() + 8
    drop = drag(harness, harness.row("a"), to=below_b)
    assert harness.page.queue._drop_marker.isVisible()
    drop()
    assert harness.requested()[-1] == ("downloads.move", "a", 1)
    assert not harness.page.queue._drop_marker.isVisible()


def test_a_row_is_dragged_to_the_end_but_not_among_the_finished(harness: Harness) -> None:
    harness.view.set_initial(
        [*(download_of(name) for name in "abc"), download_of("d", state=DownloadState.DONE)]
    )
    drop = drag(harness, harness.row("a"), to=5000)
    drop()
    assert harness.requested()[-1] == ("downloads.move", "a", 2)


def test_escape_cancels_a_drag(harness: Harness) -> None:
    three(harness)
    row = harness.row("a")
    drop = drag(harness, row, to=5000)
    QTest.keyClick(row.drag_handle, Qt.Key.Key_Escape)
    assert not harness.page.queue._drop_marker.isVisible()
    drop()
    assert harness.requested() == []


def test_a_click_on_the_handle_opens_its_menu(qtbot: QtBot, harness: Harness) -> None:
    three(harness)
    grip = harness.row("a").drag_handle
    with qtbot.assertNotEmitted(grip.dropped):
        click(grip)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()


def test_tab_follows_the_rows_from_top_to_bottom(qtbot: QtBot, harness: Harness) -> None:
    three(harness)
    by_id: dict[str, Download] = {download.id: download for download in harness.view.downloads}
    harness.view.set_downloads([by_id[name] for name in ("b", "c", "a")])
    harness.window.activateWindow()
    qtbot.waitUntil(harness.window.isActiveWindow)
    first = harness.row("b").drag_handle
    first.setFocus(Qt.FocusReason.TabFocusReason)
    visited = []
    for _ in range(9):
        focused = QApplication.focusWidget()
        row = next(
            (row for row in harness.page.queue.rows if focused is not None and row.isAncestorOf(focused)),
            None,
        )
        visited.append((row.download.id if row else "", type(focused).__name__))
        harness.window.focusNextChild()
    assert [place for place, _ in visited] == ["b"] * 3 + ["c"] * 3 + ["a"] * 3


# Looks


@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_no_row_is_wider_than_a_narrow_page(
    qtbot: QtBot, harness: Harness, theme: Theme, choice: ThemeChoice
) -> None:
    theme.set_choice(choice)
    gated = HubGated(repo="ada/" + "x" * 60, page="https://hub.example/" + "x" * 90, with_token=False).info()
    harness.view.set_initial(
        [
            download_of("a", title="owner/" + "very-long-name-" * 12 + ":UD-Q4_K_XL", bytes_per_s=1e6),
            download_of("b", state=DownloadState.FAILED, error=gated),
            download_of("c", state=DownloadState.DONE),
        ]
    )
    harness.window.resize(424, 900)
    qtbot.waitUntil(lambda: harness.window.width() <= 424)
    assert harness.window.width() == 424
    for row in harness.page.queue.rows:
        assert row.width() <= harness.page.width()


def test_the_bar_has_the_colour_of_the_state(harness: Harness) -> None:
    harness.view.set_initial([download_of("a", size_bytes=100, n_bytes=20)])
    bar: QProgressBar = harness.row("a").bar
    early = bar.grab().toImage()
    harness.view.set_progress(download_of("a", size_bytes=100, n_bytes=90))
    late = bar.grab().toImage()
    middle = QPoint(bar.width() // 2, bar.height() // 2)
    assert early.pixelColor(middle) != late.pixelColor(middle)
    harness.view.set_downloads([download_of("a", size_bytes=100, n_bytes=90, state=DownloadState.FAILED)])
    assert bar.grab().toImage().pixelColor(middle) != late.pixelColor(middle)
