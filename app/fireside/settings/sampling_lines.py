"""Parse the texts of sampling settings: logit biases (``15043=-2.5``) and the order of samplers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr, tr_noop
from fireside.core.options import BIAS_LIMIT, SamplerKind

BIASES_LABEL: Final = tr_noop("Logit bias")
_NEVER: Final = "never"

_MAX_TOKEN: Final = 2**31 - 1
_LINE: Final = re.compile(r"(\d{1,10})\s*[=:]\s*(never|[+-]?\d{1,6}(?:\.\d{1,9})?)", re.IGNORECASE | re.ASCII)


def read_biases(lines: Iterable[str]) -> tuple[tuple[int, float], ...]:
    """Return pairs of a token id and the bias of its logit; the last line of a token wins.

    ``never`` means -1000, which bans a token. Raises ``SettingInvalid``.
    """
    return tuple(dict(map(_read_bias, lines)).items())


def _read_bias(line: str) -> tuple[int, float]:
    match = _LINE.fullmatch(line.strip())
    if match is not None:
        token, value = int(match[1]), match[2].lower()
        bias = -BIAS_LIMIT if value == _NEVER else float(value)
        if token <= _MAX_TOKEN and abs(bias) <= BIAS_LIMIT:
            return token, bias
    excerpt = line if len(line) <= 40 else f"{line[:40]}…"
    raise SettingInvalid(
        key=BIASES_LABEL,
        reason=tr(
            "“{shown}” is invalid. Write a token number, an equals sign, and “never” or a number "
            "from −1,000 to 1,000."
        ).format(shown=excerpt),
    )


SAMPLERS_LABEL: Final = tr_noop("Sampler order")

_BY_NAME: Final = {name: kind for kind in SamplerKind for name in (kind.value, kind.llama_name)} | {
    "temp": SamplerKind.TEMPERATURE
}


def read_samplers(names: Iterable[str]) -> tuple[SamplerKind, ...]:
    """Return the samplers with these names, without duplicates. Raises ``SettingInvalid``."""
    return tuple(dict.fromkeys(map(_read_sampler, names)))


def known_samplers(names: Iterable[str]) -> tuple[str, ...]:
    """Return the known samplers among ``names``, under the names that the setting uses."""
    return tuple(dict.fromkeys(_BY_NAME[name].value for name in map(_normalised, names) if name in _BY_NAME))


def _read_sampler(name: str) -> SamplerKind:
    if _normalised(name) in _BY_NAME:
        return _BY_NAME[_normalised(name)]
    raise SettingInvalid(
        key=SAMPLERS_LABEL,
        reason=tr("“{text}” is none of {names}.").format(
            text=name.strip()[:40], names=", ".join(kind.value for kind in SamplerKind)
        ),
    )


def _normalised(name: str) -> str:
    return name.strip().lower().replace("-", "_")
