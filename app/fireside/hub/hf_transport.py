"""Route the requests of ``huggingface_hub`` through ``HubSession``.

Importing it takes 0.2 s: do so only for a request, and never on the GUI thread.

The library builds requests and parses answers. It has one HTTP client for the whole process; importing this
module installs one that can open no connection. Its requests go to the ``HubSession`` of the enclosing
``library_request`` block, so that the offline switch, the token, the proxy and every limit stay in one place.
Outside of such a block it can request nothing, and inside only what the block is for: by itself it would
fetch, once a day, a list of programs that might be using it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final
from urllib.parse import urlsplit

import httpx2
import msgspec
from huggingface_hub import HfApi, constants, set_client_factory

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import HubAnswerInvalid, HubOffline, HubUnreachable
from fireside.core.i18n import tr_noop
from fireside.hub.hub_session import HubSession

MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024
_MODELS_PATH: Final = "/api/models"

Clean = Callable[[object], object]
"""Keeps the well-formed part of an answer: the library assumes that all of it is."""


class LibraryRequest:
    """One request of the library. ``api`` asks the hub of ``session``; errors are raised as ``HubError``."""

    def __init__(self, session: HubSession, *, what: str, repo: str, page: str | None, clean: Clean) -> None:
        # The session has the token. The library would read one of its own from the environment and
        # the user's folders, unless told not to.
        self.api = HfApi(endpoint=session.endpoint, token=False)
        self.next_page: str | None = None
        """Address of the next page of a list."""
        self._session = session
        self._what = what
        self._repo = repo
        self._page = page
        self._clean = clean
        self._path = urlsplit(session.endpoint).path + _MODELS_PATH + (f"/{repo}" if repo else "")

    def answer(self, address: str) -> object:
        """Return the hub's answer, cleaned. Raises ``HubError``, also for a request that the block does not
        permit."""
        if not self._is_permitted(address):
            raise HubUnreachable(host=self._session.host, reason=tr_noop("its address is invalid."))
        page = self._session.get(
            # The library cannot start a list in its middle, and always follows one to its end. So it is
            # given a single page, which is selected here.
            address if self._page is None else self._page,
            what=self._what,
            repo=self._repo,
            max_bytes=MAX_ANSWER_BYTES,
        )
        self.next_page = page.next_address
        try:
            return self._clean(decode_json(page.content, kind=object))
        except (JsonInvalid, msgspec.ValidationError) as exc:
            raise HubAnswerInvalid(host=self._session.host, reason=tr_noop("it is invalid.")) from exc

    def _is_permitted(self, address: str) -> bool:
        path = urlsplit(address).path
        is_at_revision = bool(self._repo) and path.startswith(f"{self._path}/revision/")
        return (is_at_revision or path == self._path) and self._session.is_own(address)


_current: ContextVar[LibraryRequest | None] = ContextVar("_current", default=None)


@contextmanager
def library_request(
    session: HubSession, *, what: str, clean: Clean, repo: str = "", page: str | None = None
) -> Iterator[LibraryRequest]:
    """Let the library request models, or ``repo``, in this thread. With ``page`` it gets that page."""
    request = LibraryRequest(session, what=what, repo=repo, page=page, clean=clean)
    token = _current.set(request)
    try:
        yield request
    finally:
        _current.reset(token)


class _SessionTransport(httpx2.BaseTransport):
    """The transport of the library's client, which opens no connection."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return the hub's answer. The library's own headers, which identify this computer, are dropped."""
        current = _current.get()
        if current is None or request.method != "GET":
            raise HubOffline()
        return httpx2.Response(200, json=current.answer(str(request.url)), request=request)


def make_client() -> httpx2.Client:
    """Return a client that can open no connection."""
    return httpx2.Client(transport=_SessionTransport(), trust_env=False)


set_client_factory(make_client)
# Otherwise it fetches the list mentioned above, and stores it in the user's folders.
constants.HF_HUB_DISABLE_TELEMETRY = True
