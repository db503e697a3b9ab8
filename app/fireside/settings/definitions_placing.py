"""Declare the settings that say where a model lies: on which graphics cards, and what stays off them."""

from __future__ import annotations

from typing import Final

from fireside.core.options import MOE_ON_CPU_AUTO, SplitMode
from fireside.settings.device_shares import SHARES_LABEL
from fireside.settings.values import Group, Kind, SettingDefinition

PLACING: Final = (
    SettingDefinition(
        key="load.n_cpu_moe",
        group=Group.MODEL,
        label="Experts on the processor",
        help="Of a model made of experts, those of so many layers stay off the graphics card; "
        "Auto leaves as few as there is no room for.",
        kind=Kind.INTEGER,
        default=MOE_ON_CPU_AUTO,
        minimum=0,
        maximum=999,
        step=1,
        unit="layers",
        choices=((MOE_ON_CPU_AUTO, "Auto"), (0, "None")),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.offload_kqv",
        group=Group.MODEL,
        label="Context on the graphics card",
        help="Faster; turned off, the context takes the computer’s own memory instead of the card’s.",
        kind=Kind.SWITCH,
        default=True,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.split_mode",
        group=Group.MODEL,
        label="Several graphics cards",
        help="How they share a model; one alone is best for models that fit on it.",
        kind=Kind.CHOICE,
        default=SplitMode.LAYER.value,
        choices=(
            (SplitMode.LAYER.value, "Each takes some layers"),
            (SplitMode.ROW.value, "Each takes a part of every layer"),
            (SplitMode.NONE.value, "Use one alone"),
        ),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.tensor_split",
        group=Group.MODEL,
        label=SHARES_LABEL,
        help="A number for each card, such as 3, 1; empty goes by their free memory.",
        kind=Kind.LINE,
        default="",
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.main_gpu",
        group=Group.MODEL,
        label="Main graphics card",
        help="The name of the card that is used alone, or takes what cannot be split; empty is the first.",
        kind=Kind.LINE,
        default="",
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.excluded_devices",
        group=Group.MODEL,
        label="Cards to leave alone",
        help="Names of graphics cards that take nothing of the model, one a line.",
        kind=Kind.LINES,
        default=(),
        maximum=16,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
)
