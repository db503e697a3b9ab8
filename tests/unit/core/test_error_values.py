"""Errors as values: whatever a file or a model said, they can be written down, and say the same again."""

from __future__ import annotations

import pytest

from fireside.core.errors import (
    ConstraintInvalid,
    InvalidParameter,
    NextStep,
    TemplateFailed,
    error_from_info,
)
from fireside.core.ids import RequestId
from fireside.wire.codec import MAX_REPORT_BYTES, encode_frame
from fireside.wire.messages import Failed


@pytest.mark.parametrize("said", ["half \ud800", "\0\x1b[2J\u202e", "x" * 10_000_000])
def test_what_someone_else_said_fits_a_frame(said: str) -> None:
    frame = encode_frame(Failed(request_id=RequestId(1), error=TemplateFailed(reason=said).info()))
    assert len(frame) < MAX_REPORT_BYTES


def test_what_someone_else_said_moves_no_cursor() -> None:
    assert TemplateFailed(reason="a\x1b[2J\u202eb").info().sentence.endswith("a\ufffd[2J\ufffdb")


def test_an_error_says_the_same_when_it_has_come_across() -> None:
    info = InvalidParameter(name="x" * 5000, reason="\0.").info()
    assert error_from_info(info).info() == info


def test_a_rule_for_the_answer_that_cannot_be_used_leads_to_where_it_is_changed() -> None:
    info = ConstraintInvalid(kind="JSON Schema", reason="it is not valid JSON.").info()
    assert info.next_step is NextStep.OPEN_SETTINGS
    assert info.sentence.endswith("it is not valid JSON. Correct it, or choose another answer format.")
