"""Declare the settings of an answer that are not about choosing its tokens."""

from __future__ import annotations

from typing import Final

from fireside.core.context import FullContext
from fireside.core.generation import WhenFull
from fireside.core.prompt_input import Reasoning
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
        label="Thinking",
        help="Whether the model thinks before it answers, if it can; more thinking takes longer.",
        kind=Kind.CHOICE,
        default=Reasoning.DEFAULT.value,
        choices=(
            (Reasoning.DEFAULT.value, "As the model likes"),
            (Reasoning.OFF.value, "Off"),
            (Reasoning.ON.value, "On"),
            (Reasoning.LOW.value, "Low"),
            (Reasoning.MEDIUM.value, "Medium"),
            (Reasoning.HIGH.value, "High"),
        ),
        per_model=True,
        per_conversation=True,
    ),
    SettingDefinition(
        key="answer.thinking_budget",
        group=Group.SAMPLING,
        label="Longest thinking",
        help="After this many tokens the model stops thinking and answers.",
        kind=Kind.INTEGER,
        default=THINKING_NO_LIMIT,
        minimum=0,
        maximum=1_048_576,
        step=64,
        unit="tokens",
        choices=((THINKING_NO_LIMIT, "No limit"), (0, "None")),
        per_model=True,
        per_conversation=True,
    ),
    SettingDefinition(
        key="answer.when_full",
        group=Group.SAMPLING,
        label="When the context fills up",
        help="What happens when an answer reaches the end of the context.",
        kind=Kind.CHOICE,
        default=WhenFull.STOP.value,
        choices=(
            (WhenFull.STOP.value, "End the answer"),
            (WhenFull.SHIFT.value, "Forget the oldest and go on"),
        ),
        per_model=True,
        per_conversation=True,
    ),
    SettingDefinition(
        key="answer.overflow",
        group=Group.SAMPLING,
        label="When a chat is too long",
        help="What happens when a conversation no longer fits into the context.",
        kind=Kind.CHOICE,
        default=FullContext.DROP_OLDEST.value,
        choices=(
            (FullContext.DROP_OLDEST.value, "Leave out the oldest messages"),
            (FullContext.COMPACT.value, "Summarise the oldest messages"),
            (FullContext.SHIFT.value, "Cut out its middle"),
            (FullContext.STOP.value, "Do not answer"),
        ),
        per_model=True,
        per_conversation=True,
    ),
    SettingDefinition(
        key="answer.reply_reserve",
        group=Group.SAMPLING,
        label="Room for the answer",
        help="Tokens of the context that are kept free for the answer; at most a quarter of it.",
        kind=Kind.INTEGER,
        default=DEFAULT_RESERVE,
        minimum=16,
        maximum=1_048_576,
        step=64,
        unit="tokens",
        per_model=True,
        per_conversation=True,
        advanced=True,
    ),
    SettingDefinition(
        key="answer.keep_probabilities",
        group=Group.SAMPLING,
        label="Keep token probabilities",
        help="Notes how likely each token was while an answer is written, so that you need not wait for it.",
        kind=Kind.SWITCH,
        default=False,
        per_model=True,
        per_conversation=True,
        advanced=True,
    ),
    SettingDefinition(
        key="answer.format",
        group=Group.SAMPLING,
        label="Format",
        help="What an answer must look like; the model cannot write anything else.",
        kind=Kind.CHOICE,
        default=FORMAT_TEXT,
        choices=(
            (FORMAT_TEXT, "Free text"),
            (FORMAT_JSON, "JSON"),
            (FORMAT_JSON_SCHEMA, "JSON by a schema"),
            (FORMAT_REGEX, "Regular expression"),
            (FORMAT_LARK, "Grammar (Lark)"),
            (FORMAT_GBNF, "Grammar (GBNF)"),
        ),
        per_model=True,
        per_conversation=True,
        advanced=True,
    ),
    SettingDefinition(
        key="answer.format_rule",
        group=Group.SAMPLING,
        label="Rule of the format",
        help="The schema, regular expression or grammar; free text and plain JSON need none.",
        kind=Kind.TEXT,
        default="",
        per_model=True,
        per_conversation=True,
        advanced=True,
    ),
)
