"""Text from the environment and the command line means what a user would think."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.errors import SettingInvalid
from fireside.core.options import SettingValue
from fireside.settings.definitions import BY_KEY, DEFINITIONS
from fireside.settings.layers import from_environment
from fireside.settings.parse import parse, parse_assignments
from fireside.settings.values import SettingDefinition


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("load.n_ctx", " 4096 ", 4096),
        ("load.n_gpu_layers", "auto", -1),
        ("load.n_gpu_layers", "ALL", -2),
        ("load.n_gpu_layers", "20", 20),
        ("load.use_mmap", "off", False),
        ("load.use_mmap", "Yes", True),
        ("load.flash_attn", "On", "on"),
        ("load.cache_type_v", "Q8_0", "q8_0"),
        ("sampling.temperature", "0.2", 0.2),
        ("sampling.seed", "random", -1),
        ("sampling.stop", "###", ("###",)),
        ("sampling.stop", '["a", "b\\n"]', ("a", "b\n")),
        ("sampling.stop", "[INST]", ("[INST]",)),
        ("sampling.stop", "", ()),
        ("chat.system_prompt", " Answer\nbriefly. ", " Answer\nbriefly. "),
        ("engine.keep_alive_minutes", "always", -1),
        ("folders.data", "", ""),
    ],
)
def test_text_becomes_a_value(key: str, text: str, value: SettingValue) -> None:
    assert parse(BY_KEY[key], text) == value


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("load.n_ctx", "many"),
        ("load.n_ctx", "4096.5"),
        ("load.n_ctx", "9" * 5000),
        ("load.use_mmap", "maybe"),
        ("load.flash_attn", "perhaps"),
        ("sampling.temperature", "nan"),
        ("folders.data", "relative"),
    ],
)
def test_text_that_means_nothing_is_refused(key: str, text: str) -> None:
    with pytest.raises(SettingInvalid):
        parse(BY_KEY[key], text)


@given(definition=st.sampled_from(DEFINITIONS), text=st.text(st.characters()))
def test_any_text_becomes_a_value_or_is_refused(definition: SettingDefinition, text: str) -> None:
    try:
        value = parse(definition, text)
    except SettingInvalid:
        return
    assert value is not None


def test_a_folder_may_start_at_home() -> None:
    assert parse(BY_KEY["folders.data"], "~/chats") == str(Path.home() / "chats")


def test_paths_are_separated_as_the_system_does() -> None:
    one, two = str(Path.home() / "a"), str(Path.home() / "b")
    assert parse(BY_KEY["library.added"], os.pathsep.join((one, two))) == (one, two)


@pytest.mark.parametrize(
    ("assignments", "values"),
    [
        pytest.param(["load.n_ctx=512", "load.n_ctx=1024"], {"load.n_ctx": 1024}, id="the last one wins"),
        pytest.param(["temperature=0"], {"sampling.temperature": 0.0}, id="the end of a key is enough"),
        pytest.param(["N_CTX=512"], {"load.n_ctx": 512}, id="in any case"),
        pytest.param(["chat.system_prompt=a=b"], {"chat.system_prompt": "a=b"}, id="equals signs in a value"),
    ],
)
def test_assignments_become_values(assignments: list[str], values: dict[str, object]) -> None:
    assert parse_assignments(assignments) == values


@pytest.mark.parametrize("assignment", ["load.nctx=512", "load.n_ctx", "load.n_ctx=", "=3"])
def test_a_wrong_assignment_names_its_key(assignment: str) -> None:
    with pytest.raises(SettingInvalid) as caught:
        parse_assignments([assignment])
    assert caught.value.key == assignment.partition("=")[0]


def test_the_environment_gives_values() -> None:
    assert from_environment({"FIRESIDE_LOAD_N_CTX": "4096", "OTHER": "x"}).values == {"load.n_ctx": 4096}


def test_a_bad_variable_is_a_problem_that_names_it() -> None:
    checked = from_environment({"FIRESIDE_LOAD_N_CTX": "12"})
    assert (checked.values, [str(problem) for problem in checked.problems]) == (
        {},
        ["“FIRESIDE_LOAD_N_CTX”: Choose a whole number from 256 to 1,048,576 tokens."],
    )


def test_a_misspelt_variable_is_a_problem() -> None:
    assert [problem.key for problem in from_environment({"FIRESIDE_LOAD_NCTX": "512"}).problems] == [
        "FIRESIDE_LOAD_NCTX"
    ]


def test_a_variable_that_is_no_setting_is_left_alone() -> None:
    assert from_environment({"FIRESIDE_HOME": "/x", "FIRESIDE_LOAD_N_CTX": ""}).problems == ()


@pytest.mark.parametrize(
    ("typed", "meant"), [("smpling.top_p", "sampling.top_p"), ("sampling.topp", "sampling.top_p")]
)
def test_a_similar_key_is_suggested(typed: str, meant: str) -> None:
    with pytest.raises(SettingInvalid, match=f"Did you mean “{meant}”"):
        parse_assignments([f"{typed}=0.5"])


def test_a_refused_choice_lists_the_values_to_type() -> None:
    with pytest.raises(SettingInvalid, match="Choose “auto”, “on” or “off”"):
        parse_assignments(["load.flash_attn=perhaps"])
