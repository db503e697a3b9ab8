"""Which steps of set-up are done."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provision.stamps import Stamps, fingerprint


def test_a_finished_step_is_still_finished_in_the_next_run(tmp_path: Path) -> None:
    Stamps(tmp_path / "done.json").set("packages", value="a1")
    assert Stamps(tmp_path / "done.json").has("packages", value="a1")


def test_a_step_with_another_fingerprint_is_not_done(tmp_path: Path) -> None:
    stamps = Stamps(tmp_path / "done.json")
    stamps.set("packages", value="a1")
    assert not stamps.has("packages", value="b2")


def test_a_dropped_step_is_undone_also_in_the_next_run(tmp_path: Path) -> None:
    stamps = Stamps(tmp_path / "done.json")
    stamps.set("packages", value="a1")
    stamps.set("model", value="c3")
    stamps.remove("packages")
    again = Stamps(tmp_path / "done.json")
    assert (again.has("packages", value="a1"), again.has("model", value="c3")) == (False, True)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"packages": 7}', "\x00"])
def test_a_damaged_file_means_that_nothing_is_done(tmp_path: Path, text: str) -> None:
    (tmp_path / "done.json").write_text(text, encoding="utf-8")
    assert not Stamps(tmp_path / "done.json").has("packages", value="7")


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_a_fingerprint_tells_apart_whatever_differs(one: list[str], other: list[str]) -> None:
    assert (fingerprint(one) == fingerprint(other)) == (one == other)


def test_text_that_moves_to_the_next_part_changes_the_fingerprint() -> None:
    assert fingerprint(["ab", "c"]) != fingerprint(["a", "bc"])
