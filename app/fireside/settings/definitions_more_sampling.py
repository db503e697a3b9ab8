"""Declares the sampling settings that few users need."""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.core.options import SamplerKind
from fireside.settings.sampler_order import SAMPLERS_LABEL
from fireside.settings.token_biases import LABEL
from fireside.settings.values import Group, Kind, SettingDefinition

DRY_WHOLE_CONTEXT: Final = -1
MIROSTAT_OFF: Final = "off"
LOGPROBS_OFF: Final = -1

_setting: Final = partial(SettingDefinition, group=Group.SAMPLING, per_model=True, per_conversation=True)

MORE_SAMPLING: Final = (
    _setting(
        key="sampling.guard_repetition",
        label=tr_noop("Stop repetition loops"),
        help=tr_noop("Stops a response that gets stuck in a loop."),
        kind=Kind.SWITCH,
        default=True,
        advanced=True,
    ),
    _setting(
        key="sampling.dynatemp_range",
        label=tr_noop("Dynamic temperature range"),
        help=tr_noop(
            "Varies the temperature by up to this much, lower where the model is confident. 0 is off."
        ),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=5,
        step=0.05,
        advanced=True,
    ),
    _setting(
        key="sampling.dynatemp_exponent",
        label=tr_noop("Dynamic temperature exponent"),
        help=tr_noop("How sharply the temperature reacts to the model’s confidence."),
        kind=Kind.NUMBER,
        default=1.0,
        minimum=0.1,
        maximum=10,
        step=0.1,
        advanced=True,
    ),
    _setting(
        key="sampling.top_n_sigma",
        label=tr_noop("Top n-sigma"),
        help=tr_noop("Drops tokens more than this many standard deviations below the best. 0 is off."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=10,
        step=0.1,
        advanced=True,
    ),
    _setting(
        key="sampling.xtc_probability",
        label=tr_noop("XTC probability"),
        help=tr_noop("Chance of dropping the most likely tokens, for more unusual responses. 0 is off."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=1,
        step=0.05,
        advanced=True,
    ),
    _setting(
        key="sampling.xtc_threshold",
        label=tr_noop("XTC threshold"),
        help=tr_noop("XTC only drops tokens more likely than this."),
        kind=Kind.NUMBER,
        default=0.1,
        minimum=0,
        maximum=1,
        step=0.01,
        advanced=True,
    ),
    _setting(
        key="sampling.dry_multiplier",
        label=tr_noop("DRY multiplier"),
        help=tr_noop("Penalises repeating whole sequences. 0 is off."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=10,
        step=0.05,
        advanced=True,
    ),
    _setting(
        key="sampling.dry_base",
        label=tr_noop("DRY base"),
        help=tr_noop("How fast the DRY penalty grows with the length of a repetition."),
        kind=Kind.NUMBER,
        default=1.75,
        minimum=1,
        maximum=10,
        step=0.05,
        advanced=True,
    ),
    _setting(
        key="sampling.dry_allowed_length",
        label=tr_noop("DRY allowed length"),
        help=tr_noop("Repetitions up to this length are not penalised."),
        kind=Kind.INTEGER,
        default=2,
        minimum=0,
        maximum=1024,
        step=1,
        unit=tr_noop("tokens"),
        advanced=True,
    ),
    _setting(
        key="sampling.dry_penalty_last_n",
        label=tr_noop("DRY last N"),
        help=tr_noop("How many tokens back DRY looks."),
        kind=Kind.INTEGER,
        default=DRY_WHOLE_CONTEXT,
        minimum=0,
        maximum=1_048_576,
        step=64,
        unit=tr_noop("tokens"),
        choices=((DRY_WHOLE_CONTEXT, tr_noop("Whole context")), (0, tr_noop("Off"))),
        advanced=True,
    ),
    _setting(
        key="sampling.dry_sequence_breakers",
        label=tr_noop("DRY sequence breakers"),
        help=tr_noop(
            "Texts that break up a repetition, one per line; \\n is a line break, \\\\ a backslash."
        ),
        kind=Kind.LINES,
        default=("\\n", ":", '"', "*"),
        maximum=32,
        advanced=True,
    ),
    _setting(
        key="sampling.mirostat",
        label=tr_noop("Mirostat"),
        help=tr_noop(
            "Steers the response’s surprise directly, in place of Top K, Top P and similar samplers."
        ),
        kind=Kind.CHOICE,
        default=MIROSTAT_OFF,
        choices=((MIROSTAT_OFF, tr_noop("Off")), ("1", tr_noop("Version 1")), ("2", tr_noop("Version 2"))),
        advanced=True,
    ),
    _setting(
        key="sampling.mirostat_tau",
        label=tr_noop("Mirostat target entropy"),
        help=tr_noop("Target surprise (tau) of Mirostat; lower is more focused."),
        kind=Kind.NUMBER,
        default=5.0,
        minimum=0,
        maximum=20,
        step=0.1,
        advanced=True,
    ),
    _setting(
        key="sampling.mirostat_eta",
        label=tr_noop("Mirostat learning rate"),
        help=tr_noop("Learning rate (eta) of Mirostat."),
        kind=Kind.NUMBER,
        default=0.1,
        minimum=0,
        maximum=1,
        step=0.01,
        advanced=True,
    ),
    _setting(
        key="sampling.adaptive_p_target",
        label=tr_noop("Adaptive P target"),
        help=tr_noop("Prefers tokens near this probability, on average over the response; 0 is off."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=1,
        step=0.05,
        advanced=True,
    ),
    _setting(
        key="sampling.adaptive_p_decay",
        label=tr_noop("Adaptive P decay"),
        help=tr_noop("How long earlier tokens count. Higher is longer and more stable."),
        kind=Kind.NUMBER,
        default=0.9,
        minimum=0,
        maximum=0.99,
        step=0.01,
        advanced=True,
    ),
    _setting(
        key="sampling.samplers",
        label=SAMPLERS_LABEL,
        help=tr_noop("The order in which samplers run, one per line. Samplers left out are off."),
        kind=Kind.LINES,
        default=tuple(kind.value for kind in SamplerKind),
        maximum=len(SamplerKind),
        advanced=True,
    ),
    _setting(
        key="sampling.logit_bias",
        label=LABEL,
        help=tr_noop("Makes single tokens of this model more or less likely, one “token=bias” per line."),
        kind=Kind.LINES,
        default=(),
        maximum=256,
        advanced=True,
    ),
    _setting(
        key="sampling.ignore_eos",
        label=tr_noop("Ignore end of sequence"),
        help=tr_noop("The model continues until the token limit or the end of the context."),
        kind=Kind.SWITCH,
        default=False,
        hidden=True,
    ),
    _setting(
        key="sampling.top_logprobs",
        label=tr_noop("Top token alternatives"),
        help=tr_noop("Reports each token’s probability with this many alternatives."),
        kind=Kind.INTEGER,
        default=LOGPROBS_OFF,
        minimum=0,
        maximum=20,
        step=1,
        choices=((LOGPROBS_OFF, tr_noop("Off")),),
        hidden=True,
    ),
)
