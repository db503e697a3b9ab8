"""Declare the settings that say where a model lies: on which graphics cards, and what stays off them."""

from __future__ import annotations

from typing import Final

from fireside.core.options import MOE_ON_CPU_AUTO, SplitMode
from fireside.core.wording import marked
from fireside.settings.device_shares import SHARES_LABEL
from fireside.settings.values import Group, Kind, SettingDefinition

PLACING: Final = (
    SettingDefinition(
        key="load.n_cpu_moe",
        group=Group.MODEL,
        label=marked("Experts on the processor"),
        help=marked(
            "Of a model made of experts, those of so many layers stay off the graphics card; "
            "Auto leaves as few as there is no room for."
        ),
        kind=Kind.INTEGER,
        default=MOE_ON_CPU_AUTO,
        minimum=0,
        maximum=999,
        step=1,
        unit=marked("layers"),
        choices=((MOE_ON_CPU_AUTO, marked("Auto")), (0, marked("None"))),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.offload_kqv",
        group=Group.MODEL,
        label=marked("Context on the graphics card"),
        help=marked("Faster; turned off, the context takes the computer’s own memory instead of the card’s."),
        kind=Kind.SWITCH,
        default=True,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.split_mode",
        group=Group.MODEL,
        label=marked("Several graphics cards"),
        help=marked("How they share a model; one alone is best for models that fit on it."),
        kind=Kind.CHOICE,
        default=SplitMode.LAYER.value,
        choices=(
            (SplitMode.LAYER.value, marked("Each takes some layers")),
            (SplitMode.ROW.value, marked("Each takes a part of every layer")),
            (SplitMode.NONE.value, marked("Use one alone")),
        ),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.tensor_split",
        group=Group.MODEL,
        label=SHARES_LABEL,
        help=marked("A number for each card, such as 3, 1; empty goes by their free memory."),
        kind=Kind.LINE,
        default="",
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.main_gpu",
        group=Group.MODEL,
        label=marked("Main graphics card"),
        help=marked(
            "The name of the card that is used alone, or takes what cannot be split; empty is the first."
        ),
        kind=Kind.LINE,
        default="",
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.excluded_devices",
        group=Group.MODEL,
        label=marked("Cards to leave alone"),
        help=marked("Names of graphics cards that take nothing of the model, one a line."),
        kind=Kind.LINES,
        default=(),
        maximum=16,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
)
