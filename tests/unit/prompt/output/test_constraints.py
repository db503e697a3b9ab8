"""When the output is held to a grammar, and whether the grammars are what they should be."""

from __future__ import annotations

from fireside.core.constraint import JsonSchemaConstraint
from fireside.prompt.output.events import ConstraintBegins
from fireside.prompt.output.formats import detect_format, make_parser

ANY_JSON = JsonSchemaConstraint(schema="{}")


def test_a_constraint_of_the_answer_holds_from_the_first_token_on() -> None:
    fmt = detect_format(template_source="", architecture="llama", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="", constraint=ANY_JSON)
    assert parser.begin() == [ConstraintBegins(constraint=ANY_JSON, already="", ends_answer=True)]


def test_a_constraint_of_the_answer_waits_for_the_end_of_the_reasoning() -> None:
    fmt = detect_format(template_source="<think>", architecture="qwen3", control_tokens={})
    parser = make_parser(fmt, rendered_prompt="<|im_start|>assistant\n<think>\n", constraint=ANY_JSON)
    assert parser.begin() == []
    assert parser.feed("Well.</think>\n\n[1")[-1] == ConstraintBegins(
        constraint=ANY_JSON, already="[1", ends_answer=True
    )
