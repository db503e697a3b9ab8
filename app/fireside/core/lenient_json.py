"""Decode JSON that other programs wrote: a value of an unexpected type costs itself alone. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

_T = TypeVar("_T")
_WORDS: Final = {"true": True, "false": False, "1": True, "0": False}

OnDropped = Callable[[str], None]
"""Receives the path of a value that was left out, such as ``choices[0].delta.content``."""


class _Unfit(Exception):
    """A value is not of its type; ``args[0]`` is its path."""


def decode_leniently(text: bytes, kind: type[_T], *, on_dropped: OnDropped) -> _T:
    """Return JSON as a struct of type ``kind``.

    A field with a value of another type gets its default, and such an element of a list or a mapping is left
    out; ``on_dropped`` is told of each. ``null`` is as good as a missing field. Where one is expected, a
    number in quotes is a number, a number is a text, and a single value is a list of one. Bytes that are no
    UTF-8 are replaced.

    Raises:
        msgspec.DecodeError: it is no JSON.
        msgspec.ValidationError: it has no usable value for a field without a default.
        RecursionError: it is nested too deeply.
    """
    try:
        return msgspec.json.decode(text, type=kind, strict=False)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return convert_leniently(loads_leniently(text), kind, on_dropped=on_dropped)


def convert_leniently(value: Any, kind: type[_T], *, on_dropped: OnDropped) -> _T:
    """Return decoded JSON as a struct; see ``decode_leniently``. Raises ``msgspec.ValidationError``."""
    try:
        converted: _T = _converted(value, inspect.type_info(kind), "", on_dropped)
    except _Unfit as exc:
        raise msgspec.ValidationError(f"at {exc.args[0] or 'its root'}") from exc
    return converted


def loads_leniently(text: bytes) -> Any:
    """Return the values of JSON, also with ``NaN``, raw control characters, lone surrogates and bytes that
    are no UTF-8. Raises ``msgspec.DecodeError``, ``RecursionError``."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as exc:
        reason = exc
    try:
        value = json.loads(text.decode("utf-8", "replace"), strict=False)
        # Written once more, for what is no Unicode can be replaced in a text only.
        return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    except ValueError as exc:
        raise msgspec.DecodeError(str(reason)) from exc


def _converted(value: Any, kind: inspect.Type, path: str, on_dropped: OnDropped) -> Any:
    match kind:
        case inspect.AnyType():
            return value
        case inspect.RawType():
            return msgspec.Raw(msgspec.json.encode(value))
        case inspect.UnionType():
            return _as_one_of(value, kind, path, on_dropped)
        case inspect.StructType():
            return _as_struct(value, kind, path, on_dropped)
        case inspect.ListType(item_type=item_type):
            return _as_list(value, item_type, path, on_dropped)
        case inspect.DictType(value_type=value_type):
            return _as_mapping(value, value_type, path, on_dropped)
        case inspect.StrType():
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
            if isinstance(value, str):
                return value.encode("utf-8", "replace").decode()  # a lone surrogate is no text
        case inspect.BoolType():
            if isinstance(value, bool):
                return value
            if (known := _WORDS.get(str(value).casefold())) is not None:
                return known
        case inspect.IntType() | inspect.FloatType():
            return _as_number(value, path, is_whole=isinstance(kind, inspect.IntType))
        case inspect.NoneType() if value is None:
            return None
        case _:
            pass
    raise _Unfit(path)


def _as_number(value: Any, path: str, *, is_whole: bool) -> float:
    if isinstance(value, bool):
        raise _Unfit(path)
    try:
        number = float(value)
        return int(value if isinstance(value, int) else number) if is_whole else number
    except (TypeError, ValueError, OverflowError) as exc:
        raise _Unfit(path) from exc


def _as_one_of(value: Any, kind: inspect.UnionType, path: str, on_dropped: OnDropped) -> Any:
    if value is None and any(isinstance(each, inspect.NoneType) for each in kind.types):
        return None
    # A value of exactly one of the types is not to be taken for another one.
    exact = [each for each in kind.types if isinstance(value, _python_type(each))]
    for candidate in (*exact, *(each for each in kind.types if each not in exact)):
        dropped: list[str] = []
        try:
            converted = _converted(value, candidate, path, dropped.append)
        except _Unfit:
            continue
        for each in dropped:
            on_dropped(each)
        return converted
    raise _Unfit(path)


def _python_type(kind: inspect.Type) -> type | tuple[type, ...]:
    match kind:
        case inspect.StructType() | inspect.DictType():
            return dict
        case inspect.ListType():
            return list
        case inspect.StrType():
            return str
        case inspect.FloatType():
            return (int, float)
        case inspect.IntType():
            return int
        case inspect.BoolType():
            return bool
        case _:
            return ()


def _as_struct(value: Any, kind: inspect.StructType, path: str, on_dropped: OnDropped) -> Any:
    if not isinstance(value, dict):
        raise _Unfit(path)
    fields: dict[str, Any] = {}
    for field in kind.fields:
        given = value.get(field.encode_name)
        place = f"{path}.{field.encode_name}".removeprefix(".")
        if given is None and not field.required:
            continue
        try:
            fields[field.name] = _converted(given, field.type, place, on_dropped)
        except _Unfit:
            if field.required:
                raise
            on_dropped(place)
    return kind.cls(**fields)


def _as_list(value: Any, item_type: inspect.Type, path: str, on_dropped: OnDropped) -> list[Any]:
    if not isinstance(value, list):
        if value is None:
            raise _Unfit(path)
        return [_converted(value, item_type, path, on_dropped)]
    items = []
    for index, each in enumerate(value):
        try:
            items.append(_converted(each, item_type, f"{path}[{index}]", on_dropped))
        except _Unfit as exc:
            if each is not None:
                on_dropped(exc.args[0])
    return items


def _as_mapping(value: Any, value_type: inspect.Type, path: str, on_dropped: OnDropped) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Unfit(path)
    items: dict[str, Any] = {}
    for name, each in value.items():
        try:
            items[name] = _converted(each, value_type, f"{path}.{name}".removeprefix("."), on_dropped)
        except _Unfit as exc:
            on_dropped(exc.args[0])
    return items
