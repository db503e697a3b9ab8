"""Tool calls of MiniMax M3: arguments as XML-like elements, nested for objects and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fireside.runner.output.incremental_reader import Markers, Reader, Script
from fireside.runner.output.marked_calls import is_text, read_value
from fireside.runner.output.tool_call_detection import RawCall, dumps
from fireside.runner.output.tool_call_grammar import (
    TriggeredCalls,
    allows_additional,
    constraint_of,
    grammar,
    property_names,
    property_schema,
    quoted,
)

_SIGN: Final = "]<]minimax[>["
"""Prefix of every tag, so that no text can be mistaken for one."""
_OPENS = f"{_SIGN}<tool_call>"
ELEMENT_MARKS: Final = (_SIGN, "<tool_call>", "</tool_call>")
_INVOKE, _INVOKED = '<invoke name="', "</invoke>"
_SIGNS, _TAG_ENDS = Markers((_SIGN,)), Markers((">",))
_ITEM: Final = "item"
_DEPTH: Final = 32

_Element = tuple[str, str, list[Any]]
"""Name, text, and child elements."""


class ElementCalls(TriggeredCalls):
    """Reads ``<invoke name="name"><key>value</key>…</invoke>``; the items of a list are ``<item>``."""

    triggers: Sequence[str] = (_OPENS,)

    def read(self, reader: Reader, _trigger: str) -> Script[list[RawCall] | None]:
        reader.constrain(constraint_of(self._grammar("")), place=reader.n_held)
        calls: list[RawCall] = []
        while True:
            yield from reader.read_space()
            if not (yield from reader.read_literal(_SIGN)):
                break
            following = yield from reader.read_one_of((_INVOKE, "</tool_call>"))
            if following != _INVOKE:
                break
            call = yield from self._read_one(reader)
            if call is None:
                return None
            calls.append(call)
        return self._tools.check(calls)

    def opening_grammar(self) -> str:
        return self._grammar(f"WS {self._marks.expression_of(_OPENS)} ")

    def _read_one(self, reader: Reader) -> Script[RawCall | None]:
        name = yield from reader.read_one_of(self._tools.names)
        if name is None or not (yield from reader.read_literal('">')):
            return None
        read = yield from _read_elements(reader, _INVOKED, _DEPTH)
        if read is None:
            return None
        schema = self._tools.schema(name)
        values = {key: _value(text, inner, property_schema(schema, key)) for key, text, inner in read[1]}
        return RawCall(name, dumps(values))

    def _grammar(self, before: str) -> str:
        sign = self._marks.expression_of(_SIGN)
        rules: list[str] = []
        options: list[str] = []
        for n, name in enumerate(self._tools.names):
            schema = self._tools.schema(name)
            keys = property_names(schema)
            tags = " | ".join(
                f"{sign} {quoted(f'<{key}>')} content {sign} {quoted(f'</{key}>')}" for key in keys
            )
            more = ""
            if keys or allows_additional(schema):
                rules.append(f"p{n}: {tags or 'element'}")
                more = f"(WS p{n})* "
            options.append(f'{quoted(name)} "\\">" {more}WS {sign} {quoted(_INVOKED)}')
        is_control = self._marks.is_control(_SIGN)
        closes = f'{sign} "</tool_call>"'  # apart, or what begins as it would be taken for it
        return grammar(
            f"{before}(WS {sign} {quoted(_INVOKE)} ({' | '.join(options)}))+ WS {closes}",
            *rules,
            "content: text | (WS element)+ WS",
            f'element: {sign} "<" NAME ">" content {sign} "</" NAME ">"',
            "NAME: /[A-Za-z0-9_.-]{1,64}/",
            "text: ANYTHING" if is_control else "text: /[^\\]]*/",
        )


def _read_elements(reader: Reader, closes: str, depth: int) -> Script[tuple[str, list[_Element]] | None]:
    """Read up to the tag ``closes``; return the text before it, and the elements."""
    texts: list[str] = []
    elements: list[_Element] = []
    while depth:
        found = yield from reader.read_through(_SIGNS)
        if found is None:
            return None
        texts.append(found[0])
        if (yield from reader.read_literal(closes)):
            return "".join(texts), elements
        tag = yield from reader.read_through(_TAG_ENDS)
        if tag is None or not tag[0].startswith("<") or tag[0].startswith("</"):
            return None
        name = tag[0][1:]
        inner = yield from _read_elements(reader, f"</{name}>", depth - 1)
        if inner is None:
            return None
        elements.append((name, *inner))
    return None


def _value(text: str, elements: list[_Element], schema: dict[str, Any]) -> object:
    if not elements:
        empty: dict[object, object] = {"array": [], "object": {}}
        if not text.strip() and schema.get("type") in empty:
            return empty[schema["type"]]
        return text if is_text(schema) else read_value(text)
    if all(name == _ITEM for name, _, _ in elements) and schema.get("type") != "object":
        items = schema.get("items")
        inside = items if isinstance(items, dict) else {"type": "number"}
        return [_value(text, inner, inside) for _, text, inner in elements]
    return {name: _value(text, inner, property_schema(schema, name)) for name, text, inner in elements}
