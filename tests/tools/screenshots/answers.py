"""What lies behind an answer, and answers side by side."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.theme import ThemeChoice, theme

_SOON_S = 1.0
_LOOK_S = 0.1
_N_LOOKS = 1200


async def take_answers(window: MainWindow, *, folder: Path) -> None:
    """Show the prompt and the probabilities of the last answer, and then two answers to a question."""
    transcript = window.chat.transcript
    inspection, comparison = window.inspection, window.comparison
    last = transcript.entries[-1].message.id
    transcript.act(last, MessageAction.PROMPT)
    prompt = inspection.prompt_sheet
    assert prompt is not None
    await asyncio.sleep(_SOON_S)
    await _both(window, prompt, "prompt", folder=folder)
    prompt.reject()
    transcript.act(last, MessageAction.PROBABILITIES)
    scores = inspection.probability_sheet
    assert scores is not None
    await _until(scores.text.isVisible)
    await _both(window, scores, "probabilities", folder=folder)
    scores.reject()
    window.chat.composer.editor.setPlainText("Why do leaves fall in autumn?")
    comparison.compare()
    await asyncio.sleep(_SOON_S)
    setup = comparison.setup
    assert setup is not None
    setup.rows[1].form.editors["sampling.temperature"].edited.emit(0.9)
    setup.compare.click()
    await asyncio.sleep(_SOON_S)
    view = comparison.view
    assert view is not None
    await _until(lambda: not any(column.is_running for column in view.columns))
    await _both(window, view, "side-by-side", folder=folder)
    view.columns[0].keep.click()
    await asyncio.sleep(_SOON_S)


async def _until(is_so: Callable[[], bool]) -> None:
    for _ in range(_N_LOOKS):
        if is_so():
            return
        await asyncio.sleep(_LOOK_S)


async def _both(window: MainWindow, sheet: QWidget, name: str, *, folder: Path) -> None:
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        theme().set_choice(choice)
        await asyncio.sleep(0.3)
        sheet.window().grab().save(str(folder / f"{name}-{choice.value}.png"))
        sys.stdout.write(f"{name}-{choice.value}.png\n")
