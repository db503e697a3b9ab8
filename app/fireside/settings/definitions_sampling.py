"""Declares the sampling settings: the texts of ``core.options.PARAMETERS``, which has defaults and bounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Unpack

from fireside.core.i18n import tr_noop
from fireside.core.options import (
    DRY_WHOLE_CONTEXT,
    LOGPROBS_OFF,
    MAX_TOKENS_NO_LIMIT,
    PARAMETERS,
    SEED_RANDOM,
    Parameter,
    SettingValue,
)
from fireside.settings.sampling_lines import BIASES_LABEL, SAMPLERS_LABEL
from fireside.settings.values import Choices, Flags, Group, Kind, SettingDefinition, SettingSection

SAMPLING_KEYS: Final = "sampling."
"""The prefix of all keys; the name of the parameter follows."""

_KINDS: Final = {bool: Kind.SWITCH, int: Kind.INTEGER, float: Kind.NUMBER, tuple: Kind.LINES}
_section: Final = SettingSection(Group.SAMPLING, per_model=True, per_conversation=True)


def setting_value(row: Parameter, value: Any) -> SettingValue:
    """Return the setting's value for a value of a parameter."""
    for setting, meaning in row.special.items():
        if value == meaning and type(value) is type(meaning):
            return setting
    if row.name == "dry_sequence_breakers":
        return tuple(_escaped(value))
    return tuple(map(str, value)) if row.type is tuple else value


def _escaped(texts: Iterable[str]) -> Iterable[str]:
    return (text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t") for text in texts)


def _parameter(
    name: str,
    label: str,
    help_: str,
    *,
    step: float = 1,
    minimum: float | None = None,
    usual_maximum: float | None = None,
    named: Choices = (),
    **flags: Unpack[Flags],
) -> SettingDefinition:
    """Define the setting of the parameter ``name``; ``minimum`` is the setting's own."""
    row = PARAMETERS[name]
    default = setting_value(row, row.default)
    kind = Kind.CHOICE if isinstance(default, str) else _KINDS[row.type]
    fields: dict[str, Any] = {"choices": named, **flags}
    if kind in (Kind.INTEGER, Kind.NUMBER):
        fields |= {"minimum": row.low if minimum is None else minimum, "maximum": row.high, "step": step}
        fields["usual_maximum"] = usual_maximum
    elif kind is Kind.LINES:
        fields["maximum"] = row.high
    return _section.setting(kind, f"{SAMPLING_KEYS}{name}", label, help_, default, **fields)


SAMPLING: Final = (
    _parameter(
        "temperature",
        tr_noop("Temperature"),
        tr_noop("Higher is more varied, lower more predictable. 0 always picks the most likely token."),
        step=0.05,
        usual_maximum=2,
        synonyms=tr_noop("temp; creativity; randomness"),
    ),
    _parameter(
        "top_k",
        tr_noop("Top K"),
        tr_noop("Samples from this many of the most likely tokens."),
        named=((0, tr_noop("Off")),),
        synonyms=tr_noop("top_k; top-k"),
    ),
    _parameter(
        "top_p",
        tr_noop("Top P"),
        tr_noop("Samples from the most likely tokens that together reach this probability. 1 is off."),
        step=0.01,
        synonyms=tr_noop("top_p; top-p; nucleus sampling"),
    ),
    _parameter(
        "min_p",
        tr_noop("Min P"),
        tr_noop("Drops tokens less likely than this share of the most likely one. 0 is off."),
        step=0.01,
        synonyms=tr_noop("min_p; min-p"),
    ),
    _parameter(
        "typical_p",
        tr_noop("Typical P"),
        tr_noop("Prefers tokens of typical surprise. 1 is off."),
        step=0.01,
        advanced=True,
        synonyms=tr_noop("typical_p; locally typical sampling; tfs"),
    ),
    _parameter(
        "repeat_penalty",
        tr_noop("Repeat penalty"),
        tr_noop("Above 1, discourages repetition. 1 is off."),
        step=0.01,
        synonyms=tr_noop("repeat_penalty; repetition penalty; repetition_penalty"),
    ),
    _parameter(
        "repeat_last_n",
        tr_noop("Repeat last N"),
        tr_noop("How many tokens back the penalties look."),
        step=16,
        named=((0, tr_noop("Off")),),
        unit=tr_noop("tokens"),
        advanced=True,
        synonyms=tr_noop("repeat_last_n; penalty_last_n; repetition range"),
    ),
    _parameter(
        "presence_penalty",
        tr_noop("Presence penalty"),
        tr_noop("Above 0, discourages words that were already used. 0 is off."),
        step=0.05,
        synonyms=tr_noop("presence_penalty; presence"),
    ),
    _parameter(
        "frequency_penalty",
        tr_noop("Frequency penalty"),
        tr_noop("Above 0, discourages words the more often they were used. 0 is off."),
        step=0.05,
        synonyms=tr_noop("frequency_penalty; frequency"),
    ),
    _parameter(
        "seed",
        tr_noop("Seed"),
        tr_noop("The same seed and settings give the same response. Random uses a new seed each time."),
        named=((SEED_RANDOM, tr_noop("Random")),),
        synonyms=tr_noop("seed; random seed; rng; deterministic; reproducible"),
    ),
    _parameter(
        "max_tokens",
        tr_noop("Max response tokens"),
        tr_noop("A response stops after this many tokens, finished or not."),
        minimum=1,
        step=64,
        named=((MAX_TOKENS_NO_LIMIT, tr_noop("No limit")),),
        unit=tr_noop("tokens"),
        synonyms=tr_noop(
            "max tokens; max_tokens; n_predict; num_predict; response length; limit response; output length"
        ),
    ),
    _parameter(
        "stop",
        tr_noop("Stop sequences"),
        tr_noop("Generation stops at any of these texts, one per line. Thinking is not affected."),
        synonyms=tr_noop("stop sequence; stop sequences; stop strings; stop words; reverse prompt"),
    ),
    _parameter(
        "guard_repetition",
        tr_noop("Stop repetition loops"),
        tr_noop("Stops a response that gets stuck in a loop."),
        advanced=True,
        synonyms=tr_noop("loop detection; repetition loop; stuck; endless loop"),
    ),
    _parameter(
        "dynatemp_range",
        tr_noop("Dynamic temperature range"),
        tr_noop("Varies the temperature by up to this much, lower where the model is confident. 0 is off."),
        step=0.05,
        advanced=True,
        synonyms=tr_noop("dynamic temperature; dynatemp_range; dynatemp"),
    ),
    _parameter(
        "dynatemp_exponent",
        tr_noop("Dynamic temperature exponent"),
        tr_noop("How sharply the temperature reacts to the model’s confidence."),
        step=0.1,
        advanced=True,
        synonyms=tr_noop("dynamic temperature exponent; dynatemp_exponent"),
    ),
    _parameter(
        "top_n_sigma",
        tr_noop("Top n-sigma"),
        tr_noop("Drops tokens more than this many standard deviations below the best. 0 is off."),
        step=0.1,
        advanced=True,
        synonyms=tr_noop("top_n_sigma; n-sigma"),
    ),
    _parameter(
        "xtc_probability",
        tr_noop("XTC probability"),
        tr_noop("Chance of dropping the most likely tokens, for more unusual responses. 0 is off."),
        step=0.05,
        advanced=True,
        synonyms=tr_noop("xtc_probability; exclude top choices"),
    ),
    _parameter(
        "xtc_threshold",
        tr_noop("XTC threshold"),
        tr_noop("XTC only drops tokens more likely than this."),
        step=0.01,
        advanced=True,
        synonyms=tr_noop("xtc_threshold; exclude top choices threshold"),
    ),
    _parameter(
        "dry_multiplier",
        tr_noop("DRY multiplier"),
        tr_noop("Penalises repeating whole sequences. 0 is off."),
        step=0.05,
        advanced=True,
        synonyms=tr_noop("dry_multiplier; dry sampling; don’t repeat yourself"),
    ),
    _parameter(
        "dry_base",
        tr_noop("DRY base"),
        tr_noop("How fast the DRY penalty grows with the length of a repetition."),
        step=0.05,
        advanced=True,
        synonyms=tr_noop("dry_base"),
    ),
    _parameter(
        "dry_allowed_length",
        tr_noop("DRY allowed length"),
        tr_noop("Repetitions up to this length are not penalised."),
        unit=tr_noop("tokens"),
        advanced=True,
        synonyms=tr_noop("dry_allowed_length"),
    ),
    _parameter(
        "dry_penalty_last_n",
        tr_noop("DRY last N"),
        tr_noop("How many tokens back DRY looks."),
        step=64,
        named=((DRY_WHOLE_CONTEXT, tr_noop("Whole context")), (0, tr_noop("Off"))),
        unit=tr_noop("tokens"),
        advanced=True,
        synonyms=tr_noop("dry_penalty_last_n; dry range"),
    ),
    _parameter(
        "dry_sequence_breakers",
        tr_noop("DRY sequence breakers"),
        tr_noop("Texts that break up a repetition, one per line; \\n is a line break, \\\\ a backslash."),
        advanced=True,
        synonyms=tr_noop("dry_sequence_breakers; sequence breakers"),
    ),
    _parameter(
        "mirostat",
        tr_noop("Mirostat"),
        tr_noop("Steers the response’s surprise directly, in place of Top K, Top P and similar samplers."),
        named=(("off", tr_noop("Off")), ("1", tr_noop("Version 1")), ("2", tr_noop("Version 2"))),
        advanced=True,
        synonyms=tr_noop("mirostat; mirostat mode; perplexity control"),
    ),
    _parameter(
        "mirostat_tau",
        tr_noop("Mirostat target entropy"),
        tr_noop("Target surprise (tau) of Mirostat; lower is more focused."),
        step=0.1,
        advanced=True,
        synonyms=tr_noop("mirostat_tau; target entropy"),
    ),
    _parameter(
        "mirostat_eta",
        tr_noop("Mirostat learning rate"),
        tr_noop("Learning rate (eta) of Mirostat."),
        step=0.01,
        advanced=True,
        synonyms=tr_noop("mirostat_eta; learning rate"),
    ),
    _parameter(
        "adaptive_p_target",
        tr_noop("Adaptive P target"),
        tr_noop("Prefers tokens near this probability, on average over the response; 0 is off."),
        step=0.05,
        advanced=True,
        synonyms=tr_noop("adaptive_p_target; adaptive-p; adaptive sampling"),
    ),
    _parameter(
        "adaptive_p_decay",
        tr_noop("Adaptive P decay"),
        tr_noop("How long earlier tokens count. Higher is longer and more stable."),
        step=0.01,
        advanced=True,
        synonyms=tr_noop("adaptive_p_decay; adaptive-p decay"),
    ),
    _parameter(
        "samplers",
        SAMPLERS_LABEL,
        tr_noop("The order in which samplers run, one per line. Samplers left out are off."),
        advanced=True,
        synonyms=tr_noop("samplers; sampler order; sampling order; sampler sequence"),
    ),
    _parameter(
        "logit_bias",
        BIASES_LABEL,
        tr_noop("Makes single tokens of this model more or less likely, one “token=bias” per line."),
        advanced=True,
        synonyms=tr_noop("logit_bias; ban tokens; token bias"),
    ),
    _parameter(
        "ignore_eos",
        tr_noop("Ignore end of sequence"),
        tr_noop("The model continues until the token limit or the end of the context."),
        hidden=True,
    ),
    _parameter(
        "top_logprobs",
        tr_noop("Top token alternatives"),
        tr_noop("Reports each token’s probability with this many alternatives."),
        named=((LOGPROBS_OFF, tr_noop("Off")),),
        hidden=True,
    ),
)
