"""Settings as the values that the engine takes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from fireside.core.errors import SettingInvalid
from fireside.core.generation import Overflow, WhenFull
from fireside.core.options import (
    GPU_LAYERS_ALL,
    CacheType,
    LoraAdapter,
    SamplerKind,
    SettingValue,
    Speculation,
)
from fireside.core.prompt_input import ReasoningEffort
from fireside.core.task import (
    ANY_OBJECT,
    Constraint,
    GbnfConstraint,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)
from fireside.services.request_builder import chat_input
from fireside.settings import conversions
from fireside.settings.file import SettingsFile
from fireside.settings.layers import resolve
from fireside.settings.parse import parse_assignments
from fireside.settings.service import Settings
from fireside.settings.values import AppLayer, Origin, ResolvedSetting


def having(values: Mapping[str, SettingValue]) -> tuple[ResolvedSetting, ...]:
    return resolve([(Origin.FILE, values)])


def typed_in(*assignments: str) -> tuple[ResolvedSetting, ...]:
    """What ``--set`` gives."""
    return having(parse_assignments(assignments))


def test_defaults_need_no_special_request() -> None:
    nothing = having({})
    assert conversions.reasoning(nothing) is ReasoningEffort.DEFAULT
    assert conversions.thinking_budget(nothing) is None
    assert conversions.constraint(nothing) is None
    assert conversions.when_full(nothing) is WhenFull.STOP
    assert conversions.overflow(nothing) is Overflow.DROP_OLDEST
    assert conversions.cache_memory_bytes(nothing) is None
    assert conversions.cache_disk_bytes(nothing) is None


def test_only_what_a_layer_of_the_user_sets_is_chosen() -> None:
    layers: list[tuple[Origin, Mapping[str, SettingValue]]] = [
        (Origin.MODEL_FILE, {"sampling.temperature": 0.2, "sampling.top_p": 0.9}),
        (Origin.FILE, {"sampling.top_p": 0.95, "load.n_ctx": 4096}),
        (Origin.CONVERSATION, {"sampling.stop": ("END",)}),
    ]
    assert set(conversions.chosen_sampling(resolve(layers))) == {"top_p", "stop"}
    assert conversions.chosen_sampling(having({})) == ()


def test_reasoning_is_a_choice() -> None:
    chosen = typed_in("answer.reasoning=high", "answer.thinking_budget=512")
    assert (conversions.reasoning(chosen), conversions.thinking_budget(chosen)) == (ReasoningEffort.HIGH, 512)


def test_a_budget_of_zero_means_no_reasoning() -> None:
    assert conversions.thinking_budget(typed_in("answer.thinking_budget=none")) == 0


def test_budgets_of_the_cache_are_in_decimal_units() -> None:
    chosen = typed_in("engine.cache_memory_mb=100", "engine.cache_disk_gb=2")
    assert (conversions.cache_memory_bytes(chosen), conversions.cache_disk_bytes(chosen)) == (
        100_000_000,
        2_000_000_000,
    )


def test_an_off_switch_of_sampling_has_the_engine_s_own_value() -> None:
    params = conversions.sampling_params(typed_in("sampling.top_n_sigma=0", "sampling.mirostat=off"))
    assert (params.top_n_sigma, params.mirostat, params.top_logprobs) == (-1.0, 0, None)


def test_sampling_that_is_on_has_the_number_chosen() -> None:
    params = conversions.sampling_params(
        typed_in("sampling.top_n_sigma=1.5", "sampling.mirostat=2", "sampling.top_logprobs=0")
    )
    assert (params.top_n_sigma, params.mirostat, params.top_logprobs) == (1.5, 2, 0)


def test_line_breaks_in_sequence_breakers_are_unescaped() -> None:
    params = conversions.sampling_params(having({"sampling.dry_sequence_breakers": ("\\n", "\\t", ".")}))
    assert params.dry_sequence_breakers == ("\n", "\t", ".")


@pytest.mark.parametrize(
    ("format_", "rule", "expected"),
    [
        ("json", "", ANY_OBJECT),
        ("json_schema", '{"type": "object"}', JsonSchemaConstraint(schema='{"type": "object"}')),
        ("regex", "a+", RegexConstraint(pattern="a+")),
        ("lark", "start: /a/", LarkConstraint(grammar="start: /a/")),
        ("gbnf", "root ::= [a]", GbnfConstraint(grammar="root ::= [a]")),
    ],
)
def test_a_format_becomes_a_constraint(format_: str, rule: str, expected: Constraint) -> None:
    assert conversions.constraint(having({"answer.format": format_, "answer.format_rule": rule})) == expected


def test_a_rule_without_a_format_is_ignored() -> None:
    assert conversions.constraint(having({"answer.format_rule": "a+"})) is None


def test_a_format_without_its_rule_is_refused() -> None:
    with pytest.raises(SettingInvalid, match="needs a schema"):
        conversions.constraint(having({"answer.format": "regex", "answer.format_rule": "  "}))


def test_a_draft_model_is_loaded_only_for_speculation() -> None:
    options = conversions.load_options(
        having({"load.draft_path": "/d.gguf", "load.speculation": "prompt_lookup"})
    )
    assert (options.speculation, options.draft_path) == (Speculation.PROMPT_LOOKUP, None)


def test_speculation_with_a_draft_model_uses_its_file() -> None:
    options = conversions.load_options(
        having({"load.draft_path": "/d.gguf", "load.speculation": "draft_model"})
    )
    assert (options.speculation, options.draft_path) == (Speculation.DRAFT_MODEL, "/d.gguf")


def test_a_draft_model_has_options_of_its_own() -> None:
    usual = conversions.load_options(having({}))
    assert (usual.draft_cache_type_k, usual.draft_n_ctx, usual.draft_n_gpu_layers) == (None, 0, -1)
    chosen = typed_in("load.draft_cache_type_k=q8_0", "load.draft_n_ctx=512", "load.draft_n_gpu_layers=all")
    options = conversions.load_options(chosen)
    assert (options.draft_cache_type_k, options.draft_n_ctx) == (CacheType.Q8_0, 512)
    assert options.draft_n_gpu_layers == GPU_LAYERS_ALL


def test_speculation_without_a_draft_model_is_refused() -> None:
    with pytest.raises(SettingInvalid, match="No draft model chosen"):
        conversions.load_options(having({"load.speculation": "draft_model"}))


def test_token_biases_are_parsed() -> None:
    lines = ("15043=-2.5", " 7 : +3", "128001=never", "7=4")
    params = conversions.sampling_params(having({"sampling.logit_bias": lines}))
    assert params.logit_bias == ((15043, -2.5), (7, 4.0), (128001, -1000.0))


@pytest.mark.parametrize(
    "line", ["=1", "the=1", "1", "1=", "1=nan", "1=1e9", "1=1000.1", "-1=2", "2147483648=1", "٣=1", "1=2=3"]
)
def test_an_invalid_token_bias_is_refused(line: str) -> None:
    with pytest.raises(SettingInvalid, match="is invalid"):
        conversions.sampling_params(having({"sampling.logit_bias": (line,)}))


def test_samplers_are_parsed_in_order() -> None:
    lines = ("temp", "Top-K ", "typ_p", "top_k")
    params = conversions.sampling_params(having({"sampling.samplers": lines}))
    assert params.samplers == (SamplerKind.TEMPERATURE, SamplerKind.TOP_K, SamplerKind.TYPICAL_P)
    assert conversions.sampling_params(having({"sampling.samplers": ()})).samplers == ()


def test_an_unknown_sampler_is_refused_by_name() -> None:
    with pytest.raises(SettingInvalid, match="“heat” is none of penalties, dry, ") as caught:
        conversions.sampling_params(having({"sampling.samplers": ("top_k", "heat")}))
    assert "Sampler order" in caught.value.sentence()


def test_adapters_have_the_strengths_that_are_written() -> None:
    options = conversions.load_options(
        having({"load.lora": ("/a.gguf", "/b.gguf", "/c.gguf"), "load.lora_scales": "0.5, 0.5"})
    )
    assert [adapter.scale for adapter in options.lora] == [0.5, 0.5, 1.0]


@pytest.mark.parametrize("line", ["strong", "nan", "inf", "101", ",", "1;2"])
def test_an_invalid_strength_is_refused(line: str) -> None:
    with pytest.raises(SettingInvalid, match="is not a number"):
        conversions.load_options(having({"load.lora": ("/a.gguf",), "load.lora_scales": line}))


def test_adapters_have_their_full_strength() -> None:
    options = conversions.load_options(having({"load.lora": ("/a.gguf", "/b.gguf")}))
    assert options.lora == (LoraAdapter(path="/a.gguf"), LoraAdapter(path="/b.gguf"))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    settings = Settings(file=SettingsFile(tmp_path / "settings.json"), environ={})
    settings.load()
    with pytest.raises(SettingInvalid, match="File not found"):
        settings.change(AppLayer(), key="load.draft_path", value=str(tmp_path / "none.gguf"))
    there = tmp_path / "there.gguf"
    there.touch()
    assert settings.change(AppLayer(), key="load.draft_path", value=str(there)) == str(there)


def test_several_models_stay_beside_each_other_as_long_as_memory_allows() -> None:
    assert conversions.max_models(having({})) == 4


def test_a_chat_takes_the_template_and_its_values_from_the_settings() -> None:
    resolved = typed_in("answer.template={{ x }}", 'answer.template_arguments={"x": 1}')
    prompt = chat_input(resolved, ())
    assert (prompt.template, prompt.template_arguments) == ("{{ x }}", '{"x": 1}')


def test_values_for_a_template_must_be_an_object() -> None:
    with pytest.raises(SettingInvalid, match="JSON object"):
        conversions.template_arguments(having({"answer.template_arguments": "[1]"}))


def test_values_for_a_template_are_checked_when_they_are_set(tmp_path: Path) -> None:
    settings = Settings(file=SettingsFile(tmp_path / "settings.json"), environ={})
    with pytest.raises(SettingInvalid, match="JSON object"):
        settings.change(AppLayer(), key="answer.template_arguments", value="{")
