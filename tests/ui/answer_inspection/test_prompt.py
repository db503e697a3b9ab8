"""The exact prompt of an answer, as the user sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import settled
from fakes.inspected_answer import Inspected
from fakes.model_entries import STARTER_ID, loaded_state, starter_spec
from fireside.core.errors import ContextLengthExceeded
from fireside.core.generation import Truncation
from fireside.core.inspection import PromptToken, SeenPrompt
from fireside.core.preset import SYSTEM_PROMPT_KEY
from fireside.core.prompt_query import PromptPreview
from fireside.settings.values import AppLayer
from fireside.ui.answer_inspection.inspection_text import BOUNDARY, prompt_runs, prompt_text
from fireside.ui.answer_inspection.prompt_sheet import PromptSheet
from fireside.ui.tasks import TaskRunner

SEEN = SeenPrompt(
    tokens=(
        PromptToken(1, b"<|im_start|>", is_special=True),
        PromptToken(5, b"user\n", is_special=False),
        PromptToken(6, b"Wh", is_special=False),
        PromptToken(7, b"y?", is_special=False),
        PromptToken(2, b"<|im_end|>", is_special=True),
    ),
    n_ctx=8192,
    model_name="SmolLM2 135M Instruct",
)


class Scene(Inspected):
    @property
    def sheet(self) -> PromptSheet:
        assert self.controller.prompt_sheet is not None
        return self.controller.prompt_sheet

    def open(self) -> PromptSheet:
        self.controller.show_prompt(self.answer.id)
        return self.sheet

    def load(self) -> None:
        self.client.set_state(STARTER_ID, loaded_state(starter_spec()))


@pytest.fixture
def scene(qtbot: QtBot, tasks: TaskRunner) -> Scene:
    scene = Scene(qtbot, tasks)
    scene.client.engine.shown = PromptPreview(SEEN.tokens, None)
    return scene


def test_the_prompt_is_shown_with_special_tokens_and_counts(qtbot: QtBot, scene: Scene) -> None:
    scene.load()
    sheet = scene.open()
    qtbot.waitUntil(lambda: sheet.text.toPlainText() == "<|im_start|>user\nWhy?<|im_end|>")
    counts = "5 tokens, including 2 template tokens · context length 8,192"
    assert sheet.counts.text() == f"SmolLM2 135M Instruct · {counts}"


def test_special_tokens_look_different_from_the_same_text_by_a_user() -> None:
    tokens = (PromptToken(9, b"<|im_end|>", is_special=False), PromptToken(2, b"<|im_end|>", is_special=True))
    assert [s.is_special for s in prompt_runs(tokens, with_boundaries=False)] == [False, True]


def test_token_boundaries_are_shown_on_demand_by_mouse_and_key(qtbot: QtBot, scene: Scene) -> None:
    scene.load()
    sheet = scene.open()
    qtbot.waitUntil(lambda: bool(sheet.text.toPlainText()))
    QTest.mouseClick(sheet.boundaries, Qt.MouseButton.LeftButton)
    assert f"Wh{BOUNDARY}y?" in sheet.text.toPlainText()
    QTest.keyClick(sheet.boundaries, Qt.Key.Key_Space)
    assert BOUNDARY not in sheet.text.toPlainText()


def test_copying_omits_token_boundaries(qtbot: QtBot, scene: Scene) -> None:
    scene.load()
    sheet = scene.open()
    qtbot.waitUntil(lambda: bool(sheet.text.toPlainText()))
    sheet.boundaries.setChecked(True)
    QTest.mouseClick(sheet.copy, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == "<|im_start|>user\nWhy?<|im_end|>"


def test_the_prompt_can_be_saved(qtbot: QtBot, scene: Scene, tmp_path: Path) -> None:
    scene.load()
    sheet = scene.open()
    qtbot.waitUntil(lambda: bool(sheet.text.toPlainText()))
    sheet._saver.save(prompt_text(SEEN), tmp_path / "prompt.txt")
    qtbot.waitUntil(lambda: "Saved" in sheet.save.text())
    assert (tmp_path / "prompt.txt").read_text() == "<|im_start|>user\nWhy?<|im_end|>\n"


def test_a_model_that_is_not_loaded_is_offered_to_be_loaded(qtbot: QtBot, scene: Scene) -> None:
    sheet = scene.open()
    qtbot.waitUntil(sheet.load.isVisible)
    assert "to view the prompt" in sheet.counts.text()
    assert not sheet.text.isVisible()
    QTest.mouseClick(sheet.load, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(sheet.text.isVisible)
    assert scene.client.called("models.load")[0][0] == STARTER_ID


def test_changes_and_truncation_are_noted(qtbot: QtBot, scene: Scene) -> None:
    scene.tasks.run(
        scene.client.generations.send(scene.conversation_id, text="And the sun?", model_id=STARTER_ID)
    )
    settled()
    scene.client.finish(scene.conversation_id)
    scene.answer = scene.client.messages[scene.conversation_id][-1]
    scene.client.layers[AppLayer()] = {SYSTEM_PROMPT_KEY: "Be brief."}
    scene.client.engine.shown = PromptPreview(SEEN.tokens, Truncation(n_messages=2, n_tokens=40))
    scene.load()
    sheet = scene.open()
    qtbot.waitUntil(sheet.notes.isVisible)
    assert "the 2 oldest messages were dropped" in sheet.notes.text()
    assert "have changed since" in sheet.notes.text()


def test_an_error_is_shown_in_the_sheet(qtbot: QtBot, scene: Scene) -> None:
    error = ContextLengthExceeded(n_prompt=9000, n_ctx=8192)
    scene.client.fail("inspection.prompt", error)
    sheet = scene.open()
    qtbot.waitUntil(sheet.status.isVisible)
    assert sheet.status.text() == error.sentence()


def test_an_image_is_a_placeholder_and_invisible_characters_have_names() -> None:
    tokens = (
        PromptToken(-5, b"", is_special=False),
        PromptToken(-6, b"", is_special=False),
        PromptToken(8, "a\u202eb".encode(), is_special=False),
    )
    shown = "".join(stretch.text for stretch in prompt_runs(tokens, with_boundaries=False))
    assert shown == "[image: 2 tokens]a⟨U+202E⟩b"


def test_partial_characters_are_shown_as_bytes_between_boundaries() -> None:
    halves = tuple(PromptToken(byte, bytes([byte]), is_special=False) for byte in "é".encode())
    assert [s.text for s in prompt_runs(halves, with_boundaries=True)] == [f"⟨c3⟩{BOUNDARY}⟨a9⟩"]
    assert [s.text for s in prompt_runs(halves, with_boundaries=False)] == ["é"]


def test_a_closed_sheet_gets_no_results(qtbot: QtBot, scene: Scene) -> None:
    scene.client.hold("inspection.prompt")
    sheet = scene.open()
    sheet.close()
    assert scene.controller.prompt_sheet is None
    scene.client.release("inspection.prompt")
    qtbot.waitUntil(lambda: scene.tasks.n_running == 0)


def test_every_control_has_a_name(scene: Scene) -> None:
    sheet = scene.open()
    controls = (sheet.text, sheet.boundaries, sheet.copy, sheet.save, sheet.load)
    assert all(control.accessibleName() for control in controls)
