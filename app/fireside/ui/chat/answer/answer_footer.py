"""The line under an answer: action buttons, why it ended, and statistics."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from fireside.core.generation import Stopping
from fireside.core.i18n import tr
from fireside.core.tool_calls import has_running_call, n_waiting_calls
from fireside.ui.chat.answer.actions import ActionRow, MessageActions, can_continue
from fireside.ui.chat.answer.answer_text import figures_text, footer_note, statistics
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.answer.phase import Writing, phase_text
from fireside.ui.chat.answer.switcher import BranchSwitcher
from fireside.ui.kit.layout import row, stretch
from fireside.ui.model_text import SEPARATOR
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import text_button
from fireside.ui.widgets.text import ElidedLabel, plain_tooltip

_MIN_HEIGHT = 28
_GAP = 3


class AnswerFooter(QWidget):
    """Shows statistics while the answer is hovered or focused, or always, as the user has set."""

    def __init__(self, parent: QWidget, *, actions: MessageActions) -> None:
        super().__init__(parent)
        self._actions = actions
        self._note = ""
        self._figures = ""
        self._details = ""
        self._is_near = False
        self.action_row = ActionRow(self, about=tr("Answer details"))
        self.continue_button = text_button(tr("Continue"), name=tr("Continue"), style="showMore", parent=self)
        self.label = ElidedLabel(parent=self)
        self.label.setObjectName("statistics")
        self.label.setContentsMargins(5, 0, 0, 0)
        self._row = row(self.action_row, self.continue_button, stretch(self.label), spacing=_GAP, on=self)

    def make_switcher(self) -> BranchSwitcher:
        """Return a branch switcher behind the buttons, which stay where they are when there is one."""
        switcher = BranchSwitcher(self)
        self._row.insertWidget(self._row.indexOf(self.label), switcher)
        return switcher

    def show_entry(self, entry: Entry) -> bool:
        """Show an answer's actions, note and statistics; return whether the buttons changed."""
        running, record = entry.is_running, entry.message.generation
        before = [*self.action_row.buttons, self.continue_button.isHidden()]
        self.action_row.setVisible(not running and not entry.is_being_edited)
        self.action_row.show_actions(self._actions.possible(entry))
        self.continue_button.setVisible(can_continue(entry) and not entry.is_being_edited)
        self._details = ""
        if entry.is_bare:
            self._note = self._figures = ""  # a comparison's column shows them
        elif running:
            self._figures = ""
            self._note = _running_text(entry)
        else:
            self._note = footer_note(entry.message)
            self._figures = statistics(record) if record is not None else ""
            self._details = "\n".join(filter(None, (self._figures, figures_text(record) if record else "")))
        self._show_label()
        return before != [*self.action_row.buttons, self.continue_button.isHidden()]

    def set_near(self, is_near: bool) -> None:
        """Set whether the answer is hovered or focused."""
        self._is_near = is_near
        self._show_label()

    def restyle(self) -> None:
        self.action_row.restyle()
        self._show_label()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_label()

    def height_for(self, width: int) -> int:  # noqa: ARG002 - one line at every width
        return max(_MIN_HEIGHT, self.sizeHint().height())

    def _show_label(self) -> None:
        """Show the note and as many whole figures as fit."""
        shows_figures = self._is_near or theme().shows_statistics
        parts = [part for part in (self._note, *self._figures.split(SEPARATOR)) if part]
        n_min = 1 if self._note else 0
        others = (each for each in self.children() if isinstance(each, QWidget) and each is not self.label)
        before_px = sum(each.sizeHint().width() + _GAP for each in others if not each.isHidden())
        available_width = self.width() - before_px
        available_width -= self.label.contentsMargins().left()
        n_shown = len(parts) if shows_figures else n_min
        while n_shown > n_min and self._width(parts[:n_shown]) > available_width:
            n_shown -= 1
        self.label.set_full_text(SEPARATOR.join(parts[:n_shown]))
        self.label.setToolTip(plain_tooltip(self._details) if self._details else "")
        self.label.setAccessibleName(SEPARATOR.join(parts))
        self.label.setAccessibleDescription(self._details)

    def _width(self, parts: list[str]) -> int:
        return self.label.fontMetrics().horizontalAdvance(SEPARATOR.join(parts))


def _running_text(entry: Entry) -> str:
    """Return what a running answer is doing; empty while a tool runs, which its card shows."""
    if n_waiting_calls(entry.message):
        return tr("Waiting for you")
    if has_running_call(entry.message):
        return ""
    return phase_text(entry.phase) if isinstance(entry.phase, Writing | Stopping) else ""
