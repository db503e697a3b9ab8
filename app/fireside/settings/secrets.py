"""Keep tokens in the system's keyring, or where the user chooses instead. Nothing else stores a secret."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, Literal, NewType, TypeVar, assert_never
from urllib.parse import urlsplit

import msgspec

from fireside.core.errors import (
    FiresideError,
    KeyringLocked,
    KeyringRefused,
    KeyringUnavailable,
    SecretsError,
    SettingInvalid,
)
from fireside.core.i18n import tr, tr_noop
from fireside.core.secret_location import SecretLocation
from fireside.settings.keyring_backends import Backend, locked_errors, system_backend
from fireside.settings.redaction import Redaction
from fireside.settings.secret import Secret, secret_from_text
from fireside.settings.secret_file import SecretFile
from fireside.settings.time_limited_call import TimeLimitedCaller

T = TypeVar("T")

_log = logging.getLogger(__name__)

SERVICE: Final = "Fireside"
"""Under this name the user finds the secrets in the system's own password program."""

SecretName = NewType("SecretName", str)
HUB_TOKEN: Final = SecretName("hub-token")
"""The token of the public hub."""
_PUBLIC_HUB: Final = "https://huggingface.co:443"


def hub_token_name(address: str) -> SecretName:
    """Return the name of the token for a hub's ``address``: its own, so that no other address gets it.

    Empty is the public hub, whose token had no address in its name before others had tokens of their own.
    """
    parts = urlsplit(address)
    port = parts.port or {"http": 80}.get(parts.scheme, 443)
    origin = f"{parts.scheme}://{(parts.hostname or '').casefold()}:{port}"
    return HUB_TOKEN if not address or origin == _PUBLIC_HUB else SecretName(f"{HUB_TOKEN}@{origin}")


KeepIn = Literal[SecretLocation.SESSION, SecretLocation.FILE, SecretLocation.KEYRING]


class StoredSecret(msgspec.Struct, frozen=True, kw_only=True):
    """A secret and where it was found."""

    secret: Secret
    place: SecretLocation


class KeyringTimeouts(msgspec.Struct, frozen=True, kw_only=True):
    """How long the keyring may take: longer when the user has just clicked and may have to unlock it."""

    background_s: float = 3.0
    click_s: float = 30.0


class SecretRequester(StrEnum):
    """Who asked for a secret."""

    BACKGROUND = "background"
    CLICK = "click"


class Secrets:
    """Finds, keeps and forgets secrets. Call from one event loop; the keyring never blocks it.

    Not to be asked at start: only when a token is needed. Absence of a secret or of a keyring is no reason
    to refuse what needs none.
    """

    def __init__(
        self,
        *,
        file: SecretFile,
        environ: Mapping[str, str],
        redaction: Redaction,
        find_backend: Callable[[], Backend] | None = None,
        patience: KeyringTimeouts | None = None,
    ) -> None:
        self._file = file
        self._environ = environ
        self._redaction = redaction
        self._find_backend = system_backend(environ) if find_backend is None else find_backend
        self._patience = KeyringTimeouts() if patience is None else patience
        self._caller = TimeLimitedCaller(name="keyring")
        self._session: dict[SecretName, Secret] = {}

    async def find(
        self, name: SecretName, *, asked: SecretRequester = SecretRequester.BACKGROUND
    ) -> StoredSecret | None:
        """Return the secret and its place; ``None`` if there is none or no keyring to ask.

        Raises ``KeyringLocked`` if the keyring may hold it and no other place does.
        """
        found = await self._find(name, asked=asked)
        if found is not None:
            self._redaction.add(found.secret)
        return found

    async def keep(
        self,
        name: SecretName,
        secret: Secret,
        *,
        place: KeepIn,
        asked: SecretRequester = SecretRequester.CLICK,
    ) -> None:
        """Keep ``secret`` in ``place``; an older one anywhere else no longer counts.

        Raises ``KeyringUnavailable``, ``KeyringLocked``, ``KeyringRefused`` (ask the user for another place
        then) or, for the file, ``SettingsUnwritable``. Nothing is kept in a place that was not asked for.
        """
        self._redaction.add(secret)
        match place:
            case SecretLocation.SESSION:
                self._session[name] = secret
                return
            case SecretLocation.FILE:
                await asyncio.to_thread(self._file.keep, name, secret)
            case SecretLocation.KEYRING:
                await self._ask_keyring(lambda backend: _store(backend, name, secret), asked=asked)
                await asyncio.to_thread(self._file.remove, name)
            case _:
                assert_never(place)
        self._session.pop(name, None)

    async def forget(self, name: SecretName, *, asked: SecretRequester = SecretRequester.CLICK) -> None:
        """Remove the secret from every place but the environment, which is not ours.

        Raises ``KeyringLocked`` or ``KeyringRefused`` if the keyring may still hold it.
        """
        self._session.pop(name, None)
        await asyncio.to_thread(self._file.remove, name)
        try:
            await self._ask_keyring(lambda backend: _delete(backend, name), asked=asked)
        except KeyringUnavailable as exc:
            _log.info("Nothing to forget in the keyring: %s", exc)

    async def _find(self, name: SecretName, *, asked: SecretRequester) -> StoredSecret | None:
        if (secret := self._session.get(name)) is not None:
            return StoredSecret(secret=secret, place=SecretLocation.SESSION)
        if (secret := await asyncio.to_thread(self._file.read, name)) is not None:
            return StoredSecret(secret=secret, place=SecretLocation.FILE)
        locked: KeyringLocked | None = None
        try:
            if text := await self._ask_keyring(lambda backend: _read(backend, name), asked=asked):
                return StoredSecret(secret=Secret(text), place=SecretLocation.KEYRING)
        except KeyringLocked as exc:
            locked = exc
        except SecretsError as exc:
            _log.info("The keyring was not asked: %s", exc)
        if (secret := self._from_environment(name)) is not None:
            return StoredSecret(secret=secret, place=SecretLocation.ENVIRONMENT)
        if locked is not None:
            raise locked
        return None

    def _from_environment(self, name: SecretName) -> Secret | None:
        """Return ``HF_TOKEN``, which is for the hub at ``HF_ENDPOINT``, or the public one."""
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

    async def _ask_keyring(self, ask: Callable[[Backend], T], *, asked: SecretRequester) -> T:
        limit_s = self._patience.click_s if asked is SecretRequester.CLICK else self._patience.background_s
        started = time.monotonic()

        def work() -> T:
            try:
                return ask(self._find_backend())
            except FiresideError:
                raise
            except BaseException as exc:
                raise _typed(exc, waited_s=time.monotonic() - started) from exc

        try:
            return await self._caller.call(work, limit_s=limit_s)
        except TimeoutError as exc:
            # Nearly always a prompt for the password that is not answered.
            raise KeyringLocked(waited_s=time.monotonic() - started) from exc


def _read(backend: Backend, name: SecretName) -> str | None:
    text = backend.get_password(SERVICE, name)
    return text if isinstance(text, str) else None


def _store(backend: Backend, name: SecretName, secret: Secret) -> None:
    backend.set_password(SERVICE, name, secret.reveal())
    # Some backends take everything and keep nothing.
    text = _read(backend, name)
    if text is None or Secret(text) != secret:
        raise KeyringRefused(reason=tr_noop("what it stored does not read back as it was."))


def _delete(backend: Backend, name: SecretName) -> None:
    if _read(backend, name) is None:
        return
    backend.delete_password(SERVICE, name)
    if _read(backend, name) is not None:
        raise KeyringRefused(reason=tr_noop("it still holds what it should delete."))


def _typed(error: BaseException, *, waited_s: float) -> SecretsError:
    """Return what a backend's error means. Its text is left out: it is not known what a backend puts
    there."""
    from keyring import errors  # here, because only those who use a keyring need wait for its import

    locked = locked_errors()
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, locked):
            return KeyringLocked(waited_s=waited_s)
        cause = cause.__cause__
    match error:
        case errors.PasswordSetError():
            return KeyringRefused(reason=tr_noop("it did not accept the secret."))
        case errors.PasswordDeleteError():
            return KeyringRefused(reason=tr_noop("it did not delete the secret."))
        case errors.InitError():
            return KeyringUnavailable(reason=tr_noop("the keyring could not be opened."))
        case _:
            return KeyringUnavailable(
                reason=tr("the keyring answered with an error ({kind}).").format(kind=type(error).__name__)
            )
