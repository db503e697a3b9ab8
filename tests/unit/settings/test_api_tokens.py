"""Tokens are kept as hashes, open what they are for, and nothing once they are revoked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fireside.settings.api_tokens import ApiTokens, TokenScope

ANSWER = frozenset({TokenScope.ANSWER})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def test_the_file_does_not_have_the_token(path: Path) -> None:
    text = ApiTokens(path).add("editor", ANSWER).reveal()
    assert len(text) > 40
    assert text not in path.read_text()
    assert text.removeprefix("fs-") not in path.read_text()
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o077 == 0


def test_changes_by_another_process_take_effect_at_once(path: Path) -> None:
    tokens, other_process = ApiTokens(path), ApiTokens(path)
    assert tokens.all() == ()
    first, second = other_process.add("one", ANSWER), other_process.add("two", ANSWER)
    client = tokens.client_of(first.reveal())
    assert client is not None
    assert client.name == "one"
    other_process.revoke(client.id)
    assert tokens.client_of(first.reveal()) is None
    assert tokens.client_of(second.reveal()) is not None


@pytest.mark.parametrize("content", [b"", b"{", b"null", b"[1]", b"\xff", b"[" * 5000])
def test_a_damaged_file_contains_no_tokens(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert ApiTokens(path).all() == ()
    assert ApiTokens(path).client_of("") is None


def test_a_lone_surrogate_is_no_token(path: Path) -> None:
    tokens = ApiTokens(path)
    tokens.add("one", ANSWER)
    assert tokens.client_of("\ud800") is None
