"""Make a prompt fit: refuse what is far too long, drop the oldest turns, count tokens."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

from fireside.core.errors import ContextLengthExceeded, InvalidText, PromptTooLarge
from fireside.core.generation import Overflow, Truncation
from fireside.core.message import ChatMessage, Role, text_message, texts_of
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.prompt.checks import check_text
from fireside.prompt.segments import Prompt
from fireside.prompt.turns import Messages, Turns, split_turns
from fireside.runner.cache import Tokens

BYTES_PER_TOKEN: Final = 16
"""Prose has four to five bytes a token, indented code up to ten."""
_TYPICAL_BYTES_PER_TOKEN: Final = 4
_BYTES_BESIDE: Final = 64 * 1024
_REPLY_RESERVE: Final = 256


class Template(Protocol):
    def render(self, messages: Sequence[ChatMessage]) -> Prompt: ...


class Tokenizer(Protocol):
    def tokenize(self, prompt: Prompt) -> Tokens: ...


class FittedPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens of a prompt that fits, and what was left out for it.

    Tokens of turns that were dropped for their bytes alone are an estimate; all others are counted.
    """

    tokens: Tokens
    truncation: Truncation | None


class PromptFitter:
    """Turns messages into tokens that fit a context of ``n_ctx`` tokens."""

    def __init__(self, *, template: Template, tokenizer: Tokenizer, n_ctx: int) -> None:
        self._template = template
        self._tokenizer = tokenizer
        self._n_ctx = n_ctx
        self._limit_bytes = BYTES_PER_TOKEN * n_ctx + _BYTES_BESIDE

    def fit(self, prompt: PromptInput, *, overflow: Overflow, max_tokens: int | None = None) -> FittedPrompt:
        """Return the tokens to begin the answer with; see ``fit_chat`` for a conversation."""
        match prompt:
            case ChatInput():
                return self.fit_chat(prompt.messages, overflow=overflow, max_tokens=max_tokens)
            case _:
                raise InvalidText(reason="only conversations can be answered.")

    def fit_chat(
        self, messages: Messages, *, overflow: Overflow, max_tokens: int | None = None
    ) -> FittedPrompt:
        """Return the prompt for the next answer.

        With ``DROP_OLDEST`` the fewest oldest turns are left out that make room for the prompt and a reply of
        ``max_tokens`` (256 if open), or of a quarter of the context if that is less. When only the system
        prompt and the last turn are left, it is enough that the prompt alone fits.

        Raises:
            PromptTooLarge: what may not be dropped has more bytes than any text that fits. It is not
                tokenized only to be refused, which would take long.
            ContextLengthExceeded: what may not be dropped has too many tokens.
            InvalidText, TemplateFailed: as ``ChatTemplate.render``.
        """
        conversation = split_turns(messages)
        n_droppable = max(0, len(conversation.turns) - 1) if overflow is Overflow.DROP_OLDEST else 0
        n_unread, n_bytes_unread = self._drop_by_size(conversation, n_droppable=n_droppable)
        tokens = self._tokens(conversation.without_oldest(n_unread))
        n_all = len(tokens)
        n_room = self._n_ctx - min(max_tokens or _REPLY_RESERVE, self._n_ctx // 4)
        n_drop = n_unread
        if n_all > n_room and n_droppable > n_unread:
            candidates = range(n_unread + 1, n_droppable + 1)
            # The prompt only gets shorter, so bisection finds the first that fits; if none does, all go.
            n_drop = candidates[
                min(
                    bisect.bisect_left(
                        candidates,
                        True,
                        key=lambda n: len(self._tokens(conversation.without_oldest(n))) <= n_room,
                    ),
                    len(candidates) - 1,
                )
            ]
            tokens = self._tokens(conversation.without_oldest(n_drop))
        if len(tokens) >= self._n_ctx:
            raise ContextLengthExceeded(n_prompt=len(tokens), n_ctx=self._n_ctx)
        if not len(tokens):
            raise InvalidText(reason="it is empty.")
        if not n_drop:
            return FittedPrompt(tokens=tokens, truncation=None)
        n_messages = sum(map(len, conversation.turns[:n_drop]))
        n_dropped = n_all - len(tokens) + n_bytes_unread // _TYPICAL_BYTES_PER_TOKEN
        return FittedPrompt(tokens=tokens, truncation=Truncation(n_messages=n_messages, n_tokens=n_dropped))

    def count(self, messages: Messages, *, draft: str) -> tuple[int, int]:
        """Return the tokens of the rendered prompt of ``messages`` and how many ``draft`` would add.

        Raises:
            PromptTooLarge, InvalidText, TemplateFailed: as ``fit``.
        """
        check_text(draft)
        with_draft = (*messages, text_message(Role.USER, draft)) if draft else messages
        self._drop_by_size(split_turns(with_draft), n_droppable=0)
        n_history = len(self._tokens(messages)) if messages else 0
        n_all = len(self._tokens(with_draft)) if draft else n_history
        return n_history, max(0, n_all - n_history)

    def _tokens(self, messages: Messages) -> Tokens:
        return self._tokenizer.tokenize(self._template.render(messages))

    def _drop_by_size(self, conversation: Turns, *, n_droppable: int) -> tuple[int, int]:
        """Return how many turns are too many by their bytes alone, and how many bytes those have.

        Raises:
            PromptTooLarge: the rest is still too large when ``n_droppable`` turns are gone.
        """
        n_bytes = _size(conversation.without_oldest(0))
        n_dropped = n_bytes_dropped = 0
        while n_bytes > self._limit_bytes:
            if n_dropped == n_droppable:
                raise PromptTooLarge(n_bytes=n_bytes, limit_bytes=self._limit_bytes)
            n_turn = _size(conversation.turns[n_dropped])
            n_bytes -= n_turn
            n_bytes_dropped += n_turn
            n_dropped += 1
        return n_dropped, n_bytes_dropped


def _size(messages: Messages) -> int:
    """Bytes of all texts in UTF-8."""
    return sum(
        len(text.encode("utf-8", "surrogatepass"))
        for message in messages
        for part in message.parts
        for text in texts_of(part)
    )
