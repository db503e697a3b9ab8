"""One call decodes JSON, and raises one error whatever is wrong."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fireside.core.decoding import JsonInvalid, decode_json


class Point(msgspec.Struct, kw_only=True):
    x: int
    name: str = ""


KINDS = (Any, Point, dict[str, Point], tuple[str, ...], list[msgspec.Raw])


@given(st.binary(max_size=60), st.sampled_from(KINDS))
@example(b'["\xff"]', tuple[str, ...])
@example(b'{"x": 1, "name": "\xff"}', Point)
@example(b'{"\xff": 1}', Any)
@example(b"[" * 100_000, Any)
@example(b"1" * 5_000, Any)
@example(b"", Point)
def test_any_bytes_are_a_value_or_invalid(content: bytes, kind: Any) -> None:
    with contextlib.suppress(JsonInvalid):
        decode_json(content, kind=kind)


@given(st.text(st.characters(), max_size=20))
def test_any_text_is_a_value_or_invalid(text: str) -> None:
    """Also one with halves of surrogate pairs, which is no UTF-8."""
    with contextlib.suppress(JsonInvalid):
        decode_json(f'"{text}"', kind=str)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b" ", "it is empty"),
        (b"{", "it is not valid JSON"),
        (b'{"x": "one"}', "its parts are not what they should be"),
        (b'{"x": 1, "name": "\xff"}', "it is not valid JSON"),
        (b'{"y": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "it is nested beyond all bounds"),
    ],
)
def test_the_reason_is_for_the_user(content: bytes, reason: str) -> None:
    with pytest.raises(JsonInvalid) as raised:
        decode_json(content, kind=Point)
    assert raised.value.reason == reason
