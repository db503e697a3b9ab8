"""A project as one file: a ZIP archive that Fireside exports and imports.

========================  ==========================================================================
``project.json``          ``ProjectManifest``: its name, colour, settings with instructions, and facts
``chats.json``            its chats, in the format of ``fireside_archive.py``
``documents/…``           the files of its collections, if they were exported too
========================  ==========================================================================

Readers ignore unknown fields and files. The names of documents are names alone: a reader makes paths of them
itself. Tools and folders that chats may use are not imported: no file decides what a model can access.
"""

from __future__ import annotations

import asyncio
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

import msgspec

from fireside.core.chat import Colour, Folder
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.errors import SettingInvalid
from fireside.core.facts import usable_facts
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId
from fireside.core.lenient_json import OnDropped
from fireside.core.options import SettingValue
from fireside.core.project import PROJECT_INSTRUCTIONS_KEY
from fireside.services.transfer.conversation_export import AtomicFile, document_name, unwritable
from fireside.services.transfer.fireside_archive import (
    ARCHIVE_END,
    LATEST_S,
    MAX_ORIGIN,
    archive_entry,
    archive_head,
    without_grants,
)
from fireside.services.transfer.import_refusal import ImportRefused, refuse_invalid
from fireside.services.transfer.import_sources import ImportSource
from fireside.services.transfer.message_trees import clean_title
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import SERVERS, SKILLS, SWITCHES
from fireside.settings.layers import may_override
from fireside.settings.value_check import normalise
from fireside.settings.values import Origin
from fireside.storage.store import Store

FORMAT: Final = "fireside-project"
VERSION: Final = 1
MANIFEST: Final = "project.json"
CHATS: Final = "chats.json"
DOCUMENTS: Final = "documents"
MAX_MANIFEST_BYTES: Final = 8 << 20
MAX_DOCUMENTS: Final = 20_000
MAX_DOCUMENTS_BYTES: Final = 4 << 30
"""Of all documents of a project together."""
_BLOCK_BYTES: Final = 1 << 20
_MOST_NAMES: Final = 20
_NAME_CHARACTERS: Final = 60


class ProjectManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What ``project.json`` holds."""

    format: str = FORMAT
    version: int = VERSION
    exported_at: float = 0.0
    origin: str
    """A globally unique name of the project, so that it is recognised when it is imported again."""
    name: str
    colour: Colour | None = None
    settings: dict[str, SettingValue] = {}
    facts: tuple[str, ...] = ()
    """What is remembered in the project, each on one line."""


class IncomingDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document of a project that is imported. ``read`` raises ``ImportRefused``."""

    name: str
    read: Callable[[], bytes]


class IncomingProject(msgspec.Struct, frozen=True, kw_only=True):
    """A project that is imported, of Fireside or another program, checked."""

    origin: str
    name: str
    colour: Colour | None = None
    settings: dict[str, SettingValue] = {}
    facts: tuple[str, ...] = ()
    """To be confirmed by the user."""
    left_off: tuple[str, ...] = ()
    """Tools, MCP servers and skills that it has on elsewhere: no file turns them on here."""
    documents: tuple[IncomingDocument, ...] = ()
    has_chats: bool = False
    """Whether all chats of the same file are in it, whatever folder they name."""


class _Head(msgspec.Struct, frozen=True):
    format: Any = None
    version: Any = None


def is_project_file(names: Iterable[str]) -> bool:
    """Return whether an archive with files of these names seems to hold a project."""
    return {MANIFEST, CHATS} <= set(names)


def read_project(source: ImportSource) -> IncomingProject:
    """Return the project of an archive. Raises ``ImportRefused``."""
    text = source.read(MANIFEST)
    if len(text) > MAX_MANIFEST_BYTES:
        raise ImportRefused(tr_noop("it is no project file."))
    with refuse_invalid():
        head = msgspec.json.decode(text, type=_Head)
    if head.format != FORMAT or not isinstance(head.version, int) or head.version < 1:
        raise ImportRefused(tr_noop("it is no project file."))
    if head.version > VERSION:
        raise ImportRefused(tr_noop("it is from a newer version of Fireside. Update Fireside to import it."))
    with refuse_invalid():
        manifest = msgspec.json.decode(text, type=ProjectManifest)
    if not 0 < len(manifest.origin) <= MAX_ORIGIN or not 0 <= manifest.exported_at <= LATEST_S:
        raise ImportRefused(tr_noop("it has no usable identifier (“origin”)."))
    names = [name for name in source.names() if PurePosixPath(name).parts[:1] == (DOCUMENTS,)]
    return IncomingProject(
        origin=manifest.origin,
        name=clean_title(manifest.name),
        colour=manifest.colour,
        settings=safe_settings(manifest.settings),
        facts=usable_facts(manifest.facts),
        left_off=_tools_of(manifest.settings),
        documents=bounded_documents(
            IncomingDocument(name=PurePosixPath(name).name, read=partial(source.read, name)) for name in names
        ),
        has_chats=True,
    )


def _tools_of(settings: Mapping[str, SettingValue]) -> tuple[str, ...]:
    """Return the names, for the user, of the tools, servers and skills that settings turn on."""
    built_in = (tr(BY_KEY[key].label) for key in SWITCHES if settings.get(key) is True)
    lists = (value for key in (SERVERS, SKILLS) if isinstance(value := settings.get(key), tuple))
    named = (clean_title(name)[:_NAME_CHARACTERS] for names in lists for name in names[:_MOST_NAMES])
    return (*built_in, *named)


def bounded_documents(documents: Iterable[IncomingDocument]) -> tuple[IncomingDocument, ...]:
    """Return documents whose contents are refused once all together exceed the limit. Raises
    ``ImportRefused``."""
    n_left = MAX_DOCUMENTS_BYTES

    def read(document: IncomingDocument) -> bytes:
        nonlocal n_left
        content = document.read()
        n_left -= len(content)
        if n_left < 0:
            raise ImportRefused(tr_noop("its documents are too large."))
        return content

    listed = tuple(documents)
    if len(listed) > MAX_DOCUMENTS:
        raise ImportRefused(tr_noop("it has too many documents."))
    return tuple(msgspec.structs.replace(each, read=partial(read, each)) for each in listed)


def safe_settings(settings: Mapping[str, SettingValue]) -> dict[str, SettingValue]:
    """Return the settings of a file that a project may have: valid, and without access to anything."""
    instructions = settings.get(PROJECT_INSTRUCTIONS_KEY)
    allowed = {**without_grants(settings), PROJECT_INSTRUCTIONS_KEY: instructions}
    safe: dict[str, SettingValue] = {}
    for key, value in allowed.items():
        definition = BY_KEY.get(key)
        if definition is None or value is None or key == COLLECTIONS_KEY:
            continue
        if may_override(definition, Origin.PROJECT) or definition.per_conversation:
            try:
                safe[key] = normalise(definition, value)
            except SettingInvalid:
                continue
    return safe


def claude_projects(text: bytes, *, on_dropped: OnDropped) -> Iterator[IncomingProject]:
    """Yield the projects of a Claude export: of ``projects.json``, or of one file of the folder
    ``projects``."""
    from fireside.core.lenient_json import loads_leniently

    try:
        value = loads_leniently(text)
    except (msgspec.MsgspecError, RecursionError):
        return
    for index, entry in enumerate(value if isinstance(value, list) else (value,)):
        match entry:
            case {"is_starter_project": True}:
                pass
            case {"docs": []} if not (entry.get("prompt_template") or entry.get("description")):
                pass  # its conversations name it, if it has any
            case {"uuid": str(uuid), "name": str(name), "docs": [*docs]} if uuid:
                yield _claude_project(entry, uuid=uuid, name=name, docs=docs, on_dropped=on_dropped)
            case {"docs": _, "name": _} | {"prompt_template": _}:
                on_dropped(f"[{index}]")
            case _:
                pass


def _claude_project(
    entry: Mapping[Any, Any], *, uuid: str, name: str, docs: Sequence[Any], on_dropped: OnDropped
) -> IncomingProject:
    documents: list[IncomingDocument] = []
    for index, document in enumerate(docs):
        match document:
            case {"filename": str(file), "content": str(content)} if content:
                documents.append(IncomingDocument(name=file, read=partial(_encoded, content)))
            case _:
                on_dropped(f"{clean_title(name)}: docs[{index}]")
    texts = (entry.get(key) for key in ("description", "prompt_template"))
    instructions = "\n\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip())
    return IncomingProject(
        origin=f"claude:{uuid}"[:MAX_ORIGIN],
        name=clean_title(name),
        settings=safe_settings({PROJECT_INSTRUCTIONS_KEY: instructions}) if instructions else {},
        documents=bounded_documents(documents),
    )


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


class ProjectExport:
    """One export of a project. ``on_progress`` receives the number of chats written, and of all."""

    def __init__(
        self, store: Store, *, clock: Callable[[], float], on_progress: Callable[[int, int], None]
    ) -> None:
        self._store = store
        self._clock = clock
        self._on_progress = on_progress

    async def run(
        self, folder: Folder, *, origin: str, target: Path, documents: Sequence[str]
    ) -> tuple[int, int]:
        """Write a project to the file ``target``, whole or not at all, with the files ``documents``.

        A document that cannot be read is left out. Returns how many chats and documents were written. Raises
        ``export_unwritable`` or ``StorageError``.
        """
        chats = [each.id for each in await self._store.conversations.all() if each.folder_id == folder.id]
        manifest = ProjectManifest(
            exported_at=self._clock(),
            origin=origin,
            name=folder.name,
            colour=folder.colour,
            settings={key: value for key, value in folder.settings.items() if key in BY_KEY},
            facts=tuple(
                fact.text for fact in await self._store.facts.all() if fact.place.folder_id == folder.id
            ),
        )
        with unwritable(target):
            scratch = await asyncio.to_thread(tempfile.TemporaryFile)
        try:
            with unwritable(target):
                archive = zipfile.ZipFile(scratch, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
                await asyncio.to_thread(archive.writestr, MANIFEST, msgspec.json.encode(manifest))
                await self._write_chats(archive, chats)
                n_documents = await asyncio.to_thread(_write_documents, archive, documents)
                await asyncio.to_thread(archive.close)
                await asyncio.to_thread(_copy, scratch, target)
        finally:
            await asyncio.to_thread(scratch.close)
        return len(chats), n_documents

    async def _write_chats(self, archive: zipfile.ZipFile, chats: Sequence[ConversationId]) -> None:
        with await asyncio.to_thread(partial(archive.open, CHATS, "w", force_zip64=True)) as file:
            await asyncio.to_thread(file.write, archive_head(exported_at=self._clock()))
            for number, conversation_id in enumerate(chats):
                transcript = await self._store.transcripts.get(conversation_id)
                entry = archive_entry(transcript, is_first=number == 0)
                await asyncio.to_thread(file.write, entry)
                self._on_progress(number + 1, len(chats))
            await asyncio.to_thread(file.write, ARCHIVE_END)


def _write_documents(archive: zipfile.ZipFile, paths: Sequence[str]) -> int:
    used: set[str] = set()
    n_written = 0
    for path in map(Path, paths):
        name = document_name(path.name, used=used)
        try:
            with (
                path.open("rb") as source,
                archive.open(f"{DOCUMENTS}/{name}", "w", force_zip64=True) as file,
            ):
                while block := source.read(_BLOCK_BYTES):
                    file.write(block)
        except OSError:
            continue
        n_written += 1
    return n_written


def _copy(scratch: IO[bytes], target: Path) -> None:
    file = AtomicFile(target)
    try:
        scratch.seek(0)
        while block := scratch.read(_BLOCK_BYTES):
            file.write(block)
        file.finish()
    finally:
        file.discard()


def fresh_name(name: str, *, used: Iterable[str]) -> str:
    """Return ``name``, with a number where a folder is called so already."""
    taken = {each.casefold() for each in used}
    number, candidate = 1, name
    while candidate.casefold() in taken:
        number += 1
        candidate = tr("{name} ({number})").format(name=name, number=number)
    return candidate
