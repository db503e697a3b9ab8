"""Tool calls in Python syntax, ``[get_weather(city="Oslo")]``, of Llama 3.2 and 4 and of Gemma."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fireside.runner.output.incremental_reader import IncrementalReader, Script
from fireside.runner.output.tool_call_detection import RawCall, Tools, parse_arguments
from fireside.runner.output.tool_call_grammar import (
    MarkerGrammar,
    constraint_of,
    grammar,
    json_rule,
    property_names,
    property_schema,
    quoted,
)

_LIST = '"[" WS call WS ("," WS call WS)* "]"'
_PYTHON_STRING = r"/'([^'\\\x00-\x1f]|\\[^\x00-\x1fxuUN0-9])*'/"
_NAME_LETTER = re.compile(r"[A-Za-z0-9_.-]")
_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<word>[A-Za-z_][\w.-]*)"""
    r"""|(?P<number>[-+]?\d[\w.+-]*)|(?P<mark>[()\[\]{},:=]))""",
    re.DOTALL,
)
_EQUALS = re.compile(r"\s*=")
_CONSTANTS = {
    "True": "true",
    "False": "false",
    "None": "null",
    "true": "true",
    "false": "false",
    "null": "null",
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": ""}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)


class PythonTags(msgspec.Struct, frozen=True, kw_only=True):
    """The markers around calls: ``opens`` start them anywhere, a bare list only at the start of an answer."""

    opens: tuple[str, ...] = ()
    closes: str = ""
    bare: bool = False
    in_list: bool = True


class PythonicCalls:
    """Parses calls with named arguments, whose values are Python or JSON literals."""

    def __init__(self, tags: PythonTags, *, tools: Tools, marks: MarkerGrammar) -> None:
        self.triggers: Sequence[str] = tags.opens
        self._tags = tags
        self._tools = tools
        self._marks = marks

    def read(self, reader: IncrementalReader, _trigger: str) -> Script[list[RawCall] | None]:
        reader.constrain(constraint_of(self._marked_grammar()), start=reader.n_held)
        yield from reader.read_space()
        calls = yield from self._read_calls(reader)
        if calls is not None and self._tags.closes:
            yield from reader.read_space()
            yield from reader.read_literal(self._tags.closes)
        return calls

    def read_opening(self, reader: IncrementalReader) -> Script[list[RawCall] | None]:
        if not self._tags.bare:
            return None
        list_start = reader.n_held
        if not (yield from reader.read_literal("[")):
            return None
        yield from reader.read_space()
        return (yield from self.read_listed(reader, list_start=list_start))

    def read_listed(self, reader: IncrementalReader, *, list_start: int) -> Script[list[RawCall] | None]:
        """Read a list of calls from its first name on; it began at held position ``list_start``."""
        names = tuple(f"{name}(" for name in self._tools.names)
        name = yield from reader.read_one_of(names)
        if name is None:
            return None
        reader.constrain(constraint_of(self.listed_grammar()), start=list_start)
        call = reader.begin_call(name[:-1])
        call.is_whole = yield from _balance(reader, depth=2)
        if not call.is_whole:
            return None
        return self._tools.check(calls_in_python(reader.held_from(list_start)[1:-1]))

    def opening_grammar(self) -> str:
        if self._tags.bare or not self._tags.opens:
            return self._grammar(f"WS {self._body}")
        opens, closes = self._marks.expression(self._tags.opens[0]), self._tags.closes
        tail = f" WS {self._marks.expression(closes)}" if closes else ""
        return self._grammar(f"WS {opens} WS {self._body}{tail}")

    def call_grammars(self) -> Sequence[str]:
        bare = (self.listed_grammar(),) if self._tags.bare else ()
        return (*bare, self._marked_grammar()) if self._tags.opens else bare

    def listed_grammar(self) -> str:
        """Return the grammar that ``read_listed`` requests."""
        return self._grammar(_LIST)

    def _read_calls(self, reader: IncrementalReader) -> Script[list[RawCall] | None]:
        """Read a list of calls, or a single one without a list."""
        start = reader.n_held
        in_list = yield from reader.read_literal("[")
        if not in_list:
            yield from reader.read_while(_NAME_LETTER)
            if not (yield from reader.read_literal("(")):
                return None
        if not (yield from _balance(reader, depth=1)):
            return None
        text = reader.held_from(start)
        return self._tools.check(calls_in_python(text[1:-1] if in_list else text))

    def _marked_grammar(self) -> str:
        closes = f" WS {self._marks.expression(self._tags.closes)}" if self._tags.closes else ""
        return self._grammar(f"WS {self._body}{closes}")

    @property
    def _body(self) -> str:
        return _LIST if self._tags.in_list else "call"

    def _grammar(self, start: str) -> str:
        rules = []
        for n, name in enumerate(self._tools.names):
            schema = self._tools.schema(name)
            keys = property_names(schema)
            required = schema.get("required")
            needed = [isinstance(required, list) and key in required for key in keys]
            for m, key in enumerate(keys):
                rules.append(f"a{n}_{m}: {quoted(f'{key}=')} {_value_rule(property_schema(schema, key))}")
                for kind, comma in (("f", ""), ("m", '"," WS ')):  # the first argument, and one more
                    skip = "" if needed[m] else f" | {kind}{n}_{m + 1}"
                    rules.append(f"{kind}{n}_{m}: {comma}a{n}_{m} m{n}_{m + 1}{skip}")
            rules += [f'f{n}_{len(keys)}: ""', f'm{n}_{len(keys)}: ""']
        heads = (f'{quoted(f"{name}(")} f{n}_0 ")"' for n, name in enumerate(self._tools.names))
        return grammar(start, f"call: {' | '.join(heads)}", *rules)


def calls_in_python(text: str) -> list[RawCall] | None:
    """Parse a comma-separated list of calls; ``None`` if anything is invalid."""
    calls: list[RawCall] = []
    name = ""
    pieces: list[str] = []
    open_brackets: list[str] = []
    position, stop = 0, len(text.rstrip())
    while position < stop:
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        position = match.end()
        kind, symbol = match.lastgroup, match.group(match.lastgroup or 0)
        if not open_brackets:
            if kind == "word":
                name = symbol
            elif symbol == "(" and name:
                open_brackets.append(")")
                pieces = ["{"]
            elif symbol != "," or name:
                return None
        elif symbol == ")" and open_brackets == [")"]:
            open_brackets.pop()
            arguments = parse_arguments("".join([*pieces, "}"]))
            if arguments is None:
                return None
            calls.append(RawCall(name, arguments))
            name = ""
        else:
            piece = _json_of(
                kind, symbol, key=len(open_brackets) == 1 and bool(_EQUALS.match(text, position))
            )
            if piece is None:
                return None
            pieces.append(piece)
            if symbol in "[{":
                open_brackets.append("]" if symbol == "[" else "}")
            elif symbol in "]}" and open_brackets.pop() != symbol:
                return None
    return None if open_brackets or name else calls


def _json_of(kind: str | None, token: str, *, key: bool) -> str | None:
    """Return a Python token as JSON."""
    match kind:
        case "string":
            return json.dumps(_ESCAPE.sub(_unescaped, token[1:-1]))
        case "word":
            return json.dumps(token) if key else _CONSTANTS.get(token)
        case "number":
            return token
        case _:
            return {"=": ":", "(": None, ")": None}.get(token, token)


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1) or match.group(2)
    return chr(int(code, 16)) if code else _ESCAPES.get(match.group(3), match.group(3))


def _value_rule(schema: Mapping[str, Any]) -> str:
    """Return the grammar expression of a value: JSON, or Python's strings and booleans."""
    own = {"string": _PYTHON_STRING, "boolean": '"True" | "False"'}
    kind = schema.get("type")
    if isinstance(kind, str) and kind in own and schema.keys() <= {"type", "description", "title", "default"}:
        return f"({own[kind]} | {json_rule(schema)})"
    return json_rule(schema)


def _balance(reader: IncrementalReader, *, depth: int) -> Script[bool]:
    """Read up to the bracket that closes the outermost of ``depth`` open ones."""
    quote = ""
    while letter := (yield from reader.peek()):
        reader.read_char()
        if quote:
            if letter == "\\":
                if (yield from reader.peek()):
                    reader.read_char()
            elif letter == quote:
                quote = ""
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                return True
    return False
