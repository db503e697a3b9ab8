"""Count the tokens of a rendered prompt per message and per turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from fireside.core.message import DocumentPart, ImagePart, PassagesPart, TextPart
from fireside.core.prompt_query import MessageTokens
from fireside.runner.prompt.conversation_turns import Messages, Turns
from fireside.runner.prompt.tokenized_prompt import Span, TokenizedPrompt
from fireside.runner.prompt.truncation import TurnSize

_TEMPLATE_TOKENS: Final = 6
"""Estimated tokens of the template around a message, where the prompt does not show them."""

_FILES: Final = (DocumentPart, PassagesPart)

CountText = Callable[[str], int]
"""Returns the tokens of a text by itself; cached."""


def message_tokens(
    messages: Messages, tokenized: TokenizedPrompt, *, count: CountText
) -> tuple[MessageTokens, ...]:
    """Return the token count of each of ``messages``, whose prompt is ``tokenized``.

    Where the template joined messages, each counts its own text by itself.
    """
    spans: Sequence[Span | None]
    spans = tokenized.messages if len(tokenized.messages) == len(messages) else [None] * len(messages)
    results: list[MessageTokens] = []
    for message, span in zip(messages, spans, strict=True):
        text = "".join(part.text for part in message.parts if isinstance(part, TextPart)).strip()
        files = "".join(part.prompt_text for part in message.parts if isinstance(part, _FILES))
        n_files = count(files + text) - count(text) if files else 0
        n_pictures = 0 if span is None else _n_picture_tokens(tokenized.pictures, span)
        n_tokens = count(files + text) if span is None else span.n_tokens
        has_files = any(isinstance(part, (ImagePart, *_FILES)) for part in message.parts)
        n_attached = min(n_tokens, n_files + n_pictures) if has_files else 0
        results.append(MessageTokens(n_tokens, n_attached))
    return tuple(results)


def turn_sizes(
    conversation: Turns, tokenized: TokenizedPrompt, *, count: CountText
) -> tuple[int, list[TurnSize]]:
    """Return the token count before all turns, and of each turn with the template's text around it.

    A turn has the same size in every prompt of a conversation in which it is not the last.
    """
    messages = conversation.without_oldest(0)
    n_all, n_system = len(tokenized.tokens), len(conversation.system)
    if len(tokenized.messages) == len(messages) and conversation.turns:
        starts = [*(span.start for span in tokenized.messages[n_system:]), n_all]
    else:
        message_sizes = message_tokens(messages, tokenized, count=count)[n_system:]
        following = accumulate(
            (size.n_tokens + _TEMPLATE_TOKENS for size in reversed(message_sizes)), initial=0
        )
        starts = [max(0, n_all - n) for n in following][::-1]
    sizes: list[TurnSize] = []
    index = 0
    for turn in conversation.turns:
        end = index + len(turn)
        question = starts[index + 1] - starts[index]
        sizes.append(TurnSize(question=question, whole=starts[end] - starts[index]))
        index = end
    return starts[0], sizes


def _n_picture_tokens(pictures: Sequence[Span], message: Span) -> int:
    return sum(picture.n_tokens for picture in pictures if message.start <= picture.start < message.end)
