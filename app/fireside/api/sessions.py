"""Which conversation a call belongs to, and how long its model stays: said in many ways."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from itertools import count
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


_MOST_SESSIONS: Final = 1024


class SessionOwners:
    """Under which names the prompts of sessions are cached; the session that rests longest is forgotten.

    Args:
        forget: deletes what is kept on disk under a name, which is never used again; it blocks.
    """

    def __init__(self, forget: Callable[[str], None], *, most: int = _MOST_SESSIONS) -> None:
        self._forget = forget
        self._most = most
        self._owners: OrderedDict[bytes, str] = OrderedDict()
        # Other runs of the program have other names.
        self._names = (f"api-{secrets.token_hex(8)}-{number}" for number in count(1))

    async def of(self, client_id: str, session: str) -> str:
        """Return the name of a client's session."""
        key = hashlib.sha256(f"{client_id}\n{session}".encode("utf-8", "replace")).digest()
        owner = self._owners[key] = self._owners.get(key) or next(self._names)
        self._owners.move_to_end(key)
        if len(self._owners) > self._most:
            _, rests = self._owners.popitem(last=False)
            await asyncio.to_thread(self._forget_one, rests)
        return owner

    def forget_all(self) -> None:
        """Forget all sessions. Blocks."""
        for owner in self._owners.values():
            self._forget_one(owner)
        self._owners.clear()

    def _forget_one(self, owner: str) -> None:
        with contextlib.suppress(OSError):
            self._forget(owner)


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
