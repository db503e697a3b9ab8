"""Parse logit biases: ``15043=-2.5``, ``128001=never``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr, tr_noop
from fireside.core.options import BIAS_LIMIT

LABEL: Final = tr_noop("Logit bias")
_NEVER: Final = "never"

_MAX_TOKEN: Final = 2**31 - 1
_LINE: Final = re.compile(r"(\d{1,10})\s*[=:]\s*(never|[+-]?\d{1,6}(?:\.\d{1,9})?)", re.IGNORECASE | re.ASCII)


def read_biases(lines: Iterable[str]) -> tuple[tuple[int, float], ...]:
    """Return pairs of a token id and the bias of its logit; the last line of a token wins.

    ``never`` means -1000, which bans a token. Raises ``SettingInvalid``.
    """
    return tuple(dict(map(_read, lines)).items())


def _read(line: str) -> tuple[int, float]:
    match = _LINE.fullmatch(line.strip())
    if match is not None:
        token, value = int(match[1]), match[2].lower()
        bias = -BIAS_LIMIT if value == _NEVER else float(value)
        if token <= _MAX_TOKEN and abs(bias) <= BIAS_LIMIT:
            return token, bias
    excerpt = line if len(line) <= 40 else f"{line[:40]}…"
    raise SettingInvalid(
        key=LABEL,
        reason=tr(
            "“{shown}” is invalid. Write a token number, an equals sign, and “never” or a number "
            "from −1,000 to 1,000."
        ).format(shown=excerpt),
    )
