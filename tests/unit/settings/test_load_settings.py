"""The settings of a load, as they are written and as the engine takes them."""

from __future__ import annotations

import pytest

from fireside.core.errors import SettingInvalid
from fireside.core.options import (
    AutoAdjustable,
    ControlVector,
    LoadOptions,
    MetadataOverride,
    Numa,
    RopeScaling,
    SettingValue,
    SplitMode,
    TensorPlacement,
)
from fireside.settings.conversions import load_options
from fireside.settings.cross_checks import check_together
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_load import LOAD
from fireside.settings.layers import resolve
from fireside.settings.load_lines import (
    read_cpus,
    read_layers,
    read_overrides,
    read_shares,
    read_tensor_placements,
)
from fireside.settings.parse import parse_assignments
from fireside.settings.values import Origin


def options_of(chosen: dict[str, SettingValue]) -> LoadOptions:
    return load_options(resolve([(Origin.FILE, chosen)]))


def test_what_is_set_on_the_command_line_becomes_options() -> None:
    chosen = parse_assignments(
        (
            "load.rope_scaling=yarn",
            "load.rope_freq_base=1000000",
            "load.rope_freq_scale=0.25",
            "load.n_threads_batch=12",
            "load.cpus=0-3, 8",
            "load.numa=isolate",
            "load.use_mlock=on",
            "load.swa_full=on",
            "load.memory_limit_mb=8000",
            "load.op_offload=off",
            "load.report_late=on",
            "load.split_mode=tensor",
            "load.image_min_tokens=64",
            "load.image_max_tokens=1024",
            r"load.tensor_places=blk\.1\d\.ffn_.*=CPU",
            "load.metadata_overrides=llama.expert_used_count=int:4",
            "load.control_vectors=/kind.gguf",
            "load.control_scales=0.5",
            "load.control_layers=10-20",
        )
    )
    options = options_of(dict(chosen))
    assert options.rope_scaling is RopeScaling.YARN
    assert (options.rope_freq_base, options.rope_freq_scale) == (1_000_000.0, 0.25)
    assert (options.n_threads_batch, options.cpus, options.numa) == (12, (0, 1, 2, 3, 8), Numa.ISOLATE)
    assert (options.use_mlock, options.swa_full, options.op_offload) == (True, True, False)
    assert options.report_late
    assert options.split_mode is SplitMode.TENSOR
    assert options.memory_limit_mb == 8000
    assert (options.image_min_tokens, options.image_max_tokens) == (64, 1024)
    assert options.tensor_places == (TensorPlacement(pattern=r"blk\.1\d\.ffn_.*", device="CPU"),)
    assert options.metadata_overrides == (MetadataOverride(key="llama.expert_used_count", value=4),)
    assert options.control_vectors == (ControlVector(path="/kind.gguf", scale=0.5),)
    assert options.control_layers == (10, 20)


def test_all_settings_are_per_model() -> None:
    assert all(each.per_model and each.needs_reload for each in LOAD)


def test_metadata_overrides_have_the_given_type() -> None:
    lines = ("a.b=int:-4", "a.c=float:0.5", "a.d=bool:true", "a.e=str:x=y:z")
    assert [override.value for override in read_overrides(lines)] == [-4, 0.5, True, "x=y:z"]
    assert read_tensor_placements(("a=b=Vulkan0",)) == (TensorPlacement(pattern="a=b", device="Vulkan0"),)


def test_numbers_and_ranges_are_parsed() -> None:
    assert read_cpus(" 8, 0-2,1 ") == (0, 1, 2, 8)
    assert (read_cpus(" "), read_layers("")) == ((), None)
    assert (read_layers("7"), read_layers(" 3-9 ")) == ((7, 7), (3, 9))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("load.tensor_places", ("ffn",)),
        ("load.tensor_places", ("(ffn=CPU",)),
        ("load.tensor_places", ("ffn=the CPU",)),
        ("load.metadata_overrides", ("a=4",)),
        ("load.metadata_overrides", ("a=int:four",)),
        ("load.metadata_overrides", ("a=float:nan",)),
        ("load.metadata_overrides", ("a=bool:yes",)),
        ("load.cpus", "first"),
        ("load.cpus", "3-1"),
        ("load.cpus", "1,,2"),
        ("load.control_layers", "1-2-3"),
        ("load.control_scales", "strong"),
    ],
)
def test_invalid_texts_are_refused_when_they_are_set(key: str, value: SettingValue) -> None:
    values = {each.key: each.default for each in BY_KEY.values()} | {key: value}
    with pytest.raises(SettingInvalid) as caught:
        check_together(values, changed=key)
    assert caught.value.key == BY_KEY[key].label
    with pytest.raises(SettingInvalid):
        options_of({key: value})


def test_shares_are_numbers_with_commas() -> None:
    assert read_shares("3, 1.5,0") == (3.0, 1.5, 0.0)
    assert read_shares("  ") == ()


@pytest.mark.parametrize("text", ["a", "1,,2", "-1", "nan", "inf", "0, 0", ",".join("1" * 17)])
def test_other_shares_are_refused(text: str) -> None:
    with pytest.raises(SettingInvalid):
        read_shares(text)


def test_where_a_model_lies_becomes_options() -> None:
    chosen: dict[str, SettingValue] = {
        "load.n_cpu_moe": 4,
        "load.offload_kqv": False,
        "load.split_mode": "none",
        "load.tensor_split": "2, 1",
        "load.main_gpu": " Vulkan1 ",
        "load.excluded_devices": ("Vulkan0",),
    }
    options = load_options(resolve([(Origin.FILE, chosen)]))
    assert (options.n_cpu_moe, options.offload_kqv, options.split_mode) == (4, False, SplitMode.NONE)
    assert (options.tensor_split, options.main_gpu) == ((2.0, 1.0), "Vulkan1")
    assert options.excluded_devices == ("Vulkan0",)


def test_unset_options_are_adjustable() -> None:
    assert load_options(resolve([])).auto_adjustable == tuple(AutoAdjustable)
    # The usual value counts as chosen once it was chosen.
    chosen: dict[str, SettingValue] = {"load.n_ctx": 8192}
    assert load_options(resolve([(Origin.MODEL, chosen)])).auto_adjustable == (
        AutoAdjustable.SLOTS,
        AutoAdjustable.CACHE_TYPE,
    )
    chosen_type: dict[str, SettingValue] = {"load.cache_type_v": "f16"}
    assert load_options(resolve([(Origin.FILE, chosen_type)])).auto_adjustable == (
        AutoAdjustable.SLOTS,
        AutoAdjustable.CONTEXT,
    )
