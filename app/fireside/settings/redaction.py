"""Removes secrets from the log."""

from __future__ import annotations

import logging
import re
import threading
from typing import Final
from urllib.parse import quote

from fireside.settings.secret import Secret

MASK: Final = "[secret]"

_MIN_CHARS: Final = 6
"""Shorter secrets are not masked: some local servers accept any key, and ``none`` is a normal word."""

_LOOKS_SECRET: Final = re.compile(
    r"(?P<before>\bBearer\s+)[\w.~+/=-]{6,}"  # an Authorization header
    r"|\bhf_[A-Za-z0-9]{16,}"  # Hugging Face
    r"|\bsk-[\w-]{16,}",  # OpenAI and others with its format
    re.IGNORECASE,
)

_PLAIN: Final = logging.Formatter()


class Redaction:
    """The secrets that were read or stored in this run. Any thread."""

    def __init__(self) -> None:
        self._known: tuple[str, ...] = ()
        self._lock = threading.Lock()

    def add(self, secret: Secret) -> None:
        """Mask ``secret`` from now on, also in its URL-encoded form."""
        text = secret.reveal()
        if len(text) < _MIN_CHARS:
            return
        with self._lock:
            forms = {*self._known, text, quote(text, safe="", errors="replace")}
            # Longest first, so that no part of a secret remains if another one is a part of it.
            self._known = tuple(sorted(forms, key=len, reverse=True))

    def scrub(self, text: str) -> str:
        """Return ``text`` with all known secrets and texts that look like secrets masked."""
        for known in self._known:
            text = text.replace(known, MASK)
        return _LOOKS_SECRET.sub(lambda match: (match["before"] or "") + MASK, text)


class RedactingFilter(logging.Filter):
    """Masks secrets in message, traceback and stack. For handlers: a logger's filter misses its children."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__()
        self._redaction = redaction

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask secrets in ``record`` in place; always returns true."""
        record.msg = self._redaction.scrub(_message(record))
        record.args = None
        if record.exc_info and not record.exc_text:
            record.exc_text = _PLAIN.formatException(record.exc_info)
        if record.exc_text:
            # Formatters use this text instead of formatting the exception again.
            record.exc_text = self._redaction.scrub(record.exc_text)
        if record.stack_info:
            record.stack_info = self._redaction.scrub(record.stack_info)
        return True


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 - wrong arguments must not stop the caller
        return f"{record.msg!r} (its arguments do not fit)"
