"""Add imported projects: a new folder for each, or what is new of one that is here already."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.chat import Folder
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.i18n import tr
from fireside.core.ids import FolderId
from fireside.core.options import SettingValue
from fireside.core.os_errors import render_os_error
from fireside.core.project import (
    IMPORTED_FACTS_KEY,
    IMPORTED_KEY,
    ORIGIN_KEY,
    SUGGESTED_FACTS_KEY,
    document_mark,
    suggested_facts,
)
from fireside.files.private_files import make_private_folder
from fireside.services.transfer.conversation_export import (
    document_name,
    file_name,
    name_room,
    prepare_folder,
)
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.services.transfer.project_archive import IncomingDocument, IncomingProject, fresh_name
from fireside.storage.store import Store

_NAME_CHARACTERS: Final = 100
AddFiles = Callable[[FolderId, Sequence[str]], Awaitable[object]]
"""Adds files and folders to the documents of a project."""


class ProjectDocuments(msgspec.Struct, frozen=True, kw_only=True):
    """The documents of projects: where those of imported ones are kept, and what adds and lists them."""

    folder: Path
    add: AddFiles
    listed: Callable[[FolderId], Awaitable[Sequence[tuple[str, int]]]]
    """Returns the paths and sizes in bytes of the documents of a project."""


class AddedProject(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a project that was imported."""

    folder: Folder
    is_new: bool
    note: str
    """One or two sentences for the user."""


class ProjectImport:
    """Adds projects to the store. Without ``documents`` their documents stay in the file."""

    def __init__(self, store: Store, *, documents: ProjectDocuments | None) -> None:
        self._store = store
        self._documents = documents

    async def add(self, project: IncomingProject) -> AddedProject:
        """Add a project, or what is new of it.

        Its name is never that of another. What was changed here since the last import stays. Raises
        ``StorageError`` or ``InvalidText``.
        """
        folders = await self._store.folders.all()
        known = next((each for each in folders if is_from(each, project.origin, self._store)), None)
        if known is None:
            name = fresh_name(project.name[:_NAME_CHARACTERS], used=(each.name for each in folders))
            folder = await self._store.folders.create(name=name)
            if project.colour is not None:
                await self._store.folders.set_colour(folder.id, colour=project.colour)
            n_kept = 0
            settings = {**project.settings, ORIGIN_KEY: project.origin, IMPORTED_KEY: _encoded(project)}
        else:
            folder = known
            settings, n_kept = _merged(known, project)
        settings, n_suggested = await self._with_facts(folder, settings, project)
        if settings != folder.settings:
            await self._store.folders.set_settings(folder.id, settings)
        sentences = [_what_happened(folder.name, is_new=known is None, n_kept=n_kept)]
        if n_suggested:
            sentences.append(
                tr(
                    "1 fact of it waits for you on its page.|%n facts of it wait for you on its page.",
                    "",
                    n_suggested,
                )
            )
        if project.left_off and known is None:
            sentences.append(
                tr("Off until you turn them on under Tools on its page: {names}.").format(
                    names=", ".join(project.left_off)
                )
            )
        if project.documents:
            sentences.append(await self._add_documents(folder, project))
        return AddedProject(
            folder=await self._store.folders.get(folder.id),
            is_new=known is None,
            note=" ".join(filter(None, sentences)),
        )

    async def _with_facts(
        self, folder: Folder, settings: dict[str, SettingValue], project: IncomingProject
    ) -> tuple[dict[str, SettingValue], int]:
        """Return the settings with the facts that are new in the file as suggestions, and how many these
        are: models are told nothing that the user has not confirmed."""
        known = settings.get(IMPORTED_FACTS_KEY)
        seen = known if isinstance(known, tuple) else ()
        here = {each.text for each in await self._store.facts.all() if each.place.folder_id == folder.id}
        new = tuple(fact for fact in project.facts if fact not in seen and fact not in here)
        if not new:
            return settings, 0
        waiting = (*suggested_facts(settings), *new)
        return {**settings, SUGGESTED_FACTS_KEY: waiting, IMPORTED_FACTS_KEY: (*seen, *new)}, len(new)

    async def _add_documents(self, folder: Folder, project: IncomingProject) -> str:
        """Keep the documents and add them to the project; return what became of them, as a sentence."""
        n_documents = len(project.documents)
        if self._documents is None:
            return tr(
                "Its document stays in the file; importing it in the window adds it.|"
                "Its %n documents stay in the file; importing it in the window adds them.",
                "",
                n_documents,
            )
        target = self._documents.folder / _folder_name(project)
        try:
            n_new = await asyncio.to_thread(_write_new, project.documents, target)
        except OSError as exc:
            return tr("Its documents cannot be kept: {reason}.").format(reason=render_os_error(exc))
        except ImportRefused as refused:
            return tr("Not all of its documents are here: {reason}").format(reason=refused.reason)
        if not n_new:
            return ""
        await self._documents.add(folder.id, [str(target)])
        return tr("1 document added.|%n documents added.", "", n_new)


def is_from(folder: Folder, origin: str, store: Store) -> bool:
    """Return whether a folder is the project that is called ``origin`` wherever it is."""
    return origin in (folder.settings.get(ORIGIN_KEY), store.name_of_folder(folder.id))


def _merged(known: Folder, project: IncomingProject) -> tuple[dict[str, SettingValue], int]:
    """Return a project's settings with what changed elsewhere, and how many values stay as changed here."""
    try:
        before = decode_json(str(known.settings.get(IMPORTED_KEY, "{}")), kind=dict[str, SettingValue])
    except JsonInvalid:
        before = {}
    merged, n_kept = dict(known.settings), 0
    for key in {**before, **project.settings}:
        theirs, ours = project.settings.get(key), known.settings.get(key)
        if theirs == before.get(key) or theirs == ours:
            continue
        if ours != before.get(key):
            n_kept += 1
        elif theirs is None:
            merged.pop(key, None)
        else:
            merged[key] = theirs
    if ORIGIN_KEY in merged:
        merged[IMPORTED_KEY] = _encoded(project)
    return merged, n_kept


def _encoded(project: IncomingProject) -> str:
    return msgspec.json.encode(project.settings, order="sorted").decode()


def _what_happened(name: str, *, is_new: bool, n_kept: int) -> str:
    if is_new:
        return tr("Project “{name}” imported.").format(name=name)
    if n_kept:
        return tr(
            "Project “{name}” was here; what you changed in it stays.",
        ).format(name=name)
    return tr("Project “{name}” was here already.").format(name=name)


def _folder_name(project: IncomingProject) -> str:
    """Return the name of the folder of a project's documents: the same at each import."""
    return file_name(project.name, suffix=f" {document_mark(project.origin)}", used=set())


def _write_new(documents: Sequence[IncomingDocument], folder: Path) -> int:
    """Write the documents that are not in ``folder`` with the same content yet; return how many. Blocks;
    raises ``OSError`` or ``ImportRefused``."""
    make_private_folder(folder)
    used, room = prepare_folder(folder), name_room(folder)
    present = {_digest(path.read_bytes()) for path in folder.iterdir() if path.is_file()}
    n_new = 0
    for document in documents:
        content = document.read()
        if (digest := _digest(content)) in present:
            continue
        present.add(digest)
        name = document_name(document.name, used=used, room=room)
        with (folder / name).open("xb") as file:
            file.write(content)
        n_new += 1
    return n_new


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
