"""Take pictures of the sheets that no other script here opens, over a client in memory.

Usage: PYTHONPATH=tests python tests/tools/screenshots/sheets.py FOLDER [LOOK …]   (as in ``stage``)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, cast

from PySide6.QtWidgets import QWidget

from fakes.client import AppClient
from fireside.core.chat import MessageState, TreeNode
from fireside.core.collection import TextExtent
from fireside.core.generation import OutputKind, TokenProbability
from fireside.core.ids import MessageId
from fireside.core.inspection import (
    AnswerProbabilities,
    PromptToken,
    ScoredToken,
    SeenPrompt,
)
from fireside.core.library import Removal, RemovalKind
from fireside.core.message import DocumentPart, Role
from fireside.core.remote import RemoteEngine, ServerKind
from fireside.core.token_estimate import ReadingCost
from fireside.core.tool_servers import PromptArgument, ServerResource, ToolServer
from fireside.core.tools import Permission, ToolInfo
from fireside.ui.answer_inspection.probability_sheet import ProbabilitySheet
from fireside.ui.answer_inspection.prompt_sheet import PromptSheet
from fireside.ui.chat.answer.links import LinkDialog
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.chat.pane.tree_sheet import TreeSheet
from fireside.ui.commands import Command
from fireside.ui.documents.chat_sheets import WholeReadingSheet
from fireside.ui.documents.documents_controller import NameSheet
from fireside.ui.kit.sheet import Sheet
from fireside.ui.library.library_controller import RemovalSheet
from fireside.ui.presets.values_sheet import ValuesSheet
from fireside.ui.settings.engine_sheets import KeySheet
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tool_menu.offer_sheets import ArgumentForm, FieldsSheet, ResourceSheet
from fireside.ui.tool_servers.tools_controller import AccessSheet, TrySheet
from tools.screenshots.pages import with_everything
from tools.screenshots.stage import Camera, play, rest

_WORDS: Final = "The pump heats the house and the water. It stands behind the garage, under a roof. "
_TOOL: Final = ToolInfo(
    name="files__read_file",
    description="Reads a file, whole or a part of it.",
    parameters='{"type": "object", "required": ["path"], "properties": {"path": {"type": "string", '
    '"description": "Where the file is"}, "lines": {"type": "integer"}, "raw": {"type": "boolean"}}}',
    setting="tools.servers",
    server="files",
    n_tokens=80,
    permission=Permission.ASK,
)
_ENGINE: Final = RemoteEngine(
    id="1", name="Big machine in the cellar", address="http://127.0.0.1:34660", kind=ServerKind.VLLM
)


def _tree() -> tuple[TreeNode, ...]:
    texts = ("Why do leaves fall?", "To save water.", "And needles?", "They hold less.", "Shorter, please.")
    parents = (None, 1, 2, 3, 2)
    return tuple(
        TreeNode(
            id=MessageId(n),
            parent_id=None if parent is None else MessageId(parent),
            role=Role.ASSISTANT if n % 2 == 0 else Role.USER,
            excerpt=text,
            state=MessageState.COMPLETE,
            created_at=float(n),
            model_name="Qwen3 8B",
            active=n < 5,
        )
        for n, (text, parent) in enumerate(zip(texts, parents, strict=True), 1)
    )


def _of_chats(parent: QWidget) -> Iterator[tuple[str, Sheet]]:
    """Make each sheet, with what it is to show."""
    yield "link", LinkDialog("https://www.example.org/a/page?of=it", open_url=print, parent=parent)
    yield "branches", TreeSheet(_tree(), print, parent=parent)
    short = DocumentPart(name="Notes.md", media_type="text/markdown", text=_WORDS)
    yield "attachment", AttachmentSheet(short, parent=parent)
    yield (
        "attachment-long",
        AttachmentSheet(
            DocumentPart(name="Report.pdf", media_type="application/pdf", text=f"{_WORDS}\n" * 90),
            parent=parent,
        ),
    )
    files = ("/home/ada/models/Qwen3-8B-Q4_K_M.gguf",)
    removal = Removal(kind=RemovalKind.TRASH, text="Its file goes to the trash.", files=files, freed_bytes=5)
    yield "remove-model", RemovalSheet(removal, print, name="Qwen3 8B", parent=parent)
    yield "name", NameSheet("New collection", print, action_label="Create", parent=parent)
    extent, cost = (
        TextExtent(n_files=14, n_chars=500_000),
        ReadingCost(n_tokens=130_000, n_parts=9, seconds=360),
    )
    yield "read-everything", WholeReadingSheet(extent, cost, print, parent=parent)
    prompt = PromptSheet(print, parent=parent)
    tokens = tuple(PromptToken(n, f"word{n} ".encode(), is_special=n % 40 == 0) for n in range(300))
    prompt.show_prompt(SeenPrompt(tokens=tokens, n_ctx=8192, model_name="Qwen3 8B"))
    yield "prompt", prompt
    scores = ProbabilitySheet(cast("Any", None), parent=parent)
    top = (TokenProbability(1, b" pump", -0.1), TokenProbability(2, b" heater", -2.5))
    scored = (
        ScoredToken(1, f"word{n} ".encode(), -0.1 * (n % 9), OutputKind.ANSWER, top) for n in range(160)
    )
    scores.show_scores(AnswerProbabilities(tokens=tuple(scored)))
    yield "probabilities", scores


def _of_tools(parent: QWidget) -> Iterator[tuple[str, Sheet]]:
    yield "key", KeySheet(_ENGINE, print, parent=parent)
    yield "access", AccessSheet(ToolServer(name="files"), on_submitted=print, parent=parent)
    yield "try", TrySheet(_TOOL, on_call=print, on_cancel=print, parent=parent)
    arguments = (PromptArgument(name="path", is_required=True), PromptArgument(name="language"))
    fields = ArgumentForm(title="Review", about="Reviews a file.", arguments=arguments, action="Insert")
    yield "fields", FieldsSheet("files", fields, print, parent=parent)
    resources = ResourceSheet("files", print, parent=parent)
    resources.show_resources(
        [ServerResource(uri=f"file:///notes/{n}.md", name=f"Note {n}") for n in range(4)]
    )
    yield "resources", resources
    yield (
        "values",
        ValuesSheet(("language", "tone"), title="Translator", values={}, parent=parent),
    )


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Open each sheet over a chat."""
    window.conversations.open(next(iter(client.messages)))
    await rest()
    for name, sheet in (*_of_chats(window), *_of_tools(window)):
        sheet.open()
        await rest()
        await camera.take(f"sheet-{name}", of=partial(_same, sheet))
        sheet.reject()
        await rest()
    for command, name in ((Command.ANSWER_AGAIN, "regenerate"), (Command.IMPORT_CHATS, "import")):
        window.command_controller.run(command)
        await rest()
        await camera.take(f"sheet-{name}")


def _same(sheet: Sheet) -> Sheet:
    return sheet


if __name__ == "__main__":
    play(take, make_client=with_everything)
