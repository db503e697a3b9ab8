"""Create HTTP clients, and describe connection errors for the user."""

from __future__ import annotations

import hashlib
import hmac
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from fireside.core.i18n import tr_noop

if TYPE_CHECKING:  # Slow to import, and only needed for a request.
    from http.cookiejar import CookieJar

    import httpx2


class Timeouts(msgspec.Struct, frozen=True, kw_only=True):
    """Limits in seconds for connecting, the next bytes, the headers and the whole answer."""

    connect_s: float = 10.0
    read_s: float = 20.0
    headers_s: float = 30.0
    """From the request on, however slowly bytes arrive meanwhile."""
    answer_s: float = 60.0
    """Not for files, which have no limit."""


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """How connections are made, by the user's settings. Empty texts mean the system's."""

    proxy: str = ""
    ca_file: str = ""
    is_offline: bool = False
    """Only this computer itself may be contacted."""


def make_client(*, proxy: str, ca_file: str, timeouts: Timeouts) -> httpx2.Client:
    """Return a client that follows no redirects and keeps no cookies.

    Raises ``OSError`` or ``ValueError`` if proxy or certificates cannot be used.
    """
    import httpx2

    return httpx2.Client(
        follow_redirects=False,
        proxy=proxy or None,
        verify=_certificates(ca_file) if ca_file else True,
        cookies=_no_cookies(),
        timeout=httpx2.Timeout(timeouts.read_s, connect=timeouts.connect_s, pool=None),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=4),
    )


def make_async_client(
    *, is_encrypted: bool, proxy: str, ca_file: str, fingerprint: str, timeouts: Timeouts
) -> httpx2.AsyncClient:
    """Return an asyncio client like ``make_client``, for one address alone.

    Unencrypted requests use no proxy, which could read them. With ``fingerprint``, the SHA-256 of a
    certificate in hexadecimal, only that certificate and those that it signed are accepted, whatever other
    authority signed it.

    Raises ``OSError`` or ``ValueError`` if proxy or certificates cannot be used.
    """
    import httpx2

    return httpx2.AsyncClient(
        follow_redirects=False,
        proxy=(proxy or None) if is_encrypted else None,
        trust_env=is_encrypted,
        verify=_pinned(fingerprint) if fingerprint else _certificates(ca_file) if ca_file else True,
        cookies=_no_cookies(),
        timeout=httpx2.Timeout(timeouts.read_s, connect=timeouts.connect_s, pool=None),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=4),
    )


def _no_cookies() -> CookieJar:
    from http.cookiejar import CookieJar, DefaultCookiePolicy

    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


class PinMismatch(ssl.SSLError):
    """The server's certificate is not the pinned one."""


class _PinnedObject(ssl.SSLObject):
    """Compares the certificate, and the authority that signed it, before the first byte of a request is
    sent."""

    def do_handshake(self) -> None:
        super().do_handshake()
        context = self.context
        assert isinstance(context, _PinnedContext)
        if not _is_pinned(self._received(), context.fingerprint):
            raise PinMismatch("another certificate")

    def _received(self) -> list[bytes]:
        """Return the server's certificates as it sent them, its own first."""
        if sys.version_info >= (3, 13):
            return [bytes(each) for each in self.get_unverified_chain() or ()]
        import _ssl  # the same function, which has no public name before

        sslobj: Any = self._sslobj  # type: ignore[attr-defined]
        return [each.public_bytes(_ssl.ENCODING_DER) for each in sslobj.get_unverified_chain() or ()]


def _is_pinned(received: Sequence[bytes], fingerprint: str) -> bool:
    """Whether the first certificate is the pinned one, or signed by it: Fireside pins its authority, whose
    other certificates change with its addresses."""
    for index, each in enumerate(received):
        if hmac.compare_digest(hashlib.sha256(each).hexdigest(), fingerprint):
            return index == 0 or _is_signed(received[0], authority=each)
    return False


def _is_signed(certificate: bytes, *, authority: bytes) -> bool:
    from cryptography import x509
    from cryptography.exceptions import InvalidSignature

    try:
        own, issuer = map(x509.load_der_x509_certificate, (certificate, authority))
        own.verify_directly_issued_by(issuer)
        may_sign = issuer.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except (InvalidSignature, TypeError, ValueError, x509.ExtensionNotFound):
        return False
    return may_sign and own.not_valid_before_utc <= datetime.now(UTC) <= own.not_valid_after_utc


class _PinnedContext(ssl.SSLContext):
    fingerprint = ""


def _pinned(fingerprint: str) -> ssl.SSLContext:
    context = _PinnedContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # only the fingerprint counts
    context.sslobject_class = _PinnedObject
    context.fingerprint = fingerprint
    return context


def send_within(send: Callable[[], httpx2.Response], *, limit_s: float) -> httpx2.Response:
    """Return the response whose headers ``send`` returns. Raises what it raises, or ``TimeoutError``.

    The library limits only the time until the next bytes, so a server could send one header a second without
    end. It gives no access to a connection before the headers have arrived, so one that takes too long is
    left to a daemon thread.
    """
    response: Future[httpx2.Response] = Future()

    def send_request() -> None:
        try:
            response.set_result(send())
        except BaseException as exc:  # noqa: BLE001 - it belongs to the caller
            response.set_exception(exc)

    threading.Thread(target=send_request, name="hub headers", daemon=True).start()
    try:
        return response.result(limit_s)
    except TimeoutError:
        response.add_done_callback(_close_response)
        raise


def _close_response(response: Future[httpx2.Response]) -> None:
    if response.exception() is None:
        response.result().close()


def error_text(error: Exception) -> str:
    """Return why a connection failed, as part of a sentence."""
    import httpx2

    for cause in _causes(error):
        match cause:
            case PinMismatch():
                return tr_noop(
                    "its certificate is not the pinned one, so nothing was sent. If it was made anew there, "
                    "remove the server and add it again; else another computer answers at this address."
                )
            case ssl.SSLCertVerificationError():
                return tr_noop(
                    "its certificate is not trusted. Sign in to your network, or add your "
                    "proxy’s certificate in the settings."
                )
            case socket.gaierror():
                return tr_noop("no connection. Check that this computer is online.")
            case ConnectionRefusedError():
                return tr_noop("connection refused.")
    match error:
        case httpx2.ConnectTimeout():
            return tr_noop("no response.")
        case httpx2.TimeoutException():
            return tr_noop("the connection timed out.")
        case httpx2.ProxyError():
            return tr_noop("the proxy failed.")
        case httpx2.ConnectError():
            return tr_noop("no connection.")
        case _:
            return tr_noop("the connection was lost.")


def is_untrusted(error: Exception) -> bool:
    """Whether a connection failed because of the server's certificate."""
    return any(isinstance(cause, PinMismatch | ssl.SSLCertVerificationError) for cause in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield ``error`` and what caused it, outermost first."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _certificates(ca_file: str) -> ssl.SSLContext:
    """Return the system's certificates and the one of the settings."""
    context = ssl.create_default_context()
    context.load_verify_locations(cafile=ca_file)
    return context
