"""Vectors and scores of real models: pooling, batching, and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt
import pytest

from fireside.core.generation import Embedded, Failed, Finished, FinishReason
from fireside.core.ids import RequestId
from fireside.core.options import LoadOptions, Pooling, Purpose
from fireside.core.prompt_input import ChatInput, EmbeddingInput, PromptInput, RerankInput
from fireside.core.prompt_query import PromptMeasureRequest
from fireside.core.task import GenerationTask
from fireside.wire.messages import Ask, RequestEvent
from llama.runner_process import RunnerProcess, small_options, user
from llama.tiny_bert import N_CTX, write_bert

Embeddings = list[npt.NDArray[np.float32]]
SENTENCES = ("a cat sat on a mat", "two of us", "this one is rather longer than that")


def options(purpose: Purpose, **changes: object) -> LoadOptions:
    return small_options(n_seq_max=4, purpose=purpose, **changes)


def compute(runner: RunnerProcess, prompt: PromptInput) -> tuple[Embeddings, Finished | Failed]:
    """Return the vectors in the order of their texts, and the end."""
    request_id = runner.start_task(GenerationTask(prompt=prompt))
    vectors: dict[int, npt.NDArray[np.float32]] = {}
    while True:
        report = runner.receive()
        assert report is not None, runner.log[-2000:]
        if not isinstance(report, RequestEvent):
            continue
        assert report.request_id == request_id
        if isinstance(report.event, Embedded):
            assert report.event.index not in vectors
            vectors[report.event.index] = np.frombuffer(report.event.vector, "<f4")
        elif isinstance(report.event, Finished | Failed):
            return [vectors[index] for index in sorted(vectors)], report.event


def embed(runner: RunnerProcess, *texts: str, normalise: bool = True) -> Embeddings:
    vectors, end = compute(runner, EmbeddingInput(texts=texts, normalise=normalise))
    assert isinstance(end, Finished), end
    return vectors


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunnerProcess]:
    path = write_bert(tmp_path_factory.mktemp("bert") / "mean.gguf", pooling=gguf.PoolingType.MEAN)
    with RunnerProcess() as runner:
        runner.load(path, options(Purpose.EMBED))
        yield runner


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunnerProcess]:
    path = write_bert(tmp_path_factory.mktemp("bert") / "rank.gguf", pooling=gguf.PoolingType.RANK)
    with RunnerProcess() as runner:
        runner.load(path, options(Purpose.RERANK))
        yield runner


def test_each_text_gets_one_vector_of_unit_length(bert: RunnerProcess) -> None:
    vectors = embed(bert, *SENTENCES)
    assert len(vectors) == len(SENTENCES)
    assert all(vector.shape == (32,) for vector in vectors)
    assert all(abs(float(np.linalg.norm(vector)) - 1) < 1e-5 for vector in vectors)


def test_batching_does_not_change_vectors(bert: RunnerProcess) -> None:
    together = embed(bert, *SENTENCES)
    for text, vector in zip(SENTENCES, together, strict=True):
        np.testing.assert_allclose(embed(bert, text)[0], vector, atol=1e-5)


def test_different_texts_have_different_vectors(bert: RunnerProcess) -> None:
    left, right, _ = embed(bert, *SENTENCES)
    assert float(left @ right) < 0.999


def test_more_texts_than_a_batch_are_computed(bert: RunnerProcess) -> None:
    texts = [f"{'a ' * (1 + n % 20)}" for n in range(50)]
    vectors = embed(bert, *texts)
    np.testing.assert_allclose(vectors[0], vectors[20], atol=1e-5)
    assert len(vectors) == 50


def test_unnormalized_vector_has_the_same_direction(bert: RunnerProcess) -> None:
    scaled = embed(bert, SENTENCES[0])[0]
    plain = embed(bert, SENTENCES[0], normalise=False)[0]
    assert abs(float(np.linalg.norm(plain)) - 1) > 1e-3
    np.testing.assert_allclose(plain / np.linalg.norm(plain), scaled, atol=1e-5)


@pytest.mark.parametrize("pooling", [Pooling.MEAN, Pooling.CLS, Pooling.LAST])
def test_pooling_is_the_requested_one(tmp_path: Path, pooling: Pooling) -> None:
    """With other poolings the first and the last token's vectors and their mean tell one from another."""
    path = write_bert(tmp_path / "bert.gguf", pooling=gguf.PoolingType.MEAN)
    vectors = {}
    for option in (pooling, Pooling.MODEL):
        with RunnerProcess() as runner:
            runner.load(path, options(Purpose.EMBED, pooling=option))
            vectors[option] = embed(runner, SENTENCES[0])[0]
    same = np.allclose(vectors[pooling], vectors[Pooling.MODEL], atol=1e-5)
    assert same is (pooling is Pooling.MEAN)


def test_text_that_is_too_long_is_refused_with_both_numbers(bert: RunnerProcess) -> None:
    vectors, end = compute(bert, EmbeddingInput(texts=("a " * (N_CTX - 2), "a " * (N_CTX - 1))))
    assert not vectors
    assert isinstance(end, Failed)
    assert end.error.code == "context_length_exceeded"
    assert (end.error.data["n_prompt"], end.error.data["n_ctx"]) == (N_CTX + 1, N_CTX)
    assert len(embed(bert, "a " * (N_CTX - 2))) == 1


def test_text_that_is_too_long_is_truncated_if_requested(bert: RunnerProcess) -> None:
    long_text = "a " * (100 * N_CTX)
    cut, end = compute(bert, EmbeddingInput(texts=(long_text, SENTENCES[0]), truncate=True))
    assert isinstance(end, Finished)
    expected = embed(bert, "a " * (N_CTX - 2), SENTENCES[0])
    np.testing.assert_allclose(cut, expected, atol=1e-5)


def test_fewer_dimensions_are_the_first_of_the_vector(bert: RunnerProcess) -> None:
    full = embed(bert, SENTENCES[0], normalise=False)[0]
    (first,), _ = compute(bert, EmbeddingInput(texts=SENTENCES[:1], dimensions=5))
    np.testing.assert_allclose(first, full[:5] / np.linalg.norm(full[:5]), atol=1e-5)
    _, end = compute(bert, EmbeddingInput(texts=SENTENCES[:1], dimensions=len(full) + 1))
    assert isinstance(end, Failed)
    assert end.error.code == "invalid_parameter"


@pytest.mark.parametrize("text", ["", "   ", "a\x00b"])
def test_empty_text_is_refused(bert: RunnerProcess, text: str) -> None:
    _, end = compute(bert, EmbeddingInput(texts=("fine", text)))
    assert isinstance(end, Failed)
    assert end.error.code == "invalid_text"


def test_embedding_model_refuses_chats(bert: RunnerProcess) -> None:
    _, end = compute(bert, ChatInput(messages=(user("Hello"),)))
    assert isinstance(end, Failed)
    assert end.error.code == "model_unsuited"
    question = PromptMeasureRequest(prompt=ChatInput(messages=(user("Hello"),)))
    bert.send(Ask(request_id=RequestId(10_000), query=question))
    assert bert.expect(Failed).error.code == "model_unsuited"


def test_request_without_texts_finishes_without_vectors(bert: RunnerProcess) -> None:
    assert embed(bert) == []


def test_chat_model_creates_embeddings(starter_model_path: Path) -> None:
    with RunnerProcess() as runner:
        runner.load(starter_model_path, options(Purpose.EMBED, n_ctx=256))
        cat, kitten, stocks = embed(
            runner, "A cat sits on the mat.", "A kitten lies on a rug.", "Stock markets fell today."
        )
        assert float(cat @ kitten) > float(cat @ stocks)
        alone = embed(runner, "A kitten lies on a rug.")[0]
        assert float(alone @ kitten) > 0.9999


def test_chat_model_evaluates_long_texts_in_micro_batches(short_model_path: Path) -> None:
    long_text = " ".join(f"In the year {year} the keeper counted the waves." for year in range(1900, 1960))
    vectors = []
    for n_ubatch in (64, 1024):
        with RunnerProcess() as runner:
            report = runner.load(short_model_path, options(Purpose.EMBED, n_ctx=1024, n_ubatch=n_ubatch))
            # The logits of every token would take more than 190 MB.
            assert sum(memory.compute_bytes for memory in report.memory) < 100_000_000
            vectors.append(embed(runner, long_text, "A cat", f"Once upon a time. {long_text}"))
    for in_parts, at_once in zip(*vectors, strict=True):
        assert float(in_parts @ at_once) > 0.999
    first, _, other = vectors[0]
    assert float(first @ other) < 0.9999


def test_mean_pooling_of_the_file_evaluates_texts_whole(starter_model_path: Path) -> None:
    with RunnerProcess() as runner:
        runner.load(starter_model_path, options(Purpose.EMBED, n_ctx=1024, n_ubatch=64, pooling=Pooling.MEAN))
        (vector,) = embed(runner, "the keeper counted the waves " * 30)
        assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-4)


def test_documents_get_scores_that_depend_on_the_query(reranker: RunnerProcess) -> None:
    documents = ("a b c", "x y z", "a b c")
    first, end = compute(reranker, RerankInput(query="a b", documents=documents))
    assert isinstance(end, Finished)
    assert [vector.shape for vector in first] == [(1,)] * 3
    assert first[0][0] == pytest.approx(first[2][0], abs=1e-5)
    second, _ = compute(reranker, RerankInput(query="q r s t", documents=documents))
    assert first[0][0] != pytest.approx(second[0][0], abs=1e-5)


def test_pair_is_rendered_by_the_rerank_template(reranker: RunnerProcess) -> None:
    request = GenerationTask(prompt=RerankInput(query="a b", documents=("c",)))
    reranker.start_task(request)
    score = reranker.expect(Embedded)
    reranker.expect(Finished)
    # [CLS] a b [SEP] c [SEP]: BERT's one separator ends the query and begins the document.
    assert score.n_tokens == 6


def test_reranker_refuses_embeddings(reranker: RunnerProcess) -> None:
    _, end = compute(reranker, EmbeddingInput(texts=("a",)))
    assert isinstance(end, Failed)
    assert end.error.code == "model_unsuited"


def test_cancelled_request_ends_and_the_next_one_is_computed(starter_model_path: Path) -> None:
    with RunnerProcess() as runner:
        runner.load(starter_model_path, options(Purpose.EMBED, n_ctx=512))
        texts = tuple("Something long. " * 100 for _ in range(50))
        request_id = runner.start_task(GenerationTask(prompt=EmbeddingInput(texts=texts)))
        runner.expect(Embedded)
        runner.cancel(request_id)
        assert runner.finish(request_id).finished.reason is FinishReason.CANCELLED
        assert len(embed(runner, "Hello")) == 1
