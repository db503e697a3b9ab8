"""Validation of a value against its setting's definition, and texts of the allowed values."""

from __future__ import annotations

from pathlib import Path
from typing import Final, assert_never

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import join_alternatives, number, tr, tr_noop
from fireside.core.options import SettingValue
from fireside.settings.values import Kind, SettingDefinition

LINE_LIMIT: Final = 1_000
TEXT_LIMIT: Final = 100_000
_PATH_LIMIT: Final = 4_096


def normalise(definition: SettingDefinition, value: object) -> SettingValue:
    """Return ``value`` in the form that is stored: a whole float becomes an int, a list a tuple.

    Accepts any JSON value. Raises ``SettingInvalid``, which says what is allowed.
    """
    match definition.kind:
        case Kind.SWITCH:
            if isinstance(value, bool):
                return value
        case Kind.INTEGER:
            return _integer(definition, value)
        case Kind.NUMBER:
            return _number(definition, value)
        case Kind.CHOICE:
            if isinstance(value, str) and any(value == choice for choice, _ in definition.choices):
                return str(value)
        case Kind.LINE:
            return _text(definition, value, limit=LINE_LIMIT, multiline=False)
        case Kind.TEXT:
            return _text(definition, value, limit=int(definition.maximum or TEXT_LIMIT), multiline=True)
        case Kind.FILE | Kind.FOLDER:
            return _path(definition, value) if value != "" else ""
        case Kind.LINES | Kind.PATHS:
            return _list(definition, value)
        case _:
            assert_never(definition.kind)
    raise _invalid(definition, allowed_values_text(definition))


def allowed_values_text(definition: SettingDefinition) -> str:
    """Return a sentence that says which values a setting allows."""
    unit = f" {tr(definition.unit)}" if definition.unit else ""
    names = [tr("“{name}”").format(name=tr(label)) for _, label in definition.choices]
    match definition.kind:
        case Kind.SWITCH:
            return tr("Choose on or off.")
        case Kind.CHOICE:
            return tr("Choose {names}.").format(names=join_alternatives(names))
        case Kind.INTEGER:
            whole = tr("a whole number from {least} to {most}{unit}").format(
                least=_formatted(_min_unnamed(definition)), most=_formatted(definition.maximum), unit=unit
            )
            return tr("Choose {names}.").format(names=join_alternatives([*names, whole]))
        case Kind.NUMBER:
            return tr("Choose a number from {least} to {most}{unit}.").format(
                least=_formatted(definition.minimum), most=_formatted(definition.maximum), unit=unit
            )
        case Kind.LINE:
            return tr("Enter one line of at most {most} characters.").format(most=number(LINE_LIMIT))
        case Kind.TEXT:
            return tr("Enter at most {most} characters.").format(most=number(TEXT_LIMIT))
        case Kind.LINES:
            return tr("Enter at most {most} texts of 1 to {longest} characters each.").format(
                most=_formatted(definition.maximum), longest=number(LINE_LIMIT)
            )
        case Kind.FILE:
            return tr("Enter the full path of a file, or leave empty for none.")
        case Kind.FOLDER:
            return tr("Enter the full path of a folder, or leave empty for the default.")
        case Kind.PATHS:
            return tr("Enter at most {most} files or folders with their full paths.").format(
                most=_formatted(definition.maximum)
            )
        case _:
            assert_never(definition.kind)


def _invalid(definition: SettingDefinition, reason: str) -> SettingInvalid:
    return SettingInvalid(key=definition.label, reason=reason)


def _min_unnamed(definition: SettingDefinition) -> float | None:
    """Return the smallest number without a label: “None” or 1 to 999 is clearer than 0 to 999."""
    minimum = definition.minimum
    while minimum is not None and any(minimum == choice for choice, _ in definition.choices):
        minimum += 1
    return minimum


def _formatted(value: float | None) -> str:
    if value is None:
        return tr("any number")
    n_decimals = len(f"{value:.6f}".rstrip("0").partition(".")[2])
    return number(value, decimals=n_decimals).replace("-", "−")


def _within(definition: SettingDefinition, number: float) -> bool:
    # Compared without conversion: an int of 400 digits can be compared with a float, but not converted.
    # NaN is rejected, since every number has bounds.
    not_below = definition.minimum is None or number >= definition.minimum
    return not_below and (definition.maximum is None or number <= definition.maximum)


def _integer(definition: SettingDefinition, value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        named = any(value == choice for choice, _ in definition.choices)
        if named or _within(definition, value):
            return value
    raise _invalid(definition, allowed_values_text(definition))


def _number(definition: SettingDefinition, value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and _within(definition, value):
        return float(value)
    raise _invalid(definition, allowed_values_text(definition))


def _text(definition: SettingDefinition, value: object, *, limit: int, multiline: bool) -> str:
    if not isinstance(value, str) or len(value) > limit:
        raise _invalid(definition, allowed_values_text(definition))
    if not multiline and ("\n" in value or "\r" in value):
        raise _invalid(definition, allowed_values_text(definition))
    _check_characters(definition, value)
    return value


def _check_characters(definition: SettingDefinition, text: str) -> None:
    if "\0" in text:
        raise _invalid(definition, tr_noop("It contains a NUL character."))
    try:
        text.encode()
    except UnicodeEncodeError as exc:
        raise _invalid(definition, tr_noop("It contains an invalid character (a lone surrogate).")) from exc


def _path(definition: SettingDefinition, value: object) -> str:
    if not isinstance(value, str) or len(value) > _PATH_LIMIT:
        raise _invalid(definition, allowed_values_text(definition))
    _check_characters(definition, value)
    if not Path(value).is_absolute():
        raise _invalid(definition, allowed_values_text(definition))
    return value


def _list(definition: SettingDefinition, value: object) -> tuple[str, ...]:
    limit = definition.maximum
    if not isinstance(value, list | tuple) or (limit is not None and len(value) > limit):
        raise _invalid(definition, allowed_values_text(definition))
    if definition.kind is Kind.PATHS:
        items = [_path(definition, item) for item in value]
    else:
        items = [_text(definition, item, limit=LINE_LIMIT, multiline=True) for item in value]
    if not all(items):
        raise _invalid(definition, allowed_values_text(definition))
    return tuple(dict.fromkeys(items))
