"""Read the frontmatter of ``SKILL.md``: YAML by others, much of which is not quite YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec
import yaml

_MAX_CHARS: Final = 64_000
_MAX_DEPTH: Final = 16
_MAX_EVENTS: Final = 10_000
_LINE: Final = re.compile(r"([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?$")
_BLOCK_MARK: Final = re.compile(r"[|>][-+0-9]*$")
_TEXTS: Final = ("name", "description")
_QUOTES: Final = "\"'"


class SkillText(msgspec.Struct, frozen=True, kw_only=True):
    """``SKILL.md`` in its parts."""

    fields: dict[str, str]
    """The frontmatter by key; lists and mappings are joined with commas."""
    body: str
    is_yaml: bool = True
    """Whether the frontmatter is valid; else it was read line by line, as other programs do."""


class _NotRead(Exception):
    pass


def read_skill_text(text: str) -> SkillText:
    """Split the text and read its frontmatter, if it has any. Never raises.

    Values are texts, whatever they look like: ``version: 1.10`` and ``name: on`` too. Aliases are not
    resolved, and depth and number of values are limited. Where that fails, each line ``key: value`` is one
    field; the most common reason is a colon in a description without quotes.
    """
    header, body = _split(text)
    try:
        return SkillText(fields=_read_yaml(header), body=body)
    except (_NotRead, yaml.YAMLError):
        return SkillText(fields=_read_lines(header), body=body, is_yaml=False)


def _split(text: str) -> tuple[str, str]:
    lines = text.lstrip("\ufeff \t\r\n").splitlines()
    if not lines or lines[0].rstrip() != "---":
        return "", text
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return "\n".join(lines[1:number]), "\n".join(lines[number + 1 :]).strip("\n")
    return "", text


def _read_yaml(header: str) -> dict[str, str]:
    if len(header) > _MAX_CHARS:
        raise _NotRead
    events = _counted(yaml.parse(header, Loader=yaml.SafeLoader))
    fields: dict[str, str] = {}
    for event in events:
        if isinstance(event, yaml.MappingStartEvent):
            while not isinstance(key := next(events), yaml.MappingEndEvent):
                name = _text_of(key, events, depth=1)
                value = next(events)
                if name in _TEXTS and not isinstance(value, yaml.ScalarEvent):
                    raise _NotRead  # such as ``{{a template's}}``
                fields[name] = _text_of(value, events, depth=1)
        elif isinstance(event, (yaml.ScalarEvent, yaml.SequenceStartEvent, yaml.AliasEvent)):
            raise _NotRead
    return fields


def _text_of(event: object, events: Iterator[object], *, depth: int) -> str:
    """Return the value that begins with ``event`` as one text."""
    if depth > _MAX_DEPTH:
        raise _NotRead
    match event:
        case yaml.ScalarEvent():
            return str(event.value)
        case yaml.SequenceStartEvent():
            values: list[str] = []
            while not isinstance(inner := next(events), yaml.SequenceEndEvent):
                values.append(_text_of(inner, events, depth=depth + 1))
            return ", ".join(values)
        case yaml.MappingStartEvent():
            values = []
            while not isinstance(inner := next(events), yaml.MappingEndEvent):
                key = _text_of(inner, events, depth=depth + 1)
                values.append(f"{key}: {_text_of(next(events), events, depth=depth + 1)}")
            return ", ".join(values)
        case _:
            raise _NotRead


def _counted(events: Iterator[object]) -> Iterator[object]:
    for number, event in enumerate(events):
        if number > _MAX_EVENTS:
            raise _NotRead
        yield event


def _read_lines(header: str) -> dict[str, str]:
    parts: dict[str, list[str]] = {}
    values: list[str] = []
    for line in header[:_MAX_CHARS].splitlines():
        found = _LINE.match(line)
        if found is not None:
            first = found[2] or ""
            values = parts.setdefault(found[1], [])
            values[:] = [] if _BLOCK_MARK.match(first) else [first]
        elif not line.startswith("#"):
            values.append(line.strip())
    return {key: _unquoted(" ".join(filter(None, value))) for key, value in parts.items()}


def _unquoted(text: str) -> str:
    text = text.strip()
    is_quoted = len(text) > 1 and text[0] in _QUOTES and text[-1] == text[0]
    return text[1:-1] if is_quoted else text
