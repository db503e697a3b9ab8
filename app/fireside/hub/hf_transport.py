"""Have ``huggingface_hub`` ask through ``HubSession``.

Importing it takes 0.2 s: do so when something is asked, and never on the GUI thread.

The library builds the requests and understands the answers. It has one HTTP client for the whole process;
importing this module gives it one that can open no connection. What it wants to ask goes to the
``HubSession`` of the visit that it is called in, so that the offline switch, the token, the proxy and every
bound stay in one place. Outside of a visit it can ask nothing, and in one only what the visit is for: by
itself it would look on the hub, once a day, for a list of programs that might be using it.
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

from fireside.core.errors import HubAnswerInvalid, HubOffline, HubUnreachable
from fireside.core.i18n import tr_noop
from fireside.hub.hub_session import HubSession

Clean = Callable[[object], object]
"""Keeps of an answer what is well-formed: the library takes for granted that all of it is."""


class LibraryRequest:
    """One request of the library. ``api`` asks the hub of ``session``; errors arrive as ``HubError``."""

    def __init__(self, session: HubSession, *, what: str, repo: str, page: str | None, clean: Clean) -> None:
        # The session knows the token. The library would look for one of its own in the environment and
        # in the user's folders, if it were not told not to.
        self.api = HfApi(endpoint=session.endpoint, token=False)
        self.next_page: str | None = None
        """Where the list goes on."""
        self._session = session
        self._what = what
        self._repo = repo
        self._page = page
        self._clean = clean
        self._path = urlsplit(session.endpoint).path + _LIST + (f"/{repo}" if repo else "")

    def answer(self, address: str) -> object:
        """Return what the hub answers, cleaned. Raises ``HubError``, also for what the request is not for."""
        if not self._is_meant(address):
            raise HubUnreachable(host=self._session.host, reason=tr_noop("its address is invalid."))
        page = self._session.get(
            # The library can begin no list in its middle, and follows one to its end by itself. So it is
            # given one page, and told of no other; which one it is, is decided here.
            address if self._page is None else self._page,
            what=self._what,
            repo=self._repo,
            max_bytes=MAX_ANSWER_BYTES,
        )
        self.next_page = page.next_address
        try:
            return self._clean(msgspec.json.decode(page.content))
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as exc:
            raise HubAnswerInvalid(host=self._session.host, reason=tr_noop("it is invalid.")) from exc

    def _is_meant(self, address: str) -> bool:
        path = urlsplit(address).path
        is_at_revision = bool(self._repo) and path.startswith(f"{self._path}/revision/")
        return (is_at_revision or path == self._path) and self._session.is_own(address)


_LIST: Final = "/api/models"
MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024
_current: ContextVar[LibraryRequest | None] = ContextVar("_current", default=None)


@contextmanager
def library_request(
    session: HubSession, *, what: str, clean: Clean, repo: str = "", page: str | None = None
) -> Iterator[LibraryRequest]:
    """Let the library ask for models, or for ``repo``, in this thread. With ``page`` it gets that page."""
    allowed = LibraryRequest(session, what=what, repo=repo, page=page, clean=clean)
    token = _current.set(allowed)
    try:
        yield allowed
    finally:
        _current.reset(token)


class _Door(httpx2.BaseTransport):
    """What stands where the library's client would open a connection."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer as the hub does. Headers of the library's own, which tell of this computer, go nowhere."""
        allowed = _current.get()
        if allowed is None or request.method != "GET":
            raise HubOffline()
        return httpx2.Response(200, json=allowed.answer(str(request.url)), request=request)


def make_client() -> httpx2.Client:
    """Return a client that can open no connection."""
    return httpx2.Client(transport=_Door(), trust_env=False)


set_client_factory(make_client)
# Else it looks for the list mentioned above, and keeps it in the user's own folders.
constants.HF_HUB_DISABLE_TELEMETRY = True
