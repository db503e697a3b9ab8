"""Messages for failures inside the runner."""

from __future__ import annotations

from fireside.core.i18n import Phrase, tr_noop
from fireside.runner.decoder import DecodeResult


def not_computed(result: DecodeResult) -> Phrase:
    """Return the cause for a failed decode."""
    return Phrase(tr_noop("llama.cpp could not compute the next step ({result})."), {"result": result.name})


def inside_fireside(error: Exception) -> Phrase:
    """Return the cause for an unexpected exception, whose traceback is in the log."""
    return Phrase(tr_noop("an internal error ({kind})."), {"kind": type(error).__name__})
