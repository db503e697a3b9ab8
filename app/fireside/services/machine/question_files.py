"""Read files of questions: ours, and those of MMLU, ARC, HellaSwag, GSM8K and TruthfulQA as published.

A file has a question a line as JSON (``.jsonl``), a list of them (``.json``), or rows of a question, its
choices and the letter of the right one (``.csv``). A question is told apart by its fields.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import RequestError
from fireside.core.i18n import tr_noop
from fireside.core.lenient_json import loads_leniently
from fireside.core.os_errors import render_os_error
from fireside.core.quality import ChoiceQuestion, ExactQuestion, Question, QuestionSet

MAX_FILE_BYTES: Final = 64 << 20
_MAX_TEXT: Final = 20_000
_MAX_CHOICES: Final = 26
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_GSM8K: Final = re.compile(r"####\s*(\S+)\s*\Z")
_MARK: Final = re.compile(r"\[[a-z]+\] ?")
"""What WikiHow's pages have in HellaSwag in place of headings."""
_COLUMNS: Final = 6
"""Of a table as MMLU has them: the question, four choices, the letter."""


def read_questions(path: Path, *, most: int) -> QuestionSet:
    """Return the questions of a file; of more than ``most`` as many, spread evenly over it. Blocks.

    Raises ``questions_unreadable``.
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise _unreadable(path, tr_noop("it is larger than 64 MB."))
        text = path.read_bytes().decode("utf-8-sig", "replace")
    except OSError as exc:
        raise _unreadable(path, f"{render_os_error(exc)}.") from exc
    found: list[Question] = []
    n_unread = 0
    for entry in _entries(path, text):
        question = _question(entry)
        if question is None:
            n_unread += 1
        else:
            found.append(question)
    if not found:
        raise _unreadable(path, tr_noop("there are no questions in a known form in it."))
    n_asked = min(len(found), most)
    drawn = [found[number * len(found) // n_asked] for number in range(n_asked)]
    return QuestionSet(
        name=path.stem, questions=tuple(drawn), n_unread=n_unread, n_left_out=len(found) - len(drawn)
    )


def _unreadable(path: Path, reason: str) -> RequestError:
    return RequestError.of("questions_unreadable", name=path.name, reason=reason)


def _entries(path: Path, text: str) -> Iterator[object]:
    if path.suffix.lower() == ".csv":
        rows = csv.reader(io.StringIO(text))
        try:
            first = next(rows, None)
            if _question(first) is not None:  # else it has the names of the columns
                yield first
            yield from rows
        except csv.Error:
            yield None
        return
    if isinstance(whole := _decoded(text), list):
        yield from whole
    else:
        yield from map(_decoded, filter(str.strip, text.splitlines()))


def _decoded(text: str) -> object:
    """Return a JSON value; ``None`` for other text."""
    try:
        return loads_leniently(text.encode())
    except (msgspec.MsgspecError, RecursionError):
        return None


def _question(entry: object) -> Question | None:
    """Return an entry as a question; ``None`` if it is none."""
    match entry:
        case [str(text), *choices, str(letter)] if len(entry) >= _COLUMNS:
            return _lettered(text, choices, letter)
        case {"question": str(text), "choices": [*choices], "answer": int() | str() as right}:
            return _lettered(text, choices, right)
        case {
            "question": str(text),
            "choices": {"text": [*choices], "label": [*labels]},
            "answerKey": str(key),
        }:
            return _worded(text, choices, labels.index(key) if key in labels else -1)
        case {"question": {"stem": str(text), "choices": [*choices]}, "answerKey": str(key)}:
            options = [each for each in choices if isinstance(each, dict)]
            labels = [each.get("label") for each in options]
            right = labels.index(key) if key in labels else -1
            return _worded(text, [each.get("text") for each in options], right)
        case {"question": str(text), "mc1_targets": {"choices": [*choices], "labels": [*labels]}}:
            return _worded(text, choices, labels.index(1) if 1 in labels else -1)
        case {"ctx": str(text), "endings": [*endings], "label": int() | str() as right}:
            cleaned = [_MARK.sub("", each) if isinstance(each, str) else None for each in endings]
            return _choice(_MARK.sub("", text), cleaned, int(right) if str(right).isdecimal() else -1)
        case {"question": str(text), "answers": [*answers]}:
            return _exact(text, answers)
        case {"question": str(text), "answer": str(solution)} if match := _GSM8K.search(solution):
            return _exact(f"{text}\nEnd your answer with the result as a number.", [match[1]])
        case {"question": str(text), "options": [*choices], "right": int(right)}:
            return _worded(text, choices, right)
        case _:
            return None


def _lettered(text: str, choices: Sequence[object], right: int | str) -> Question | None:
    """Return a question that lists its choices, of which the letter is the answer, as MMLU's are asked."""
    if isinstance(right, str):
        right = int(right) if right.strip().isdecimal() else _LETTERS.find(right.strip().upper() or "?")
    if not 2 <= len(choices) <= _MAX_CHOICES or not all(isinstance(each, str) for each in choices):
        return None
    listed = "".join(f"{letter}. {each}\n" for letter, each in zip(_LETTERS, choices, strict=False))
    return _choice(f"{text.strip()}\n{listed}Answer:", list(_LETTERS[: len(choices)]), right, by_length=False)


def _worded(text: str, choices: Sequence[object], right: int) -> Question | None:
    """Return a question whose choices are not shown: each is read as its answer, as ARC's are asked."""
    return _choice(f"Question: {text.strip()}\nAnswer:", choices, right)


def _choice(prompt: str, choices: Sequence[object], right: int, *, by_length: bool = True) -> Question | None:
    texts = tuple(f" {each.strip()}" for each in choices if isinstance(each, str) and each.strip())
    is_whole = len(texts) == len(choices) and 2 <= len(texts) <= _MAX_CHOICES and 0 <= right < len(texts)
    if not is_whole or not prompt.strip() or len(prompt) + sum(map(len, texts)) > _MAX_TEXT:
        return None
    return ChoiceQuestion(prompt=prompt, choices=texts, right=right, by_length=by_length)


def _exact(text: str, answers: Sequence[object]) -> Question | None:
    accepted = tuple(each for each in answers if isinstance(each, str) and each.strip())
    if not accepted or not text.strip() or len(text) > _MAX_TEXT:
        return None
    return ExactQuestion(prompt=text, answers=accepted)
