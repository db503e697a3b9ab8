"""Applying and reverting a tuning, and when its figures are stale."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fakes.app_harness import AppHarness
from fakes.raised import refuses
from fakes.tuning import QUESTIONS_FILE, tuning_of
from fireside.core.errors import RequestError
from fireside.core.ids import ModelId
from fireside.core.quality import ChoiceQuestion, ExactQuestion, Question
from fireside.core.tuning import MeasurementContext, Tuning
from fireside.engine.tuning.records import TuningRecords
from fireside.services.machine.tuning_service import TuningService, _stamp_of, read_questions
from fireside.settings.values import ModelLayer, by_key

LETTERED = ChoiceQuestion(
    prompt="Which is even?\nA. 1\nB. 2\nC. 3\nD. 5\nAnswer:",
    choices=(" A", " B", " C", " D"),
    right=1,
    by_length=False,
)
WORDED = ChoiceQuestion(prompt="Question: Which is even?\nAnswer:", choices=(" 1", " 2"), right=1)
MMLU = {"question": "Which is even?", "subject": "algebra", "choices": ["1", "2", "3", "5"]}
ARC = {"id": "x", "question": "Which is even?", "choices": {"text": ["1", "2"], "label": ["A", "B"]}}
STEM = {"stem": "Which is even?", "choices": [{"text": "1", "label": "1"}, {"text": "2", "label": "2"}]}
HELLASWAG = {
    "ind": 4,
    "activity_label": "Cooking",
    "ctx_a": "Fry an egg.",
    "ctx": "How to fry an egg: [step] Fry an egg.",
    "endings": ["[title] Then eat it.", "Then drive it."],
    "split": "val",
}
GSM8K = {"question": "2 boxes of 36?", "answer": "2 * 36 = <<2*36=72>>72\n#### 72"}
TRUTHFUL = {
    "question": "Which is even?",
    "mc1_targets": {"choices": ["1", "2"], "labels": [0, 1]},
    "mc2_targets": {"choices": ["1"], "labels": [0]},
}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (MMLU | {"answer": 1}, LETTERED),
        (MMLU | {"answer": "B"}, LETTERED),
        (ARC | {"answerKey": "B"}, WORDED),
        ({"id": "x", "question": STEM, "answerKey": "2"}, WORDED),
        (TRUTHFUL, WORDED),
        (
            HELLASWAG | {"label": "0"},
            ChoiceQuestion(
                prompt="How to fry an egg: Fry an egg.",
                choices=(" Then eat it.", " Then drive it."),
                right=0,
            ),
        ),
        (
            GSM8K,
            ExactQuestion(
                prompt="2 boxes of 36?\nEnd your answer with the result as a number.", answers=("72",)
            ),
        ),
        (MMLU | {"answer": 4}, None),
        (MMLU | {"answer": "?"}, None),
        (MMLU | {"answer": -1}, None),
        (ARC | {"answerKey": "C"}, None),
        (HELLASWAG | {"label": ""}, None),
        (MMLU | {"choices": [1, None], "answer": 0}, None),
        (MMLU | {"question": "x" * 30_000, "answer": 1}, None),
        ([], None),
        ("Which?", None),
    ],
)
def test_each_published_form_is_a_question(tmp_path: Path, entry: Any, expected: Question | None) -> None:
    path = tmp_path / "set.jsonl"
    lines = [entry, {"question": "2 + 2?", "answers": ["4"]}]
    path.write_text("\ufeff" + "\n".join(map(json.dumps, lines)), encoding="utf-8")
    read = read_questions(path, most=10)
    assert read.questions[:-1] == ((expected,) if expected is not None else ())
    assert read.n_unread == (0 if expected is not None else 1)


def test_a_table_has_the_letter_in_its_last_column(tmp_path: Path) -> None:
    path = tmp_path / "algebra_test.csv"
    path.write_text('Question,A,B,C,D,Answer\n"Which is even?",1,2,3,5,B\n"Broken",1,2\n')
    read = read_questions(path, most=10)
    assert (read.name, read.questions, read.n_unread) == ("algebra_test", (LETTERED,), 1)


def test_of_many_questions_some_of_all_parts_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    path.write_text(json.dumps([{"question": f"{n}?", "answers": ["4"]} for n in range(100)]))
    read = read_questions(path, most=4)
    assert [question.prompt for question in read.questions] == ["0?", "25?", "50?", "75?"]
    assert read.n_left_out == 96


@pytest.mark.parametrize("content", [b"", b"\xff\x00{", b"[[[[[[", b'{"a": 1}', b"[" * 100_000])
def test_a_file_without_questions_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(RequestError, match="no questions in a known form"):
        read_questions(path, most=10)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="cannot be read"):
        read_questions(tmp_path / "gone.json", most=10)


def test_our_questions_have_all_their_places_of_the_right_choice() -> None:
    questions = read_questions(QUESTIONS_FILE, most=200).questions
    choices = [question for question in questions if isinstance(question, ChoiceQuestion)]
    assert (len(questions), len(choices)) == (60, 40)
    assert {question.right for question in choices} == {0, 1, 2, 3}


@pytest.fixture
def model_id(harness: AppHarness) -> ModelId:
    return harness.model_id


@pytest.fixture
async def tunings(harness: AppHarness, tmp_path: Path, model_id: ModelId) -> TuningService:
    """The service of an app whose starter model was tuned on this computer."""
    ground = await harness.app.tuning._context("built-in")
    tuning = replace(tuning_of(model_id), file=_stamp_of(harness.app.models.spec(model_id)), ground=ground)
    TuningRecords(tmp_path / "tunings.json").put(tuning)
    return harness.app.tuning


async def values_of(harness: AppHarness, model_id: ModelId) -> dict[str, object]:
    resolved = await harness.app.preferences.resolved(model_id=model_id, conversation_id=None)
    return dict(by_key(resolved))


async def test_applying_changes_the_models_own_settings(
    harness: AppHarness, tunings: TuningService, model_id: ModelId
) -> None:
    report = await tunings.apply(model_id)
    values = await values_of(harness, model_id)
    assert values["load.n_threads"] == 4
    assert values["load.n_ubatch"] == 512
    assert report.tuning.kept == report.tuning.best_trial.changes
    # Other models are left alone.
    assert (await values_of(harness, ModelId("other")))["load.n_threads"] == 0


async def test_reverting_restores_the_earlier_settings(
    harness: AppHarness, tunings: TuningService, model_id: ModelId
) -> None:
    layer = ModelLayer(model_id=model_id)
    await harness.app.preferences.change(layer, key="load.n_threads", value=2)
    await tunings.apply(model_id)
    report = await tunings.revert(model_id)
    values = await values_of(harness, model_id)
    assert values["load.n_threads"] == 2
    assert values["load.n_ubatch"] == 0
    assert report.tuning.kept is None


async def test_reverting_after_two_tunings_restores_the_first_settings(
    harness: AppHarness, tunings: TuningService, model_id: ModelId
) -> None:
    await tunings.apply(model_id)
    await tunings.apply(model_id)
    await tunings.revert(model_id)
    assert (await values_of(harness, model_id))["load.n_threads"] == 0


async def test_reverting_leaves_what_the_user_changed_since(
    harness: AppHarness, tunings: TuningService, model_id: ModelId
) -> None:
    await tunings.apply(model_id)
    layer = ModelLayer(model_id=model_id)
    await harness.app.preferences.change(layer, key="load.n_threads", value=7)
    report = await tunings.report(model_id)
    assert report is not None
    assert report.tuning.kept is not None
    assert "load.n_threads" not in report.tuning.kept
    await tunings.revert(model_id)
    values = await values_of(harness, model_id)
    assert values["load.n_threads"] == 7
    assert values["load.n_ubatch"] == 0


async def test_a_model_that_was_never_tuned_has_nothing_to_apply(
    harness: AppHarness, model_id: ModelId
) -> None:
    assert await harness.app.tuning.report(model_id) is None
    for change in (harness.app.tuning.apply, harness.app.tuning.revert):
        with refuses("tuning_refused"):
            await change(model_id)


async def test_figures_are_current_while_nothing_changed(tunings: TuningService, model_id: ModelId) -> None:
    report = await tunings.report(model_id)
    assert report is not None
    assert report.stale == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda ground: replace(ground, build="older"), "another build"),
        (lambda ground: replace(ground, runtime="vulkan"), "another build"),
        (lambda ground: replace(ground, driver="NVIDIA 1.0"), "another GPU driver"),
        (lambda ground: replace(ground, processor="Z80"), "another computer"),
    ],
)
async def test_figures_of_another_context_are_stale(
    tunings: TuningService,
    model_id: ModelId,
    change: Callable[[MeasurementContext], MeasurementContext],
    said: str,
) -> None:
    known = tunings._parts.records.get(model_id)
    assert known is not None
    tunings._parts.records.put(replace(known, ground=change(known.ground)))
    report = await tunings.report(model_id)
    assert report is not None
    assert said in report.stale


def test_records_survive_a_restart_and_a_damaged_file_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "tunings.json"
    tuning: Tuning = tuning_of(ModelId("a"))
    TuningRecords(path).put(tuning)
    assert TuningRecords(path).get(ModelId("a")) == tuning
    path.write_bytes(b"{ damaged")
    assert TuningRecords(path).get(ModelId("a")) is None
    TuningRecords(path).put(tuning)
    assert TuningRecords(path).get(ModelId("a")) == tuning
