"""What is remembered in a project, on its page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import boxed, clear, column, make_card, row, stretch
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import WrappedLabel, breakable

if TYPE_CHECKING:
    from fireside.ui.projects.project_controller import ProjectController

_MOST_SHOWN: Final = 8


class ProjectFacts(QFrame):
    """The facts of a project, the newest last, and those of its file that wait for the user."""

    def __init__(self, controller: ProjectController) -> None:
        super().__init__()
        self._controller = controller
        self._shown: tuple[Sequence[str], Sequence[str]] = ((), ())
        self.about = WrappedLabel(role="small")
        self.answers: list[Button] = []
        """“Remember” and “Refuse” for each fact that waits."""
        self._waiting = column(spacing=SPACE_M)
        self._facts = column(spacing=SPACE_XS)
        self.add = Button(tr("Add fact…"), on_click=controller.add_fact)
        self.all = Button(tr("Show all"), icon="brain", kind="quiet", on_click=controller.show_memory)
        buttons, _ = flow_row(self.add, self.all, spacing=SPACE_S)
        parts = (self.about, boxed(self._waiting), boxed(self._facts), buttons)
        make_card(self, *parts, title=tr("Remembered facts"))
        self._show((), ())

    def show_facts(self, facts: Sequence[str], waiting: Sequence[str]) -> None:
        """Show the facts of the project, and those that wait; a focused answer passes its focus on."""
        if (facts, waiting) == self._shown:
            return
        had_focus = any(button.hasFocus() for button in self.answers)
        self._show(facts, waiting)
        if had_focus:
            (self.answers[0] if self.answers else self.add).setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, facts: Sequence[str], waiting: Sequence[str]) -> None:
        self._shown = (facts, waiting)
        known = tr(
            "%n fact is known in the chats of this project, where “Remember facts” is on.|"
            "%n facts are known in the chats of this project, where “Remember facts” is on.",
            "",
            len(facts),
        )
        nothing = tr("Nothing is remembered in this project yet.")
        self.about.setText(known if facts else nothing)
        self.all.setVisible(bool(facts))
        self.answers = []
        clear(self._waiting)
        for fact in waiting:
            self._waiting.addWidget(self._suggestion(fact))
        clear(self._facts)
        for fact in facts[-_MOST_SHOWN:]:
            self._facts.addWidget(WrappedLabel(breakable(fact)))
        if n_hidden := max(0, len(facts) - _MOST_SHOWN):
            self._facts.addWidget(
                WrappedLabel(tr("and %n older fact|and %n older facts", "", n_hidden), role="mute")
            )

    def _suggestion(self, fact: str) -> QWidget:
        act = self._controller.answer_fact
        remember = Button(tr("Remember"), on_click=partial(act, fact, remembers=True))
        refuse = Button(tr("Refuse"), kind="quiet", on_click=partial(act, fact, remembers=False))
        for button in (remember, refuse):
            button.setAccessibleDescription(fact)
            self.answers.append(button)
        origin = WrappedLabel(tr("From the project’s file, not known to models yet:"), role="small")
        text = WrappedLabel(breakable(fact))
        return boxed(
            column(origin, text, row(remember, refuse, stretch(), spacing=SPACE_S), spacing=SPACE_XS)
        )
