"""Completions of llama.cpp's server: prompts of every kind, and what is told of an answer."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fakes.api_harness import ApiHarness
from fakes.engine import finished
from fireside.api.usage import timings_of
from fireside.core.generation import (
    GenerationEvent,
    PromptProgress,
    TextDelta,
    TokenLogprobs,
    TokenProbability,
)
from fireside.core.prompt_input import ChatInput, TextInput, TokenInput
from fireside.core.task import GbnfConstraint, JsonSchemaConstraint

SAID = [{"role": "user", "content": "Hi"}]
PATH = "/completion"


async def prompts_of(harness: ApiHarness, prompt: Any) -> tuple[list[Any], Any]:
    """Return what the engine was given, and what was answered."""
    before = len(harness.engine.requests)
    answer = await harness.ask(PATH, {"prompt": prompt})
    return [each.task.prompt for each in harness.engine.requests[before:]], answer.json


async def test_prompts_of_every_kind(harness: ApiHarness) -> None:
    a, b = TextInput(text="a", parse_special=True), TextInput(text="b", parse_special=True)
    assert (await prompts_of(harness, "a"))[0] == [a]
    assert (await prompts_of(harness, {"prompt_string": "a"}))[0] == [a]
    assert (await prompts_of(harness, [5, 6]))[0] == [TokenInput(tokens=(5, 6))]
    assert (await prompts_of(harness, [5, "ab", 6]))[0] == [TokenInput(tokens=(5, 97, 98, 6))]
    prompts, response = await prompts_of(harness, ["a", [5, "a"], {"prompt_string": "b"}])
    assert prompts == [a, TokenInput(tokens=(5, 97)), b]
    assert [each["content"] for each in response] == ["Hi"] * 3
    assert [(each["index"], each["prompt"]) for each in response] == [(0, "a"), (1, ""), (2, "b")]
    # One prompt in a list is still a list.
    assert isinstance((await prompts_of(harness, ["a"]))[1], list)


@pytest.mark.parametrize(
    "prompt",
    [
        [],
        [10**9],
        [-1],
        {"prompt_string": "a", "multimodal_data": "AAAA"},
        ["a", 5.5],
        [5, {"prompt_string": "a"}],
        [["a", ["b"]]],
    ],
)
async def test_prompts_that_are_none(harness: ApiHarness, prompt: Any) -> None:
    answer = await harness.ask(PATH, {"prompt": prompt})
    assert (answer.status, harness.engine.requests) == (400, [])


async def test_without_v1_completions_are_its_own(harness: ApiHarness) -> None:
    assert (await harness.ask("/completions", {"prompt": "a"})).json["content"] == "Hi"
    openai = (await harness.ask("/v1/completions", {"prompt": "a"})).json
    assert (openai["choices"][0]["text"], openai["system_fingerprint"][:6]) == ("Hi", "build-")


async def test_how_tokens_were_chosen_is_told(harness: ApiHarness) -> None:
    body = {
        "prompt": "a",
        "top_k": 3,
        "dry_multiplier": 0.5,
        "ignore_eos": True,
        "logit_bias": [["ab", -2], [7, False], ["9", 1.5]],
    }
    response = (await harness.ask(PATH, body)).json["generation_settings"]
    sampling = harness.engine.requests[-1].task.sampling
    assert (sampling.top_k, sampling.dry_multiplier, sampling.ignore_eos) == (3, 0.5, True)
    assert dict(sampling.logit_bias) == {97: -2, 98: -2, 7: -1000, 9: 1.5}
    assert (response["top_k"], response["seed"], response["n_predict"]) == (3, 7, -1)
    assert {each["token"]: each["bias"] for each in response["logit_bias"]} == {
        97: -2,
        98: -2,
        7: None,
        9: 1.5,
    }
    fields = ["content", "generation_settings/top_k", "timings/predicted_n", "none", "content/x"]
    picked = (await harness.ask(PATH, {"prompt": "a", "top_k": 4, "response_fields": fields})).json
    assert picked == {"content": "Hi", "generation_settings/top_k": 4, "timings/predicted_n": 1}


async def test_a_token_is_forbidden_in_the_words_of_either_api(harness: ApiHarness) -> None:
    for path, body in ((PATH, {"prompt": "a"}), ("/v1/chat/completions", {"messages": SAID})):
        await harness.ask(path, {**body, "logit_bias": [[7, False], ["8", -100]]})
        assert dict(harness.engine.requests[-1].task.sampling.logit_bias) == {7: -1000, 8: -1000}


async def test_biases_that_are_none_name_their_field(harness: ApiHarness) -> None:
    for path, body in (
        (PATH, {"prompt": "a", "logit_bias": [["a", "b"]]}),
        (PATH, {"prompt": "a", "logit_bias": {"7": 1e9}}),
        ("/v1/chat/completions", {"messages": SAID, "logit_bias": {"word": 1}}),
    ):
        answer = await harness.ask(path, body)
        assert answer.status == 400
        assert "logit_bias" in answer.json["error"]["param"]


async def test_progress_probabilities_and_tokens(harness: ApiHarness) -> None:
    chosen = TokenProbability(5, b"\n", -0.5)
    logprobs = (TokenLogprobs(chosen, (chosen, TokenProbability(6, b"\xff", float("-inf")))),)
    end = msgspec.structs.replace(finished(n_completion=1), tokens=bytes([5, 1, 0, 0]))

    def script(_: object) -> list[GenerationEvent]:
        return [
            PromptProgress(n_done=6, n_total=9, n_cached=3),
            TextDelta(text="\n", n_completion=1, logprobs=logprobs),
            end,
        ]

    harness.engine.script = script
    body = {"prompt": "a", "n_probs": 2, "return_tokens": True}
    whole = (await harness.ask(PATH, body)).json
    (response,) = whole["completion_probabilities"]
    assert (response["id"], response["token"], response["bytes"], response["logprob"]) == (
        5,
        "\n",
        [10],
        -0.5,
    )
    assert [each["id"] for each in response["top_logprobs"]] == [5, 6]
    assert (whole["tokens"], whole["has_new_line"], whole["truncated"]) == ([261], True, False)
    assert whole["timings"]["predicted_per_token_ms"] == 0
    streamed = (await harness.ask(PATH, {**body, "stream": True, "return_progress": True})).events
    assert streamed[0]["prompt_progress"] == {"total": 9, "cache": 3, "processed": 6}
    assert (streamed[1]["tokens"], len(streamed[1]["completion_probabilities"])) == ([5], 1)
    assert (streamed[-1]["stop"], streamed[-1]["has_new_line"]) == (True, True)
    plain = (await harness.ask(PATH, {"prompt": "a", "stream": True})).events
    assert not any("prompt_progress" in each for each in plain)
    chat = {"messages": SAID, "stream": True, "return_progress": True}
    told_in_chat = [
        each["prompt_progress"]
        for each in (await harness.ask("/v1/chat/completions", chat)).events
        if "prompt_progress" in each
    ]
    assert told_in_chat == [{"total": 9, "cache": 3, "processed": 6}]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (PATH, {"prompt": "a"}),
        ("/v1/completions", {"prompt": "a"}),
        ("/v1/chat/completions", {"messages": SAID}),
    ],
)
async def test_the_form_of_an_answer_in_its_words(
    harness: ApiHarness, path: str, body: dict[str, Any]
) -> None:
    await harness.ask(path, {**body, "grammar": 'root ::= "a"'})
    await harness.ask(path, {**body, "json_schema": {"type": "array"}})
    assert [each.task.constraint for each in harness.engine.requests] == [
        GbnfConstraint(grammar='root ::= "a"'),
        JsonSchemaConstraint(schema='{"type":"array"}'),
    ]


async def test_whether_a_chat_goes_on_with_its_last_message_can_be_said(harness: ApiHarness) -> None:
    begun = [*SAID, {"role": "assistant", "content": "Well"}]

    async def goes_on(harness: ApiHarness, messages: object, **body: object) -> bool | int:
        answer = await harness.ask("/v1/chat/completions", {"messages": messages, **body})
        if answer.status != 200:
            return answer.status
        prompt = harness.engine.requests[-1].task.prompt
        assert isinstance(prompt, ChatInput)
        return prompt.continue_final

    assert await goes_on(harness, begun) is True
    assert await goes_on(harness, SAID) is False
    assert await goes_on(harness, begun, continue_final_message=True) is True
    assert await goes_on(harness, begun, continue_final_message=False) is False
    assert await goes_on(harness, SAID, continue_final_message=True) == 400
    assert await goes_on(harness, begun, continue_final_message=True, add_generation_prompt=True) == 400


def test_timings_tell_of_drafts_where_there_were_some() -> None:
    end = finished()
    drafted = msgspec.structs.replace(end.usage, n_drafted=6, n_draft_accepted=4)
    timings = timings_of(msgspec.structs.replace(end, usage=drafted))
    assert (timings["draft_n"], timings["draft_n_accepted"]) == (6, 4)
    assert "draft_n" not in timings_of(end)
