"""``fireside export`` and ``fireside import``: conversations to and from files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from fireside.cli.screen import Screen, one_line
from fireside.core.ids import ConversationId
from fireside.core.transfer import ExportFormat

if TYPE_CHECKING:  # parsing a command line does not import the services
    from fireside.services.transfer.transfer_service import TransferService

EXPORT_COMMAND: Final = "export"
IMPORT_COMMAND: Final = "import"
TRANSFER_COMMANDS: Final = (EXPORT_COMMAND, IMPORT_COMMAND)
ALL: Final = "all"
_FORMATS: Final = {
    "md": ExportFormat.MARKDOWN,
    "html": ExportFormat.HTML,
    "json": ExportFormat.JSON,
}
_OUTPUTS: Final = ("-", "/dev/stdout")
"""Targets that stand for the output of the command."""
_MAX_DIGITS: Final = 18


def add_transfer_commands(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``export`` and ``import`` to the commands."""
    export = commands.add_parser(
        EXPORT_COMMAND,
        help="export chats to a file",
        description="Export one chat, or all, as Markdown, HTML or JSON. JSON is complete and can be "
        "imported again. All chats as Markdown or HTML become one file each in the folder FILE. "
        "FILE “-” is the output. Without FILE, chats are listed with their numbers.",
    )
    export.add_argument("name", nargs="?", default="", metavar="number", help="number of a chat, or “all”")
    export.add_argument("target", nargs="?", default="", metavar="file")
    export.add_argument(
        "--format", choices=tuple(_FORMATS), default="", dest="form", help="format; taken from FILE, else md"
    )
    import_ = commands.add_parser(
        IMPORT_COMMAND,
        help="import chats from files",
        description="Import chats exported from Fireside, ChatGPT, LM Studio, Jan or Open WebUI: files, ZIP "
        "archives or folders. Existing chats get what is new in them.",
    )
    import_.add_argument("files", nargs="+", metavar="file")


def format_of(form: str, *, target: str) -> ExportFormat:
    """Return the format by its name, else by the extension of the file, else Markdown."""
    return _FORMATS.get(form or Path(target).suffix.lower().removeprefix("."), ExportFormat.MARKDOWN)


def conversation_of(name: str) -> ConversationId | None:
    """Return the id of a conversation, or ``None`` for text that is no number."""
    is_number = name.isascii() and name.isdecimal() and len(name) <= _MAX_DIGITS
    return ConversationId(int(name)) if is_number else None


async def export_conversations(
    transfer: TransferService, *, name: str, form: ExportFormat, target: str, screen: Screen
) -> int:
    """Export a chat, or all, print the paths and return the exit status. Raises ``FiresideError``."""
    conversation_id = conversation_of(name)
    if conversation_id is None and name != ALL:
        screen.say(f"fireside: “{one_line(name)}” is not a chat number. “fireside export” lists them.\n")
        return 2
    ids = None if conversation_id is None else (conversation_id,)
    if target not in _OUTPUTS:
        report = await transfer.export(ids, form=form, target=target)
        for path in report.paths:
            screen.write(f"{path}\n")
    elif conversation_id is None and form is not ExportFormat.JSON:
        screen.say("fireside: all chats in one output are JSON: add “--format json”, or name a folder.\n")
        return 2
    else:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "chats"
            report = await transfer.export(ids, form=form, target=str(file))
            screen.write(file.read_text("utf-8"))
    if report.n_unreadable:
        screen.say(f"Damaged messages: {report.n_unreadable}\n")
    for failed in report.failed:
        screen.say(f"Not exported: {one_line(failed.what)} – {one_line(failed.reason)}\n")
    if report.n_failed > len(report.failed):
        screen.say(f"Not exported: {report.n_failed - len(report.failed)} more\n")
    return 1 if report.n_failed else 0


async def import_conversations(transfer: TransferService, files: Sequence[str], *, screen: Screen) -> int:
    """Import files, print the result and return the exit status. Raises ``FiresideError``."""
    report = await transfer.import_files(files)
    screen.write(f"{len(report.imported)} imported, {report.n_already_there} already existed.\n")
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
