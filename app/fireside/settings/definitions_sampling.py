"""Declares the sampling settings."""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.core.options import MAX_STOPS
from fireside.settings.values import Group, Kind, SettingDefinition

SEED_RANDOM: Final = -1
MAX_TOKENS_NO_LIMIT: Final = 0

_setting: Final = partial(SettingDefinition, group=Group.SAMPLING, per_model=True, per_conversation=True)

SAMPLING: Final = (
    _setting(
        key="sampling.temperature",
        label=tr_noop("Temperature"),
        help=tr_noop("Higher is more varied, lower more predictable. 0 always picks the most likely token."),
        kind=Kind.NUMBER,
        default=0.8,
        minimum=0,
        maximum=5,
        step=0.05,
        usual_maximum=2,
    ),
    _setting(
        key="sampling.top_k",
        label=tr_noop("Top K"),
        help=tr_noop("Samples from this many of the most likely tokens."),
        kind=Kind.INTEGER,
        default=40,
        minimum=0,
        maximum=10_000,
        step=1,
        unit=tr_noop("tokens"),
        choices=((0, tr_noop("Off")),),
    ),
    _setting(
        key="sampling.top_p",
        label=tr_noop("Top P"),
        help=tr_noop("Samples from the most likely tokens that together reach this probability. 1 is off."),
        kind=Kind.NUMBER,
        default=0.95,
        minimum=0,
        maximum=1,
        step=0.01,
    ),
    _setting(
        key="sampling.min_p",
        label=tr_noop("Min P"),
        help=tr_noop("Drops tokens less likely than this share of the most likely one. 0 is off."),
        kind=Kind.NUMBER,
        default=0.05,
        minimum=0,
        maximum=1,
        step=0.01,
    ),
    _setting(
        key="sampling.typical_p",
        label=tr_noop("Typical P"),
        help=tr_noop("Prefers tokens of typical surprise. 1 is off."),
        kind=Kind.NUMBER,
        default=1.0,
        minimum=0,
        maximum=1,
        step=0.01,
        advanced=True,
    ),
    _setting(
        key="sampling.repeat_penalty",
        label=tr_noop("Repeat penalty"),
        help=tr_noop("Above 1, discourages repetition. 1 is off."),
        kind=Kind.NUMBER,
        default=1.0,
        minimum=0.5,
        maximum=2,
        step=0.01,
    ),
    _setting(
        key="sampling.repeat_last_n",
        label=tr_noop("Repeat last N"),
        help=tr_noop("How many tokens back the penalties look."),
        kind=Kind.INTEGER,
        default=64,
        minimum=0,
        maximum=8192,
        step=16,
        unit=tr_noop("tokens"),
        choices=((0, tr_noop("Off")),),
        advanced=True,
    ),
    _setting(
        key="sampling.presence_penalty",
        label=tr_noop("Presence penalty"),
        help=tr_noop("Above 0, discourages words that were already used. 0 is off."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=-2,
        maximum=2,
        step=0.05,
    ),
    _setting(
        key="sampling.frequency_penalty",
        label=tr_noop("Frequency penalty"),
        help=tr_noop("Above 0, discourages words the more often they were used. 0 is off."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=-2,
        maximum=2,
        step=0.05,
    ),
    _setting(
        key="sampling.seed",
        label=tr_noop("Seed"),
        help=tr_noop("The same seed and settings give the same response. Random uses a new seed each time."),
        kind=Kind.INTEGER,
        default=SEED_RANDOM,
        minimum=0,
        # In llama.cpp, 0xFFFFFFFF means “random”.
        maximum=0xFFFFFFFE,
        step=1,
        choices=((SEED_RANDOM, tr_noop("Random")),),
    ),
    _setting(
        key="sampling.max_tokens",
        label=tr_noop("Max response tokens"),
        help=tr_noop("A response stops after this many tokens, finished or not."),
        kind=Kind.INTEGER,
        default=MAX_TOKENS_NO_LIMIT,
        minimum=1,
        maximum=1_048_576,
        step=64,
        unit=tr_noop("tokens"),
        choices=((MAX_TOKENS_NO_LIMIT, tr_noop("No limit")),),
    ),
    _setting(
        key="sampling.stop",
        label=tr_noop("Stop sequences"),
        help=tr_noop("Generation stops at any of these texts, one per line. Thinking is not affected."),
        kind=Kind.LINES,
        default=(),
        maximum=MAX_STOPS,
    ),
)
