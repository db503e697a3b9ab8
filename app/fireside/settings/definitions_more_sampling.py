"""Declare the settings that choose an answer's tokens and that few users ever touch."""

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
        label=tr_noop("Stop endless repetition"),
        help=tr_noop("Ends an answer that goes in circles."),
        kind=Kind.SWITCH,
        default=True,
        advanced=True,
    ),
    _setting(
        key="sampling.dynatemp_range",
        label=tr_noop("Temperature range"),
        help=tr_noop(
            "The temperature moves by up to this much, lower where the model is sure; 0 turns it off."
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
        label=tr_noop("Temperature curve"),
        help=tr_noop("How sharply the temperature range reacts to how sure the model is."),
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
        help=tr_noop(
            "Leaves out tokens further than this many standard deviations below the best; 0 turns it off."
        ),
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
        help=tr_noop(
            "How often the likeliest tokens are left out, which makes answers more unusual; 0 turns it off."
        ),
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
        help=tr_noop("XTC only leaves out tokens that are more likely than this."),
        kind=Kind.NUMBER,
        default=0.1,
        minimum=0,
        maximum=1,
        step=0.01,
        advanced=True,
    ),
    _setting(
        key="sampling.dry_multiplier",
        label=tr_noop("DRY strength"),
        help=tr_noop("Keeps the model from repeating whole sequences of words; 0 turns it off."),
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
        help=tr_noop("Repetitions up to this length cost nothing."),
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
        label=tr_noop("DRY window"),
        help=tr_noop("How far back DRY looks for repetitions."),
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
        label=tr_noop("DRY breakers"),
        help=tr_noop("Repetitions are not counted across these texts; one a line, \\n is a line break."),
        kind=Kind.LINES,
        default=("\\n", ":", '"', "*"),
        maximum=32,
        advanced=True,
    ),
    _setting(
        key="sampling.mirostat",
        label=tr_noop("Mirostat"),
        help=tr_noop(
            "Steers how surprising the answer is as it is written, in place of Top K, Top P and their like."
        ),
        kind=Kind.CHOICE,
        default=MIROSTAT_OFF,
        choices=((MIROSTAT_OFF, tr_noop("Off")), ("1", tr_noop("Version 1")), ("2", tr_noop("Version 2"))),
        advanced=True,
    ),
    _setting(
        key="sampling.mirostat_tau",
        label=tr_noop("Mirostat target"),
        help=tr_noop("How surprising the answer should be: lower is more focused."),
        kind=Kind.NUMBER,
        default=5.0,
        minimum=0,
        maximum=20,
        step=0.1,
        advanced=True,
    ),
    _setting(
        key="sampling.mirostat_eta",
        label=tr_noop("Mirostat rate"),
        help=tr_noop("How fast Mirostat corrects itself."),
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
        help=tr_noop("Prefers tokens of about this probability, on average over the answer; 0 turns it off."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=1,
        step=0.05,
        advanced=True,
    ),
    _setting(
        key="sampling.adaptive_p_decay",
        label=tr_noop("Adaptive P memory"),
        help=tr_noop("How long earlier tokens count for Adaptive P: higher is longer."),
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
        help=tr_noop("In which order tokens are left out, one name a line; what is not named is off."),
        kind=Kind.LINES,
        default=tuple(kind.value for kind in SamplerKind),
        maximum=len(SamplerKind),
        advanced=True,
    ),
    _setting(
        key="sampling.logit_bias",
        label=LABEL,
        help=tr_noop(
            "Makes single tokens of this model likelier or rarer; one a line, as its number and a bias."
        ),
        kind=Kind.LINES,
        default=(),
        maximum=256,
        advanced=True,
    ),
    _setting(
        key="sampling.ignore_eos",
        label=tr_noop("Never end by itself"),
        help=tr_noop("The model goes on until the longest answer or the end of the context is reached."),
        kind=Kind.SWITCH,
        default=False,
        hidden=True,
    ),
    _setting(
        key="sampling.top_logprobs",
        label=tr_noop("Probabilities"),
        help=tr_noop("Reports how likely each token was, and so many alternatives."),
        kind=Kind.INTEGER,
        default=LOGPROBS_OFF,
        minimum=0,
        maximum=20,
        step=1,
        choices=((LOGPROBS_OFF, tr_noop("Off")),),
        hidden=True,
    ),
)
