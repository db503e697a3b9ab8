"""What counts as a right answer, and how sure a share is."""

from __future__ import annotations

import random

import pytest

from fireside.core.quality import ExactQuestion, SetResult, difference, share_right


@pytest.mark.parametrize(
    ("answers", "reply", "is_right"),
    [
        (("43",), "43", True),
        (("43",), "17 + 26 = 43.", True),
        (("43",), "**43**", True),
        (("43",), "43 is 17 + 26", False),
        (("1200",), "It is 1,200 euros.", True),
        (("-3",), "x = -3", True),
        (("0.5",), "0.50", True),
        (("8", "eight"), "A spider has eight legs.", True),
        (("Iron",), "iron", True),
        (("Iron",), "\n\nThe element is **Iron**.\nIts symbol is Fe.", True),
        (("Iron",), "An ironing board", False),
        (("Grün",), "GRÜN!", True),
        (("Rom",), "From here", False),
        (("dog",), "I do not know.\ndog", False),
        (("dog",), "", False),
    ],
)
def test_a_reply_is_right_by_its_last_number_or_its_words(
    answers: tuple[str, ...], reply: str, is_right: bool
) -> None:
    assert ExactQuestion(prompt="?", answers=answers).accepts(reply) is is_right


def result(*right: bool) -> SetResult:
    return SetResult(name="a", right=right)


def test_a_share_has_the_interval_of_wilson() -> None:
    share = share_right([result(*(True,) * 8, False, False)])
    assert share is not None
    # As in statsmodels: proportion_confint(8, 10, method="wilson")
    assert (share.value, share.low, share.high) == pytest.approx((0.8, 0.4901625, 0.9433178), abs=1e-6)
    assert share_right([]) is None


def test_a_difference_is_over_the_questions_that_both_were_asked() -> None:
    first = [SetResult(name="a", right=(True, False)), SetResult(name="b", right=(True,) * 50)]
    second = [SetResult(name="a", right=(False, False)), SetResult(name="c", right=(False,) * 50)]
    gap = difference(first, second)
    assert gap is not None
    assert gap.value == -0.5
    assert gap.low < 0 < gap.high
    assert difference(first, [SetResult(name="c", right=(True,))]) is None


def test_the_interval_of_a_difference_holds_it_in_95_of_100_samples() -> None:
    rng = random.Random(5)
    n_held = 0
    for _ in range(500):
        # Both get 60 % right; the second gains 15 % and loses 5 %.
        pairs = rng.choices([(1, 1), (0, 0), (0, 1), (1, 0)], weights=(55, 25, 15, 5), k=80)
        gap = difference(
            [result(*(bool(first) for first, _ in pairs))], [result(*(bool(each) for _, each in pairs))]
        )
        assert gap is not None
        n_held += gap.low <= 0.10 <= gap.high
    assert 460 <= n_held <= 495
