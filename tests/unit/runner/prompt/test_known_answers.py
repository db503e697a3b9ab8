"""Prompts of many families of models, against what the reference renderer makes of them.

``record_templates.py`` records the reference. Where it refuses a conversation, or drops tools or a system
prompt without a word, Fireside differs on purpose: everything is worded in some way.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from fakes.template_cases import CASES, chat_input, shows, texts_that_must_show
from fireside.runner.prompt.template import ChatTemplate

TEMPLATES = Path(__file__).parent / "templates"
RECORDED: dict[str, dict[str, str | None]] = json.loads((TEMPLATES / "recorded.json").read_text("utf-8"))
FAMILIES = sorted(path.stem for path in TEMPLATES.glob("*.jinja"))


@pytest.fixture(scope="module")
def templates() -> dict[str, ChatTemplate]:
    return {family: _template(family) for family in FAMILIES}


def _template(family: str) -> ChatTemplate:
    return ChatTemplate(
        (TEMPLATES / f"{family}.jinja").read_text("utf-8"),
        architecture="llama",
        bos_token="<s>",
        eos_token="</s>",
        now=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC),
    )


def test_every_case_of_every_family_is_recorded() -> None:
    assert {family: set(cases) for family, cases in RECORDED.items()} == {key: set(CASES) for key in FAMILIES}


@pytest.mark.parametrize(("family", "case"), list(product(FAMILIES, CASES)))
def test_prompts_equal_the_reference(family: str, case: str, templates: dict[str, ChatTemplate]) -> None:
    prompt = templates[family].render(chat_input(CASES[case])).text
    expected = RECORDED[family][case]
    if expected is not None:
        assert prompt == expected
    else:
        assert all(shows(prompt, text) for text in texts_that_must_show(CASES[case]))
