"""What an artifact looks like: images, documents and tables as they are, pages and diagrams in a web view."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QStackedWidget, QTableView, QWidget

from fireside.core.artifacts import ArtifactKind, ArtifactText, table_rows
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import Role, text_message
from fireside.markup.svg import SvgRefused
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.kit.layout import boxed, column, stretch
from fireside.ui.kit.list_model import Index
from fireside.ui.preview.web_preview import WebPreview
from fireside.ui.tasks import LatestRequest
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, theme
from fireside.ui.widgets.svg_image import svg_image
from fireside.ui.widgets.text import Label, WrappedLabel, one_line, plain_tooltip
from fireside.ui.window_context import WindowContext

# A table in CSV as rows and columns, drawn as far as it is in sight.

_N_MEASURED: Final = 200
"""Rows from which the widths of the columns follow."""
_MIN_WIDTH: Final = 48
_MAX_WIDTH: Final = 320
"""Pixels of a column at the normal text size, until the user drags it."""
_MAX_SHOWN: Final = 300
"""Characters of a cell that are drawn; its tool tip has all."""
_MAX_COPIED: Final = 1_000_000
"""Cells that are copied at once."""
_NUMBER_MARKS: Final = str.maketrans("", "", ".,-+%€$£ \u00a0\u202f−'")


class _Rows(QAbstractTableModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.head: list[str] = []
        self.rows: list[list[str]] = []
        self.numeric: list[bool] = []

    def set_rows(self, rows: list[list[str]]) -> None:
        self.beginResetModel()
        self.head, self.rows = (rows[0], rows[1:]) if rows else ([], [])
        width = max(map(len, rows), default=0)
        self.head = [*self.head, *[""] * (width - len(self.head))]
        sample = self.rows[:_N_MEASURED]
        self.numeric = [_is_numeric([row[n] for row in sample if n < len(row)]) for n in range(width)]
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.head)

    def text(self, row: int, column: int) -> str:
        cells = self.rows[row]
        return cells[column] if column < len(cells) else ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(self.text(index.row(), index.column())[:_MAX_SHOWN])
            case Qt.ItemDataRole.ToolTipRole:
                text = self.text(index.row(), index.column())
                return plain_tooltip(text[: 10 * _MAX_SHOWN]) if len(text) > _MAX_SHOWN // 10 else None
            case Qt.ItemDataRole.TextAlignmentRole:
                side = (
                    Qt.AlignmentFlag.AlignRight
                    if self.numeric[index.column()]
                    else Qt.AlignmentFlag.AlignLeft
                )
                return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            is_head = orientation == Qt.Orientation.Horizontal
            return one_line(self.head[section][:_MAX_SHOWN]) if is_head else str(section + 1)
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            side = Qt.AlignmentFlag.AlignRight if self.numeric[section] else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None


def _is_numeric(cells: list[str]) -> bool:
    """Return whether what is in a column are numbers."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return bool(filled) and all(cell.translate(_NUMBER_MARKS).isdigit() for cell in filled)


class CsvView(QTableView):
    """Rows and columns; Ctrl+C copies the selected cells. GUI thread only."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("artifactTable")
        self.setAccessibleName(tr("Table"))
        self._rows = _Rows(self)
        self.setModel(self._rows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().setHighlightSections(False)
        # Rows of one height are not measured one by one.
        self.verticalHeader().setSectionResizeMode(self.verticalHeader().ResizeMode.Fixed)
        self.verticalHeader().setHighlightSections(False)
        theme().changed.connect(self._fit)

    @property
    def n_rows(self) -> int:
        """Rows below the head."""
        return self._rows.rowCount()

    @property
    def n_columns(self) -> int:
        return self._rows.columnCount()

    def show_rows(self, rows: list[list[str]]) -> None:
        """Show these rows; the first is the head."""
        self._rows.set_rows(rows)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selected()
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def copy_selected(self) -> None:
        """Copy the selected cells, as programs for tables paste them."""
        selection = self.selectionModel().selection()
        if selection.isEmpty():
            return
        area = selection.first()
        columns = range(area.left(), area.right() + 1)
        rows = range(area.top(), min(area.bottom() + 1, area.top() + _MAX_COPIED // max(1, len(columns))))
        lines = ("\t".join(self._cell(row, column) for column in columns) for row in rows)
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _cell(self, row: int, column: int) -> str:
        return one_line(self._rows.text(row, column))

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + SPACE_M)
        sample = range(min(_N_MEASURED, self.n_rows))
        for n in range(min(self.n_columns, _N_MEASURED)):
            texts = [self._rows.head[n], *(self._rows.text(row, n) for row in sample)]
            widest = max(metrics.horizontalAdvance(one_line(text[:_MAX_SHOWN])) for text in texts) + SPACE_L
            least, most = theme().scaled(_MIN_WIDTH), theme().scaled(_MAX_WIDTH)
            self.setColumnWidth(n, min(max(widest, least), most))


_PAPER: Final = QColor("#ffffff")
_PAGES: Final = frozenset({ArtifactKind.HTML, ArtifactKind.MERMAID, ArtifactKind.VEGA_LITE})
SHOWN_KINDS: Final = frozenset({*_PAGES, ArtifactKind.SVG, ArtifactKind.MARKDOWN, ArtifactKind.CSV})
"""Kinds that have a preview."""
_SETTLE_MS: Final = 120
_MAX_DOCUMENT: Final = 400_000
"""Characters of a document that is laid out; more is told of, and read as source."""


class Preview(QStackedWidget):
    """Shows one artifact at a time. Its parts are made when they are first wanted. GUI thread only."""

    console_error = Signal(str, int)
    """An error of a page, and its line, from 1; 0 where that is unknown."""

    def __init__(self, context: WindowContext, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._picture: _Picture | None = None
        self._document: Transcript | None = None
        self._table: _Table | None = None
        self._web: WebPreview | None = None
        self._problem = WrappedLabel(role="mute")
        self._problem_page = boxed(column(self._problem, stretch(), margins=SPACE_S))
        self.addWidget(self._problem_page)
        self._request = LatestRequest(context.tasks)

    def show_text(self, shown: ArtifactText) -> None:
        """Show a version."""
        self._request.cancel()
        if self._web is not None and shown.kind not in _PAGES:
            self._web.shut_down()
        match shown.kind:
            case kind if kind in _PAGES:
                self._show_page(shown)
            case ArtifactKind.SVG:
                self._show_picture(shown.text)
            case ArtifactKind.MARKDOWN:
                self._show_document(shown.text)
            case ArtifactKind.CSV:
                self._show_table(shown.text)
            case _:
                self._explain("")

    def shut_down(self) -> None:
        """Stop what is being prepared, and let go of what is shown."""
        self._request.cancel()
        if self._web is not None:
            self._web.shut_down()
        self._explain("")

    def open_in_browser(self, shown: ArtifactText) -> None:
        """Open a page, a diagram or a chart in the user's browser."""
        self._show_page(shown).open_in_browser(shown.title)

    def _show_page(self, shown: ArtifactText) -> WebPreview:
        if self._web is None:
            self._web = WebPreview(self._context, parent=self)
            self._web.console_error.connect(self.console_error)
            self.addWidget(self._web)
        self.setCurrentWidget(self._web)
        self._web.show_source(shown.kind, shown.text)
        return self._web

    def _explain(self, text: str) -> None:
        self._problem.show_text(text)
        self.setCurrentWidget(self._problem_page)

    def _show_picture(self, text: str) -> None:
        if self._picture is None:
            self._picture = _Picture(self._context, on_problem=self._explain)
            self.addWidget(self._picture)
        self.setCurrentWidget(self._picture)
        self._picture.show_text(text)

    def _show_document(self, text: str) -> None:
        if self._document is None:
            self._document = Transcript(open_url=self._context.open_url, parent=self)
            self._document.setAccessibleName(tr("Document"))
            self.addWidget(self._document)
        answer = StoredMessage(
            id=MessageId(0),
            conversation_id=ConversationId(0),
            parent_id=None,
            message=text_message(Role.ASSISTANT, text[:_MAX_DOCUMENT]),
            state=MessageState.COMPLETE,
            created_at=0.0,
        )
        self._document.set_messages([answer])
        self._document.entries[0].is_bare = True
        self._document.replace_message(answer)
        self.setCurrentWidget(self._document)

    def _show_table(self, text: str) -> None:
        if self._table is None:
            self._table = _Table()
            self.addWidget(self._table)
        table = self._table
        self.setCurrentWidget(table)
        self._request.run(
            asyncio.to_thread(table_rows, text),
            on_done=table.show_rows,
            on_error=lambda error: self._explain(error.sentence()),
        )


class _Table(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.view = CsvView()
        self.extent = Label(role="small")
        column(stretch(self.view), self.extent, spacing=SPACE_S, on=self)

    def show_rows(self, rows: list[list[str]]) -> None:
        self.view.show_rows(rows)
        n_rows = tr("%n row|%n rows", "", self.view.n_rows)
        n_columns = tr("%n column|%n columns", "", self.view.n_columns)
        self.extent.setText(f"{n_rows} · {n_columns}")


class _Picture(QWidget):
    """A picture as large as there is space, drawn in a thread."""

    def __init__(self, context: WindowContext, *, on_problem: Callable[[str], None]) -> None:
        super().__init__()
        self._request = LatestRequest(context.tasks)
        self._on_problem = on_problem
        self._text = ""
        self._image = QImage()
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._draw)
        self.setAccessibleName(tr("Image"))

    def show_text(self, text: str) -> None:
        self._text = text
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        if self._image.isNull():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        inner = self.rect().adjusted(SPACE_S, SPACE_S, -SPACE_S, -SPACE_S)
        box = QRect(QPoint(), self._image.size().scaled(inner.size(), Qt.AspectRatioMode.KeepAspectRatio))
        box.moveCenter(inner.center())
        # Pictures are drawn for paper: black lines would not be seen on a dark ground.
        painter.fillRect(box, _PAPER)
        painter.drawImage(box, self._image)
        painter.end()

    def _draw(self) -> None:
        room = (self.size() - QSize(2 * SPACE_S, 2 * SPACE_S)) * self.devicePixelRatioF()
        if not self._text or room.isEmpty():
            return

        async def draw(text: str) -> QImage | str:
            try:
                return await asyncio.to_thread(svg_image, text, within=room)
            except SvgRefused as exc:
                return str(exc)

        self._request.run(draw(self._text), on_done=self._on_drawn, on_error=lambda _: None)

    def _on_drawn(self, drawn: QImage | str) -> None:
        if isinstance(drawn, str):
            self._on_problem(tr("The image cannot be shown: {reason}").format(reason=drawn))
        else:
            self._image = drawn
            self.update()
