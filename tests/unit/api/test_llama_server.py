"""What llama.cpp's server has beside OpenAI's routes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fakes.api_harness import ApiHarness, api_harness, until
from fakes.engine import finished
from fireside.api.options import ApiOptions
from fireside.core.generation import GenerationEvent
from fireside.core.ids import ModelId
from fireside.core.prompt_input import InfillInput, TextInput, TokenInput
from fireside.core.prompt_query import PromptPreview, PromptPreviewRequest
from fireside.engine.request import GenerationRequest

USER = {"role": "user", "content": "Hi"}


@pytest.mark.parametrize("options", [ApiOptions()])
async def test_health_is_told_to_all_and_nothing_else_is(harness: ApiHarness) -> None:
    assert (await harness.ask("/health")).json == {"status": "ok"}
    assert (await harness.ask("/v1/health")).json == {"status": "ok"}
    for path in ("/props", "/v1/models", "/api/tags", "/api/version"):
        assert (await harness.ask(path)).status == 401
    for path in ("/tokenize", "/apply-template", "/completion", "/infill", "/rerank"):
        assert (await harness.ask(path, {})).status == 401


async def test_props_tell_the_context_and_no_path(harness: ApiHarness, starter_model_path: Path) -> None:
    answer = await harness.ask("/props")
    response = answer.json["default_generation_settings"]
    assert (response["n_ctx"], response["params"]["top_k"], response["params"]["n_predict"]) == (8192, 40, -1)
    assert answer.json["model_path"] == starter_model_path.name
    assert (answer.json["is_sleeping"], answer.json["total_slots"]) == (True, 2)
    assert str(starter_model_path.parent) not in answer.body.decode()


async def test_the_prompt_of_a_conversation(harness: ApiHarness) -> None:
    assert (await harness.ask("/apply-template", {"messages": [USER]})).json == {"prompt": "Hi"}


async def test_raw_texts_and_gaps(harness: ApiHarness) -> None:
    whole = (await harness.ask("/completion", {"prompt": "a", "n_predict": 3, "top_k": 1})).json
    assert (whole["content"], whole["stop"], whole["stop_type"]) == ("Hi", True, "eos")
    task = harness.engine.requests[-1].task
    assert task.prompt == TextInput(text="a", parse_special=True)
    assert (task.sampling.max_tokens, task.sampling.top_k) == (3, 1)
    streamed = (await harness.ask("/completion", {"prompt": "a", "stream": True})).events
    assert [each["content"] for each in streamed] == ["Hi", ""]
    assert [each["stop"] for each in streamed] == [False, True]
    body = {"input_prefix": "a", "prompt": "b", "input_suffix": "z"}
    assert (await harness.ask("/infill", body)).status == 200
    assert harness.engine.requests[-1].task.prompt == InfillInput(prefix="ab", suffix="z")


async def test_metrics_are_told_where_the_user_wants_it(
    harness: ApiHarness, tmp_path: Path, starter_model_path: Path
) -> None:
    assert (await harness.ask("/metrics")).status == 501

    def script(request: GenerationRequest) -> list[GenerationEvent | None]:
        waits = [None] if isinstance(request.task.prompt, TextInput) else []
        return [*waits, finished()]

    options = ApiOptions(needs_token=False, metrics_enabled=True)
    folder = tmp_path / "on"
    async with api_harness(folder, starter=starter_model_path, script=script, options=options) as harness:
        for _ in range(2):
            await harness.ask("/v1/chat/completions", {"messages": [USER]})
        waiting = asyncio.create_task(harness.ask("/completion", {"prompt": "wait"}))
        await until(lambda: len(harness.engine.requests) == 3)
        response = await harness.ask("/metrics")
        harness.engine.go_on()
        await waiting
        assert response.headers["content-type"].startswith("text/plain")
        lines = [line for line in response.body.decode().splitlines() if not line.startswith("#")]
        values = {name: float(value) for name, value in map(str.split, lines)}
        # Of each prompt of 10 tokens 4 were cached; an answer has 2.
        assert values["llamacpp:prompt_tokens_total"] == 12
        assert values["llamacpp:prompt_tokens_cached_total"] == 8
        assert values["llamacpp:tokens_predicted_total"] == 4
        assert int(response.headers["process-start-time-unix"]) > 1_700_000_000
        assert values["llamacpp:prompt_tokens_seconds"] == 60
        assert values["llamacpp:requests_processing"] == 1
        assert values["llamacpp:requests_deferred"] == 0


async def test_tokens_become_text_in_parts_that_fit_the_context(
    harness: ApiHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, asked = harness.engine.ask, list[int]()

    async def ask(model_id: ModelId, query: PromptPreviewRequest) -> PromptPreview | None:
        assert isinstance(query.task.prompt, TokenInput)
        asked.append(len(query.task.prompt.tokens))
        return await answer(model_id, query)

    monkeypatch.setattr(harness.engine, "ask", ask)
    text = "Grüße " * 5_000
    assert (await harness.ask("/detokenize", {"tokens": list(text.encode())})).json == {"content": text}
    assert sum(asked) == len(text.encode())
    assert max(asked) <= 4_096
    assert harness.engine.requests == []
    assert (await harness.ask("/detokenize", {"tokens": [10**9]})).status == 400
    assert (await harness.ask("/detokenize", {"tokens": [-1]})).status == 400
    assert (await harness.ask("/detokenize", {"tokens": []})).json == {"content": ""}


async def test_a_model_without_scores_ranks_nothing(harness: ApiHarness) -> None:
    for path in ("/rerank", "/v1/rerank", "/reranking", "/v1/reranking"):
        refused = await harness.ask(path, {"query": "a", "documents": ["b", {"text": "c"}]})
        assert (refused.status, refused.json["error"]["code"]) == (400, "model_unsuited")
    assert (await harness.ask("/rerank", {"query": "a"})).json["error"]["param"] == "documents"


async def test_what_lm_studio_tells_of_models(harness: ApiHarness) -> None:
    (model,) = (await harness.ask("/api/v0/models")).json["data"]
    assert (model["state"], model["type"], model["max_context_length"]) == ("not-loaded", "llm", 8192)
