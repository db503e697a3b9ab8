"""Where a model lies, as settings say it, and what a plan may change of the rest."""

from __future__ import annotations

import pytest

from fireside.core.errors import SettingInvalid
from fireside.core.options import AutoAdjustable, SettingValue, SplitMode
from fireside.settings.conversions import load_options
from fireside.settings.layers import resolve
from fireside.settings.load_lines import read_shares
from fireside.settings.values import Origin


def test_shares_are_numbers_with_commas() -> None:
    assert read_shares("3, 1.5,0") == (3.0, 1.5, 0.0)
    assert read_shares("  ") == ()


@pytest.mark.parametrize("text", ["a", "1,,2", "-1", "nan", "inf", "0, 0", ",".join("1" * 17)])
def test_other_shares_are_refused(text: str) -> None:
    with pytest.raises(SettingInvalid):
        read_shares(text)


def test_settings_become_options() -> None:
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
