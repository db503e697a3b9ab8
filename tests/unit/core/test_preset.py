"""Variables are found and filled once; what a preset wrote into a chat goes with it and nothing else does."""

from __future__ import annotations

import time

from fireside.core.options import SettingValue
from fireside.core.preset import (
    PRESET_COVERED_KEY,
    PRESET_KEYS_KEY,
    PRESET_NAME_KEY,
    SYSTEM_PROMPT_KEY,
    AppliedPreset,
    Preset,
    apply_preset,
    fill_variables,
    prompted_variables,
    release_preset_keys,
    variables_in,
    with_preset,
    without_preset,
)

WARM = AppliedPreset(name="Warm", settings={"sampling.temperature": 1.2, "chat.system_prompt": "Be warm."})


def test_variables_are_listed_once_in_order_of_appearance() -> None:
    text = "{{tone}} {{ target language }} {{tone}} {{date}} {{Größe}} {{e-mail}}"
    assert variables_in(text) == ("tone", "target language", "date", "Größe", "e-mail")


def test_known_variables_are_not_prompted() -> None:
    assert prompted_variables("{{date}} {{time}} {{model}} {{language}} {{topic}}") == ("topic",)


def test_braces_that_are_no_variable_are_kept() -> None:
    text = '{"a": {"b": {}}} {{}} {{ }} {{1}} {{a{b}} {single} {{x\ny}}'
    assert variables_in(text) == ()
    assert fill_variables(text, {"a": "!"}) == text


def test_variables_in_values_are_not_replaced() -> None:
    assert fill_variables("{{a}} and {{b}}", {"a": "{{b}}", "b": r"\1 $0"}) == r"{{b}} and \1 $0"


def test_a_variable_without_a_value_is_kept() -> None:
    assert fill_variables("{{a}} {{ b }}", {"a": "1"}) == "1 {{ b }}"


def test_many_braces_are_parsed_quickly() -> None:
    text = "{{" * 50_000 + "a" * 50_000 + "{{ " + " " * 50_000
    began = time.process_time()
    variables_in(text)
    assert time.process_time() - began < 20


def test_a_preset_without_text_leaves_the_system_prompt_alone() -> None:
    assert apply_preset(Preset(name="Cold", settings={"sampling.temperature": 0.1}), {}).settings == {
        "sampling.temperature": 0.1
    }


def test_removing_a_preset_removes_exactly_its_settings() -> None:
    own = {"answer.reasoning": "off"}
    having = with_preset(own, WARM)
    assert having[PRESET_NAME_KEY] == "Warm"
    assert having["sampling.temperature"] == 1.2
    assert without_preset(having) == own


def test_a_chats_own_settings_are_restored_without_its_preset() -> None:
    own: dict[str, SettingValue] = {
        SYSTEM_PROMPT_KEY: "You are Ada.\n“Sind Sie’s?” \U0001f9e0",
        "sampling.temperature": 0.4,
        "sampling.stop": ("END", "\n\n"),
        "answer.reasoning": "off",
    }
    first = AppliedPreset(
        name="Translator",
        settings={SYSTEM_PROMPT_KEY: "Translate.", "sampling.stop": (), "sampling.top_k": 5},
    )
    second = AppliedPreset(name="Cold", settings={"sampling.temperature": 0.0, SYSTEM_PROMPT_KEY: "Be cold."})
    having = with_preset(with_preset(own, first), second)
    assert having[SYSTEM_PROMPT_KEY] == "Be cold."
    assert without_preset(having) == own
    changed = release_preset_keys({**having, "sampling.temperature": 0.9}, ["sampling.temperature"])
    assert without_preset(changed) == {**own, "sampling.temperature": 0.9}


def test_a_preset_replaces_the_previous_one() -> None:
    other = AppliedPreset(name="Short", settings={"sampling.max_tokens": 50})
    assert with_preset(with_preset({}, WARM), other) == with_preset({}, other)


def test_settings_changed_by_the_user_survive_the_preset() -> None:
    changed = {**with_preset({}, WARM), "sampling.temperature": 0.3}
    remaining = without_preset(release_preset_keys(changed, ["sampling.temperature"]))
    assert remaining == {"sampling.temperature": 0.3}


def test_damaged_preset_keys_count_as_none() -> None:
    assert without_preset({PRESET_NAME_KEY: "x", PRESET_KEYS_KEY: 7, "a": 1}) == {"a": 1}
    for damaged in ("", "{", "[1]", '{"a": {}}', 7, None):
        having = {PRESET_KEYS_KEY: ("b",), PRESET_COVERED_KEY: damaged, "b": 2}
        assert without_preset(having) == {}
