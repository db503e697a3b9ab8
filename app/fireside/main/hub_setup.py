"""Build the access to the hub."""

from __future__ import annotations

import os

from fireside.main.startup_context import StartupContext
from fireside.services.hub_access import HubAccess, HubToken
from fireside.settings.redaction import Redaction
from fireside.settings.secret_file import SecretFile
from fireside.settings.secrets import Secrets


def build_access(context: StartupContext, *, redaction: Redaction) -> HubAccess:
    """Return the access to the hub, with the settings in force and the token where the user keeps it."""
    secrets = Secrets(file=SecretFile(context.paths.secrets_file), environ=os.environ, redaction=redaction)
    return HubAccess(settings=context.settings, token=HubToken(secrets))
