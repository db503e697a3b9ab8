"""Export conversations to files, each written whole or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from fireside.core.artifacts import ArtifactKind, ArtifactText, table_rows
from fireside.core.errors import FiresideError
from fireside.core.graphemes import cut
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId, MessageId
from fireside.core.os_errors import render_os_error
from fireside.core.transfer import FILE_ENDINGS, ExportFormat, ExportReport, SkippedItem
from fireside.files.atomic_replace import rename_over
from fireside.files.fsync import flush
from fireside.files.private_files import PRIVATE_FILE
from fireside.services.transfer.export_text import (
    answer_transcript,
    code_block,
    date_text,
    is_unreadable,
    model_names,
    text_transcript,
    title_text,
    with_edits,
)
from fireside.services.transfer.fireside_archive import ARCHIVE_END, archive_entry, archive_head
from fireside.services.transfer.markdown_export import answer_markdown, markdown_text
from fireside.storage.store import Store
from fireside.storage.transcripts import ConversationTranscript

log = logging.getLogger(__name__)

_MAX_NAME: Final = 80
_MAX_NAME_BYTES: Final = 140
"""Of a whole name: eCryptfs takes 143, other file systems 255 bytes or UTF-16 units."""
_MAX_WINDOWS_PATH: Final = 259
_MIN_NAME: Final = 16
MAX_REPORTED: Final = 200
_UNUSABLE: Final = re.compile(r"[\x00-\x1f\x7f<>:\"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_ENDING: Final = re.compile(r"\.[A-Za-z0-9]{1,12}\Z")
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def file_name(title: str, *, suffix: str, used: set[str], room: int = _MAX_NAME_BYTES) -> str:
    """Return a file name that every system accepts and that is not in ``used``, and add it there.

    ``room`` is the most bytes of UTF-8 that it may have, if they are fewer than usual.
    """
    name = _UNUSABLE.sub(" ", title)
    name = " ".join(name.split())[:_MAX_NAME].strip(" .") or tr("Chat")
    if _RESERVED.fullmatch(name):
        name = f"{name}_"
    number, ending = 1, suffix
    candidate = _shortened(name, room=min(room, _MAX_NAME_BYTES) - len(ending.encode())) + ending
    # Some file systems ignore case.
    while candidate.casefold() in used:
        number += 1
        ending = f" ({number}){suffix}"
        candidate = _shortened(name, room=min(room, _MAX_NAME_BYTES) - len(ending.encode())) + ending
    used.add(candidate.casefold())
    return candidate


def document_name(name: str, *, used: set[str], room: int = _MAX_NAME_BYTES) -> str:
    """Return ``file_name`` for a file that has a name with an ending, whatever that name holds."""
    ending = _ENDING.search(name)
    stem = name[: ending.start()] if ending is not None else name
    return file_name(stem, suffix="" if ending is None else ending[0], used=used, room=room)


def name_room(folder: Path) -> int:
    """Return how many bytes the name of a file in ``folder`` may have: Windows limits the whole path."""
    if sys.platform != "win32":
        return _MAX_NAME_BYTES
    n_units = len(str(folder.absolute()).encode("utf-16-le")) // 2
    # A byte of UTF-8 is at most one unit of UTF-16. The temporary name is shorter than any.
    return max(_MIN_NAME, _MAX_WINDOWS_PATH - n_units - 1)


def _shortened(name: str, *, room: int) -> str:
    """Return the beginning of a name that has at most ``room`` bytes, without half a character at its end."""
    if len(name.encode()) <= room:
        return name
    short = name.encode()[:room].decode("utf-8", "ignore")
    return cut(name, len(short)).strip(" .") or "_"


class ConversationExport:
    """One export. ``on_progress`` receives the number of conversations done."""

    def __init__(
        self, store: Store, *, clock: Callable[[], float], on_progress: Callable[[int, int], None]
    ) -> None:
        self._store = store
        self._clock = clock
        self._on_progress = on_progress
        self._n_unreadable = 0
        self._failed: list[SkippedItem] = []
        self._n_failed = 0

    async def run_answer(self, message_id: MessageId, *, form: ExportFormat, target: Path) -> ExportReport:
        """Write one answer to the file ``target``, in a form other than JSON and PDF.

        Raises ``export_unwritable``, ``RecordNotFound`` and others.
        """
        transcript = await answer_transcript(self._store, message_id)
        await asyncio.to_thread(_write, transcript, form=form, target=target, is_answer=True)
        return ExportReport(paths=(str(target),), n_conversations=1)

    async def run(self, ids: Sequence[ConversationId], *, form: ExportFormat, target: Path) -> ExportReport:
        """Write the conversations to the file ``target``.

        Several in a form other than JSON are written to a file each in the folder ``target``, which is
        created if needed; existing files are never overwritten. One that cannot be read or written is
        reported and costs no other. A link is followed; what is no file, as a pipe, is written into. Raises
        ``export_unwritable``, ``RecordNotFound`` and others if nothing could be exported.
        """
        if not ids:
            raise FiresideError.of(
                "export_unwritable", path=str(target), reason=tr_noop("there is no chat to export.")
            )
        if form is ExportFormat.PDF:
            raise FiresideError.of(
                "export_unwritable", path=str(target), reason=tr_noop("a PDF is written by the window alone.")
            )
        if form is ExportFormat.JSON:
            paths: tuple[str, ...] = (await self._write_archive(ids, target),)
        elif len(ids) == 1 and not await asyncio.to_thread(target.is_dir):
            transcript = await self._read(ids[0])
            await asyncio.to_thread(_write, transcript, form=form, target=target)
            paths = (str(target),)
        else:
            paths = await self._write_each(ids, form, target)
        return ExportReport(
            paths=paths,
            n_conversations=len(ids) - self._n_failed,
            n_unreadable=self._n_unreadable,
            failed=tuple(self._failed),
            n_failed=self._n_failed,
        )

    async def _write_each(
        self, ids: Sequence[ConversationId], form: ExportFormat, folder: Path
    ) -> tuple[str, ...]:
        with unwritable(folder):
            used = await asyncio.to_thread(prepare_folder, folder)
        room = name_room(folder)
        paths: list[str] = []
        for number, conversation_id in enumerate(ids, start=1):
            title = ""
            try:
                transcript = await self._read(conversation_id)
                title = title_text(transcript)
                target = folder / file_name(title, suffix=FILE_ENDINGS[form], used=used, room=room)
                await asyncio.to_thread(_write, transcript, form=form, target=target)
                paths.append(str(target))
            except Exception as exc:  # noqa: BLE001 - reported and, if it is unforeseen, logged
                self._note_failure(title, conversation_id, exc, n_all=len(ids))
            self._on_progress(number, len(ids))
        return tuple(paths)

    async def _write_archive(self, ids: Sequence[ConversationId], target: Path) -> str:
        with unwritable(target):
            file = await asyncio.to_thread(AtomicFile, target)
        try:
            with unwritable(target):
                await asyncio.to_thread(file.write, archive_head(exported_at=self._clock()))
            is_first = True
            for number, conversation_id in enumerate(ids):
                try:
                    transcript = await self._read(conversation_id)
                except FiresideError as exc:
                    self._note_failure("", conversation_id, exc, n_all=len(ids))
                else:
                    with unwritable(target):
                        await asyncio.to_thread(_write_entry, file, transcript, is_first=is_first)
                    is_first = False
                self._on_progress(number + 1, len(ids))
            with unwritable(target):
                await asyncio.to_thread(file.write, ARCHIVE_END)
                await asyncio.to_thread(file.finish)
        finally:
            await asyncio.to_thread(file.discard)
        return str(target)

    def _note_failure(self, title: str, id_: ConversationId, exc: Exception, *, n_all: int) -> None:
        """Note that a conversation was not exported. Raises ``exc`` if it was the last and none was."""
        self._n_failed += 1
        if self._n_failed == n_all:
            raise exc
        if not isinstance(exc, FiresideError):
            log.error("a conversation cannot be exported", exc_info=exc)
        reason = (
            exc.sentence() if isinstance(exc, FiresideError) else tr("Internal error. The log says more.")
        )
        if len(self._failed) < MAX_REPORTED:
            what = title or tr("Chat {number}").format(number=id_)
            self._failed.append(SkippedItem(what=what, reason=reason))

    async def _read(self, conversation_id: ConversationId) -> ConversationTranscript:
        transcript = await self._store.transcripts.get(conversation_id)
        self._n_unreadable += sum(map(is_unreadable, transcript.messages))
        return transcript


class AtomicFile:
    """A file that gets its name only once it is complete. Blocks; raises ``OSError``.

    Where the name is that of a link, the file that it leads to is replaced. A pipe or a device is written
    into.
    """

    def __init__(self, target: Path) -> None:
        self._target = Path(os.path.realpath(target))
        self._temporary: Path | None = None
        if is_no_file(target):
            self._file = target.open("wb")
            return
        self._temporary = self._target.with_name(f".{os.urandom(6).hex()}.part")
        self._target.parent.mkdir(parents=True, exist_ok=True)
        # Readable by the user alone: conversations are private.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(self._temporary, flags, PRIVATE_FILE), "wb")

    def write(self, content: bytes) -> None:
        self._file.write(content)

    def finish(self) -> None:
        """Give it its name, replacing a file of that name."""
        self._file.flush()
        if self._temporary is None:
            self._file.close()
            return
        flush(self._file.fileno())
        self._file.close()
        rename_over(self._temporary, self._target)

    def discard(self) -> None:
        """Remove the file unless it was finished."""
        with contextlib.suppress(OSError):
            self._file.close()
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                self._temporary.unlink(missing_ok=True)


def is_no_file(target: Path) -> bool:
    """Return whether something is there that cannot be replaced by a file: a pipe, a socket, a device."""
    try:
        mode = target.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _write_entry(file: AtomicFile, transcript: ConversationTranscript, *, is_first: bool) -> None:
    file.write(archive_entry(transcript, is_first=is_first))


def _content(transcript: ConversationTranscript, form: ExportFormat, *, is_answer: bool) -> bytes:
    """Return a file of the active branch. What writes one is imported only where it is wanted."""
    transcript = with_edits(transcript)
    if form is ExportFormat.MARKDOWN:
        return (answer_markdown if is_answer else markdown_text)(transcript).encode()
    if form is ExportFormat.HTML:
        from fireside.services.transfer.html_page import html_page  # imports a tenth of all modules

        return html_page(transcript).encode()
    from fireside.services.transfer.office_blocks import blocks_of

    branch, is_whole = transcript.branch(), form is ExportFormat.DOCX and not is_answer
    blocks = blocks_of(branch, is_whole=is_whole, has_speakers=not is_answer)
    facts = " · ".join(filter(None, (date_text(transcript.created_at), *model_names(branch))))
    if form is ExportFormat.DOCX:
        from fireside.services.transfer.docx_export import docx_content

        return docx_content(*(("", "") if is_answer else (title_text(transcript), facts)), blocks)
    if form is ExportFormat.PPTX:
        from fireside.services.transfer.pptx_export import pptx_content

        return pptx_content(title_text(transcript), facts, blocks)
    from fireside.services.transfer.xlsx_export import csv_content, xlsx_content

    return (xlsx_content if form is ExportFormat.XLSX else csv_content)(blocks)


def artifact_content(artifact: ArtifactText, form: ExportFormat | None) -> bytes:
    """Return a file of an artifact, of its own format for ``None``. A table becomes a workbook alone."""
    if form is None:
        return (artifact.text if artifact.text.endswith("\n") else f"{artifact.text}\n").encode()
    if artifact.kind is ArtifactKind.CSV and form is ExportFormat.XLSX:
        from fireside.services.transfer.xlsx_export import workbook_content

        rows = table_rows(artifact.text)
        width = max(map(len, rows), default=0)
        padded = [[*row, *[""] * (width - len(row))] for row in rows]
        return workbook_content([(artifact.title, padded)] if padded else [])
    return _content(artifact_transcript(artifact), form, is_answer=True)


def artifact_transcript(artifact: ArtifactText) -> ConversationTranscript:
    """Return an artifact as an answer: a document is its text, all else a block of code."""
    is_document = artifact.kind is ArtifactKind.MARKDOWN
    text = artifact.text if is_document else code_block(artifact.text, language=artifact.language)
    return text_transcript(text, title=artifact.title)


def _write(
    transcript: ConversationTranscript, *, form: ExportFormat, target: Path, is_answer: bool = False
) -> None:
    with unwritable(target):
        content = _content(transcript, form, is_answer=is_answer)
    if not content:
        raise FiresideError.of(
            "export_unwritable", path=str(target), reason=tr_noop("there is no table in it.")
        )
    write_file(content, target=target)


def write_file(content: bytes, *, target: Path) -> None:
    """Write a file whole or not at all. Blocks; raises ``export_unwritable``."""
    with unwritable(target):
        file = AtomicFile(target)
        try:
            file.write(content)
            file.finish()
        finally:
            file.discard()


def prepare_folder(folder: Path) -> set[str]:
    """Create a folder if needed, and return the names in it as ``file_name`` compares them. Blocks."""
    folder.mkdir(parents=True, exist_ok=True)
    return {entry.name.casefold() for entry in folder.iterdir()}


@contextlib.contextmanager
def unwritable(target: Path) -> Iterator[None]:
    """Raise an ``OSError`` of the block as ``export_unwritable``."""
    try:
        yield
    except OSError as exc:
        raise FiresideError.of(
            "export_unwritable", path=str(target), reason=f"{render_os_error(exc)}."
        ) from exc
