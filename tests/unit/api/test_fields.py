"""Each field that the original of a dialect has is used, refused, or named as one without effect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from fakes.api_harness import ApiHarness
from fakes.engine import finished
from fireside.api import ollama
from fireside.api.anthropic_messages import MessagesBody
from fireside.api.llama_completion import RawCompletionBody
from fireside.api.openai_chat import ChatBody
from fireside.api.openai_completions import CompletionBody
from fireside.api.openai_response_items import ResponsesBody
from fireside.api.sampling import Samplers
from fireside.core.errors import ContextLengthExceeded, InvalidParameter
from fireside.core.generation import Failed, FinishReason, Overflow, TextDelta
from fireside.core.message import ToolCallPart
from fireside.core.options import PARAMETERS, Parameter, SamplerKind
from fireside.core.prompt_input import ChatInput, InfillFile, InfillInput
from fireside.core.task import ANY_OBJECT, GbnfConstraint, JsonSchemaConstraint, RegexConstraint

PAGE: Final = Path(__file__).parents[3] / "app" / "architecture" / "api.md"
SAID: Final = [{"role": "user", "content": "Hi"}]
BODIES: Final[Mapping[str, type[msgspec.Struct]]] = {
    "`/v1/chat/completions`": ChatBody,
    "`/v1/completions`": CompletionBody,
    "`/v1/responses`": ResponsesBody,
    "`/v1/messages`": MessagesBody,
    "`/completion`, `/infill`": RawCompletionBody,
    "`/api/chat`": ollama.OllamaChat,
    "`/api/generate`": ollama.OllamaGenerate,
}
ROUTES: Final = (
    ("/completion", {"prompt": "a"}),
    ("/infill", {"input_prefix": "a", "input_suffix": "b"}),
    ("/v1/chat/completions", {"messages": SAID}),
    ("/v1/completions", {"prompt": "a"}),
)


def rows() -> Mapping[str, tuple[set[str], set[str]]]:
    """Return, by dialect, the fields that the page names as read and those without effect."""
    table = PAGE.read_text("utf-8").split("| Route | Read | Without effect |")[1].split("\n\n")[0]
    cells = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    return {route: (_names(read), _names(unused)) for route, read, unused in cells}


def _names(cell: str) -> set[str]:
    named = {part for index, part in enumerate(cell.split("`")) if index % 2}
    return named | (set(Samplers.__struct_fields__) if "*samplers*" in cell else set())


@pytest.mark.parametrize("route", BODIES)
def test_the_page_names_what_each_body_reads(route: str) -> None:
    read, unused = rows()[route]
    fields = {field.encode_name for field in msgspec.structs.fields(BODIES[route])}
    assert read == fields
    assert not unused & fields


FIELDS: Final[Mapping[str, str]] = {
    # llama.cpp's tools/server/README.md, POST /completion and POST /infill.
    "`/completion`, `/infill`": (
        "prompt temperature dynatemp_range dynatemp_exponent top_k top_p min_p n_predict n_indent n_keep "
        "n_cmpl n_cache_reuse stream stop typical_p repeat_penalty repeat_last_n presence_penalty "
        "frequency_penalty dry_multiplier dry_base dry_allowed_length dry_penalty_last_n "
        "dry_sequence_breakers xtc_probability xtc_threshold mirostat mirostat_tau mirostat_eta "
        "adaptive_target adaptive_decay grammar json_schema seed ignore_eos logit_bias n_probs min_keep "
        "t_max_predict_ms id_slot cache_prompt return_tokens samplers timings_per_token return_progress "
        "post_sampling_probs response_fields lora input_prefix input_suffix input_extra top_n_sigma"
    ),
    # OpenAI's API reference, and what llama.cpp's server and vLLM take beside it.
    "`/v1/chat/completions`": (
        "messages model frequency_penalty logit_bias logprobs max_completion_tokens max_tokens metadata "
        "modalities n parallel_tool_calls prediction presence_penalty reasoning_effort response_format "
        "seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs "
        "top_p user safety_identifier prompt_cache_key verbosity web_search_options top_k min_p "
        "repetition_penalty ignore_eos guided_json guided_regex guided_choice guided_grammar "
        "structured_outputs chat_template_kwargs continue_final_message add_generation_prompt mirostat "
        "samplers cache_prompt audio functions function_call best_of use_beam_search length_penalty "
        "stop_token_ids include_stop_str_in_output min_tokens skip_special_tokens include_reasoning "
        "spaces_between_special_tokens truncate_prompt_tokens prompt_logprobs allowed_token_ids bad_words "
        "echo add_special_tokens documents chat_template mm_processor_kwargs structural_tag priority "
        "guided_decoding_backend guided_whitespace_pattern request_id logits_processors cache_salt "
        "return_tokens_as_token_ids kv_transfer_params vllm_xargs reasoning_format parse_tool_calls"
    ),
    "`/v1/completions`": (
        "model prompt best_of echo frequency_penalty logit_bias logprobs max_tokens n presence_penalty "
        "seed stop stream stream_options suffix temperature top_p user use_beam_search top_k min_p "
        "repetition_penalty length_penalty stop_token_ids include_stop_str_in_output ignore_eos min_tokens "
        "skip_special_tokens spaces_between_special_tokens truncate_prompt_tokens allowed_token_ids "
        "prompt_logprobs add_special_tokens response_format guided_json guided_regex guided_choice "
        "guided_grammar structural_tag guided_decoding_backend guided_whitespace_pattern priority "
        "request_id logits_processors return_tokens_as_token_ids cache_salt kv_transfer_params vllm_xargs"
    ),
    # Ollama's docs/api.md.
    "`/api/chat`": (
        "model messages tools think format options stream keep_alive logprobs top_logprobs truncate shift"
    ),
    "`/api/generate`": (
        "model prompt suffix images think format options system template stream raw keep_alive context "
        "logprobs top_logprobs truncate shift"
    ),
    # Anthropic's API reference.
    "`/v1/messages`": (
        "model messages max_tokens metadata service_tier stop_sequences stream system temperature "
        "thinking tool_choice tools top_k top_p container mcp_servers context_management output_config"
    ),
    "`/v1/responses`": (
        "background context_management conversation include input instructions max_output_tokens "
        "max_tool_calls metadata model parallel_tool_calls previous_response_id prompt prompt_cache_key "
        "reasoning safety_identifier service_tier store stream stream_options temperature text "
        "tool_choice tools top_logprobs top_p truncation user"
    ),
}


OLLAMA_OPTIONS: Final = (
    "num_keep seed num_predict top_k top_p min_p typical_p repeat_last_n temperature repeat_penalty "
    "presence_penalty frequency_penalty stop mirostat mirostat_tau mirostat_eta penalize_newline tfs_z numa "
    "num_ctx num_batch num_gpu main_gpu low_vram use_mmap use_mlock num_thread f16_kv vocab_only logits_all"
)
"""Of Ollama's docs/api.md and docs/modelfile.md, and those of its earlier versions."""


def test_every_option_of_ollama_is_read_or_named() -> None:
    read = {field.encode_name for field in msgspec.structs.fields(ollama.OllamaOptions)}
    unused = PAGE.read_text("utf-8").split("without effect are")[1].partition(")")[0]
    assert set(OLLAMA_OPTIONS.split()) - read - _names(unused) == set()


@pytest.mark.parametrize("route", FIELDS)
def test_no_field_of_the_original_is_missing(route: str) -> None:
    read, unused = rows()[route]
    assert set(FIELDS[route].split()) - read - unused == set()


@pytest.mark.parametrize(("path", "body"), ROUTES)
async def test_each_sampler_is_applied_and_told(harness: ApiHarness, path: str, body: dict[str, Any]) -> None:
    asked: dict[str, Any] = {
        "top_n_sigma": 1.5,
        "xtc_probability": 0.5,
        "xtc_threshold": 0.2,
        "typical_p": 0.9,
        "dry_multiplier": 0.5,
        "dry_base": 2.0,
        "dry_allowed_length": 3,
        "dry_penalty_last_n": 64,
        "dry_sequence_breakers": ["\n", "a"],
        "dynatemp_range": 0.5,
        "dynatemp_exponent": 1.5,
        "mirostat": 2,
        "mirostat_tau": 4.0,
        "mirostat_eta": 0.2,
        "adaptive_target": 0.5,
        "adaptive_decay": 0.5,
        "repeat_last_n": 32,
        "samplers": ["temperature", "top_k", "typ_p"],
        "stop": [f"<{n}>" for n in range(40)],
    }
    answer = await harness.ask(path, {**body, **asked})
    assert answer.status == 200
    sampling = harness.engine.requests[-1].task.sampling
    ours = {"adaptive_target": "adaptive_p_target", "adaptive_decay": "adaptive_p_decay"}
    order = [SamplerKind.TEMPERATURE, SamplerKind.TOP_K, SamplerKind.TYPICAL_P]
    for name, value in {**asked, "samplers": order}.items():
        applied = getattr(sampling, ours.get(name, name))
        assert (list(applied) if isinstance(value, list) else applied) == value, name
    if path in ("/completion", "/infill"):
        told = answer.json["generation_settings"]
        assert {name: told[name] for name in asked if name != "samplers"} == {
            name: value for name, value in asked.items() if name != "samplers"
        }


DECLARED: Final = [row for row in PARAMETERS.values() if row.as_is]


def another_value(row: Parameter) -> Any:
    """Return a value at a bound, which is not the default."""
    if row.type is tuple:
        return ["x"]
    bounds = [row.type(bound) for bound in (row.high, row.low)]
    return next(bound for bound in bounds if bound != row.default)


@pytest.mark.parametrize("row", DECLARED, ids=lambda row: row.name)
async def test_each_parameter_is_applied_and_told_under_its_name(harness: ApiHarness, row: Parameter) -> None:
    value = another_value(row)
    asked = {row.api_name: value}
    bodies = [(path, {**body, **asked}) for path, body in ROUTES]
    for path, body in (*bodies, ("/api/chat", {"messages": SAID, "options": asked})):
        answer = await harness.ask(path, body)
        assert answer.status == 200
        applied = getattr(harness.engine.requests[-1].task.sampling, row.name)
        assert (list(applied) if row.type is tuple else applied) == value
        if path in ("/completion", "/infill"):
            assert answer.json["generation_settings"][row.api_name] == value


@pytest.mark.parametrize(
    "row", [row for row in DECLARED if row.type in (int, float)], ids=lambda row: row.name
)
async def test_each_parameter_out_of_its_bounds_is_refused_by_its_name(
    harness: ApiHarness, row: Parameter
) -> None:
    for path, body in ROUTES:
        refused = await harness.ask(path, {**body, row.api_name: row.high + 1})
        assert (refused.status, refused.json["error"]["param"]) == (400, row.api_name)


async def test_samplers_in_llamas_other_words(harness: ApiHarness) -> None:
    for body in (
        {"samplers": "edkt", "top_n_sigma": -1, "adaptive_target": -1, "mirostat": 0},
        {"samplers": ["penalties", "dry", "top_k", "temperature", "adaptive_p"], "repetition_penalty": 1.2},
    ):
        assert (await harness.ask("/completion", {"prompt": "a", **body})).status == 200
        sampling = harness.engine.requests[-1].task.sampling
        assert [each.value for each in sampling.samplers] == ["penalties", "dry", "top_k", "temperature"]
        assert (sampling.top_n_sigma, sampling.mirostat, sampling.adaptive_p_target) == (-1, 0, 0)
    assert sampling.repeat_penalty == 1.2


@pytest.mark.parametrize(
    ("name", "harmless", "refused"),
    [
        ("min_keep", 1, 2),
        ("t_max_predict_ms", -1, 100),
        ("post_sampling_probs", False, True),
        ("lora", [], [{"id": 0, "scale": 1}]),
        ("guided_json", None, "no schema"),
        ("samplers", None, ["none-such"]),
    ],
)
async def test_what_cannot_be_applied_is_refused_by_its_name(
    harness: ApiHarness, name: str, harmless: Any, refused: Any
) -> None:
    for path, body in ROUTES:
        assert (await harness.ask(path, {**body, name: harmless})).status == 200
        answer = await harness.ask(path, {**body, name: refused})
        assert answer.status == 400
        assert name in answer.json["error"]["message"] or name == answer.json["error"]["param"]


@pytest.mark.parametrize("bias", [{"hello": 1}, {"5": 1e9}])
async def test_a_bias_that_is_none_is_told_in_the_clients_words(
    harness: ApiHarness, bias: dict[str, float]
) -> None:
    body = {"messages": [{"role": "user", "content": "a"}], "logit_bias": bias}
    answer = await harness.ask("/v1/chat/completions", body)
    assert (answer.status, answer.json["error"]["param"]) == (400, "logit_bias")
    assert "never" not in answer.json["error"]["message"]


async def test_the_forms_of_vllm(harness: ApiHarness) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    forms: tuple[dict[str, Any], ...] = (
        {"guided_json": schema},
        {"guided_json": '{"type": "object"}'},
        {"structured_outputs": {"json": schema}},
    )
    for extra in forms:
        await harness.ask("/v1/chat/completions", {"messages": SAID, **extra})
        assert isinstance(harness.engine.requests[-1].task.constraint, JsonSchemaConstraint)
    choices: tuple[dict[str, Any], ...] = (
        {"guided_choice": ["yes", 'no"']},
        {"structured_outputs": {"choice": ["yes", 'no"']}},
    )
    for extra in choices:
        await harness.ask("/v1/completions", {"prompt": "a", **extra})
        constraint = harness.engine.requests[-1].task.constraint
        assert constraint == GbnfConstraint(grammar='root ::= "yes" | "no\\""')


async def test_the_other_files_of_an_infill_stand_before_it(harness: ApiHarness) -> None:
    body = {
        "input_prefix": "a",
        "prompt": "b",
        "input_suffix": "c",
        "input_extra": [{"filename": "x.py", "text": "X"}],
    }
    await harness.ask("/infill", body)
    prompt = harness.engine.requests[-1].task.prompt
    assert prompt == InfillInput(prefix="ab", suffix="c", files=(InfillFile(name="x.py", text="X"),))
    assert harness.engine.requests[-1].task.overflow is Overflow.DROP_OLDEST


@pytest.mark.parametrize(
    ("path", "body", "ours", "theirs"),
    [
        ("/infill", {"input_prefix": "a"}, "infill", "input_suffix"),
        ("/v1/completions", {"prompt": "a", "suffix": "b"}, "infill", "suffix"),
        ("/api/generate", {"prompt": "a", "suffix": "b"}, "infill", "suffix"),
        (
            "/v1/messages",
            {"messages": SAID, "max_tokens": 9, "stop_sequences": ["a"]},
            "stop",
            "stop_sequences",
        ),
        ("/completion", {"prompt": "a", "adaptive_target": 0.5}, "adaptive_p_target", "adaptive_target"),
        ("/v1/embeddings", {"input": ["a"]}, "texts", "input"),
        ("/embedding", {"content": ["a"]}, "texts", "content"),
    ],
)
async def test_what_a_runner_refuses_has_the_name_of_the_clients_field(
    harness: ApiHarness, path: str, body: dict[str, Any], ours: str, theirs: str
) -> None:
    error = InvalidParameter(name=ours, reason="it is too long.")
    harness.engine.script = lambda _: [Failed(error=error.info())]
    told = (await harness.ask(path, body)).json["error"]
    message = told if isinstance(told, str) else told["message"]
    assert message == f"{theirs}: it is too long."


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/completions", {"prompt": "a"}, "prompt"),
        ("/completion", {"prompt": "a"}, "prompt"),
        ("/v1/chat/completions", {"messages": SAID}, "messages"),
        ("/v1/responses", {"input": "a"}, "input"),
        ("/embedding", {"content": "a"}, "content"),
    ],
)
async def test_a_prompt_that_is_too_long_is_named_by_its_field(
    harness: ApiHarness, path: str, body: dict[str, Any], field: str
) -> None:
    harness.engine.script = lambda _: [Failed(error=ContextLengthExceeded(n_prompt=9, n_ctx=8).info())]
    assert (await harness.ask(path, body)).json["error"]["param"] == field


async def test_an_empty_text_is_named_by_its_field(harness: ApiHarness) -> None:
    for path, field in (("/embedding", "content"), ("/v1/embeddings", "input"), ("/api/embed", "input")):
        refused = (await harness.ask(path, {field: ["a", ""]})).json["error"]
        assert f"{field}[1]: the text is empty." in str(refused)


async def test_a_stop_string_that_is_too_long_is_told_its_limit(harness: ApiHarness) -> None:
    refused = await harness.ask("/completion", {"prompt": "a", "stop": "x" * 2000})
    assert refused.json["error"]["message"] == "stop: Enter at most 128 texts of 1 to 1,000 characters each."


SCHEMA: Final = {"type": "object", "properties": {"a": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("extra", "constraint"),
    [
        ({"structured_outputs": {"json_object": True}}, ANY_OBJECT),
        ({"guided_regex": "a+"}, RegexConstraint(pattern="a+")),
        ({"regex": "a+"}, RegexConstraint(pattern="a+")),
        ({"structured_outputs": {"regex": "a|b"}}, RegexConstraint(pattern="a|b")),
        ({"structured_outputs": {"json_object": False}}, None),
    ],
)
async def test_more_forms_of_vllm(harness: ApiHarness, extra: dict[str, Any], constraint: object) -> None:
    for path, body in ROUTES:
        assert (await harness.ask(path, {**body, **extra})).status == 200
        assert harness.engine.requests[-1].task.constraint == constraint


@pytest.mark.parametrize(
    ("extra", "second"),
    [
        ({"grammar": 'root ::= "b"', "guided_choice": ["a"]}, "guided_choice"),
        ({"json_schema": SCHEMA, "structured_outputs": {"regex": "a"}}, "structured_outputs.regex"),
        ({"guided_json": SCHEMA, "guided_grammar": 'root ::= "a"'}, "guided_grammar"),
    ],
)
async def test_two_forms_of_one_answer_are_refused(
    harness: ApiHarness, extra: dict[str, Any], second: str
) -> None:
    for path, body in ROUTES:
        refused = await harness.ask(path, {**body, **extra})
        assert (refused.status, refused.json["error"]["param"]) == (400, second)


async def test_a_response_format_and_another_form_are_refused_unless_they_are_the_same(
    harness: ApiHarness,
) -> None:
    asked = {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA}}}
    for path, body in (ROUTES[2], ROUTES[3]):
        assert (await harness.ask(path, {**body, **asked, "guided_json": SCHEMA})).status == 200
        refused = await harness.ask(path, {**body, **asked, "guided_choice": ["a"]})
        assert refused.json["error"]["message"] == (
            "response_format: not together with guided_choice; send one form of the answer."
        )


@pytest.mark.parametrize(
    ("name", "harmless", "refused"),
    [
        ("bad_words", [], ["a"]),
        ("allowed_token_ids", None, [1]),
        ("min_tokens", 0, -1),
        ("use_beam_search", False, True),
        ("prompt_logprobs", None, 0),
        ("truncate_prompt_tokens", None, 10),
        ("logits_processors", [], ["a"]),
        ("structural_tag", None, "{}"),
        ("guided_choice", None, []),
        ("structured_outputs", {}, {"structural_tag": {"triggers": []}}),
        ("structured_outputs", {"json": None}, {"choice": []}),
    ],
)
async def test_what_vllm_has_and_we_have_not_is_refused_by_its_name(
    harness: ApiHarness, name: str, harmless: Any, refused: Any
) -> None:
    for path, body in ROUTES:
        assert (await harness.ask(path, {**body, name: harmless})).status == 200
        answer = await harness.ask(path, {**body, name: refused})
        assert answer.status == 400
        assert answer.json["error"]["param"].startswith(name)


async def test_token_ids_and_stop_strings_end_an_answer_as_in_vllm(harness: ApiHarness) -> None:
    end = msgspec.structs.replace(finished(), stop_string="END")
    harness.engine.script = lambda _: [TextDelta(text="Hi", n_completion=1), end]
    for path, body in ROUTES:
        plain = await harness.ask(path, {**body, "stop_token_ids": [5, 6]})
        assert harness.engine.requests[-1].task.sampling.stop_tokens == (5, 6)
        await harness.ask(path, {**body, "min_tokens": 7})
        assert harness.engine.requests[-1].task.sampling.min_tokens == 7
        shown = await harness.ask(path, {**body, "include_stop_str_in_output": True})
        assert ("END" in shown.body.decode(), "HiEND" in shown.body.decode()) == (True, True)
        assert '"Hi"' in plain.body.decode()
        streamed = await harness.ask(path, {**body, "include_stop_str_in_output": True, "stream": True})
        assert [each for each in streamed.events if '"END"' in json.dumps(each)]
        refused = await harness.ask(path, {**body, "stop_token_ids": [10**7]})
        assert (refused.status, refused.json["error"]["param"]) == (400, "stop_token_ids")


async def test_any_negative_value_turns_a_sampler_off(harness: ApiHarness) -> None:
    await harness.ask("/completion", {"prompt": "a", "adaptive_target": -0.5, "top_n_sigma": -3})
    sampling = harness.engine.requests[-1].task.sampling
    assert (sampling.adaptive_p_target, sampling.top_n_sigma) == (0, -1)


async def test_what_a_request_leaves_out_is_as_the_models_makers_recommend(harness: ApiHarness) -> None:
    for asked, sampled in (({}, (0.2, 0.9)), ({"temperature": 0.7}, (0.7, 0.9)), ({"top_p": 1}, (0.2, 1))):
        assert (await harness.ask("/v1/chat/completions", {"messages": SAID, **asked})).status == 200
        sampling = harness.engine.requests[-1].task.sampling
        assert (sampling.temperature, sampling.top_p) == sampled


async def test_a_template_of_the_request_is_used(harness: ApiHarness) -> None:
    extra = {"chat_template": "{{ messages[0].content }}", "documents": [{"title": "a", "text": "b"}]}
    assert (await harness.ask("/v1/chat/completions", {"messages": SAID, **extra})).status == 200
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    assert prompt.template == extra["chat_template"]
    assert json.loads(prompt.template_arguments) == {"documents": extra["documents"]}


async def test_what_is_no_text_is_not_answered(harness: ApiHarness) -> None:
    path = "/v1/chat/completions"
    assert (await harness.ask(path, {"messages": SAID, "modalities": ["text"], "echo": False})).status == 200
    for name, value in (("modalities", ["text", "audio"]), ("echo", True)):
        refused = await harness.ask(path, {"messages": SAID, name: value})
        assert (refused.status, refused.json["error"]["param"]) == (400, name)


async def test_functions_are_tools_and_calls_come_in_their_form(harness: ApiHarness) -> None:
    function = {"name": "get_weather", "parameters": {"type": "object", "properties": {}}}
    call = ToolCallPart(id="c", name="get_weather", arguments='{"city": "Rome"}')
    end = msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=(call, call))
    harness.engine.script = lambda _: [end]
    history = [
        *SAID,
        {"role": "assistant", "content": None, "function_call": {"name": "get_weather", "arguments": "{}"}},
        {"role": "function", "name": "get_weather", "content": "sunny"},
    ]
    body = {"messages": history, "functions": [function], "function_call": {"name": "get_weather"}}
    choice = (await harness.ask("/v1/chat/completions", body)).json["choices"][0]
    assert choice["finish_reason"] == "function_call"
    assert choice["message"]["function_call"] == {"name": "get_weather", "arguments": '{"city": "Rome"}'}
    assert "tool_calls" not in choice["message"]
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    assert (prompt.tools[0].name, prompt.tool_choice.name) == ("get_weather", "get_weather")
    assert [part.name for part in prompt.messages[1].tool_calls] == ["get_weather"]
    streamed = (await harness.ask("/v1/chat/completions", {**body, "stream": True})).events
    deltas = [each["choices"][0] for each in streamed]
    calls = [each["delta"]["function_call"] for each in deltas if "function_call" in each["delta"]]
    assert [each.get("name") for each in calls] == ["get_weather", None]
    assert calls[1]["arguments"] == '{"city": "Rome"}'
    assert deltas[-1]["finish_reason"] == "function_call"
    refused = await harness.ask("/v1/chat/completions", {**body, "tools": [{"function": function}]})
    assert (refused.status, refused.json["error"]["param"]) == (400, "functions")


async def test_fields_that_are_not_read_are_named_in_the_answer(harness: ApiHarness) -> None:
    extra = {"user": "me", "no_such": {"a": 1}, "nothing": None, "bad name\r\nx: y": 1}
    for path, body in (*ROUTES, ("/v1/responses", {"input": "a"}), ("/api/chat", {"messages": SAID})):
        for more in ({}, {"stream": True}):
            answer = await harness.ask(path, {**body, **more, **extra})
            named = answer.headers["x-fireside-ignored"].split(", ")
            assert ("no_such" in named, "nothing" in named, len(named) <= 2) == (True, False, True)
        assert "x-fireside-ignored" not in (await harness.ask(path, body)).headers
    many = {f"field_{n}": n for n in range(1000)}
    answer = await harness.ask("/completion", {"prompt": "a", **many})
    assert answer.headers["x-fireside-ignored"].count(",") == 31
    nested = {"messages": SAID, "stream_options": {"include_obfuscation": False}}
    answer = await harness.ask("/v1/chat/completions", nested)
    assert answer.headers["x-fireside-ignored"] == "stream_options.include_obfuscation"


async def test_several_completions_of_one_prompt(harness: ApiHarness) -> None:
    for name in ("n_cmpl", "n"):
        several = (await harness.ask("/completion", {"prompt": ["a", "b"], name: 2})).json
        assert [(each["index"], each["prompt"]) for each in several] == [
            (0, "a"),
            (1, "a"),
            (2, "b"),
            (3, "b"),
        ]
        assert len((await harness.ask("/completion", {"prompt": "a", name: 3})).json) == 3
        assert (await harness.ask("/completion", {"prompt": "a", name: 1})).json["content"] == "Hi"
    refused = (await harness.ask("/completion", {"prompt": "a", "n_cmpl": 99})).json["error"]
    assert refused["param"] == "n_cmpl"


@pytest.mark.parametrize("breaker", ["\\n", "\n", "\t", "\\", "\\\\n", "a\\tb", "\\x"])
async def test_a_breaker_is_the_text_that_was_sent(harness: ApiHarness, breaker: str) -> None:
    await harness.ask("/completion", {"prompt": "a", "dry_sequence_breakers": [breaker]})
    assert harness.engine.requests[-1].task.sampling.dry_sequence_breakers == (breaker,)


@pytest.mark.parametrize(("path", "body"), ROUTES)
@pytest.mark.parametrize("sent", [True, False, None])
async def test_cache_prompt_decides_whether_the_cache_is_used(
    harness: ApiHarness, path: str, body: dict[str, Any], sent: bool | None
) -> None:
    answer = await harness.ask(path, {**body, "cache_prompt": sent})
    assert answer.status == 200
    assert harness.engine.requests[-1].task.reuses_cache is (sent is not False)


@pytest.mark.parametrize(("path", "body"), ROUTES)
async def test_answers_are_repeatable_without_chance(
    harness: ApiHarness, path: str, body: dict[str, Any]
) -> None:
    asked: list[tuple[dict[str, Any], bool]] = [
        ({"temperature": 0}, True),
        ({"temperature": 1, "seed": 42}, True),
        ({"temperature": 1}, False),
    ]
    for fields, is_repeatable in asked:
        assert (await harness.ask(path, {**body, **fields})).status == 200
        assert harness.engine.requests[-1].task.is_repeatable is is_repeatable
