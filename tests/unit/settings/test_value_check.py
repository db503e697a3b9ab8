"""A value is either kept within its bounds or refused with the bounds in words."""

from __future__ import annotations

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.errors import SettingInvalid
from fireside.core.options import SettingValue
from fireside.settings.definitions import BY_KEY, DEFINITIONS
from fireside.settings.value_check import normalise
from fireside.settings.values import SettingDefinition

PATH = "C:\\models" if sys.platform == "win32" else "/models"

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**300, max_value=10**400)
    | st.floats()
    | st.text(st.characters())
    | st.sampled_from(["\ud800", "\0", "a\nb", "", "on", PATH]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
definitions = st.sampled_from(DEFINITIONS)


def _is_setting_value(value: object) -> bool:
    if isinstance(value, tuple):
        return all(isinstance(item, str) for item in value)
    return value is None or isinstance(value, bool | int | float | str)


@given(definition=definitions, value=json_values)
def test_any_json_is_kept_as_a_setting_value_or_refused(definition: SettingDefinition, value: object) -> None:
    try:
        result = normalise(definition, value)
    except SettingInvalid:
        return
    assert _is_setting_value(result)


@given(definition=definitions, value=json_values)
def test_normalising_is_idempotent(definition: SettingDefinition, value: object) -> None:
    try:
        result = normalise(definition, value)
    except SettingInvalid:
        return
    assert normalise(definition, result) == result


@given(
    definition=st.sampled_from([d for d in DEFINITIONS if d.maximum is not None and d.step is not None]),
    number=st.integers() | st.floats(),
)
def test_no_number_gets_out_of_bounds(definition: SettingDefinition, number: float) -> None:
    try:
        result = normalise(definition, number)
    except SettingInvalid:
        return
    assert isinstance(result, int | float)
    assert definition.minimum is not None
    assert definition.maximum is not None
    named = any(result == choice for choice, _ in definition.choices)
    assert named or definition.minimum <= result <= definition.maximum


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("load.n_ctx", 255),
        ("load.n_ctx", 1_048_577),
        ("load.n_ctx", 512.5),
        ("load.n_ctx", True),
        ("load.n_ctx", "8192"),
        ("sampling.top_k", True),
        ("sampling.temperature", True),
        ("load.n_gpu_layers", -3),
        ("load.n_threads", 513),
        ("load.n_batch", 16),
        ("load.n_seq_max", 17),
        ("load.cache_type_k", "q3_k"),
        ("load.use_mmap", 1),
        ("load.flash_attn", True),
        ("sampling.temperature", math.nan),
        ("sampling.temperature", math.inf),
        ("sampling.temperature", -0.1),
        ("sampling.top_p", 1.01),
        ("sampling.seed", 0xFFFFFFFF),
        ("sampling.max_tokens", -1),
        ("sampling.stop", "###"),
        ("sampling.stop", [""]),
        ("sampling.stop", ["x"] * 129),
        ("sampling.stop", ["a\0b"]),
        ("chat.system_prompt", "x" * 100_001),
        ("chat.system_prompt", "half \ud83d"),
        ("chat.default_model", "two\nlines"),
        ("folders.data", "relative/folder"),
        ("folders.data", 7),
        ("library.added", ["relative"]),
        ("engine.keep_alive_minutes", -2),
        ("appearance.text_size", 9),
        ("appearance.theme", "blue"),
    ],
)
def test_a_value_out_of_bounds_is_refused(key: str, value: object) -> None:
    with pytest.raises(SettingInvalid):
        normalise(BY_KEY[key], value)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("load.n_ctx", 256, 256),
        ("load.n_ctx", 1_048_576, 1_048_576),
        ("load.n_ctx", 8192.0, 8192),
        ("load.n_gpu_layers", -2, -2),
        ("sampling.temperature", 1, 1.0),
        ("sampling.seed", -1, -1),
        ("sampling.max_tokens", 0, 0),
        ("sampling.stop", ["###", "\n", "###"], ("###", "\n")),
        ("engine.keep_alive_minutes", -1, -1),
        ("folders.data", PATH, PATH),
        ("folders.data", "", ""),
        ("library.added", [PATH, PATH], (PATH,)),
    ],
)
def test_a_value_within_bounds_is_kept(key: str, value: object, expected: SettingValue) -> None:
    result = normalise(BY_KEY[key], value)
    assert (result, type(result)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("load.n_ctx", "“Context length”: Choose a whole number from 256 to 1,048,576 tokens."),
        (
            "load.n_gpu_layers",
            "“GPU offload (layers)”: Choose “Auto”, “All”, “None” or a whole number from 1 to 999 layers.",
        ),
        ("sampling.presence_penalty", "“Presence penalty”: Choose a number from −2 to 2."),
        ("sampling.repeat_penalty", "“Repeat penalty”: Choose a number from 0.5 to 2."),
        ("load.use_mmap", "“Memory-map model (mmap)”: Choose on or off."),
        ("load.flash_attn", "“Flash attention”: Choose “Auto”, “On” or “Off”."),
    ],
)
def test_a_refusal_names_the_bounds(key: str, sentence: str) -> None:
    with pytest.raises(SettingInvalid) as caught:
        normalise(BY_KEY[key], object())
    assert str(caught.value) == sentence
