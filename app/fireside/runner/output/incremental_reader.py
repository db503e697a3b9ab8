"""Incremental reader of streamed text, which is emitted, or held until its kind is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from fireside.core.generation import CallDelta, OutputKind
from fireside.core.message import ToolCallPart
from fireside.core.task import Constraint
from fireside.runner.output.output_events import ConstraintStart, OutputEvent, OutputText, ToolCallMade

T = TypeVar("T")
Script = Generator[None, None, T]
"""A parser coroutine. It yields when it needs more text than has arrived."""

_JSON_STRUCTURE = re.compile(r'["{}\[\]]')
_NO_SPACE = re.compile(r"\S")
_STRING_STRUCTURE = re.compile(r'["\\]')


class Markers:
    """A set of marker texts to search for, none of them a prefix of another."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(dict.fromkeys(texts))
        for text in self.texts:
            if any(other != text and other.startswith(text) for other in self.texts):
                raise ValueError(f"{text!r} is the beginning of another marker")
        self._pattern = re.compile("|".join(map(re.escape, self.texts)) or r"(?!)")
        self._beginnings = frozenset(text[:n] for text in self.texts for n in range(1, len(text)))
        self._longest = max(map(len, self.texts), default=0)

    def find(self, text: str, *, start: int) -> tuple[int, int] | None:
        """Return start and end of the first marker from ``start`` on."""
        match = self._pattern.search(text, start)
        return match.span() if match else None

    def n_partial(self, text: str, *, start: int) -> int:
        """Return how many characters at the end of ``text`` may be the start of a marker."""
        for n in range(min(self._longest - 1, len(text) - start), 0, -1):
            if text[-n:] in self._beginnings:
                return n
        return 0


class WrittenCall:
    """A call that is being read: its name, its id, and the text of its arguments so far."""

    def __init__(self, name: str, call_id: str) -> None:
        self.name = name
        self.id = call_id
        self.is_whole = False
        self.is_told = False
        """Whether a ``CallDelta`` told of it."""
        self._parts: list[str] = []
        self._n_told = 0

    @property
    def arguments(self) -> str:
        """The arguments so far; empty before their first letter."""
        return "".join(self._parts)

    def add(self, text: str) -> None:
        """Add text of the arguments that can no longer change."""
        if text:
            self._parts.append(text)

    def pop(self) -> CallDelta | None:
        """Return what was added since the last call, if anything was."""
        text = "".join(self._parts[self._n_told :])
        self._n_told = len(self._parts)
        self.is_told = self.is_told or bool(text)
        return CallDelta(id=self.id, name=self.name, arguments=text) if text else None


class IncrementalReader:
    """The unread text, the text that was read and is held, and the events so far.

    Text that a script reads is held until ``emit_held`` sets its kind. Only ``pass_until`` emits text at
    once. All work is linear in the length of the text, however it is split.
    """

    def __init__(self, make_id: Callable[[int], str] = str) -> None:
        self.ended = False
        self.at_limit = False
        """Whether the output ended because of a limit: the model would have gone on."""
        self.is_constrained = False
        """Whether what comes next follows the constraint that was requested last, so that a call that has
        begun will be one. Set from outside."""
        self._make_id = make_id
        self._n_ids = 0
        self._ids: set[str] = set()
        """The ids of all calls that have begun: models repeat them."""
        self._written: list[WrittenCall] = []
        """The calls in the held text."""
        self._unread = ""
        self._at = 0
        """Index of the next character in ``_unread``."""
        self._held: list[str] = []
        self._events: list[OutputEvent] = []
        self._run_texts: list[str] = []
        self._run_kind = OutputKind.ANSWER
        self._constraint: ConstraintStart | None = None
        self._is_for_answer = False
        """Whether the requested constraint is for the whole answer."""

    # For the parser, between two pieces

    def extend(self, text: str) -> None:
        """Append text to be read."""
        self._unread = self._unread[self._at :] + text
        self._at = 0

    def pop_events(self) -> list[OutputEvent]:
        """Return the events since the last call."""
        self.tell_calls()
        self._close_run()
        events, self._events = self._events, []
        if self._constraint is not None:
            events.append(self._constraint)
            self._constraint = None
        return events

    # Held text

    @property
    def n_held(self) -> int:
        """Number of held pieces; a position for ``constrain`` and ``held_from``."""
        return len(self._held)

    def held_from(self, start: int) -> str:
        """Return the text held since ``start``."""
        return "".join(self._held[start:])

    def emit_held(self, kind: OutputKind) -> None:
        """Emit the held text as ``kind``."""
        for text in self._held:
            self._emit(kind, text)
        self._held.clear()
        self.lift_constraint()
        self._written.clear()

    def emit_call(self, name: str, arguments: str, call_id: str | None, *, is_cut: bool = False) -> None:
        """Emit a tool call, after all text before it; it gets an id if it has none."""
        self._close_run()
        call = ToolCallPart(id=call_id or self.new_id(), name=name, arguments=arguments)
        self._events.append(ToolCallMade(call=call, is_cut=is_cut))

    @property
    def is_cut(self) -> bool:
        """Whether the output ended at its limit, and all of it was read."""
        return self.at_limit and self._at >= len(self._unread)

    def begin_call(self, name: str, call_id: str | None = None) -> WrittenCall:
        """Return a call that is read now. It is told of while it is written, if it is sure to become one."""
        call = WrittenCall(name, call_id if call_id and call_id not in self._ids else self.new_id())
        self._ids.add(call.id)
        self._written.append(call)
        return call

    def new_id(self) -> str:
        """Return the id of a call that has none."""
        self._n_ids += 1
        return self._make_id(self._n_ids - 1)

    @property
    def cut_call(self) -> WrittenCall | None:
        """The call in whose middle the output ended at its limit."""
        is_open = self.is_cut and self._written and not self._written[-1].is_whole
        return self._written[-1] if is_open else None

    def tell_calls(self) -> None:
        """Tell what is new of the calls that are being written; nothing of one that came as a whole."""
        for call in self._written if self.is_constrained else ():
            delta = call.pop() if call.is_told or not call.is_whole else None
            if delta is not None:
                self._close_run()
                self._events.append(delta)

    def constrain(self, constraint: Constraint, *, start: int) -> None:
        """Request ``constraint`` from position ``start`` on, until the held text is emitted.

        A call that is complete within the piece that began it needs no constraint any more.
        """
        if not self._is_for_answer:
            self.is_constrained = False
            prefix = self.held_from(start) + self._unread[self._at :]
            self._constraint = ConstraintStart(constraint=constraint, prefix=prefix, ends_answer=False)

    def lift_constraint(self) -> None:
        """Drop the requested constraint, unless it is for the whole answer."""
        self.tell_calls()
        if not self._is_for_answer:
            self._constraint = None
            self.is_constrained = False

    def constrain_answer(self, constraint: Constraint, *, alternatives: tuple[str, ...] = ()) -> None:
        """Request ``constraint`` from here to the end of the answer; no other one is requested then.

        If one of ``alternatives`` comes instead, the answer is constrained again after what that opens.
        """
        prefix = self._unread[self._at :]
        self.is_constrained = False
        self._constraint = ConstraintStart(
            constraint=constraint, prefix=prefix, ends_answer=True, alternatives=alternatives
        )
        self._is_for_answer = True

    # Reading. All of these hold what they read.

    def pass_until(
        self,
        markers: Markers,
        kind: OutputKind,
        *,
        trim: bool,
        passed: list[str] | None = None,
        must_come: bool = False,
    ) -> Script[str | None]:
        """Emit text as ``kind`` up to a marker; hold the marker, and the space before it if ``trim``.

        Returns the marker, or ``None`` at the end of the output, with nothing held. The text is appended to
        ``passed`` too. If a marker ``must_come``, one that was cut off is markup.
        """
        while True:
            span = markers.find(self._unread, start=self._at)
            is_text = self.ended and not (self.at_limit and must_come)
            n_partial = 0 if is_text else markers.n_partial(self._unread, start=self._at)
            stop = span[0] if span else len(self._unread) - n_partial
            text = self._unread[self._at : stop]
            if passed is not None:
                passed.append(text)
            body = text.rstrip() if trim else text
            if body:
                self.emit_held(kind)
                self._emit(kind, body)
            self._hold(text[len(body) :])
            self._at = stop
            if span:
                marker = self._unread[span[0] : span[1]]
                self._hold_next(len(marker))
                return marker
            if self.ended:
                self.emit_held(kind)
                self._hold_next(n_partial)
                self.emit_held(OutputKind.MARKUP)
                return None
            yield

    def read_through(
        self, markers: Markers, *, passed: Callable[[str], None] | None = None
    ) -> Script[tuple[str, str] | None]:
        """Read through the next marker; return the text before it, and the marker. ``None`` at the end.

        The text is given to ``passed`` as it comes, except at the end what may be part of a marker.
        """
        before: list[str] = []
        while True:
            span = markers.find(self._unread, start=self._at)
            n_partial = 0 if self.ended else markers.n_partial(self._unread, start=self._at)
            stop = span[0] if span else len(self._unread) - n_partial
            before.append(self._hold_next(stop - self._at))
            if passed is not None and (span or not self.ended):
                passed(before[-1])
            if span:
                return "".join(before), self._hold_next(span[1] - span[0])
            if self.ended:
                return None
            yield

    def read_one_of(self, texts: Sequence[str]) -> Script[str | None]:
        """Read the longest of ``texts`` that comes next; ``None`` if none does.

        The beginning of one, at whose end the output reached its limit, is read too.
        """
        longest = max(map(len, texts), default=0)
        while True:
            upcoming = self._unread[self._at : self._at + longest]
            if not self.ended and any(len(t) > len(upcoming) and t.startswith(upcoming) for t in texts):
                yield
                continue
            matches = [text for text in texts if upcoming.startswith(text)]
            if matches:
                return self._hold_next(len(max(matches, key=len)))
            if self.at_limit and any(text.startswith(upcoming) for text in texts):
                self._hold_next(len(upcoming))
            return None

    def read_literal(self, text: str) -> Script[bool]:
        """Read ``text`` if it comes next; return whether it did."""
        return (yield from self.read_one_of((text,))) is not None

    def peek(self) -> Script[str]:
        """Return the next character without reading it; empty at the end."""
        while self._at >= len(self._unread):
            if self.ended:
                return ""
            yield
        return self._unread[self._at]

    def read_char(self) -> str:
        """Read the character that ``peek`` returned."""
        return self._hold_next(1)

    def read_space(self) -> Script[None]:
        """Read white space."""
        while True:
            self.read_available_space()
            if self._at < len(self._unread) or self.ended:
                return
            yield

    def read_available_space(self) -> None:
        """Read the white space that has arrived already."""
        match = _NO_SPACE.search(self._unread, self._at)
        self._hold_next((match.start() if match else len(self._unread)) - self._at)

    def read_rest(self) -> None:
        """Read all that has arrived."""
        self._hold_next(len(self._unread) - self._at)

    def unread(self, text: str) -> None:
        """Put ``text``, the last held piece, back."""
        self._held.pop()
        self._at -= len(text)

    def read_while(self, pattern: re.Pattern[str]) -> Script[str]:
        """Read characters as long as each matches ``pattern``."""
        letters: list[str] = []
        while True:
            letter = yield from self.peek()
            if not letter or not pattern.fullmatch(letter):
                return "".join(letters)
            letters.append(self.read_char())

    def json_object(self, call: WrittenCall) -> Script[bool]:
        """Read an object, the arguments of ``call``, to which it is added; its content is not checked.

        Returns whether it is there to its end; nothing is read if something else comes next.
        """
        return (yield from self.peek()) == "{" and (yield from self.json_rest(0, call=call))

    def json_rest(self, depth: int, *, call: WrittenCall | None = None) -> Script[bool]:
        """Read up to the bracket that closes the outermost of ``depth`` open ones, from outside a string.

        The text is added to the arguments of ``call`` as it comes.
        """
        in_string, escaped = False, False
        while True:
            stop = len(self._unread)
            position = self._at
            while position < stop:
                if escaped:
                    escaped = False
                    position += 1
                    continue
                match = (_STRING_STRUCTURE if in_string else _JSON_STRUCTURE).search(self._unread, position)
                if match is None:
                    break
                position = match.end()
                mark = match.group()
                if mark == "\\":
                    escaped = True
                elif mark == '"':
                    in_string = not in_string
                else:
                    depth += 1 if mark in "{[" else -1
                    if depth == 0:
                        stop = position
                        break
            text = self._hold_next(stop - self._at)
            if call is not None:
                call.add(text)
            if depth == 0:
                return True
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

    def _emit(self, kind: OutputKind, text: str) -> None:
        if self._run_texts and kind is not self._run_kind:
            self._close_run()
        self._run_kind = kind
        self._run_texts.append(text)

    def _close_run(self) -> None:
        if self._run_texts:
            self._events.append(OutputText(kind=self._run_kind, text="".join(self._run_texts)))
            self._run_texts.clear()
