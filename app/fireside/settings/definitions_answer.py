"""Declares the settings of answers other than sampling."""

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
"""One or two long paragraphs: with less, answers are often cut off."""

TEMPLATE: Final = "answer.template"

FORMAT_TEXT: Final = "text"
FORMAT_JSON: Final = "json"
FORMAT_JSON_SCHEMA: Final = "json_schema"
FORMAT_REGEX: Final = "regex"
FORMAT_LARK: Final = "lark"
FORMAT_GBNF: Final = "gbnf"

REASONING_KEY: Final = "answer.reasoning"
_setting: Final = partial(SettingDefinition, group=Group.SAMPLING, per_model=True, per_conversation=True)

ANSWER: Final = (
    _setting(
        key=REASONING_KEY,
        label=tr_noop("Thinking"),
        help=tr_noop("Whether reasoning models think before answering. More thinking takes longer."),
        kind=Kind.CHOICE,
        default=Reasoning.DEFAULT.value,
        choices=(
            (Reasoning.DEFAULT.value, tr_noop("Model default")),
            (Reasoning.OFF.value, tr_noop("Off")),
            (Reasoning.ON.value, tr_noop("On")),
            (Reasoning.LOW.value, tr_noop("Low")),
            (Reasoning.MEDIUM.value, tr_noop("Medium")),
            (Reasoning.HIGH.value, tr_noop("High")),
        ),
    ),
    _setting(
        key="answer.thinking_budget",
        label=tr_noop("Thinking budget (tokens)"),
        help=tr_noop("The model stops thinking and answers after this many tokens."),
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
        label=tr_noop("When a response fills the context"),
        help=tr_noop("While a response is written: stop it there, or continue without the oldest tokens."),
        kind=Kind.CHOICE,
        default=WhenFull.STOP.value,
        choices=(
            (WhenFull.STOP.value, tr_noop("Stop response")),
            (WhenFull.SHIFT.value, tr_noop("Drop oldest tokens")),
        ),
    ),
    _setting(
        key="answer.overflow",
        label=tr_noop("When a chat is too long"),
        help=tr_noop("Before a message is sent: what is left out when the chat no longer fits the context."),
        kind=Kind.CHOICE,
        default=FullContext.DROP_OLDEST.value,
        choices=(
            (FullContext.DROP_OLDEST.value, tr_noop("Drop oldest messages")),
            (FullContext.COMPACT.value, tr_noop("Summarise oldest messages")),
            (FullContext.SHIFT.value, tr_noop("Truncate middle")),
            (FullContext.STOP.value, tr_noop("Ask before sending")),
        ),
    ),
    _setting(
        key="answer.reply_reserve",
        label=tr_noop("Reserved response tokens"),
        help=tr_noop("Part of the context kept free for the response, at most a quarter of it."),
        kind=Kind.INTEGER,
        default=DEFAULT_RESERVE,
        minimum=16,
        maximum=1_048_576,
        step=64,
        unit=tr_noop("tokens"),
        advanced=True,
    ),
    _setting(
        key=TEMPLATE,
        label=tr_noop("Chat template"),
        help=tr_noop(
            "Jinja template that replaces the model's own. The model's page in the library shows an example."
        ),
        kind=Kind.TEXT,
        default="",
        advanced=True,
    ),
    _setting(
        key="answer.template_arguments",
        label=tr_noop("Template arguments"),
        help=tr_noop("Extra variables for the chat template, as a JSON object."),
        kind=Kind.TEXT,
        default="",
        advanced=True,
    ),
    _setting(
        key="answer.keep_probabilities",
        label=tr_noop("Record token probabilities"),
        help=tr_noop(
            "Records the probability of each token while responding, so viewing them later is instant."
        ),
        kind=Kind.SWITCH,
        default=False,
        advanced=True,
    ),
    _setting(
        key="answer.format",
        label=tr_noop("Response format"),
        help=tr_noop("Constrains what the model can write."),
        kind=Kind.CHOICE,
        default=FORMAT_TEXT,
        choices=(
            (FORMAT_TEXT, tr_noop("Text")),
            (FORMAT_JSON, "JSON"),
            (FORMAT_JSON_SCHEMA, tr_noop("JSON Schema")),
            (FORMAT_REGEX, tr_noop("Regular expression")),
            (FORMAT_LARK, tr_noop("Grammar (Lark)")),
            (FORMAT_GBNF, tr_noop("Grammar (GBNF)")),
        ),
        advanced=True,
    ),
    _setting(
        key="answer.format_rule",
        label=tr_noop("Schema or grammar"),
        help=tr_noop("The schema, regular expression or grammar; not needed for text and plain JSON."),
        kind=Kind.TEXT,
        default="",
        advanced=True,
    ),
)
