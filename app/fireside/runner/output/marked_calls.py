"""Tool calls between markers given as text, either learned from a template or known."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from fireside.runner.output.call_marks import NUMBER, CallMarks, common_prefix, pieces
from fireside.runner.output.incremental_reader import IncrementalReader, Markers, Script, WrittenCall
from fireside.runner.output.tool_call_detection import RawCall, Tools, dumps, loads, read_arguments
from fireside.runner.output.tool_call_grammar import (
    MarkerGrammar,
    TriggeredCalls,
    argument_rules,
    grammar,
    json_rule,
    property_schema,
    quoted,
)

_DIGIT = re.compile(r"[0-9]")
_SECTION = "<![CDATA["
_PYTHON = re.compile(r"True|False|None|[\[{(].*", re.DOTALL)


class MarkedCalls(TriggeredCalls):
    """Parses calls in the format of a ``CallMarks``, and makes grammars for it.

    String values are unquoted, and may contain closing markers: a value ends only where another key or the
    end of the call follows.
    """

    def __init__(self, parts: CallMarks, *, tools: Tools, marks: MarkerGrammar) -> None:
        super().__init__(tools=tools, marks=marks)
        self._parts = parts
        self._section, self._opens = parts.section.strip(), parts.opens.strip()
        self._closes = pieces(parts.closes)
        self._value_ends = pieces(parts.value_ends)
        self.triggers = (self._section, self._opens) if self._section else (self._opens,)

    # Parsing

    def _read_calls(self, reader: IncrementalReader, trigger: str) -> Script[list[RawCall] | None]:
        if trigger != self._opens and not (yield from _read_all(reader, pieces(self._opens))):
            return None
        calls: list[RawCall] = []
        while True:
            call = yield from self._read_one(reader)
            if call is None:
                return calls if reader.is_cut else None
            calls.append(call)
            yield from _read_all(reader, pieces(self._parts.between))
            yield from reader.read_space()
            if not (yield from reader.read_literal(self._opens)):
                break
        yield from _read_all(reader, pieces(self._parts.ends))
        return calls

    def _read_one(self, reader: IncrementalReader) -> Script[RawCall | None]:
        call_id = None
        if self._parts.named_by:
            id_and_end = yield from reader.read_through(Markers(pieces(self._parts.named_by)[:1]))
            if id_and_end is None:
                return None
            call_id = id_and_end[0].strip()
        yield from reader.read_space()
        name = yield from reader.read_one_of(self._tools.names)
        if name is None or not (yield from _read_all(reader, pieces(self._parts.name_ends))):
            return None
        valid_id = call_id if call_id and call_id.isascii() and call_id.isprintable() else None
        if not self._parts.key_opens:
            call = yield from read_arguments(reader, name, valid_id)
            yield from _read_all(reader, self._closes)
            return call
        written, is_padded = reader.begin_call(name, valid_id), self._parts.is_padded
        arguments = TypedArguments(written, schema=self._tools.schema(name), is_padded=is_padded)
        return arguments.made() if (yield from self._read_values(reader, arguments)) else None

    def _read_values(self, reader: IncrementalReader, arguments: TypedArguments) -> Script[bool]:
        """Read the values up to the end of the call; return whether that came."""
        key_opens, closes = pieces(self._parts.key_opens), self._closes or [""]
        following = yield from self._read_next(reader)
        while following == key_opens[0]:
            if not (yield from _read_all(reader, key_opens[1:])):
                return False
            key = yield from self._read_key(reader)
            if key is None:
                return False
            arguments.begin(key)
            following = yield from self._read_value(reader, arguments)
        return following is not None and (yield from _read_all(reader, closes[1:]))

    def _read_next(self, reader: IncrementalReader) -> Script[str | None]:
        """Read the marker of the next key or of the end of the call; empty if the end has no marker."""
        yield from reader.read_space()
        marker = yield from reader.read_one_of(self._following)
        return "" if marker is None and not self._closes else marker

    @property
    def _following(self) -> tuple[str, ...]:
        """What follows a value: the marker of the next key, or that of the end of the call if it has one."""
        return pieces(self._parts.key_opens)[0], *self._closes[:1]

    def _read_key(self, reader: IncrementalReader) -> Script[str | None]:
        """Read a key and the marker between it and its value."""
        ends = {
            tuple(pieces(end)) for end in (self._parts.key_ends, *dict(self._parts.other_key_ends).values())
        }
        common = common_prefix([end[0] for end in ends])
        key_and_end = yield from reader.read_through(Markers((common,)))
        if key_and_end is None:
            return None
        rests = {tuple(filter(None, (end[0][len(common) :], *end[1:]))) for end in ends}
        if rests == {()}:
            return key_and_end[0].strip()
        yield from reader.read_space()
        next_text = yield from reader.read_one_of(tuple(rest[0] for rest in rests if rest))
        rest = next((rest for rest in rests if rest and rest[0] == next_text), None)
        if rest is None or not (yield from _read_all(reader, rest[1:])):
            return None
        return key_and_end[0].strip()

    def _read_value(self, reader: IncrementalReader, arguments: TypedArguments) -> Script[str | None]:
        """Read a value; return what follows it: the next key, or the end of the call."""
        start = reader.n_held
        value_parts: list[str] = []
        while True:
            segment = yield from reader.read_through(Markers(self._value_ends[:1]), passed=arguments.add)
            if segment is None:
                ends = self._value_ends[0]
                arguments.cut(cut_value(reader.held_from(start), end=ends, follows=self._following))
                return None
            value_parts.append(segment[0])
            end_start = reader.n_held
            if (yield from _read_all(reader, self._value_ends[1:])):
                following = yield from self._read_next(reader)
                if following is not None:
                    arguments.end("".join(value_parts))
                    return following
            value_parts += segment[1], reader.held_from(end_start)
            if not reader.ended:
                arguments.add("".join(value_parts[-2:]))

    # Grammars

    def opening_grammar(self) -> str:
        if not self._section:
            return self._grammar(f"WS {self._spelled(self._opens)} {self._calls}")
        return self._grammar(
            f"WS {self._spelled(self._section)} WS {self._spelled(self._opens)} {self._calls}"
        )

    def _grammar_after(self, trigger: str) -> str:
        if trigger == self._opens:
            return self._grammar("call" if self._section or self._parts.ends else self._calls)
        return self._grammar(f"WS {self._spelled(self._opens)} {self._calls}")

    @property
    def _calls(self) -> str:
        """The grammar expression of all calls after the opening marker of the first."""
        parts = self._parts
        more = f"(WS {self._spelled(parts.between)} WS {self._spelled(parts.opens)} call)*"
        return f"call {more} WS {self._spelled(parts.ends)}"

    def _spelled(self, mark: str) -> str:
        numbered = (
            " /[0-9]{1,4}/ ".join(map(self._marks.expression_of, piece.split(NUMBER)))
            for piece in pieces(mark)
        )
        return " WS ".join(numbered) or '""'

    def _grammar(self, start: str) -> str:
        parts = self._parts
        rules: list[str] = []
        arguments: dict[str, str]
        if parts.key_opens:
            rules, arguments = argument_rules(self._tools, argument=self._argument)
            rules.append(self._text_rule())
        else:
            arguments = {name: json_rule(self._tools.schema(name)) for name in self._tools.names}
        named_by = f"CALL_ID {self._spelled(parts.named_by)} WS " if parts.named_by else ""
        ends, closes = self._spelled(parts.name_ends), self._spelled(parts.closes)
        options = " | ".join(
            f"{quoted(name)} WS {ends} WS {value} WS {closes}" for name, value in arguments.items()
        )
        ids = ["CALL_ID: /[A-Za-z0-9_-]{1,40}/"] if parts.named_by else []
        return grammar(start, f"call: WS {named_by}({options})", *ids, *rules)

    def _argument(self, key: str, schema: Mapping[str, Any]) -> str:
        parts = self._parts
        kind = "string" if is_text(schema) else schema.get("type")
        key_ends = self._spelled(parts.key_ends_before(kind))
        opens = f"{self._spelled(parts.key_opens)} {quoted(key)} {key_ends}"
        if kind == "string":
            return f"{opens} text"
        return f"{opens} WS {json_rule(schema)} WS {self._spelled(parts.value_ends)}"

    def _text_rule(self) -> str:
        first, *rest = self._value_ends
        tail = "".join(f" WS {self._marks.expression_of(piece)}" for piece in rest)
        if self._marks.is_control(first):
            return f"text: ANYTHING {self._marks.expression_of(first)}{tail}"
        escaped = re.sub(r"([/\\^$.|?*+()\[\]{}])", r"\\\1", first)
        return f"text: to_end{tail}\nto_end[lazy]: /(.|\\n)*{escaped}/"


def _read_all(reader: IncrementalReader, texts: Sequence[str]) -> Script[bool]:
    """Read ``texts``, each after optional white space."""
    for text in texts:
        yield from reader.read_space()
        for n, part in enumerate(text.split(NUMBER)):
            if n:
                yield from reader.read_while(_DIGIT)
            if part and not (yield from reader.read_literal(part)):
                return False
    return True


def read_value_until(
    reader: IncrementalReader, ends: Markers, arguments: TypedArguments, *, follows: Sequence[str]
) -> Script[str | None]:
    """Read a value up to an end marker that is followed by one of ``follows``; return what follows.

    An end marker that is followed by something else is part of the value.
    """
    start = reader.n_held
    value_parts: list[str] = []
    while True:
        segment = yield from reader.read_through(ends, passed=arguments.add)
        if segment is None:
            arguments.cut(cut_value(reader.held_from(start), end=ends.texts[0], follows=follows))
            return None
        value_parts.append(segment[0])
        end_start = reader.n_held
        yield from reader.read_space()
        following = yield from reader.read_one_of(follows)
        if following is not None:
            arguments.end("".join(value_parts))
            return following
        value_parts += segment[1], reader.held_from(end_start)
        if not reader.ended:
            arguments.add("".join(value_parts[-2:]))


class TypedArguments:
    """Writes arguments as JSON whose values are typed by the tool's schema, while they are read.

    The text of a string is written as it comes, any other value when it is complete.
    """

    def __init__(self, call: WrittenCall, *, schema: Mapping[str, Any], is_padded: bool = False) -> None:
        self._call = call
        self._schema = schema
        self._is_padded = is_padded
        """Whether a value is surrounded by line breaks that are not part of it."""
        self._is_text = False
        self._is_whole = False
        """Whether this value is written at its end."""
        self._n_written = 0
        """Letters of the JSON of this value that are written."""
        self._waiting = ""
        """Text that may still not be part of the value."""

    def begin(self, key: str) -> None:
        """Begin the value of ``key``."""
        self._call.add(f"{', ' if self._call.arguments else '{'}{dumps(key)}: ")
        self._is_text = is_text(property_schema(self._schema, key))
        self._is_whole = not self._is_text
        self._n_written, self._waiting = 0, ""

    def add(self, text: str) -> None:
        """Add text of the value."""
        if self._is_whole:
            return
        text = self._waiting + text
        if not self._n_written:
            value = text.removeprefix("\n") if self._is_padded else text
            if value.startswith(_SECTION):
                self._is_whole = True
                return
            if _SECTION.startswith(value):
                self._waiting = text
                return
            text = value
        body = text.removesuffix("\n") if self._is_padded else text
        self._waiting = text[len(body) :]
        self._write(dumps(body)[:-1] if not self._n_written else dumps(body)[1:-1])

    def end(self, text: str) -> None:
        """End the value, all of whose text is given."""
        text = self._unpadded(text)
        self._write(dumps(_unwrapped(text) if self._is_text else read_value(text))[self._n_written :])

    def cut(self, text: str) -> None:
        """End the value, in whose middle the answer reached its limit."""
        text = self._unpadded(text)
        self._write(dumps(text)[self._n_written : -1] if self._is_text else text.strip())

    def made(self) -> RawCall:
        """Return the call; there are no more values."""
        self._call.add("}" if self._call.arguments else "{}")
        self._call.is_whole = True
        return RawCall(self._call.name, self._call.arguments, self._call.id)

    def _write(self, text: str) -> None:
        self._n_written += len(text)
        self._call.add(text)

    def _unpadded(self, text: str) -> str:
        return text.removeprefix("\n").removesuffix("\n") if self._is_padded else text


def is_text(schema: Mapping[str, Any]) -> bool:
    """Whether a value is a plain string, and not JSON."""
    kinds = schema.get("type")
    if kinds is None:
        return not schema.keys() & {"$ref", "anyOf", "oneOf", "allOf", "const", "properties", "items"}
    return kinds == "string" or (isinstance(kinds, list) and "string" in kinds)


def cut_value(text: str, *, end: str, follows: Sequence[str]) -> str:
    """Return the value in ``text`` that was cut off, without as much of what ends it as had come."""
    start = text.rfind(end)
    rest = text[start + len(end) :].lstrip()
    if start >= 0 and any(following.startswith(rest) for following in follows):
        return text[:start]
    n_end = next(n for n in range(len(end) - 1, -1, -1) if text.endswith(end[:n]))
    return text[: len(text) - n_end]


def _unwrapped(text: str) -> str:
    """Return the content of a CDATA section."""
    is_section = text.startswith(_SECTION) and text.endswith("]]>")
    return text[len(_SECTION) : -3] if is_section else text


def read_value(text: str) -> object:
    """Parse a value as JSON or as a Python literal; otherwise return it as text."""
    plain = text.strip()
    try:
        return loads(plain)
    except ValueError:
        pass
    try:
        value = ast.literal_eval(plain) if _PYTHON.fullmatch(plain) else text
        return loads(dumps(value))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return text
