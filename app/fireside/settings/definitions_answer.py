"""Declare the settings of an answer that are not about choosing its tokens."""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.context import FullContext
from fireside.core.generation import WhenFull
from fireside.core.i18n import tr_noop
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

_setting: Final = partial(SettingDefinition, group=Group.SAMPLING, per_model=True, per_conversation=True)

ANSWER: Final = (
    _setting(
        key="answer.reasoning",
        label=tr_noop("Thinking"),
        help=tr_noop("Whether the model thinks before it answers, if it can; more thinking takes longer."),
        kind=Kind.CHOICE,
        default=Reasoning.DEFAULT.value,
        choices=(
            (Reasoning.DEFAULT.value, tr_noop("As the model likes")),
            (Reasoning.OFF.value, tr_noop("Off")),
            (Reasoning.ON.value, tr_noop("On")),
            (Reasoning.LOW.value, tr_noop("Low")),
            (Reasoning.MEDIUM.value, tr_noop("Medium")),
            (Reasoning.HIGH.value, tr_noop("High")),
        ),
    ),
    _setting(
        key="answer.thinking_budget",
        label=tr_noop("Longest thinking"),
        help=tr_noop("After this many tokens the model stops thinking and answers."),
        kind=Kind.INTEGER,
        default=THINKING_NO_LIMIT,
        minimum=0,
        maximum=1_048_576,
        step=64,
        unit=tr_noop("tokens"),
        choices=((THINKING_NO_LIMIT, tr_noop("No limit")), (0, tr_noop("None"))),
    ),
    _setting(
        key="answer.when_full",
        label=tr_noop("When the context fills up"),
        help=tr_noop("What happens when an answer reaches the end of the context."),
        kind=Kind.CHOICE,
        default=WhenFull.STOP.value,
        choices=(
            (WhenFull.STOP.value, tr_noop("End the answer")),
            (WhenFull.SHIFT.value, tr_noop("Forget the oldest and go on")),
        ),
    ),
    _setting(
        key="answer.overflow",
        label=tr_noop("When a chat is too long"),
        help=tr_noop("What happens when a conversation no longer fits into the context."),
        kind=Kind.CHOICE,
        default=FullContext.DROP_OLDEST.value,
        choices=(
            (FullContext.DROP_OLDEST.value, tr_noop("Leave out the oldest messages")),
            (FullContext.COMPACT.value, tr_noop("Summarise the oldest messages")),
            (FullContext.SHIFT.value, tr_noop("Cut out its middle")),
            (FullContext.STOP.value, tr_noop("Do not answer")),
        ),
    ),
    _setting(
        key="answer.reply_reserve",
        label=tr_noop("Room for the answer"),
        help=tr_noop("Tokens of the context that are kept free for the answer; at most a quarter of it."),
        kind=Kind.INTEGER,
        default=DEFAULT_RESERVE,
        minimum=16,
        maximum=1_048_576,
        step=64,
        unit=tr_noop("tokens"),
        advanced=True,
    ),
    _setting(
        key="answer.template",
        label=tr_noop("Chat template"),
        help=tr_noop(
            "A Jinja template in place of the model's own; the model's page in the library shows an example."
        ),
        kind=Kind.TEXT,
        default="",
        advanced=True,
    ),
    _setting(
        key="answer.template_arguments",
        label=tr_noop("Template arguments"),
        help=tr_noop("More values for the chat template, as a JSON object."),
        kind=Kind.TEXT,
        default="",
        advanced=True,
    ),
    _setting(
        key="answer.keep_probabilities",
        label=tr_noop("Keep token probabilities"),
        help=tr_noop(
            "Notes how likely each token was while an answer is written, so that you need not wait for it."
        ),
        kind=Kind.SWITCH,
        default=False,
        advanced=True,
    ),
    _setting(
        key="answer.format",
        label=tr_noop("Format"),
        help=tr_noop("What an answer must look like; the model cannot write anything else."),
        kind=Kind.CHOICE,
        default=FORMAT_TEXT,
        choices=(
            (FORMAT_TEXT, tr_noop("Free text")),
            (FORMAT_JSON, "JSON"),
            (FORMAT_JSON_SCHEMA, tr_noop("JSON by a schema")),
            (FORMAT_REGEX, tr_noop("Regular expression")),
            (FORMAT_LARK, tr_noop("Grammar (Lark)")),
            (FORMAT_GBNF, tr_noop("Grammar (GBNF)")),
        ),
        advanced=True,
    ),
    _setting(
        key="answer.format_rule",
        label=tr_noop("Rule of the format"),
        help=tr_noop("The schema, regular expression or grammar; free text and plain JSON need none."),
        kind=Kind.TEXT,
        default="",
        advanced=True,
    ),
)
