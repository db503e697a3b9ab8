"""Declare the settings of an answer that are not about choosing its tokens."""

from __future__ import annotations

from typing import Final

from fireside.core.context import FullContext
from fireside.core.generation import WhenFull
from fireside.core.prompt_input import Reasoning
from fireside.core.wording import marked
from fireside.settings.values import Group, Kind, SettingDefinition

THINKING_NO_LIMIT: Final = -1

DEFAULT_RESERVE: Final = 512
"""A long paragraph or two: with less an answer is often cut off before its end."""

FORMAT_TEXT: Final = "text"
FORMAT_JSON: Final = "json"
FORMAT_JSON_SCHEMA: Final = "json_schema"
FORMAT_REGEX: Final = "regex"
FORMAT_LARK: Final = "lark"
FORMAT_GBNF: Final = "gbnf"

ANSWER: Final = (
    SettingDefinition(
        key="answer.reasoning",
        group=Group.SAMPLING,
        label=marked("Thinking"),
        help=marked("Whether the model thinks before it answers, if it can; more thinking takes longer."),
        kind=Kind.CHOICE,
        default=Reasoning.DEFAULT.value,
        choices=(
            (Reasoning.DEFAULT.value, marked("As the model likes")),
            (Reasoning.OFF.value, marked("Off")),
            (Reasoning.ON.value, marked("On")),
            (Reasoning.LOW.value, marked("Low")),
            (Reasoning.MEDIUM.value, marked("Medium")),
            (Reasoning.HIGH.value, marked("High")),
        ),
        per_model=True,
        per_conversation=True,
    ),
    SettingDefinition(
        key="answer.thinking_budget",
        group=Group.SAMPLING,
        label=marked("Longest thinking"),
        help=marked("After this many tokens the model stops thinking and answers."),
        kind=Kind.INTEGER,
        default=THINKING_NO_LIMIT,
        minimum=0,
        maximum=1_048_576,
        step=64,
        unit=marked("tokens"),
        choices=((THINKING_NO_LIMIT, marked("No limit")), (0, marked("None"))),
        per_model=True,
        per_conversation=True,
    ),
    SettingDefinition(
        key="answer.when_full",
        group=Group.SAMPLING,
        label=marked("When the context fills up"),
        help=marked("What happens when an answer reaches the end of the context."),
        kind=Kind.CHOICE,
        default=WhenFull.STOP.value,
        choices=(
            (WhenFull.STOP.value, marked("End the answer")),
            (WhenFull.SHIFT.value, marked("Forget the oldest and go on")),
        ),
        per_model=True,
        per_conversation=True,
    ),
    SettingDefinition(
        key="answer.overflow",
        group=Group.SAMPLING,
        label=marked("When a chat is too long"),
        help=marked("What happens when a conversation no longer fits into the context."),
        kind=Kind.CHOICE,
        default=FullContext.DROP_OLDEST.value,
        choices=(
            (FullContext.DROP_OLDEST.value, marked("Leave out the oldest messages")),
            (FullContext.COMPACT.value, marked("Summarise the oldest messages")),
            (FullContext.SHIFT.value, marked("Cut out its middle")),
            (FullContext.STOP.value, marked("Do not answer")),
        ),
        per_model=True,
        per_conversation=True,
    ),
    SettingDefinition(
        key="answer.reply_reserve",
        group=Group.SAMPLING,
        label=marked("Room for the answer"),
        help=marked("Tokens of the context that are kept free for the answer; at most a quarter of it."),
        kind=Kind.INTEGER,
        default=DEFAULT_RESERVE,
        minimum=16,
        maximum=1_048_576,
        step=64,
        unit=marked("tokens"),
        per_model=True,
        per_conversation=True,
        advanced=True,
    ),
    SettingDefinition(
        key="answer.keep_probabilities",
        group=Group.SAMPLING,
        label=marked("Keep token probabilities"),
        help=marked(
            "Notes how likely each token was while an answer is written, so that you need not wait for it."
        ),
        kind=Kind.SWITCH,
        default=False,
        per_model=True,
        per_conversation=True,
        advanced=True,
    ),
    SettingDefinition(
        key="answer.format",
        group=Group.SAMPLING,
        label=marked("Format"),
        help=marked("What an answer must look like; the model cannot write anything else."),
        kind=Kind.CHOICE,
        default=FORMAT_TEXT,
        choices=(
            (FORMAT_TEXT, marked("Free text")),
            (FORMAT_JSON, "JSON"),
            (FORMAT_JSON_SCHEMA, marked("JSON by a schema")),
            (FORMAT_REGEX, marked("Regular expression")),
            (FORMAT_LARK, marked("Grammar (Lark)")),
            (FORMAT_GBNF, marked("Grammar (GBNF)")),
        ),
        per_model=True,
        per_conversation=True,
        advanced=True,
    ),
    SettingDefinition(
        key="answer.format_rule",
        group=Group.SAMPLING,
        label=marked("Rule of the format"),
        help=marked("The schema, regular expression or grammar; free text and plain JSON need none."),
        kind=Kind.TEXT,
        default="",
        per_model=True,
        per_conversation=True,
        advanced=True,
    ),
)
