"""Every page begins below its title and ends at the same distance from the edge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget

from fakes.client import AppClient, settled
from fireside.ui.page import PAGES, Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.widgets.centred import PAGE_SIDE

_MAY_ROUND_PX = 2


def edges(page: QWidget) -> Iterator[tuple[int, int]]:
    """Yield how far each thing that is seen on a page is from its left and from its right edge."""
    for kind in (QLabel, QAbstractButton, QLineEdit):
        for widget in page.findChildren(kind):
            if widget.isVisible() and not widget.visibleRegion().isEmpty():
                left = widget.mapTo(page, QPoint(0, 0)).x()
                yield left, page.width() - left - widget.width()


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_pages_keep_the_same_distance_from_both_edges(
    client: AppClient, window: MainWindow, direction: Qt.LayoutDirection
) -> None:
    window.setLayoutDirection(direction)
    client.result(client.collections.create(name="House"))
    window.resize(1000, 700)
    near = pytest.approx(PAGE_SIDE, abs=_MAY_ROUND_PX)
    for page in (Page.MODELS, Page.DOCUMENTS, Page.DISCOVER, Page.HARDWARE, Page.SETTINGS):
        window.show_page(page)
        settled()
        shown = window.navigation.stack.currentWidget()
        assert shown is not None
        left, right = (min(distances) for distances in zip(*edges(shown), strict=True))
        assert page is Page.SETTINGS or (left, right) == (near, near), page  # its sections stand beside it
        if direction is Qt.LayoutDirection.LeftToRight:
            assert right == near, page
            heading = window.header.crumb if PAGES[page].parent else window.header.title
            title = heading.mapToGlobal(QPoint(0, 0))
            assert shown.mapFromGlobal(title).x() == near, page
