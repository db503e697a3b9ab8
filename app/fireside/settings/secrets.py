"""Storage of secrets: the system's keyring, a private file, or another location that the user chooses."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal, NewType, TypeVar, assert_never
from urllib.parse import urlsplit

import msgspec

from fireside.core.errors import (
    FiresideError,
    KeyringLocked,
    KeyringUnavailable,
    SecretsError,
    SettingInvalid,
    SettingsUnwritable,
)
from fireside.core.i18n import tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.secret_location import SecretLocation
from fireside.files.atomic_replace import WriteFile, replace_file
from fireside.files.json_file import JsonFile, OnDamaged
from fireside.settings.keyring_backends import Backend, locked_errors, system_backend
from fireside.settings.redaction import Redaction
from fireside.settings.secret import Secret, secret_from_text
from fireside.settings.time_limited_call import TimeLimitedCaller

_NOTE: Final = "The secrets in this file are not encrypted. Fireside put them here because you chose so."
_SIZE_LIMIT: Final = 1_000_000
_LOSS: Final = tr_noop("The access tokens and keys in it must be entered again.")


class _Content(msgspec.Struct, frozen=True, kw_only=True):
    note: str = _NOTE
    secrets: dict[str, str] = {}


class SecretFile:
    """Secrets by name, not encrypted, readable only by their owner. Blocks; any thread."""

    def __init__(
        self, path: Path, *, write: WriteFile = replace_file, on_damaged: OnDamaged = lambda _: None
    ) -> None:
        self._file = JsonFile(
            path,
            _Content,
            limit=_SIZE_LIMIT,
            loss=_LOSS,
            on_damaged=on_damaged,
            is_private=True,
            write=write,
        )
        self._lock = threading.Lock()

    def read(self, name: str) -> Secret | None:
        """Return a secret. A missing or damaged file counts as empty."""
        with self._lock:
            text = self._read_all().get(name)
        return Secret(text) if text else None

    def store(self, name: str, secret: Secret) -> None:
        """Store a secret. Raises ``SettingsUnwritable``."""
        with self._lock:
            self._replace({**self._read_all(), name: secret.reveal()})

    def remove(self, name: str) -> None:
        """Remove a secret, and with the last one the file. Raises ``SettingsUnwritable``."""
        with self._lock:
            secrets = self._read_all()
            if name in secrets:
                del secrets[name]
                self._replace(secrets)

    def _replace(self, secrets: dict[str, str]) -> None:
        try:
            if secrets:
                self._file.write(_Content(secrets=secrets))
            else:
                self._file.path.unlink(missing_ok=True)
        except OSError as exc:
            raise SettingsUnwritable(path=str(self._file.path), reason=render_os_error(exc)) from exc

    def _read_all(self) -> dict[str, str]:
        # Others may read it after it was copied or restored from a backup: ``is_private``.
        content = self._file.read()
        return {} if content is None else dict(content.secrets)


T = TypeVar("T")

_log = logging.getLogger(__name__)

SERVICE: Final = "Fireside"
"""The name of the entries in the system's password manager."""

SecretName = NewType("SecretName", str)
HUB_TOKEN: Final = SecretName("hub-token")
"""The token of the public hub."""
_PUBLIC_HUB: Final = "https://huggingface.co:443"


def hub_token_name(address: str) -> SecretName:
    """Return the name of the token for the hub at ``address``: each has its own, and receives no other.

    An empty address is the public hub. The name of its token contains no address, for older versions.
    """
    parts = urlsplit(address)
    port = parts.port or {"http": 80}.get(parts.scheme, 443)
    origin = f"{parts.scheme}://{(parts.hostname or '').casefold()}:{port}"
    return HUB_TOKEN if not address or origin == _PUBLIC_HUB else SecretName(f"{HUB_TOKEN}@{origin}")


KeepIn = Literal[SecretLocation.SESSION, SecretLocation.FILE, SecretLocation.KEYRING]


class StoredSecret(msgspec.Struct, frozen=True, kw_only=True):
    """A secret and where it is stored."""

    secret: Secret
    location: SecretLocation


class KeyringTimeouts(msgspec.Struct, frozen=True, kw_only=True):
    """Time limits of the keyring: longer after a click, as the user may have to unlock it."""

    background_s: float = 3.0
    click_s: float = 30.0


class SecretRequester(StrEnum):
    """Why a secret is requested."""

    BACKGROUND = "background"
    CLICK = "click"


class Secrets:
    """Finds, stores and deletes secrets. Call from one event loop; the keyring never blocks it.

    Not for use at start, only when a token is needed. What needs no secret must work without a keyring.
    """

    def __init__(
        self,
        *,
        file: SecretFile,
        environ: Mapping[str, str],
        redaction: Redaction,
        find_backend: Callable[[], Backend] | None = None,
        timeouts: KeyringTimeouts | None = None,
    ) -> None:
        self._file = file
        self._environ = environ
        self._redaction = redaction
        self._find_backend = system_backend(environ) if find_backend is None else find_backend
        self._timeouts = KeyringTimeouts() if timeouts is None else timeouts
        self._caller = TimeLimitedCaller(name="keyring")
        self._session: dict[SecretName, Secret] = {}

    async def find(
        self, name: SecretName, *, requester: SecretRequester = SecretRequester.BACKGROUND
    ) -> StoredSecret | None:
        """Return the secret and its location; ``None`` if there is none, or no keyring.

        Raises ``KeyringLocked`` if the keyring may contain it and no other location does.
        """
        stored = await self._find(name, requester=requester)
        if stored is not None:
            self._redaction.add(stored.secret)
        return stored

    async def store(
        self,
        name: SecretName,
        secret: Secret,
        *,
        location: KeepIn,
        requester: SecretRequester = SecretRequester.CLICK,
    ) -> None:
        """Store ``secret`` in ``location``; it takes precedence over an older one elsewhere.

        Raises ``KeyringUnavailable``, ``KeyringLocked`` or ``keyring_refused``, upon which the user may
        choose another location, or for the file ``SettingsUnwritable``. No other location is used instead.
        """
        self._redaction.add(secret)
        match location:
            case SecretLocation.SESSION:
                self._session[name] = secret
                return
            case SecretLocation.FILE:
                await asyncio.to_thread(self._file.store, name, secret)
            case SecretLocation.KEYRING:
                await self._call_keyring(lambda backend: _store(backend, name, secret), requester=requester)
                await asyncio.to_thread(self._file.remove, name)
            case _:
                assert_never(location)
        self._session.pop(name, None)

    async def forget(self, name: SecretName, *, requester: SecretRequester = SecretRequester.CLICK) -> None:
        """Delete the secret everywhere except in the environment.

        Raises ``KeyringLocked`` or ``keyring_refused`` if the keyring may still contain it.
        """
        self._session.pop(name, None)
        await asyncio.to_thread(self._file.remove, name)
        try:
            await self._call_keyring(lambda backend: _delete(backend, name), requester=requester)
        except KeyringUnavailable as exc:
            _log.info("Nothing to forget in the keyring: %s", exc)

    async def _find(self, name: SecretName, *, requester: SecretRequester) -> StoredSecret | None:
        if (secret := self._session.get(name)) is not None:
            return StoredSecret(secret=secret, location=SecretLocation.SESSION)
        if (secret := await asyncio.to_thread(self._file.read, name)) is not None:
            return StoredSecret(secret=secret, location=SecretLocation.FILE)
        locked: KeyringLocked | None = None
        try:
            if text := await self._call_keyring(lambda backend: _read(backend, name), requester=requester):
                return StoredSecret(secret=Secret(text), location=SecretLocation.KEYRING)
        except KeyringLocked as exc:
            locked = exc
        except SecretsError as exc:
            _log.info("The keyring was not used: %s", exc)
        if (secret := self._from_environment(name)) is not None:
            return StoredSecret(secret=secret, location=SecretLocation.ENVIRONMENT)
        if locked is not None:
            raise locked
        return None

    def _from_environment(self, name: SecretName) -> Secret | None:
        """Return ``HF_TOKEN``, which is for the hub at ``HF_ENDPOINT`` or the public hub."""
        text = self._environ.get("HF_TOKEN")
        try:
            if not text or name != hub_token_name(self._environ.get("HF_ENDPOINT", "")):
                return None
            return secret_from_text(text, label="HF_TOKEN")
        except SettingInvalid as exc:
            _log.warning("%s", exc)
        except ValueError:
            _log.warning("HF_TOKEN is not used: HF_ENDPOINT is no address")
        return None

    async def _call_keyring(self, function: Callable[[Backend], T], *, requester: SecretRequester) -> T:
        limit_s = (
            self._timeouts.click_s if requester is SecretRequester.CLICK else self._timeouts.background_s
        )
        started = time.monotonic()

        def work() -> T:
            try:
                return function(self._find_backend())
            except FiresideError:
                raise
            except BaseException as exc:
                raise _keyring_error(exc, waited_s=time.monotonic() - started) from exc

        try:
            return await self._caller.call(work, limit_s=limit_s)
        except TimeoutError as exc:
            # Nearly always a password prompt that the user does not answer.
            raise KeyringLocked(waited_s=time.monotonic() - started) from exc


def _read(backend: Backend, name: SecretName) -> str | None:
    text = backend.get_password(SERVICE, name)
    return text if isinstance(text, str) else None


def _store(backend: Backend, name: SecretName, secret: Secret) -> None:
    backend.set_password(SERVICE, name, secret.reveal())
    # Some backends accept everything and store nothing.
    text = _read(backend, name)
    if text is None or Secret(text) != secret:
        raise SecretsError.of(
            "keyring_refused", reason=tr_noop("what it stored does not read back as it was.")
        )


def _delete(backend: Backend, name: SecretName) -> None:
    if _read(backend, name) is None:
        return
    backend.delete_password(SERVICE, name)
    if _read(backend, name) is not None:
        raise SecretsError.of("keyring_refused", reason=tr_noop("it still holds what it should delete."))


def _keyring_error(error: BaseException, *, waited_s: float) -> SecretsError:
    """Return the error to raise for a backend's error, without its text, which may contain anything."""
    from keyring import errors  # imported late, since few calls need it

    locked = locked_errors()
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, locked):
            return KeyringLocked(waited_s=waited_s)
        cause = cause.__cause__
    match error:
        case errors.PasswordSetError():
            return SecretsError.of("keyring_refused", reason=tr_noop("it did not accept the secret."))
        case errors.PasswordDeleteError():
            return SecretsError.of("keyring_refused", reason=tr_noop("it did not delete the secret."))
        case errors.InitError():
            return KeyringUnavailable(reason=tr_noop("the keyring could not be opened."))
        case _:
            return KeyringUnavailable(
                reason=tr("the keyring answered with an error ({kind}).").format(kind=type(error).__name__)
            )
