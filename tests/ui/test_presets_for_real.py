"""A seed, a rule and a preset do with the real model what the window says: the real program, whole."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program, until
from fireside.core.chat import StoredMessage
from fireside.core.ids import ConversationId
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.answer import AnswerView
from fireside.ui.chat.pane.chips import PRESET, RULE, SEED
from fireside.ui.commands import Command

SETTINGS = ("sampling.max_tokens=12", "sampling.temperature=0.8", "load.n_ctx=512", "load.n_seq_max=1")


async def last_answer(program: Program) -> StoredMessage:
    """Return the newest answer once nothing is written any more."""
    chat = program.window.chat
    await until(lambda: bool(chat.transcript.entries) and not chat.is_running)
    conversation_id = program.window.conversations.conversation_id
    assert conversation_id is not None
    return (await program.client.conversations.open(ConversationId(conversation_id))).messages[-1]


async def again(program: Program) -> StoredMessage:
    """Have the last question answered again."""
    before = (await last_answer(program)).id
    program.window.commands.actions[Command.ANSWER_AGAIN].trigger()
    await until(lambda: program.window.chat.transcript.entries[-1].message.id != before)
    return await last_answer(program)


def seed_of(answer: StoredMessage) -> int:
    assert answer.generation is not None
    assert answer.generation.seed is not None
    return answer.generation.seed


def test_a_seed_that_is_kept_gives_the_same_answer_again_and_a_random_one_does_not(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    assert starter_model_path.exists()
    with running_program(qapp, home=own_home / "fireside", settings=SETTINGS) as program:
        program.run(lambda: keep_a_seed(program))


async def keep_a_seed(program: Program) -> None:
    await program.ready()
    await program.ask("Tell me a story about a lighthouse.")
    first = await last_answer(program)
    chips = program.window.chat.chips
    program.window.chat.transcript.act(first.id, MessageAction.REUSE_SEED)
    await until(lambda: SEED in chips.chips)
    second = await again(program)
    third = await again(program)
    assert seed_of(first) == seed_of(second) == seed_of(third)
    assert second.message.text == third.message.text == first.message.text
    chips.chips[SEED].remove.click()
    await until(lambda: SEED not in chips.chips)
    other = await again(program)
    assert seed_of(other) != seed_of(first)


def test_a_chat_with_a_preset_answers_by_its_rule_and_shows_it_as_code(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    assert starter_model_path.exists()
    settings = ("sampling.max_tokens=400", "load.n_ctx=1024")
    with running_program(qapp, home=own_home / "fireside", settings=settings) as program:
        program.run(lambda: extract(program))


async def extract(program: Program) -> None:
    await program.ready()
    window = program.window
    editor, chips = window.chat.composer.editor, window.chat.chips
    await until(lambda: bool(window.presets.presets))
    window.activateWindow()
    editor.setFocus()
    QTest.keyClicks(editor, "/json")
    await until(window.slash.menu.isVisible)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    await until(lambda: {PRESET, RULE} <= set(chips.chips))
    assert editor.toPlainText() == ""
    await program.ask("Ada Lovelace met Charles Babbage in London on 5 June 1833.")
    answer = await last_answer(program)
    assert set(json.loads(answer.message.text)) == {"title", "kind", "date", "people", "summary"}
    assert {PRESET, RULE} <= set(chips.chips)
    view = window.chat.transcript.view_of(len(window.chat.transcript.entries) - 1)
    assert isinstance(view, AnswerView)
    view.finish_layout()
    assert [view.code_of(edit) for edit in view.text_views] == [answer.message.text]
