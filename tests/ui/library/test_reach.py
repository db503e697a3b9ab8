"""Every control of the library has a name, and the keyboard reaches it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget

from fakes.client import AppClient, settled
from fakes.library_files import LibraryFiles
from fakes.library_models import newer_qwen
from fireside.core.hub import CheckEnded, VerifyOutcome, VerifyResult
from fireside.ui.library.detail.detail_page import Tab
from fireside.ui.library.library_controller import RemovalSheet
from fireside.ui.library.library_page import LibraryPage
from fireside.ui.library.toolbar import ListLayout

PLACES = ("table", "cards", "overview", "template", "metadata", "tensors", "disk", "moving", "sheet")


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, files: LibraryFiles) -> AppClient:
    return AppClient(models=files.library)


@pytest.fixture(params=PLACES)
def place(
    request: pytest.FixtureRequest, page: LibraryPage, client: AppClient, files: LibraryFiles
) -> QWidget:
    """Each part of the library, with everything on it that can be there."""
    page.check_results.set_updates([msgspec.structs.replace(newer_qwen(), path=files.qwen)])
    damage = VerifyResult(path=files.qwen, outcome=VerifyOutcome.DAMAGED, n_blocks=4, bad_blocks=(1,))
    client.publish(CheckEnded(path=files.qwen, results=(damage,)))
    where = request.param
    if where in ("table", "cards"):
        page.list.show_view(ListLayout(where))
    elif where in ("disk", "moving"):
        page.show_disk_use()
        if where == "moving":
            page.disk.move_panel.confirm("/big")
    elif where == "sheet":
        page.controller.confirm_removal(files.qwen)
        settled()
        return page.window().findChildren(RemovalSheet)[0]
    else:
        page.show_model(files.qwen)
        settled()
        page.detail.show_tab(Tab(where))
    return page


def focusable(root: QWidget) -> Iterator[QWidget]:
    for widget in root.findChildren(QWidget):
        is_inner = widget.objectName().startswith("qt_") or widget.focusProxy() is not None
        if widget.focusPolicy() is not Qt.FocusPolicy.NoFocus and not is_inner and widget.isVisible():
            yield widget


def name_of(widget: QWidget) -> str:
    if isinstance(widget, QComboBox):
        # Qt would name it by what is chosen, which does not say of what.
        return widget.accessibleName()
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""


def unreached_by_tab(place: QWidget) -> set[str]:
    """Walk round with Tab, and return what it did not come to."""
    start = next(focusable(place))
    start.setFocus(Qt.FocusReason.TabFocusReason)
    visited: set[QWidget] = set()
    for _ in range(200):
        focused = place.window().focusWidget()
        assert focused is not None
        if focused in visited:
            break
        visited.add(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    else:
        pytest.fail("Tab never came round")
    expected = {part for part in focusable(place) if part.focusPolicy() & Qt.FocusPolicy.TabFocus}
    return {name_of(part) for part in expected - visited if not isinstance(part, QAbstractButton)}


def test_every_part_has_a_name_and_a_way_to_it(place: QWidget) -> None:
    parts = list(focusable(place))
    assert len(parts) >= 2
    assert [f"{type(part).__name__} {part.objectName()}" for part in parts if not name_of(part).strip()] == []
    mouse_only = [
        name_of(button)
        for button in place.findChildren(QAbstractButton)
        if button.isVisible()
        and button.focusPolicy() is Qt.FocusPolicy.NoFocus
        and not isinstance(button.parentWidget(), QLineEdit)
        and button.group() is None
    ]
    assert mouse_only == []
    reads_markup = [
        label.text()
        for label in place.findChildren(QLabel)
        if label.text() and label.textFormat() is not Qt.TextFormat.PlainText
    ]
    assert reads_markup == []
    assert unreached_by_tab(place) == set()
