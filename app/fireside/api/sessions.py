"""Which conversation a call belongs to, and how long its model stays: said in many ways."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from fireside.api.refusal import invalid

_HEADERS: Final = (
    "x-session-id",
    "x-claude-code-session-id",
    "session-id",
    "session_id",
    "x-session-affinity",
)
_DURATION: Final = re.compile(r"(\d+(?:\.\d*)?)(h|ms|m|s)")
_SECONDS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_LONGEST_S: Final = 10 * 365 * 86_400.0
"""What is longer is for ever."""
_IN_USER_ID: Final = re.compile(r"session_(?:id)?[\"':_\s]*([0-9a-zA-Z-]{8,64})")


def session_of(
    headers: Mapping[str, str], *, cache_key: str | None = None, user_id: str | None = None
) -> str:
    """Return what a client calls its conversation; empty where it does not say."""
    for name in _HEADERS:
        if value := headers.get(name, ""):
            return value
    if cache_key:
        return cache_key
    found = _IN_USER_ID.search(user_id or "")
    return "" if found is None else found[1]


def keep_alive_of(value: float | str | None) -> float | msgspec.UnsetType | None:
    """Return how long a model stays: seconds or a duration such as ``5m``; negative is for ever.

    Raises ``Refusal``.
    """
    if value is None:
        return msgspec.UNSET
    seconds = _seconds(value) if isinstance(value, str) else float(value)
    return seconds if 0 <= seconds <= _LONGEST_S else None


def _seconds(text: str) -> float:
    plain = text.strip()
    with contextlib.suppress(ValueError):
        if not math.isnan(seconds := float(plain)):
            return seconds
    unsigned = plain.lstrip("+-")
    parts = _DURATION.findall(unsigned)
    if not parts or "".join(f"{number}{unit}" for number, unit in parts) != unsigned:
        raise invalid(f"keep_alive: “{text}” is not a duration such as 5m.", param="keep_alive")
    total = sum(float(number) * _SECONDS[unit] for number, unit in parts)
    return -total if plain.startswith("-") else total
