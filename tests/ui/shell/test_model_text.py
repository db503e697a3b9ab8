"""Short texts for the figures of a model."""

from __future__ import annotations

import pytest

from fakes.model_entries import broken_entry, entry_of, starter_spec
from fireside.core.errors import LoadError, RunnerCrashed
from fireside.core.status import Broken
from fireside.ui.model_text import abbreviate_count, format_context_size, matches_query, state_label


@pytest.mark.parametrize(
    ("n", "words"),
    [
        (0, "0"),
        (999, "999"),
        (134_515_008, "135M"),
        (999_600_000, "1B"),
        (1_720_000_000, "1.72B"),
        (8_190_000_000, "8.19B"),
        (70_600_000_000, "70.6B"),
        (671_000_000_000, "671B"),
        (1_000_000_000_000, "1T"),
    ],
)
def test_parameters_are_worded_as_people_name_models(n: int, words: str) -> None:
    assert abbreviate_count(n) == words


@pytest.mark.parametrize(
    ("n_ctx", "words"),
    [
        (256, "256"),
        (512, "512"),
        (2000, "2k"),
        (2048, "2k"),
        (8192, "8k"),
        (10_240, "10k"),
        (131_072, "128k"),
    ],
)
def test_a_context_is_worded_in_thousands(n_ctx: int, words: str) -> None:
    assert format_context_size(n_ctx) == words


@pytest.mark.parametrize(
    ("n_ctx", "text"),
    [(1_000_000, "1M"), (1_010_000, "1.01M"), (1_048_576, "1M"), (2_000_000, "2M"), (2_097_152, "2M")],
)
def test_millions_of_tokens_are_binary_unless_the_number_is_round(n_ctx: int, text: str) -> None:
    assert format_context_size(n_ctx) == text


@pytest.mark.parametrize("words", ["", "smol", "Q4_1 llama", "135m INSTRUCT"])
def test_a_model_is_found_by_any_of_its_facts(words: str) -> None:
    assert matches_query(entry_of(starter_spec()), query=words)


def test_a_broken_file_is_found_by_its_file_name_only() -> None:
    entry = broken_entry(path="/m/half.gguf", problem="It is cut off.")
    assert matches_query(entry, query="half")
    assert not matches_query(entry, query="llama")


def test_a_loaded_model_that_crashed_is_not_reported_as_failing_to_load() -> None:
    crashed = Broken(error=RunnerCrashed(model="m", cause="no.").info())
    failed = Broken(error=LoadError.of("load_failed", model="m", reason="no.").info())
    assert state_label(crashed).text == "Crashed"
    assert state_label(failed).text == "Failed to load"
