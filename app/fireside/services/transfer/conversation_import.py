"""Import conversations from files into the database, each as one commit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.chat import ConversationSummary
from fireside.core.errors import FiresideError, InvalidText
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.ids import ConversationId, FolderId
from fireside.core.os_errors import render_os_error
from fireside.core.transfer import ImportReport, SkippedItem
from fireside.services.transfer.damaged_json import CUT_SHORT
from fireside.services.transfer.fireside_archive import check_transcript
from fireside.services.transfer.format_detection import (
    NO_MESSAGES,
    FoundConversation,
    FoundProject,
    find_conversations,
)
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.services.transfer.import_sources import open_source
from fireside.services.transfer.project_archive import IncomingProject
from fireside.services.transfer.project_import import ProjectDocuments, ProjectImport
from fireside.storage.store import Store
from fireside.storage.transcripts import ConversationTranscript, StoredTranscript

MAX_REPORTED: Final = 200
_CUT_SHORT: Final = tr_noop("it is damaged or cut short.")
_UNFORESEEN: Final = tr_noop("it cannot be read. The log says more.")
log = logging.getLogger(__name__)


class _Read(msgspec.Struct, frozen=True):
    """What was read of one conversation."""

    name: str
    item: ConversationTranscript | IncomingProject | ImportRefused
    dropped: tuple[str, ...] = ()
    """Places of what could not be read."""


class ConversationImport:
    """One import of one or more files. Of conversations imported before, what is new is added."""

    def __init__(
        self,
        store: Store,
        *,
        on_added: Callable[[ConversationSummary], None],
        on_updated: Callable[[ConversationSummary], None],
        on_progress: Callable[[int], None],
        documents: ProjectDocuments | None = None,
    ) -> None:
        """``on_updated`` receives a conversation that was here already and got messages, ``on_progress`` the
        number of conversations processed. Without ``documents`` those of projects are left out."""
        self._store = store
        self._projects = ProjectImport(store, documents=documents)
        self._project_notes: list[str] = []
        self._folder_ids: dict[str, FolderId] = {}
        """By the names that the projects of this import have where they come from."""
        self._own_folder: FolderId | None = None
        """The folder of all conversations of the file: it is an exported project."""
        self._on_added = on_added
        self._on_updated = on_updated
        self._on_progress = on_progress
        self._imported: list[ConversationId] = []
        self._updated: list[ConversationId] = []
        self._n_new_messages = 0
        self._n_already_there = 0
        self._skipped: list[SkippedItem] = []
        self._n_skipped = 0
        self._incomplete: list[SkippedItem] = []
        self._n_incomplete = 0

    async def run(self, paths: Sequence[str]) -> ImportReport:
        """Import what can be imported, and report the rest.

        Raises:
            import_unreadable: there is a single file, and nothing in it can be imported.
            StorageError: what was imported before stays, and is not imported again.
        """
        for path in paths:
            await self._run_one(Path(path))
        is_empty = not (self._imported or self._updated or self._n_already_there or self._project_notes)
        if len(paths) == 1 and is_empty and self._n_skipped == 1:
            raise FiresideError.of("import_unreadable", path=paths[0], reason=self._skipped[0].reason)
        return ImportReport(
            imported=tuple(self._imported),
            updated=tuple(self._updated),
            n_new_messages=self._n_new_messages,
            n_already_there=self._n_already_there,
            projects=tuple(self._project_notes),
            skipped=tuple(self._skipped),
            n_skipped=self._n_skipped,
            incomplete=tuple(self._incomplete),
            n_incomplete=self._n_incomplete,
        )

    async def _run_one(self, path: Path) -> None:
        items = _read_items(path)
        self._own_folder = None
        try:
            # A file is read in steps, so that it neither blocks the loop nor is in memory as a whole.
            while (item := await asyncio.to_thread(next, items, None)) is not None:
                await self._add(item)
        finally:
            # If this was cancelled, its thread still runs; it ends with the last reference to it.
            with suppress(ValueError):
                items.close()

    async def _add(self, read: _Read) -> None:
        item = read.item
        if isinstance(item, ImportRefused):
            self._skip(read.name, item.reason)
        elif isinstance(item, IncomingProject):
            await self._add_project(item, read.dropped)
        elif not item.messages:
            self._skip(item.title, tr(_CUT_SHORT) if CUT_SHORT in read.dropped else NO_MESSAGES)
        else:
            try:
                folder_id = self._own_folder or self._folder_ids.get(item.folder or "")
                added = await self._store.transcripts.add(
                    item, is_complete=not read.dropped, folder_id=folder_id
                )
            except InvalidText as exc:
                self._skip(item.title, render(exc.reason))
            else:
                self._count(added)
                if read.dropped and (added.is_new or added.n_added):
                    self._note_incomplete(item.title, read.dropped)
        n_here = len(self._imported) + len(self._updated) + self._n_already_there
        self._on_progress(n_here + self._n_skipped)

    async def _add_project(self, project: IncomingProject, dropped: tuple[str, ...]) -> None:
        try:
            added = await self._projects.add(project)
        except InvalidText as exc:
            self._skip(project.name, render(exc.reason))
            return
        self._folder_ids.setdefault(project.name, added.folder.id)
        self._own_folder = added.folder.id if project.has_chats else None
        self._project_notes.append(added.note)
        if dropped:
            self._note_incomplete(project.name, dropped)

    def _count(self, added: StoredTranscript) -> None:
        if added.is_new:
            self._imported.append(added.summary.id)
            self._on_added(added.summary)
        elif added.n_added or added.n_changed:
            self._updated.append(added.summary.id)
            self._n_new_messages += added.n_added + added.n_changed
            self._on_updated(added.summary)
        else:
            self._n_already_there += 1

    def _note_incomplete(self, title: str, dropped: tuple[str, ...]) -> None:
        self._n_incomplete += 1
        if len(self._incomplete) < MAX_REPORTED:
            if CUT_SHORT in dropped:
                reason = tr("it is damaged or cut short; all before that was imported.")
            else:
                reason = tr(
                    "1 value could not be read: {place}|%n values could not be read, the first: {place}",
                    "",
                    len(dropped),
                ).format(place=dropped[0])
            self._incomplete.append(SkippedItem(what=title, reason=reason))

    def _skip(self, name: str, reason: str) -> None:
        self._n_skipped += 1
        if len(self._skipped) < MAX_REPORTED:
            self._skipped.append(SkippedItem(what=name, reason=reason))


def contains_conversations(path: Path) -> bool:
    """Return whether a file or folder seems to contain conversations. Reads it; blocks."""
    try:
        with open_source(path) as source:
            return any(not isinstance(found, ImportRefused) for found in find_conversations(source))
    except (ImportRefused, OSError):
        return False


def _read_items(path: Path) -> Generator[_Read, None, None]:
    try:
        with open_source(path) as source:
            for found in find_conversations(source):
                match found:
                    case ImportRefused():
                        yield _Read(path.name, found)
                    case FoundProject(project=project, dropped=dropped):
                        yield _Read(project.name, project, dropped)
                    case FoundConversation():
                        yield _read(found)
    except ImportRefused as refused:
        yield _Read(path.name, refused)
    except OSError as exc:
        reason = tr("it cannot be read ({reason}).").format(reason=render_os_error(exc))
        yield _Read(path.name, ImportRefused(reason))


def _read(found: FoundConversation) -> _Read:
    dropped: list[str] = []
    try:
        transcript = found.read(dropped.append)
        check_transcript(transcript)
    except ImportRefused as refused:
        return _Read(found.location, refused)
    except Exception:
        # One conversation that no reader foresaw is not to end the import of all others.
        log.exception("a conversation of an import cannot be read")
        return _Read(found.location, ImportRefused(_UNFORESEEN))
    return _Read(transcript.title, transcript, tuple(dropped))
