"""Access to the hub with the current settings: session, token and offline switch."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from fireside.core.errors import SecretsError, SettingInvalid
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.secret_location import SecretLocation
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Timeouts
from fireside.hub.hub_connection import PUBLIC_HUB
from fireside.hub.hub_session import HubSession
from fireside.services.secret_storage import store_secret
from fireside.settings.conversions import HubOptions, check_addresses, hub_options
from fireside.settings.secret import Secret, secret_from_text
from fireside.settings.secrets import HUB_TOKEN, SecretName, SecretRequester, Secrets, hub_token_name
from fireside.settings.service import Settings

RETRY_S: Final = 60.0
"""A locked keyring is not asked again sooner: each time may prompt the user for a password."""
_LABEL: Final = tr_noop("Access token")


class HubToken:
    """The access token for one hub address, read once and cached. ``__call__`` is thread-safe; all else
    runs on one event loop."""

    def __init__(self, secrets: Secrets, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._secrets = secrets
        self._clock = clock
        self._name, self._endpoint = HUB_TOKEN, ""
        self._cached: tuple[str, Secret] | None = None
        """The endpoint and its token, as one value, so that another thread reads both or neither."""
        self._known_until_s: float | None = None
        self._is_suspended = False

    def bind(self, name: SecretName, *, endpoint: str) -> None:
        """Use the token stored as ``name``, only for requests to ``endpoint``."""
        if (name, endpoint) != (self._name, self._endpoint):
            self._name, self._endpoint = name, endpoint
            self._cached, self._known_until_s, self._is_suspended = None, None, False

    def __call__(self, endpoint: str, /) -> str | None:
        """Return the token of ``endpoint`` if one was loaded."""
        cached = self._cached
        if cached is None or cached[0] != endpoint or self._is_suspended:
            return None
        return cached[1].reveal()

    @for_window
    async def suspend(self) -> None:
        """Send no token until another one is stored: it was refused, and public models need none."""
        self._is_suspended = True

    async def load(self, *, requester: SecretRequester = SecretRequester.BACKGROUND) -> None:
        """Load the token unless that was done. Without it most models can still be downloaded."""
        while self._known_until_s is None or self._clock() >= self._known_until_s:
            name = self._name
            try:
                stored = await self._secrets.find(name, requester=requester)
                self._cache(None if stored is None else stored.secret, name=name)
            except SecretsError:
                if name == self._name:
                    self._known_until_s = self._clock() + RETRY_S

    @for_window
    async def location(self) -> SecretLocation:
        """Return where the token is stored. Raises ``KeyringLocked`` if a locked keyring may hold one."""
        name = self._name
        stored = await self._secrets.find(name, requester=SecretRequester.CLICK)
        self._cache(None if stored is None else stored.secret, name=name)
        return SecretLocation.NONE if stored is None else stored.location

    @for_window
    async def store(self, token: str, *, location: SecretLocation = SecretLocation.KEYRING) -> SecretLocation:
        """Store an access token and return where it is now.

        Without a keyring it is kept for this run only; ``SecretLocation.FILE`` stores it unencrypted. Raises
        ``SecretsError`` or ``SettingsError``, ``SettingInvalid`` if it is no token.
        """
        name, secret = self._name, secret_from_text(token, label=_LABEL)
        location = await store_secret(self._secrets, name, secret, label=_LABEL, location=location)
        self._is_suspended = False
        self._cache(secret, name=name)
        return location

    @for_window
    async def forget(self) -> None:
        """Remove the token from every location that Fireside writes. Raises ``SecretsError``."""
        self._cached, self._known_until_s, self._is_suspended = None, None, False
        await self._secrets.forget(self._name)

    def _cache(self, secret: Secret | None, *, name: SecretName) -> None:
        if name == self._name:  # Otherwise another address was set meanwhile.
            self._cached = None if secret is None else (self._endpoint, secret)
            self._known_until_s = float("inf")


class HubAccess:
    """Owns the hub session and the token. ``options`` and the session are thread-safe."""

    def __init__(
        self,
        *,
        settings: Settings,
        token: HubToken,
        timeouts: Timeouts | None = None,
        public_hub: str = PUBLIC_HUB,
        log: ConnectionLog | None = None,
    ) -> None:
        """``public_hub`` is the address used where the settings name no other; ``log`` records
        connections."""
        self.token = token
        self._public_hub = public_hub
        self.options: HubOptions = hub_options(settings.resolved())
        """The settings of the hub that are in force."""
        self._settings = settings
        self._problem = _problem(self.options)
        self._is_closed = False
        self._bind_token()
        self.session = HubSession(
            endpoint=self._endpoint,
            token=token,
            is_offline=self._is_offline,
            proxy=self.options.proxy,
            ca_file=self.options.ca_file,
            timeouts=timeouts,
            log=log,
        )

    def apply_settings(self) -> None:
        """Apply the current settings to new requests; running transfers continue."""
        self.options = hub_options(self._settings.resolved())
        self._problem = _problem(self.options)
        self._bind_token()
        self.session.configure(
            endpoint=self._endpoint,
            proxy=self.options.proxy,
            ca_file=self.options.ca_file,
        )

    async def make_ready(self) -> None:
        """Load the token before a request. Raises ``SettingInvalid`` for an invalid address.

        Call it on the event loop.
        """
        if self._problem is not None:
            raise self._problem
        await self.token.load()

    def close(self) -> None:
        """Close every connection and open no more: a request whose caller was cancelled may still be
        running."""
        self._is_closed = True
        self.session.close()

    @property
    def _endpoint(self) -> str:
        return self.options.endpoint or self._public_hub

    def _bind_token(self) -> None:
        """Restrict the token to the address that it was stored for."""
        if self._problem is None:
            self.token.bind(hub_token_name(self.options.endpoint), endpoint=self._endpoint)

    def _is_offline(self) -> bool:
        """Checked before each request. An invalid address opens no connection to another one."""
        if self._problem is not None:
            raise self._problem
        return self._is_closed or self.options.is_offline


def _problem(options: HubOptions) -> SettingInvalid | None:
    try:
        check_addresses(options)
    except SettingInvalid as exc:
        return exc
    return None
