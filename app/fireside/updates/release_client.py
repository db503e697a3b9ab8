"""Download the files of a release, with the connection settings and log of the program."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from fireside import __version__
from fireside.core.errors import UpdateError
from fireside.core.i18n import Translatable, render, tr, tr_noop
from fireside.files.atomic_replace import rename_over
from fireside.files.digest import digest_of
from fireside.files.fsync import sync_file
from fireside.hub.cancel_token import CancelToken
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route, Timeouts, error_text, make_client, send_within
from fireside.hub.response_stream import ResponseStream
from fireside.updates.manifest import PublishedFile

if TYPE_CHECKING:  # Slow to import, and only needed for requests.
    import httpx2

OnBytes = Callable[[int], None]
"""Called with the number of bytes that were added; negative if a download starts over."""

_MAX_REDIRECTS: Final = 5
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


class ReleaseClient:
    """An HTTP client for the release repository. Blocks; any thread. The caller verifies what it returns.

    Raises ``update_offline`` or ``update_unreachable``, and ``Stopped`` once the token was stopped.
    """

    def __init__(
        self,
        *,
        route: Callable[[], Route],
        log: ConnectionLog,
        why: Translatable,
        timeouts: Timeouts | None = None,
    ) -> None:
        """``why`` is the purpose shown in the connection log."""
        self._route = route
        self._log = log
        self._why = why
        self._timeouts = Timeouts() if timeouts is None else timeouts

    def read(self, url: str, *, limit: int, cancel: CancelToken, accept: str = "*/*") -> bytes:
        """Return the contents of a file, in the format ``accept``.

        Raises ``update_untrusted`` if it has more than ``limit`` bytes.
        """
        content = bytearray()
        with self._open(url, cancel=cancel, accept=accept) as (_, stream):
            for chunk in stream:
                content += chunk
                if len(content) > limit:
                    raise UpdateError.of(
                        "update_untrusted", reason=tr_noop("what it says of itself is too long.")
                    )
        return bytes(content)

    def fetch(
        self, published: PublishedFile, url: str, *, to: Path, cancel: CancelToken, on_bytes: OnBytes
    ) -> None:
        """Download ``published`` to the path ``to`` and verify its digest, resuming a partial download.

        Raises ``OSError``, and ``update_damaged`` after deleting a download with another digest.
        """
        part = to.with_name(f"{to.name}.part")
        if to.exists() and digest_of(to) == published.sha256:
            on_bytes(published.n_bytes)
            return
        with part.open("ab") as file:
            n_received = os.fstat(file.fileno()).st_size
            if n_received > published.n_bytes:
                file.truncate(n_received := 0)
            on_bytes(n_received)
            if n_received < published.n_bytes:
                with self._open(url, first_byte=n_received, cancel=cancel) as (response, stream):
                    if n_received and not _is_resumed(response, n_received):
                        on_bytes(-n_received)
                        file.truncate(n_received := 0)
                    for chunk in stream:
                        n_received += len(chunk)
                        if n_received > published.n_bytes:
                            break
                        file.write(chunk)
                        on_bytes(len(chunk))
        if n_received < published.n_bytes:
            raise UpdateError.of(
                "update_unreachable", host=_host(url), reason=tr_noop("the connection was lost.")
            )
        if n_received > published.n_bytes or digest_of(part) != published.sha256:
            part.unlink()
            raise UpdateError.of("update_damaged", name=published.name)
        sync_file(part)
        rename_over(part, to)

    @contextmanager
    def _open(
        self, url: str, *, cancel: CancelToken, first_byte: int = 0, accept: str = "*/*"
    ) -> Iterator[tuple[httpx2.Response, ResponseStream]]:
        import httpx2

        route = self._route()
        if route.is_offline:
            raise UpdateError.of("update_offline")
        headers = {"Accept": accept, "Accept-Encoding": "identity", "User-Agent": f"fireside/{__version__}"}
        if first_byte:
            headers["Range"] = f"bytes={first_byte}-"
        try:
            with make_client(proxy=route.proxy, ca_file=route.ca_file, timeouts=self._timeouts) as client:
                for _ in range(_MAX_REDIRECTS + 1):
                    with self._send(client, url, headers=headers, cancel=cancel) as (response, stream):
                        target = response.headers.get("Location")
                        if response.status_code not in _REDIRECTS or not target:
                            _check_status(response, host=_host(url))
                            yield response, stream
                            return
                        url = urljoin(url, target)
        except httpx2.HTTPError as exc:
            cancel.check()  # if that closed the connection
            raise UpdateError.of("update_unreachable", host=_host(url), reason=error_text(exc)) from exc
        except (httpx2.InvalidURL, UnicodeError) as exc:
            raise UpdateError.of(
                "update_unreachable", host=_host(url), reason=tr_noop("its address is invalid.")
            ) from exc
        raise UpdateError.of("update_unreachable", host=_host(url), reason=tr_noop("too many redirects."))

    @contextmanager
    def _send(
        self, client: httpx2.Client, url: str, *, headers: dict[str, str], cancel: CancelToken
    ) -> Iterator[tuple[httpx2.Response, ResponseStream]]:
        host = _checked_host(url)
        cancel.check()
        request = client.build_request("GET", url, headers=headers)
        entry = self._log.start(host=host, why=render(self._why))
        try:
            try:
                response = send_within(
                    lambda: client.send(request, stream=True), limit_s=self._timeouts.headers_s
                )
            except TimeoutError as exc:
                raise UpdateError.of(
                    "update_unreachable", host=host, reason=tr_noop("the response took too long.")
                ) from exc
            entry.follow(response)
            stream = ResponseStream(
                first_byte=0,
                host=host,
                stream=response.extensions.get("network_stream"),
                chunks=response.iter_raw(),
            )
            try:
                with cancel.interrupting(stream):
                    yield response, stream
            finally:
                response.close()
        finally:
            entry.end()


def is_allowed_address(url: str) -> bool:
    """Whether a URL may be used for releases: HTTPS, or on this computer."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and (
            parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
        )
    except ValueError:
        return False


def _checked_host(url: str) -> str:
    if not is_allowed_address(url):
        raise UpdateError.of("update_untrusted", reason=tr_noop("it leads to an unencrypted address."))
    return _host(url)


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]


def _check_status(response: httpx2.Response, *, host: str) -> None:
    if response.status_code not in (200, 206):
        status = response.status_code
        raise UpdateError.of(
            "update_unreachable", host=host, reason=tr("it answers with HTTP {status}.").format(status=status)
        )


def _is_resumed(response: httpx2.Response, first_byte: int) -> bool:
    content_range = str(response.headers.get("Content-Range", ""))
    return response.status_code == 206 and content_range.startswith(f"bytes {first_byte}-")
