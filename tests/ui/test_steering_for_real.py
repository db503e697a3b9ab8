"""A user steers a conversation with the real model: the real program, whole."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program, until
from fireside.core.chat import Conversation, MessageState
from fireside.core.generation import FinishReason
from fireside.core.ids import ConversationId
from fireside.ui.chat.answer.answer import AnswerView
from fireside.ui.chat.answer.message_editor import MessageEditor

SETTINGS = ("sampling.max_tokens=6", "sampling.temperature=0", "load.n_ctx=512")


async def opened(program: Program) -> Conversation:
    conversation_id = program.window.conversations.conversation_id
    assert conversation_id is not None
    return await program.client.conversations.open(ConversationId(conversation_id))


async def at_rest(program: Program) -> Conversation:
    """Return the conversation once nothing is written and the window shows what is stored."""
    chat = program.window.chat

    def done() -> bool:
        entries = chat.transcript.entries
        return bool(entries) and not entries[-1].is_running and not chat.is_running

    await until(done)
    return await opened(program)


def answer_view(program: Program) -> AnswerView:
    transcript = program.window.chat.transcript
    view = transcript.view_of(len(transcript.entries) - 1)
    assert isinstance(view, AnswerView)
    return view


def test_a_cut_answer_goes_on_a_question_gets_other_words_and_what_is_sent_meanwhile_waits(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    assert starter_model_path.exists()
    with running_program(qapp, home=own_home / "fireside", settings=SETTINGS) as program:
        program.run(lambda: steer(program))


async def steer(program: Program) -> None:
    await program.ready()
    first = await program.ask("Tell me about the sea in many words.")
    assert first.generation is not None
    assert first.generation.finish_reason is FinishReason.LENGTH
    before = await at_rest(program)

    answer_view(program)._footer.continue_button.click()
    await until(lambda: program.window.chat.transcript.entries[-1].is_running)
    after = await at_rest(program)
    assert [m.id for m in after.messages] == [m.id for m in before.messages]
    longer, shorter = after.messages[1].message.text, before.messages[1].message.text
    assert longer.startswith(shorter)
    assert len(longer) > len(shorter)
    record = after.messages[1].generation
    assert record is not None
    assert record.usage is not None
    assert record.usage.n_cached > 30, "what was read stays in the cache"

    transcript = program.window.chat.transcript
    transcript.editor.begin(after.messages[0].id)
    editor = transcript.view_of(0).findChild(MessageEditor)
    assert editor is not None
    field = editor.tab_stops[0]
    QTest.keyClicks(field, " And of ships.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await until(lambda: bool(transcript.entries[0].siblings))
    branched = await at_rest(program)
    assert branched.messages[0].message.text.endswith("in many words. And of ships.")
    assert branched.messages[1].state is MessageState.COMPLETE

    view = transcript.view_of(0)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    await until(lambda: transcript.entries[0].message.id == before.messages[0].id)
    assert [entry.text for entry in transcript.entries][1] == longer
    await queue(program)


async def queue(program: Program) -> None:
    """What is sent while an answer is written is answered next."""
    for text in ("One?", "Two?"):
        program.type(text)
        program.press(Qt.Key.Key_Return)
        await until(lambda: program.window.chat.is_running)
        await until(lambda: not program.window.chat.composer.text())
    await until(lambda: len(program.window.chat.transcript.entries) == 6)
    stored = await at_rest(program)
    assert [m.message.text for m in stored.messages][2::2] == ["One?", "Two?"]
    assert stored.waiting == ()
