"""One skill on the page: what it says it does, where it is, what it costs, and whether chats use it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, render, tr, tr_noop
from fireside.core.skills import Skill, SkillState
from fireside.ui.kit.layout import boxed, column, in_middle, make_card, row, stretch
from fireside.ui.kit.removal_confirmation import RemovalConfirmation
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.switch import SWITCH_MARGIN, Switch
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, truncate_text

if TYPE_CHECKING:
    from fireside.ui.skills.skills_controller import SkillsController

STATE_LABELS: Final = {
    SkillState.NEW: tr_noop("New"),
    SkillState.READY: tr_noop("Reviewed"),
    SkillState.CHANGED: tr_noop("Changed"),
    SkillState.UNUSABLE: tr_noop("Not usable"),
}
_TONES: Final = {SkillState.CHANGED: "warn", SkillState.UNUSABLE: "danger"}
_MAX_DESCRIPTION: Final = 300
"""Characters; the sheet has all."""
_MIN_NAME_WIDTH: Final = 200
_MIN_FACTS_WIDTH: Final = 320


class SkillCard(QFrame):
    """Removing one of Fireside's own is confirmed in the card itself."""

    def __init__(self, skill: Skill, *, is_used: bool, actions: SkillsController) -> None:
        super().__init__()
        self.skill = skill
        name = skill.name
        state = tr(STATE_LABELS[skill.state])
        self.setAccessibleName(f"{name}: {state}")
        self.badge = Label(state, role="badge")
        self.badge.setProperty("tone", _TONES.get(skill.state, "neutral"))
        self.used = Switch(name=tr("Use {name} in chats").format(name=name))
        self.used.setChecked(is_used and skill.state is SkillState.READY)
        self.used.setEnabled(skill.state is not SkillState.UNUSABLE)
        self.used.toggled.connect(partial(actions.use_in_chats, skill))
        self.facts = WrappedLabel(facts_text(skill), role="small")
        is_error = skill.state is SkillState.UNUSABLE
        self.problem = WrappedLabel(_problem(skill), role="error" if is_error else "small")
        needs_review = skill.state in (SkillState.NEW, SkillState.CHANGED)
        self.view = Button(
            tr("Review…") if needs_review else tr("View…"),
            kind="primary" if skill.state is SkillState.CHANGED else "",
            on_click=partial(actions.view, skill),
        )
        self.view.setAccessibleName(
            (tr("Review {name}") if needs_review else tr("View {name}")).format(name=name)
        )
        self.remove = Button(tr("Remove"), kind="quiet")
        self.remove.setAccessibleName(tr("Remove {name}").format(name=name))
        self.removal = RemovalConfirmation(
            tr("Move to trash?"),
            tr("Remove"),
            name=tr("Remove {name}").format(name=name),
            remove=self.remove,
            on_confirmed=partial(actions.remove, skill),
        )
        self._arrange()

    def _arrange(self) -> None:
        skill = self.skill
        head = row(
            Picture("scroll-text", tint="mute"),
            ElidedLabel(skill.name, role="strong"),
            in_middle(self.badge),
            stretch(factor=1),
        )
        use = row(in_middle(Label(tr("Use in chats"), role="small")), in_middle(self.used))
        foot, flow = flow_row(spacing=SPACE_S)
        flow.setContentsMargins(0, 0, SWITCH_MARGIN, 0)
        for button in (*self.removal.parts, self.view, self.remove):
            flow.addWidget(button)
        description = truncate_text(skill.description, length=_MAX_DESCRIPTION)
        folder = ElidedLabel(skill.folder, role="code", mode=Qt.TextElideMode.ElideMiddle)
        where = boxed(column(self.facts, folder, spacing=2))
        make_card(
            self,
            ResponsiveRow(boxed(head), boxed(use), min_first_width=_MIN_NAME_WIDTH, spacing=SPACE_S),
            WrappedLabel(description) if description else None,
            ResponsiveRow(where, foot, min_first_width=_MIN_FACTS_WIDTH, spacing=SPACE_M),
            self.problem,
            spacing=SPACE_XS,
            margins=(SPACE_L, SPACE_M, SPACE_M, SPACE_M),
        )
        # A part without a parent that is made visible would be a window.
        self.removal.hide()
        self.badge.setHidden(skill.state is SkillState.READY)
        self.problem.setHidden(not self.problem.text())
        self.view.setHidden(not skill.files)
        self.remove.setHidden(not skill.is_own)


def origin_text(skill: Skill) -> str:
    """Return whose folder the skill is in."""
    return skill.origin or (tr("Fireside’s folder") if skill.is_own else tr("Added by you"))


def facts_text(skill: Skill) -> str:
    """Return where it is from, how large it is and what it costs, on one line."""
    facts = [origin_text(skill)]
    if skill.files:
        facts.append(tr("%n file|%n files", "", len(skill.files)))
        facts.append(format_bytes(skill.n_bytes))
        facts.append(cost_text(skill))
    return "  ·  ".join(facts)


def cost_text(skill: Skill) -> str:
    """Return the tokens of a skill while it is on, and when it is used."""
    cost = tr("%n token of each prompt|%n tokens of each prompt", "", skill.n_tokens)
    return tr("{cost}, {more} when used").format(cost=cost, more=number(skill.n_instruction_tokens))


def _problem(skill: Skill) -> str:
    if skill.state is SkillState.CHANGED:
        return tr("It changed since you reviewed it, so it is off.")
    return render(skill.problem) if skill.problem else ""
