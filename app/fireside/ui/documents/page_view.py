"""Rendered pages of a PDF file, with the passage highlighted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from fireside.core.collection import DocumentPage, PageBox
from fireside.core.i18n import tr
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.theme import SPACE_S
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.text import Label

ZOOMS: Final = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
"""Zoom levels, as multiples of the view's width."""
_SETTLE_MS: Final = 150
_MARGIN: Final = 2
_ROUND: Final = 4
_MARK: Final = QColor("#ffe08a")
"""The page is white in every theme."""
_MIN_WIDTH: Final = 720
_MAX_ACCESSIBLE_CHARS: Final = 20_000


class _Canvas(QWidget):
    """Paints one page."""

    def __init__(self) -> None:
        super().__init__()
        self._picture = QPixmap()
        self._page: DocumentPage | None = None
        self.zoom = 1.0

    def show_page(self, page: DocumentPage) -> None:
        self._page = page
        self._picture.loadFromData(page.image)
        self.update()

    def size_in(self, width: int) -> QSize:
        """Return the page's size in a view that is ``width`` pixels wide."""
        scaled_width = round(width * self.zoom)
        if self._picture.isNull():
            return QSize(scaled_width, scaled_width)
        return QSize(scaled_width, round(self._picture.height() * scaled_width / self._picture.width()))

    @property
    def highlight(self) -> QRectF | None:
        """The rectangle of the first marked line, of a sentence if any; ``None`` for none on this page."""
        if self._page is None:
            return None
        return next(iter(self._rects(self._page.sentence_boxes or self._page.boxes)), None)

    def _rects(self, boxes: Iterable[PageBox]) -> list[QRectF]:
        width, height = self.width(), self.height()
        return [
            QRectF(
                box.left * width - _MARGIN,
                box.top * height - _MARGIN,
                (box.right - box.left) * width + 2 * _MARGIN,
                (box.bottom - box.top) * height + 2 * _MARGIN,
            )
            for box in boxes
        ]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.SmoothPixmapTransform | QPainter.RenderHint.Antialiasing)
        if not self._picture.isNull():
            painter.drawPixmap(self.rect(), self._picture)
        if self._page is not None:
            marks = QPainterPath()
            marks.setFillRule(Qt.FillRule.WindingFill)  # lines that overlap are not darker there
            for rect in self._rects(self._page.sentence_boxes or self._page.boxes):
                marks.addRoundedRect(rect, _ROUND, _ROUND)
            # As a highlighter on paper: letters stay as dark as they are.
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
            painter.fillPath(marks, _MARK)
        painter.end()


class PageView(QWidget):
    """Shows one page at a time, with controls for paging and zoom. The owner renders the requested pages."""

    page_requested = Signal(int, int)
    """Carries the requested page, from 1, and its width in pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 1
        self.n_pages = 0
        self._scrolls_to_passage = True
        """Whether the next page is scrolled to its passage, rather than to its top."""
        self._canvas = _Canvas()
        self._area = _PageArea(self)
        self._area.setWidget(self._canvas)
        self._area.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._area.resized.connect(self._on_resized)
        self.setFocusProxy(self._area)
        self.back = IconButton("chevron-left", name=tr("Previous page"))
        self.back.clicked.connect(lambda: self.turn(-1))
        self.forward = IconButton("chevron-right", name=tr("Next page"))
        self.forward.clicked.connect(lambda: self.turn(1))
        self.position = Label(role="mute")
        self.smaller = Button("−", kind="quiet", on_click=lambda: self.zoom(-1))
        self.smaller.setAccessibleName(tr("Zoom out"))
        self.larger = Button("+", kind="quiet", on_click=lambda: self.zoom(1))
        self.larger.setAccessibleName(tr("Zoom in"))
        self.percent = Label(role="mute")
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._request_page)
        column(
            row(
                self.back,
                self.position,
                self.forward,
                stretch(),
                self.smaller,
                self.percent,
                self.larger,
                spacing=SPACE_S,
            ),
            stretch(self._area),
            spacing=SPACE_S,
            on=self,
        )
        self._show_position()

    def show_page(self, page: DocumentPage) -> None:
        """Show a page, scrolled to the passage if it is on this page."""
        self.number, self.n_pages = page.number, page.n_pages
        self._canvas.show_page(page)
        self._fit()
        self._area.setAccessibleName(self.position_text)
        self._area.setAccessibleDescription(page.text[:_MAX_ACCESSIBLE_CHARS] or tr("No text on this page"))
        self._show_position()
        if self._scrolls_to_passage:
            self._scrolls_to_passage = False
            highlight = self._canvas.highlight
            self._area.verticalScrollBar().setValue(
                0 if highlight is None else round(highlight.top() - self._area.viewport().height() / 3)
            )

    @property
    def position_text(self) -> str:
        """The text for the current page: ``Page 3 of 12``."""
        return tr("Page {number} of {pages}").format(number=self.number, pages=self.n_pages)

    def go_to(self, number: int) -> None:
        """Request a page, at the width that fits."""
        self.number = number
        self._scrolls_to_passage = True
        self._request_page()

    def turn(self, n_pages: int) -> None:
        """Request the page ``n_pages`` further on; negative goes back."""
        number = max(1, min(self.n_pages, self.number + n_pages))
        if number != self.number:
            self.go_to(number)

    def zoom(self, steps: int) -> None:
        """Zoom in by this many levels; 0 fits the page to the width again."""
        index = ZOOMS.index(self._canvas.zoom) + steps if steps else ZOOMS.index(1.0)
        self._canvas.zoom = ZOOMS[max(0, min(len(ZOOMS) - 1, index))]
        self._fit()
        self._show_position()
        self._settle.start()

    def _show_position(self) -> None:
        self.position.setText(self.position_text if self.n_pages else "")
        self.percent.setText(f"{round(100 * self._canvas.zoom)}%")
        self.back.setEnabled(self.number > 1)
        self.forward.setEnabled(self.number < self.n_pages)
        self.smaller.setEnabled(self._canvas.zoom > ZOOMS[0])
        self.larger.setEnabled(self._canvas.zoom < ZOOMS[-1])

    def _fit(self) -> None:
        self._canvas.resize(self._canvas.size_in(self._area.viewport().width()))

    def _on_resized(self) -> None:
        self._fit()
        if self.n_pages:
            self._settle.start()

    def _request_page(self) -> None:
        # The viewport has no width before its first layout.
        width = max(_MIN_WIDTH, self._area.viewport().width()) * self._canvas.zoom
        self.page_requested.emit(self.number, round(width * self.devicePixelRatioF()))


class _PageArea(QScrollArea):
    """Scrolls within a page, and turns the page at its top and bottom."""

    resized = Signal()

    def __init__(self, view: PageView) -> None:
        super().__init__()
        self._view = view
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn the page with Page Up and Page Down at its ends, and with left and right at full width."""
        bar, key = self.verticalScrollBar(), event.key()
        fits = not self.horizontalScrollBar().maximum()
        if (key == Qt.Key.Key_PageDown and bar.value() == bar.maximum()) or (
            fits and key == Qt.Key.Key_Right
        ):
            self._view.turn(1)
        elif (key == Qt.Key.Key_PageUp and bar.value() == 0) or (fits and key == Qt.Key.Key_Left):
            self._view.turn(-1)
        elif key == Qt.Key.Key_Home:
            bar.setValue(0)
        elif key == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._view.zoom(1)
        elif key == Qt.Key.Key_Minus:
            self._view.zoom(-1)
        elif key == Qt.Key.Key_0:
            self._view.zoom(0)
        else:
            super().keyPressEvent(event)
