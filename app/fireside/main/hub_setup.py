"""Build what leads out of this computer: the access to the hub, and other engines."""

from __future__ import annotations

import os

from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.main.startup_context import StartupContext
from fireside.services.engines import EngineParts
from fireside.services.hub_access import HubAccess, HubToken
from fireside.settings.engines_file import ENGINES_NAME, EnginesFile
from fireside.settings.redaction import Redaction
from fireside.settings.secret_file import SecretFile
from fireside.settings.secrets import Secrets


def build_secrets(context: StartupContext, *, redaction: Redaction) -> Secrets:
    """Return the secrets, where the user keeps them; ``redaction`` learns of each."""
    return Secrets(file=SecretFile(context.paths.secrets_file), environ=os.environ, redaction=redaction)


def build_access(context: StartupContext, secrets: Secrets, *, log: ConnectionLog | None = None) -> HubAccess:
    """Return the access to the hub, with the settings in force."""
    return HubAccess(settings=context.settings, token=HubToken(secrets), log=log)


def build_engines(
    context: StartupContext, access: HubAccess, secrets: Secrets, *, log: ConnectionLog, is_owner: bool
) -> EngineParts:
    """Return what other engines need. They are reached as the hub is: proxy, certificates, offline mode."""

    def route() -> Route:
        options = access.options
        return Route(proxy=options.proxy, ca_file=options.ca_file, is_offline=options.is_offline)

    file = EnginesFile(context.paths.data_folder / ENGINES_NAME)
    return EngineParts(file=file, secrets=secrets, route=route, log=log, is_owner=is_owner)
