"""Export conversations to files, each written whole or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from fireside.core.errors import ExportUnwritable
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId
from fireside.core.os_errors import render_os_error
from fireside.core.transfer import FILE_ENDINGS, ExportFormat, ExportReport
from fireside.files.atomic_replace import rename_over
from fireside.files.fsync import flush
from fireside.files.private_files import PRIVATE_FILE
from fireside.services.transfer.export_text import is_unreadable, title_text
from fireside.services.transfer.fireside_archive import ARCHIVE_END, archive_entry, archive_head
from fireside.services.transfer.markdown_export import markdown_text
from fireside.storage.store import Store
from fireside.storage.transcripts import Transcript

_MAX_NAME: Final = 80
_UNUSABLE: Final = re.compile(r"[\x00-\x1f\x7f<>:\"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def file_name(title: str, *, suffix: str, used: set[str]) -> str:
    """Return a file name that every system accepts and that is not in ``used``, and add it there."""
    name = _UNUSABLE.sub(" ", title)
    name = " ".join(name.split())[:_MAX_NAME].strip(" .") or tr("Chat")
    if _RESERVED.fullmatch(name):
        name = f"{name}_"
    number, candidate = 1, f"{name}{suffix}"
    # Some file systems ignore case.
    while candidate.casefold() in used:
        number += 1
        candidate = f"{name} ({number}){suffix}"
    used.add(candidate.casefold())
    return candidate


class ConversationExport:
    """One export. ``on_progress`` receives the number of conversations done."""

    def __init__(
        self, store: Store, *, clock: Callable[[], float], on_progress: Callable[[int, int], None]
    ) -> None:
        self._store = store
        self._clock = clock
        self._on_progress = on_progress
        self._n_unreadable = 0

    async def run(self, ids: Sequence[ConversationId], *, form: ExportFormat, target: Path) -> ExportReport:
        """Write the conversations to the file ``target``.

        Several as Markdown or HTML are written to a file each in the folder ``target``, which is created if
        needed; existing files are never overwritten. Raises ``ExportUnwritable``, ``RecordNotFound`` and
        others.
        """
        if not ids:
            raise ExportUnwritable(path=str(target), reason=tr_noop("there is no chat to export."))
        if form is ExportFormat.PDF:
            raise ExportUnwritable(path=str(target), reason=tr_noop("a PDF is written by the window alone."))
        if form is ExportFormat.JSON:
            paths: tuple[str, ...] = (await self._write_archive(ids, target),)
        elif len(ids) == 1 and not await asyncio.to_thread(target.is_dir):
            transcript = await self._read(ids[0])
            with _unwritable(target):
                await asyncio.to_thread(_write_text, transcript, form=form, target=target)
            paths = (str(target),)
        else:
            paths = await self._write_each(ids, form, target)
        return ExportReport(paths=paths, n_conversations=len(ids), n_unreadable=self._n_unreadable)

    async def _write_each(
        self, ids: Sequence[ConversationId], form: ExportFormat, folder: Path
    ) -> tuple[str, ...]:
        with _unwritable(folder):
            used = await asyncio.to_thread(prepare_folder, folder)
        paths: list[str] = []
        for number, conversation_id in enumerate(ids, start=1):
            transcript = await self._read(conversation_id)
            target = folder / file_name(title_text(transcript), suffix=FILE_ENDINGS[form], used=used)
            with _unwritable(target):
                await asyncio.to_thread(_write_text, transcript, form=form, target=target)
            paths.append(str(target))
            self._on_progress(number, len(ids))
        return tuple(paths)

    async def _write_archive(self, ids: Sequence[ConversationId], target: Path) -> str:
        with _unwritable(target):
            file = await asyncio.to_thread(AtomicFile, target)
        try:
            with _unwritable(target):
                await asyncio.to_thread(file.write, archive_head(exported_at=self._clock()))
            for number, conversation_id in enumerate(ids):
                transcript = await self._read(conversation_id)
                with _unwritable(target):
                    await asyncio.to_thread(_write_entry, file, transcript, is_first=number == 0)
                self._on_progress(number + 1, len(ids))
            with _unwritable(target):
                await asyncio.to_thread(file.write, ARCHIVE_END)
                await asyncio.to_thread(file.finish)
        finally:
            await asyncio.to_thread(file.discard)
        return str(target)

    async def _read(self, conversation_id: ConversationId) -> Transcript:
        transcript = await self._store.transcripts.get(conversation_id)
        self._n_unreadable += sum(map(is_unreadable, transcript.messages))
        return transcript


class AtomicFile:
    """A file that gets its name only once it is complete. Blocks; raises ``OSError``."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._temporary = target.with_name(f".{os.urandom(6).hex()}.part")
        target.parent.mkdir(parents=True, exist_ok=True)
        # Readable by the user alone: conversations are private.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(self._temporary, flags, PRIVATE_FILE), "wb")

    def write(self, content: bytes) -> None:
        self._file.write(content)

    def finish(self) -> None:
        """Give it its name, replacing a file of that name."""
        self._file.flush()
        flush(self._file.fileno())
        self._file.close()
        rename_over(self._temporary, self._target)

    def discard(self) -> None:
        """Remove the file unless it was finished."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._temporary.unlink(missing_ok=True)


def _write_entry(file: AtomicFile, transcript: Transcript, *, is_first: bool) -> None:
    file.write(archive_entry(transcript, is_first=is_first))


def _text_of(transcript: Transcript, *, form: ExportFormat) -> str:
    if form is ExportFormat.MARKDOWN:
        return markdown_text(transcript)
    from fireside.services.transfer.html_page import html_page  # imports a tenth of all modules

    return html_page(transcript)


def _write_text(transcript: Transcript, *, form: ExportFormat, target: Path) -> None:
    file = AtomicFile(target)
    try:
        file.write(_text_of(transcript, form=form).encode())
        file.finish()
    finally:
        file.discard()


def prepare_folder(folder: Path) -> set[str]:
    """Create a folder if needed, and return the names in it as ``file_name`` compares them. Blocks."""
    folder.mkdir(parents=True, exist_ok=True)
    return {entry.name.casefold() for entry in folder.iterdir()}


@contextlib.contextmanager
def _unwritable(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise ExportUnwritable(path=str(target), reason=f"{render_os_error(exc)}.") from exc
