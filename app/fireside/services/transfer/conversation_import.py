"""Import conversations from files into the database, each as one commit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from fireside.core.chat import ConversationSummary
from fireside.core.errors import ImportUnreadable, InvalidText
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.ids import ConversationId
from fireside.core.os_errors import render_os_error
from fireside.core.transfer import ImportReport, SkippedItem
from fireside.services.transfer.fireside_archive import check_transcript
from fireside.services.transfer.format_detection import FoundConversation, find_conversations
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.services.transfer.import_sources import open_source
from fireside.storage.store import Store
from fireside.storage.transcripts import Transcript

MAX_REPORTED: Final = 200
_NO_MESSAGES: Final = tr_noop("there is no message in it.")

_Read = tuple[str, Transcript | ImportRefused]


class ConversationImport:
    """One import of one or more files. Conversations imported before are skipped."""

    def __init__(
        self,
        store: Store,
        *,
        on_added: Callable[[ConversationSummary], None],
        on_progress: Callable[[int], None],
    ) -> None:
        """``on_progress`` receives the number of conversations processed."""
        self._store = store
        self._on_added = on_added
        self._on_progress = on_progress
        self._imported: list[ConversationId] = []
        self._n_already_there = 0
        self._skipped: list[SkippedItem] = []
        self._n_skipped = 0

    async def run(self, paths: Sequence[str]) -> ImportReport:
        """Import what can be imported, and report the rest.

        Raises:
            ImportUnreadable: there is a single file, and nothing in it can be imported.
            StorageError: what was imported before stays, and is not imported again.
        """
        for path in paths:
            await self._run_one(Path(path))
        is_empty = not self._imported and not self._n_already_there
        if len(paths) == 1 and is_empty and self._n_skipped == 1:
            raise ImportUnreadable(path=paths[0], reason=self._skipped[0].reason)
        return ImportReport(
            imported=tuple(self._imported),
            n_already_there=self._n_already_there,
            skipped=tuple(self._skipped),
            n_skipped=self._n_skipped,
        )

    async def _run_one(self, path: Path) -> None:
        items = _read_items(path)
        try:
            # A file is read in steps, so that it neither blocks the loop nor is in memory as a whole.
            while (item := await asyncio.to_thread(next, items, None)) is not None:
                await self._add(*item)
        finally:
            # If this was cancelled, its thread still runs; it ends with the last reference to it.
            with suppress(ValueError):
                items.close()

    async def _add(self, name: str, item: Transcript | ImportRefused) -> None:
        if isinstance(item, ImportRefused):
            self._skip(name, item.reason)
        elif not item.messages:
            self._skip(item.title, _NO_MESSAGES)
        else:
            try:
                added = await self._store.transcripts.add(item)
            except InvalidText as exc:
                self._skip(item.title, render(exc.reason))
            else:
                self._count_added(added)
        self._on_progress(len(self._imported) + self._n_already_there + self._n_skipped)

    def _count_added(self, added: ConversationSummary | None) -> None:
        if added is None:
            self._n_already_there += 1
        else:
            self._imported.append(added.id)
            self._on_added(added)

    def _skip(self, name: str, reason: str) -> None:
        self._n_skipped += 1
        if len(self._skipped) < MAX_REPORTED:
            self._skipped.append(SkippedItem(what=name, reason=reason))


def contains_conversations(path: Path) -> bool:
    """Return whether a file or folder seems to contain conversations. Reads it; blocks."""
    try:
        with open_source(path) as source:
            return any(isinstance(found, FoundConversation) for found in find_conversations(source))
    except (ImportRefused, OSError):
        return False


def _read_items(path: Path) -> Generator[_Read, None, None]:
    try:
        with open_source(path) as source:
            for found in find_conversations(source):
                yield (path.name, found) if isinstance(found, ImportRefused) else _read(found)
    except ImportRefused as refused:
        yield path.name, refused
    except OSError as exc:
        yield (
            path.name,
            ImportRefused(tr("it cannot be read ({reason}).").format(reason=render_os_error(exc))),
        )


def _read(found: FoundConversation) -> _Read:
    try:
        transcript = found.read()
        check_transcript(transcript)
    except ImportRefused as refused:
        return found.location, refused
    return transcript.title, transcript
