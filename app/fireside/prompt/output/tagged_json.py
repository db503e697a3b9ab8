"""Tool calls that are JSON, in a pair of markers or alone where an answer begins."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.prompt.output.calls import RawCall, Tools, calls_in_json
from fireside.prompt.output.grammar import Marks, constraint_of, grammar, json_call_rules
from fireside.prompt.output.reader import Reader, Script


class JsonTags(msgspec.Struct, frozen=True, kw_only=True):
    """How a family wraps the JSON of its calls."""

    opens: tuple[str, ...]
    """The first is the one to write."""
    closes: str = ""
    """Empty where the JSON ends the call."""
    in_list: bool = False
    """Whether calls are in an array also where there is one."""
    name_key: str = "name"
    arguments_key: str = "arguments"
    id_key: str | None = None
    bare: bool = False
    """Whether the JSON alone, where an answer begins, is a call."""
    fences: tuple[str, ...] = ()
    """Lines before bare JSON that count as part of it; "```" closes them."""


class JsonCalls:
    """Reads ``<tool_call>{"name": …, "arguments": {…}}</tool_call>`` and its many relatives.

    What ends the JSON ends the call: a closing marker that is missing, at the end of the output, is no harm.
    """

    def __init__(self, tags: JsonTags, *, tools: Tools, marks: Marks) -> None:
        self.triggers: Sequence[str] = tags.opens
        self._tags = tags
        self._tools = tools
        self._marks = marks
        self._rules = json_call_rules(
            tools, name_key=tags.name_key, arguments_key=tags.arguments_key, id_key=tags.id_key
        )

    def read(self, reader: Reader, _trigger: str) -> Script[list[RawCall] | None]:
        start = self._body + (f" WS {self._marks.mark(self._tags.closes)}" if self._tags.closes else "")
        reader.constrain(constraint_of(grammar(f"WS {start}", self._rules)), place=reader.n_held)
        yield from reader.space()
        text = yield from reader.json_value()
        if text is None:
            return None
        calls = self._tools.check(calls_in_json(text))
        if self._tags.closes and calls is not None:
            yield from reader.space()
            yield from reader.literal(self._tags.closes)
        return calls

    def read_opening(self, reader: Reader) -> Script[list[RawCall] | None]:
        if not self._tags.bare:
            return None
        calls = yield from self._read_bare(reader)
        return calls

    def opening_grammar(self) -> str:
        if self._tags.bare:
            return grammar("WS call", self._rules)
        opens, closes = self._tags.opens[0], self._tags.closes
        tail = f" WS {self._marks.mark(closes)}" if closes else ""
        return grammar(f"WS {self._marks.mark(opens)} WS {self._body}{tail}", self._rules)

    @property
    def _body(self) -> str:
        many = '"[" WS call WS ("," WS call WS)* "]"'
        return many if self._tags.in_list else f"(call | {many})" if not self._tags.closes else "call"

    def _read_bare(self, reader: Reader) -> Script[list[RawCall] | None]:
        fence = yield from reader.one_of(self._tags.fences)
        if fence:
            yield from reader.space()
        place = reader.n_held
        depth = 0
        if (yield from reader.literal("[")):
            depth += 1
            yield from reader.space()
        if not (yield from self._read_bare_head(reader)):
            return None
        body = '"[" WS call WS ("," WS call WS)* "]"' if depth else "call"
        tail = ' WS "```"' if fence else ""
        reader.constrain(constraint_of(grammar(body + tail, self._rules)), place=place)
        if not (yield from reader.json_rest(depth + 1)):
            return None
        calls = self._tools.check(calls_in_json(reader.held_from(place)))
        if fence and calls is not None:
            yield from reader.space()
            yield from reader.literal("```")
        return calls

    def _read_bare_head(self, reader: Reader) -> Script[bool]:
        """Read ``{"name": "a_tool"``, with ``"type": "function"`` before if the model says so."""
        if not (yield from reader.literal("{")):
            return False
        yield from reader.space()
        key = yield from reader.one_of(('"name"', '"type"'))
        if key == '"type"':
            for piece in (":", '"function"', ",", '"name"'):
                yield from reader.space()
                if not (yield from reader.literal(piece)):
                    return False
        if key is None:
            return False
        yield from reader.space()
        if not (yield from reader.literal(":")):
            return False
        yield from reader.space()
        names = tuple(f'"{name}"' for name in self._tools.names)
        return (yield from reader.one_of(names)) is not None
