"""The only connection to the hub: its address, the token, and the offline switch."""

from __future__ import annotations

import hashlib
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from fireside import __version__
from fireside.core.errors import HubAnswerInvalid, HubOffline, HubUnreachable, without_password
from fireside.core.i18n import tr, tr_noop
from fireside.gguf.header import printable
from fireside.hub.connection_log import ConnectionLog, OpenConnection
from fireside.hub.http_client import Timeouts, error_text, make_client, send_within
from fireside.hub.response_errors import HubRequest, error_of

if TYPE_CHECKING:  # Slow to import, and only needed for a request.
    import httpx2

PUBLIC_HUB: Final = "https://huggingface.co"
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS: Final = 5
_SHOWN_CHARACTERS: Final = 200


class HubConnection:
    """Sends every request to the hub; nothing else opens a connection to it.

    The token goes to the hub's own origin alone, never along a redirect to another, nor to an unencrypted
    address if the hub is encrypted. While ``is_offline`` returns true, every method raises ``HubOffline``.
    Methods block and may be called from any thread; they raise ``HubError``.
    """

    def __init__(
        self,
        *,
        endpoint: str = PUBLIC_HUB,
        token: Callable[[str], str | None] = lambda _: None,
        is_offline: Callable[[], bool] = lambda: False,
        proxy: str = "",
        ca_file: str = "",
        timeouts: Timeouts | None = None,
        log: ConnectionLog | None = None,
    ) -> None:
        """``token`` returns the stored token of an endpoint, from any thread.

        Empty ``proxy`` and ``ca_file`` mean those of the system.
        """
        self._endpoint = endpoint.rstrip("/")
        self._token = token
        self._is_offline = is_offline
        self._proxy = proxy
        self._ca_file = ca_file
        self._timeouts = Timeouts() if timeouts is None else timeouts
        self._log = ConnectionLog() if log is None else log
        self._lock = threading.Lock()
        self._http_client: httpx2.Client | None = None
        self._retired: list[httpx2.Client] = []

    @property
    def endpoint(self) -> str:
        """The hub's address, without a slash at the end."""
        return self._endpoint

    @property
    def host(self) -> str:
        """The hub's host name for the user."""
        return host_of(self._endpoint)

    def configure(self, *, endpoint: str, proxy: str, ca_file: str) -> None:
        """Use these settings for new requests. Running transfers keep their connection."""
        with self._lock:
            route = (endpoint.rstrip("/"), proxy, ca_file)
            if route == (self._endpoint, self._proxy, self._ca_file):
                return
            self._endpoint, self._proxy, self._ca_file = route
            if self._http_client is not None:
                self._retired.append(self._http_client)
                self._http_client = None

    @property
    def credential_key(self) -> str:
        """Differs where the token does, without revealing it: answers for one account are not for another."""
        token = self._token(self._endpoint)
        return "" if not token else hashlib.sha256(token.encode()).hexdigest()[:16]

    @property
    def has_token(self) -> bool:
        return bool(self._token(self._endpoint))

    def close(self) -> None:
        """Close every connection. A later request opens new ones."""
        with self._lock:
            clients = [*self._retired, *([] if self._http_client is None else [self._http_client])]
            self._retired, self._http_client = [], None
        for client in clients:
            client.close()

    def page_of(self, repo: str) -> str:
        return f"{without_password(self._endpoint)}/{repo}"

    @contextmanager
    def _send(
        self,
        method: str,
        address: str,
        *,
        request: HubRequest,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[httpx2.Response]:
        """Send one request and follow redirects: a ``HEAD`` to the hub's own origin only."""
        for _ in range(_MAX_REDIRECTS + 1):
            response, entry = self._send_once(method, address, why=request.what, headers=headers or {})
            try:
                location = response.headers.get("Location")
                if response.status_code in REDIRECTS and location:
                    target = urljoin(address, location)
                    self._check_redirection(address, target)
                    if method == "GET" or self.is_own(target):
                        address = target
                        request = self._describe_request(target, what=request.what, repo=request.repo)
                        continue
                error = error_of(response.status_code, response.headers, request)
                if error is not None:
                    raise error
                yield response
                return
            finally:
                entry.end()
                response.close()
        raise HubAnswerInvalid(host=request.host, reason=tr_noop("too many redirects."))

    def _send_once(
        self, method: str, address: str, *, why: str, headers: Mapping[str, str]
    ) -> tuple[httpx2.Response, OpenConnection]:
        import httpx2

        if self._is_offline():
            raise HubOffline()
        host = host_of(address)
        all_headers = {"Accept-Encoding": "identity", "User-Agent": f"fireside/{__version__}", **headers}
        endpoint = self._endpoint  # Read once: another thread may change it at any moment.
        if _origin(address) == _origin(endpoint) and (token := self._token(endpoint)):
            all_headers["Authorization"] = f"Bearer {token}"
        try:
            client = self._client()
            request = client.build_request(method, address, headers=all_headers)
            entry = self._log.start(host=host, why=why)
            response = send_within(
                lambda: client.send(request, stream=True), limit_s=self._timeouts.headers_s
            )
        except TimeoutError as exc:
            raise HubUnreachable(host=host, reason=tr_noop("the response took too long.")) from exc
        except httpx2.HTTPError as exc:
            raise HubUnreachable(host=host, reason=error_text(exc)) from exc
        except (httpx2.InvalidURL, ValueError, UnicodeError) as exc:
            raise HubAnswerInvalid(host=host, reason=tr_noop("it redirects to an invalid address.")) from exc
        entry.follow(response)
        return response, entry

    def _client(self) -> httpx2.Client:
        with self._lock:
            if self._http_client is None:
                try:
                    self._http_client = make_client(
                        proxy=self._proxy, ca_file=self._ca_file, timeouts=self._timeouts
                    )
                except (OSError, ValueError, ssl.SSLError) as exc:
                    reason = tr(
                        "the proxy or the certificates in the settings cannot be used ({reason})."
                    ).format(reason=exc)
                    raise HubUnreachable(host=self.host, reason=reason) from exc
            return self._http_client

    def _read_bounded(self, response: httpx2.Response, *, host: str, n: int) -> bytes:
        """Read up to ``n`` bytes, with a time limit against servers that send a byte now and then."""
        content = bytearray()
        deadline = time.monotonic() + self._timeouts.answer_s
        for chunk in self._with_hub_errors(host, response.iter_raw()):
            content += chunk
            if len(content) >= n:
                break
            if time.monotonic() > deadline:
                raise HubUnreachable(host=host, reason=tr_noop("the response took too long."))
        return bytes(content[:n])

    def _with_hub_errors(self, host: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield ``chunks``, with connection errors as ``HubError``."""
        import httpx2

        try:
            for chunk in chunks:
                # The offline switch ends running responses too: one may be a whole model.
                if self._is_offline():
                    raise HubOffline
                yield chunk
        except (httpx2.HTTPError, httpx2.StreamError) as exc:
            raise HubUnreachable(host=host, reason=error_text(exc)) from exc

    def _describe_request(self, address: str, *, what: str, repo: str = "") -> HubRequest:
        return HubRequest(
            host=host_of(address),
            is_hub=self.is_own(address),
            has_token=self.has_token,
            what=printable(what, limit=_SHOWN_CHARACTERS),  # The hub chose the file's name.
            repo=repo,
            page=self.page_of(repo),
        )

    def is_own(self, address: str) -> bool:
        """Whether an address is on the hub itself, where the token may be sent."""
        return _origin(address) == _origin(self._endpoint)

    def _check_redirection(self, address: str, target: str) -> None:
        before, after = urlsplit(address).scheme, urlsplit(target).scheme
        if after not in ("http", "https") or (before == "https" and after != "https"):
            raise HubAnswerInvalid(
                host=host_of(address), reason=tr_noop("it redirects to an unencrypted address.")
            )

    def _invalid_answer(self, reason: str) -> HubAnswerInvalid:
        return HubAnswerInvalid(host=self.host, reason=reason)


def host_of(address: str) -> str:
    """Return the host of an address for the user, with port and without password."""
    return urlsplit(address).netloc.rpartition("@")[2]


def _origin(address: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(address)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return ("", address, None)
    return parts.scheme, (parts.hostname or "").casefold(), port
