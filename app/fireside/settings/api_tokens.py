"""The tokens of clients: named, with scopes, kept as hashes, shown once."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import SettingsUnwritable
from fireside.core.os_errors import render_os_error
from fireside.files.atomic_replace import replace_file
from fireside.settings.secret import Secret

TOKENS_NAME: Final = "api-tokens.json"
_PREFIX: Final = "fs-"
_N_BYTES: Final = 32
_SIZE_LIMIT: Final = 1_000_000


class Scope(StrEnum):
    """What a client may do. Each stands alone."""

    ANSWER = "answer"
    """Use models that are loaded, and list what there is."""
    LOAD = "load"
    """Have models loaded and unloaded."""
    MANAGE = "manage"
    """Fetch models."""
    DOCUMENTS = "documents"
    """Search the user's collections of documents."""
    TOOLS = "tools"
    """Have models use the user's own tools, those that run without a question."""


USUAL_SCOPES: Final = frozenset({Scope.ANSWER, Scope.LOAD})


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """One token as it is kept: what it opens, never the token itself."""

    id: str
    name: str
    scopes: frozenset[Scope]
    digest: str
    """SHA-256 in hexadecimal digits: of 32 random bytes, which no dictionary has."""


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks."""

    id: str
    """Of the token; of those without one, their address."""
    name: str
    scopes: frozenset[Scope]


class Tokens:
    """The tokens in one file. What another process changes there counts from the next request on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._state: tuple[int, int] | None = None
        self._tokens: tuple[Token, ...] = ()

    def all(self) -> tuple[Token, ...]:
        """Return what there is, the oldest first. A damaged file opens nothing."""
        try:
            status = self._path.stat()
            state = (status.st_mtime_ns, status.st_size)
            if state != self._state:
                with self._path.open("rb") as file:
                    content = file.read(_SIZE_LIMIT)
                self._tokens = msgspec.json.decode(content, type=tuple[Token, ...])
                self._state = state
        except (OSError, msgspec.DecodeError, RecursionError):
            self._state, self._tokens = None, ()
        return self._tokens

    def add(self, name: str, scopes: frozenset[Scope]) -> Secret:
        """Make a token and return it: this once. Raises ``SettingsUnwritable``."""
        text = _PREFIX + secrets.token_urlsafe(_N_BYTES)
        token = Token(id=secrets.token_hex(4), name=name, scopes=scopes, digest=_digest(text))
        self._write((*self.all(), token))
        return Secret(text)

    def revoke(self, token_id: str) -> None:
        """Let a token open nothing from now on. Raises ``SettingsUnwritable``."""
        self._write(tuple(token for token in self.all() if token.id != token_id))

    def owner_of(self, text: str) -> Client | None:
        """Return whose token this is. Takes as long for a wrong one as for a right one."""
        digest, found = _digest(text), None
        for token in self.all():
            if hmac.compare_digest(token.digest, digest):
                found = token
        return None if found is None else Client(id=found.id, name=found.name, scopes=found.scopes)

    def _write(self, tokens: tuple[Token, ...]) -> None:
        content = msgspec.json.format(msgspec.json.encode(tokens, order="sorted"), indent=2)
        try:
            replace_file(self._path, content)
        except OSError as exc:
            raise SettingsUnwritable(path=str(self._path), reason=render_os_error(exc)) from exc
        self._state = None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
