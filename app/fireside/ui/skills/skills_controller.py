"""Carry out the actions of the page of skills."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, SkillsChanged
from fireside.core.i18n import tr
from fireside.core.skills import Skill, SkillState
from fireside.settings.conversions import tool_options
from fireside.settings.definitions_tools import SKILL_FOLDERS, SKILLS
from fireside.settings.values import AppLayer
from fireside.ui.kit.file_dialogs import choose_files
from fireside.ui.skills.skill_sheet import SkillSheet
from fireside.ui.tasks import LatestRequest, task
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.skills.skills_page import SkillsPage


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
