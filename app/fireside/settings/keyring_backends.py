"""Chooses the system's keyring, from a list of those that store secrets safely."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, Protocol

import msgspec

from fireside.core.errors import KeyringUnavailable
from fireside.core.i18n import tr, tr_noop

_log = logging.getLogger(__name__)


class Backend(Protocol):
    """The part of ``keyring``'s backends that Fireside uses. Any call may block without a time limit."""

    def get_password(self, service: str, username: str, /) -> str | None: ...

    def set_password(self, service: str, username: str, password: str, /) -> None: ...

    def delete_password(self, service: str, username: str, /) -> None: ...


class AllowedBackend(msgspec.Struct, frozen=True, kw_only=True):
    """A backend that may be used, by its module and class in ``keyring``."""

    module: str
    cls: str

    @property
    def name(self) -> str:
        return f"{self.module}.{self.cls}"


_FREEDESKTOP: Final = "keyring.backends.SecretService"
_UNIX: Final = (
    AllowedBackend(module=_FREEDESKTOP, cls="Keyring"),
    AllowedBackend(module="keyring.backends.libsecret", cls="Keyring"),
    AllowedBackend(module="keyring.backends.kwallet", cls="DBusKeyring"),
)
_MACOS: Final = (AllowedBackend(module="keyring.backends.macOS", cls="Keyring"),)
_WINDOWS: Final = (AllowedBackend(module="keyring.backends.Windows", cls="WinVaultKeyring"),)


def allowed_backends(platform: str = sys.platform) -> tuple[AllowedBackend, ...]:
    """Return the backends that may store secrets on ``platform``."""
    match platform:
        case "win32":
            return _WINDOWS
        case "darwin":
            return _MACOS
        case _:
            return _UNIX


def find_backend(*, chosen: str | None, allowed: Sequence[AllowedBackend] | None = None) -> Backend:
    """Return the working backend with the highest priority. Blocks.

    ``chosen`` is the one in ``keyring``'s configuration: it is used if it is allowed, and never loaded
    otherwise. ``keyring``'s own search is not used: it accepts a plaintext or null backend silently, runs
    code that its configuration names, and changes global state.

    Raises ``KeyringUnavailable``.
    """
    candidates = allowed_backends() if allowed is None else allowed
    if chosen is not None:
        candidates = [candidate for candidate in candidates if candidate.name == chosen]
        if not candidates:
            raise KeyringUnavailable(
                reason=tr(
                    "the keyring chosen in its configuration ({chosen}) is not one that keeps secrets."
                ).format(chosen=chosen)
            )
    working: list[tuple[float, Backend]] = []
    for candidate in candidates:
        try:
            working.append(_load(candidate))
        except Exception as exc:  # noqa: BLE001 - a backend that fails in any way is skipped
            _log.debug("%s cannot be used: %s", candidate.name, type(exc).__name__)
    if not working:
        raise KeyringUnavailable(reason=tr_noop("no keyring service is running."))
    return max(working, key=lambda pair: pair[0])[1]


def _load(candidate: AllowedBackend) -> tuple[float, Backend]:
    """Return priority and backend. Reading the priority contacts the service, and raises if that fails."""
    backend_class = getattr(importlib.import_module(candidate.module), candidate.cls)
    priority = float(backend_class.priority)
    backend = backend_class()
    return priority, _SecretService(backend) if candidate.module == _FREEDESKTOP else backend


class _SecretService:
    """The Secret Service, which is read only where it has a keyring.

    ``keyring`` would create a missing one in order to look into it, and the user would be asked to choose its
    password because a model is downloaded.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def get_password(self, service: str, username: str, /) -> str | None:
        return self._backend.get_password(service, username) if _has_keyring() else None

    def set_password(self, service: str, username: str, password: str, /) -> None:
        self._backend.set_password(service, username, password)

    def delete_password(self, service: str, username: str, /) -> None:
        self._backend.delete_password(service, username)


def _has_keyring() -> bool:
    """Return whether the Secret Service has a default keyring. Blocks; creates none, and unlocks none."""
    secretstorage = importlib.import_module("secretstorage")
    with closing(secretstorage.dbus_init()) as connection:
        try:
            secretstorage.Collection(connection)
        except secretstorage.ItemNotFoundException:
            return False
    return True


def chosen_backend(environ: Mapping[str, str], *, config_file: Path | None = None) -> str | None:
    """Return the name of the backend that the user chose for all programs, without loading it."""
    name = environ.get("PYTHON_KEYRING_BACKEND")
    if name:
        return name
    import configparser

    config = configparser.RawConfigParser()
    try:
        config.read(_config_file() if config_file is None else config_file, encoding="utf-8")
    except (OSError, configparser.Error, UnicodeDecodeError):
        return None
    return config.get("backend", "default-keyring", fallback="").strip() or None


def _config_file() -> Path:
    platform = importlib.import_module("keyring.util.platform_")
    return Path(platform.config_root()) / "keyringrc.cfg"


def system_backend(environ: Mapping[str, str]) -> Callable[[], Backend]:
    """Return a function that finds this system's keyring. It searches anew each time, as services start and
    stop."""
    return lambda: find_backend(chosen=chosen_backend(environ))


def locked_errors() -> tuple[type[Exception], ...]:
    """Return the errors that backends raise if the keyring is locked or its prompt was dismissed."""
    locked = importlib.import_module("keyring.errors").KeyringLocked
    try:
        secretstorage = importlib.import_module("secretstorage.exceptions")
    except ImportError:
        return (locked,)  # secretstorage is installed only on Linux
    return (locked, secretstorage.LockedException, secretstorage.PromptDismissedException)
