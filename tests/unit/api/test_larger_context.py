"""Prompts that need a larger context than their model has."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from fakes.api_harness import OPEN, ApiHarness, api_harness
from fakes.engine import finished, says
from fakes.gguf_files import model_file
from fireside.api.options import ApiOptions
from fireside.core.errors import ContextLengthExceeded, PromptTooLarge
from fireside.core.generation import Failed, GenerationEvent, PromptProgress
from fireside.core.ids import ModelId
from fireside.core.load_sizes import with_larger_context
from fireside.core.options import LoadOptions
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.settings.api_tokens import TokenScope
from fireside.settings.values import AppLayer

N_TRAINED = 100_000
SAID = [{"role": "user", "content": "Hi"}]
DIALECTS = [
    ("/v1/chat/completions", {"messages": SAID}),
    ("/v1/completions", {"prompt": "Hi"}),
    ("/v1/responses", {"input": "Hi"}),
    ("/v1/messages", {"messages": SAID, "max_tokens": 9}),
    ("/api/chat", {"messages": SAID}),
    ("/api/generate", {"prompt": "Hi"}),
    ("/completion", {"prompt": "Hi"}),
]


@pytest.fixture
def options() -> ApiOptions:
    return OPEN


@pytest.fixture
async def harness(tmp_path: Path, starter_model_path: Path, options: ApiOptions) -> AsyncIterator[ApiHarness]:
    """A server with a model that was trained for a long context, and answers prompts that fit."""
    model_file(changes={"llama.context_length": N_TRAINED}).write(tmp_path / "models" / "long.gguf")
    async with api_harness(tmp_path, starter=starter_model_path, options=options) as place:
        yield place


def needs(n_prompt: int) -> Any:
    """Return a script that answers where a prompt of so many tokens fits."""

    def script(request: GenerationRequest) -> Sequence[GenerationEvent]:
        n_ctx = with_larger_context(request.options, request.n_ctx).n_ctx
        if n_prompt >= n_ctx:
            return [Failed(error=ContextLengthExceeded(n_prompt=n_prompt, n_ctx=n_ctx).info())]
        return [PromptProgress(n_done=0, n_total=n_prompt, n_cached=0), *says("Hello")(request)]  # type: ignore[list-item]

    return script


def asked(harness: ApiHarness) -> list[int]:
    """The context lengths that were requested, one after another."""
    return [request.n_ctx for request in harness.engine.requests]


async def load_long(harness: ApiHarness) -> None:
    spec = harness.harness.app.models.chat_spec(ModelId("long"))
    await harness.engine.load(LoadRequest(spec=spec, options=LoadOptions(), keep_alive_s=None))


async def change(harness: ApiHarness, key: str, value: Any) -> None:
    await harness.harness.app.preferences.change(AppLayer(), key=key, value=value)


@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.parametrize(("path", "body"), DIALECTS)
async def test_a_prompt_that_is_too_long_is_answered_with_a_larger_context(
    harness: ApiHarness, path: str, body: dict[str, Any], *, streams: bool
) -> None:
    harness.engine.script = needs(20_031)
    answer = await harness.ask(path, {"model": "long", **body, "stream": streams})
    assert answer.status == 200
    assert b"Hello" in answer.body
    assert asked(harness) == [0, 65_536]


async def test_the_context_is_at_most_that_of_the_training(harness: ApiHarness) -> None:
    harness.engine.script = needs(60_000)
    assert (await harness.ask("/api/chat", {"model": "long", "messages": SAID})).status == 200
    assert asked(harness) == [0, N_TRAINED]


async def test_a_prompt_longer_than_the_training_loads_nothing_and_is_told_so(harness: ApiHarness) -> None:
    harness.engine.script = needs(N_TRAINED)
    answer = await harness.ask("/v1/chat/completions", {"model": "long", "messages": SAID})
    assert (answer.status, answer.json["error"]["code"]) == (400, "context_length_exceeded")
    assert f"trained for {N_TRAINED}" in answer.json["error"]["message"]
    assert asked(harness) == [0]


async def test_memory_that_has_no_more_ends_with_the_error(harness: ApiHarness) -> None:
    harness.engine.script = lambda _: [Failed(error=ContextLengthExceeded(n_prompt=9000, n_ctx=8192).info())]
    answer = await harness.ask("/v1/messages", {"model": "long", "messages": SAID, "max_tokens": 9})
    assert answer.status == 400
    assert "load.n_ctx" in answer.json["error"]["message"]
    assert asked(harness) == [0, 32_768]


async def test_a_prompt_too_large_to_count_is_estimated(harness: ApiHarness) -> None:
    def script(request: GenerationRequest) -> Sequence[GenerationEvent]:
        if request.n_ctx < N_TRAINED:
            return [Failed(error=PromptTooLarge(n_bytes=2**19, limit_bytes=2**18).info())]
        return [finished()]

    harness.engine.script = script
    assert (await harness.ask("/v1/completions", {"model": "long", "prompt": "Hi"})).status == 200
    assert asked(harness) == [0, N_TRAINED]


async def test_room_for_the_answer_counts(harness: ApiHarness) -> None:
    await load_long(harness)
    harness.engine.script = needs(7000)
    for max_tokens, n_ctx in ((100, [0]), (4000, [0, 16_384])):
        harness.engine.requests.clear()
        await harness.ask("/v1/completions", {"model": "long", "prompt": "Hi", "max_tokens": max_tokens})
        assert asked(harness) == n_ctx


async def test_what_ollamas_clients_request_is_the_context(harness: ApiHarness) -> None:
    body = {"model": "long", "messages": SAID, "options": {"num_ctx": 30_000}}
    await harness.ask("/api/chat", body)
    await harness.ask("/api/chat", {**body, "options": {"num_ctx": 10**6}})
    assert asked(harness) == [30_000, N_TRAINED]
    await harness.ask("/api/chat", {**body, "messages": []})
    shown = (await harness.ask("/api/show", {"model": "long"})).json
    assert shown["parameters"] == "num_ctx 30000"
    assert shown["model_info"]["llama.context_length"] == N_TRAINED
    (model,) = (await harness.ask("/api/ps")).json["models"]
    assert model["context_length"] == 30_000
    props = (await harness.ask("/props")).json
    assert (props["n_ctx_train"], props["default_generation_settings"]["n_ctx"]) == (N_TRAINED, 30_000)
    meta = (await harness.ask("/v1/models/long")).json["meta"]
    assert (meta["n_ctx_train"], meta["n_ctx"]) == (N_TRAINED, 30_000)


@pytest.mark.parametrize(("key", "value"), [("load.n_ctx", 4096), ("api.larger_context", False)])
async def test_what_the_user_set_stays(harness: ApiHarness, key: str, value: object) -> None:
    await change(harness, key, value)
    harness.engine.script = needs(9000)
    body = {"model": "long", "messages": SAID, "options": {"num_ctx": 30_000}}
    assert (await harness.ask("/api/chat", body)).status == 400
    assert asked(harness) == [0]


@pytest.mark.parametrize("options", [ApiOptions()])
async def test_only_who_may_load_a_model_increases_its_context(harness: ApiHarness) -> None:
    await load_long(harness)
    harness.engine.script = needs(9000)
    for scopes, status in (({TokenScope.ANSWER}, 400), ({TokenScope.ANSWER, TokenScope.LOAD}, 200)):
        token = harness.tokens.add("agent", frozenset(scopes)).reveal()
        headers = {"Authorization": f"Bearer {token}"}
        answer = await harness.ask("/api/chat", {"model": "long", "messages": SAID}, headers=headers)
        assert answer.status == status
