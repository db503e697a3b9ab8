"""Base class of all errors, and their serializable form."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, Self, dataclass_transform

import msgspec

from fireside.core.i18n import Phrase, PhraseValue, Translatable, number, render, sanitized, tr

ErrorValue = PhraseValue | bool | None

_MAX_SECONDS: Final = 90
_MAX_MINUTES: Final = 90
_MAX_CHARS: Final = 1000
"""Of a field: some errors quote a file, a model or another program, whose text is not trusted."""
_DATACLASSES: Final[set[type]] = set()
_URL_CREDENTIALS: Final = re.compile(r"(?<=://)[^/?#\s]*@")


class NextStep(StrEnum):
    """What the user can do about an error; the window shows it as a button."""

    NONE = "none"
    RETRY = "retry"
    CHOOSE_MODEL = "choose_model"
    OPEN_MODEL_SETTINGS = "open_model_settings"
    OPEN_SETTINGS = "open_settings"
    NEW_CHAT = "new_chat"
    CHOOSE_DATA_FOLDER = "choose_data_folder"
    UPDATE = "update"
    RESTORE_BACKUP = "restore_backup"


class ErrorInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An error as a value: sent between processes and threads, and stored with an answer."""

    code: str
    sentence: str
    retryable: bool
    next_step: NextStep
    data: dict[str, ErrorValue] = {}


@dataclass_transform(kw_only_default=True, eq_default=False)
@dataclass(kw_only=True, eq=False)
class FiresideError(Exception):
    """Base of all errors. A subclass becomes a dataclass: it sets ``code``, ``retryable``, ``next_step`` and
    ``message``, and declares its fields."""

    code: ClassVar[str] = "internal"
    retryable: ClassVar[bool] = False
    next_step: ClassVar[NextStep] = NextStep.NONE
    message: ClassVar[str]
    """The sentence in English, a literal in ``tr_noop``; its placeholders are names of fields."""

    def __new__(cls, **_values: ErrorValue) -> Self:
        # Dataclass constructors are generated on first use, as the start of the program needs none of the 90.
        cls.ensure_dataclass()
        return super().__new__(cls)

    @classmethod
    def ensure_dataclass(cls) -> None:
        """Turn this class and its bases into dataclasses, if they are not yet.

        Must be called before ``msgspec.convert``, which creates instances without calling the class.
        """
        for kind in reversed(cls.__mro__):
            if issubclass(kind, FiresideError) and kind not in _DATACLASSES:
                dataclass(kw_only=True, eq=False)(kind)
                _DATACLASSES.add(kind)

    def __post_init__(self) -> None:
        """Remove passwords from URLs, so that no message or log contains them."""
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str):
                setattr(self, field.name, without_password(value))
            elif isinstance(value, Phrase):
                setattr(self, field.name, sanitized(value, clean=without_password))

    def sentence(self) -> str:
        """Return a sentence for the user: what happened and, if it helps, what to do."""
        values = {
            field.name: _format_field(field, getattr(self, field.name)) for field in dataclasses.fields(self)
        }
        return tr(self.message).format(**values)

    def __str__(self) -> str:
        return self.sentence()

    def info(self) -> ErrorInfo:
        """Return this error as a value, with texts that are printable and at most ``_MAX_CHARS`` long."""
        data = {field.name: _printable(getattr(self, field.name)) for field in dataclasses.fields(self)}
        return ErrorInfo(
            code=self.code,
            sentence=type(self)(**data).sentence(),
            retryable=self.retryable,
            next_step=self.next_step,
            data=data,
        )


def _format_field(field: dataclasses.Field[object], value: Translatable | float | None) -> str:
    """Return a field's value formatted for the sentence, translated if it is declared ``Translatable``."""
    match value:
        case Phrase():
            return render(value)
        case str():
            return render(value) if field.type == "Translatable" else value
        case None:
            return ""
        case _:
            return format_bytes(int(value)) if field.name.endswith("_bytes") else number(value)


def _printable(value: ErrorValue) -> ErrorValue:
    match value:
        case str():
            return _printable_text(value)
        case Phrase():
            return sanitized(value, clean=_printable_text)
        case _:
            return value


def _printable_text(value: str) -> str:
    text = value if len(value) <= _MAX_CHARS else f"{value[: _MAX_CHARS - 1]}…"
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)


def without_password(text: str) -> str:
    """Return ``text`` without the ``user:password@`` of URLs in it."""
    return _URL_CREDENTIALS.sub("", text)


def format_bytes(n: int) -> str:
    """Return a size for the user, in decimal units: ``5.0 GB``."""
    if n < 1000:
        return tr("%n byte|%n bytes", "", n)
    value = float(n)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.5:
            return f"{number(value, decimals=0 if value >= 100 or unit == 'kB' else 1)} {unit}"
    return f"{number(value / 1000, decimals=1)} TB"


def format_wait(seconds: float) -> str:
    """Return a waiting time for the user, rounded up: ``45 seconds``, ``5 minutes``."""
    if seconds <= _MAX_SECONDS:
        return tr("%n second|%n seconds", "", math.ceil(seconds))
    if seconds <= _MAX_MINUTES * 60:
        return tr("%n minute|%n minutes", "", math.ceil(seconds / 60))
    return tr("%n hour|%n hours", "", math.ceil(seconds / 3600))
