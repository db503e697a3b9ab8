"""List, add, review and remove skills, and read them for chats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from fireside.core.errors import ToolServerError
from fireside.core.events import AppEvent, SkillsChanged
from fireside.core.for_window import for_window
from fireside.core.i18n import Translatable, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.skills import SKILL_FILE, Skill, SkillChange, SkillState
from fireside.services.preferences import Preferences
from fireside.settings.definitions_tools import SKILL_FOLDERS
from fireside.settings.values import AppLayer

if TYPE_CHECKING:
    from fireside.services.skills.reviews import Reviews
    from fireside.services.skills.skill_folders import SkillCache

T = TypeVar("T")


class SkillParts(msgspec.Struct, frozen=True, kw_only=True):
    """Where skills are."""

    own: Path
    """Fireside's folder, into which archives are unpacked."""
    reviews: Path
    """The folder of what the user has reviewed."""
    home: Path
    environ: Mapping[str, str]
    """Says where other programs have their folders."""
    trash: Callable[[str], None]
    """Moves a folder to the trash. Raises ``OSError``."""


class SkillService:
    """On the engine's loop; folders are read in a thread, and only when they are asked for.

    All methods raise ``ToolServerError``.
    """

    def __init__(
        self, parts: SkillParts | None, *, preferences: Preferences, emit: Callable[[AppEvent], None]
    ) -> None:
        """Without ``parts`` there are no skills."""
        self._optional_parts = parts
        self._preferences = preferences
        self._emit = emit
        self._lock = asyncio.Lock()

    @for_window
    async def skills(self) -> tuple[Skill, ...]:
        """Return all skills: Fireside's own, of folders that the user added, and of other programs."""
        if self._optional_parts is None:
            return ()
        added = await self._added()

        def find() -> tuple[Skill, ...]:
            from fireside.services.skills.skill_folders import Place, find_skills, usual_places

            places = (
                Place(folder=self._parts.own, is_own=True),
                *(Place(folder=Path(folder), is_added=True) for folder in added),
                *usual_places(self._parts.environ, home=self._parts.home),
            )
            return tuple(map(self._reviews.with_state, find_skills(places, self._cache)))

        return await self._in_thread(find)

    async def ready(self, keys: Sequence[str]) -> tuple[Skill, ...]:
        """Return those of ``keys`` that are as the user reviewed them, by key. Reads nothing for none."""
        if not keys:
            return ()
        found = (skill for skill in await self.skills() if skill.key in keys)
        return tuple(sorted((s for s in found if s.state is SkillState.READY), key=lambda skill: skill.key))

    @for_window
    async def add(self, path: str) -> tuple[Skill, ...]:
        """Add the skills of an archive, by unpacking it, or of a folder, which stays where it is.

        A folder may be a skill, or have some in it. Returns the added skills, of which none is on.
        """

        def unpack_or_find() -> tuple[str, tuple[str, ...]]:
            from fireside.services.skills.skill_archive import unpack_skills
            from fireside.services.skills.skill_folders import Place, SkillRefused, find_skills

            source = Path(path).expanduser().absolute()
            if source.name.upper() == SKILL_FILE.upper():
                source = source.parent
            if not source.is_dir():
                return "", unpack_skills(source, below=self._parts.own)
            found = find_skills((Place(folder=source, is_added=True),), self._cache)
            if not found:
                raise SkillRefused(tr_noop("There is no SKILL.md in it."))
            return str(source), tuple(skill.folder for skill in found)

        added, folders = await self._in_thread(unpack_or_find)
        known = await self._added()
        if added and added not in known:
            await self._preferences.change(AppLayer(), key=SKILL_FOLDERS, value=(*known, added))
        self._emit(SkillsChanged())
        return tuple(skill for skill in await self.skills() if skill.folder in folders)

    @for_window
    async def remove(self, folder: str) -> None:
        """Move one of Fireside's own skills to the trash."""
        skill = await self._skill(folder)
        if not skill.is_own:
            raise ToolServerError.of("skill_not_own", name=skill.name)

        def remove() -> None:
            self._parts.trash(folder)
            self._reviews.forget(folder)

        await self._in_thread(remove)
        self._emit(SkillsChanged())

    @for_window
    async def confirm(self, folder: str, fingerprint: str) -> None:
        """Store that the user has reviewed a skill as it was listed with ``fingerprint``."""
        skill = await self._skill(folder)
        if skill.fingerprint != fingerprint or skill.state is SkillState.UNUSABLE:
            raise ToolServerError.of("skill_changed_meanwhile", name=skill.name)
        await self._in_thread(lambda: self._reviews.add(skill))
        self._emit(SkillsChanged())

    @for_window
    async def changes(self, folder: str) -> tuple[SkillChange, ...]:
        """Return how a skill differs from what the user reviewed; nothing for one that is new."""
        skill = await self._skill(folder)
        return await self._in_thread(lambda: self._reviews.changes(skill))

    @for_window
    async def text(self, folder: str, path: str) -> str:
        """Return a file of a skill for the user, with its invisible characters named; empty for one that is
        not text."""
        from fireside.services.skills.skill_folders import visible

        content = await self.read(await self._skill(folder), path)
        return "" if content is None else visible(content)

    @for_window
    async def instructions(self, folder: str, *, has_python: bool) -> str:
        """Return the instructions of a reviewed skill, to be attached to a message. ``has_python`` is whether
        the chat runs code."""
        from fireside.services.skills.skill_folders import instructions

        skill = await self._skill(folder)
        if skill.state is not SkillState.READY:
            raise ToolServerError.of("skill_changed_meanwhile", name=skill.name)
        text = await self.read(skill, skill.files[0].path) or ""
        begin = f"The user wants the skill “{skill.key}” to be used for this message. Its instructions:"
        return f"{begin}\n\n{instructions(skill, text, has_python=has_python)}"

    async def read(self, skill: Skill, path: str) -> str | None:
        """Return the text of a file of a skill, exactly as it was listed; ``None`` for one that is not text.

        ``path`` is looked up in the skill's list, so that no other file can be reached. Raises
        ``RecordNotFound`` for another one.
        """
        file = next((file for file in skill.files if file.path == path), None)
        if file is None:
            raise ToolServerError.of("skill_file_not_found", name=skill.name, path=path)

        def read() -> str | None:
            from fireside.services.skills.skill_folders import decoded, read_bytes

            return decoded(read_bytes(Path(skill.folder), file))

        return await self._in_thread(read)

    async def _skill(self, folder: str) -> Skill:
        skill = next((each for each in await self.skills() if each.folder == folder), None)
        if skill is None:
            raise ToolServerError.of("skill_not_found", name=folder)
        return skill

    async def _added(self) -> tuple[str, ...]:
        resolved = await self._preferences.resolved(model_id=None, conversation_id=None)
        value = next(each.value for each in resolved if each.definition.key == SKILL_FOLDERS)
        return msgspec.convert(value, tuple[str, ...])

    async def _in_thread(self, work: Callable[[], T]) -> T:
        from fireside.services.skills.skill_folders import SkillRefused

        async with self._lock:
            try:
                return await asyncio.to_thread(work)
            except SkillRefused as exc:
                reason: Translatable = exc.reason
                raise ToolServerError.of("skill_refused", reason=reason) from exc
            except OSError as exc:
                raise ToolServerError.of("skill_refused", reason=f"{render_os_error(exc)}.") from exc

    @property
    def _parts(self) -> SkillParts:
        if self._optional_parts is None:
            raise ToolServerError.of("skill_refused", reason=tr_noop("There are no skills here."))
        return self._optional_parts

    @cached_property
    def _cache(self) -> SkillCache:
        from fireside.services.skills.skill_folders import SkillCache

        return SkillCache()

    @cached_property
    def _reviews(self) -> Reviews:
        from fireside.services.skills.reviews import Reviews

        return Reviews(self._parts.reviews)
