"""What an artifact looks like: images, documents and tables as they are, pages and diagrams in a web view."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from fireside.core.artifacts import ArtifactKind, ArtifactText, table_rows
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import Role, text_message
from fireside.markup.svg import SvgRefused
from fireside.ui.artifacts.csv_view import CsvView
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.kit.layout import boxed, column, stretch
from fireside.ui.preview.web_preview import WebPreview
from fireside.ui.tasks import LatestRequest
from fireside.ui.theme import SPACE_S
from fireside.ui.widgets.svg_image import svg_image
from fireside.ui.widgets.text import Label, WrappedLabel
from fireside.ui.window_context import WindowContext

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
