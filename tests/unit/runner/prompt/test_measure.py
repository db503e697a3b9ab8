"""A measured prompt equals the fitted one."""

from __future__ import annotations

import numpy as np
import pytest

from fireside.core.generation import Overflow
from fireside.core.message import ChatMessage, DocumentPart, Role, TextPart, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import MessageTokens, PromptMeasureRequest
from fireside.core.task import GenerationTask
from fireside.runner.prompt.conversation_turns import system_into_user
from fireside.runner.prompt.prompt_fitting import PromptFitter
from fireside.runner.prompt.segments import Prompt, PromptSegment, prompt_of
from fireside.runner.tokens import Tokens

N_CTX = 200
SYSTEM = text_message(Role.SYSTEM, "s" * 10)


class _Letters:
    def tokenize_segments(self, prompt: Prompt) -> list[Tokens]:
        texts = ["", *(segment.text for segment in prompt.segments)]
        return [np.frombuffer(text.encode(), np.uint8).astype(np.int32) for text in texts]


class _Around:
    """Renders two letters around each message, as a template does."""

    def render(self, chat: ChatInput) -> Prompt:
        segments: list[PromptSegment] = []
        for index, message in enumerate(chat.messages):
            text = "".join(
                part.text if isinstance(part, TextPart) else part.prompt_text
                for part in message.parts
                if isinstance(part, TextPart | DocumentPart)
            )
            segments.append(PromptSegment(text="<", special=True))
            segments.append(PromptSegment(text=text, special=False, role=message.role, message=index))
            segments.append(PromptSegment(text=">", special=True))
        return prompt_of(segments)


class _Joining(_Around):
    """Has no system role."""

    def render(self, chat: ChatInput) -> Prompt:
        return super().render(ChatInput(messages=system_into_user(chat.messages)))


def _fitter(template: _Around | None = None) -> PromptFitter:
    return PromptFitter(template=template or _Around(), tokenizer=_Letters(), n_ctx=N_CTX)


def _turn(letter: str, n: int) -> tuple[ChatMessage, ...]:
    return (text_message(Role.USER, letter * n), text_message(Role.ASSISTANT, letter.upper() * n))


def _question(*messages: ChatMessage, overflow: Overflow = Overflow.DROP_OLDEST) -> PromptMeasureRequest:
    return PromptMeasureRequest(
        prompt=ChatInput(messages=messages), overflow=overflow, n_reserve=40, drop_to=0.5
    )


def _n_prompt(question: PromptMeasureRequest, fitter: PromptFitter) -> int:
    task = GenerationTask(
        prompt=question.prompt,
        sampling=SamplingParams(),
        overflow=question.overflow,
        n_reserve=question.n_reserve,
        drop_to=question.drop_to,
    )
    return len(fitter.fit_task(task).tokens)


def test_tokens_are_counted_per_message() -> None:
    measure = _fitter().measure(_question(SYSTEM, *_turn("a", 5), text_message(Role.USER, "bbb")))
    assert measure.n_system == 10
    assert [message.n_tokens for message in measure.messages] == [5, 5, 3]
    assert measure.n_prompt == 23 + 2 * 4
    assert measure.fits
    assert measure.n_dropped == 0


def test_measured_prompt_equals_the_fitted_prompt() -> None:
    fitter = _fitter()
    messages: list[ChatMessage] = [SYSTEM]
    for letter in "abcdefghijklmnop":
        messages += _turn(letter, 9)
        question = _question(*messages, text_message(Role.USER, "?"))
        assert fitter.measure(question).n_prompt == _n_prompt(question, fitter)


def test_dropped_messages_are_counted_too() -> None:
    turns = [message for letter in "abcdef" for message in _turn(letter, 18)]
    measure = _fitter().measure(_question(SYSTEM, *turns))
    assert measure.n_dropped > 2
    assert measure.n_prompt <= N_CTX - 40
    assert [message.n_tokens for message in measure.messages] == [18] * 12


def test_messages_joined_by_the_template_are_counted_separately() -> None:
    fitter = _fitter(_Joining())
    question = _question(SYSTEM, *_turn("a", 5), text_message(Role.USER, "bbb"))
    measure = fitter.measure(question)
    assert measure.n_system == 10
    assert [message.n_tokens for message in measure.messages] == [5, 5, 3]
    assert measure.n_prompt == _n_prompt(question, fitter)


def test_document_is_counted_apart_from_the_text() -> None:
    part = DocumentPart(name="n", media_type="text/plain", text="d" * 7, size_bytes=7)
    message = ChatMessage(role=Role.USER, parts=(part, TextPart(text="why")))
    (measured,) = _fitter().measure(_question(message)).messages
    assert measured == MessageTokens(len(part.prompt_text.encode()) + 3, len(part.prompt_text.encode()))


@pytest.mark.parametrize("overflow", [Overflow.REFUSE, Overflow.DROP_OLDEST])
def test_prompt_that_can_never_fit_is_measured_as_not_fitting(overflow: Overflow) -> None:
    measure = _fitter().measure(_question(SYSTEM, text_message(Role.USER, "x" * 300), overflow=overflow))
    assert not measure.fits
    assert measure.n_prompt == 314
    assert measure.n_dropped == 0


def test_oversized_conversation_is_truncated_by_bytes_in_large_steps() -> None:
    fitter = _fitter()
    turns = [message for index in range(300) for message in _turn(chr(97 + index % 26), 150)]
    cuts: list[int] = []
    for n in range(200, 300):
        measure = fitter.measure(_question(SYSTEM, *turns[: 2 * n]))
        assert measure.fits is False or measure.n_prompt < N_CTX
        cuts.append(measure.n_dropped)
    assert cuts == sorted(cuts)
