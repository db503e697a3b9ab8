"""Every setting is declared well."""

from __future__ import annotations

import re

import pytest

from fireside.core.options import PARAMETERS, AutoAdjustable, LoadOptions, SamplingParams
from fireside.settings.conversions import keep_alive_s, load_options, sampling_params
from fireside.settings.definitions import BY_KEY, DEFINITIONS
from fireside.settings.definitions_sampling import SAMPLING, SAMPLING_KEYS, setting_value
from fireside.settings.layers import resolve
from fireside.settings.value_check import allowed_values_text, normalise
from fireside.settings.values import AUTO_LABEL, Group, Kind, SettingDefinition


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: definition.key)
def test_a_setting_is_declared_well(definition: SettingDefinition) -> None:
    normalised = normalise(definition, definition.default)
    assert (normalised, type(normalised)) == (definition.default, type(definition.default)), (
        "its default is one"
    )
    for value, _ in definition.choices:
        assert normalise(definition, value) == value, "named values are valid"
    automatic = [value for value, label in definition.choices if label == AUTO_LABEL]
    assert automatic == ([] if definition.auto is None else [definition.auto])
    assert re.fullmatch(r"[A-Z].*\.", definition.help)
    assert len(re.findall(r"[.;] ", definition.help)) <= 2, "one or two short sentences"
    assert len(definition.help) <= 150
    assert re.fullmatch(r"[A-Z].*[^.]\.", allowed_values_text(definition)), "one sentence"
    if definition.kind in (Kind.INTEGER, Kind.NUMBER):
        assert None not in (definition.minimum, definition.maximum, definition.step)
    assert definition.per_model or not definition.per_conversation


def test_keys_are_unique() -> None:
    assert len(BY_KEY) == len(DEFINITIONS)


def test_the_environment_name_spells_the_key() -> None:
    assert BY_KEY["load.n_ctx"].environment == "FIRESIDE_LOAD_N_CTX"


def test_settings_are_in_page_order() -> None:
    order = [list(Group).index(definition.group) for definition in DEFINITIONS]
    assert order == sorted(order)


def test_exactly_what_a_model_is_loaded_with_needs_a_reload() -> None:
    assert {definition.key for definition in DEFINITIONS if definition.needs_reload} == {
        definition.key for definition in DEFINITIONS if definition.key.startswith("load.")
    }


def test_the_defaults_are_those_of_the_engine() -> None:
    resolved = resolve([])
    usual = LoadOptions(auto_adjustable=tuple(AutoAdjustable))
    assert (load_options(resolved), sampling_params(resolved)) == (usual, SamplingParams())


def test_every_field_of_the_engine_that_a_user_decides_has_a_setting() -> None:
    decided_elsewhere = {
        "use_repack",
        "purpose",
        "pooling",
        "projector_path",
        "auto_adjustable",
        "logit_bias",
        "stop_tokens",
        "min_tokens",
    }
    fields = {f"load.{name}" for name in LoadOptions.__struct_fields__ if name not in decided_elsewhere}
    fields |= {
        f"sampling.{name}" for name in SamplingParams.__struct_fields__ if name not in decided_elsewhere
    }
    assert fields <= set(BY_KEY)


@pytest.mark.parametrize("definition", SAMPLING, ids=lambda definition: definition.key)
def test_a_sampling_setting_is_what_its_parameter_is(definition: SettingDefinition) -> None:
    row = PARAMETERS[definition.key.removeprefix(SAMPLING_KEYS)]
    assert definition.default == setting_value(row, row.default)
    special = {value for value, _ in definition.choices} | ({0.0} if row.type is float else set())
    assert set(row.special) <= special
    if definition.kind in (Kind.INTEGER, Kind.NUMBER, Kind.LINES):
        assert definition.maximum == row.high


def test_a_model_stays_a_quarter_of_an_hour_by_default() -> None:
    assert keep_alive_s(resolve([])) == 900.0
