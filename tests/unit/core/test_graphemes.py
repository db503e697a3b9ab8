"""Text is cut between whole characters, by Unicode's own cases."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from fireside.chat.user_message import title_from
from fireside.core.graphemes import boundary_before, cut, is_boundary
from fireside.markup.rich_text import pieces

CASES = Path(__file__).resolve().parents[2] / "fakes" / "unicode" / "GraphemeBreakTest.txt"


def cases() -> list[tuple[str, set[int]]]:
    """Return each text of the file, and the positions at which it can be cut."""
    found = []
    for line in CASES.read_text("utf-8").splitlines():
        signs = line.partition("#")[0].split()
        text, places = "", set()
        for sign in signs:
            if sign == "÷":
                places.add(len(text))
            elif sign != "×":
                text += chr(int(sign, 16))
        if text:
            found.append((text, places))
    return found


def test_unicodes_own_cases() -> None:
    assert len(cases()) == 602
    wrong = [
        (text.encode("unicode_escape").decode(), sorted(places))
        for text, places in cases()
        if {at for at in range(len(text) + 1) if is_boundary(text, at)} != places
    ]
    assert wrong == []


@given(st.text(alphabet="ae\u0301\u200d👩👨🏽🇩🇪각ᄀ\r\n\u0600क\u094d्ा x"), st.integers(-3, 30))
def test_a_cut_is_short_enough_and_whole(text: str, length: int) -> None:
    beginning = cut(text, length)
    assert text.startswith(beginning)
    assert len(beginning) <= max(0, length)
    assert is_boundary(text, len(beginning))


def test_emoji_flags_and_accents_stay_whole() -> None:
    family, flag, letter = "👩‍👩‍👧‍👦", "🇩🇪", "e\u0301\u0323"
    for whole in (family, flag, letter, "👍🏽", "각", "नि", "กำ"):
        for length in range(len(whole)):
            assert cut(f"a{whole}b", 1 + length) == "a"
        assert cut(f"a{whole}b", 1 + len(whole)) == f"a{whole}"


def test_marks_without_end_are_cut() -> None:
    piled = "a" + "\u0301" * 1_000
    assert boundary_before(piled, 500) == 500


def test_what_the_program_cuts_stays_whole() -> None:
    family = "👩‍👩‍👧‍👦"
    for n_before in range(60, 80):
        text = "a" * n_before + family * 30
        for shown in (title_from(text), *pieces(text, limit=n_before + 4)):
            assert set(shown.replace(family, "").replace("a", "")) <= {"…"}
