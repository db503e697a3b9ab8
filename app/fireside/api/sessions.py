"""Session ids and keep-alive times, which clients send in several forms, and cache owners of sessions."""

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

from fireside.api.http_error import invalid

_HEADERS: Final = (
    "x-session-id",
    "x-claude-code-session-id",
    "session-id",
    "session_id",
    "x-session-affinity",
)
_DURATION: Final = re.compile(r"(\d+(?:\.\d*)?)(h|ms|m|s)")
_SECONDS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_MAX_KEEP_ALIVE_S: Final = 10 * 365 * 86_400.0
"""A longer time counts as for ever."""
_IN_USER_ID: Final = re.compile(r"session_(?:id)?[\"':_\s]*([0-9a-zA-Z-]{8,64})")
_MAX_SESSIONS: Final = 1024


class SessionOwners:
    """Maps client sessions to owner names in the prompt cache; the least recently used one is evicted.

    Args:
        forget: deletes the cache files of an owner, which is never used again; it blocks.
    """

    def __init__(self, forget: Callable[[str], None], *, max_sessions: int = _MAX_SESSIONS) -> None:
        self._delete_owner_files = forget
        self._max_sessions = max_sessions
        self._owners: OrderedDict[bytes, str] = OrderedDict()
        # Unique to this run of the program.
        self._names = (f"api-{secrets.token_hex(8)}-{number}" for number in count(1))

    async def owner_of(self, client_id: str, session: str) -> str:
        """Return the owner name of a client's session."""
        key = hashlib.sha256(f"{client_id}\n{session}".encode("utf-8", "replace")).digest()
        owner = self._owners[key] = self._owners.get(key) or next(self._names)
        self._owners.move_to_end(key)
        if len(self._owners) > self._max_sessions:
            _, evicted = self._owners.popitem(last=False)
            await asyncio.to_thread(self._delete_owner, evicted)
        return owner

    def clear(self) -> None:
        """Remove all sessions and their cache files. Blocks."""
        for owner in self._owners.values():
            self._delete_owner(owner)
        self._owners.clear()

    def _delete_owner(self, owner: str) -> None:
        with contextlib.suppress(OSError):
            self._delete_owner_files(owner)


def session_id(
    headers: Mapping[str, str], *, cache_key: str | None = None, user_id: str | None = None
) -> str:
    """Return the client's id of the conversation; empty if it sends none."""
    for name in _HEADERS:
        if value := headers.get(name, ""):
            return value
    if cache_key:
        return cache_key
    match = _IN_USER_ID.search(user_id or "")
    return "" if match is None else match[1]


def parse_keep_alive(value: float | str | None) -> float | msgspec.UnsetType | None:
    """Parse how long a model stays loaded: seconds, or a duration such as ``5m``; negative is for ever.

    Raises ``HttpError``.
    """
    if value is None:
        return msgspec.UNSET
    seconds = _seconds(value) if isinstance(value, str) else float(value)
    return seconds if 0 <= seconds <= _MAX_KEEP_ALIVE_S else None


def _seconds(text: str) -> float:
    stripped = text.strip()
    with contextlib.suppress(ValueError):
        if not math.isnan(seconds := float(stripped)):
            return seconds
    unsigned = stripped.lstrip("+-")
    parts = _DURATION.findall(unsigned)
    if not parts or "".join(f"{number}{unit}" for number, unit in parts) != unsigned:
        raise invalid(f"keep_alive: “{text}” is not a duration such as 5m.", param="keep_alive")
    total = sum(float(number) * _SECONDS[unit] for number, unit in parts)
    return -total if stripped.startswith("-") else total
