"""A user looks at how the real model loads, changes it, and is helped after a crash: the real program."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import psutil
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from fakes.program import Program, running_program, until
from fireside.core.chat import MessageState
from fireside.core.status import Ready
from fireside.ui.chat.answer.inline_notices import NoteCard
from fireside.ui.loading.panel import N_CTX, LoadPanel, LoadSheet
from fireside.ui.loading.setting_controls import SliderControl

SETTINGS = ("sampling.max_tokens=300", "sampling.temperature=0", "chat.titles_by_model=false")


def n_ctx_loaded(program: Program) -> int:
    """Return the context that the model has now; 0 while it is not loaded."""
    model_id = program.window.conversations.model_id
    state = program.window.models.state(model_id) if model_id is not None else None
    return state.loaded.n_ctx if isinstance(state, Ready) else 0


def plan_fits_the_slider(panel: LoadPanel) -> bool:
    control = panel.controls.controls[N_CTX]
    assert isinstance(control, SliderControl)
    return panel.plan is not None and panel.plan.options.n_ctx == control.number


def kill_the_runner() -> None:
    """End the process that computes, as llama.cpp does where memory cannot be had."""
    for child in psutil.Process().children(recursive=True):
        if child.cmdline()[-1:] == ["fireside.runner"]:
            child.kill() if sys.platform == "win32" else child.send_signal(signal.SIGABRT)


def test_a_plan_comes_true_a_smaller_context_is_loaded_and_a_crash_is_mended(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    assert starter_model_path.exists()
    with running_program(qapp, home=own_home / "fireside", settings=SETTINGS) as program:
        program.run(lambda: look_change_and_mend(program))


async def look_change_and_mend(program: Program) -> None:
    await program.ready()
    await until(lambda: n_ctx_loaded(program) > 0)
    await change(program)
    await mend(program)


async def change(program: Program) -> None:
    """What is predicted is what a load takes, before and after the context is changed."""
    window = program.window
    window.header.open_picker()
    window.header.popup.details.click()
    sheet = window.findChild(LoadSheet)
    assert sheet is not None
    panel = sheet.panel
    await until(lambda: panel.plan is not None and panel.measured.isVisible())
    assert panel.plan is not None
    assert panel.plan.is_exact
    large = panel.bars.bars[0].segments
    for _, _, predicted, measured in panel.measured.cells:
        assert predicted == measured
    context = panel.controls.controls[N_CTX]
    assert isinstance(context, SliderControl)
    while context.number != 2048:
        QTest.keyClick(context.slider, Qt.Key.Key_Left)
    await until(lambda: plan_fits_the_slider(panel))
    small = panel.bars.bars[0].segments
    assert sum(part.n_bytes for part in small[1:]) < sum(part.n_bytes for part in large[1:])
    assert panel.reload_note.isVisible()
    panel.load.click()
    await until(lambda: n_ctx_loaded(program) == 2048)
    await until(lambda: bool(panel.measured.cells) and not panel.load.isVisible())
    sheet.close()


async def mend(program: Program) -> None:
    """An answer whose process dies is written again by the model loaded smaller."""
    window = program.window
    program.type("Tell me about the sea in many words.")
    program.press(Qt.Key.Key_Return)
    transcript = window.chat.transcript
    await until(lambda: bool(transcript.entries) and bool(transcript.entries[-1].text))
    kill_the_runner()
    await until(lambda: bool(transcript.entries[-1].smaller_load))
    failed = transcript.entries[-1].message.id
    (card,) = [card for card in transcript.findChildren(NoteCard) if card.findChildren(QPushButton)]
    smaller = card.findChildren(QPushButton)[0]
    assert smaller.text() == "Reload with less memory and retry"
    smaller.click()
    await until(lambda: transcript.entries[-1].message.id != failed)
    await until(lambda: transcript.entries[-1].message.state is MessageState.COMPLETE)
    assert transcript.entries[-1].text
