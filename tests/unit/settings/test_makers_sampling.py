"""A model gets the sampling of its makers, one that only sounds alike does not; every layer is stronger."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from fakes.model_entries import starter_spec
from fireside.core.model import ModelSpec
from fireside.core.options import SettingValue
from fireside.core.prompt_input import ReasoningEffort
from fireside.settings.definitions import BY_KEY
from fireside.settings.file import SettingsFile
from fireside.settings.layers import check_stored
from fireside.settings.makers_sampling import MAKERS, makers_row, makers_sampling
from fireside.settings.service import Settings
from fireside.settings.values import AppLayer, Origin


def spec(name: str, architecture: str, *, file: str = "model.gguf", billions: float = 8) -> ModelSpec:
    return replace(
        starter_spec(),
        name=name,
        path=f"/models/{file}",
        architecture=architecture,
        n_params=round(billions * 1e9),
        reasons=True,
    )


@pytest.mark.parametrize(
    ("model", "source"),
    [
        (spec("Qwen3 8B", "qwen3"), "Qwen/Qwen3-8B"),
        (spec("Qwen3-30B-A3B-Instruct-2507", "qwen3moe"), "Qwen/Qwen3-8B"),
        (spec("Qwen3.5-9B", "qwen35"), "Qwen/Qwen3.5-35B-A3B"),
        (spec("Qwen3 Coder 30B A3B Instruct", "qwen3moe"), "Qwen/Qwen3-Coder"),
        (spec("Gemma 3 270m It", "gemma3"), "google/gemma-3-4b-it"),
        (spec("gemma-4-E2B-it", "gemma4"), "google/gemma-4-31B-it"),
        (spec("Llama 3.2 3B Instruct", "llama"), "meta-llama/Llama-3.1"),
        (spec("Meta Llama 3.1 8B Instruct", "llama"), "meta-llama/Llama-3.1"),
        (spec("Gpt-Oss-20B", "gpt-oss"), "openai/gpt-oss"),
        (spec("", "llama", file="mistralai_Magistral-Small-2506-Q4_K_M.gguf"), "Magistral"),
        (spec("DeepSeek R1 Distill Qwen 7B", "qwen2"), "DeepSeek-R1"),
        (starter_spec(), "SmolLM2"),
    ],
)
def test_a_models_makers_are_found_by_its_name(model: ModelSpec, source: str) -> None:
    row = makers_row(model)
    assert row is not None
    assert source in row.source


@pytest.mark.parametrize(
    "model",
    [
        spec("Hermes 3 Llama 3.1 8B", "llama"),  # others have trained it further
        spec("Llama 3000 Nights", "llama"),
        spec("Llama 2 7B Chat", "llama"),
        spec("Qwen3 VL 8B", "qwen3vl"),
        spec("Qwen3.6 27B", "qwen35"),  # a version of which nothing is known
        spec("Qwen3 Embedding", "bert"),
        replace(spec("Qwen3 8B", "qwen3"), sampling=(("temp", 0.5),)),  # the file says itself
    ],
)
def test_others_get_nothing(model: ModelSpec) -> None:
    assert makers_row(model) is None
    assert not makers_sampling(model, ReasoningEffort.DEFAULT)


def test_all_rows_have_a_source_and_valid_settings() -> None:
    for row in MAKERS:
        assert row.source.startswith("https://")
        for values in filter(None, (row.plain, row.thinking)):
            assert set(values) <= set(BY_KEY)
            assert not check_stored(values).problems


@pytest.mark.parametrize(
    ("reasoning", "billions", "temperature"),
    [
        (ReasoningEffort.DEFAULT, 9, 1.0),
        (ReasoningEffort.OFF, 9, 0.7),
        (ReasoningEffort.DEFAULT, 2, 0.7),  # this size thinks only when told to
        (ReasoningEffort.ON, 2, 1.0),
    ],
)
def test_thinking_has_figures_of_its_own(
    reasoning: ReasoningEffort, billions: float, temperature: float
) -> None:
    model = spec("Qwen3.5", "qwen35", billions=billions)
    assert makers_sampling(model, reasoning)["sampling.temperature"] == temperature
    silent = replace(model, reasons=False)
    assert makers_sampling(silent, reasoning)["sampling.temperature"] == 0.7


def test_every_other_layer_is_stronger_and_thinking_is_that_of_the_chat(tmp_path: Path) -> None:
    settings = Settings(file=SettingsFile(tmp_path / "settings.json"), environ={})
    settings.load()
    model = spec("Qwen3 8B", "qwen3")
    settings.set_models([model])
    settings.change(AppLayer(), key="sampling.top_p", value=0.5)

    def found(conversation: dict[str, object]) -> dict[str, tuple[SettingValue, Origin]]:
        resolved = settings.resolved(model_id=model.id, conversation=conversation)
        return {each.definition.key: (each.value, each.origin) for each in resolved}

    thinking = found({})
    assert thinking["sampling.temperature"] == (0.6, Origin.MAKERS)
    assert thinking["sampling.top_p"] == (0.5, Origin.FILE)
    assert thinking["sampling.typical_p"] == (1.0, Origin.DEFAULT)
    silent = found({"answer.reasoning": "off", "sampling.top_k": 7})
    assert silent["sampling.temperature"] == (0.7, Origin.MAKERS)
    assert silent["sampling.top_k"] == (7, Origin.CONVERSATION)
    assert settings.resolved(model_id=None)[0].origin is not Origin.MAKERS
