"""Texts about the context."""

from __future__ import annotations

import pytest

from fakes.context_plans import plan_of, summary_of
from fireside.core.context import FullContext
from fireside.ui.context.context_text import (
    accessible_text,
    boundary_text,
    compact_count,
    fullness_text,
    is_nearly_full,
    meter_text,
    parts_of,
    summary_title,
)


@pytest.mark.parametrize(
    ("n", "expected"),
    [(0, "0"), (999, "999"), (1880, "1.9k"), (32768, "32k"), (12_345, "12k"), (131072, "128k")],
)
def test_counts_are_compact(n: int, expected: str) -> None:
    assert compact_count(n) == expected


def test_the_accessible_text_has_all_figures() -> None:
    text = accessible_text(plan_of())
    assert meter_text(plan_of()) == "1.9k / 8k"
    assert [figure in text for figure in ("61", "1,740", "79", "512", "5,800", "8,192")] == [True] * 6
    assert "estimate" not in text


def test_an_estimate_says_so() -> None:
    plan = plan_of(is_exact=False)
    assert meter_text(plan) == "about 1.9k / 8k"
    assert "Estimate" in accessible_text(plan)


def test_parts_and_free_tokens_add_up_to_the_context() -> None:
    assert sum(part.n_tokens for part in parts_of(plan_of())) == 8192


@pytest.mark.parametrize("policy", list(FullContext))
def test_every_policy_has_a_text(policy: FullContext) -> None:
    plan = plan_of(n_prompt=7300, policy=policy)
    assert is_nearly_full(plan)
    assert "89% full" in fullness_text(plan)
    assert fullness_text(plan).endswith(".")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"n_unseen": 1}, "Not in context: the message above"),
        ({"n_unseen": 1_200}, "Not in context: the 1,200 messages above"),
        ({"n_unseen": 4, "summary": summary_of()}, "Summarised in context: the 4 messages above"),
        (
            {"n_unseen": 6, "summary": summary_of(), "will_summarise": True},
            "The 6 messages above will be summarised before the next answer",
        ),
    ],
)
def test_the_boundary_text_describes_the_messages_above(changed: dict[str, object], expected: str) -> None:
    assert boundary_text(plan_of(**changed)) == expected


def test_the_title_of_a_summary_has_message_count_and_author() -> None:
    assert summary_title(summary_of()) == "Summary of 4 earlier messages"
    assert summary_title(summary_of(n_messages=1)) == "Summary of the first message"
    assert summary_title(summary_of(edited=True)).endswith("edited by you")
