"""Tool calls that are JSON, in a pair of markers or alone where an answer begins."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from fireside.runner.output.incremental_reader import Reader, Script
from fireside.runner.output.pythonic import PythonicCalls
from fireside.runner.output.tool_call_detection import RawCall, Tools, calls_in_json
from fireside.runner.output.tool_call_grammar import Marks, constraint_of, grammar, json_call_rules

_LIST = '"[" WS call WS ("," WS call WS)* "]"'
_FENCE = "```"
_TELLING = re.compile(r"\W")
"""What a word that may be prose has none of: it begins a call only where JSON follows."""
_NAME, _TYPE = '"name"', '"type"'
_NAME_CHARACTER = re.compile(r"[\w./:-]")
"""Of the name of a tool."""


class JsonTags(msgspec.Struct, frozen=True, kw_only=True):
    """How a family wraps the JSON of its calls."""

    opens: tuple[str, ...]
    """The first is the one to write."""
    closes: str = ""
    """Empty where the JSON ends the call."""
    in_list: bool = False
    """Whether even a single call is in an array."""
    is_keyed: bool = False
    """Whether a call is an object with the name for its key, and the arguments for its value."""
    name_key: str = "name"
    arguments_key: str = "arguments"
    id_key: str | None = None
    bare: bool = False
    """Whether the JSON alone, where an answer begins, is a call. A list of calls in Python counts, too."""
    may_be_bare: bool = False
    """Whether JSON alone or in a fence, where an answer begins, is a call, though the family writes markers:
    small models leave them out. Only with the name of a tool that there is."""
    fences: tuple[str, ...] = ()
    """What may stand before bare JSON."""
    separator: str = ""
    """What may stand between two calls."""


class TaggedJsonCalls:
    """Reads ``<tool_call>{"name": …, "arguments": {…}}</tool_call>`` and its many relatives.

    What ends the JSON ends the call: a closing marker that is missing, at the end of the output, is no harm.
    """

    def __init__(self, tags: JsonTags, *, tools: Tools, marks: Marks, python: PythonicCalls) -> None:
        self.triggers: Sequence[str] = tags.opens
        self._tags = tags
        self._tools = tools
        self._marks = marks
        self._python = python

    def read(self, reader: Reader, trigger: str) -> Script[list[RawCall] | None]:
        place = reader.n_held
        if _TELLING.search(trigger):
            reader.constrain(constraint_of(self._marked_grammar()), place=place)
            yield from reader.space()
        else:
            yield from reader.space()
            if (yield from reader.peek()) in ("[", "{"):
                reader.constrain(constraint_of(self._marked_grammar()), place=place)
        calls: list[RawCall] = []
        while True:
            text = yield from reader.json_value()
            found = calls_in_json(text, is_keyed=self._tags.is_keyed) if text is not None else None
            if found is None:
                return None
            calls += found
            if not self._tags.closes or self._tools.are_enough(calls):
                break
            yield from reader.space()
            if (yield from reader.peek()) != "{":
                break
        checked = self._tools.check(calls)
        if checked is not None:
            yield from self._read_end(reader, self._tags.closes or self._tags.separator)
        return checked

    def read_opening(self, reader: Reader) -> Script[list[RawCall] | None]:
        if not (self._tags.bare or self._tags.may_be_bare):
            return None
        if self._tags.may_be_bare and (yield from reader.peek()) not in ("{", _FENCE[0]):
            return None
        fence = yield from reader.one_of(self._tags.fences)
        if fence:
            yield from reader.space()
        place = reader.n_held
        in_list = yield from reader.literal("[")
        if in_list:
            yield from reader.space()
        if in_list and self._tags.bare and (yield from reader.peek()) != "{":
            calls = yield from self._python.read_listed(reader, place=place)
        else:
            calls = yield from self._read_bare(reader, place=place, fenced=bool(fence), in_list=in_list)
        if calls is not None:
            yield from self._read_end(reader, _FENCE if fence else self._tags.separator)
        return calls

    def opening_grammar(self) -> str:
        if self._tags.bare:
            return self._grammar("WS call")
        return self._grammar(f"WS {self._marks.mark(self._tags.opens[0])} WS {self._body}")

    def call_grammars(self) -> Sequence[str]:
        tags, grammars = self._tags, []
        if tags.bare:
            kinds = ((in_list, fenced) for in_list in (False, True) for fenced in (False, bool(tags.fences)))
            grammars = [self._bare_grammar(fenced=fenced, in_list=in_list) for in_list, fenced in kinds]
            grammars.append(self._python.listed_grammar())
        if tags.may_be_bare:
            fenced = (self._bare_grammar(fenced=True, in_list=in_list) for in_list in (False, True))
            return (self._marked_grammar(), self._bare_grammar(fenced=False, in_list=False), *fenced)
        # Where a call may stand alone, that is how it mostly stands.
        return (*grammars, self._marked_grammar()) if tags.opens else tuple(grammars)

    @property
    def _body(self) -> str:
        """What stands behind the opening marker. Where a call may stand alone, a second one is apart."""
        tail = f" WS {self._marks.mark(self._tags.closes)}" if self._tags.closes else ""
        return (_LIST if self._tags.in_list else "call") + tail

    def _marked_grammar(self) -> str:
        return self._grammar(f"WS {self._body}")

    def _bare_grammar(self, *, fenced: bool, in_list: bool) -> str:
        calls = _LIST if in_list else "call (WS call)*" if fenced else "call"
        return self._grammar(calls + (f' WS "{_FENCE}"' if fenced else ""))

    def _grammar(self, start: str) -> str:
        tags = self._tags
        rules = json_call_rules(
            self._tools,
            name_key=None if tags.is_keyed else tags.name_key,
            arguments_key=tags.arguments_key,
            id_before=tags.id_key,
        )
        return grammar(start, rules)

    def _read_end(self, reader: Reader, end: str) -> Script[None]:
        if end == self._tags.separator:  # optional: the call is whole without it
            reader.free()
        if end:
            yield from reader.space()
            yield from reader.literal(end)

    def _read_bare(
        self, reader: Reader, *, place: int, fenced: bool, in_list: bool
    ) -> Script[list[RawCall] | None]:
        first = reader.n_held
        key = yield from self._read_bare_head(reader)
        if key is None:
            return None
        if key == _NAME:
            reader.constrain(constraint_of(self._bare_grammar(fenced=fenced, in_list=in_list)), place=place)
        if not (yield from reader.json_rest(1)):
            return None
        calls = self._tools.check(calls_in_json(reader.held_from(first)))
        while calls is not None and (fenced or in_list) and not self._tools.are_enough(calls):
            yield from reader.space()
            if in_list:
                if (yield from reader.literal("]")):
                    break
                if not (yield from reader.literal(",")):
                    return None
                yield from reader.space()
            elif (yield from reader.peek()) != "{":
                break
            text = yield from reader.json_value()
            more = None if text is None else self._tools.check(calls_in_json(text))
            calls = None if more is None else calls + more
        return calls

    def _read_bare_head(self, reader: Reader) -> Script[str | None]:
        """Read ``{"name": "a_tool"``, with ``"type": "function"`` before if the model says so.

        Returns the key that came first; empty where it is a tool that there is not.
        """
        if not (yield from reader.literal("{")):
            return None
        yield from reader.space()
        key = yield from reader.one_of((_NAME, _TYPE))
        if key is None:
            return None
        for piece in (":",) if key == _NAME else (":", '"function"', ",", _NAME, ":"):
            yield from reader.space()
            if not (yield from reader.literal(piece)):
                return None
        yield from reader.space()
        names = tuple(f'"{name}"' for name in self._tools.names)
        if (yield from reader.one_of(names)):
            return key
        return "" if self._tools.unknown and (yield from self._read_unknown(reader)) else None

    def _read_unknown(self, reader: Reader) -> Script[bool]:
        """Read the name of a tool that there is not, and on to its arguments: without them it is no call."""
        if not (yield from reader.literal('"')):
            return False
        yield from reader.word(_NAME_CHARACTER)
        for piece in ('"', ",", f'"{self._tags.arguments_key}"', ":"):
            yield from reader.space()
            if not (yield from reader.literal(piece)):
                return False
        yield from reader.space()
        return (yield from reader.peek()) == "{"
