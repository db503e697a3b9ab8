"""A program of its own: a user writes and attaches in the real window, and then the program is killed.

``python unsent_draft_program.py HOME FILE``; HOME holds one conversation, which the window shows.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program
from fireside.ui.chat.answer.message_editor import MessageEditor

PAUSE_S = 0.02


async def until(condition: Callable[[], bool]) -> None:
    """Return when ``condition`` holds, whether or not anything is told meanwhile."""
    async with asyncio.timeout(60):
        while True:
            if condition():
                return
            await asyncio.sleep(PAUSE_S)


async def leave_unsent(program: Program, file: str) -> None:
    """Write everywhere where something can be written, and wait until all of it is stored."""
    chat = program.window.chat
    await until(lambda: chat.conversation_id is not None)
    conversation_id = chat.conversation_id
    assert conversation_id is not None
    program.type("half a thought")
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill(0x5A8CC8)
    pasted = QMimeData()
    pasted.setImageData(image)
    chat.composer.editor.insertFromMimeData(pasted)
    chat.attachments.add_files([file])
    artifacts = program.window.artifacts
    artifacts.open_list()
    (artifact,) = await program.client.artifacts.of_chat(conversation_id)
    artifacts.panel.show_artifact(artifact)
    artifacts.panel.item_page.begin_edit()
    QTest.keyClicks(artifacts.panel.item_page.source, "half a change")
    while True:
        (artifact,) = await program.client.artifacts.of_chat(conversation_id)
        if artifact.draft:
            break
        await asyncio.sleep(PAUSE_S)
    chat.transcript.editor.begin_last()
    field = chat.findChild(MessageEditor)
    assert field is not None
    QTest.keyClicks(field.tab_stops[0], " Really?")
    while True:
        stored = await program.client.conversations.open(conversation_id)
        if stored.draft and len(stored.attached) == 2 and stored.edits:
            break
        await asyncio.sleep(PAUSE_S)
    program.window.conversations.new_chat()
    program.type("an idea")
    chat.attachments.add_files([file])
    while True:
        snapshot = await program.client.snapshot()
        if snapshot.new_drafts and snapshot.new_drafts[0].text and snapshot.new_drafts[0].attached:
            break
        await asyncio.sleep(PAUSE_S)


def main() -> None:
    home, file = sys.argv[1:]
    application = QApplication([])
    with running_program(application, home=Path(home)) as program:
        program.run(lambda: leave_unsent(program, file))
        psutil.Process().kill()


if __name__ == "__main__":
    main()
