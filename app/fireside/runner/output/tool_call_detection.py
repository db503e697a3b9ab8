"""Recognise tool calls, as opposed to text that only looks like one."""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from fireside.core.message import ToolCallPart
from fireside.core.prompt_input import ToolDefinition
from fireside.runner.json_schema import enforceable_arguments
from fireside.runner.output.incremental_reader import Reader, Script

MAX_CALLS: Final = 32
"""Most calls of one answer, which then waits for the results."""
_MAX_UNKNOWN: Final = 3
"""Most calls of unknown tools in one answer, before the model is told about them."""
_NAME_KEYS: Final = ("name", "tool_name", "function")
_ARGUMENTS_KEYS: Final = ("arguments", "parameters", "args")
_ID_KEYS: Final = ("id", "tool_call_id")
_DECODER: Final = json.JSONDecoder()
_MEMBER: Final = re.compile(r'[\s{,]*"([^"\\]*)"\s*:\s*')


class RawCall(NamedTuple):
    """A parsed call; ``arguments`` is the text of one JSON object."""

    name: str
    arguments: str
    id: str | None = None


MakeCallId = Callable[[int], str]
"""Makes the id of a call from its number in the answer, from 0."""


class CallSyntax(Protocol):
    """A tool-call format: its parser and its grammars.

    The reading methods are scripts that hold what they read. They return the calls, or ``None`` if there are
    none; the text is part of the answer then.
    """

    triggers: Sequence[str]
    """Texts that start calls anywhere in the answer."""

    def read(self, reader: Reader, trigger: str, /) -> Script[list[RawCall] | None]:
        """Read calls after ``trigger``."""
        ...

    def read_opening(self, reader: Reader) -> Script[list[RawCall] | None]:
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


def to_parts(calls: Sequence[RawCall], *, n_before: int, make_id: MakeCallId) -> list[ToolCallPart]:
    """Return ``calls`` as message parts, with ids for those without one."""
    return [
        ToolCallPart(id=call.id or make_id(n_before + n), name=call.name, arguments=call.arguments)
        for n, call in enumerate(calls)
    ]


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


def calls_in_json(text: str, *, is_keyed: bool = False) -> list[RawCall] | None:
    """Parse calls from a JSON object or an array of them; ``None`` if anything is invalid.

    With ``is_keyed`` each is an object with the name as its only key, and the arguments as the value.
    """
    try:
        value = loads(text)
    except ValueError:
        return None
    items = value if isinstance(value, list) else [value]
    calls = [_keyed_call_in(item) if is_keyed else _call_in(item) for item in items]
    valid = [call for call in calls if call is not None]
    return valid if valid and len(valid) == len(calls) else None


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


def read_arguments(reader: Reader, name: str, call_id: str | None = None) -> Script[RawCall | None]:
    """Read the arguments of a call, one JSON object; return the call."""
    yield from reader.read_space()
    start = reader.n_held
    arguments = parse_arguments((yield from reader.json_value()))
    if arguments is None:
        reader.cut(name, reader.held_from(start), call_id)
        return None
    return RawCall(name, arguments, call_id)


def read_json_calls(reader: Reader, *, is_keyed: bool = False) -> Script[list[RawCall] | None]:
    """Read calls from JSON, as ``calls_in_json`` does. If it is cut off, those before are returned."""
    start = reader.n_held
    text = yield from reader.json_value()
    return (
        cut_json_calls(reader, start=start, is_keyed=is_keyed)
        if text is None
        else calls_in_json(text, is_keyed=is_keyed)
    )


def cut_json_calls(reader: Reader, *, start: int, is_keyed: bool = False) -> list[RawCall] | None:
    """Note the call that was cut off, if one was in JSON held since ``start``; return the calls before."""
    if not reader.is_cut:
        return None
    complete, rest = [], reader.held_from(start).removeprefix("[")
    while (item := rest.lstrip(" \t\r\n,")).startswith("{"):
        try:
            _, end = _DECODER.raw_decode(item)
        except (ValueError, RecursionError):
            break
        complete.append(item[:end])
        rest = item[end:]
    call = _cut_call_in(item, is_keyed=is_keyed)
    if call is not None:
        reader.cut(*call)
    return calls_in_json(f"[{','.join(complete)}]", is_keyed=is_keyed)


def _cut_call_in(text: str, *, is_keyed: bool) -> RawCall | None:
    """Return the call that a cut-off JSON object begins with; ``None`` if it ends before its name does."""
    name, call_id, position = "", None, 0
    while match := _MEMBER.match(text, position):
        key, position = match[1], match.end()
        if key == "function" and text[position : position + 1] == "{":
            continue
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            value, end = None, len(text)
        if is_keyed or key in _ARGUMENTS_KEYS:
            return RawCall(key if is_keyed else name, text[position:end], call_id)
        name = value if key in _NAME_KEYS and isinstance(value, str) else name
        call_id = _usable_id(value) if key in _ID_KEYS else call_id
        position = end
    return RawCall(name, "", call_id)


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
        sys.stderr.write(f"Not enforced in arguments of the tool {tool.name!r}: {', '.join(left_open)}\n")
    return schema
