"""Questions are read in the forms in which they are published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fakes.tuning import QUESTIONS_FILE
from fireside.core.errors import RequestError
from fireside.core.quality import ChoiceQuestion, ExactQuestion, Question
from fireside.services.machine.question_files import read_questions

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
