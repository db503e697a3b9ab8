"""Read an answer in any dialect: its text as events, counted, bounded and valid Unicode. Pure."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

import msgspec

from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.lenient_json import decode_leniently
from fireside.core.message import ToolCallPart
from fireside.remote.reasoning_splitter import ReasoningSplitter

log = logging.getLogger(__name__)

MAX_CALLS: Final = 128
_MAX_CHARACTERS: Final = 16 * 1024 * 1024
_MAX_LOGGED: Final = 20
_MAX_DEPTH: Final = 4
_KINDS: Final = {
    "thinking": OutputKind.REASONING,
    "reasoning": OutputKind.REASONING,
    "reasoning.text": OutputKind.REASONING,
    "reasoning.summary": OutputKind.REASONING,
    "reasoning_text": OutputKind.REASONING,
    "summary_text": OutputKind.REASONING,
    "refusal": OutputKind.ANSWER,
}
"""What a part's type says of its text; of other types it is what the text around it is."""
_TEXT_FIELDS: Final = {
    "text": None,
    "thinking": OutputKind.REASONING,
    "reasoning": OutputKind.REASONING,
    "refusal": OutputKind.ANSWER,
    "content": None,
    "summary": OutputKind.REASONING,
    "value": None,
}
"""Where a part has its text, and what that is if its type does not tell."""
_WITHOUT_TEXT: Final = ("redacted_thinking", "reasoning.encrypted")
"""Types of parts that are meant for the server alone."""

_T = TypeVar("_T")
Piece = tuple[OutputKind, str]


class AnswerTooLong(Exception):
    """An answer is longer than any model's: the server is faulty."""


class DeltaBuilder:
    """Builds events of pieces of text, and counts what could not be read."""

    def __init__(self) -> None:
        self.n_pieces = 0
        """An estimate of the tokens, if the server sends no usage."""
        self.n_not_understood = 0
        """How many values and events were left out, since they are not what the dialect has there."""
        self._n_characters = 0

    def decode(self, data: bytes, kind: type[_T]) -> _T | None:
        """Return an event as a struct of type ``kind``; ``None`` if it is not understood at all."""
        try:
            return decode_leniently(data, kind, on_dropped=self.note)
        except (msgspec.MsgspecError, RecursionError) as exc:
            self.note(f"{exc} in {data[:100]!r}")
            return None

    def note(self, what: str) -> None:
        """Count and log a part of the answer that is not understood."""
        self.n_not_understood += 1
        if self.n_not_understood <= _MAX_LOGGED:
            log.warning("a part of a remote answer is not understood: %s", what)

    def pieces(
        self, content: object, *, kind: OutputKind = OutputKind.ANSWER, depth: int = 0
    ) -> Iterator[Piece]:
        """Yield the texts of a content: a text, a list of parts, or a part with a ``type``, also nested."""
        match content:
            case None | "":
                pass
            case str():
                yield kind, content
            case int() | float() if not isinstance(content, bool):
                yield kind, str(content)
            case list() if depth < _MAX_DEPTH:
                for part in content:
                    yield from self.pieces(part, kind=kind, depth=depth + 1)
            case dict() if depth < _MAX_DEPTH:
                yield from self._part(content, kind=kind, depth=depth)
            case _:
                self.note(f"{type(content).__name__} as text")

    def _part(self, part: dict[str, object], *, kind: OutputKind, depth: int) -> Iterator[Piece]:
        name = part.get("type")
        for field, field_kind in _TEXT_FIELDS.items():
            if (text := part.get(field)) is not None:
                own_kind = _KINDS.get(name) if isinstance(name, str) else None
                yield from self.pieces(text, kind=own_kind or field_kind or kind, depth=depth + 1)
                return
        if name not in _WITHOUT_TEXT:
            self.note(f"a part of type {name!r}")

    def deltas(self, pieces: Iterable[Piece]) -> tuple[TextDelta, ...]:
        """Return the events of ``pieces``; one of ``MARKUP`` ends reasoning that was taken for the answer.
        Raises ``AnswerTooLong``."""
        deltas = []
        for kind, text in pieces:
            self.n_pieces += 1
            self.count(text)
            # A lone surrogate cannot be stored; the server is faulty.
            valid = text.encode("utf-8", "replace").decode()
            ends = kind is OutputKind.MARKUP
            shown_as = OutputKind.ANSWER if ends else kind
            deltas.append(
                TextDelta(text=valid, n_completion=self.n_pieces, kind=shown_as, ends_reasoning=ends)
            )
        return tuple(deltas)

    def count(self, text: str) -> None:
        """Count text that makes no event, such as a tool call's. Raises ``AnswerTooLong``."""
        self._n_characters += len(text)
        if self._n_characters > _MAX_CHARACTERS:
            raise AnswerTooLong


def arguments_text(arguments: object) -> str:
    """Return the arguments of a tool call as JSON, which some servers send as a value and some as text."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()


class AnswerReader(ABC):
    """Parses the events of one answer, in order."""

    def __init__(self) -> None:
        self.finish = ""
        """The server's finish reason; empty until it was sent."""
        self.is_done = False
        """Whether the last event was read."""
        self._deltas = DeltaBuilder()
        self._reasoning_splitter = ReasoningSplitter()

    @abstractmethod
    def read(self, data: bytes) -> tuple[TextDelta, ...]:
        """Return the output of one event; what is not understood in it is counted and left out.

        Raises ``ErrorResponse`` for an error in the answer, or ``AnswerTooLong``.
        """

    def end(self) -> tuple[TextDelta, ...]:
        """Return the text that was buffered because it could be part of a tag."""
        return self._deltas.deltas(self._reasoning_splitter.end())

    @property
    def is_blocked(self) -> bool:
        """Whether the server's content filter ended the answer."""
        return False

    @property
    @abstractmethod
    def reason(self) -> FinishReason:
        """Why the answer ended."""

    @property
    def n_not_understood(self) -> int:
        """How many parts of the response were left out."""
        return self._deltas.n_not_understood

    @property
    @abstractmethod
    def usage(self) -> Usage:
        """Token usage from the server; if it sends none, the number of text chunks."""

    @property
    @abstractmethod
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        """The tool calls at the end of the answer."""
