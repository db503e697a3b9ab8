"""The context boundary in the transcript: a line above the first message sent, earlier messages dimmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from fireside.core.context import ContextPlan, ContextSummary
from fireside.core.i18n import tr
from fireside.core.ids import MessageId, SummaryId
from fireside.ui.chat.answer.message import is_within
from fireside.ui.chat.answer.message_editor import MessageEditor
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.context.context_text import boundary_text, boundary_tooltip, summary_title
from fireside.ui.kit.layout import column, destroy
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import text_button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, plain_label

if TYPE_CHECKING:
    from fireside.ui.chat.pane.context_controller import ContextController


_VEIL = 75
"""Alpha, of 255, of the background colour over messages that are not sent to the model."""


class ContextBoundary(QObject):
    """Owns the boundary line, tells the column its height, and sets its geometry."""

    def __init__(
        self,
        *,
        parent: QWidget,
        index_of: Callable[[MessageId], int | None],
        style: Callable[[], TranscriptStyle],
        on_changed: Callable[[], None],
    ) -> None:
        """Call ``on_changed`` when the line appeared, vanished, moved, or changed its height or buttons."""
        super().__init__(parent)
        self._on_changed = on_changed
        self._parent = parent
        self._index_of = index_of
        self._style = style
        self._plan: ContextPlan | None = None
        self.line: ContextBoundaryLine | None = None

    @property
    def index(self) -> int | None:
        """Index of the first message that is sent to the model; ``None`` where all are."""
        if self._plan is None or self._plan.seen_from is None:
            return None
        return self._index_of(self._plan.seen_from)

    def clear(self) -> None:
        """Remove the line: all messages are sent, or nothing is known."""
        self._plan = None
        if self.line is not None:
            destroy(self.line)
            self.line = None
            self._on_changed()

    def show_plan(self, plan: ContextPlan, *, handler: ContextController) -> None:
        """Show the boundary of a plan; ``handler`` handles the buttons of a new line."""
        self._plan = plan
        if plan.n_unseen <= 0 or self.index is None:
            self.clear()
            return
        if self.line is None:
            self.line = ContextBoundaryLine(
                self._style(), self._parent, handler=handler, on_changed=self._on_changed
            )
        self.line.show_plan(plan)
        self._on_changed()

    def height_above(self, index: int, width: int) -> int:
        """Return the line's height in pixels above message ``index``; 0 where it is above another."""
        if self.line is None or index != self.index:
            return 0
        return self.line.height_for(width)

    def set_geometry(self, live: Mapping[int, QWidget], *, width: int) -> None:
        """Set the line's geometry above its message's widget, and dim the messages before it."""
        edge = self.index
        for index, view in live.items():
            veil = view.findChild(_Overlay, options=Qt.FindChildOption.FindDirectChildrenOnly)
            if edge is not None and index < edge and self.line is not None:
                veil = veil or _Overlay(view)
                veil.cover()
            elif veil is not None:
                destroy(veil)
        if self.line is None:
            return
        if edge is None or edge not in live:
            self.line.hide()
            return
        view = live[edge]
        height = self.line.height_for(width)
        self.line.setGeometry(view.x(), view.y() - height, width, height)
        self.line.show()

    def tab_stops_above(self, index: int) -> list[QWidget]:
        """Return the line's tab stops where it is above message ``index``."""
        return self.line.tab_stops if self.line is not None and index == self.index else []

    def restyle(self) -> None:
        if self.line is not None:
            self.line.restyle(self._style())


class _Overlay(QWidget):
    """Dims a message that is not sent to the model, unless it is hovered or focused."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.installEventFilter(self)

    def cover(self) -> None:
        """Cover the whole message, unless it is hovered or focused."""
        self.setGeometry(self._view.rect())
        self.raise_()
        has_focus = is_within(self._view.window().focusWidget(), self._view)
        self.setVisible(not self._view.underMouse() and not has_focus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.Enter | QEvent.Type.FocusIn:
                self.hide()
            case QEvent.Type.Leave | QEvent.Type.FocusOut | QEvent.Type.Resize:
                self.cover()
            case _:
                pass
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        colour = QColor(theme().colour("bg"))
        colour.setAlpha(_VEIL)
        painter.fillRect(self.rect(), colour)
        painter.end()


# The line at which the model's context begins, with the card of the summary of the messages above


_SIDE_MARGIN: Final = 12
_GAP: Final = 10
_LINE_HEIGHT: Final = 34
_FOLDED_LINES: Final = 3


class ContextBoundaryLine(QFrame):
    """A dashed line between two messages with its text, and a ``SummaryCard`` where there is a summary."""

    def __init__(
        self,
        style: TranscriptStyle,
        parent: QWidget,
        *,
        handler: ContextController,
        on_changed: Callable[[], None],
    ) -> None:
        """Call ``on_changed`` when it has another height or other buttons."""
        super().__init__(parent)
        self._on_changed = on_changed
        self.setObjectName("memoryLine")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._style = style
        self._handler = handler
        self._is_writing = False
        self._label = ElidedLabel(parent=self)
        self._label.setObjectName("memoryWords")
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._card: SummaryCard | None = None

    @property
    def displayed_text(self) -> str:
        return self._label.text()

    @property
    def card(self) -> SummaryCard | None:
        return self._card

    @property
    def tab_stops(self) -> list[QWidget]:
        return [self, *(self._card.tab_stops if self._card is not None else [])]

    def show_plan(self, plan: ContextPlan) -> None:
        """Show what ``plan`` says."""
        self._label.set_full_text(boundary_text(plan))
        explanation = boundary_tooltip(plan)
        self._label.setToolTip(explanation)
        self.setToolTip(explanation)
        self.setAccessibleName(boundary_text(plan))
        self.setAccessibleDescription(explanation)
        summary = plan.summary
        if summary is None and self._card is not None:
            destroy(self._card)
            self._card = None
            self._on_changed()
        if summary is not None and self._card is None:
            self._card = SummaryCard(self._style, self, handler=self._handler, on_changed=self._on_changed)
            self._card.show()
            self._on_changed()
        if summary is not None and self._card is not None:
            self._card.show_summary(summary)
            self._card.set_writing(self._is_writing)

    def set_writing(self, is_writing: bool) -> None:
        """Show whether the summary is being regenerated."""
        self._is_writing = is_writing
        if self._card is not None:
            self._card.set_writing(is_writing)

    def height_for(self, width: int) -> int:
        inner = width - 2 * _SIDE_MARGIN
        self._label.setGeometry(_SIDE_MARGIN, 0, inner, _LINE_HEIGHT)
        y = _LINE_HEIGHT
        if self._card is not None:
            height = self._card.height_for(inner)
            self._card.setGeometry(_SIDE_MARGIN, y, inner, height)
            y += height
        return y + _GAP

    def restyle(self, style: TranscriptStyle) -> None:
        self._style = style
        if self._card is not None:
            self._card.restyle(style)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        colour = "accent" if self.hasFocus() else "edge"
        pen = QPen(theme().colour(colour), 1.4)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        half = self._label.fontMetrics().horizontalAdvance(self._label.text()) // 2 + 12
        middle, y = self.width() // 2, _LINE_HEIGHT // 2
        painter.drawLine(_SIDE_MARGIN, y, max(_SIDE_MARGIN, middle - half), y)
        painter.drawLine(min(self.width() - _SIDE_MARGIN, middle + half), y, self.width() - _SIDE_MARGIN, y)
        painter.end()


class SummaryCard(QFrame):
    """The text of a summary, folded to a few lines, with buttons to edit, regenerate and discard it."""

    def __init__(
        self,
        style: TranscriptStyle,
        parent: QWidget,
        *,
        handler: ContextController,
        on_changed: Callable[[], None],
    ) -> None:
        """Call ``on_changed`` when it has another height or other buttons."""
        super().__init__(parent)
        self._handler = handler
        self._on_changed = on_changed
        self.setObjectName("noteCard")
        self._style = style
        self._summary: ContextSummary | None = None
        self._is_open = False
        self._editor: MessageEditor | None = None
        self.title = plain_label("", name="modelName", parent=self)
        self.text = plain_label("", name="noteText", parent=self)
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        labels = (tr("Show all"), tr("Edit"), tr("Regenerate"), tr("Discard"), tr("Stop"))
        self.unfold, self.edit, self.again, self.remove, self.stop = (
            text_button(each, name=tr("{words}: summary").format(words=each), kind="link", parent=self)
            for each in labels
        )
        self._progress = plain_label(tr("Regenerating summary…"), name="composerNote", parent=self)
        buttons = (self.stop, self.edit, self.again, self.remove)
        foot, _ = flow_row(self.unfold, self._progress, *buttons, spacing=8)
        self.title.setWordWrap(True)
        self._column = column(self.title, self.text, foot, spacing=6, margins=(14, 10, 12, 8), on=self)
        self.unfold.clicked.connect(self._on_unfold)
        self.edit.clicked.connect(self._on_edit)
        self.again.clicked.connect(lambda: self._with_summary(handler.regenerate_summary))
        self.remove.clicked.connect(lambda: self._with_summary(handler.remove_summary))
        self.stop.clicked.connect(handler.stop_summary)
        self.set_writing(False)

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        if self._editor is not None:
            return self._editor.tab_stops
        buttons = (self.unfold, self.stop, self.edit, self.again, self.remove)
        return [button for button in buttons if not button.isHidden()]

    @property
    def editor(self) -> MessageEditor | None:
        return self._editor

    def show_summary(self, summary: ContextSummary) -> None:
        """Show a summary."""
        self._summary = summary
        self.title.setText(summary_title(summary))
        self.setAccessibleName(summary_title(summary))
        self.setAccessibleDescription(summary.text)
        self._show_text()

    def set_writing(self, is_writing: bool) -> None:
        for button in (self.edit, self.again, self.remove):
            button.setVisible(not is_writing)
        self._progress.setVisible(is_writing)
        self.stop.setVisible(is_writing)
        self._on_changed()

    def height_for(self, width: int) -> int:
        if self._editor is not None:
            height = self._editor.height_for(width)
            self._editor.setGeometry(0, 0, width, height)
            return height
        text_width = width - 26
        if not self._is_open:
            self._fold(text_width)
        return max(self._column.totalHeightForWidth(width), self._column.totalMinimumSize().height())

    def restyle(self, style: TranscriptStyle) -> None:
        self._style = style
        if self._editor is not None:
            self._editor.restyle(style)

    def _show_text(self) -> None:
        if self._summary is not None:
            self.text.setText(self._summary.text)
        self.unfold.setText(tr("Show less") if self._is_open else tr("Show all"))
        self._on_changed()

    def _fold(self, width: int) -> None:
        """Elide the text to a few lines."""
        if self._summary is None:
            return
        metrics, text = self.text.fontMetrics(), " ".join(self._summary.text.split())
        max_width = width * _FOLDED_LINES - metrics.averageCharWidth() * 12
        folded = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max_width)
        self.text.setText(folded)
        self.unfold.setVisible(folded != text)

    def _on_unfold(self) -> None:
        self._is_open = not self._is_open
        self._show_text()

    def _on_edit(self) -> None:
        if self._summary is None or self._editor is not None:
            return
        self._editor = MessageEditor(
            self._style, self, text=self._summary.text, action=tr("Save"), name=tr("Edit summary")
        )
        self._editor.saved.connect(self._on_saved)
        self._editor.cancel.clicked.connect(self._end_edit)
        self._editor.height_changed.connect(self._on_changed)
        self._show_parts(visible=False)
        self._editor.show()
        self._editor.raise_()
        self._editor.focus_text()
        # Its text is laid out at its width only once it is on the screen.
        QTimer.singleShot(0, self, self._on_changed)

    def _on_saved(self, text: str) -> None:
        if self._summary is not None:
            self._handler.edit_summary(self._summary.id, text)
        self._end_edit()

    def _end_edit(self) -> None:
        if self._editor is not None:
            destroy(self._editor)
            self._editor = None
        self._show_parts(visible=True)
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_parts(self, *, visible: bool) -> None:
        parts: tuple[QLabel | QPushButton, ...]
        parts = (self.title, self.text, self.unfold, self.edit, self.again, self.remove)
        for part in parts:
            part.setVisible(visible)
        self._on_changed()

    def _with_summary(self, act: Callable[[SummaryId], None]) -> None:
        if self._summary is not None:
            act(self._summary.id)
