"""Read what is written of single tensors, properties, processors and layers for a load."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.options import MetadataOverride, TensorPlacement

PLACES_LABEL: Final = tr_noop("Tensor overrides")
OVERRIDES_LABEL: Final = tr_noop("Metadata overrides")
CPUS_LABEL: Final = tr_noop("CPU affinity")
LAYERS_LABEL: Final = tr_noop("Control vector layers")

_PLACE: Final = re.compile(r"(.{1,200})=([\w.:-]{1,128})")
_OVERRIDE: Final = re.compile(r"([\w.-]{1,127})=(int|float|bool|str):(.{0,127})")
_INTEGER: Final = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_RANGE: Final = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?", re.ASCII)
_BOOLS: Final = {"true": True, "false": False}


def read_tensor_places(lines: Iterable[str]) -> tuple[TensorPlacement, ...]:
    """Return where tensors go, as in ``blk\\.\\d+\\.ffn_.*=CPU``. Raises ``SettingInvalid``."""
    return tuple(map(_read_place, lines))


def read_overrides(lines: Iterable[str]) -> tuple[MetadataOverride, ...]:
    """Return properties, as in ``llama.expert_used_count=int:4``. Raises ``SettingInvalid``."""
    return tuple(map(_read_override, lines))


def read_cpus(text: str) -> tuple[int, ...]:
    """Return the numbers of processors in order, as in ``0-7, 12``; none for an empty text.

    Raises ``SettingInvalid``.
    """
    words = text.split(",") if text.strip() else ()
    return tuple(sorted({cpu for word in words for cpu in _read_range(word, label=CPUS_LABEL)}))


def read_layers(text: str) -> tuple[int, int] | None:
    """Return the first and the last layer, as in ``10-20``; ``None`` for an empty text.

    Raises ``SettingInvalid``.
    """
    if not text.strip():
        return None
    layers = _read_range(text, label=LAYERS_LABEL)
    return layers[0], layers[-1]


def _read_place(line: str) -> TensorPlacement:
    found = _PLACE.fullmatch(line.strip())
    if found is None:
        raise _not_understood(PLACES_LABEL, line, tr_noop("“{text}” is not “pattern=device”."))
    try:
        re.compile(found[1])
    except (re.error, RecursionError) as exc:
        raise _not_understood(
            PLACES_LABEL, line, tr_noop("“{text}” is not a valid regular expression.")
        ) from exc
    return TensorPlacement(pattern=found[1], device=found[2])


def _read_override(line: str) -> MetadataOverride:
    found = _OVERRIDE.fullmatch(line.strip())
    value = _value(found[2], found[3]) if found is not None else None
    if found is None or value is None:
        raise _not_understood(
            OVERRIDES_LABEL,
            line,
            tr_noop("“{text}” is not “name=type:value”, with the type int, float, bool or str."),
        )
    return MetadataOverride(key=found[1], value=value)


def _value(kind: str, text: str) -> bool | int | float | str | None:
    match kind:
        case "int":
            return int(text) if _INTEGER.fullmatch(text) else None
        case "float":
            try:
                value = float(text)
            except ValueError:
                return None
            return value if math.isfinite(value) else None
        case "bool":
            return _BOOLS.get(text)
        case _:
            return text


def _read_range(word: str, *, label: str) -> range:
    found = _RANGE.fullmatch(word.strip())
    numbers = range(int(found[1]), int(found[2] or found[1]) + 1) if found is not None else range(0)
    if not numbers:
        raise _not_understood(label, word, tr_noop("“{text}” is not a number or a range such as 4-7."))
    return numbers


def _not_understood(label: str, text: str, words: str) -> SettingInvalid:
    shown = text.strip()
    reason: Translatable = Phrase(words, {"text": shown if len(shown) <= 40 else f"{shown[:40]}…"})
    return SettingInvalid(key=label, reason=reason)
