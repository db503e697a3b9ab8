"""Tool calls of MiniMax M3: arguments as XML-like elements, nested for objects and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fireside.runner.output.incremental_reader import IncrementalReader, Markers, Script
from fireside.runner.output.marked_calls import is_text, read_value
from fireside.runner.output.tool_call_detection import RawCall, dumps
from fireside.runner.output.tool_call_grammar import (
    TriggeredCalls,
    allows_additional,
    grammar,
    property_names,
    property_schema,
    quoted,
)

_TAG_PREFIX: Final = "]<]minimax[>["
"""Prefix of every tag, so that no text can be mistaken for one."""
_OPENS = f"{_TAG_PREFIX}<tool_call>"
ELEMENT_MARKS: Final = (_TAG_PREFIX, "<tool_call>", "</tool_call>")
_INVOKE, _INVOKE_END = '<invoke name="', "</invoke>"
_TAG_STARTS, _TAG_ENDS = Markers((_TAG_PREFIX,)), Markers((">",))
_ITEM: Final = "item"
_DEPTH: Final = 32

_Element = tuple[str, str, list[Any]]
"""Name, text, and child elements."""


class ElementCalls(TriggeredCalls):
    """Reads ``<invoke name="name"><key>value</key>…</invoke>``; the items of a list are ``<item>``."""

    triggers: Sequence[str] = (_OPENS,)

    def _read_calls(self, reader: IncrementalReader, _trigger: str) -> Script[list[RawCall] | None]:
        calls: list[RawCall] = []
        while True:
            yield from reader.read_space()
            if not (yield from reader.read_literal(_TAG_PREFIX)):
                break
            following = yield from reader.read_one_of((_INVOKE, "</tool_call>"))
            if following != _INVOKE:
                break
            call = yield from self._read_one(reader)
            if call is None:
                return self._tools.check(calls) if reader.is_cut else None
            calls.append(call)
        return self._tools.check(calls)

    def opening_grammar(self) -> str:
        return self._grammar(f"WS {self._marks.expression_of(_OPENS)} ")

    def _read_one(self, reader: IncrementalReader) -> Script[RawCall | None]:
        name = yield from reader.read_one_of(self._tools.names)
        if name is None or not (yield from reader.read_literal('">')):
            return None
        call = reader.begin_call(name)
        content = yield from _read_elements(reader, _INVOKE_END, _DEPTH)
        if content is None:
            return None
        call.is_whole = True
        schema = self._tools.schema(name)
        values = {
            key: _value(text, children, property_schema(schema, key)) for key, text, children in content[1]
        }
        return RawCall(name, dumps(values), call.id)

    def _grammar(self, before: str) -> str:
        prefix = self._marks.expression_of(_TAG_PREFIX)
        rules: list[str] = []
        options: list[str] = []
        for n, name in enumerate(self._tools.names):
            schema = self._tools.schema(name)
            keys = property_names(schema)
            tags = " | ".join(
                f"{prefix} {quoted(f'<{key}>')} content {prefix} {quoted(f'</{key}>')}" for key in keys
            )
            arguments = ""
            if keys or allows_additional(schema):
                rules.append(f"p{n}: {tags or 'element'}")
                arguments = f"(WS p{n})* "
            options.append(f'{quoted(name)} "\\">" {arguments}WS {prefix} {quoted(_INVOKE_END)}')
        is_control = self._marks.is_control(_TAG_PREFIX)
        closes = f'{prefix} "</tool_call>"'  # two terminals: as one, it would begin like every other tag
        return grammar(
            f"{before}(WS {prefix} {quoted(_INVOKE)} ({' | '.join(options)}))+ WS {closes}",
            *rules,
            "content: text | (WS element)+ WS",
            f'element: {prefix} "<" NAME ">" content {prefix} "</" NAME ">"',
            "NAME: /[A-Za-z0-9_.-]{1,64}/",
            "text: ANYTHING" if is_control else "text: /[^\\]]*/",
        )


def _read_elements(
    reader: IncrementalReader, closes: str, depth: int
) -> Script[tuple[str, list[_Element]] | None]:
    """Read up to the tag ``closes``; return the text before it, and the elements."""
    texts: list[str] = []
    elements: list[_Element] = []
    while depth:
        segment = yield from reader.read_through(_TAG_STARTS)
        if segment is None:
            return None
        texts.append(segment[0])
        if (yield from reader.read_literal(closes)):
            return "".join(texts), elements
        tag = yield from reader.read_through(_TAG_ENDS)
        if tag is None or not tag[0].startswith("<") or tag[0].startswith("</"):
            return None
        name = tag[0][1:]
        content = yield from _read_elements(reader, f"</{name}>", depth - 1)
        if content is None:
            return None
        elements.append((name, *content))
    return None


def _value(text: str, elements: list[_Element], schema: dict[str, Any]) -> object:
    if not elements:
        empty: dict[object, object] = {"array": [], "object": {}}
        if not text.strip() and schema.get("type") in empty:
            return empty[schema["type"]]
        return text if is_text(schema) else read_value(text)
    if all(name == _ITEM for name, _, _ in elements) and schema.get("type") != "object":
        items = schema.get("items")
        item_schema = items if isinstance(items, dict) else {"type": "number"}
        return [_value(text, children, item_schema) for _, text, children in elements]
    return {name: _value(text, children, property_schema(schema, name)) for name, text, children in elements}
