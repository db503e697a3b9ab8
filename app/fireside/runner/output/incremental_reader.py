"""Read text that arrives in pieces: let it through, or hold it until its kind is known."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import TypeVar

from fireside.core.constraint import Constraint
from fireside.core.generation import OutputKind
from fireside.core.message import ToolCallPart
from fireside.runner.output.output_events import ConstraintStart, OutputEvent, OutputText, ToolCallMade

T = TypeVar("T")
Script = Generator[None, None, T]
"""A reading in progress. It yields when it needs more text than there is."""

_JSON_STRUCTURE = re.compile(r'["{}\[\]]')
_NO_SPACE = re.compile(r"\S")
_STRING_STRUCTURE = re.compile(r'["\\]')


class Markers:
    """Texts to look for, none of them the beginning of another."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(dict.fromkeys(texts))
        for text in self.texts:
            if any(other != text and other.startswith(text) for other in self.texts):
                raise ValueError(f"{text!r} is the beginning of another marker")
        self._pattern = re.compile("|".join(map(re.escape, self.texts)) or r"(?!)")
        self._beginnings = frozenset(text[:n] for text in self.texts for n in range(1, len(text)))
        self._longest = max(map(len, self.texts), default=0)

    def find(self, text: str, *, start: int) -> tuple[int, int] | None:
        """Return where the first marker at or behind ``start`` begins and ends."""
        found = self._pattern.search(text, start)
        return found.span() if found else None

    def n_unsure(self, text: str, *, start: int) -> int:
        """Return how many characters at the end of ``text`` may be the beginning of a marker."""
        for n in range(min(self._longest - 1, len(text) - start), 0, -1):
            if text[-n:] in self._beginnings:
                return n
        return 0


class Reader:
    """The text that has come and is not read yet, what was read and is held, and the events so far.

    Reading holds: what a script reads is kept back until ``release`` says what kind it is. Only
    ``pass_until`` lets text through at once. All work is linear in the length of the text, however it is cut.
    """

    def __init__(self) -> None:
        self.ended = False
        self._unread = ""
        self._at = 0
        self._held: list[str] = []
        self._events: list[OutputEvent] = []
        self._render_source: list[str] = []
        self._run_kind = OutputKind.ANSWER
        self._constraint: ConstraintStart | None = None
        self._bound = False

    # What the parser does between two pieces.

    def extend(self, text: str) -> None:
        """Add text to what is to be read."""
        self._unread = self._unread[self._at :] + text
        self._at = 0

    def take_events(self) -> list[OutputEvent]:
        """Return what was reported since the last call."""
        self._close_run()
        events, self._events = self._events, []
        if self._constraint is not None:
            events.append(self._constraint)
            self._constraint = None
        return events

    # What was read.

    @property
    def n_held(self) -> int:
        """How many pieces are held: a place that ``constrain`` and ``held_from`` can refer to."""
        return len(self._held)

    def held_from(self, place: int) -> str:
        """Return the text held since ``place``."""
        return "".join(self._held[place:])

    def release(self, kind: OutputKind) -> None:
        """Report what is held as text of ``kind``."""
        for text in self._held:
            self._report(kind, text)
        self._held.clear()
        self.free()

    def call(self, call: ToolCallPart) -> None:
        """Report a tool call, behind all text before it."""
        self._close_run()
        self._events.append(ToolCallMade(call=call))

    def constrain(self, constraint: Constraint, *, place: int) -> None:
        """Ask for ``constraint`` from ``place`` on, until what is held is released.

        A call that is complete in the piece that began it asks for nothing any more.
        """
        if not self._bound:
            prefix = self.held_from(place) + self._unread[self._at :]
            self._constraint = ConstraintStart(constraint=constraint, prefix=prefix, ends_answer=False)

    def free(self) -> None:
        """Ask for nothing any more, unless the answer is bound."""
        if not self._bound:
            self._constraint = None

    def bind_answer(self, constraint: Constraint, *, alternatives: tuple[str, ...] = ()) -> None:
        """Ask for ``constraint`` from here to the end of the answer. Nothing else is asked for then.

        Where one of ``alternatives`` comes instead, the answer is bound anew behind what it opens.
        """
        prefix = self._unread[self._at :]
        self._constraint = ConstraintStart(
            constraint=constraint, prefix=prefix, ends_answer=True, alternatives=alternatives
        )
        self._bound = True

    # Ways to read. Each holds what it reads.

    def pass_until(self, markers: Markers, kind: OutputKind, *, trim: bool) -> Script[str | None]:
        """Let text through as ``kind`` until a marker; hold the marker, and the space before it if ``trim``.

        Returns the marker, or ``None`` at the end of the output, with nothing held.
        """
        while True:
            found = markers.find(self._unread, start=self._at)
            n_unsure = 0 if self.ended else markers.n_unsure(self._unread, start=self._at)
            stop = found[0] if found else len(self._unread) - n_unsure
            text = self._unread[self._at : stop]
            body = text.rstrip() if trim else text
            if body:
                self.release(kind)
                self._report(kind, body)
            self._hold(text[len(body) :])
            self._at = stop
            if found:
                marker = self._unread[found[0] : found[1]]
                self._hold_next(len(marker))
                return marker
            if self.ended:
                self.release(kind)
                return None
            yield

    def through(self, markers: Markers) -> Script[tuple[str, str] | None]:
        """Read up to and with a marker; return what was before it, and it. ``None`` at the end."""
        before: list[str] = []
        while True:
            found = markers.find(self._unread, start=self._at)
            n_unsure = 0 if self.ended else markers.n_unsure(self._unread, start=self._at)
            stop = found[0] if found else len(self._unread) - n_unsure
            before.append(self._hold_next(stop - self._at))
            if found:
                return "".join(before), self._hold_next(found[1] - found[0])
            if self.ended:
                return None
            yield

    def one_of(self, texts: Sequence[str]) -> Script[str | None]:
        """Read the longest of ``texts`` that comes next, if one does."""
        longest = max(map(len, texts), default=0)
        while True:
            there = self._unread[self._at : self._at + longest]
            if not self.ended and any(len(t) > len(there) and t.startswith(there) for t in texts):
                yield
                continue
            fitting = [text for text in texts if there.startswith(text)]
            return self._hold_next(len(max(fitting, key=len))) if fitting else None

    def literal(self, text: str) -> Script[bool]:
        """Read ``text`` if it comes next."""
        return (yield from self.one_of((text,))) is not None

    def peek(self) -> Script[str]:
        """Return the next character without reading it; empty at the end."""
        while self._at >= len(self._unread):
            if self.ended:
                return ""
            yield
        return self._unread[self._at]

    def take(self) -> str:
        """Read the character that ``peek`` returned."""
        return self._hold_next(1)

    def space(self) -> Script[None]:
        """Read white space."""
        while True:
            self.space_here()
            if self._at < len(self._unread) or self.ended:
                return
            yield

    def space_here(self) -> None:
        """Read the white space that has come already."""
        found = _NO_SPACE.search(self._unread, self._at)
        self._hold_next((found.start() if found else len(self._unread)) - self._at)

    def put_back(self, text: str) -> None:
        """Unread ``text``, the last piece that is held."""
        self._held.pop()
        self._at -= len(text)

    def word(self, pattern: re.Pattern[str]) -> Script[str]:
        """Read characters as long as each matches ``pattern``."""
        letters: list[str] = []
        while True:
            letter = yield from self.peek()
            if not letter or not pattern.fullmatch(letter):
                return "".join(letters)
            letters.append(self.take())

    def json_value(self) -> Script[str | None]:
        """Read an object or an array up to the bracket that closes it; what is inside is not checked.

        Returns ``None`` where something else comes next, or the output ends before.
        """
        if (yield from self.peek()) not in ("{", "["):
            return None
        place = self.n_held
        return self.held_from(place) if (yield from self.json_rest(0)) else None

    def json_rest(self, depth: int) -> Script[bool]:
        """Read up to the bracket that closes the outermost of ``depth`` open ones, from outside a string."""
        in_string, escaped = False, False
        while True:
            stop = len(self._unread)
            at = self._at
            while at < stop:
                if escaped:
                    escaped = False
                    at += 1
                    continue
                found = (_STRING_STRUCTURE if in_string else _JSON_STRUCTURE).search(self._unread, at)
                if found is None:
                    break
                at = found.end()
                mark = found.group()
                if mark == "\\":
                    escaped = True
                elif mark == '"':
                    in_string = not in_string
                else:
                    depth += 1 if mark in "{[" else -1
                    if depth == 0:
                        self._hold_next(at - self._at)
                        return True
            self._hold_next(stop - self._at)
            if self.ended:
                return False
            yield

    def _hold(self, text: str) -> None:
        if text:
            self._held.append(text)

    def _hold_next(self, n: int) -> str:
        text = self._unread[self._at : self._at + n]
        self._at += n
        self._hold(text)
        return text

    def _report(self, kind: OutputKind, text: str) -> None:
        if self._render_source and kind is not self._run_kind:
            self._close_run()
        self._run_kind = kind
        self._render_source.append(text)

    def _close_run(self) -> None:
        if self._render_source:
            self._events.append(OutputText(kind=self._run_kind, text="".join(self._render_source)))
            self._render_source.clear()
