"""Parse the order of samplers, from a setting or a model's file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr, tr_noop
from fireside.core.options import SamplerKind

SAMPLERS_LABEL: Final = tr_noop("Sampler order")

_BY_NAME: Final = {name: kind for kind in SamplerKind for name in (kind.value, kind.llama_name)} | {
    "temp": SamplerKind.TEMPERATURE
}


def read_samplers(names: Iterable[str]) -> tuple[SamplerKind, ...]:
    """Return the samplers with these names, without duplicates. Raises ``SettingInvalid``."""
    return tuple(dict.fromkeys(map(_read, names)))


def known_samplers(names: Iterable[str]) -> tuple[str, ...]:
    """Return the known samplers among ``names``, under the names that the setting uses."""
    return tuple(dict.fromkeys(_BY_NAME[name].value for name in map(_normalised, names) if name in _BY_NAME))


def _read(name: str) -> SamplerKind:
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
