"""Test the hub's settings: whether it answers, and which account the token belongs to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.discovery import HubTestResult
from fireside.core.errors import HubAnswerInvalid, HubNotFound
from fireside.core.i18n import tr, tr_noop
from fireside.core.secret_location import SecretLocation
from fireside.hub.hub_session import HubSession

T = TypeVar("T")

_ACCOUNT: Final = "/api/whoami-v2"
_ONE_MODEL: Final = "/api/models?limit=1"
_MAX_BYTES: Final = 1024 * 1024
_MAX_NAME: Final = 100


def check_connection(
    session: HubSession,
    *,
    token_location: SecretLocation = SecretLocation.NONE,
    clock: Callable[[], float] = time.monotonic,
) -> HubTestResult:
    """Query the account of the token, or without a token any model.

    ``token_location`` is where the token was found, and becomes part of the result. Blocks, from any thread.
    Raises ``HubError`` for whatever keeps downloads from working.
    """
    # The library's own ``whoami`` would need the token, which stays in the session.
    started_s = clock()
    user = _user(session) if session.has_token else ""
    if not user:
        _check_reachable(session)
    return HubTestResult(
        host=session.host, seconds=clock() - started_s, user=user, token_location=token_location
    )


def _user(session: HubSession) -> str:
    """Return the account of the token; empty where a mirror has no accounts."""
    try:
        page = session.get(_ACCOUNT, what=tr("your account"), max_bytes=_MAX_BYTES)
    except HubNotFound:
        return ""
    name = _decoded(session, page.content, _Account).name
    if not name.isprintable() or not 1 <= len(name) <= _MAX_NAME:
        raise _not_a_hub(session)
    return name


def _check_reachable(session: HubSession) -> None:
    try:
        page = session.get(_ONE_MODEL, what="models", max_bytes=_MAX_BYTES)
    except HubNotFound as exc:
        raise _not_a_hub(session) from exc
    _decoded(session, page.content, list[_Model])


class _Account(msgspec.Struct, frozen=True, kw_only=True):
    name: str


class _Model(msgspec.Struct, frozen=True, kw_only=True):
    id: str


def _decoded(session: HubSession, content: bytes, kind: type[T]) -> T:
    try:
        return decode_json(content, kind=kind)
    except JsonInvalid as exc:
        raise _not_a_hub(session) from exc


def _not_a_hub(session: HubSession) -> HubAnswerInvalid:
    return HubAnswerInvalid(
        host=session.host,
        reason=tr_noop("the server is not a Hugging Face endpoint. Check the address in the settings."),
    )
