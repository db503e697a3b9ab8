"""The access token to the hub: looked for when it is needed, kept, forgotten, never given back."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from fireside.core.discovery import TokenPlace
from fireside.core.errors import KeyringUnavailable, SecretsError, SettingInvalid
from fireside.core.i18n import tr_noop
from fireside.settings.secret import Secret, secret_from_text
from fireside.settings.secrets import HUB_TOKEN, Asked, FoundSecret, KeepIn, SecretPlace, Secrets

LOOK_AGAIN_S: Final = 60.0
"""A keyring that was locked is not asked again before that: each time may ask the user for a password."""
_LABEL: Final = tr_noop("Access token")
_PLACES: Final = {
    SecretPlace.SESSION: TokenPlace.SESSION,
    SecretPlace.FILE: TokenPlace.FILE,
    SecretPlace.KEYRING: TokenPlace.KEYRING,
    SecretPlace.ENVIRONMENT: TokenPlace.ENVIRONMENT,
}
_KEEP_IN: Final[dict[TokenPlace, KeepIn]] = {
    TokenPlace.SESSION: SecretPlace.SESSION,
    TokenPlace.FILE: SecretPlace.FILE,
    TokenPlace.KEYRING: SecretPlace.KEYRING,
}


class HubToken:
    """Found once and remembered. Any thread may call it for the token; all else on one event loop."""

    def __init__(self, secrets: Secrets, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._secrets = secrets
        self._clock = clock
        self._found: Secret | None = None
        self._known_until_s: float | None = None

    def __call__(self) -> str | None:
        """Return the token if one was found."""
        return None if self._found is None else self._found.reveal()

    async def look(self, *, asked: Asked = Asked.BACKGROUND) -> None:
        """Look for the token unless that was done. Without it most models can be fetched all the same."""
        if self._known_until_s is not None and self._clock() < self._known_until_s:
            return
        try:
            self._remember(await self._secrets.find(HUB_TOKEN, asked=asked))
        except SecretsError:
            self._known_until_s = self._clock() + LOOK_AGAIN_S

    async def place(self) -> TokenPlace:
        """Ask where a token is. Raises ``KeyringLocked`` if the keyring may hold one and does not say."""
        found = await self._secrets.find(HUB_TOKEN, asked=Asked.CLICK)
        self._remember(found)
        return TokenPlace.NONE if found is None else _PLACES[found.place]

    async def keep(self, token: str, *, place: TokenPlace = TokenPlace.KEYRING) -> TokenPlace:
        """Keep ``token`` and return where; see ``TokenClient.keep``."""
        if place not in _KEEP_IN:
            raise SettingInvalid(key=_LABEL, reason=tr_noop("It cannot be stored there."))
        secret = secret_from_text(token, label=_LABEL)
        try:
            await self._secrets.keep(HUB_TOKEN, secret, place=_KEEP_IN[place])
        except KeyringUnavailable:
            place = TokenPlace.SESSION
            await self._secrets.keep(HUB_TOKEN, secret, place=SecretPlace.SESSION)
        self._found, self._known_until_s = secret, float("inf")
        return place

    async def forget(self) -> None:
        """Remove the token from every place that is ours. Raises ``SecretsError``."""
        self._found, self._known_until_s = None, None
        await self._secrets.forget(HUB_TOKEN)

    def _remember(self, found: FoundSecret | None) -> None:
        self._found = None if found is None else found.secret
        self._known_until_s = float("inf")
