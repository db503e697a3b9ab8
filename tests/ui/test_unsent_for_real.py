"""What is typed and attached and not sent outlives a killed program: real window, database and files."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fakes import unsent_draft_program
from fakes.program import Program, running_program
from fakes.stores import send
from fakes.unsent_draft_program import until
from fireside.core.ids import ConversationId
from fireside.core.message import Role, text_message
from fireside.settings.paths import locate
from fireside.settings.window_state import WindowState, save_state
from fireside.storage.store import Store
from fireside.ui.chat.answer.message_editor import MessageEditor
from fireside.ui.widgets.buttons import IconButton

PICTURE = "<svg viewBox='0 0 9 9'><rect width='9' height='9'/></svg>"


def one_conversation(home: Path) -> ConversationId:
    """Store a question with its answer, to be shown at the start."""
    paths = locate({"FIRESIDE_HOME": str(home)})

    async def store() -> ConversationId:
        async with await Store.open(paths.database_file, clock=time.time) as opened:
            turn = await send(opened, "Why?")
            drawn = text_message(Role.ASSISTANT, f"```svg\n{PICTURE}\n```")
            await opened.messages.finish(replace(turn.answer, message=drawn))
            return turn.summary.id

    conversation_id = asyncio.run(store())
    paths.state_file.parent.mkdir(parents=True, exist_ok=True)
    save_state(paths.state_file, WindowState(last_conversation=conversation_id))
    return conversation_id


def chips(program: Program) -> list[tuple[str, str]]:
    return [(chip.facts.name, chip.facts.line) for chip in program.window.chat.composer.tray.chips]


def test_a_killed_program_comes_back_with_all_that_was_typed_and_attached(
    qapp: QApplication, own_home: Path, tmp_path: Path
) -> None:
    if sys.platform == "win32":
        pytest.skip("no SIGKILL")
    home, notes = own_home / "fireside", tmp_path / "notes.txt"
    notes.write_text("Remember the milk.\n" * 20)
    chat = one_conversation(home)
    tests = Path(unsent_draft_program.__file__).parents[1]
    folders = os.pathsep.join((str(tests), str(tests.parent / "app")))
    ended = subprocess.run(
        [sys.executable, "-P", unsent_draft_program.__file__, str(home), str(notes)],
        env={**os.environ, "PYTHONPATH": folders},
        timeout=120,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    notes.unlink()  # what was read is kept, not where it was
    with running_program(qapp, home=home) as program:

        async def look() -> None:
            pane = program.window.chat
            await until(lambda: pane.composer.text() == "half a thought")
            await until(lambda: len(chips(program)) == 2 and "tokens" in chips(program)[1][1])
            assert [name for name, _ in chips(program)] == ["Pasted image.png", "notes.txt"]
            field = pane.findChild(MessageEditor)
            assert field is not None
            assert field.text == "Why? Really?"
            QTest.mouseClick(chip_button(program, 0), Qt.MouseButton.LeftButton)
            await until(lambda: len(chips(program)) == 1)
            artifacts = program.window.artifacts
            artifacts.open_list()
            await until(lambda: len(artifacts.panel.list_page.table.row_model.rows) == 1)
            (artifact,) = await program.client.artifacts.of_chat(chat)
            assert artifact.draft is not None
            artifacts.panel.show_artifact(artifact)
            assert artifacts.panel.item_page.is_editing
            assert artifacts.panel.item_page.source.toPlainText() == f"half a change{PICTURE}"
            await program.window.context.tasks.wait_until_idle()
            stored = await program.client.conversations.open(chat)
            assert [each.name for each in stored.attached] == ["notes.txt"]
            program.window.conversations.new_chat()
            await until(lambda: pane.composer.text() == "an idea")
            assert [name for name, _ in chips(program)] == ["notes.txt"]
            await program.window.context.tasks.wait_until_idle()

        program.run(look)


def chip_button(program: Program, index: int) -> IconButton:
    button = program.window.chat.composer.tray.chips[index].remove_button
    assert button is not None
    return button
