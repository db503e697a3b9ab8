"""Declares the settings of a model's placement: on which GPUs, and which parts stay in RAM."""

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
        label=tr_noop("MoE experts on CPU (layers)"),
        help=tr_noop(
            "Keeps the experts of this many layers of a MoE model in RAM. Auto keeps as few as necessary."
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
        label=tr_noop("Offload KV cache to GPU"),
        help=tr_noop("Faster. Turned off, the KV cache uses RAM instead of GPU memory."),
        kind=Kind.SWITCH,
        default=True,
    ),
    _setting(
        key="load.split_mode",
        label=tr_noop("Multi-GPU split mode"),
        help=tr_noop("How several GPUs share a model. A single GPU is best for models that fit on it."),
        kind=Kind.CHOICE,
        default=SplitMode.LAYER.value,
        choices=(
            (SplitMode.LAYER.value, tr_noop("Split by layer")),
            (SplitMode.ROW.value, tr_noop("Split by row")),
            (SplitMode.TENSOR.value, tr_noop("Tensor parallel")),
            (SplitMode.NONE.value, tr_noop("Single GPU")),
        ),
    ),
    _setting(
        key="load.tensor_split",
        label=SHARES_LABEL,
        help=tr_noop("One number per GPU, such as 3, 1; empty to split by free memory."),
        kind=Kind.LINE,
        default="",
    ),
    _setting(
        key="load.main_gpu",
        label=tr_noop("Main GPU"),
        help=tr_noop("The GPU used alone, or for what cannot be split; empty for the first."),
        kind=Kind.LINE,
        default="",
    ),
    _setting(
        key="load.excluded_devices",
        label=tr_noop("Excluded GPUs"),
        help=tr_noop("Names of GPUs the model must not use, one per line."),
        kind=Kind.LINES,
        default=(),
        maximum=16,
    ),
)
