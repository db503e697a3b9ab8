"""Projects: folders that set something for their chats, and what is different for a chat that is moved."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Final

from fireside.core.chat import Folder
from fireside.core.collection import Collection
from fireside.core.events import AppEvent, FoldersChanged
from fireside.core.for_window import for_window
from fireside.core.ids import CollectionId, ConversationId, FolderId
from fireside.core.options import NO_SETTINGS, SettingValue
from fireside.core.preset import SYSTEM_PROMPT_KEY, AppliedPreset, with_preset, without_preset
from fireside.core.project import (
    ORIGIN_KEY,
    OWN_COLLECTION_KEY,
    PROJECT_INSTRUCTIONS_KEY,
    MoveEffect,
    document_mark,
)
from fireside.services.collections.collection_service import CollectionService
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import attached_collections
from fireside.settings.definitions_tools import MEMORY, SWITCHES, TOOL_KEYS
from fireside.settings.values import by_key

log = logging.getLogger(__name__)
_TOLD: Final = ("sampling.", "answer.", TOOL_KEYS, SYSTEM_PROMPT_KEY)
"""Prefixes of the settings whose change the user is told of."""


class ProjectService:
    """What projects set for their chats, besides single settings (``Preferences.change``).

    All raise ``StorageError``, which includes ``RecordNotFound``. Changes arrive as ``FoldersChanged``.
    """

    def __init__(self, context: ServiceContext, *, collections: CollectionService) -> None:
        self._store = context.store
        self._preferences = context.preferences
        self._collections = collections
        self._emit: Callable[[AppEvent], None] = context.emit

    @for_window
    async def apply_preset(self, folder_id: FolderId, preset: AppliedPreset) -> None:
        """Apply a preset to a project, replacing the one before. Raises ``SettingInvalid``."""
        settings = (await self._store.folders.get(folder_id)).settings
        checked = self._preferences.checked(preset.settings, own=without_preset(settings))
        applied = AppliedPreset(name=preset.name, settings=checked)
        await self._replace_settings(folder_id, with_preset(settings, applied))

    @for_window
    async def remove_preset(self, folder_id: FolderId) -> None:
        """Remove the preset of a project; settings that the user changed since stay."""
        settings = (await self._store.folders.get(folder_id)).settings
        await self._replace_settings(folder_id, without_preset(settings))

    @for_window
    async def add_files(self, folder_id: FolderId, paths: Sequence[str]) -> CollectionId:
        """Add files and folders by their absolute paths to the project's own collection, which is created and
        attached where the project has none."""
        folder = await self._store.folders.get(folder_id)
        own = await self._own_collection(folder)
        if own is None:
            own = await self._collections.create(name=folder.name, roots=paths)
            await self._replace_settings(folder_id, {**folder.settings, OWN_COLLECTION_KEY: own.id})
        else:
            await self._collections.add_roots(own.id, paths)
        if own.id not in folder.collections:
            await self._store.folders.set_collections(folder_id, collections=(*folder.collections, own.id))
            await self._emit_folders()
        return own.id

    async def purge(self, files: Path, *, used: Set[str]) -> None:
        """Remove deleted projects for good, and their documents in ``files``, the folder of those of imported
        projects, with the collections of these alone.

        Documents of a collection that is ``used`` elsewhere stay. What cannot be deleted is left to the next
        time.
        """
        live = await self._store.folders.all()
        kept = {*used, *(id_ for folder in live for id_ in folder.collections)}
        for folder in await self._store.folders.deleted():
            origin = str(folder.settings.get(ORIGIN_KEY) or self._store.name_of_folder(folder.id))
            try:
                for path in await asyncio.to_thread(_folders_of, origin, files):
                    await self._remove_documents(path, kept=kept)
            except OSError:
                log.warning("the documents of a deleted project cannot be deleted", exc_info=True)
            else:
                await self._store.folders.purge(folder.id)

    async def _remove_documents(self, path: Path, *, kept: Set[str]) -> None:
        readers = [each for each in await self._collections.collections() if str(path) in each.roots]
        if any(each.id in kept for each in readers):
            return
        for each in readers:
            if each.roots == (str(path),):
                await self._collections.remove(each.id)
            else:
                await self._collections.remove_root(each.id, str(path))
        await asyncio.to_thread(shutil.rmtree, path)

    async def documents(self, folder_id: FolderId) -> tuple[tuple[str, int], ...]:
        """Return the paths and sizes in bytes of the files of the project's collections, each once."""
        folder = await self._store.folders.get(folder_id)
        known = {each.id for each in await self._collections.collections()}
        sizes: dict[str, int] = {}
        for id_ in folder.collections:
            if id_ in known:
                sizes |= {each.path: each.size_bytes for each in await self._collections.sources(id_)}
        return tuple(sizes.items())

    @for_window
    async def effect_of_move(
        self, ids: Sequence[ConversationId], *, folder_id: FolderId | None
    ) -> MoveEffect:
        """Return what would be different for these chats, taken together, in another folder."""
        target = None if folder_id is None else await self._store.folders.get(folder_id)
        names = {each.id: each.name for each in await self._collections.collections()}
        effects = [await self._effect(id_, target, names) for id_ in ids]

        def joined(part: Callable[[MoveEffect], Iterable[str]]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(each for effect in effects for each in part(effect)))

        return MoveEffect(
            loses_instructions=any(effect.loses_instructions for effect in effects),
            gains_instructions=any(effect.gains_instructions for effect in effects),
            lost_collections=joined(lambda effect: effect.lost_collections),
            gained_collections=joined(lambda effect: effect.gained_collections),
            n_lost_facts=max((effect.n_lost_facts for effect in effects), default=0),
            n_gained_facts=max((effect.n_gained_facts for effect in effects), default=0),
            tools_off=joined(lambda effect: effect.tools_off),
            tools_on=joined(lambda effect: effect.tools_on),
            changed=joined(lambda effect: effect.changed),
            keeps_model=any(effect.keeps_model for effect in effects),
        )

    async def _effect(
        self, conversation_id: ConversationId, target: Folder | None, names: Mapping[CollectionId, str]
    ) -> MoveEffect:
        origin = await self._store.folders.folder_of(conversation_id)
        own = await self._store.conversations.overrides(conversation_id)
        summary = (await self._store.conversations.open(conversation_id)).summary
        resolved = [
            self._preferences.resolved_in(
                NO_SETTINGS if folder is None else folder.settings, own, model_id=summary.model_id
            )
            for folder in (origin, target)
        ]
        before, after = map(by_key, resolved)
        collections = [
            {*map(CollectionId, attached_collections(settings)), *(folder.collections if folder else ())}
            for folder, settings in zip((origin, target), resolved, strict=True)
        ]
        facts = await self._store.facts.all()
        n_facts = [
            sum(folder is not None and fact.place.folder_id == folder.id for fact in facts)
            for folder in (origin, target)
        ]
        changed = [key for key in after if before[key] != after[key]]
        told = [key for key in changed if key.startswith(_TOLD) and key not in SWITCHES]
        has_other_instructions = PROJECT_INSTRUCTIONS_KEY in changed
        model_id = None if target is None else target.model_id
        return MoveEffect(
            loses_instructions=has_other_instructions and bool(before[PROJECT_INSTRUCTIONS_KEY]),
            gains_instructions=has_other_instructions and bool(after[PROJECT_INSTRUCTIONS_KEY]),
            lost_collections=_named(collections[0] - collections[1], names),
            gained_collections=_named(collections[1] - collections[0], names),
            n_lost_facts=n_facts[0] if origin != target and before[MEMORY] else 0,
            n_gained_facts=n_facts[1] if origin != target and after[MEMORY] else 0,
            tools_off=tuple(key for key in SWITCHES if key in changed and not after[key]),
            tools_on=tuple(key for key in SWITCHES if key in changed and after[key]),
            changed=tuple(told),
            keeps_model=model_id is not None and summary.model_id not in (None, model_id),
        )

    async def _own_collection(self, folder: Folder) -> Collection | None:
        id_ = folder.settings.get(OWN_COLLECTION_KEY)
        return next((each for each in await self._collections.collections() if each.id == id_), None)

    async def _replace_settings(self, folder_id: FolderId, settings: Mapping[str, SettingValue]) -> None:
        await self._store.folders.set_settings(folder_id, settings)
        await self._emit_folders()

    async def _emit_folders(self) -> None:
        self._emit(FoldersChanged(folders=await self._store.folders.all()))


def _folders_of(origin: str, files: Path) -> list[Path]:
    """Return the folders of the documents of a project: none, or one. Blocks."""
    if not files.is_dir():
        return []
    mark = document_mark(origin)
    return [each for each in files.iterdir() if each.name.endswith(f" {mark}") and not each.is_symlink()]


def _named(ids: set[CollectionId], names: Mapping[CollectionId, str]) -> tuple[str, ...]:
    """Return the names of the collections that exist, sorted."""
    return tuple(sorted(names[id_] for id_ in ids if id_ in names))
