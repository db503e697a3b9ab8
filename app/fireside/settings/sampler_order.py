"""Read the order of the samplers as the user, or a model's file, writes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr, tr_noop
from fireside.core.options import SamplerKind

SAMPLERS_LABEL: Final = tr_noop("Sampler order")

_BY_NAME: Final = {kind.value: kind for kind in SamplerKind} | {
    "typ_p": SamplerKind.TYPICAL_P,
    "temp": SamplerKind.TEMPERATURE,
}
"""With the names that llama.cpp gives two of them."""


def read_samplers(names: Iterable[str]) -> tuple[SamplerKind, ...]:
    """Return the samplers of ``names``, each once. Raises ``SettingInvalid``."""
    return tuple(dict.fromkeys(map(_read, names)))


def known_samplers(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of ``names`` that are known, as a setting writes them."""
    return tuple(dict.fromkeys(_BY_NAME[name].value for name in map(_plain, names) if name in _BY_NAME))


def _read(name: str) -> SamplerKind:
    if _plain(name) in _BY_NAME:
        return _BY_NAME[_plain(name)]
    raise SettingInvalid(
        key=SAMPLERS_LABEL,
        reason=tr("“{text}” is none of {names}.").format(
            text=name.strip()[:40], names=", ".join(kind.value for kind in SamplerKind)
        ),
    )


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_")
