"""The options of the local API, from the settings."""

from __future__ import annotations

import ipaddress
from typing import Final

import msgspec

from fireside.services.request_builder import Resolved
from fireside.settings.values import by_key

LOOPBACK: Final = "127.0.0.1"


class ApiOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the server."""

    serves_here: bool = True
    """Whether programs of this computer may connect."""
    host: str = LOOPBACK
    port: int = 0
    """0 chooses a free port."""
    socket: str = ""
    """Path of a Unix socket to listen at in place of the port; empty for none."""
    needs_token: bool = True
    hosts: tuple[str, ...] = ()
    """Allowed values of ``Host`` in addition to the loopback names."""
    origins: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    """Ids of the models that clients may use; empty allows all."""
    accepts_any_model_name: bool = False
    """Whether the model in use answers if a client requests an unknown one."""
    includes_remote: bool = False
    """Whether clients may use models of other engines."""
    max_requests_per_client: int = 128
    metrics_enabled: bool = False
    allows_pull: bool = False
    """Whether clients may download models."""

    @property
    def is_loopback(self) -> bool:
        """Whether only programs of this computer can connect."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def api_options(resolved: Resolved, *, host: str = LOOPBACK) -> ApiOptions:
    """Return the options from the settings in force."""
    values = by_key(resolved)
    return msgspec.convert(
        {
            "host": host,
            "port": values["api.port"],
            "needs_token": values["api.require_token"],
            "hosts": values["api.hosts"],
            "origins": values["api.origins"],
            "models": values["api.models"],
            "accepts_any_model_name": values["api.any_model_name"],
            "includes_remote": values["api.remote"],
            "max_requests_per_client": values["api.requests_per_client"],
            "metrics_enabled": values["api.metrics"],
            "allows_pull": values["api.pull"],
        },
        ApiOptions,
    )
