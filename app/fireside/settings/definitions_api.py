"""Declare the settings of the local API: whether it runs, where, and who may use it."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop
from fireside.settings.values import Group, Kind, SettingDefinition

DEFAULT_PORT: Final = 3473
"""“FIRE” on the keys of a telephone; no well-known program has it."""

API: Final = (
    SettingDefinition(
        key="api.enabled",
        group=Group.API,
        label=tr_noop("Serve other programs"),
        help=tr_noop("Lets editors, agents and scripts on this computer use your models."),
        kind=Kind.SWITCH,
        default=False,
    ),
    SettingDefinition(
        key="api.port",
        group=Group.API,
        label=tr_noop("Port"),
        help=tr_noop("The port of the local API on this computer."),
        kind=Kind.INTEGER,
        default=DEFAULT_PORT,
        minimum=1024,
        maximum=65_535,
        step=1,
        is_exact=True,
    ),
    SettingDefinition(
        key="api.require_token",
        group=Group.API,
        label=tr_noop("Require an access token"),
        help=tr_noop("Off lets every program on this computer use your models, as Ollama does."),
        kind=Kind.SWITCH,
        default=True,
    ),
    SettingDefinition(
        key="api.hosts",
        group=Group.API,
        label=tr_noop("Allowed hosts"),
        help=tr_noop("Names besides “localhost” by which clients may reach the local API."),
        kind=Kind.LINES,
        default=(),
        maximum=50,
        advanced=True,
    ),
    SettingDefinition(
        key="api.origins",
        group=Group.API,
        label=tr_noop("Allowed web pages"),
        help=tr_noop("Origins that may use the local API in a browser, such as “https://example.org”."),
        kind=Kind.LINES,
        default=(),
        maximum=50,
        advanced=True,
    ),
    SettingDefinition(
        key="api.models",
        group=Group.API,
        label=tr_noop("Allowed models"),
        help=tr_noop("Names of the models that clients may use; empty for all."),
        kind=Kind.LINES,
        default=(),
        maximum=200,
        advanced=True,
    ),
    SettingDefinition(
        key="api.any_model_name",
        group=Group.API,
        label=tr_noop("Accept unknown model names"),
        help=tr_noop("Requests that name a model you don’t have are answered by the current model."),
        kind=Kind.SWITCH,
        default=False,
    ),
    SettingDefinition(
        key="api.remote",
        group=Group.API,
        label=tr_noop("Offer models of other engines"),
        help=tr_noop("Clients that name such a model have their messages sent to its engine."),
        kind=Kind.SWITCH,
        default=False,
    ),
    SettingDefinition(
        key="api.larger_context",
        group=Group.API,
        label=tr_noop("Clients may increase the context length"),
        help=tr_noop(
            "Loads models with the context length a client asks for. Loaded models stay as they are."
        ),
        kind=Kind.SWITCH,
        default=False,
        advanced=True,
    ),
    SettingDefinition(
        key="api.requests_per_client",
        group=Group.API,
        label=tr_noop("Requests per client"),
        help=tr_noop("How many requests one client may have running or queued."),
        kind=Kind.INTEGER,
        default=16,
        minimum=1,
        maximum=64,
        step=1,
        advanced=True,
    ),
    SettingDefinition(
        key="api.pull",
        group=Group.API,
        label=tr_noop("Clients may download models"),
        help=tr_noop("With “ollama pull”. The access token needs the scope “manage”."),
        kind=Kind.SWITCH,
        default=False,
        advanced=True,
    ),
    SettingDefinition(
        key="api.metrics",
        group=Group.API,
        label=tr_noop("Metrics"),
        help=tr_noop("Lets clients read how many tokens were processed, at “/metrics”."),
        kind=Kind.SWITCH,
        default=False,
        advanced=True,
    ),
)
