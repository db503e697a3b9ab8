"""Declare the settings of a load that few users need: positions, processors, single tensors, directions."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop
from fireside.core.options import Numa, RopeScaling
from fireside.settings.load_lines import CPUS_LABEL, LAYERS_LABEL, OVERRIDES_LABEL, PLACES_LABEL
from fireside.settings.values import Group, Kind, SettingDefinition

CONTROL_SCALES_LABEL: Final = tr_noop("Strength of the control vectors")

MORE_LOAD: Final = (
    SettingDefinition(
        key="load.rope_scaling",
        group=Group.MODEL,
        label=tr_noop("Context beyond training"),
        help=tr_noop(
            "How a model reads a context that is longer than it was trained for; it may answer worse, "
            "and YaRN suits most models."
        ),
        kind=Kind.CHOICE,
        default=RopeScaling.MODEL.value,
        choices=(
            (RopeScaling.MODEL.value, tr_noop("No longer than trained")),
            (RopeScaling.YARN.value, tr_noop("YaRN")),
            (RopeScaling.LINEAR.value, tr_noop("Linear")),
        ),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.rope_freq_base",
        group=Group.MODEL,
        label=tr_noop("RoPE base"),
        help=tr_noop("The base frequency of positions; 0 is the model’s own."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=1e12,
        step=1000,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.rope_freq_scale",
        group=Group.MODEL,
        label=tr_noop("RoPE scale"),
        help=tr_noop("What positions are multiplied by, a quarter for four times the context; 0 is chosen."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=64,
        step=0.05,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.n_threads_batch",
        group=Group.MODEL,
        label=tr_noop("Threads for reading"),
        help=tr_noop("How many processor cores read a prompt; Auto is as many as write the answer."),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=512,
        step=1,
        unit=tr_noop("threads"),
        choices=((0, tr_noop("Auto")),),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.cpus",
        group=Group.MODEL,
        label=CPUS_LABEL,
        help=tr_noop("Numbers such as 0-7, 12; the model leaves the others alone, except on macOS."),
        kind=Kind.LINE,
        default="",
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.numa",
        group=Group.MODEL,
        label=tr_noop("Several memory nodes (NUMA)"),
        help=tr_noop("On Linux computers with more than one processor: where the model’s threads run."),
        kind=Kind.CHOICE,
        default=Numa.OFF.value,
        choices=(
            (Numa.OFF.value, tr_noop("As the system likes")),
            (Numa.DISTRIBUTE.value, tr_noop("Over all nodes")),
            (Numa.ISOLATE.value, tr_noop("On the first node used")),
            (Numa.NUMACTL.value, tr_noop("As numactl says")),
        ),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.use_mlock",
        group=Group.MODEL,
        label=tr_noop("Hold the model in memory"),
        help=tr_noop("The system never moves it to the disk; there must be room for all of it."),
        kind=Kind.SWITCH,
        default=False,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.memory_limit_mb",
        group=Group.MODEL,
        label=tr_noop("Most memory"),
        help=tr_noop(
            "What the model may take of the computer’s memory, for which it is then fitted; macOS does not "
            "hold it to that."
        ),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=16_000_000,
        step=500,
        unit=tr_noop("MB"),
        choices=((0, tr_noop("All that is free")),),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.swa_full",
        group=Group.MODEL,
        label=tr_noop("Keep all of a sliding window"),
        help=tr_noop(
            "More memory for models with sliding windows; an earlier message can then be changed without "
            "reading much again."
        ),
        kind=Kind.SWITCH,
        default=False,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.op_offload",
        group=Group.MODEL,
        label=tr_noop("Read with the graphics card"),
        help=tr_noop(
            "Prompts are computed there also for layers in the computer’s memory; turn it off where the way "
            "to the card is slow."
        ),
        kind=Kind.SWITCH,
        default=True,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.image_min_tokens",
        group=Group.MODEL,
        label=tr_noop("Least tokens of a picture"),
        help=tr_noop("More can help a model to read small print; for models that see pictures of any size."),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=16_384,
        step=64,
        unit=tr_noop("tokens"),
        choices=((0, tr_noop("The model’s own")),),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.image_max_tokens",
        group=Group.MODEL,
        label=tr_noop("Most tokens of a picture"),
        help=tr_noop(
            "Fewer make large pictures cheaper and less sharp; for models that see pictures of any size."
        ),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=16_384,
        step=64,
        unit=tr_noop("tokens"),
        choices=((0, tr_noop("The model’s own")),),
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.tensor_places",
        group=Group.MODEL,
        label=PLACES_LABEL,
        help=tr_noop(
            "A pattern and the device for the tensors that it finds, one a line, such as "
            "ffn_(up|down)=CPU; the first that fits holds."
        ),
        kind=Kind.LINES,
        default=(),
        maximum=64,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.metadata_overrides",
        group=Group.MODEL,
        label=OVERRIDES_LABEL,
        help=tr_noop(
            "For files that say something wrong, one a line as name=int:4; or with float, bool, str."
        ),
        kind=Kind.LINES,
        default=(),
        maximum=64,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.control_vectors",
        group=Group.MODEL,
        label=tr_noop("Control vectors"),
        help=tr_noop("Files that push how the model answers in a direction, made for this very model."),
        kind=Kind.PATHS,
        default=(),
        maximum=8,
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.control_scales",
        group=Group.MODEL,
        label=CONTROL_SCALES_LABEL,
        help=tr_noop("Numbers in their order, with commas between them; 1 is full strength."),
        kind=Kind.LINE,
        default="",
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
    SettingDefinition(
        key="load.control_layers",
        group=Group.MODEL,
        label=LAYERS_LABEL,
        help=tr_noop("The layers that they change, such as 10-20; empty is all."),
        kind=Kind.LINE,
        default="",
        per_model=True,
        needs_reload=True,
        advanced=True,
    ),
)
