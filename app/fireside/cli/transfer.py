"""Export and import conversations from the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from fireside.cli.screen import Screen
from fireside.core.ids import ConversationId
from fireside.core.transfer import ExportFormat

if TYPE_CHECKING:  # what can be typed is known without the program that carries it out
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
_MAX_DIGITS: Final = 18

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)


def add_transfer_commands(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the commands that export and import conversations."""
    out = commands.add_parser(
        EXPORT_COMMAND,
        help="export chats to a file",
        description="Export one chat, or all, as Markdown, HTML or JSON. JSON is complete and can be "
        "imported again. All chats as Markdown or HTML become one file each in the folder FILE. "
        "Without FILE, chats are listed with their numbers.",
    )
    out.add_argument("name", nargs="?", default="", metavar="number", help="number of a chat, or “all”")
    out.add_argument("target", nargs="?", default="", metavar="file")
    out.add_argument(
        "--format", choices=tuple(_FORMATS), default="", dest="form", help="format; taken from FILE, else md"
    )
    come = commands.add_parser(
        IMPORT_COMMAND,
        help="import chats from files",
        description="Import chats exported from Fireside, ChatGPT, LM Studio, Jan or Open WebUI: files, ZIP "
        "archives or folders. Existing chats are skipped.",
    )
    come.add_argument("files", nargs="+", metavar="file")


def format_of(form: str, *, target: str) -> ExportFormat:
    """Return the format that was asked for, else the one that the file's name says, else Markdown."""
    return _FORMATS.get(form or Path(target).suffix.lower().removeprefix("."), ExportFormat.MARKDOWN)


def conversation_of(name: str) -> ConversationId | None:
    """Return the number of a conversation, or ``None`` for text that is none."""
    is_number = name.isascii() and name.isdecimal() and len(name) <= _MAX_DIGITS
    return ConversationId(int(name)) if is_number else None


async def export_conversations(
    transfer: TransferService, *, name: str, form: ExportFormat, target: str, screen: Screen
) -> int:
    """Export what is meant and say where it went. Returns the exit status; raises ``FiresideError``."""
    wanted = conversation_of(name)
    if wanted is None and name != ALL:
        screen.say(f"fireside: “{name}” is not a chat number. “fireside export” lists them.\n")
        return 2
    ids = None if wanted is None else (wanted,)
    report = await transfer.export(ids, form=form, target=target)
    for path in report.paths:
        screen.write(f"{path}\n")
    if report.n_unreadable:
        screen.say(f"Damaged messages: {report.n_unreadable}\n")
    return 0


async def import_conversations(transfer: TransferService, files: Sequence[str], *, screen: Screen) -> int:
    """Import files and say what came of it. Returns the exit status; raises ``FiresideError``."""
    report = await transfer.import_files(files)
    screen.write(f"{len(report.imported)} imported, {report.n_already_there} already existed.\n")
    for skipped in report.skipped:
        screen.say(f"Not imported: {skipped.what} – {skipped.reason}\n")
    if report.n_skipped > len(report.skipped):
        screen.say(f"Not imported: {report.n_skipped - len(report.skipped)} more\n")
    return 1 if report.n_skipped else 0
