"""Have the model write a summary of messages, in several requests where they do not fit into one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from fireside.core.errors import RequestError
from fireside.core.i18n import tr_noop
from fireside.core.ids import RequestId
from fireside.core.message import (
    AudioPart,
    ChatMessage,
    ImagePart,
    MediaPart,
    Role,
    VideoPart,
    text_message,
    texts_of,
)
from fireside.core.prompt_query import MessageTokens
from fireside.engine.request import GenerationRequest
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.services.background_generation import background_task, generate_text

MAX_TOKENS: Final = 512
_MEDIA: Final = {ImagePart: "An image", AudioPart: "An audio file", VideoPart: "A video"}
MIN_TOKENS: Final = 48
_SHARE: Final = 8
"""A summary takes at most one of this many parts of the context, which leaves most of it to messages."""
_OVERHEAD_TOKENS: Final = 220
"""Tokens of the instruction and of the chat template, generously."""
_MARGIN: Final = 0.9
"""Safety factor: the token count of a message depends slightly on its surroundings."""
INSTRUCTION: Final = (
    "Below is the earlier part of a conversation between a user and an assistant. Write a summary that lets "
    "the assistant go on without having read it: what the user wants, names, facts, numbers, decisions, and "
    "what is still open. Be brief, write in the language of the conversation, add nothing of your own, and "
    "answer with the summary alone."
)
_EARLIER: Final = "What came before that, in short:\n"
_CLOSING: Final = "Now write the summary."

Report = Callable[[float], None]


class SummaryInput(msgspec.Struct, frozen=True, kw_only=True):
    """What a summary is written of."""

    messages: tuple[ChatMessage, ...]
    costs: tuple[MessageTokens, ...]
    """The tokens of each message."""
    before: str = ""
    """The summary of all earlier messages; empty where there are none."""
    n_ctx: int


class Summariser:
    """All methods on the engine's loop."""

    def __init__(self, *, engine: SharedEngine, next_id: Callable[[], RequestId]) -> None:
        self._engine = engine
        self._next_id = next_id

    async def write(self, source: SummaryInput, *, base: GenerationRequest, report: Report) -> str:
        """Return the summary, at most an eighth of the context long.

        ``base`` has the model and its load options; ``report`` receives the progress, 0 to 1. Cancelling the
        caller cancels the request. Raises ``summary_failed``, or the ``FiresideError`` of the request.
        """
        max_tokens = max(MIN_TOKENS, min(MAX_TOKENS, source.n_ctx // _SHARE))
        piece_tokens = int((source.n_ctx - 2 * max_tokens - _OVERHEAD_TOKENS) * _MARGIN)
        if piece_tokens < MIN_TOKENS:
            raise RequestError.of("summary_failed", reason=tr_noop("the model's context is too small."))
        pieces = split_messages(source.messages, source.costs, piece_tokens=piece_tokens)
        text = source.before
        for index, piece in enumerate(pieces):

            def report_piece(fraction: float, index: int = index) -> None:
                report((index + fraction) / len(pieces))

            prompt = _prompt(piece, before=text)
            text = await self._ask(prompt, base=base, max_tokens=max_tokens, report=report_piece)
        return text

    async def _ask(self, prompt: str, *, base: GenerationRequest, max_tokens: int, report: Report) -> str:
        task = background_task(text_message(Role.USER, prompt), max_tokens=max_tokens)
        request = replace(base, request_id=self._next_id(), task=task)
        summary = await generate_text(
            self._engine.generate, request, on_tokens=lambda n: report(min(1.0, n / max_tokens))
        )
        if summary is None:
            raise RequestError.of("summary_failed", reason=tr_noop("it was cancelled."))
        if not summary:
            raise RequestError.of("summary_failed", reason=tr_noop("the model wrote nothing."))
        return summary


def split_messages(
    messages: Sequence[ChatMessage], costs: Sequence[MessageTokens], *, piece_tokens: int
) -> list[str]:
    """Return the messages as texts of at most ``piece_tokens`` each; a longer message is cut into parts."""
    pieces: list[str] = []
    current: list[str] = []
    n_current = 0
    for message, cost in zip(messages, costs, strict=True):
        n_tokens = cost.n_tokens + 4
        for part in _parts(_as_text(message), n_tokens=n_tokens, piece_tokens=piece_tokens):
            n_part = min(n_tokens, piece_tokens)
            if current and n_current + n_part > piece_tokens:
                pieces.append("\n\n".join(current))
                current, n_current = [], 0
            current.append(part)
            n_current += n_part
    return [*pieces, "\n\n".join(current)] if current else pieces


def _parts(text: str, *, n_tokens: int, piece_tokens: int) -> list[str]:
    n_parts = -(-n_tokens // piece_tokens)
    length = -(-len(text) // n_parts)
    return [text[start : start + length] for start in range(0, len(text), length)]


def _as_text(message: ChatMessage) -> str:
    speaker = {Role.USER: "User", Role.ASSISTANT: "Assistant"}.get(message.role, "Note")
    texts = [
        f"[{_MEDIA[type(part)]} “{part.name}”]" if isinstance(part, MediaPart) else "".join(texts_of(part))
        for part in message.parts
        if part not in message.tool_calls
    ]
    return f"{speaker}: {''.join(texts).strip()}"


def _prompt(piece: str, *, before: str) -> str:
    earlier = f"{_EARLIER}{before}\n\n" if before else ""
    return f"{INSTRUCTION}\n\n{earlier}{piece}\n\n{_CLOSING}"
