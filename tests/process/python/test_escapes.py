"""Code that tries to leave its confinement has no effect outside, and each attempt has its reason."""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from fakes.escapes import ATTEMPTS, FILES, OTHERS, PRELUDE, STOPPED
from fireside.core.elicitation import NO_OBSERVER
from fireside.core.ids import ConversationId
from fireside.core.tool_servers import Sandbox
from fireside.main.startup_context import base_environment
from fireside.services.python_sessions import CodeLimits, PythonSessions
from fireside.tool_host import server_process

assert sys.platform == "linux"
pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of system calls")
WORDS = "what nobody may read"
LIMITS = CodeLimits(memory_bytes=1 << 30)
KEY = 0x46495245


class Outside:
    """What code could reach, and what became of it."""

    def __init__(self, folder: Path, *, tcp: socket.socket, udp: socket.socket, victim: int) -> None:
        self.secret, self.folder = folder / "secret.txt", folder / "out"
        self.folder.mkdir()
        self.secret.write_text(WORDS)
        (folder / "beside.txt").touch()
        self.unix, self.abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        self.unix.bind(str(folder / "s"))
        self.abstract.bind(f"\0fireside-{os.getpid()}")
        self.sockets = (tcp, udp, self.unix, self.abstract)
        for served in self.sockets:
            served.setblocking(False)
            with contextlib.suppress(OSError):
                served.listen()
        self.victim = victim
        self.names: dict[str, Any] = {
            "SECRET": str(self.secret),
            "OUTSIDE": str(self.folder),
            "HOME": str(Path.home()),
            "PORT": tcp.getsockname()[1],
            "UNIX": str(folder / "s"),
            "ABSTRACT": f"fireside-{os.getpid()}",
            "VICTIM": victim,
            "KEY": KEY,
        }

    def state(self) -> list[object]:
        """Return all that may not change."""
        status, victim = self.secret.stat(), psutil.Process(self.victim)
        return [
            self.secret.read_text(),
            (status.st_mode, status.st_uid, status.st_mtime_ns, status.st_nlink, os.listxattr(self.secret)),
            sorted(path.name for path in self.folder.iterdir()),
            [self._heard(served) for served in self.sockets],
            (
                victim.status() in {psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE},
                victim.nice(),
                victim.cpu_affinity(),
            ),
            resource.prlimit(self.victim, resource.RLIMIT_CPU),
            [path.name for path in Path("/dev/shm").glob("*escape*")],  # others have files there, too
            Path("/proc/sysvipc/shm").read_text().count(str(KEY)),
            Path("/proc/keys").read_text().count("escape"),
            Path("/proc/self/mountinfo").read_text(),
            Path("/tmp/escape").exists(),
        ]

    @staticmethod
    def _heard(served: socket.socket) -> bool:
        try:
            if served.type == socket.SOCK_DGRAM:
                served.recv(9)
            else:
                served.accept()[0].close()
        except BlockingIOError:
            return False
        return True


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        subprocess.Popen(["/bin/sleep", "600"]) as victim,
    ):
        udp.bind(tcp.getsockname())
        made = Outside(tmp_path, tcp=tcp, udp=udp, victim=victim.pid)
        yield made
        made.unix.close()
        made.abstract.close()
        victim.kill()


@pytest.fixture
async def sessions() -> Any:
    made = PythonSessions(environ=base_environment(), read=lambda _: iter(()))
    yield made
    await made.close()


async def escapes(sessions: PythonSessions, outside: Outside, attempts: dict[str, str]) -> dict[str, str]:
    """Make the attempts; return what came of those that had an effect or no reason."""
    sandbox = await sessions.sandbox(LIMITS)
    if sandbox is Sandbox.NONE:
        pytest.skip("this kernel confines nothing")
    before, found = outside.state(), {}
    names = "".join(f"{name} = {value!r}\n" for name, value in outside.names.items())
    for name, code in attempts.items():
        limits = msgspec.structs.replace(LIMITS, seconds=0.3 if name in STOPPED else 20.0)
        result = await sessions.run(
            ConversationId(1), f"{PRELUDE}{names}{code}", limits=limits, watch=NO_OBSERVER
        )
        words = {WORDS, "OUT\n", "beside.txt"}
        if not result.is_error or any(word in result.text for word in words) or outside.state() != before:
            found[name] = result.text[-500:]
            before = outside.state()
        assert "rror" in result.text or "stopped" in result.text or name in found, (name, result.text)
    return found


async def test_no_attempt_has_an_effect(sessions: PythonSessions, outside: Outside) -> None:
    processes = {each.pid for each in psutil.process_iter()}
    assert len(ATTEMPTS) > 60
    assert await escapes(sessions, outside, ATTEMPTS) == {}
    await sessions.close()
    children = psutil.Process().children(recursive=True)
    assert {child.pid for child in children} <= processes


def weakened(monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    """Start launchers with a part of the confinement replaced."""
    spawn = server_process._spawn

    async def weak(command: tuple[str, ...], **how: Any) -> asyncio.subprocess.Process:
        start = f"from fireside.tool_host import confinement, launcher\n{change}\nlauncher.main()"
        return await spawn((sys.executable, "-S", "-P", "-c", start, command[-1]), **how)

    monkeypatch.setattr(server_process, "_spawn", weak)


HARMLESS = (
    "read a file",
    "write a file",
    "connect to a socket",
    "limit another process",
    "make a user namespace",
)
"""Attempts that harm nobody where they succeed."""
NO_NAMESPACES = """
def refuse(**_): raise OSError
confinement.enter_namespaces = refuse
"""


async def test_without_namespaces_only_names_of_files_are_seen(
    sessions: PythonSessions, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    weakened(monkeypatch, NO_NAMESPACES)
    found = await escapes(sessions, outside, {**FILES, **OTHERS})
    assert await sessions.sandbox(LIMITS) is Sandbox.NO_NAMESPACES
    assert set(found) <= {
        "see that a file exists",
        "watch a folder",
        "change a mode",
        "change a mode of the system",
        "change an owner",
        "change times",
        "set an attribute",
        "become another user",
    }


@pytest.mark.parametrize(
    "hole",
    [
        "confinement.enter_own_root = confinement.restrict_files = lambda *_, **__: None",
        "confinement.refuse_system_calls = lambda **_: None",
        f"{NO_NAMESPACES}\nconfinement.refuse_system_calls = lambda **_: None",
    ],
    ids=["all files", "all system calls", "no namespaces"],
)
async def test_a_hole_is_caught(
    sessions: PythonSessions, outside: Outside, monkeypatch: pytest.MonkeyPatch, hole: str
) -> None:
    weakened(monkeypatch, hole)
    assert await escapes(sessions, outside, {name: ATTEMPTS[name] for name in HARMLESS})
