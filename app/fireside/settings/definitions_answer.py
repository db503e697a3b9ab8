"""Declares the settings of answers other than sampling."""

from __future__ import annotations

from typing import Final

from fireside.core.context import FullContext
from fireside.core.generation import WhenFull
from fireside.core.i18n import tr_noop
from fireside.core.prompt_input import ReasoningEffort
from fireside.settings.values import Group, SettingSection

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
_setting: Final = SettingSection(Group.SAMPLING, per_model=True, per_conversation=True)

ANSWER: Final = (
    _setting.choice(
        REASONING_KEY,
        tr_noop("Thinking"),
        tr_noop("Whether reasoning models think before answering. More thinking takes longer."),
        default=ReasoningEffort.DEFAULT.value,
        choices=(
            (ReasoningEffort.DEFAULT.value, tr_noop("Model default")),
            (ReasoningEffort.OFF.value, tr_noop("Off")),
            (ReasoningEffort.ON.value, tr_noop("On")),
            (ReasoningEffort.LOW.value, tr_noop("Low")),
            (ReasoningEffort.MEDIUM.value, tr_noop("Medium")),
            (ReasoningEffort.HIGH.value, tr_noop("High")),
        ),
        synonyms=tr_noop(
            "reasoning; reasoning effort; thinking; enable_thinking; think; chain of thought; CoT"
        ),
    ),
    _setting.integer(
        "answer.thinking_budget",
        tr_noop("Thinking budget (tokens)"),
        tr_noop("The model stops thinking and answers after this many tokens."),
        default=THINKING_NO_LIMIT,
        within=(0, 1_048_576),
        step=64,
        named=((THINKING_NO_LIMIT, tr_noop("No limit")), (0, tr_noop("None"))),
        unit=tr_noop("tokens"),
        synonyms=tr_noop("thinking budget; reasoning budget; max thinking tokens"),
    ),
    _setting.choice(
        "answer.when_full",
        tr_noop("When a response fills the context"),
        tr_noop("While a response is written: stop it there, or continue without the oldest tokens."),
        default=WhenFull.STOP.value,
        choices=(
            (WhenFull.STOP.value, tr_noop("Stop response")),
            (WhenFull.SHIFT.value, tr_noop("Drop oldest tokens")),
        ),
        synonyms=tr_noop("context shift; rolling window; context full; context overflow"),
    ),
    _setting.choice(
        "answer.overflow",
        tr_noop("When a chat is too long"),
        tr_noop("Before a message is sent: what is left out when the chat no longer fits the context."),
        default=FullContext.DROP_OLDEST.value,
        choices=(
            (FullContext.DROP_OLDEST.value, tr_noop("Drop oldest messages")),
            (FullContext.COMPACT.value, tr_noop("Summarise oldest messages")),
            (FullContext.SHIFT.value, tr_noop("Truncate middle")),
            (FullContext.STOP.value, tr_noop("Ask before sending")),
        ),
        synonyms=tr_noop(
            "context overflow policy; truncate middle; rolling window; compact; summarise chat; chat too long"
        ),
    ),
    _setting.integer(
        "answer.reply_reserve",
        tr_noop("Reserved response tokens"),
        tr_noop("Part of the context kept free for the response, at most a quarter of it."),
        default=DEFAULT_RESERVE,
        within=(16, 1_048_576),
        step=64,
        unit=tr_noop("tokens"),
        advanced=True,
        synonyms=tr_noop("response reserve; reserved response tokens; n_keep; output reserve"),
    ),
    _setting.text(
        TEMPLATE,
        tr_noop("Chat template"),
        tr_noop(
            "Jinja template that replaces the model's own. The model's page in the library shows an example."
        ),
        advanced=True,
        synonyms=tr_noop("chat template; jinja; prompt template; prompt format"),
    ),
    _setting.text(
        "answer.template_arguments",
        tr_noop("Template arguments"),
        tr_noop("Extra variables for the chat template, as a JSON object."),
        advanced=True,
        synonyms=tr_noop("chat_template_kwargs; jinja variables; template kwargs"),
    ),
    _setting.switch(
        "answer.keep_probabilities",
        tr_noop("Record token probabilities"),
        tr_noop("Records the probability of each token while responding, so viewing them later is instant."),
        advanced=True,
        synonyms=tr_noop("logprobs; token probabilities; n_probs; top_logprobs"),
    ),
    _setting.choice(
        "answer.format",
        tr_noop("Response format"),
        tr_noop("Constrains what the model can write."),
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
        synonyms=tr_noop(
            "response format; response_format; json mode; structured output; json schema; grammar; gbnf; "
            "regex"
        ),
    ),
    _setting.text(
        "answer.format_rule",
        tr_noop("Schema or grammar"),
        tr_noop("The schema, regular expression or grammar; not needed for text and plain JSON."),
        advanced=True,
        synonyms=tr_noop("json schema; grammar; gbnf; structured output; regex; lark"),
    ),
)
