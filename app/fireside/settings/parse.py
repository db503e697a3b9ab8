"""Read a setting from text, as environment variables and the command line give it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, assert_never

import msgspec

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import join_alternatives, tr
from fireside.core.options import SettingValue
from fireside.settings.definitions import BY_KEY
from fireside.settings.value_check import allowed_values_text, normalise
from fireside.settings.values import Kind, SettingDefinition

_ON: Final = frozenset({"on", "true", "yes", "1"})
_OFF: Final = frozenset({"off", "false", "no", "0"})


def parse(definition: SettingDefinition, text: str) -> SettingValue:
    """Return the value that ``text`` means: ``8192``, ``auto``, ``off``, ``["###", "END"]``, ``~/models``.

    Named values go by their label or their stored spelling, in any case. Raises ``SettingInvalid``, which
    names them as they are typed.
    """
    try:
        return normalise(definition, _read(definition, text))
    except SettingInvalid as exc:
        if definition.kind is not Kind.CHOICE:
            raise
        names = join_alternatives([tr("“{name}”").format(name=value) for value, _ in definition.choices])
        raise SettingInvalid(key=exc.key, reason=tr("Choose {names}.").format(names=names)) from exc


def parse_assignments(assignments: Iterable[str]) -> dict[str, SettingValue]:
    """Read ``key=value`` arguments, the last of a key winning.

    ``temperature`` will do for ``sampling.temperature`` where no other key ends in it. Raises
    ``SettingInvalid`` for an unknown key or a value out of bounds.
    """
    values: dict[str, SettingValue] = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        key = key.strip()
        ending = _ending_in(key)
        definition = BY_KEY.get(key) or (BY_KEY[ending[0]] if len(ending) == 1 and "." not in key else None)
        if definition is None:
            raise SettingInvalid(key=key, reason=_no_such_key(key))
        if not equals:
            raise SettingInvalid(key=key, reason=tr("Use {key}=value.").format(key=key))
        try:
            values[definition.key] = parse(definition, text)
        except SettingInvalid as exc:
            raise SettingInvalid(key=key, reason=exc.reason) from exc
    return values


def _ending_in(key: str) -> list[str]:
    last = key.rpartition(".")[2].lower()
    return [known for known in BY_KEY if last and known.rpartition(".")[2] == last]


def _no_such_key(key: str) -> str:
    import difflib

    near = _ending_in(key) or difflib.get_close_matches(key.lower(), BY_KEY, n=1)
    if not near:
        return tr("Unknown setting.")
    return tr("Unknown setting. Did you mean “{key}”?").format(key=near[0])


def _read(definition: SettingDefinition, text: str) -> object:
    word = text.strip()
    match definition.kind:
        case Kind.SWITCH:
            return _switch(definition, word.lower())
        case Kind.INTEGER:
            named = _named(definition, word)
            return _number(int, word) if named is None else named
        case Kind.NUMBER:
            return _number(float, word)
        case Kind.CHOICE:
            return _named(definition, word)
        case Kind.LINE | Kind.TEXT:
            return text
        case Kind.FILE | Kind.FOLDER:
            return _home_expanded(word) if word else ""
        case Kind.LINES:
            return _lines(text)
        case Kind.PATHS:
            return [_home_expanded(part.strip()) for part in text.split(os.pathsep) if part.strip()]
        case _:
            assert_never(definition.kind)


def _switch(definition: SettingDefinition, word: str) -> bool:
    if word in _ON:
        return True
    if word in _OFF:
        return False
    raise SettingInvalid(key=definition.label, reason=allowed_values_text(definition))


def _named(definition: SettingDefinition, word: str) -> SettingValue:
    for value, label in definition.choices:
        if word.lower() in (label.lower(), str(value).lower()):
            return value
    return None


def _number(kind: type[int] | type[float], word: str) -> int | float | None:
    try:
        return kind(word)
    except ValueError:
        return None


def _lines(text: str) -> object:
    """A JSON list as it is; anything else is one entry, and nothing is none."""
    if text.lstrip().startswith("["):
        try:
            return msgspec.json.decode(text, type=list[str])
        except (msgspec.DecodeError, UnicodeEncodeError):
            pass  # a stop text may well begin with a bracket
    return [text] if text else []


def _home_expanded(path: str) -> str:
    try:
        return str(Path(path).expanduser())
    except RuntimeError:
        return path  # no home folder to expand to: the check of the path then says what is wrong
