"""Access tokens of API clients: each has a name and scopes, is stored as a hash and shown once."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import SettingsUnwritable
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.files.json_file import JsonFile, OnDamaged
from fireside.settings.secret import Secret

TOKENS_NAME: Final = "api-tokens.json"
_PREFIX: Final = "fs-"
_N_BYTES: Final = 32
_SIZE_LIMIT: Final = 1_000_000
_LOSS: Final = tr_noop("API clients need new access tokens.")


class TokenScope(StrEnum):
    """What a client may do. No scope includes another."""

    ANSWER = "answer"
    """Use loaded models, and list all models."""
    LOAD = "load"
    """Load and unload models."""
    MANAGE = "manage"
    """Download models."""
    DOCUMENTS = "documents"
    """Search the user's collections of documents."""
    TOOLS = "tools"
    """Let models call the user's tools that run without confirmation."""
    SPEECH = "speech"
    """Recognise and synthesise speech."""


USUAL_SCOPES: Final = frozenset({TokenScope.ANSWER, TokenScope.LOAD})


class StoredToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token as it is stored, without its text."""

    id: str
    name: str
    scopes: frozenset[TokenScope]
    digest: str
    """SHA-256 of the text, in hexadecimal. No salt is needed: the text is made of 32 random bytes."""
    is_device: bool = False
    """Whether another device of the network has it; no other token is taken over the network."""
    seen_at: float | None = None
    """When it was used last, in seconds since 1970; of devices alone."""
    seen_from: str = ""
    """The address from which it was used."""


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """The sender of a request."""

    id: str
    """The id of its token; without one, its address."""
    name: str
    scopes: frozenset[TokenScope]


class ApiTokens:
    """The tokens in one file. Changes by another process take effect with the next request.

    Args:
        path: of the file; ``None`` keeps the tokens in memory.
    """

    def __init__(self, path: Path | None, *, on_damaged: OnDamaged = lambda _: None) -> None:
        self._path = path
        self._file = (
            None
            if path is None
            else JsonFile(path, tuple[StoredToken, ...], limit=_SIZE_LIMIT, loss=_LOSS, on_damaged=on_damaged)
        )
        self._state: tuple[int, int] | None = None
        self._tokens: tuple[StoredToken, ...] = ()
        self._seen: dict[str, tuple[float, str]] = {}
        """When and from where devices came that is not stored yet, by the id of their token."""

    def all(self) -> tuple[StoredToken, ...]:
        """Return all tokens, the oldest first. A damaged file counts as empty."""
        if self._path is None or self._file is None:
            return self._tokens
        try:
            status = self._path.stat()
            state = (status.st_mtime_ns, status.st_size)
        except OSError:
            state = None
        if state is None or state != self._state:
            tokens = self._file.read()
            self._state, self._tokens = (None, ()) if tokens is None else (state, tokens)
        return self._tokens

    def devices(self) -> tuple[StoredToken, ...]:
        """Return the tokens of other devices, with when and from where they came last."""
        return tuple(
            msgspec.structs.replace(token, seen_at=seen[0], seen_from=seen[1])
            if (seen := self._seen.get(token.id)) is not None
            else token
            for token in self.all()
            if token.is_device
        )

    def note_seen(self, token_id: str, *, at: float, address: str) -> None:
        """Note that a device came; ``store_seen`` writes it."""
        self._seen[token_id] = (at, address)

    def store_seen(self) -> None:
        """Write what was noted since the last time. Blocks. What cannot be written is noted still."""
        if not self._seen:
            return
        devices = {token.id: token for token in self.devices()}
        with contextlib.suppress(SettingsUnwritable):
            self._write(tuple(devices.get(token.id, token) for token in self.all()))
            self._seen.clear()

    def add(self, name: str, scopes: frozenset[TokenScope], *, is_device: bool = False) -> Secret:
        """Create a token and return its text, which cannot be read again. Raises ``SettingsUnwritable``."""
        text = _PREFIX + secrets.token_urlsafe(_N_BYTES)
        token = StoredToken(
            id=secrets.token_hex(4), name=name, scopes=scopes, digest=_digest(text), is_device=is_device
        )
        self._write((*self.all(), token))
        return Secret(text)

    def revoke(self, token_id: str) -> None:
        """Remove a token. Raises ``SettingsUnwritable``."""
        self._write(tuple(token for token in self.all() if token.id != token_id))

    def client_of(self, text: str, *, is_device: bool = False) -> Client | None:
        """Return the client with this token, with ``is_device`` one of another device; takes the same time
        whether there is one or not."""
        digest, match = _digest(text), None
        for token in self.all():
            if hmac.compare_digest(token.digest, digest) and (token.is_device or not is_device):
                match = token
        return None if match is None else Client(id=match.id, name=match.name, scopes=match.scopes)

    def _write(self, tokens: tuple[StoredToken, ...]) -> None:
        if self._file is None:
            self._tokens = tokens
            return
        try:
            self._file.write(tokens)
        except OSError as exc:
            raise SettingsUnwritable(path=str(self._path), reason=render_os_error(exc)) from exc
        self._state = None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
