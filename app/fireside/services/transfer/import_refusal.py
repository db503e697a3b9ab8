"""The reason why imported data cannot be read, for the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from fireside.core.i18n import tr, tr_noop


class ImportRefused(Exception):
    """Raised with one sentence; the import turns it into an error or a line of its report."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def refuse_invalid() -> Iterator[None]:
    """Raise decoding errors of the block as ``ImportRefused``."""
    try:
        yield
    except msgspec.ValidationError as exc:
        raise ImportRefused(
            tr("something in it is not what it should be ({reason}).").format(reason=exc)
        ) from exc
    except msgspec.DecodeError as exc:
        raise ImportRefused(tr("it is damaged or cut short ({reason}).").format(reason=exc)) from exc
    except UnicodeDecodeError as exc:
        raise ImportRefused(tr_noop("it holds text that is not text.")) from exc
    except RecursionError as exc:
        raise ImportRefused(tr_noop("it is nested too deeply.")) from exc
