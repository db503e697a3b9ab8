"""Read the biases of single tokens as the user writes them: ``15043=-2.5``, ``128001=never``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr, tr_noop

LABEL: Final = tr_noop("Logit bias")
BIAS_LIMIT: Final = 1000.0
NEVER: Final = "never"

_MAX_TOKEN: Final = 2**31 - 1
_LINE: Final = re.compile(r"(\d{1,10})\s*[=:]\s*(never|[+-]?\d{1,6}(?:\.\d{1,9})?)", re.IGNORECASE | re.ASCII)


def read_biases(lines: Iterable[str]) -> tuple[tuple[int, float], ...]:
    """Return each token's number and what is added to its logit; the last line of a token wins.

    ``never`` forbids a token, as -1000 does. Raises ``SettingInvalid``.
    """
    return tuple(dict(map(_read, lines)).items())


def _read(line: str) -> tuple[int, float]:
    found = _LINE.fullmatch(line.strip())
    if found is not None:
        token, word = int(found[1]), found[2].lower()
        bias = -BIAS_LIMIT if word == NEVER else float(word)
        if token <= _MAX_TOKEN and abs(bias) <= BIAS_LIMIT:
            return token, bias
    shown = line if len(line) <= 40 else f"{line[:40]}…"
    raise SettingInvalid(
        key=LABEL,
        reason=tr(
            "“{shown}” is invalid. Write a token number, an equals sign, and “never” or a number "
            "from −1,000 to 1,000."
        ).format(shown=shown),
    )
