"""Tool calls in JSON, between markers or bare at the start of an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from fireside.runner.output.incremental_reader import IncrementalReader, Script, WrittenCall
from fireside.runner.output.pythonic import PythonicCalls
from fireside.runner.output.tool_call_detection import (
    RawCall,
    Tools,
    read_json_call,
    read_json_calls,
)
from fireside.runner.output.tool_call_grammar import MarkerGrammar, constraint_of, grammar, json_call_rules

_LIST = '"[" WS call WS ("," WS call WS)* "]"'
_FENCE = "```"
_NOT_A_WORD = re.compile(r"\W")
"""A trigger without such a character may be prose: it starts a call only if JSON follows."""
_NAME, _TYPE = '"name"', '"type"'
_NAME_CHARACTER = re.compile(r"[\w./:-]")
"""A character of a tool's name."""


class JsonTags(msgspec.Struct, frozen=True, kw_only=True):
    """The markers and keys of a JSON call format."""

    opens: tuple[str, ...]
    """Opening markers; grammars use the first."""
    closes: str = ""
    """Closing marker; empty if the call ends with the JSON."""
    in_list: bool = False
    """Whether calls are always in an array."""
    is_keyed: bool = False
    """Whether a call is an object with the name as its key and the arguments as its value."""
    name_key: str = "name"
    arguments_key: str = "arguments"
    id_key: str | None = None
    bare: bool = False
    """Whether bare JSON at the start of an answer is a call. A Python list of calls counts, too."""
    may_be_bare: bool = False
    """Whether bare or fenced JSON at the start of an answer is a call although the format has markers: small
    models omit them. Only with the name of a known tool."""
    fences: tuple[str, ...] = ()
    """Code fences that may precede bare JSON."""
    separator: str = ""
    """Optional separator between two calls."""


class TaggedJsonCalls:
    """Parses ``<tool_call>{"name": …, "arguments": {…}}</tool_call>`` and its many variants.

    A call ends with its JSON: a missing closing marker at the end of the output does no harm.
    """

    def __init__(self, tags: JsonTags, *, tools: Tools, marks: MarkerGrammar, python: PythonicCalls) -> None:
        self.triggers: Sequence[str] = tags.opens
        self._tags = tags
        self._tools = tools
        self._marks = marks
        self._python = python

    def read(self, reader: IncrementalReader, trigger: str) -> Script[list[RawCall] | None]:
        start = reader.n_held
        if _NOT_A_WORD.search(trigger):
            reader.constrain(constraint_of(self._marked_grammar()), start=start)
            yield from reader.read_space()
        else:
            yield from reader.read_space()
            if (yield from reader.peek()) in ("[", "{"):
                reader.constrain(constraint_of(self._marked_grammar()), start=start)
        calls: list[RawCall] = []
        while True:
            parsed = yield from read_json_calls(reader, is_keyed=self._tags.is_keyed)
            if parsed is None and not reader.is_cut:
                return None
            calls += parsed or ()
            if not self._tags.closes or self._tools.has_enough(calls):
                break
            yield from reader.read_space()
            if (yield from reader.peek()) != "{":
                break
        checked = self._tools.check(calls)
        if checked is not None:
            yield from self._read_end(reader, self._tags.closes or self._tags.separator)
        return checked

    def read_opening(self, reader: IncrementalReader) -> Script[list[RawCall] | None]:
        if not (self._tags.bare or self._tags.may_be_bare):
            return None
        if self._tags.may_be_bare and (yield from reader.peek()) not in ("{", _FENCE[0]):
            return None
        fence = yield from reader.read_one_of(self._tags.fences)
        if fence:
            yield from reader.read_space()
        list_start = reader.n_held
        in_list = yield from reader.read_literal("[")
        if in_list:
            yield from reader.read_space()
        if in_list and self._tags.bare and (yield from reader.peek()) != "{":
            calls = yield from self._python.read_listed(reader, list_start=list_start)
        else:
            calls = yield from self._read_bare(
                reader, list_start=list_start, fenced=bool(fence), in_list=in_list
            )
        if calls is not None:
            yield from self._read_end(reader, _FENCE if fence else self._tags.separator)
        return calls

    def opening_grammar(self) -> str:
        if self._tags.bare:
            return self._grammar("WS call")
        return self._grammar(f"WS {self._marks.expression(self._tags.opens[0])} WS {self._body}")

    def call_grammars(self) -> Sequence[str]:
        tags, grammars = self._tags, []
        if tags.bare:
            kinds = ((in_list, fenced) for in_list in (False, True) for fenced in (False, bool(tags.fences)))
            grammars = [self._bare_grammar(fenced=fenced, in_list=in_list) for in_list, fenced in kinds]
            grammars.append(self._python.listed_grammar())
        if tags.may_be_bare:
            fenced = (self._bare_grammar(fenced=True, in_list=in_list) for in_list in (False, True))
            return (self._marked_grammar(), self._bare_grammar(fenced=False, in_list=False), *fenced)
        # Where a call may be bare, it mostly is.
        return (*grammars, self._marked_grammar()) if tags.opens else tuple(grammars)

    @property
    def _body(self) -> str:
        """The grammar after the opening marker. Where a call may be bare, further ones are separate."""
        tail = f" WS {self._marks.expression(self._tags.closes)}" if self._tags.closes else ""
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

    def _read_end(self, reader: IncrementalReader, end: str) -> Script[None]:
        if end == self._tags.separator:  # optional: the call is complete without it
            reader.lift_constraint()
        if end:
            yield from reader.read_space()
            yield from reader.read_literal(end)

    def _read_bare(
        self, reader: IncrementalReader, *, list_start: int, fenced: bool, in_list: bool
    ) -> Script[list[RawCall] | None]:
        object_start = reader.n_held
        key, begun = yield from self._read_bare_start(reader)
        if begun is None:
            return None
        if key == _NAME:
            reader.constrain(
                constraint_of(self._bare_grammar(fenced=fenced, in_list=in_list)), start=list_start
            )
        call = yield from read_json_call(reader, begun=begun, start=object_start)
        calls = self._tools.check([call] if call else None)
        while calls is not None and (fenced or in_list) and not self._tools.has_enough(calls):
            yield from reader.read_space()
            if in_list:
                if (yield from reader.read_literal("]")) or reader.is_cut:
                    break
                if not (yield from reader.read_literal(",")):
                    return None
                yield from reader.read_space()
            elif (yield from reader.peek()) != "{":
                break
            more = self._tools.check((yield from read_json_calls(reader)))
            calls = calls + more if more is not None else calls if reader.is_cut else None
            if reader.is_cut:
                break
        return calls

    def _read_bare_start(self, reader: IncrementalReader) -> Script[tuple[str, WrittenCall | None]]:
        """Read ``{"name": "a_tool"``, optionally with ``"type": "function"`` before the name.

        Returns the key that came first, empty for an unknown tool, and the call.
        """
        if not (yield from reader.read_literal("{")):
            return "", None
        yield from reader.read_space()
        key = yield from reader.read_one_of((_NAME, _TYPE))
        if key is None:
            return "", None
        for piece in (":",) if key == _NAME else (":", '"function"', ",", _NAME, ":"):
            yield from reader.read_space()
            if not (yield from reader.read_literal(piece)):
                return "", None
        yield from reader.read_space()
        names = tuple(f'"{name}"' for name in self._tools.names)
        name = yield from reader.read_one_of(names)
        if name is not None:
            return key, reader.begin_call(name[1:-1])
        return "", (yield from self._read_unknown(reader)) if self._tools.unknown else None

    def _read_unknown(self, reader: IncrementalReader) -> Script[WrittenCall | None]:
        """Read the name of an unknown tool, up to its arguments: without these it is not a call."""
        if not (yield from reader.read_literal('"')):
            return None
        name = yield from reader.read_while(_NAME_CHARACTER)
        for piece in ('"', ",", f'"{self._tags.arguments_key}"', ":"):
            yield from reader.read_space()
            if not (yield from reader.read_literal(piece)):
                return None
        yield from reader.read_space()
        return reader.begin_call(name) if (yield from reader.peek()) == "{" else None
