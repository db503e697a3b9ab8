"""Embeddings and reranking: order, options, errors."""

from __future__ import annotations

from array import array
from pathlib import Path

import gguf
import pytest

from fakes.app_harness import AppHarness
from fakes.engine import finished
from fakes.raised import refuses
from fireside.core.errors import EngineStopped, RequestError
from fireside.core.generation import Embedded, Failed, FinishReason
from fireside.core.options import Pooling, Purpose
from fireside.core.prompt_input import EmbeddingInput, RerankInput
from fireside.settings.values import AppLayer
from llama.tiny_bert import write_bert


def made(index: int, *numbers: float) -> Embedded:
    return Embedded(index=index, vector=array("f", numbers).tobytes(), n_tokens=3)


async def test_vectors_come_in_the_order_of_their_texts(harness: AppHarness) -> None:
    harness.engine.script = lambda _: [made(1, 2, -1), made(0, 0.5, 1), finished()]
    vectors = await harness.app.embeddings.embed(["a", "b"], model_id=harness.model_id)
    assert [list(vector) for vector in vectors] == [[0.5, 1.0], [2.0, -1.0]]


async def test_a_model_is_loaded_to_embed_with_the_settings_of_the_user(harness: AppHarness) -> None:
    harness.engine.script = lambda _: [made(0, 1), finished()]
    await harness.app.preferences.change(AppLayer(), key="load.n_threads", value=3)
    await harness.app.embeddings.embed(["a"], model_id=harness.model_id, pooling=Pooling.CLS)
    request = harness.engine.requests[0]
    assert request.options.purpose is Purpose.EMBED
    assert request.options.pooling is Pooling.CLS
    assert request.options.n_threads == 3
    assert request.task.prompt == EmbeddingInput(texts=("a",))


async def test_scores_need_a_reranker(harness: AppHarness) -> None:
    harness.engine.script = lambda _: [finished()]
    with refuses("model_unsuited"):
        await harness.app.embeddings.rerank("q", ["a"], model_id=harness.model_id)
    assert harness.engine.requests == []


async def test_a_reranker_returns_no_vectors(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = lambda _: [finished()]
    path = write_bert(tmp_path / "ranks.gguf", pooling=gguf.PoolingType.RANK)
    await harness.app.models.add([str(path)])
    spec = await harness.app.models.find("ranks")
    with refuses("model_unsuited", match="reranking"):
        await harness.app.embeddings.embed(["a"], model_id=spec.id)
    assert harness.engine.requests == []


async def test_scores_are_plain_numbers(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = lambda _: [made(0, 0.5), made(1, -2), finished()]
    path = write_bert(tmp_path / "ranks.gguf", pooling=gguf.PoolingType.RANK)
    await harness.app.models.add([str(path)])
    spec = await harness.app.models.find("ranks")
    assert await harness.app.embeddings.rerank("q", ["a", "b"], model_id=spec.id) == [0.5, -2.0]
    assert harness.engine.requests[0].options.purpose is Purpose.RERANK
    assert harness.engine.requests[0].task.prompt == RerankInput(query="q", documents=("a", "b"))


async def test_a_model_of_vectors_is_not_chatted_with(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = lambda _: [finished()]
    path = write_bert(tmp_path / "vectors.gguf", pooling=gguf.PoolingType.MEAN)
    await harness.app.models.add([str(path)])
    spec = await harness.app.models.find("vectors")
    with refuses("model_unsuited", match="embeddings"):
        await harness.app.generations.send(None, text="Hello", model_id=spec.id)
    assert await harness.store.conversations.all() == ()


async def test_a_refusal_is_raised_as_the_error_that_it_is(harness: AppHarness) -> None:
    error = RequestError.of("model_unsuited", wanted="create embeddings", is_for="text generation")
    harness.engine.script = lambda _: [Failed(error=error.info())]
    with refuses("model_unsuited"):
        await harness.app.embeddings.embed(["a"], model_id=harness.model_id)


async def test_half_an_answer_is_none(harness: AppHarness) -> None:
    harness.engine.script = lambda _: [made(0, 1), finished(FinishReason.CANCELLED)]
    with pytest.raises(EngineStopped):
        await harness.app.embeddings.embed(["a", "b"], model_id=harness.model_id)


async def test_no_two_requests_have_one_number(harness: AppHarness) -> None:
    harness.engine.script = lambda _: [made(0, 1), finished()]
    await harness.app.embeddings.embed(["a"], model_id=harness.model_id)
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    numbers = [request.request_id for request in harness.engine.requests]
    assert len(set(numbers)) == len(numbers) == 2
