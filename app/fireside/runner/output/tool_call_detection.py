"""Recognise tool calls, as opposed to text that only looks like one."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from fireside.core.prompt_input import ToolDefinition
from fireside.runner.json_schema import enforceable_arguments
from fireside.runner.output.incremental_reader import IncrementalReader, Script, WrittenCall
from fireside.wire.runner_modes import NOTE

MAX_CALLS: Final = 32
"""Most calls of one answer, which then waits for the results."""
_MAX_UNKNOWN: Final = 3
"""Most calls of unknown tools in one answer, before the model is told about them."""
_NAME_KEYS: Final = ("name", "tool_name", "function")
_ARGUMENTS_KEYS: Final = ("arguments", "parameters", "args")
_ID_KEYS: Final = ("id", "tool_call_id")
_LARGEST: Final = repr(sys.float_info.max)
"""What becomes of a number that is beyond it."""


class RawCall(NamedTuple):
    """A parsed call; ``arguments`` is the text of one JSON object."""

    name: str
    arguments: str
    id: str | None = None


class CallSyntax(Protocol):
    """A tool-call format: its parser and its grammars.

    The reading methods are scripts that hold what they read. They return the calls, or ``None`` if there are
    none; the text is part of the answer then.
    """

    triggers: Sequence[str]
    """Texts that start calls anywhere in the answer."""

    def read(self, reader: IncrementalReader, trigger: str, /) -> Script[list[RawCall] | None]:
        """Read calls after ``trigger``."""
        ...

    def read_opening(self, reader: IncrementalReader) -> Script[list[RawCall] | None]:
        """Read calls without a trigger, which count only at the start of an answer."""
        ...

    def opening_grammar(self) -> str:
        """Return the Lark grammar of an answer that is one call."""
        ...

    def call_grammars(self) -> Sequence[str]:
        """Return every Lark grammar that the reading methods may request, the likeliest first."""
        ...


class Tools:
    """The tools that may be called; with ``unknown`` calls of other tools are accepted too."""

    def __init__(self, definitions: Sequence[ToolDefinition], *, unknown: bool = False) -> None:
        self.unknown = unknown
        self._schemas = {tool.name: _schema_of(tool) for tool in definitions}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all tools."""
        return tuple(self._schemas)

    def schema(self, name: str) -> dict[str, Any]:
        """Return the JSON Schema of a tool's arguments. Do not modify."""
        return self._schemas[name]

    def check(self, calls: list[RawCall] | None) -> list[RawCall] | None:
        """Return ``calls`` if there are any and all of their tools are known; else ``None``."""
        are_known = self.unknown or all(call.name in self._schemas for call in calls or ())
        return calls if calls and are_known else None

    def has_enough(self, calls: Sequence[RawCall]) -> bool:
        """Whether an answer with these calls must not make any more."""
        n_unknown = sum(call.name not in self._schemas for call in calls)
        return len(calls) >= MAX_CALLS or n_unknown >= _MAX_UNKNOWN


def loads(text: str) -> Any:
    """Parse JSON strictly.

    Raises:
        ValueError: invalid JSON, or nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as exc:
        raise ValueError("nested too deeply") from exc


def dumps(value: object) -> str:
    """Return ``value`` as JSON that can be encoded as UTF-8: lone surrogates stay escaped."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def arguments_in(value: object) -> str | None:
    """Return the arguments of a call as the text of an object; models may also encode it as a string."""
    if isinstance(value, str):
        try:
            value = loads(value)
        except ValueError:
            return None
    return dumps(value) if isinstance(value, dict) else None


def parse_arguments(text: str | None) -> str | None:
    """Return the arguments in ``text``, the JSON of one object; ``None`` for anything else."""
    try:
        return None if text is None else arguments_in(loads(text))
    except ValueError:
        return None


def read_arguments(
    reader: IncrementalReader, name: str, call_id: str | None = None
) -> Script[RawCall | None]:
    """Read the arguments of a call, one JSON object; return the call."""
    yield from reader.read_space()
    call = reader.begin_call(name, call_id)
    if not (yield from reader.json_object(call)):
        return None
    arguments = parse_arguments(call.arguments)
    return None if arguments is None else completed(reader, call, RawCall(name, arguments))


def read_json_calls(reader: IncrementalReader, *, is_keyed: bool = False) -> Script[list[RawCall] | None]:
    """Read a call, as ``read_json_call`` does, or a list of them; ``None`` if anything is invalid.

    If they are cut off, those before are returned.
    """
    if not (yield from reader.read_literal("[")):
        call = yield from read_json_call(reader, is_keyed=is_keyed)
        return None if call is None else [call]
    calls: list[RawCall] = []
    end = ","
    while end == ",":
        yield from reader.read_space()
        call = yield from read_json_call(reader, is_keyed=is_keyed)
        if call is not None:
            calls.append(call)
            yield from reader.read_space()
        end = "" if call is None else (yield from reader.read_one_of((",", "]"))) or ""
    if end or reader.is_cut:
        return calls or None
    yield from reader.json_rest(1)
    return None


def read_json_call(
    reader: IncrementalReader,
    *,
    is_keyed: bool = False,
    begun: WrittenCall | None = None,
    start: int | None = None,
) -> Script[RawCall | None]:
    """Read a call, a JSON object; ``None`` if it is invalid.

    With ``is_keyed`` the name is its only key, and the value are the arguments. With ``begun`` the object is
    read up to after the name, since the held position ``start``.
    """
    if start is None:
        start = reader.n_held
        if not (yield from reader.read_literal("{")):
            return None
    call, depth = yield from _read_members(reader, begun, is_keyed=is_keyed)
    if not (yield from reader.json_rest(depth)):
        return None
    try:
        value = loads(reader.held_from(start))
    except ValueError:
        return None
    parsed = _keyed_call_in(value) if is_keyed else _call_in(value)
    return parsed if parsed is None or call is None else completed(reader, call, parsed)


def _read_members(
    reader: IncrementalReader, call: WrittenCall | None, *, is_keyed: bool
) -> Script[tuple[WrittenCall | None, int]]:
    """Read the members of a JSON object through the arguments of the call that it is.

    Stops where something else comes. Returns the call, if its name came, and how many brackets are open.
    """
    depth, call_id, is_first = 1, None, call is None
    while True:
        yield from reader.read_space()
        if not is_first and not (yield from reader.read_literal(",")):
            break
        yield from reader.read_space()
        key = yield from _read_string(reader)
        yield from reader.read_space()
        if key is None or not (yield from reader.read_literal(":")):
            break
        yield from reader.read_space()
        if is_keyed:
            call = reader.begin_call(key)
        if call is not None and (is_keyed or key in _ARGUMENTS_KEYS):
            yield from reader.json_object(call)
            break
        is_first = key == "function" and (yield from reader.read_literal("{"))
        if is_first:
            depth += 1
            continue
        text = yield from _read_string(reader)
        if text is None:
            break
        if key in _NAME_KEYS:
            call = call or reader.begin_call(text, call_id)
        elif key in _ID_KEYS:
            call_id = _usable_id(text)
    return call, depth


def _read_string(reader: IncrementalReader) -> Script[str | None]:
    """Read a JSON string; return its text, or ``None`` if it is invalid or something else comes next."""
    if (yield from reader.peek()) != '"':
        return None
    start, is_escaped = reader.n_held, False
    reader.read_char()
    while letter := (yield from reader.peek()):
        reader.read_char()
        if letter == '"' and not is_escaped:
            try:
                return str(loads(reader.held_from(start)))
            except ValueError:
                return None
        is_escaped = letter == "\\" and not is_escaped
    return None


def completed(reader: IncrementalReader, call: WrittenCall, parsed: RawCall) -> RawCall:
    """Return ``parsed`` as ``call`` was written, and under the id that it was told with."""
    reader.tell_calls()
    call.is_whole = True
    is_as_written = call.is_told or (call.arguments and _LARGEST not in parsed.arguments)
    return RawCall(
        parsed.name,
        call.arguments if is_as_written else parsed.arguments,
        call.id if call.is_told else parsed.id or call.id,
    )


def _keyed_call_in(item: object) -> RawCall | None:
    if not isinstance(item, dict) or len(item) != 1:
        return None
    ((name, value),) = item.items()
    arguments = arguments_in(value)
    return RawCall(name, arguments) if arguments is not None else None


def _call_in(item: object) -> RawCall | None:
    if not isinstance(item, dict):
        return None
    function = item.get("function")
    call = function if isinstance(function, dict) else item
    name = next((call[key] for key in _NAME_KEYS if key in call), None)
    keys = (key for key in _ARGUMENTS_KEYS if key in call)
    arguments = arguments_in(call.get(next(keys, ""), {}))
    if not isinstance(name, str) or arguments is None:
        return None
    call_id = next((item[key] for key in _ID_KEYS if key in item), None)
    return RawCall(name, arguments, _usable_id(call_id))


def _usable_id(value: object) -> str | None:
    return value if isinstance(value, str) and value.isascii() and value.isprintable() and value else None


def _finite(number: str) -> float:
    """Return a number, or the largest one for what is beyond it: infinity is no JSON."""
    return min(max(float(number), -sys.float_info.max), sys.float_info.max)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


@functools.lru_cache(maxsize=256)
def _schema_of(tool: ToolDefinition) -> dict[str, Any]:
    """Return the schema of a tool's arguments, which are always an object, as far as it can be enforced."""
    try:
        schema = loads(tool.accepted or tool.parameters)
    except ValueError:
        schema = {}
    schema = {**schema, "type": "object"} if isinstance(schema, dict) else {"type": "object"}
    for key, kind in (("properties", dict), ("required", list)):
        if not isinstance(schema.get(key, kind()), kind):
            del schema[key]
    try:
        schema, left_open = enforceable_arguments(schema)
    except RecursionError:
        return {"type": "object"}
    if left_open:
        keys = ", ".join(left_open)
        sys.stderr.write(f"{NOTE}not enforced in arguments of the tool {tool.name!r}: {keys}\n")
    return schema
