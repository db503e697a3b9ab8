"""Declare the settings that say where a model lies: on which graphics cards, and what stays off them."""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.core.options import MOE_ON_CPU_AUTO, SplitMode
from fireside.settings.device_shares import SHARES_LABEL
from fireside.settings.values import Group, Kind, SettingDefinition

_setting: Final = partial(
    SettingDefinition, group=Group.MODEL, per_model=True, needs_reload=True, advanced=True
)

PLACING: Final = (
    _setting(
        key="load.n_cpu_moe",
        label=tr_noop("Experts on the processor"),
        help=tr_noop(
            "Of a model made of experts, those of so many layers stay off the graphics card; "
            "Auto leaves as few as there is no room for."
        ),
        kind=Kind.INTEGER,
        default=MOE_ON_CPU_AUTO,
        minimum=0,
        maximum=999,
        step=1,
        unit=tr_noop("layers"),
        choices=((MOE_ON_CPU_AUTO, tr_noop("Auto")), (0, tr_noop("None"))),
    ),
    _setting(
        key="load.offload_kqv",
        label=tr_noop("Context on the graphics card"),
        help=tr_noop(
            "Faster; turned off, the context takes the computer’s own memory instead of the card’s."
        ),
        kind=Kind.SWITCH,
        default=True,
    ),
    _setting(
        key="load.split_mode",
        label=tr_noop("Several graphics cards"),
        help=tr_noop("How they share a model; one alone is best for models that fit on it."),
        kind=Kind.CHOICE,
        default=SplitMode.LAYER.value,
        choices=(
            (SplitMode.LAYER.value, tr_noop("Each takes some layers")),
            (SplitMode.ROW.value, tr_noop("Each takes a part of every layer")),
            (SplitMode.TENSOR.value, tr_noop("All compute every layer together")),
            (SplitMode.NONE.value, tr_noop("Use one alone")),
        ),
    ),
    _setting(
        key="load.tensor_split",
        label=SHARES_LABEL,
        help=tr_noop("A number for each card, such as 3, 1; empty goes by their free memory."),
        kind=Kind.LINE,
        default="",
    ),
    _setting(
        key="load.main_gpu",
        label=tr_noop("Main graphics card"),
        help=tr_noop(
            "The name of the card that is used alone, or takes what cannot be split; empty is the first."
        ),
        kind=Kind.LINE,
        default="",
    ),
    _setting(
        key="load.excluded_devices",
        label=tr_noop("Cards to leave alone"),
        help=tr_noop("Names of graphics cards that take nothing of the model, one a line."),
        kind=Kind.LINES,
        default=(),
        maximum=16,
    ),
)
