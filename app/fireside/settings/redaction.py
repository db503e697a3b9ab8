"""Keep secrets out of every line that is logged."""

from __future__ import annotations

import logging
import re
import threading
from typing import Final
from urllib.parse import quote

from fireside.settings.secret import Secret

MASK: Final = "[secret]"

_SHORTEST: Final = 6
"""Characters; a shorter one (some local servers want any key, such as ``none``) is a word like others."""

_LOOKS_SECRET: Final = re.compile(
    r"(?P<before>\bBearer\s+)[\w.~+/=-]{6,}"  # an Authorization header
    r"|\bhf_[A-Za-z0-9]{16,}"  # Hugging Face
    r"|\bsk-[\w-]{16,}",  # OpenAI and those that copy its form
    re.IGNORECASE,
)

_PLAIN: Final = logging.Formatter()


class Redaction:
    """Knows the secrets that were read or kept in this run. Any thread."""

    def __init__(self) -> None:
        self._known: tuple[str, ...] = ()
        self._lock = threading.Lock()

    def add(self, secret: Secret) -> None:
        """Mask ``secret`` from now on, also as it appears in an address."""
        text = secret.reveal()
        if len(text) < _SHORTEST:
            return
        with self._lock:
            forms = {*self._known, text, quote(text, safe="", errors="replace")}
            # Longest first, so that no part of a longer secret stays behind a shorter one's mask.
            self._known = tuple(sorted(forms, key=len, reverse=True))

    def scrub(self, text: str) -> str:
        """Return ``text`` with every known secret, and whatever looks like one, masked."""
        for known in self._known:
            text = text.replace(known, MASK)
        return _LOOKS_SECRET.sub(lambda match: (match["before"] or "") + MASK, text)


class RedactingFilter(logging.Filter):
    """Masks secrets in message, traceback and stack. Put it on handlers: a logger's misses its children's."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__()
        self._redaction = redaction

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite ``record`` in place; always lets it through."""
        record.msg = self._redaction.scrub(_message(record))
        record.args = None
        if record.exc_info and not record.exc_text:
            record.exc_text = _PLAIN.formatException(record.exc_info)
        if record.exc_text:
            # A formatter takes this text instead of formatting the exception again.
            record.exc_text = self._redaction.scrub(record.exc_text)
        if record.stack_info:
            record.stack_info = self._redaction.scrub(record.stack_info)
        return True


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 - a wrong argument is a bug to see in the log, not to stop what logs
        return f"{record.msg!r} (its arguments do not fit)"
