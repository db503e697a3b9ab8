"""Why a connection failed, for the user."""

from __future__ import annotations

import socket
import ssl

import httpx2
import pytest

from fireside.hub.http_client import error_text


def caused(cause: BaseException) -> httpx2.ConnectError:
    error = httpx2.ConnectError("x")
    error.__cause__ = RuntimeError("between")
    error.__cause__.__context__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (caused(ssl.SSLCertVerificationError("self-signed")), "certificate is not trusted"),
        (caused(socket.gaierror(-2, "unknown")), "Check that this computer is online"),
        (caused(ConnectionRefusedError()), "connection refused"),
        (httpx2.ConnectTimeout("x"), "no response"),
        (httpx2.ReadTimeout("x"), "timed out"),
        (httpx2.ProxyError("x"), "the proxy"),
        (httpx2.ConnectError("x"), "no connection"),
        (httpx2.RemoteProtocolError("x"), "the connection was lost"),
    ],
)
def test_each_failure_has_its_own_message(error: Exception, message: str) -> None:
    assert message in error_text(error)
