"""What of a conversation fits the context."""

from __future__ import annotations

import numpy as np
import pytest

from fireside.core.errors import ContextLengthExceeded, InvalidText, PromptTooLarge
from fireside.core.generation import Overflow
from fireside.core.message import ChatMessage, Role, text_message
from fireside.core.prompt_input import ChatInput
from fireside.runner.prompt.prompt_fitting import BYTES_PER_TOKEN, FittedPrompt, PromptFitter
from fireside.runner.prompt.segments import Prompt, PromptSegment, prompt_of
from fireside.runner.tokens import Tokens

N_CTX = 100
LIMIT_BYTES = BYTES_PER_TOKEN * N_CTX + 64 * 1024


class LetterTokenizer:
    """A letter is a token; counts its calls."""

    def __init__(self) -> None:
        self.n_calls = 0

    def tokenize_segments(self, prompt: Prompt) -> list[Tokens]:
        self.n_calls += 1
        texts = ["", *(segment.text for segment in prompt.segments)]
        return [np.frombuffer(text.encode(), np.uint8).astype(np.int32) for text in texts]


class PlainTemplate:
    """Concatenated texts, without any text of its own."""

    def render(self, chat: ChatInput) -> Prompt:
        return prompt_of(
            PromptSegment(text=message.text, special=False, role=message.role, message=index)
            for index, message in enumerate(chat.messages)
        )


def _fitter() -> PromptFitter:
    return PromptFitter(template=PlainTemplate(), tokenizer=LetterTokenizer(), n_ctx=N_CTX)


def _fit(
    messages: tuple[ChatMessage, ...], *, overflow: Overflow, max_tokens: int | None = None
) -> FittedPrompt:
    return _fitter().fit(ChatInput(messages=messages), overflow=overflow, max_tokens=max_tokens)


def _text(tokens: Tokens) -> str:
    return bytes(tokens.tolist()).decode()


SYSTEM = text_message(Role.SYSTEM, "s" * 10)


def _turn(letter: str, n: int) -> tuple[ChatMessage, ...]:
    return (text_message(Role.USER, letter * n), text_message(Role.ASSISTANT, letter.upper() * n))


def test_prompt_that_fits_is_unchanged() -> None:
    fitted = _fit((SYSTEM, *_turn("a", 10)), overflow=Overflow.DROP_OLDEST)
    assert _text(fitted.tokens) == "s" * 10 + "a" * 10 + "A" * 10
    assert fitted.truncation is None


def test_the_fewest_oldest_turns_are_dropped() -> None:
    messages = (SYSTEM, *_turn("a", 15), *_turn("b", 15), *_turn("c", 15), text_message(Role.USER, "d"))
    fitted = _fit(messages, overflow=Overflow.DROP_OLDEST)
    assert _text(fitted.tokens) == "s" * 10 + "b" * 15 + "B" * 15 + "c" * 15 + "C" * 15 + "d"


def test_remaining_prompt_may_fill_the_space_exactly() -> None:
    messages = (*_turn("a", 10), *_turn("b", 30), text_message(Role.USER, "c" * 15))
    fitted = _fit(messages, overflow=Overflow.DROP_OLDEST)
    assert len(fitted.tokens) == 75


def test_dropped_turns_are_reported() -> None:
    messages = (SYSTEM, *_turn("a", 15), *_turn("b", 15), *_turn("c", 15), text_message(Role.USER, "d"))
    truncation = _fit(messages, overflow=Overflow.DROP_OLDEST).truncation
    assert truncation is not None
    assert (truncation.n_messages, truncation.n_tokens) == (2, 30)


def test_space_for_the_reply_is_reserved() -> None:
    """A quarter of the context: 75 tokens fit, 76 do not."""
    fits = (*_turn("a", 10), text_message(Role.USER, "b" * 55))
    assert _fit(fits, overflow=Overflow.DROP_OLDEST).truncation is None
    over = (*_turn("a", 10), text_message(Role.USER, "b" * 56))
    assert _fit(over, overflow=Overflow.DROP_OLDEST).truncation is not None


def test_short_reply_reserves_less_space() -> None:
    messages = (*_turn("a", 10), text_message(Role.USER, "b" * 70))
    fitted = _fit(messages, overflow=Overflow.DROP_OLDEST, max_tokens=5)
    assert fitted.truncation is None


def test_all_turns_but_the_last_may_be_dropped() -> None:
    messages = (SYSTEM, *_turn("a", 20), *_turn("b", 20), text_message(Role.USER, "c" * 80))
    fitted = _fit(messages, overflow=Overflow.DROP_OLDEST)
    assert _text(fitted.tokens) == "s" * 10 + "c" * 80


def test_last_turn_that_does_not_fit_is_refused_with_token_counts() -> None:
    messages = (SYSTEM, *_turn("a", 20), text_message(Role.USER, "c" * 95))
    with pytest.raises(ContextLengthExceeded) as caught:
        _fit(messages, overflow=Overflow.DROP_OLDEST)
    assert (caught.value.n_prompt, caught.value.n_ctx) == (105, N_CTX)


def test_nothing_is_dropped_if_overflow_is_refused() -> None:
    messages = (*_turn("a", 45), text_message(Role.USER, "b" * 20))
    with pytest.raises(ContextLengthExceeded):
        _fit(messages, overflow=Overflow.REFUSE)


def test_huge_paste_is_refused_before_it_is_tokenized() -> None:
    tokenizer = LetterTokenizer()
    fitter = PromptFitter(template=PlainTemplate(), tokenizer=tokenizer, n_ctx=N_CTX)
    with pytest.raises(PromptTooLarge) as caught:
        fitter.fit(
            ChatInput(messages=(text_message(Role.USER, "a" * 10_000_000),)), overflow=Overflow.DROP_OLDEST
        )
    assert (caught.value.n_bytes, caught.value.limit_bytes) == (10_000_000, LIMIT_BYTES)
    assert tokenizer.n_calls == 0


def test_huge_old_turn_is_dropped_without_tokenizing_it() -> None:
    messages = (*_turn("a", LIMIT_BYTES), text_message(Role.USER, "b"))
    fitted = _fit(messages, overflow=Overflow.DROP_OLDEST)
    assert _text(fitted.tokens) == "b"
    assert fitted.truncation is not None
    assert fitted.truncation.n_tokens == 2 * LIMIT_BYTES // 4


def test_empty_prompt_is_refused() -> None:
    with pytest.raises(InvalidText):
        _fit((text_message(Role.USER, ""),), overflow=Overflow.DROP_OLDEST)
