"""``fireside export`` and ``fireside import``: conversations to and from files."""

from __future__ import annotations

import asyncio
import functools
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from fireside.cli.command_app import unlock
from fireside.cli.command_parser import CommandParser, RunCommand
from fireside.cli.screen import Screen, one_line
from fireside.core.ids import ConversationId
from fireside.core.transfer import FILE_ENDINGS, ExportFormat

if TYPE_CHECKING:
    from fireside.core.chat import Folder
    from fireside.main.startup_context import StartupContext
    from fireside.services.transfer.transfer_service import TransferService
    from fireside.storage.store import Store

ALL: Final = "all"
_FORMATS: Final = {
    "md": ExportFormat.MARKDOWN,
    "html": ExportFormat.HTML,
    "docx": ExportFormat.DOCX,
    "pptx": ExportFormat.PPTX,
    "xlsx": ExportFormat.XLSX,
    "csv": ExportFormat.CSV,
    "json": ExportFormat.JSON,
}
_BINARY: Final = (ExportFormat.DOCX, ExportFormat.PPTX, ExportFormat.XLSX)
_OUTPUTS: Final = ("-", "/dev/stdout")
"""Targets that stand for the output of the command."""
_MAX_DIGITS: Final = 18


def define_export(command: CommandParser) -> None:
    """Add what may be typed after ``export``."""
    command.description = (
        "Export one chat, or all, as Markdown, HTML, a Word document, slides, its tables as a workbook or "
        "CSV, or JSON. JSON is complete and can be imported again. All chats in another format become one "
        "file each in the folder FILE. FILE “-” is the output. Without FILE, chats are listed with their "
        "numbers."
    )
    command.does(_with_store(export))
    command.add_argument("name", nargs="?", default="", metavar="number", help="number of a chat, or “all”")
    command.add_argument("target", nargs="?", default="", metavar="file")
    command.add_argument(
        "--project", metavar="NAME",
        help="export a project to FILE: its chats, instructions and settings",
    )  # fmt: skip
    command.add_argument(
        "--format", choices=tuple(_FORMATS), default="", dest="form", help="format; taken from FILE, else md"
    )


def define_import(command: CommandParser) -> None:
    """Add what may be typed after ``import``."""
    command.description = (
        "Import chats and projects exported from Fireside, ChatGPT, Claude, LM Studio, Jan or Open WebUI: "
        "files, ZIP archives or folders. Existing chats get what is new in them."
    )
    command.does(_with_store(import_))
    command.add_argument("files", nargs="+", metavar="file")


async def export(
    store: Store, screen: Screen, *, name: str, target: str, form: str, project: str | None = None
) -> int:
    """Export a chat, or all, and print the paths; without ``target`` list the chats. Returns the exit status;
    raises ``FiresideError``."""
    if project is not None:
        return await _export_project(store, screen, name=project, target=target or name)
    if not target:
        for summary in await store.conversations.all():
            screen.write(f"{summary.id}\t{one_line(summary.title)}\n")
        return 0
    conversation_id = conversation_of(name)
    if conversation_id is None and name != ALL:
        screen.say(f"fireside: “{one_line(name)}” is not a chat number. “fireside export” lists them.\n")
        return 2
    ids, format_ = None if conversation_id is None else (conversation_id,), format_of(form, target=target)
    if target not in _OUTPUTS:
        report = await _transfer(store).export(ids, form=format_, target=target)
        for path in report.paths:
            screen.write(f"{path}\n")
    elif conversation_id is None and format_ is not ExportFormat.JSON:
        screen.say("fireside: all chats in one output are JSON: add “--format json”, or name a folder.\n")
        return 2
    elif format_ in _BINARY:
        screen.say(f"fireside: “{FILE_ENDINGS[format_]}” is not text: name a file.\n")
        return 2
    else:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "chats"
            report = await _transfer(store).export(ids, form=format_, target=str(file))
            screen.write(file.read_text("utf-8"))
    if report.n_unreadable:
        screen.say(f"Damaged messages: {report.n_unreadable}\n")
    for failed in report.failed:
        screen.say(f"Not exported: {one_line(failed.what)} – {one_line(failed.reason)}\n")
    if report.n_failed > len(report.failed):
        screen.say(f"Not exported: {report.n_failed - len(report.failed)} more\n")
    return 1 if report.n_failed else 0


async def _export_project(store: Store, screen: Screen, *, name: str, target: str) -> int:
    folder = await project_called(store, name)
    if not target or target in _OUTPUTS:
        screen.say("fireside: name the file of the project.\n")
        return 2
    if folder is None:
        screen.say(f"fireside: “{one_line(name)}” is no project. The sidebar of the window lists them.\n")
        return 2
    size = await _transfer(store).export_project(folder.id, target=target, with_documents=False)
    screen.write(f"{target}\n")
    screen.say(f"{size.n_chats} chats exported, without documents.\n")
    return 0


async def project_called(store: Store, name: str) -> Folder | None:
    """Return the project or folder of this name, in any case of its letters; ``None`` for none or several."""
    folders = await store.folders.all()
    same = [each for each in folders if each.name == name] or [
        each for each in folders if each.name.casefold() == name.casefold()
    ]
    return same[0] if len(same) == 1 else None


async def import_(store: Store, screen: Screen, *, files: Sequence[str]) -> int:
    """Import files and print the result. Returns the exit status; raises ``FiresideError``."""
    report = await _transfer(store).import_files(files)
    screen.write(f"{len(report.imported)} imported, {report.n_already_there} already existed.\n")
    for note in report.projects:
        screen.write(f"{one_line(note)}\n")
    if report.updated:
        screen.write(f"{len(report.updated)} updated with {report.n_new_messages} new messages.\n")
    for incomplete in report.incomplete:
        screen.say(f"Incomplete: {one_line(incomplete.what)} – {one_line(incomplete.reason)}\n")
    if report.n_incomplete > len(report.incomplete):
        screen.say(f"Incomplete: {report.n_incomplete - len(report.incomplete)} more\n")
    for skipped in report.skipped:
        screen.say(f"Not imported: {one_line(skipped.what)} – {one_line(skipped.reason)}\n")
    if report.n_skipped > len(report.skipped):
        screen.say(f"Not imported: {report.n_skipped - len(report.skipped)} more\n")
    return 1 if report.n_skipped else 0


def _with_store(work: Callable[..., Coroutine[Any, Any, int]]) -> RunCommand:
    """Return a command that runs ``work`` with the database alone, which a window may have open."""

    @functools.wraps(work)
    def run(context: StartupContext, **arguments: Any) -> int:
        from fireside.storage.store import Store

        unlock(context)

        async def opened() -> int:
            async with await Store.join(
                context.paths.database_file, clock=time.time, key=context.lock.database_key()
            ) as store:
                return await work(store, Screen(output=sys.stdout, status=sys.stderr), **arguments)

        return asyncio.run(opened())

    return run


def _transfer(store: Store) -> TransferService:
    from fireside.services.transfer.transfer_service import TransferService

    return TransferService(store=store, emit=lambda _event: None, clock=time.time)


def format_of(form: str, *, target: str) -> ExportFormat:
    """Return the format by its name, else by the extension of the file, else Markdown."""
    return _FORMATS.get(form or Path(target).suffix.lower().removeprefix("."), ExportFormat.MARKDOWN)


def conversation_of(name: str) -> ConversationId | None:
    """Return the id of a conversation, or ``None`` for text that is no number."""
    is_number = name.isascii() and name.isdecimal() and len(name) <= _MAX_DIGITS
    return ConversationId(int(name)) if is_number else None
