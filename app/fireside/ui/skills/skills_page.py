"""The page of skills: those that were found, one card each. It runs nothing of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.skills import SKILL_FILE, Skill, SkillState
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import SKILL_FOLDERS
from fireside.ui.kit.dropped_files import DropArea
from fireside.ui.kit.layout import boxed, card, column, destroy, row, stretch
from fireside.ui.kit.path_list import PathList
from fireside.ui.kit.sub_page import SearchPage
from fireside.ui.skills.skill_card import SkillCard
from fireside.ui.skills.skills_controller import SkillsController
from fireside.ui.theme import SPACE_L, SPACE_M
from fireside.ui.widgets.banner import Tone
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label, WrappedLabel
from fireside.ui.window_context import WindowContext

MOST: Final = 60
"""Cards that are shown at first."""
_ORDER: Final = (SkillState.CHANGED, SkillState.READY, SkillState.NEW, SkillState.UNUSABLE)
_ENDINGS: Final = (".zip", ".skill", SKILL_FILE.lower())


class SkillsPage(SearchPage):
    """Folders and archives can be dropped on it."""

    def __init__(self, context: WindowContext, *, parent: QWidget | None = None) -> None:
        super().__init__(search=tr("Search skills"), parent=parent)
        self.controller = SkillsController(context, page=self, parent=self)
        self.cards: dict[str, SkillCard] = {}
        """By folder."""
        self._skills: tuple[Skill, ...] = ()
        self._used: tuple[str, ...] = ()
        self._most = MOST
        self.search.textChanged.connect(self._show_cards)
        self.add = Button(tr("Add skill…"), icon="file-plus", on_click=self.controller.choose_files)
        self.cancel = Button(tr("Cancel"), kind="quiet", on_click=self.controller.cancel_adding)
        self.cancel.hide()
        self.about = WrappedLabel(
            tr(
                "Skills are folders of instructions and files that a model reads when a request needs them. "
                "They are found where other programs keep theirs, and are off until you review them and turn "
                "them on: here for all chats, with the wrench below a chat for that chat, or with / for one "
                "message."
            ),
            role="mute",
        )
        self.empty = card(
            WrappedLabel(
                tr(
                    "Drop a folder with a SKILL.md or an archive here. Skills in the folders of Claude Code, "
                    "Codex and others, such as ~/.agents/skills, are listed automatically."
                ),
                role="mute",
            ),
            title=tr("No skills yet"),
        )
        self.empty.hide()
        self.nothing = Label(tr("Looking for skills…"), role="mute")
        self.more = Button("", kind="link", on_click=self._show_more)
        self.folders = PathList(tr(BY_KEY[SKILL_FOLDERS].label), of_folders=True)
        self.folders.changed.connect(self.controller.change_folders)
        self._list = column(spacing=SPACE_M)
        self._arrange()
        self.drop = DropArea(self, icon="file-plus", describe=_describe_drop, on_dropped=self.controller.add)

    def show_skills(self, skills: Sequence[Skill], *, used: Sequence[str], folders: tuple[str, ...]) -> None:
        """Show these skills, ``used`` in all chats; focus is kept."""
        self.folders.show_paths(folders)
        self.empty.setVisible(not skills)
        shown = tuple(sorted(skills, key=lambda skill: (_ORDER.index(skill.state), skill.name.casefold())))
        self._skills, self._used = shown, tuple(used)
        focused = self.window().focusWidget()
        held = focused.accessibleName() if focused is not None and self._has(focused) else ""
        known = {skill.folder: skill for skill in shown}
        stale = [made for folder, made in self.cards.items() if not self._is_true(made, known.get(folder))]
        destroy(*stale)
        self.cards = {folder: made for folder, made in self.cards.items() if made not in stale}
        for made in self.cards.values():
            self._list.removeWidget(made)
        self._show_cards()
        if held:
            self._focus_again(held)

    def show_added(self, added: Sequence[Skill]) -> None:
        """Say what was added."""
        names = ", ".join(skill.name for skill in added[:5])
        self.notices.show_banner("added", tr("Added: {names}").format(names=names), tone=Tone.INFO)

    def set_busy(self, *, is_busy: bool) -> None:
        """Show whether skills are being added."""
        if is_busy:
            self.notices.remove("problem")
            self.notices.remove("added")
        self.add.set_label(tr("Adding…") if is_busy else tr("Add skill…"))
        self.add.setEnabled(not is_busy)
        self.cancel.setVisible(is_busy)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.controller.refresh()

    def _is_true(self, made: SkillCard, skill: Skill | None) -> bool:
        """Whether a card shows a skill as it is now; its switch may have been clicked in vain."""
        is_used = made.skill.key in self._used and made.skill.state is SkillState.READY
        return made.skill == skill and made.used.isChecked() == is_used

    def _has(self, widget: QWidget) -> bool:
        return any(made.isAncestorOf(widget) for made in self.cards.values())

    def _focus_again(self, name: str) -> None:
        parts = (
            part
            for made in self.cards.values()
            for part in made.findChildren(QWidget)
            if not part.isHidden() and part.isEnabled()
        )
        part = next((part for part in parts if part.accessibleName() == name), self.search)
        part.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _show_cards(self) -> None:
        """Show the skills that match the search, each card made when it is first shown."""
        text = self.search.text()
        n_shown = n_matching = n_before = 0
        for skill in self._skills:
            is_wanted = _matches(skill, text)
            n_matching += is_wanted
            is_shown = is_wanted and n_shown < self._most
            n_shown += is_shown
            if is_shown and skill.folder not in self.cards:
                made = SkillCard(skill, is_used=skill.key in self._used, actions=self.controller)
                self.cards[skill.folder] = made
            if skill.folder in self.cards:
                if self._list.indexOf(self.cards[skill.folder]) < 0:
                    self._list.insertWidget(n_before, self.cards[skill.folder])
                self.cards[skill.folder].setVisible(is_shown)
                n_before += 1
        self.nothing.setText(tr("No matching skills"))
        self.nothing.setVisible(bool(self._skills) and not n_matching)
        n_more = n_matching - n_shown
        self.more.set_label(tr("Show %n more|Show %n more", "", n_more))
        self.more.setVisible(bool(n_more))

    def _show_more(self) -> None:
        self._most += MOST
        self._show_cards()

    def _arrange(self) -> None:
        folders = card(
            WrappedLabel(tr(BY_KEY[SKILL_FOLDERS].help), role="mute"),
            self.folders,
            title=tr(BY_KEY[SKILL_FOLDERS].label),
        )
        body = column(
            self.about,
            self.nothing,
            self.empty,
            boxed(self._list),
            self.more,
            folders,
            stretch(),
            spacing=SPACE_L,
        )
        self.more.hide()
        self.arrange(body, tools=boxed(row(self.cancel, self.add, spacing=SPACE_M)))


def _matches(skill: Skill, text: str) -> bool:
    """Whether name, description and place contain every word of ``text``."""
    texts = f"{skill.name} {skill.description} {skill.origin} {skill.folder}".casefold()
    return all(word in texts for word in text.casefold().split())


def _describe_drop(paths: list[str]) -> tuple[str, str] | None:
    if all(path.lower().endswith(_ENDINGS) or not PurePath(path).suffix for path in paths):
        return tr("Add skill"), tr("It is listed here, and off until you turn it on.")
    return None
