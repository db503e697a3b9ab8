"""Behind an answer and beside it, with the real model: the real program, whole."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program, until
from fireside.core.chat import StoredMessage
from fireside.ui.chat.answer.actions import MessageAction
from ui.test_steering_for_real import at_rest

SETTINGS = ("sampling.max_tokens=8", "sampling.temperature=0", "load.n_ctx=512")


def test_the_prompt_and_the_probabilities_of_an_answer_and_two_answers_side_by_side(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    assert starter_model_path.exists()
    with running_program(qapp, home=own_home / "fireside", settings=SETTINGS) as program:
        program.run(lambda: look_behind(program))


async def look_behind(program: Program) -> None:
    await program.ready()
    await program.ask("Name three colours.")
    first = (await at_rest(program)).messages[-1]
    transcript = program.window.chat.transcript
    inspection = program.window.inspection

    transcript.act(first.id, MessageAction.PROMPT)
    prompt = inspection.prompt_sheet
    assert prompt is not None
    await until(lambda: "<|im_start|>user\nName three colours.<|im_end|>" in prompt.text.toPlainText())
    assert first.generation is not None
    assert first.generation.usage is not None
    assert f"{first.generation.usage.n_prompt} tokens" in prompt.counts.text()
    assert prompt.notes.text() == ""
    prompt.reject()

    transcript.act(first.id, MessageAction.PROBABILITIES)
    scores = inspection.probability_sheet
    assert scores is not None
    await until(scores.text.isVisible)
    assert scores.text.toPlainText().strip() == first.message.text.strip()
    scores.text.select_token(2)
    row = 1 if scores.alternatives.item(0).text().endswith("chosen") else 0
    scores.alternatives.setCurrentRow(row)
    QTest.keyClick(scores.alternatives, Qt.Key.Key_Return)
    await until(lambda: transcript.entries[-1].message.id != first.id)
    other = (await at_rest(program)).messages[-1]
    assert other.message.text != first.message.text
    assert other.message.text.split()[0] == first.message.text.split()[0]

    await compare(program)


async def compare(program: Program) -> None:
    comparison = program.window.comparison
    program.window.chat.composer.editor.setPlainText("Why is the sky blue?")
    QTest.mouseClick(program.window.chat.composer.compare_button, Qt.MouseButton.LeftButton)
    await until(lambda: comparison.setup is not None)
    assert comparison.setup is not None
    comparison.setup.rows[1].form.editors["chat.system_prompt"].edited.emit("Answer in French.")
    QTest.mouseClick(comparison.setup.compare, Qt.MouseButton.LeftButton)
    await until(lambda: comparison.view is not None)
    view = comparison.view
    assert view is not None
    await until(lambda: not any(column.is_running for column in view.columns))
    left, right = view.columns
    assert left.answer.message.text
    n_read = [_n_prompt(column.answer) for column in view.columns]
    assert n_read[0] != n_read[1], "only one of them has this system prompt"
    assert "tokens/s" in left.figures.text()
    assert "of memory" in left.figures.text()
    answer_before = right.answer
    QTest.mouseClick(right.keep, Qt.MouseButton.LeftButton)
    await until(lambda: program.window.chat.transcript.entries[-1].message.id == answer_before.id)
    conversation = await at_rest(program)
    assert conversation.branches.siblings[answer_before.id] == (left.answer.id, answer_before.id)


def _n_prompt(answer: StoredMessage) -> int:
    assert answer.generation is not None
    assert answer.generation.usage is not None
    return answer.generation.usage.n_prompt
