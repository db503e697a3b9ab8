"""The nearest vectors are found, exactly in a small collection and nearly so in a large one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from fireside.hub.catalogue import CATALOGUE_NAME, load_catalogue
from fireside.retrieval import vectors as stored_vectors
from fireside.retrieval.collection_store import SEMANTIC_WEIGHT, fuse
from fireside.retrieval.vectors import VectorBlock, VectorIndex, quantised, rerank
from fireside.services.collections.semantic_search import prefixes_of
from fireside.settings.paths import resources_folder

N, D = 4_000, 96


def vectors() -> tuple[VectorBlock, stored_vectors.Floats]:
    rng = np.random.default_rng(5)
    centres = rng.normal(size=(80, D))
    matrix = centres[rng.integers(0, 80, N)] + rng.normal(size=(N, D)) + 0.5
    matrix = (matrix / np.linalg.norm(matrix, axis=1)[:, None]).astype(np.float32)
    pairs = [quantised(vector.tolist()) for vector in matrix]
    codes = np.frombuffer(b"".join(codes for codes, _ in pairs), dtype=np.int8).reshape(N, D)
    scales = np.array([scale for _, scale in pairs], dtype=np.float32)
    return VectorBlock(ids=np.arange(N, dtype=np.int64) * 3, codes=codes, scales=scales), matrix


def parts_of(block: VectorBlock, *, size: int) -> Iterator[VectorBlock]:
    for start in range(0, len(block.ids), size):
        rows = slice(start, start + size)
        yield VectorBlock(block.ids[rows], block.codes[rows], block.scales[rows])


def test_all_are_compared_where_there_are_few() -> None:
    block, matrix = vectors()
    index = VectorIndex(parts_of(block, size=700), capacity=N + 5)
    assert index.is_exact
    question = matrix[17]
    ids, scores = index.nearest(question, n=10)
    assert ids.tolist()[0] == 17 * 3
    assert scores[0] == pytest.approx(1.0, abs=0.01)
    true = np.argsort(-(matrix @ question))[:10] * 3
    assert len(set(ids.tolist()) & set(true.tolist())) >= 9


def test_candidates_of_a_large_index_have_similar_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_vectors, "EXACT_TO", 400)
    block, matrix = vectors()
    index = VectorIndex(parts_of(block, size=700), capacity=N + 5)
    assert not index.is_exact
    shares = []
    for n in range(0, N, 200):
        candidates = index.candidates(matrix[n])
        assert len(candidates) == 1_000 or len(candidates) == 3_000
        rows = candidates // 3
        some = VectorBlock(candidates, block.codes[rows], block.scales[rows])
        ids, _ = rerank(some, matrix[n], n=10)
        true = np.argsort(-(matrix @ matrix[n]))[:10] * 3
        shares.append(len(set(ids.tolist()) & set(true.tolist())) / 10)
    assert float(np.mean(shares)) >= 0.9


def test_an_empty_collection_has_no_vectors() -> None:
    assert len(VectorIndex(iter(()), capacity=0).ids) == 0


def test_scores_are_joined_as_shares_of_their_best() -> None:
    word_scores = {1: 9.0, 2: 3.0, 3: 2.9}
    order = [chunk for chunk, _ in fuse(word_scores, {3: 0.9, 2: 0.6, 4: 0.1}, n_candidates=100)]
    assert order == [1, 3, 2, 4], "by ranks a chunk that is second twice would come first"
    assert fuse({7: 2.0}, {}, n_candidates=100) == [(7, 1 - SEMANTIC_WEIGHT)]
    assert fuse({}, {8: 0.3, 9: 0.2}, n_candidates=100) == [(8, SEMANTIC_WEIGHT), (9, 0.0)]
    cut_off = dict(fuse({1: 9.0, 2: 3.0}, {}, n_candidates=2))
    assert cut_off[2] == 0.0, "of the worst that was looked for nothing more is known"
    assert fuse({}, {}, n_candidates=100) == []


def test_models_get_the_prefixes_that_they_were_trained_with() -> None:
    assert prefixes_of("Nomic Embed Text v1.5").question == "search_query: "
    assert prefixes_of("intfloat/multilingual-e5-small").passage == "passage: "
    assert prefixes_of("EmbeddingGemma 300M").passage.startswith("title: none")
    assert prefixes_of("Qwen3 Embedding 0.6B").question.startswith("Instruct: ")
    assert prefixes_of("bge-m3") == prefixes_of("all-MiniLM-L6-v2") == ("", "")
    assert prefixes_of("bge-small-en-v1.5").question.startswith("Represent")
    assert prefixes_of("multilingual-e5-large-instruct").passage == ""
    assert prefixes_of("multilingual-e5-large-instruct").question.startswith("Instruct: ")
    assert prefixes_of("snowflake-arctic-embed-m-v1.5").question.startswith("Represent")
    assert prefixes_of("snowflake-arctic-embed-l-v2.0").question == "query: "


def test_the_prefixes_of_all_recommended_models_are_known() -> None:
    listed = [
        model
        for model in load_catalogue(resources_folder() / CATALOGUE_NAME)
        if model.purpose == "Search and compare texts" and "Reranker" not in model.name
    ]
    without = {model.name for model in listed if prefixes_of(model.name) == ("", "")}
    assert len(listed) > 3
    assert without == {"BGE M3"}
