"""Token probabilities: tints, alternatives, and continuing from another token."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from fakes.client import settled
from fakes.engine import finished
from fakes.inspected_answer import Inspected
from fakes.model_entries import STARTER_ID
from fireside.core.errors import RequestError, RunnerCrashed
from fireside.core.generation import (
    Failed,
    OutputKind,
    PromptProgress,
    TextDelta,
    TokenLogprobs,
    TokenProbability,
)
from fireside.core.inspection import AnswerProbabilities, ScoredToken
from fireside.ui.answer_inspection.inspection_text import (
    accessible_token_text,
    level,
    percent,
    scores_summary,
    token_name,
)
from fireside.ui.answer_inspection.probability_sheet import ProbabilitySheet, _texts, level_format
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.message_item import make_entry
from fireside.ui.tasks import TaskRunner


def scored(piece: str | bytes, share: float, *others: tuple[str, float], token: int = 0) -> ScoredToken:
    data = piece.encode() if isinstance(piece, str) else piece
    chosen = TokenProbability(token or sum(data), data, math.log(share))
    top = [chosen, *(TokenProbability(sum(p.encode()), p.encode(), math.log(s)) for p, s in others)]
    top.sort(key=lambda each: -each.logprob)
    return ScoredToken(chosen.token, data, chosen.logprob, OutputKind.ANSWER, tuple(top))


SCORES = AnswerProbabilities(
    tokens=(
        scored("The", 0.95, ("A", 0.03)),
        scored(" moon", 0.1, (" tide", 0.6), (" sun", 0.2)),
        scored(".", 0.7, ("!", 0.2)),
    )
)


def read(token: ScoredToken, n: int) -> TextDelta:
    """Return the event of the ``n``-th token that the model scored."""
    chosen = TokenProbability(token.token, token.piece, token.logprob)
    logprobs = (TokenLogprobs(chosen, token.top),)
    return TextDelta(text=token.piece.decode(), n_completion=n, logprobs=logprobs)


class Scene(Inspected):
    def open(self) -> ProbabilitySheet:
        self.transcript.act(self.answer.id, MessageAction.PROBABILITIES)
        assert self.controller.probability_sheet is not None
        return self.controller.probability_sheet

    def began_with(self) -> list[tuple[int, ...]]:
        """Return the tokens with which answers were continued."""
        replays = [request.task.replay for request in self.client.engine.requests]
        return [replay.tokens for replay in replays if replay is not None and not replay.ends]


@pytest.fixture
def scene(qtbot: QtBot, tasks: TaskRunner) -> Scene:
    return Scene(qtbot, tasks)


@pytest.fixture
def sheet(qtbot: QtBot, scene: Scene) -> ProbabilitySheet:
    sheet = scene.open()
    scene.read_again(*(read(token, n) for n, token in enumerate(SCORES.tokens, 1)), finished())
    qtbot.waitUntil(sheet.text.isVisible)
    return sheet


def rows(sheet: ProbabilitySheet) -> list[str]:
    return [sheet.alternatives.item(row).text() for row in range(sheet.alternatives.count())]


def test_the_least_likely_token_is_selected_first(sheet: ProbabilitySheet) -> None:
    assert sheet.text.toPlainText() == "The moon."
    assert sheet.text.current == 1
    assert sheet.token.text() == "“␣moon”   10%"
    assert rows(sheet) == ["tide, 60%", "sun, 20%", "moon, 10%, chosen"]


def test_arrows_go_from_token_to_token_and_stop_at_the_ends(sheet: ProbabilitySheet) -> None:
    QTest.keyClick(sheet.text, Qt.Key.Key_Left)
    assert rows(sheet)[0] == "The, 95%, chosen"
    QTest.keyClick(sheet.text, Qt.Key.Key_Left)
    assert sheet.text.current == 0
    QTest.keyClick(sheet.text, Qt.Key.Key_End)
    assert sheet.text.current == 2
    QTest.keyClick(sheet.text, Qt.Key.Key_Right)
    assert sheet.text.current == 2


def test_a_click_selects_the_token_under_it(sheet: ProbabilitySheet) -> None:
    cursor = sheet.text.textCursor()
    cursor.setPosition(1)
    at = sheet.text.cursorRect(cursor).center()
    QTest.mouseClick(sheet.text.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert sheet.text.current == 0


def test_return_on_an_alternative_continues_from_it(
    qtbot: QtBot, scene: Scene, sheet: ProbabilitySheet
) -> None:
    QTest.keyClick(sheet.text, Qt.Key.Key_Return)
    QTest.keyClick(sheet.alternatives, Qt.Key.Key_Down)
    with qtbot.waitSignal(scene.controller.generation_started):
        QTest.keyClick(sheet.alternatives, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: scene.began_with() == [(sum(b"The"), sum(b" sun"))])
    assert scene.controller.probability_sheet is None


def test_a_click_on_an_alternative_continues_from_it(
    qtbot: QtBot, scene: Scene, sheet: ProbabilitySheet
) -> None:
    at = sheet.alternatives.visualItemRect(sheet.alternatives.item(0)).center()
    with qtbot.waitSignal(scene.controller.generation_started):
        QTest.mouseClick(sheet.alternatives.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: scene.began_with() == [(sum(b"The"), sum(b" tide"))])


def test_the_chosen_token_starts_no_answer(scene: Scene, sheet: ProbabilitySheet) -> None:
    at = sheet.alternatives.visualItemRect(sheet.alternatives.item(2)).center()
    QTest.mouseClick(sheet.alternatives.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert scene.client.called("inspection.continue_from") == []


def test_while_another_answer_runs_the_sheet_stays_with_the_error(
    qtbot: QtBot, scene: Scene, sheet: ProbabilitySheet
) -> None:
    scene.tasks.run(
        scene.client.generations.send(scene.conversation_id, text="And the sun?", model_id=STARTER_ID)
    )
    settled()
    QTest.keyClick(sheet.alternatives, Qt.Key.Key_Return)
    qtbot.waitUntil(sheet.status.isVisible)
    assert sheet.status.text() == RequestError.of("answer_running").sentence()
    assert sheet.text.isVisible()


def test_progress_is_shown_and_closing_cancels(qtbot: QtBot, scene: Scene) -> None:
    sheet = scene.open()
    scene.read_again(PromptProgress(n_done=20, n_total=20, n_cached=0), read(SCORES.tokens[0], 1))
    qtbot.waitUntil(lambda: sheet.progress.value() == 533)
    QTest.mouseClick(sheet.close_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scene.tasks.n_running == 0)
    assert scene.controller.probability_sheet is None


def test_closing_before_scoring_begins_cancels_too(scene: Scene) -> None:
    scene.client.hold("inspection.probabilities")
    sheet = scene.open()
    scene.client.wait_until(lambda: bool(scene.client.called("inspection.probabilities")))
    sheet.reject()
    scene.client.release("inspection.probabilities")
    settled()
    assert scene.client.engine.requests == []


def test_a_failure_is_shown_in_the_sheet(qtbot: QtBot, scene: Scene) -> None:
    sheet = scene.open()
    scene.read_again(Failed(error=RunnerCrashed(model="SmolLM2", cause="it fell.").info()))
    qtbot.waitUntil(sheet.status.isVisible)
    assert "it fell" in sheet.status.text()


def test_levels_differ_by_underline_and_not_by_colour_alone() -> None:
    lines = [level_format(number).underlineStyle() for number in range(5)]
    assert len(set(lines)) == 5


@pytest.mark.parametrize(
    ("share", "words", "number"),
    [(1.0, "100%", 0), (0.9, "90%", 0), (0.5, "50%", 1), (0.2, "20%", 2), (0.0432, "4.3%", 4)],
)
def test_probabilities_have_texts_and_levels(share: float, words: str, number: int) -> None:
    assert percent(math.log(share)) == words
    assert level(math.log(share) + 1e-9) == number


def test_an_impossible_token_has_a_probability_too() -> None:
    assert percent(-9999.0) == "under 0.1%"


def test_perplexity_is_that_of_the_logarithms() -> None:
    scores = AnswerProbabilities(tokens=(scored("a", 0.25), scored("b", 0.25)))
    assert scores.perplexity == pytest.approx(4.0)
    assert "perplexity 4.00" in scores_summary(scores)


def test_a_retokenised_text_is_reported() -> None:
    assert "tokenized again" in scores_summary(AnswerProbabilities(tokens=SCORES.tokens, is_retokenised=True))


def test_a_character_of_several_tokens_is_shown_once() -> None:
    pieces = [scored(bytes([byte]), 0.5) for byte in "né".encode()]
    assert _texts(pieces) == ["n", "", "é"]
    assert "".join(_texts([scored(b"\xff", 0.5)] * 9 + [scored("ok", 0.5)])).endswith("ok")


def test_the_accessible_text_of_a_token_has_probability_and_position() -> None:
    assert accessible_token_text(SCORES.tokens[1], at=1, n_tokens=3) == "moon, 10%. 2 of 3"
    assert token_name(b"", token=2) == "⟨token 2⟩"


def test_only_finished_answers_of_a_model_offer_inspection(scene: Scene) -> None:
    question, answer = (
        make_entry(message) for message in (scene.transcript.entries[0].message, scene.answer)
    )
    actions = scene.transcript.message_actions
    assert MessageAction.PROBABILITIES in actions.possible(answer)
    assert MessageAction.PROBABILITIES not in actions.possible(question)
