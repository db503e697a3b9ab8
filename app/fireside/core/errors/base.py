"""Base class of all errors, and their serializable form."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, NamedTuple, Self, TypedDict, Unpack, cast, dataclass_transform

import msgspec

from fireside.core.i18n import (
    Phrase,
    PhraseValue,
    Translatable,
    number,
    placeholders,
    render,
    sanitized,
    tr,
    tr_noop,
)

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
    ADD_COMPONENT = "add_component"


class ErrorInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An error as a value: sent between processes and threads, and stored with an answer."""

    code: str
    sentence: str
    retryable: bool
    next_step: NextStep
    data: dict[str, ErrorValue] = {}


class ErrorFacts(TypedDict, total=False):
    """What an error without a class of its own can say; one name has one type in all of them."""

    file_bytes: int
    folder: str
    free_bytes: int
    host: str
    is_for: Translatable
    model: str
    name: str
    needed_bytes: int
    number: int
    path: str
    reason: Translatable
    reserve_bytes: int
    value: str
    version: str
    waited_s: float
    wanted: Translatable
    what: Translatable


class ErrorRow(NamedTuple):
    """What all errors with one code have in common. ``None`` is as in the family."""

    message: str
    """Its placeholders are the facts to give."""
    next_step: NextStep | None = None
    retryable: bool | None = None


ErrorRows = Mapping[str, ErrorRow]
"""By code."""

_TRANSLATED_FACTS: Final = frozenset({"is_for", "reason", "wanted", "what"})


@dataclass_transform(kw_only_default=True, eq_default=False)
@dataclass(kw_only=True, eq=False)
class FiresideError(Exception):
    """Base of all errors.

    An error that some code tells apart has a class: it sets ``code``, ``retryable``, ``next_step`` and
    ``message``, declares its fields, and becomes a dataclass. Any other is a row of its family, for ``of``.
    """

    # Not annotated, so that they are no fields.
    code = "internal"
    retryable = False
    next_step = NextStep.NONE
    message = ""
    """The sentence in English, a literal in ``tr_noop``; its placeholders are names of fields."""
    rows: ClassVar[ErrorRows] = {  # of errors without a family
        "import_unreadable": ErrorRow(tr_noop("Import from {path} failed: {reason}")),
        "export_unwritable": ErrorRow(tr_noop("Export to {path} failed: {reason}"), retryable=True),
        "backup_unwritable": ErrorRow(
            tr_noop("Backup to {path} failed: {reason}"), NextStep.RETRY, retryable=True
        ),
        "backup_unusable": ErrorRow(
            tr_noop("Restoring the backup failed; nothing was changed ({reason}): {path}")
        ),
        "devices_not_served": ErrorRow(
            tr_noop("Other devices cannot connect: {reason}"), NextStep.OPEN_SETTINGS
        ),
        "device_revoked": ErrorRow(tr_noop("The access token of this device was revoked. Pair it again.")),
        "api_not_started": ErrorRow(tr_noop("The local API did not start: {reason}"), NextStep.OPEN_SETTINGS),
        "preset_invalid": ErrorRow(tr_noop("Preset not saved: {reason}")),
    }

    def __new__(cls, **_values: ErrorValue) -> Self:
        # Dataclass constructors are generated on first use, as the start of the program needs none of them.
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
        self._facts: Mapping[str, ErrorValue] | None = None
        for field in dataclasses.fields(self):
            setattr(self, field.name, _without_passwords(getattr(self, field.name)))

    @classmethod
    def of(cls, code: str, /, **facts: Unpack[ErrorFacts]) -> Self:
        """Return the error with a code of ``rows``. Its facts are those of its message, no more, no less."""
        return cls.from_row(code, cast("Mapping[str, ErrorValue]", facts))

    @classmethod
    def from_row(cls, code: str, facts: Mapping[str, ErrorValue]) -> Self:
        """See ``of``. Raises ``KeyError`` for an unknown code, and ``TypeError`` for other facts."""
        row = cls.rows[code]
        if facts.keys() != placeholders(row.message):
            raise TypeError(f"{code} has {sorted(placeholders(row.message))}, not {sorted(facts)}")
        error = cls()
        error.code, error.message = code, row.message
        error.next_step = cls.next_step if row.next_step is None else row.next_step
        error.retryable = cls.retryable if row.retryable is None else row.retryable
        error._facts = {name: _without_passwords(value) for name, value in facts.items()}
        return error

    def facts(self) -> dict[str, ErrorValue]:
        """Return the values of the fields, by name."""
        if self._facts is not None:
            return dict(self._facts)
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def sentence(self) -> str:
        """Return a sentence for the user: what happened and, if it helps, what to do."""
        return self._filled(self.facts())

    def _filled(self, facts: Mapping[str, ErrorValue]) -> str:
        translated = _TRANSLATED_FACTS
        if self._facts is None:
            fields = dataclasses.fields(self)
            translated = frozenset(field.name for field in fields if field.type == "Translatable")
        values = {
            name: _shown(name, value, is_translated=name in translated) for name, value in facts.items()
        }
        return tr(self.message).format(**values)

    def __str__(self) -> str:
        return self.sentence()

    def info(self) -> ErrorInfo:
        """Return this error as a value, with texts that are printable and at most ``_MAX_CHARS`` long."""
        data = {name: _printable(value) for name, value in self.facts().items()}
        return ErrorInfo(
            code=self.code,
            sentence=type(self)(**data).sentence() if self._facts is None else self._filled(data),
            retryable=self.retryable,
            next_step=self.next_step,
            data=data,
        )


def _shown(name: str, value: ErrorValue, *, is_translated: bool) -> str:
    """Return a field's value formatted for the sentence."""
    match value:
        case Phrase():
            return render(value)
        case str():
            return render(value) if is_translated else value
        case None:
            return ""
        case _:
            return format_bytes(int(value)) if name.endswith("_bytes") else number(value)


def _without_passwords(value: ErrorValue) -> ErrorValue:
    match value:
        case str():
            return without_password(value)
        case Phrase():
            return sanitized(value, clean=without_password)
        case _:
            return value


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
