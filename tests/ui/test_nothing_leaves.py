"""Not one byte leaves this computer unasked: a day of the real program, watched from below Python and Qt."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from fakes.native_libraries import NativeLibraries
from fakes.watched_program import Watched
from fireside.core.remote import RemoteEngine, RemoteModel
from fireside.settings.engines_file import ENGINES_NAME, EnginesFile
from fireside.settings.paths import locate

TOKEN: Final = "hf_canaryCanaryCanaryCanaryCanary123456"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="watches by a library that is loaded first")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is loaded before a program and notes what would leave."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("watch")
    return NativeLibraries(compiler=compiler, folder=folder).make("no_network", "-ldl")


@pytest.fixture
def watched(tmp_path: Path, library: str) -> Watched:
    return Watched(tmp_path, library=library)


def test_an_ordinary_day_asks_nobody_listens_nowhere_and_keeps_no_token(
    watched: Watched, starter_model_path: Path
) -> None:
    """Start, chats with an address in them, every page, a scan of the library, and rest.

    Another engine was added; its models are offered from the first moment, as they were found the last time.
    """
    assert starter_model_path.exists()
    model = RemoteModel(name="qwen3", n_ctx=40960)
    engine = RemoteEngine(id="e1", name="Elsewhere", address="https://192.0.2.9", models=(model,))
    folder = locate({"FIRESIDE_HOME": str(watched.home)}).data_folder
    folder.mkdir(parents=True)
    EnginesFile(folder / ENGINES_NAME).write((engine,))
    # What others would take for leave to ask: a token, and switches of the hub's own library.
    loud = {"HF_TOKEN": TOKEN, "HF_HUB_DISABLE_TELEMETRY": "0", "HF_HUB_OFFLINE": "0"}
    day = ("-m", "fakes.day_of_use", str(watched.home), "ordinary")
    assert watched.run(*day, HAS_ENGINE="1", **loud) == []
    written = [path for path in watched.home.rglob("*") if path.is_file()]
    assert len(written) > 3, "it did work"
    assert [path for path in written if TOKEN.encode() in path.read_bytes()] == []


def test_what_a_user_asks_the_hub_is_seen(watched: Watched, starter_model_path: Path) -> None:
    assert starter_model_path.exists()
    assert watched.run("-m", "fakes.day_of_use", str(watched.home), "asks_the_hub") == [
        "getaddrinfo huggingface.co"
    ]


def test_the_watch_itself_sees_every_way_out(watched: Watched) -> None:
    program = """
import contextlib, socket
from PySide6.QtCore import QCoreApplication, QTimer, QUrl
from PySide6.QtNetwork import QNetworkAccessManager, QNetworkRequest, QTcpSocket
application = QCoreApplication([])
tcp, other, manager = QTcpSocket(), QTcpSocket(), QNetworkAccessManager()
for attempt in (
    lambda: socket.socket().connect(("192.0.2.1", 80)),
    lambda: socket.socket(socket.AF_INET6).connect(("2001:db8::1", 80)),
    lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.2", 53)),
    lambda: socket.getaddrinfo("example.org", 80),
    lambda: socket.socket().listen(),
    lambda: (tcp.connectToHost("192.0.2.3", 80), tcp.waitForConnected()),
    lambda: (other.connectToHost("example.net", 80), other.waitForConnected()),
):
    with contextlib.suppress(OSError):
        attempt()
manager.get(QNetworkRequest(QUrl("http://192.0.2.4/"))).finished.connect(application.quit)
QTimer.singleShot(20_000, application.quit)
application.exec()
"""
    assert watched.run("-c", program) == [
        "connect 192.0.2.1",
        "connect 192.0.2.3",
        "connect 192.0.2.4",
        "connect 2001:db8::1",
        "getaddrinfo example.net",
        "getaddrinfo example.org",
        "listen a port",
        "sendto 192.0.2.2",
    ]


def test_the_watch_lets_this_computer_talk_to_itself(watched: Watched) -> None:
    program = """
import socket
a, b = socket.socketpair()
a.sendall(b"x")
udp = socket.socket(type=socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", 0))
socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", udp.getsockname())
socket.getaddrinfo("localhost", 80)
"""
    assert watched.run("-c", program) == []
