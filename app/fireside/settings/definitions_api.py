"""Declares the settings of the local API: whether it runs, where, and who may use it."""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.settings.values import Group, Kind, SettingDefinition

DEFAULT_PORT: Final = 3473
"""“FIRE” on the keys of a telephone; no well-known program uses it."""

_setting: Final = partial(SettingDefinition, group=Group.API)

API: Final = (
    _setting(
        key="api.enabled",
        label=tr_noop("Serve other programs"),
        help=tr_noop("Lets editors, agents and scripts on this computer use your models."),
        kind=Kind.SWITCH,
        default=False,
    ),
    _setting(
        key="api.port",
        label=tr_noop("Port"),
        help=tr_noop("The port of the local API on this computer."),
        kind=Kind.INTEGER,
        default=DEFAULT_PORT,
        minimum=1024,
        maximum=65_535,
        step=1,
        is_exact=True,
    ),
    _setting(
        key="api.require_token",
        label=tr_noop("Require an access token"),
        help=tr_noop("Off lets every program on this computer use your models, as Ollama does."),
        kind=Kind.SWITCH,
        default=True,
    ),
    _setting(
        key="api.hosts",
        label=tr_noop("Allowed hosts"),
        help=tr_noop("Names besides “localhost” by which clients may reach the local API."),
        kind=Kind.LINES,
        default=(),
        maximum=50,
        advanced=True,
    ),
    _setting(
        key="api.origins",
        label=tr_noop("Allowed web pages and apps"),
        help=tr_noop(
            "Origins that may use the local API, such as “https://example.org” or “app://obsidian.md”."
        ),
        kind=Kind.LINES,
        default=(),
        maximum=50,
        advanced=True,
    ),
    _setting(
        key="api.models",
        label=tr_noop("Allowed models"),
        help=tr_noop("Names of the models that clients may use; empty for all."),
        kind=Kind.LINES,
        default=(),
        maximum=200,
        advanced=True,
    ),
    _setting(
        key="api.any_model_name",
        label=tr_noop("Accept unknown model names"),
        help=tr_noop("Requests that name a model you don’t have are answered by the current model."),
        kind=Kind.SWITCH,
        default=False,
    ),
    _setting(
        key="api.remote",
        label=tr_noop("Offer models of servers"),
        help=tr_noop("Clients that name such a model have their messages sent to its server."),
        kind=Kind.SWITCH,
        default=False,
    ),
    _setting(
        key="api.larger_context",
        label=tr_noop("Clients may increase the context length"),
        help=tr_noop(
            "A prompt that needs more has its model loaded again, once idle, as far as memory allows. "
            "A length that you set stays."
        ),
        kind=Kind.SWITCH,
        default=True,
        advanced=True,
    ),
    _setting(
        key="api.requests_per_client",
        label=tr_noop("Requests per client"),
        help=tr_noop("How many requests one client may have running or queued."),
        kind=Kind.INTEGER,
        default=128,
        minimum=1,
        maximum=256,
        step=1,
        advanced=True,
    ),
    _setting(
        key="api.pull",
        label=tr_noop("Clients may download models"),
        help=tr_noop("With “ollama pull”. The access token needs the scope “manage”."),
        kind=Kind.SWITCH,
        default=False,
        advanced=True,
    ),
    _setting(
        key="api.metrics",
        label=tr_noop("Metrics"),
        help=tr_noop("Lets clients read how many tokens were processed, at “/metrics”."),
        kind=Kind.SWITCH,
        default=False,
        advanced=True,
    ),
)
