"""What opens from the meter: parts of the context, its biggest messages, the choice when it is full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QLabel, QRadioButton, QVBoxLayout, QWidget

from fireside.core.context import ContextPlan, FullContext, MessageCost
from fireside.core.i18n import number, tr
from fireside.core.ids import MessageId
from fireside.ui.context.bar import ContextBar
from fireside.ui.context.context_text import (
    CHOICES,
    ESTIMATE,
    full_words,
    is_nearly_full,
    part_words,
    parts_of,
    use_words,
)
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.popup import Popup
from fireside.ui.widgets.text import Label, WrappedLabel, one_line

_WIDTH: Final = 380
_BIGGEST: Final = 3
_LEAST_SHARE: Final = 0.05
"""Messages that take less of the context are not worth a line."""
_EXCERPT: Final = 34

Excerpt = Callable[[MessageId], str]
"""How a message begins; empty for one that is not shown."""


class ContextPopup(Popup):
    """Closes by Escape or a click elsewhere."""

    message_wanted = Signal(object)
    """``MessageId`` to scroll to."""

    def __init__(self, *, theme: Theme, choose: Callable[[FullContext], None], parent: QWidget) -> None:
        """Call ``choose`` with what is to be done when the context is full."""
        super().__init__(parent)
        self._theme = theme
        self._choose = choose
        self.setAccessibleName(tr("What fills the context"))
        self.setMinimumWidth(theme.scaled(_WIDTH))
        self._body: QWidget | None = None
        self._again: Callable[[], None] = lambda: None
        theme.changed.connect(self._on_theme_changed)
        self.choices: dict[FullContext, QRadioButton] = {}
        self.jumps: list[Button] = []

    def open_above(self, corner: QPoint, plan: ContextPlan, *, excerpt: Excerpt, has_chat: bool) -> None:
        """Show ``plan`` with the lower right at ``corner`` (global)."""
        self.show_plan(plan, excerpt=excerpt, has_chat=has_chat)
        self.adjustSize()
        self.move(corner - QPoint(self.width(), self.height()))
        self.show()
        chosen = self.choices.get(plan.policy)
        if chosen is not None:
            chosen.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_plan(self, plan: ContextPlan, *, excerpt: Excerpt, has_chat: bool) -> None:
        """Show another plan."""
        self._again = lambda: self.show_plan(plan, excerpt=excerpt, has_chat=has_chat)
        focus = self.focusWidget()
        had_focus = focus in self.choices.values()
        if self._body is not None:
            self.column.removeWidget(self._body)
            self._body.hide()
            self._body.deleteLater()
        body = self._body = QWidget()
        self.column.addWidget(body)
        column = QVBoxLayout(body)
        column.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        column.setSpacing(SPACE_S)
        column.addWidget(Label(use_words(plan), role="heading"))
        if not plan.is_exact:
            column.addWidget(WrappedLabel(tr(ESTIMATE), role="small"))
        bar = ContextBar(self._theme, body)
        bar.show_parts(parts_of(plan))
        column.addWidget(bar)
        column.addLayout(self._list(plan))
        if is_nearly_full(plan):
            column.addWidget(WrappedLabel(full_words(plan), role="warning"))
        self._add_biggest(column, plan, excerpt=excerpt)
        self._add_choices(column, plan, has_chat=has_chat)
        if had_focus and (chosen := self.choices.get(plan.policy)) is not None:
            chosen.setFocus(Qt.FocusReason.OtherFocusReason)

    def _list(self, plan: ContextPlan) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_S)
        grid.setVerticalSpacing(SPACE_XS)
        grid.setColumnStretch(1, 1)
        for row, part in enumerate(parts_of(plan)):
            sign = Label(part.sign)
            colour: QColor = self._theme.colour(part.colour)
            sign.setStyleSheet(f"color: {colour.name()};")
            sign.setAccessibleName(" ")
            count = Label(number(part.n_tokens), role="strong")
            count.setAlignment(Qt.AlignmentFlag.AlignRight)
            count.setAccessibleName(part_words(part))
            grid.addWidget(sign, row, 0)
            grid.addWidget(Label(part.name, role="body"), row, 1)
            grid.addWidget(count, row, 2)
        return grid

    def _add_biggest(self, column: QVBoxLayout, plan: ContextPlan, *, excerpt: Excerpt) -> None:
        self.jumps = []
        found = [(cost, excerpt(cost.id)) for cost in _biggest(plan)]
        shown = [(cost, words) for cost, words in found if words]
        if not shown:
            return
        column.addSpacing(SPACE_XS)
        column.addWidget(Label(tr("Biggest messages"), role="strong"))
        for cost, words in shown:
            short = one_line(words)
            short = f"{short[:_EXCERPT].rstrip()}…" if len(short) > _EXCERPT else short
            button = Button(f"{number(cost.n_tokens)}  ·  {short}", theme=self._theme, kind="link")
            button.setAccessibleDescription(tr("Go to this message"))
            button.clicked.connect(lambda _checked=False, cost=cost: self._on_message(cost))
            self.jumps.append(button)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_choices(self, column: QVBoxLayout, plan: ContextPlan, *, has_chat: bool) -> None:
        column.addSpacing(SPACE_XS)
        where = tr("When this chat no longer fits") if has_chat else tr("When a chat no longer fits")
        column.addWidget(Label(where, role="strong"))
        group = QButtonGroup(self._body)
        place = QWidget()
        rows = QVBoxLayout(place)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        column.addWidget(place)
        self.choices = {}
        for choice in CHOICES:
            button = QRadioButton(tr(choice.words))
            button.setChecked(choice.policy is plan.policy)
            button.setAccessibleDescription(tr(choice.explanation))
            button.clicked.connect(lambda _checked=False, policy=choice.policy: self._choose(policy))
            group.addButton(button)
            self.choices[choice.policy] = button
            rows.addWidget(button)
            explanation: QLabel = WrappedLabel(tr(choice.explanation), role="small")
            explanation.setContentsMargins(SPACE_M + SPACE_M + SPACE_XS, 0, 0, SPACE_XS)
            rows.addWidget(explanation)

    def _on_theme_changed(self) -> None:
        if self.isVisible():
            self._again()

    def _on_message(self, cost: MessageCost) -> None:
        self.hide()
        self.message_wanted.emit(cost.id)


def _biggest(plan: ContextPlan) -> Sequence[MessageCost]:
    seen = plan.messages
    if plan.seen_from is not None:
        ids = [cost.id for cost in seen]
        seen = seen[ids.index(plan.seen_from) :] if plan.seen_from in ids else seen
    worth = [cost for cost in seen if cost.n_tokens >= _LEAST_SHARE * plan.n_ctx]
    return sorted(worth, key=lambda cost: -cost.n_tokens)[:_BIGGEST]
