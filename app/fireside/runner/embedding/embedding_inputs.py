"""Check and tokenize the inputs of embedding and reranking requests."""

from __future__ import annotations

import re
from typing import Final, Protocol

import numpy as np

from fireside.core.errors import ContextLengthExceeded, InvalidText, PromptTooLarge, RequestError
from fireside.core.i18n import tr_noop
from fireside.core.options import PURPOSE_TEXTS, Purpose
from fireside.core.prompt_input import (
    ChatInput,
    EmbeddingInput,
    InfillInput,
    PromptInput,
    RerankInput,
    TextInput,
    TokenInput,
)
from fireside.runner.prompt.prompt_fitting import BYTES_PER_TOKEN
from fireside.runner.prompt.text_checks import check_text
from fireside.runner.tokens import Tokens

_TASK_TEXTS: Final[dict[type[PromptInput], str]] = {
    ChatInput: "chat",
    TextInput: tr_noop("generate text"),
    TokenInput: tr_noop("generate text"),
    InfillInput: tr_noop("generate text"),
    EmbeddingInput: tr_noop("create embeddings"),
    RerankInput: tr_noop("rerank texts"),
}
QUERY_MARK = "{query}"
DOCUMENT_MARK = "{document}"
_PLACEHOLDER: Final = re.compile(f"({re.escape(QUERY_MARK)}|{re.escape(DOCUMENT_MARK)})")


class WholeTokenizer(Protocol):
    """Tokenizer for whole texts; see ``WholeTexts``."""

    def tokenize_whole(self, text: str) -> Tokens:
        """Return the tokens of ``text`` with the model's begin and end tokens."""
        ...

    def tokenize_pair(self, first: str, second: str) -> Tokens:
        """Return the tokens of two texts with the model's begin, separator and end tokens."""
        ...

    def tokenize_template(self, parts: tuple[tuple[str, bool], ...]) -> Tokens:
        """Return the tokens of (text, special) parts; control tokens only in those that are special."""
        ...


class InputReader:
    """Checks and tokenizes the inputs of requests.

    Args:
        purpose: what the model was loaded for.
        n_max: most tokens of one input.
        rerank_template: the model's template for a pair, with ``{query}`` and ``{document}``, or ``None``.
    """

    def __init__(
        self, *, tokenizer: WholeTokenizer, purpose: Purpose, n_max: int, rerank_template: str | None
    ) -> None:
        self._tokenizer = tokenizer
        self._purpose = purpose
        self._n_max = n_max
        self._rerank_template = rerank_template

    def read(self, prompt: PromptInput) -> list[Tokens]:
        """Return the tokens of each input, none empty, none too long.

        Raises:
            model_unsuited: the request is for another kind of model.
            InvalidText: a text is empty, or holds NUL or a lone surrogate.
            PromptTooLarge, ContextLengthExceeded: a text is too long.
        """
        match prompt:
            case EmbeddingInput() if self._purpose is Purpose.EMBED:
                return [self._whole(text, is_cut=prompt.truncate) for text in prompt.texts]
            case RerankInput() if self._purpose is Purpose.RERANK:
                query = self._text(prompt.query)
                return [self._checked(self._pair(query, self._text(text))) for text in prompt.documents]
            case _:
                raise RequestError.of(
                    "model_unsuited", wanted=_TASK_TEXTS[type(prompt)], is_for=PURPOSE_TEXTS[self._purpose]
                )

    def _whole(self, text: str, *, is_cut: bool) -> Tokens:
        if is_cut:
            limit = BYTES_PER_TOKEN * self._n_max
            text = text.encode("utf-8", "surrogatepass")[:limit].decode("utf-8", "ignore")
        tokens = self._tokenizer.tokenize_whole(self._text(text))
        if is_cut and len(tokens) > self._n_max:
            # The last one may be the end token.
            tokens = np.concatenate((tokens[: self._n_max - 1], tokens[-1:]))
        return self._checked(tokens)

    def _text(self, text: str) -> str:
        if not text.strip():
            raise InvalidText(reason=tr_noop("it is empty."))
        check_text(text)
        n_bytes, limit = len(text.encode()), BYTES_PER_TOKEN * self._n_max
        if n_bytes > limit:
            raise PromptTooLarge(n_bytes=n_bytes, limit_bytes=limit)
        return text

    def _pair(self, query: str, document: str) -> Tokens:
        if self._rerank_template is None:
            return self._tokenizer.tokenize_pair(query, document)
        texts = {QUERY_MARK: query, DOCUMENT_MARK: document}
        parts = filter(None, _PLACEHOLDER.split(self._rerank_template))
        return self._tokenizer.tokenize_template(
            tuple((texts.get(part, part), part not in texts) for part in parts)
        )

    def _checked(self, tokens: Tokens) -> Tokens:
        if not len(tokens):
            raise InvalidText(reason=tr_noop("it is empty."))
        if len(tokens) > self._n_max:
            raise ContextLengthExceeded(n_prompt=len(tokens), n_ctx=self._n_max)
        return np.ascontiguousarray(tokens, np.int32)
