"""Parse settings from the texts of environment variables and the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, assert_never

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import SettingInvalid
from fireside.core.i18n import join_alternatives, tr
from fireside.core.options import SettingValue
from fireside.settings.definitions import BY_KEY
from fireside.settings.value_check import allowed_values_text, normalise
from fireside.settings.values import Kind, SettingDefinition

_ON: Final = frozenset({"on", "true", "yes", "1"})
_OFF: Final = frozenset({"off", "false", "no", "0"})


def parse(definition: SettingDefinition, text: str) -> SettingValue:
    """Return the value of ``text``, such as ``8192``, ``auto``, ``off``, ``["###", "END"]``, ``~/models``.

    Named values are matched by label or stored value, ignoring case. Raises ``SettingInvalid``, which lists
    the stored values.
    """
    try:
        return normalise(definition, _read(definition, text))
    except SettingInvalid as exc:
        if definition.kind is not Kind.CHOICE:
            raise
        names = join_alternatives([tr("“{name}”").format(name=value) for value, _ in definition.choices])
        raise SettingInvalid(key=exc.key, reason=tr("Choose {names}.").format(names=names)) from exc


def parse_assignments(assignments: Iterable[str]) -> dict[str, SettingValue]:
    """Parse ``key=value`` arguments; the last one of a key wins.

    ``temperature`` is accepted for ``sampling.temperature`` if no other key ends in it. Raises
    ``SettingInvalid`` for an unknown key or an invalid value.
    """
    values: dict[str, SettingValue] = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        key = key.strip()
        matches = _keys_ending_in(key)
        definition = BY_KEY.get(key) or (BY_KEY[matches[0]] if len(matches) == 1 and "." not in key else None)
        if definition is None:
            raise SettingInvalid(key=key, reason=_unknown_key_text(key))
        if not equals:
            raise SettingInvalid(key=key, reason=tr("Use {key}=value.").format(key=key))
        try:
            values[definition.key] = parse(definition, text)
        except SettingInvalid as exc:
            raise SettingInvalid(key=key, reason=exc.reason) from exc
    return values


def _keys_ending_in(key: str) -> list[str]:
    name = key.rpartition(".")[2].lower()
    return [known for known in BY_KEY if name and known.rpartition(".")[2] == name]


def _unknown_key_text(key: str) -> str:
    import difflib

    similar = _keys_ending_in(key) or difflib.get_close_matches(key.lower(), BY_KEY, n=1)
    if not similar:
        return tr("Unknown setting.")
    return tr("Unknown setting. Did you mean “{key}”?").format(key=similar[0])


def _read(definition: SettingDefinition, text: str) -> object:
    stripped = text.strip()
    match definition.kind:
        case Kind.SWITCH:
            return _switch(definition, stripped.lower())
        case Kind.INTEGER:
            named = _named(definition, stripped)
            return _number(int, stripped) if named is None else named
        case Kind.NUMBER:
            return _number(float, stripped)
        case Kind.CHOICE:
            return _named(definition, stripped)
        case Kind.LINE | Kind.TEXT:
            return text
        case Kind.FILE | Kind.FOLDER:
            return _expand_home(stripped) if stripped else ""
        case Kind.LINES:
            return _lines(text)
        case Kind.PATHS:
            return [_expand_home(part.strip()) for part in text.split(os.pathsep) if part.strip()]
        case _:
            assert_never(definition.kind)


def _switch(definition: SettingDefinition, text: str) -> bool:
    if text in _ON:
        return True
    if text in _OFF:
        return False
    raise SettingInvalid(key=definition.label, reason=allowed_values_text(definition))


def _named(definition: SettingDefinition, text: str) -> SettingValue:
    for value, label in definition.choices:
        if text.lower() in (label.lower(), str(value).lower()):
            return value
    return None


def _number(kind: type[int] | type[float], text: str) -> int | float | None:
    try:
        return kind(text)
    except ValueError:
        return None


def _lines(text: str) -> object:
    """Return a JSON list as it is, and any other text as one item."""
    if text.lstrip().startswith("["):
        try:
            return decode_json(text, kind=list[str])
        except JsonInvalid:
            pass  # a stop sequence may start with a bracket
    return [text] if text else []


def _expand_home(path: str) -> str:
    try:
        return str(Path(path).expanduser())
    except RuntimeError:
        return path  # no home folder; the validation of the path then says what is wrong
