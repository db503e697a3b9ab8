"""The door to the hub with the settings in force, also after they changed."""

from __future__ import annotations

from fireside.core.errors import SettingInvalid
from fireside.hub.http_client import Timeouts
from fireside.hub.hub_session import PUBLIC_HUB, HubSession
from fireside.services.hub.access_token import HubToken
from fireside.settings.service import Settings
from fireside.settings.typed_hub import HubOptions, check_addresses, hub_options


class HubAccess:
    """Owns the session and the token. ``options`` and the session may be used from any thread."""

    def __init__(
        self,
        *,
        settings: Settings,
        token: HubToken,
        timeouts: Timeouts | None = None,
        public_hub: str = PUBLIC_HUB,
    ) -> None:
        """``public_hub`` is asked where the settings name no other."""
        self.token = token
        self._public_hub = public_hub
        self.options: HubOptions = hub_options(settings.resolved())
        """The settings of the hub that are in force."""
        self._settings = settings
        self._problem = _problem(self.options)
        self._is_closed = False
        self.session = HubSession(
            endpoint=self.options.endpoint or self._public_hub,
            token=token,
            is_offline=self._is_offline,
            proxy=self.options.proxy,
            ca_file=self.options.ca_file,
            timeouts=timeouts,
        )

    def settings_changed(self) -> None:
        """Take over the settings that hold now: what is asked next goes there; what arrives goes on."""
        self.options = hub_options(self._settings.resolved())
        self._problem = _problem(self.options)
        self.session.reroute(
            endpoint=self.options.endpoint or self._public_hub,
            proxy=self.options.proxy,
            ca_file=self.options.ca_file,
        )

    async def make_ready(self) -> None:
        """Look for the token before something is asked. Raises ``SettingInvalid`` for a wrong address.

        Call it on the event loop.
        """
        if self._problem is not None:
            raise self._problem
        await self.token.look()

    def close(self) -> None:
        """Close every connection, and open no other: a question that was given up may still be under way."""
        self._is_closed = True
        self.session.close()

    def _is_offline(self) -> bool:
        """Asked before each request. An address that is none opens no connection to another one."""
        if self._problem is not None:
            raise self._problem
        return self._is_closed or self.options.is_offline


def _problem(options: HubOptions) -> SettingInvalid | None:
    try:
        check_addresses(options)
    except SettingInvalid as exc:
        return exc
    return None
