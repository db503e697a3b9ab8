"""The notice above the composer that the context is nearly full, or that a message does not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from fireside.core.context import ContextPlan, FullContext
from fireside.core.i18n import tr, tr_noop
from fireside.ui.context.context_text import CHOICES, fullness_text
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import plain_label

_DOES_NOT_FIT = tr_noop("Choose how to handle older messages.")
_SEARCH = tr_noop("Search the files instead: then only the passages that a question is about go along.")
_SHORTEN = tr_noop("Shorten your message.")
_SHORTEN_LAST = tr_noop("Shorten the last message.")
_LEAVE_OUT_FILES = tr_noop("Remove a file, or shorten your message.")


class WaysOut(NamedTuple):
    """What helps where a message does not fit, besides making it shorter."""

    n_ctx_max: int = 0
    """The longest context of the model; 0 where it cannot be changed here."""
    can_search: bool = False
    """Whether attached files can be searched instead."""


_NO_WAY: Final = WaysOut()


class ContextNotice(QWidget):
    """Hidden while the context is not nearly full."""

    def __init__(self, *, choose: Callable[[FullContext], None], parent: QWidget) -> None:
        """Call ``choose`` with the policy for a full context that the user selected."""
        super().__init__(parent)
        self._card = QWidget(self)
        self._card.setObjectName("noteCard")
        self._card.setProperty("tone", "warn")
        self._card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._label = plain_label("", name="noteText", parent=self._card)
        self._label.setWordWrap(True)
        self._close = IconButton("x", name=tr("Dismiss"), size=16, parent=self._card)
        self._close.setToolTip(tr("Close"))
        self._close.clicked.connect(self.hide)
        self._choices, buttons = flow_row(spacing=6)
        buttons.setContentsMargins(27, 0, 0, 2)
        self.search = QPushButton(tr("Search instead"), self._choices)
        self.search.setAccessibleName(tr("Search the files instead"))
        self.search.setProperty("kind", "primary")
        self._offers_search = False
        buttons.addWidget(self.search)
        self.buttons: dict[FullContext, QPushButton] = {}
        for choice in CHOICES:
            if choice.policy is FullContext.STOP:
                continue
            button = QPushButton(tr(choice.label), self._choices)
            button.setAccessibleName(tr(choice.label))
            button.setAccessibleDescription(tr(choice.explanation))
            button.setToolTip(tr(choice.explanation))
            button.clicked.connect(lambda _checked=False, policy=choice.policy: choose(policy))
            buttons.addWidget(button)
            self.buttons[choice.policy] = button
        self.larger = QPushButton(tr("Increase context…"), self._choices)
        self._offers_larger = False
        buttons.addWidget(self.larger)
        icon = Picture("triangle-alert", tint="warn")
        head = row(icon, stretch(self._label), self._close, spacing=9)
        column(head, self._choices, spacing=6, margins=(12, 7, 6, 7), on=self._card)
        column(self._card, on=self)
        self.hide()

    @property
    def displayed_text(self) -> str:
        """The text of the notice; empty where it is hidden."""
        return "" if self.isHidden() else self._label.text()

    def offer_larger(self, do: Callable[[], object]) -> None:
        """Show a button that calls ``do``, which opens the setting of the context length."""
        self._offers_larger = True
        self.larger.clicked.connect(do)

    def offer_search(self, do: Callable[[], object]) -> None:
        """Show a button that calls ``do``, which has attached files searched instead of sent."""
        self._offers_search = True
        self.search.clicked.connect(do)

    def warn(self, plan: ContextPlan, *, is_written: bool = True, ways_out: WaysOut = _NO_WAY) -> None:
        """Show how full the context of ``plan`` is, and where it is exceeded what helps: nothing else is
        offered.

        ``is_written``: the plan counts a message that is not sent yet.
        """
        can_search = self._offers_search and not plan.fits and ways_out.can_search
        must_choose = not plan.fits and plan.policy is FullContext.STOP and not can_search
        can_grow = self._offers_larger and plan.n_ctx < plan.n_prompt + plan.n_reserve <= ways_out.n_ctx_max
        text = fullness_text(plan, is_written=is_written)
        if can_search:
            text = f"{text} {tr(_SEARCH)}"
        elif must_choose:
            text = f"{text} {tr(_DOES_NOT_FIT)}"
        elif not plan.fits:
            text = f"{text} {tr(_remedy(plan) if is_written else _SHORTEN_LAST)}"
        self._label.setText(text)
        self._card.setAccessibleName(text)
        for button in self.buttons.values():
            button.setVisible(must_choose)
        self.search.setVisible(can_search)
        self.larger.setVisible(can_grow)
        self._choices.setVisible(not plan.fits and (must_choose or can_search or can_grow))
        self._close.setVisible(plan.fits)
        self.show()


def _remedy(plan: ContextPlan) -> str:
    """Return which part can be made smaller: attachments, the draft, or the last message."""
    if plan.n_attached:
        return _LEAVE_OUT_FILES
    return _SHORTEN if plan.n_draft else _SHORTEN_LAST
