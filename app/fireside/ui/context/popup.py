"""The popup of the context meter: parts of the context, largest messages, policy for a full context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QRadioButton, QWidget

from fireside.core.context import ContextPlan, FullContext, MessageCost
from fireside.core.i18n import number, tr
from fireside.core.ids import MessageId
from fireside.ui.context.context_text import (
    CHOICES,
    ESTIMATE,
    ContextPart,
    fullness_text,
    is_nearly_full,
    part_text,
    parts_of,
    usage_text,
)
from fireside.ui.kit.layout import Part, at_left, boxed, column, space
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.choice_group import ChoiceGroup
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX, PageScroll
from fireside.ui.widgets.picture import SquareMark
from fireside.ui.widgets.popup import Popup
from fireside.ui.widgets.text import Label, WrappedLabel, one_line, truncate_text

_WIDTH: Final = 380
_N_LARGEST: Final = 3
_MIN_SHARE: Final = 0.05
"""Least fraction of the context that a message takes to be listed."""
_EXCERPT_CHARS: Final = 35

_BAR_HEIGHT: Final = 14
_MARK_PX: Final = 12
_MIN_PART_WIDTH: Final = 3.0
"""Minimum width in pixels of a part that is not empty."""
_HATCHED: Final = {
    "series4": Qt.BrushStyle.FDiagPattern,
    "series3": Qt.BrushStyle.BDiagPattern,
    "series2": Qt.BrushStyle.DiagCrossPattern,
    "dim": Qt.BrushStyle.Dense6Pattern,
}

Excerpt = Callable[[MessageId], str]
"""Returns the beginning of a message's text; empty for one that is not shown."""


class ContextPopup(Popup):
    """Shows a context plan. Closes on Escape or a click elsewhere."""

    message_requested = Signal(object)
    """``MessageId`` to scroll to."""

    def __init__(self, *, choose: Callable[[FullContext], None], parent: QWidget) -> None:
        """Call ``choose`` with the policy for a full context that the user selected."""
        super().__init__(parent)
        self._choose = choose
        self.setAccessibleName(tr("Context usage"))
        self._anchor = parent
        self._max_height = 0
        self._scroll = PageScroll()
        self.column.addWidget(self._scroll)
        self._refresh: Callable[[], None] = lambda: None
        theme().changed.connect(self._on_theme_changed)
        self.choices: dict[FullContext, QRadioButton] = {}
        self.jumps: list[Button] = []

    def open_above(self, corner: QPoint, plan: ContextPlan, *, excerpt: Excerpt, has_chat: bool) -> None:
        """Show ``plan`` with the lower right at ``corner`` (global)."""
        above = self._anchor.window().mapToGlobal(QPoint(0, 0)).y()
        self._max_height = corner.y() - above - 2 * SPACE_S
        self.show_plan(plan, excerpt=excerpt, has_chat=has_chat)
        self.resize(self.sizeHint())  # not adjustSize(), which takes two thirds of the screen at most
        self.move(corner - QPoint(self.width(), self.height()))
        self.show()
        chosen = self.choices.get(plan.policy)
        if chosen is not None:
            chosen.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_plan(self, plan: ContextPlan, *, excerpt: Excerpt, has_chat: bool) -> None:
        """Show another plan."""
        self._refresh = lambda: self.show_plan(plan, excerpt=excerpt, has_chat=has_chat)
        focus = self.focusWidget()
        had_focus = focus in self.choices.values()
        body = QWidget()
        bar = ContextBar(body)
        bar.show_parts(parts_of(plan))
        column(
            Label(usage_text(plan), role="heading"),
            None if plan.is_exact else WrappedLabel(tr(ESTIMATE), role="small"),
            bar,
            self._part_list(plan),
            WrappedLabel(fullness_text(plan), role="warning") if is_nearly_full(plan) else None,
            *self._largest_list(plan, excerpt=excerpt),
            *self._policy_choices(plan, has_chat=has_chat, body=body),
            margins=SPACE_S,
            on=body,
        )
        self._scroll.setWidget(body)  # deletes the previous widget
        self.setMinimumWidth(min(theme().scaled(_WIDTH), self._anchor.window().width() - 2 * SPACE_S))
        width = max(self.minimumWidth() - 2 * SPACE_S, body.minimumSizeHint().width() + SCROLL_BAR_PX)
        height = min(body.heightForWidth(width - SCROLL_BAR_PX), self._max_height)
        self._scroll.setFixedSize(width, height)
        if had_focus and (chosen := self.choices.get(plan.policy)) is not None:
            chosen.setFocus(Qt.FocusReason.OtherFocusReason)

    def _part_list(self, plan: ContextPlan) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_S)
        grid.setVerticalSpacing(SPACE_XS)
        grid.setColumnStretch(1, 1)
        for row, part in enumerate(parts_of(plan)):
            count = Label(number(part.n_tokens), role="strong")
            count.setAlignment(Qt.AlignmentFlag.AlignRight)
            count.setAccessibleName(part_text(part))
            grid.addWidget(PartMark(part), row, 0)
            grid.addWidget(Label(part.name, role="body"), row, 1)
            grid.addWidget(count, row, 2)
        return grid

    def _largest_list(self, plan: ContextPlan, *, excerpt: Excerpt) -> list[Part]:
        self.jumps = []
        for cost in _largest_messages(plan):
            if text := one_line(excerpt(cost.id)):
                short = truncate_text(text, length=_EXCERPT_CHARS)
                button = Button(f"{number(cost.n_tokens)}  ·  {short}", kind="link")
                button.setAccessibleDescription(tr("Go to message"))
                button.clicked.connect(lambda _checked=False, cost=cost: self._on_message(cost))
                self.jumps.append(button)
        if not self.jumps:
            return []
        return [space(SPACE_XS), Label(tr("Largest messages"), role="strong"), *map(at_left, self.jumps)]

    def _policy_choices(self, plan: ContextPlan, *, has_chat: bool, body: QWidget) -> list[Part]:
        heading = tr("If this chat gets too long") if has_chat else tr("When a chat is too long")
        group = ChoiceGroup(body)
        rows: list[QWidget] = []
        self.choices = {}
        for choice in CHOICES:
            button = QRadioButton(tr(choice.label))
            button.setChecked(choice.policy is plan.policy)
            button.setAccessibleDescription(tr(choice.explanation))
            button.clicked.connect(lambda _checked=False, policy=choice.policy: self._choose(policy))
            group.add(button)
            self.choices[choice.policy] = button
            explanation = WrappedLabel(tr(choice.explanation), role="small")
            explanation.setContentsMargins(SPACE_M + SPACE_M + SPACE_XS, 0, 0, SPACE_XS)
            rows += (button, explanation)
        return [space(SPACE_XS), Label(heading, role="strong"), boxed(column(*rows, spacing=0))]

    def _on_theme_changed(self) -> None:
        if self.isVisible():
            self._refresh()

    def _on_message(self, cost: MessageCost) -> None:
        self.hide()
        self.message_requested.emit(cost.id)


def _largest_messages(plan: ContextPlan) -> Sequence[MessageCost]:
    seen = plan.messages
    if plan.seen_from is not None:
        ids = [cost.id for cost in seen]
        seen = seen[ids.index(plan.seen_from) :] if plan.seen_from in ids else seen
    large = [cost for cost in seen if cost.n_tokens >= _MIN_SHARE * plan.n_ctx]
    return sorted(large, key=lambda cost: -cost.n_tokens)[:_N_LARGEST]


class ContextBar(QWidget):
    """The parts of a context as one bar, distinguished by colour, order and hatching."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts: tuple[ContextPart, ...] = ()
        self.setFixedHeight(_BAR_HEIGHT)
        theme().changed.connect(self.update)

    def show_parts(self, parts: Sequence[ContextPart]) -> None:
        """Show these parts."""
        self._parts = tuple(parts)
        self.setAccessibleName(", ".join(f"{part.name} {part.n_tokens:,}" for part in parts))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        clip = QPainterPath()
        clip.addRoundedRect(box, 5, 5)
        painter.setClipPath(clip)
        painter.fillRect(box, theme().colour("edge"))
        n_all = sum(part.n_tokens for part in self._parts) or 1
        x = 0.0
        for part in self._parts:
            if part.n_tokens <= 0 or part.colour == "edge":
                continue
            width = max(_MIN_PART_WIDTH, box.width() * part.n_tokens / n_all)
            _paint_part(painter, QRectF(x, 0, width, box.height()), part)
            x += width
            painter.fillRect(QRectF(x - 1, 0, 1, box.height()), theme().colour("bg"))
        painter.end()


class PartMark(SquareMark):
    """A part as it looks in the bar, beside its name."""

    def __init__(self, part: ContextPart) -> None:
        super().__init__(size=_MARK_PX)
        self._part = part

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        clip = QPainterPath()
        clip.addRoundedRect(QRectF(self.rect()), 3, 3)
        painter.setClipPath(clip)
        _paint_part(painter, QRectF(self.rect()), self._part)
        painter.end()


def _paint_part(painter: QPainter, box: QRectF, part: ContextPart) -> None:
    painter.fillRect(box, theme().colour(part.colour))
    if (pattern := _HATCHED.get(part.colour)) is not None:
        painter.fillRect(box, QBrush(theme().colour("bg"), pattern))
