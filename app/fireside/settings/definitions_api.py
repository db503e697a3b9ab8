"""Declares the settings of the local API: whether it runs, where, and who may use it."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop
from fireside.settings.values import Group, SettingSection

DEFAULT_PORT: Final = 3473
"""“FIRE” on the keys of a telephone; no well-known program uses it."""

DEVICES_PORT: Final = 3474

_setting: Final = SettingSection(Group.API)

API: Final = (
    _setting.switch(
        "api.enabled",
        tr_noop("Serve other programs"),
        tr_noop("Lets editors, agents and scripts on this computer use your models."),
    ),
    _setting.integer(
        "api.port",
        tr_noop("Port"),
        tr_noop("The port of the local API on this computer."),
        default=DEFAULT_PORT,
        within=(1024, 65_535),
        is_exact=True,
    ),
    _setting.switch(
        "api.require_token",
        tr_noop("Require an access token"),
        tr_noop("Off lets every program on this computer use your models, as Ollama does."),
        default=True,
    ),
    _setting.switch(
        "api.devices",
        tr_noop("Serve other devices"),
        tr_noop("Lets phones and computers that you pair use your models over the local network, encrypted."),
        synonyms=tr_noop("phone tablet lan wifi network tls https qr code pair mdns"),
    ),
    _setting.integer(
        "api.devices_port",
        tr_noop("Port for other devices"),
        tr_noop("The port at which paired devices connect over the local network."),
        default=DEVICES_PORT,
        within=(1024, 65_535),
        is_exact=True,
        advanced=True,
    ),
    _setting.lines(
        "api.hosts",
        tr_noop("Allowed hosts"),
        tr_noop("Names besides “localhost” by which clients may reach the local API."),
        most=50,
        advanced=True,
    ),
    _setting.lines(
        "api.origins",
        tr_noop("Allowed web pages and apps"),
        tr_noop("Origins that may use the local API, such as “https://example.org” or “app://obsidian.md”."),
        most=50,
        advanced=True,
    ),
    _setting.lines(
        "api.models",
        tr_noop("Allowed models"),
        tr_noop("Names of the models that clients may use; empty for all."),
        most=200,
        advanced=True,
    ),
    _setting.switch(
        "api.any_model_name",
        tr_noop("Accept unknown model names"),
        tr_noop("Requests that name a model you don’t have are answered by the current model."),
    ),
    _setting.switch(
        "api.remote",
        tr_noop("Offer models of servers"),
        tr_noop("Clients that name such a model have their messages sent to its server."),
    ),
    _setting.switch(
        "api.larger_context",
        tr_noop("Clients may increase the context length"),
        tr_noop(
            "A prompt that needs more has its model loaded again, once idle, as far as memory allows. "
            "A length that you set stays."
        ),
        default=True,
        advanced=True,
    ),
    _setting.integer(
        "api.requests_per_client",
        tr_noop("Requests per client"),
        tr_noop("How many requests one client may have running or queued."),
        default=128,
        within=(1, 256),
        advanced=True,
    ),
    _setting.switch(
        "api.pull",
        tr_noop("Clients may download models"),
        tr_noop("With “ollama pull”. The access token needs the scope “manage”."),
        advanced=True,
    ),
    _setting.switch(
        "api.metrics",
        tr_noop("Metrics"),
        tr_noop("Lets clients read how many tokens were processed, at “/metrics”."),
        advanced=True,
    ),
)
