"""One instance of Fireside per data folder."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from pytestqt.qtbot import QtBot

from fireside.bridge.runtime_folder import runtime_folder, runtime_name
from fireside.bridge.single_instance import (
    MAX_MESSAGE_BYTES,
    SingleInstance,
    decode_message,
    encode_message,
    is_same_user,
)
from fireside.wire.frames import FrameSplitter

OWNER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from fireside.bridge.single_instance import SingleInstance
app = QCoreApplication([])
instance = SingleInstance(data_folder=Path(sys.argv[1]))
if instance.acquire():
    print("owner", flush=True)
    app.exec()
print("delivered" if instance.hand_over(sys.argv[2:]) else "refused", flush=True)
"""


def start_another(folder: Path, *files: str, cwd: Path | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder), *files],
        stdout=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.fixture
def owner(qtbot: QtBot, tmp_path: Path) -> Iterator[SingleInstance]:
    """The first start of a data folder."""
    instance = SingleInstance(data_folder=tmp_path)
    assert instance.acquire()
    yield instance
    instance.release()


def socket_path() -> Path:
    (path,) = Path(os.environ["XDG_RUNTIME_DIR"]).glob("fireside/*.socket")
    return path


def framed(content: bytes) -> bytes:
    return struct.pack("<I", len(content)) + content


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_the_second_start_raises_the_first(qtbot: QtBot, owner: SingleInstance, tmp_path: Path) -> None:
    with qtbot.waitSignal(owner.activation_requested, timeout=20_000) as called:
        second = start_another(tmp_path)
    assert called.args == [()]
    assert read_line(second) == "delivered"
    end(second)


def test_the_second_start_hands_its_files_over(qtbot: QtBot, owner: SingleInstance, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with qtbot.waitSignal(owner.activation_requested, timeout=20_000) as called:
        second = start_another(tmp_path, "a.gguf", "/models/ü b.gguf", cwd=elsewhere)
    assert called.args == [(str(elsewhere / "a.gguf"), "/models/ü b.gguf")]
    assert read_line(second) == "delivered"
    end(second)


def test_as_many_files_as_a_user_may_choose_are_handed_over(
    qtbot: QtBot, owner: SingleInstance, tmp_path: Path
) -> None:
    files = [f"/models/{'x' * 90}/{number:04d}.gguf" for number in range(1000)]
    with qtbot.waitSignal(owner.activation_requested, timeout=20_000) as called:
        second = start_another(tmp_path, *files)
    assert called.args == [tuple(files)]
    end(second)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\x00",
        b"raise\n",
        struct.pack("<I", 0),
        struct.pack("<I", 2**32 - 1) + b"x" * 100_000,
        struct.pack("<I", MAX_MESSAGE_BYTES + 1),
        framed(b"\xc1"),
        framed(msgspec.msgpack.encode([])),
        framed(msgspec.msgpack.encode({"paths": ["/models/text.gguf"]})),
        framed(msgspec.msgpack.encode({"paths": [b"relative.gguf"]})),
        framed(msgspec.msgpack.encode({"paths": [b"/models/\0.gguf"]})),
        framed(msgspec.msgpack.encode({"paths": [b"/" + b"x" * 40_000]})),
        framed(msgspec.msgpack.encode({"paths": [b"/x"] * 1001})),
        framed(msgspec.msgpack.encode({"paths": [], "run": b"/bin/sh"})),
        framed(b"\x91" * 5000),
    ],
)
def test_malformed_messages_are_ignored(
    qtbot: QtBot, owner: SingleInstance, tmp_path: Path, sent: bytes
) -> None:
    if sys.platform == "win32":
        pytest.skip("speaks to the socket as another program could")
    received: list[object] = []
    owner.activation_requested.connect(received.append)
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(str(socket_path()))
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            stranger.settimeout(0.2)  # the owner reads only so much
            stranger.sendall(sent)
        with contextlib.suppress(OSError):
            stranger.shutdown(socket.SHUT_WR)
        # A real second start after it is still heard, and nothing else was.
        with qtbot.waitSignal(owner.activation_requested, timeout=20_000):
            second = start_another(tmp_path, "/models/right.gguf")
    end(second)
    assert received == [("/models/right.gguf",)]


def test_silent_connections_do_not_block_others(qtbot: QtBot, owner: SingleInstance, tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("speaks to the socket as another program could")
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            silent = stack.enter_context(socket.socket(socket.AF_UNIX))
            silent.connect(str(socket_path()))
        with qtbot.waitSignal(owner.activation_requested, timeout=20_000):
            second = start_another(tmp_path)
        end(second)


def test_a_message_in_pieces_is_put_together(qtbot: QtBot, owner: SingleInstance) -> None:
    if sys.platform == "win32":
        pytest.skip("speaks to the socket as another program could")
    with socket.socket(socket.AF_UNIX) as slow:
        slow.connect(str(socket_path()))
        message = encode_message(["/models/a.gguf"])
        with qtbot.waitSignal(owner.activation_requested, timeout=20_000) as called:
            for number in range(len(message)):
                slow.sendall(message[number : number + 1])
                QCoreApplication.processEvents()
    assert called.args == [("/models/a.gguf",)]


@pytest.mark.parametrize("answer", [b"", b"not now, friend\n"])
def test_an_owner_that_does_not_take_it_on_is_noticed(qtbot: QtBot, tmp_path: Path, answer: bytes) -> None:
    if sys.platform == "win32":
        pytest.skip("speaks to the socket as another program could")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(Path(os.environ["XDG_RUNTIME_DIR"]) / "s"))
        server.listen()
        second = SingleInstance(data_folder=tmp_path)
        (Path(os.environ["XDG_RUNTIME_DIR"]) / "s").rename(second._server_name)
        with ThreadPoolExecutor() as pool:
            taken = pool.submit(second.hand_over, timeout_ms=200)
            connection, _ = server.accept()
            with connection:
                with contextlib.suppress(BrokenPipeError):  # its patience may be over on a busy machine
                    connection.sendall(answer)
                assert not taken.result(timeout=20)


@pytest.mark.skipif(sys.platform == "win32", reason="names there are text")
def test_a_file_name_that_is_not_text_arrives_unchanged() -> None:
    message = encode_message([os.fsdecode(b"/models/\xff.gguf")])
    (body,) = FrameSplitter().feed(message)
    assert decode_message(body) == ((os.fsdecode(b"/models/\xff.gguf"),), False)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_none(content: bytes) -> None:
    request = decode_message(content)
    assert request is None or all(os.path.isabs(path) for path in request.paths)  # noqa: PTH117


def test_a_folder_that_others_could_reach_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform == "win32":
        pytest.skip("each user has a temporary folder of their own there")
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    taken = tmp_path / f"fireside-{os.getuid()}"
    taken.mkdir()
    taken.chmod(0o777)
    own = tmp_path / "own"
    assert runtime_folder(fallback=own) == own
    taken.chmod(0o700)
    assert runtime_folder(fallback=own) == taken


def test_a_link_in_place_of_the_folder_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform == "win32":
        pytest.skip("links need a right there")
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "theirs").mkdir(mode=0o700)
    (tmp_path / f"fireside-{os.getuid()}").symlink_to(tmp_path / "theirs")
    assert runtime_folder(fallback=tmp_path / "own") == tmp_path / "own"


@pytest.mark.skipif(sys.platform == "win32", reason="the pipe's rights do it there")
@pytest.mark.parametrize(("user", "is_same"), [(None, True), (12_345, False)])
def test_only_the_same_user_is_listened_to(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user: int | None, is_same: bool
) -> None:
    if user is not None:
        monkeypatch.setattr(os, "getuid", lambda: user)
    server = QLocalServer()
    assert server.listen(str(tmp_path / "s"))
    client = QLocalSocket()
    client.connectToServer(server.fullServerName())
    with qtbot.waitSignal(server.newConnection, timeout=20_000):
        pass
    assert is_same_user(server.nextPendingConnection()) is is_same
    client.abort()
    server.close()


def test_another_data_folder_is_another_instance(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(data_folder=tmp_path / "a")
    second = SingleInstance(data_folder=tmp_path / "b")
    assert first.acquire()
    assert second.acquire()
    first.release()
    second.release()


def test_the_lock_of_a_killed_owner_is_taken_over(qtbot: QtBot, tmp_path: Path) -> None:
    owner = start_another(tmp_path)
    assert read_line(owner) == "owner"
    end(owner)
    second = SingleInstance(data_folder=tmp_path)
    assert second.acquire()
    second.release()


def test_an_owner_that_cannot_listen_logs_that(
    qtbot: QtBot,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Another start would be told that the owner does not respond; the log says why."""
    instance = SingleInstance(data_folder=tmp_path)
    assert instance.acquire()
    instance.release()
    lock = next(Path(os.environ["XDG_RUNTIME_DIR"]).glob("fireside"))
    (lock / f"{runtime_name(tmp_path)}.socket").mkdir()
    assert instance.acquire()
    instance.release()
    assert "cannot listen" in caplog.text


def test_of_many_started_together_one_is_the_owner(qtbot: QtBot, tmp_path: Path) -> None:
    started = [start_another(tmp_path) for _ in range(4)]
    answers = [read_line(process) for process in started]
    for process in started:
        end(process)
    assert answers.count("owner") == 1


def test_a_second_start_can_ask_a_question_in_place_of_the_window(
    qtbot: QtBot, owner: SingleInstance
) -> None:
    if sys.platform == "win32":
        pytest.skip("speaks to the socket as another program could")
    received: list[str] = []
    owner.activation_requested.connect(lambda _paths: received.append("window"))
    owner.quick_question_requested.connect(lambda: received.append("question"))
    for asks in (True, False):
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(str(socket_path()))
            other.sendall(encode_message((), quick_question=asks))
            qtbot.waitUntil(lambda: len(received) == (2 if not asks else 1))  # noqa: B023 - at once
    assert received == ["question", "window"]
