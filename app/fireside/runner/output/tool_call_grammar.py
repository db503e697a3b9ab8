"""Grammars of tool calls, in llguidance's variant of Lark."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fireside.core.task import LarkConstraint
from fireside.runner.output.incremental_reader import IncrementalReader, Script
from fireside.runner.output.tool_call_detection import RawCall, Tools

_TERMINALS = """
WS: /[ \\t\\r\\n]{0,16}/
ANYTHING: /(.|\\n)*/
"""


class MarkerGrammar:
    """Grammar expressions of markers; control tokens by id, since their text alone never matches them."""

    def __init__(self, control_ids: Mapping[str, int]) -> None:
        self._control_ids = control_ids

    def is_control(self, text: str) -> bool:
        """Whether a text is a control token."""
        return text in self._control_ids

    def expression_of(self, text: str) -> str:
        """Return the expression of a text that may contain control tokens."""
        control_texts = sorted(self._control_ids, key=len, reverse=True)
        parts = re.split(f"({'|'.join(map(re.escape, control_texts))})", text) if control_texts else [text]
        return " ".join(map(self.expression, filter(None, parts))) or '""'

    def expression(self, text: str) -> str:
        """Return the expression of a text that may be a control token."""
        token = self._control_ids.get(text)
        return quoted(text) if token is None else f"<[{token}]>"


class TriggeredCalls(ABC):
    """Base of a ``CallSyntax`` whose calls always follow a trigger."""

    triggers: Sequence[str]

    def __init__(self, *, tools: Tools, marks: MarkerGrammar) -> None:
        self._tools = tools
        self._marks = marks

    def read(self, reader: IncrementalReader, trigger: str) -> Script[list[RawCall] | None]:
        reader.constrain(constraint_of(self._grammar_after(trigger)), start=reader.n_held)
        return (yield from self._read_calls(reader, trigger))

    def read_opening(self, _reader: IncrementalReader) -> Script[list[RawCall] | None]:
        yield from ()
        return None

    def opening_grammar(self) -> str:
        return self._grammar(f"WS {self._marks.expression(self.triggers[0])} ")

    def call_grammars(self) -> Sequence[str]:
        return tuple(map(self._grammar_after, self.triggers))

    def _grammar_after(self, _trigger: str, /) -> str:
        return self._grammar("")

    @abstractmethod
    def _read_calls(self, reader: IncrementalReader, trigger: str, /) -> Script[list[RawCall] | None]:
        """Read calls after ``trigger``."""

    @abstractmethod
    def _grammar(self, start: str, /) -> str:
        """Return the grammar of calls whose start rule begins with ``start``."""


def grammar(start: str, *rules: str) -> str:
    """Return a grammar with the terminals ``WS``, optional white space, and ``ANYTHING``, any text."""
    return "\n".join((f"start: {start}", *rules, _TERMINALS))


def repeated(call: str) -> str:
    """Return the grammar of one or more repetitions of the grammar ``call``."""
    return call.replace("start:", "start: one+\none:", 1)


def constraint_of(text: str) -> LarkConstraint:
    """Return the constraint of the Lark grammar ``text``."""
    return LarkConstraint(grammar=text)


def quoted(text: str) -> str:
    """Return ``text`` as a string literal of the grammar."""
    return json.dumps(text, ensure_ascii=False) if text else '""'


def json_rule(schema: Mapping[str, Any]) -> str:
    """Return the expression of a JSON value; schema features unknown to llguidance are ignored."""
    return "%json " + json.dumps({**schema, "x-guidance": {"lenient": True, "coerce_one_of": True}})


def json_call_rules(
    tools: Tools,
    *,
    name_key: str | None = "name",
    arguments_key: str = "arguments",
    id_before: str | None = None,
    id_after: str | None = None,
) -> str:
    """Return the rule ``call``: a JSON object with the name of a tool, and arguments of its schema.

    ``id_before`` and ``id_after`` are keys of an id that must come first, or may come last. Without a
    ``name_key`` the name itself is the key of the arguments.
    """
    options = " | ".join(
        f"{_member(name)} {json_rule(tools.schema(name))}"
        if name_key is None
        else f'{_member(name_key)} {quoted(json.dumps(name, ensure_ascii=False))} WS "," WS '
        f"{_member(arguments_key)} {json_rule(tools.schema(name))}"
        for name in tools.names
    )
    before = f'{_member(id_before)} CALL_ID WS "," WS ' if id_before else ""
    after = f'(WS "," WS {_member(id_after)} CALL_ID)? ' if id_after else ""
    rule = f'call: "{{" WS {before}({options}) {after}WS "}}"'
    return rule + ('\nCALL_ID: /"[A-Za-z0-9_-]{1,40}"/' if id_before or id_after else "")


def property_schema(schema: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the schema of one property, with the definitions that it may refer to."""
    properties = schema.get("properties")
    own = properties.get(key) if isinstance(properties, dict) else None
    if not isinstance(own, dict):
        return {}
    if not all(ref.startswith(("#/$defs/", "#/definitions/")) for ref in _refs(own)):
        return {}
    return own | {name: schema[name] for name in ("$defs", "definitions") if name in schema}


def property_names(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the properties of a schema, in order."""
    properties = schema.get("properties")
    return tuple(properties) if isinstance(properties, dict) else ()


def allows_additional(schema: Mapping[str, Any]) -> bool:
    """Whether arguments are allowed that the schema does not list."""
    return schema.get("additionalProperties") is not False


def _refs(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from _refs(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _refs(inner)


def _member(key: str) -> str:
    return f'{quoted(json.dumps(key))} WS ":" WS'


def argument_rules(
    tools: Tools, *, argument: Callable[[str, Mapping[str, Any]], str]
) -> tuple[list[str], dict[str, str]]:
    """Return a rule for each argument, and by tool the expression of all its arguments in order.

    ``argument`` returns the expression of one argument, given its key and the schema of its value.
    """
    rules: list[str] = []
    by_tool: dict[str, str] = {}
    for n, name in enumerate(tools.names):
        schema = tools.schema(name)
        required = schema.get("required")
        parts = []
        for m, key in enumerate(property_names(schema)):
            rules.append(f"p{n}_{m}: {argument(key, property_schema(schema, key))} WS")
            needed = isinstance(required, list) and key in required
            parts.append(f"p{n}_{m}" if needed else f"p{n}_{m}?")
        by_tool[name] = " ".join(parts)
    return rules, by_tool
