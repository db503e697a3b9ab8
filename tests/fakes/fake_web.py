"""The public internet as tools see it: names with their addresses, and pages behind them. Nothing leaves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import httpx2

from fakes.keyrings import WorkingKeyring
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.services.web_access import WebParts
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import SecretFile, Secrets
from fireside.tools.web_fetcher import WebFetcher

PUBLIC = "93.184.216.34"
PAGE = b"<!doctype html><title>T</title><p>Words of the page.</p>"


class Asked(NamedTuple):
    """A request as it left."""

    number: str
    """The IP address that was connected to."""
    path: str
    host: str
    """What the server is told it is asked for."""
    certificate: str
    """The name that its certificate is checked for."""


class Reply(NamedTuple):
    """What a server answers."""

    content: bytes = PAGE
    kind: str = "text/html"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()

    def response(self) -> httpx2.Response:
        headers = {"Content-Type": self.kind, **dict(self.headers)}
        return httpx2.Response(self.status, headers=headers, stream=httpx2.ByteStream(self.content))


class FakeWeb:
    """Answers each host by ``pages``, keyed by host and path; whatever else is asked is a page of words."""

    def __init__(self) -> None:
        self.names: dict[str, list[Sequence[str]]] = {}
        """What a name leads to, one answer after the other; the last one is given again and again."""
        self.pages: dict[str, Reply] = {}
        self.down: set[str] = set()
        """Addresses that refuse connections."""
        self.asked: list[Asked] = []
        self.resolved: list[str] = []
        self.log = ConnectionLog()
        self.is_offline = False

    def door(self) -> WebFetcher:
        """Return what tools ask."""
        return WebFetcher(
            route=lambda: Route(is_offline=self.is_offline),
            log=self.log,
            resolve=self.resolve,
            make_client=self.client,
        )

    async def resolve(self, host: str) -> Sequence[str]:
        self.resolved.append(host)
        answers = self.names.get(host, [(PUBLIC,)])
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def client(self, _route: Route, _is_encrypted: bool) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(self._answer))

    def redirect(self, place: str, to: str, status: int = 302) -> None:
        self.pages[place] = Reply(status=status, headers=(("Location", to),))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        host = request.headers["Host"]
        number = request.url.host
        if number in self.down:
            raise httpx2.ConnectError("refused", request=request)
        path = request.url.raw_path.decode()
        certificate = str(request.extensions.get("sni_hostname", ""))
        self.asked.append(Asked(number=number, path=path, host=host, certificate=certificate))
        return self.pages.get(host + path, Reply()).response()


def web_parts(folder: Path) -> WebParts:
    """Return how an app reaches the web, with keys in a keyring that forgets."""
    keyring = WorkingKeyring()
    secrets = Secrets(
        file=SecretFile(folder / "web-secrets"),
        environ={},
        redaction=Redaction(),
        find_backend=lambda: keyring,
    )
    return WebParts(route=Route, log=ConnectionLog(), secrets=secrets)
