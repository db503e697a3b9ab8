"""Check and tokenize the inputs of embedding and reranking requests."""

from __future__ import annotations

import numpy as np
import pytest

from fakes.raised import refuses
from fireside.core.errors import ContextLengthExceeded, InvalidText, PromptTooLarge
from fireside.core.options import Purpose
from fireside.core.prompt_input import EmbeddingInput, RerankInput, TextInput
from fireside.runner.embedding.embedding_inputs import InputReader
from fireside.runner.prompt.prompt_fitting import BYTES_PER_TOKEN
from fireside.runner.tokens import Tokens

N_MAX = 32


class Letters:
    """A byte is a token; [ and ] begin and end a text, | separates two."""

    def tokenize_whole(self, text: str) -> Tokens:
        return np.frombuffer(f"[{text}]".encode(), np.uint8).astype(np.int32)

    def tokenize_pair(self, first: str, second: str) -> Tokens:
        return self.tokenize_whole(f"{first}|{second}")

    def tokenize_template(self, parts: tuple[tuple[str, bool], ...]) -> Tokens:
        text = "".join(text.upper() if special else text for text, special in parts)
        return np.frombuffer(text.encode(), np.uint8).astype(np.int32)


def reader(purpose: Purpose, *, template: str | None = None) -> InputReader:
    return InputReader(tokenizer=Letters(), purpose=purpose, n_max=N_MAX, rerank_template=template)


def texts(tokens: list[Tokens]) -> list[str]:
    return [bytes(array.astype(np.uint8)).decode() for array in tokens]


def test_pair_without_a_template_is_tokenized_by_the_vocabulary() -> None:
    read = reader(Purpose.RERANK).read(RerankInput(query="q", documents=("d", "e")))
    assert texts(read) == ["[q|d]", "[q|e]"]


def test_placeholders_within_the_texts_of_a_pair_are_not_replaced() -> None:
    tokens_of_pair = reader(Purpose.RERANK, template="<q>{query}<d>{document}</d>").read(
        RerankInput(query="is {document} it", documents=("<q>",))
    )
    assert texts(tokens_of_pair) == ["<Q>is {document} it<D><q></D>"]


def test_text_of_exactly_the_limit_is_accepted_and_a_longer_one_refused() -> None:
    embed = reader(Purpose.EMBED)
    assert len(embed.read(EmbeddingInput(texts=("a" * (N_MAX - 2),)))[0]) == N_MAX
    with pytest.raises(ContextLengthExceeded) as caught:
        embed.read(EmbeddingInput(texts=("a" * (N_MAX - 1),)))
    assert (caught.value.n_prompt, caught.value.n_ctx) == (N_MAX + 1, N_MAX)


def test_oversized_text_is_refused_before_it_is_tokenized() -> None:
    with pytest.raises(PromptTooLarge):
        reader(Purpose.EMBED).read(EmbeddingInput(texts=("a" * (BYTES_PER_TOKEN * N_MAX + 1),)))


@pytest.mark.parametrize("text", ["", " \n", "a\x00", "\ud800"])
def test_invalid_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidText):
        reader(Purpose.EMBED).read(EmbeddingInput(texts=(text,)))


def test_request_for_another_kind_of_model_names_both_kinds() -> None:
    with refuses("model_unsuited") as caught:
        reader(Purpose.EMBED).read(TextInput(text="Once"))
    assert caught.value.facts() == {"wanted": "generate text", "is_for": "embeddings"}
