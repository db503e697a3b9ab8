"""Parse the texts of load settings: shares of GPUs, strengths, overrides, CPUs and layers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import Phrase, number, tr, tr_noop
from fireside.core.options import MetadataOverride, TensorPlacement

SHARES_LABEL: Final = tr_noop("Tensor split")
MAX_DEVICES: Final = 16
MAX_SHARE: Final = 1e6


def read_shares(text: str) -> tuple[float, ...]:
    """Return the shares in order; none for an empty text. Raises ``SettingInvalid``."""
    shares = tuple(map(_read_share, text.split(","))) if text.strip() else ()
    if len(shares) > MAX_DEVICES:
        raise SettingInvalid(
            key=SHARES_LABEL,
            reason=tr("At most {most} GPUs.").format(most=MAX_DEVICES),
        )
    if shares and not any(shares):
        raise SettingInvalid(key=SHARES_LABEL, reason=tr_noop("At least one GPU must have a share."))
    return shares


def _read_share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= MAX_SHARE:
        raise SettingInvalid(
            key=SHARES_LABEL,
            reason=tr("“{text}” is not a number from 0 to {most}.").format(
                text=text.strip()[:40], most=number(MAX_SHARE)
            ),
        )
    return share


STRENGTHS_LABEL: Final = tr_noop("LoRA strengths")
FULL_STRENGTH: Final = 1.0
STRENGTH_LIMIT: Final = 100.0


def read_strengths(text: str, *, label: str = STRENGTHS_LABEL) -> tuple[float, ...]:
    """Return the strengths in order; none for an empty text. Raises ``SettingInvalid`` under ``label``."""
    return tuple(_read_strength(item, label=label) for item in text.split(",")) if text.strip() else ()


def _read_strength(text: str, *, label: str) -> float:
    try:
        strength = float(text)
    except ValueError:
        strength = float("nan")
    if not -STRENGTH_LIMIT <= strength <= STRENGTH_LIMIT:
        raise SettingInvalid(
            key=label,
            reason=tr("“{text}” is not a number from −{most} to {most}.").format(
                text=text.strip()[:40], most=number(STRENGTH_LIMIT)
            ),
        )
    return strength


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
