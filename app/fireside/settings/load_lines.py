"""Parse the texts of load settings: tensor overrides, metadata overrides, CPUs and layers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.options import MetadataOverride, TensorPlacement

PLACEMENTS_LABEL: Final = tr_noop("Tensor overrides")
OVERRIDES_LABEL: Final = tr_noop("Metadata overrides")
CPUS_LABEL: Final = tr_noop("CPU affinity")
LAYERS_LABEL: Final = tr_noop("Control vector layers")

_PLACEMENT: Final = re.compile(r"(.{1,200})=([\w.:-]{1,128})")
_OVERRIDE: Final = re.compile(r"([\w.-]{1,127})=(int|float|bool|str):(.{0,127})")
_INTEGER: Final = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_RANGE: Final = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?", re.ASCII)
_BOOLS: Final = {"true": True, "false": False}


def read_tensor_placements(lines: Iterable[str]) -> tuple[TensorPlacement, ...]:
    """Return the devices of tensors, as in ``blk\\.\\d+\\.ffn_.*=CPU``. Raises ``SettingInvalid``."""
    return tuple(map(_read_placement, lines))


def read_overrides(lines: Iterable[str]) -> tuple[MetadataOverride, ...]:
    """Return metadata overrides, as in ``llama.expert_used_count=int:4``. Raises ``SettingInvalid``."""
    return tuple(map(_read_override, lines))


def read_cpus(text: str) -> tuple[int, ...]:
    """Return the sorted CPU numbers, as in ``0-7, 12``; none for an empty text. Raises ``SettingInvalid``."""
    ranges = text.split(",") if text.strip() else ()
    return tuple(sorted({cpu for item in ranges for cpu in _read_range(item, label=CPUS_LABEL)}))


def read_layers(text: str) -> tuple[int, int] | None:
    """Return the first and the last layer, as in ``10-20``; ``None`` for an empty text.

    Raises ``SettingInvalid``.
    """
    if not text.strip():
        return None
    layers = _read_range(text, label=LAYERS_LABEL)
    return layers[0], layers[-1]


def _read_placement(line: str) -> TensorPlacement:
    match = _PLACEMENT.fullmatch(line.strip())
    if match is None:
        raise _invalid(PLACEMENTS_LABEL, line, tr_noop("“{text}” is not “pattern=device”."))
    try:
        re.compile(match[1])
    except (re.error, RecursionError) as exc:
        raise _invalid(
            PLACEMENTS_LABEL, line, tr_noop("“{text}” is not a valid regular expression.")
        ) from exc
    return TensorPlacement(pattern=match[1], device=match[2])


def _read_override(line: str) -> MetadataOverride:
    match = _OVERRIDE.fullmatch(line.strip())
    value = _value(match[2], match[3]) if match is not None else None
    if match is None or value is None:
        raise _invalid(
            OVERRIDES_LABEL,
            line,
            tr_noop("“{text}” is not “name=type:value”, with the type int, float, bool or str."),
        )
    return MetadataOverride(key=match[1], value=value)


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


def _read_range(text: str, *, label: str) -> range:
    match = _RANGE.fullmatch(text.strip())
    numbers = range(int(match[1]), int(match[2] or match[1]) + 1) if match is not None else range(0)
    if not numbers:
        raise _invalid(label, text, tr_noop("“{text}” is not a number or a range such as 4-7."))
    return numbers


def _invalid(label: str, text: str, message: str) -> SettingInvalid:
    text = text.strip()
    excerpt = text if len(text) <= 40 else f"{text[:40]}…"
    return SettingInvalid(key=label, reason=Phrase(message, {"text": excerpt}))
