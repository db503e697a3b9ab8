"""Store what the user enters as a token or key."""

from __future__ import annotations

from fireside.core.errors import KeyringUnavailable, SettingInvalid
from fireside.core.i18n import tr_noop
from fireside.core.secret_location import SecretLocation
from fireside.settings.secret import Secret
from fireside.settings.secrets import SecretName, Secrets


async def store_secret(
    secrets: Secrets,
    name: SecretName,
    secret: Secret,
    *,
    label: str,
    location: SecretLocation = SecretLocation.KEYRING,
) -> SecretLocation:
    """Store ``secret`` in ``location`` and return where it is: without a keyring, in memory until the end.

    ``label`` names the setting in errors. Raises ``SettingInvalid`` for a location that Fireside cannot write
    to, ``SecretsError`` or ``SettingsUnwritable``.
    """
    if location is SecretLocation.NONE or location is SecretLocation.ENVIRONMENT:
        raise SettingInvalid(key=label, reason=tr_noop("It cannot be stored there."))
    try:
        await secrets.store(name, secret, location=location)
    except KeyringUnavailable:
        await secrets.store(name, secret, location=SecretLocation.SESSION)
        return SecretLocation.SESSION
    return location
