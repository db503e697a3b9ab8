"""The base of every sheet: a card in its window, over the rest of it, which waits dimmed until it closes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRect, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QFrame,
    QLabel,
    QLayout,
    QPushButton,
    QWidget,
)

from fireside.core.i18n import tr
from fireside.ui.kit.layout import Part, Placed, boxed, column, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX, PageScroll
from fireside.ui.widgets.text import WrappedLabel

_MAX_PX: Final = 800
"""Height of a card that fills the window, however high the window is, at the normal text size."""
_LEAST_PX: Final = 400
"""Height of a window that shows a sheet: the one for a quick question can be as low as its field."""
_LEAST_CONTENT_PX: Final = 40
"""Qt's own least height of a scroll area is twice that, more than a question of one line takes."""
_DIM: Final = 90
_DIM_IN_THE_DARK: Final = 130
"""Opacity of the black over the rest of the window, of 255."""


class SheetSize(Enum):
    """Width of a sheet in pixels at the normal text size."""

    SMALL = 440
    """Confirmations, and a single field."""
    MEDIUM = 580
    """Forms."""
    LARGE = 880
    """Lists, tables and long texts."""
    FULL = 100_000
    """All of the window."""


class Sheet(QDialog):
    """Heading, explanation, parts, a status line and buttons.

    Open it with ``open()``; it is deleted when it closes. Until then nothing else of the window can be used,
    by mouse or keys; afterwards what had the focus has it again. Escape closes it, Enter presses the button
    made with ``is_default``, if there is one, and a click beside the card closes what only shows something.
    A subclass makes its parts and calls ``set_content`` once.
    """

    def __init__(
        self, title: str, *, parent: QWidget, size: SheetSize = SheetSize.MEDIUM, fills: bool = False
    ) -> None:
        """Belong to the window of ``parent``, and close with the sheet that ``parent`` is in, if any.

        The card is as high as its content, or with ``fills`` as high as the window allows: for what scrolls
        by itself. What does not fit in the window can be scrolled to.
        """
        window = parent.window()
        focused = window.focusWidget()
        # Tab stays within a sub-window, which is a part of its window.
        super().__init__(window, Qt.WindowType.SubWindow)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._window = window
        self._size = size
        self._fills = fills or size is SheetSize.FULL
        self._focus_before = focused
        self._loses_nothing = False
        self.hide()  # else it would appear with a window that is not visible yet
        self._parts: tuple[QWidget, ...] = ()
        self.card = QFrame(self)
        self.card.setObjectName("sheet")
        self.card.installEventFilter(self)
        self.page = PageScroll(parent=self.card)
        """Holds all between heading and status line."""
        self.page.setMinimumHeight(_LEAST_CONTENT_PX)
        self.status = WrappedLabel(parent=self.card)
        self.status.hide()
        window.installEventFilter(self)
        if (below := _sheet_around(parent)) is not None:
            below.finished.connect(self.reject)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    def set_content(
        self,
        *parts: Part,
        buttons: Sequence[QWidget | Placed],
        heading: str | QWidget = "",
        about: str = "",
        above: QWidget | None = None,
        scrolls_inside: bool = False,
        spacing: int = SPACE_M,
    ) -> None:
        """Lay the sheet out, from the top: ``heading`` (else the window's title), ``about``, ``parts``, the
        status line and ``buttons``: at the right, those before ``stretch()`` at the left, wrapped where the
        sheet is too narrow. ``above``, as the search of a list, is not scrolled. With ``scrolls_inside`` the
        bar of a ``PageScroll`` at the end of the parts has its place in the margin, too."""
        if isinstance(heading, str):
            heading = WrappedLabel(heading or self.windowTitle(), role="title")
        if isinstance(heading, QLabel):
            self.setAccessibleName(heading.text())
        stretch_indexes = [index for index, part in enumerate(buttons) if isinstance(part, Placed)]
        widgets = [part for part in buttons if isinstance(part, QWidget)]
        foot, _ = flow_row(*widgets, spacing=SPACE_S, n_at_start=stretch_indexes[0] if stretch_indexes else 0)
        # The scroll bar has its place beside the content, whose edges are those of heading and buttons.
        beside = SPACE_XL - SCROLL_BAR_PX * (2 if scrolls_inside else 1)
        sides = (beside, SPACE_XL) if self.isRightToLeft() else (SPACE_XL, beside)
        explanation = WrappedLabel(about, role="mute") if about else None
        fixed, scrolled = ([], [explanation]) if above is None else ([explanation, above], [])
        head = boxed(column(heading, *fixed, spacing=SPACE_M, margins=(SPACE_XL, 0)))
        margins = (sides[0], 0, sides[1], 0)
        content = boxed(column(*scrolled, *parts, stretch(), spacing=spacing, margins=margins))
        content.installEventFilter(self)
        self.page.setWidget(content)
        end = boxed(column(self.status, foot, spacing=SPACE_M, margins=(SPACE_XL, SPACE_M, SPACE_XL, 0)))
        self._parts = (head, self.page, end)
        column(head, stretch(self.page), end, spacing=SPACE_M, margins=(0, SPACE_XL), on=self.card)
        for view in content.findChildren(QAbstractItemView):
            view.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        for button in widgets:
            if isinstance(button, QPushButton) and button.isDefault():
                # Set again now that the button has a dialog: otherwise Qt makes the first button the default.
                button.setDefault(False)
                button.setDefault(True)

    def make_button(
        self,
        label: str,
        on_click: Callable[[], object],
        *,
        kind: str = "",
        icon: str = "",
        is_default: bool = False,
    ) -> Button:
        """Make a button of this sheet; Enter presses the one with ``is_default``."""
        button = Button(label, kind=kind, icon=icon, on_click=on_click)
        button.setAutoDefault(is_default)
        button.setDefault(is_default)
        return button

    def make_cancel(self) -> Button:
        return self.make_button(tr("Cancel"), self.reject)

    def make_close(self, *, is_default: bool = False) -> Button:
        """Make the button of a sheet that loses nothing when it closes."""
        self._loses_nothing = True
        return self.make_button(tr("Close"), self.accept, is_default=is_default)

    def show_status(self, text: str, *, role: str = "error") -> None:
        """Show a status, by default an error; an empty text hides the line."""
        self.status.set_role(role)
        self.status.show_text(text)

    def open(self) -> None:
        """Show the sheet over everything else in its window."""
        self.show()

    # Place

    @property
    def card_width(self) -> int:
        """The width of the card in the window as it is now."""
        return min(theme().scaled(self._size.value), self._window.width() - 2 * SPACE_L)

    def _place(self, *, anew: bool) -> None:
        """Give the card its place: in the middle when ``anew``; otherwise it only grows, and stays where it
        is as far as possible, so that nothing moves away from under the pointer."""
        if self._window.height() < _LEAST_PX:
            self._window.resize(self._window.width(), _LEAST_PX)
        self.setGeometry(self._window.rect())
        width, room = self.card_width, self.height() - 2 * SPACE_L
        height = min(room, theme().scaled(_MAX_PX)) if self._fills else self._content_height(width)
        if self._size is SheetSize.FULL:
            height = room
        if not anew:
            height = max(height, self.card.height())
        height = min(height, room)
        top = (self.height() - height) // 2
        if not anew:
            top = min(self.card.y(), self.height() - SPACE_L - height)
        self.card.setGeometry(QRect((self.width() - width) // 2, top, width, height))

    def _content_height(self, width: int) -> int:
        """Return the height of the card in which nothing needs to be scrolled."""
        layout = self.card.layout()
        if layout is None:
            return self.card.sizeHint().height()
        frame = self.card.height() - self.card.contentsRect().height()
        width -= frame
        margins = layout.contentsMargins()
        height = frame + margins.top() + margins.bottom() + layout.spacing() * (layout.count() - 1)
        for part in self._parts:
            content = self.page.widget() if part is self.page else part
            inner = None if content is None else content.layout()
            if inner is not None:
                needed = _layout_height(inner, width - SCROLL_BAR_PX if part is self.page else width)
                height += max(needed, part.minimumHeight())
        return height

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.isHidden():
            if watched is self._window and event.type() is QEvent.Type.Resize:
                self._place(anew=True)
            elif watched is not self._window and event.type() is QEvent.Type.LayoutRequest:
                self._place(anew=False)
        return super().eventFilter(watched, event)

    # Over the window

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if event.spontaneous():
            return
        self._place(anew=True)
        self.raise_()
        self._hold_commands()
        self._take_focus()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not self.isHidden() or not shiboken6.isValid(self._window):
            return  # it went with its window
        self._hold_commands()
        before, focused = self._focus_before, self._window.focusWidget()
        is_lost = focused is None or focused is self or self.isAncestorOf(focused)
        if is_lost and before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.ActiveWindowFocusReason)

    def _hold_commands(self) -> None:
        """Turn the commands of the window off while it has a sheet: a menu bar is not always within it."""
        is_free = not open_sheets(self._window)
        for action in self._window.actions():
            action.setEnabled(is_free)

    def _take_focus(self) -> None:
        widget = self.focusWidget()
        if widget is None or widget is self or not widget.isVisible():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.focusNextPrevChild(True)
            widget = self.focusWidget()
            if isinstance(widget, QPushButton):  # rather the button that Enter presses
                defaults = (button for button in self.findChildren(QPushButton) if button.isDefault())
                next(defaults, widget).setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _is_in_front(self) -> bool:
        return (
            not self.isHidden() and shiboken6.isValid(self._window) and open_sheets(self._window)[-1] is self
        )

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, previous: QWidget | None, current: QWidget | None) -> None:
        """Keep the focus within; what asks for it meanwhile gets it when the sheet closes. Where nothing had
        it, as after a dialog for files whose sheet was disabled meanwhile, nothing asks: Qt gives it away."""
        if not self._is_in_front():
            return
        if current is None:
            if self._window.isActiveWindow() and QApplication.activePopupWidget() is None:
                self.setFocus(Qt.FocusReason.OtherFocusReason)
        elif current.window() is self._window and current is not self and not self.isAncestorOf(current):
            if previous is not None:
                self._focus_before = current
            self._take_focus()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002  # Qt's own name
        if self.isHidden() and (window := self.parentWidget()) is not None:
            return window.focusNextPrevChild(next)
        return super().focusNextPrevChild(next)

    def event(self, event: QEvent) -> bool:
        """Let no key reach the shortcuts of the window."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        if self._loses_nothing and not self.card.geometry().contains(event.position().toPoint()):
            self.reject()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take the drag and nothing of it: otherwise it would go to the window."""
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        is_dark = theme().colour("bg").lightness() < theme().colour("text").lightness()
        painter.fillRect(event.rect(), QColor(0, 0, 0, _DIM_IN_THE_DARK if is_dark else _DIM))
        painter.end()


def open_sheets(window: QWidget) -> list[Sheet]:
    """Return the open sheets of a window, the one in front last."""
    return [child for child in window.children() if isinstance(child, Sheet) and not child.isHidden()]


def _sheet_around(widget: QWidget | None) -> Sheet | None:
    while widget is not None and not isinstance(widget, Sheet):
        widget = widget.parentWidget()
    return widget


def _layout_height(layout: QLayout, width: int) -> int:
    return (
        layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()
    )
