"""Have the model write a summary of messages: its own request, in pieces where they are too many for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from fireside.core.context import MessageTokens
from fireside.core.errors import SummaryFailed
from fireside.core.i18n import tr_noop
from fireside.core.ids import RequestId
from fireside.core.message import ChatMessage, ImagePart, Role, text_message, texts_of
from fireside.engine.engine import Engine
from fireside.engine.request import GenerationRequest
from fireside.services.background_generation import background_task, generate_text

MOST_TOKENS: Final = 512
LEAST_TOKENS: Final = 48
_SHARE: Final = 8
"""A summary takes at most this part of the context, so that most of it stays for what is said in full."""
_BESIDE: Final = 220
"""Tokens of the instruction and of what the template writes, generously."""
_MARGIN: Final = 0.9
"""What a message takes here need not be what it takes elsewhere, to the token."""
INSTRUCTION: Final = (
    "Below is the earlier part of a conversation between a user and an assistant. Write a summary that lets "
    "the assistant go on without having read it: what the user wants, names, facts, numbers, decisions, and "
    "what is still open. Be brief, write in the language of the conversation, add nothing of your own, and "
    "answer with the summary alone."
)
_BEFORE: Final = "What came before that, in short:\n"
_LAST_WORDS: Final = "Now write the summary."

Report = Callable[[float], None]


class SummaryInput(msgspec.Struct, frozen=True, kw_only=True):
    """What a summary is to stand for."""

    messages: tuple[ChatMessage, ...]
    costs: tuple[MessageTokens, ...]
    """Of each of them."""
    before: str = ""
    """The summary of what came before them."""
    n_ctx: int


class Summariser:
    """All methods on the engine's loop."""

    def __init__(self, *, engine: Engine, next_id: Callable[[], RequestId]) -> None:
        self._engine = engine
        self._next_id = next_id

    async def write(self, wanted: SummaryInput, *, like: GenerationRequest, report: Report) -> str:
        """Return the summary, at most an eighth of the context long.

        ``like`` says with which model, loaded how; ``report`` gets how far it is, 0 to 1. A cancelled caller
        cancels what runs. Raises ``SummaryFailed``, or the ``FiresideError`` of the request.
        """
        n_most = max(LEAST_TOKENS, min(MOST_TOKENS, wanted.n_ctx // _SHARE))
        n_room = int((wanted.n_ctx - 2 * n_most - _BESIDE) * _MARGIN)
        if n_room < LEAST_TOKENS:
            raise SummaryFailed(reason=tr_noop("the model's context is too small."))
        pieces = pieces_of(wanted.messages, wanted.costs, n_room=n_room)
        text = wanted.before
        for index, piece in enumerate(pieces):

            def part_done(fraction: float, index: int = index) -> None:
                report((index + fraction) / len(pieces))

            prompt = _prompt(piece, before=text)
            text = await self._ask(prompt, like=like, n_most=n_most, report=part_done)
        return text

    async def _ask(self, prompt: str, *, like: GenerationRequest, n_most: int, report: Report) -> str:
        task = background_task(text_message(Role.USER, prompt), max_tokens=n_most)
        request = replace(like, request_id=self._next_id(), task=task)
        summary = await generate_text(
            self._engine.generate, request, on_tokens=lambda n: report(min(1.0, n / n_most))
        )
        if summary is None:
            raise SummaryFailed(reason=tr_noop("it was cancelled."))
        if not summary:
            raise SummaryFailed(reason=tr_noop("the model wrote nothing."))
        return summary


def pieces_of(messages: Sequence[ChatMessage], costs: Sequence[MessageTokens], *, n_room: int) -> list[str]:
    """Return the messages as texts of at most ``n_room`` tokens each; a longer message is cut into parts."""
    pieces: list[str] = []
    now: list[str] = []
    n_now = 0
    for message, cost in zip(messages, costs, strict=True):
        n_tokens = cost.n_tokens + 4
        for part in _parts(_worded(message), n_tokens=n_tokens, n_room=n_room):
            n_part = min(n_tokens, n_room)
            if now and n_now + n_part > n_room:
                pieces.append("\n\n".join(now))
                now, n_now = [], 0
            now.append(part)
            n_now += n_part
    return [*pieces, "\n\n".join(now)] if now else pieces


def _parts(text: str, *, n_tokens: int, n_room: int) -> list[str]:
    n_parts = -(-n_tokens // n_room)
    length = -(-len(text) // n_parts)
    return [text[start : start + length] for start in range(0, len(text), length)]


def _worded(message: ChatMessage) -> str:
    who = {Role.USER: "User", Role.ASSISTANT: "Assistant"}.get(message.role, "Note")
    texts = [
        f"[An image “{part.name}”]" if isinstance(part, ImagePart) else "".join(texts_of(part))
        for part in message.parts
        if part not in message.tool_calls
    ]
    return f"{who}: {''.join(texts).strip()}"


def _prompt(piece: str, *, before: str) -> str:
    earlier = f"{_BEFORE}{before}\n\n" if before else ""
    return f"{INSTRUCTION}\n\n{earlier}{piece}\n\n{_LAST_WORDS}"
