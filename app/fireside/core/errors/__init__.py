"""All of Fireside's own errors: a class where some code tells it apart, else a row of its family.

Each has a stable ``code``, says whether a retry can help and what the user can do, has its facts as typed
fields, and a ``message``, one sentence for the user. A cancellation is a ``FinishReason``, never an error.
"""

# ruff: noqa: F403  # each module's errors, stated once

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fireside.core.errors.base import *
from fireside.core.errors.base import ErrorFacts, ErrorInfo, FiresideError
from fireside.core.errors.hub import *
from fireside.core.errors.model import *
from fireside.core.errors.model import RunnerProtocolError
from fireside.core.errors.remote import *
from fireside.core.errors.request import *
from fireside.core.errors.storage import *
from fireside.core.i18n import placeholders, tr


def error_from_info(info: ErrorInfo) -> FiresideError:
    """Return the typed error that ``info`` describes.

    For an unknown code or wrong fields (a runner is not trusted) it is a ``RunnerProtocolError``.
    """
    try:
        return _restored(info)
    except KeyError:
        detail = f"unknown error “{info.code}”"
    except (msgspec.ValidationError, TypeError) as exc:
        detail = f"error “{info.code}” with wrong fields: {exc}"
    return RunnerProtocolError(model=tr("The model"), detail=detail)


def localized(info: ErrorInfo) -> ErrorInfo:
    """Return a stored error with its sentence in the current language.

    An error with an unknown code or wrong fields is returned unchanged, as are texts that were translated
    before they were stored.
    """
    try:
        return _restored(info).info()
    except (KeyError, msgspec.ValidationError, TypeError):
        return info


def _restored(info: ErrorInfo) -> FiresideError:
    for cls in _classes(FiresideError):
        if cls is not FiresideError and info.code == cls.__dict__.get("code"):
            cls.ensure_dataclass()
            return msgspec.convert(info.data, cls)
        if info.code in cls.rows:
            msgspec.convert(info.data, ErrorFacts)
            names = placeholders(cls.rows[info.code].message)
            return cls.from_row(info.code, {name: info.data[name] for name in names & info.data.keys()})
    raise KeyError(info.code)


def _classes(cls: type[FiresideError]) -> Iterator[type[FiresideError]]:
    yield cls
    for child in cls.__subclasses__():
        yield from _classes(child)
