"""The sheet in which a skill is reviewed, and the controller of the page of skills."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.errors import FiresideError, format_bytes
from fireside.core.events import AppEvent, SkillsChanged
from fireside.core.i18n import tr
from fireside.core.skills import PYTHON_ENDING, SCRIPT_ENDINGS, Skill, SkillChange, SkillState
from fireside.settings.conversions import tool_options
from fireside.settings.definitions_tools import SKILL_FOLDERS, SKILLS
from fireside.settings.values import AppLayer
from fireside.ui.kit.fact_grid import FactGrid
from fireside.ui.kit.file_dialogs import choose_files
from fireside.ui.kit.layout import row, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.skills.skill_card import cost_text, origin_text
from fireside.ui.tasks import LatestRequest, task
from fireside.ui.theme import SPACE_M, theme
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.text import Label, WrappedLabel
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.skills.skills_page import SkillsPage

# The sheet in which the user reviews a skill: what it claims, its files, and what changed.

_CHANGES: Final = ""
"""The entry of the list of files that shows what changed."""
_MIN_TEXT_PX: Final = 180


class SkillSheet(Sheet):
    """Open it with ``open()``; it asks ``on_file`` for the first text by itself."""

    def __init__(
        self,
        skill: Skill,
        *,
        will_use: bool,
        on_file: Callable[[SkillSheet, str], object],
        on_confirmed: Callable[[SkillSheet], object],
        parent: QWidget,
    ) -> None:
        """``on_file`` gets the path of a file, empty for all changes, and calls ``show_text`` or
        ``show_changes``; ``on_confirmed`` closes the sheet or calls ``show_error``. ``will_use`` is whether
        chats use the skill from then on."""
        super().__init__(skill.name, parent=parent, size=SheetSize.LARGE, fills=True)
        self.skill = skill
        self.will_use = will_use
        self._on_file = on_file
        self._on_confirmed = on_confirmed
        self.facts = FactGrid(_facts(skill))
        self.files = ComboBox(name=tr("File"))
        if skill.state is SkillState.CHANGED:
            self.files.addItem(tr("What changed"), _CHANGES)
        for file in skill.files:
            self.files.addItem(f"{file.path}  ({format_bytes(file.n_bytes)})", file.path)
        self.files.currentIndexChanged.connect(self._ask)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("Content of the file"))
        self.text.setMinimumHeight(theme().scaled(_MIN_TEXT_PX))
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.confirm = self.make_button(
            tr("Use in chats") if will_use else tr("Confirm"), self._confirm, kind="primary"
        )
        self.confirm.setParent(self)  # also where it is not shown
        self._arrange()
        self._ask()

    @property
    def _needs_review(self) -> bool:
        return self.skill.state in (SkillState.NEW, SkillState.CHANGED)

    def show_text(self, path: str, text: str) -> None:
        """Show a file, if it is still the chosen one; it is not text where ``text`` is empty."""
        if path == self.files.currentData():
            self.text.setPlainText(text or tr("This file is not text, or is empty."))

    def show_changes(self, changes: Sequence[SkillChange]) -> None:
        """Show what changed, if that is still chosen."""
        if self.files.currentData() != _CHANGES:
            return
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        plain, strong, added, removed = (QTextCharFormat() for _ in range(4))
        strong.setFontWeight(600)
        added.setForeground(theme().colour("ok"))
        removed.setForeground(theme().colour("danger"))
        for change in changes:
            cursor.insertText(f"{_title(change)}\n", strong)
            lines = change.diff.splitlines() or [tr("The difference cannot be shown.")]
            for line in lines:
                is_changed = {"+": added, "-": removed}.get(line[:1], plain)
                cursor.insertText(f"{line}\n", is_changed if change.diff else plain)
            cursor.insertText("\n", plain)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def show_error(self, error: FiresideError) -> None:
        """Show why a file cannot be shown, or the skill not be confirmed."""
        self.show_status(error.sentence())
        self.confirm.setEnabled(True)

    @Slot()
    def _ask(self) -> None:
        self.show_status("")
        self.text.setFont(theme().mono_font(13))
        self.text.setPlainText(tr("Loading…"))
        self._on_file(self, str(self.files.currentData()))

    def _confirm(self) -> None:
        self.show_status("")
        self.confirm.setEnabled(False)
        self._on_confirmed(self)

    def _arrange(self) -> None:
        about = (
            tr("The model follows what others wrote here: read it before you use the skill.")
            if self._needs_review
            else ""
        )
        notes = WrappedLabel(_notes(self.skill), role="small")
        buttons: tuple[QWidget, ...] = (
            (self.make_cancel(), self.confirm) if self._needs_review else (self.make_close(is_default=True),)
        )
        self.set_content(
            self.facts,
            notes,
            row(Label(tr("File"), role="mute"), stretch(self.files), spacing=SPACE_M),
            stretch(self.text),
            about=about,
            buttons=(stretch(), *buttons),
        )
        notes.setHidden(not notes.text())
        self.files.setFocus(Qt.FocusReason.OtherFocusReason)


def _facts(skill: Skill) -> tuple[tuple[str, str], ...]:
    return (
        (tr("Description"), skill.description),
        (tr("Command"), f"/{skill.key}" if skill.key else ""),
        (tr("From"), origin_text(skill)),
        (tr("Folder"), skill.folder),
        (tr("Cost"), cost_text(skill)),
        (tr("Licence"), skill.licence),
        (tr("Needs"), skill.compatibility),
        (tr("Tools it asks for"), skill.allowed_tools),
    )


def _notes(skill: Skill) -> str:
    """Return what of the skill works differently here."""
    endings = {file.ending for file in skill.files} & SCRIPT_ENDINGS
    notes = []
    if skill.allowed_tools:
        notes.append(tr("What it asks for is not granted: your own choices in Tools count."))
    if PYTHON_ENDING in endings:
        notes.append(tr("Its Python scripts run only with the Python tool, when you allow the call."))
    if endings - {PYTHON_ENDING}:
        notes.append(tr("Scripts other than Python are not run."))
    if skill.left_out:
        names = ", ".join(skill.left_out[:20])
        notes.append(tr("Not read, as they are links or no files: {names}").format(names=names))
    return "\n".join(notes)


def _title(change: SkillChange) -> str:
    if change.is_added:
        return tr("{path} (added)").format(path=change.path)
    if change.is_removed:
        return tr("{path} (removed)").format(path=change.path)
    return change.path


class SkillsController(QObject):
    """The controller of the ``SkillsPage``. GUI thread only."""

    def __init__(self, context: WindowContext, *, page: SkillsPage, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._client = context.client
        self._tasks = context.tasks
        self._page = page
        self._used: tuple[str, ...] = ()
        self._adding: asyncio.Task[Any] | None = None
        self._listing = LatestRequest(context.tasks)
        self._reading = LatestRequest(context.tasks)
        self.sheet: SkillSheet | None = None
        """The sheet that is open."""

    def handle_in_front(self, event: AppEvent) -> None:
        """Show changed skills; the page asks for them whenever it is shown."""
        if isinstance(event, SkillsChanged):
            self.refresh()

    def refresh(self) -> None:
        """Look for skills, and show what is found."""

        async def load() -> tuple[tuple[Skill, ...], tuple[str, ...], tuple[str, ...]]:
            resolved = await self._client.settings.resolved(model_id=None, conversation_id=None)
            folders = next(each.value for each in resolved if each.definition.key == SKILL_FOLDERS)
            skills = await self._client.skills.skills()
            return skills, tool_options(resolved).skills, folders if isinstance(folders, tuple) else ()

        def show(found: tuple[tuple[Skill, ...], tuple[str, ...], tuple[str, ...]]) -> None:
            skills, self._used, folders = found
            self._page.show_skills(skills, used=self._used, folders=folders)

        self._listing.run(load(), on_done=show, on_error=self._on_error)

    def use_in_chats(self, skill: Skill, is_used: bool) -> None:
        """Set whether chats without a choice of their own use a skill; one that is not reviewed is shown
        first."""
        if is_used and skill.state is not SkillState.READY:
            self.view(skill, will_use=True)
        else:
            self._use(skill, is_used)

    def view(self, skill: Skill, will_use: bool = False) -> None:
        """Open the sheet of a skill."""
        self.sheet = SkillSheet(
            skill,
            will_use=will_use,
            on_file=self._read,
            on_confirmed=self._confirm,
            parent=self._context.window,
        )
        self.sheet.finished.connect(self._on_closed)
        self.sheet.open()

    def choose_files(self) -> None:
        """Ask for archives of skills."""
        filters = (tr("Skills (*.zip *.skill SKILL.md)"), tr("All files (*)"))
        choose_files(self._context.window, tr("Add skill"), self.add, filters=filters)

    def add(self, paths: Sequence[str]) -> None:
        """Add folders and archives; none of their skills is on then."""
        if self._adding is not None:
            return

        async def add_all() -> tuple[Skill, ...]:
            return tuple([skill for path in tuple(paths) for skill in await self._client.skills.add(path)])

        def on_done(added: tuple[Skill, ...]) -> None:
            self._page.show_added(added)
            if len(added) == 1 and added[0].state in (SkillState.NEW, SkillState.CHANGED):
                self.view(added[0])

        self._page.set_busy(is_busy=True)
        self._adding = self._tasks.run(add_all(), on_done=on_done, on_error=self._on_error)
        if self._adding is not None:
            self._adding.add_done_callback(lambda _: self._end_adding())

    def cancel_adding(self) -> None:
        """Stop adding; what was added stays."""
        if self._adding is not None:
            self._adding.cancel()

    @task
    async def remove(self, skill: Skill) -> None:
        """Move one of Fireside's own skills to the trash."""
        await self._client.skills.remove(skill.folder)

    @task
    async def change_folders(self, paths: tuple[str, ...]) -> None:
        """Set the folders in which skills are looked for besides those of other programs."""
        try:
            await self._client.settings.change(AppLayer(), key=SKILL_FOLDERS, value=paths)
        finally:
            self.refresh()

    @task
    async def _use(self, skill: Skill, is_used: bool) -> None:
        others = tuple(name for name in self._used if name != skill.key)
        value = (*others, skill.key) if is_used else others
        try:
            await self._client.settings.change(AppLayer(), key=SKILLS, value=value)
        finally:
            self.refresh()

    def _read(self, sheet: SkillSheet, path: str) -> None:
        folder = sheet.skill.folder
        if path:
            self._reading.run(
                self._client.skills.text(folder, path),
                on_done=lambda text: sheet.show_text(path, text),
                on_error=sheet.show_error,
            )
        else:
            self._reading.run(
                self._client.skills.changes(folder), on_done=sheet.show_changes, on_error=sheet.show_error
            )

    @task
    async def _confirm(self, sheet: SkillSheet) -> None:
        skill = sheet.skill
        try:
            await self._client.skills.confirm(skill.folder, skill.fingerprint)
        except FiresideError as error:
            sheet.show_error(error)
            return
        if sheet.will_use:
            self._use(skill, True)
        sheet.accept()

    @Slot()
    def _on_closed(self) -> None:
        self.sheet = None
        self.refresh()  # a switch that led here shows what is in force

    def _end_adding(self) -> None:
        self._adding = None
        self._page.set_busy(is_busy=False)
        self.refresh()

    def _on_error(self, error: FiresideError) -> None:
        self._page.show_problem(error.sentence())
