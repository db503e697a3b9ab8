"""A server that tries what it was not granted: files, the home folder, TCP, UDP, names, sockets."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from fakes.tool_calls import text_of
from fakes.tool_servers_harness import SERVER, ToolServersHarness
from fireside.core.errors import ToolServerFailed
from fireside.core.tool_servers import Grants, NewServer, Sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a sandbox on Linux alone")
OWN = "own.txt"
"""In the folder of its own."""


@pytest.fixture
def listening() -> Iterator[int]:
    """A port of this computer that takes what comes, over TCP and UDP."""
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
    ):
        port: int = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        yield port


async def attempts(harness: ToolServersHarness, grants: Grants, *calls: tuple[str, str]) -> list[str]:
    """Return what came of each attempt; skips where this kernel has no sandbox."""
    results = []
    await harness.add("attempts", grants=grants)
    try:
        info = await harness.servers.test("fake")
    except ToolServerFailed as exc:
        pytest.skip(str(exc))
    if info.sandbox is not Sandbox.FULL:
        pytest.skip("this system allows no namespaces")
    tools = {tool.name: tool for tool in await harness.servers.tools(["fake"])}
    for name, text in calls:
        tool = tools[f"fake__{name}"]
        results.append(await text_of(tool, tool.read(msgspec.json.encode({"text": text}).decode())))
    if ("write", OWN) in calls:
        assert (harness.parts.folder / "fake" / OWN).exists()
    return results


async def test_files_and_network_that_were_not_granted_are_out_of_reach(
    tmp_path: Path, harness: ToolServersHarness, listening: int
) -> None:
    granted, secret, mine = tmp_path / "granted", tmp_path / "secret", Path.home() / "mine"
    for folder in (granted, secret, mine.parent):
        folder.mkdir(exist_ok=True, parents=True)
    for file in (granted / "a.txt", secret / "b.txt", mine):
        file.write_text("inside")
    (granted / "link.txt").symlink_to(secret / "b.txt")
    path = str(tmp_path / "s")
    with socket.socket(getattr(socket, "AF_UNIX")) as served:  # noqa: B009  # none on Windows
        served.bind(path)
        served.listen()
        results = await attempts(
            harness,
            Grants(readable=(str(granted), path)),
            ("read", str(granted / "a.txt")),
            ("read", str(secret / "b.txt")),
            ("read", str(granted / "link.txt")),
            ("read", str(mine)),
            ("read", "/proc/1/environ"),
            ("write", str(granted / "new.txt")),
            ("write", str(Path.home() / "new.txt")),
            ("write", OWN),
            ("tcp", str(listening)),
            ("udp", str(listening)),
            ("unix", path),
            ("name", "example.com"),
        )
    allowed, refused = results[0], [*results[1:4], *results[5:7], *results[8:]]
    assert allowed == "read: inside"
    assert results[7] == "wrote"
    for each in refused:
        assert "rror: " in each, results
    assert not (granted / "new.txt").exists()


async def test_what_was_granted_is_in_reach(
    tmp_path: Path, harness: ToolServersHarness, listening: int
) -> None:
    folder = tmp_path / "granted"
    folder.mkdir()
    results = await attempts(
        harness,
        Grants(writable=(str(folder),), network=True),
        ("write", str(folder / "new.txt")),
        ("read", str(folder / "new.txt")),
        ("tcp", str(listening)),
        ("udp", str(listening)),
    )
    assert results == ["wrote", "read: x", "connected", "sent"]


async def test_rights_times_and_attributes_of_files_are_out_of_reach_too(
    tmp_path: Path, harness: ToolServersHarness
) -> None:
    """Landlock does not cover them: a server could lock the user out, or open a key to other users."""
    secret, readable, own = tmp_path / "secret", tmp_path / "readable", tmp_path / "own"
    own.mkdir()
    for file in (secret, readable, own / "file"):
        file.write_text("x")
        file.chmod(0o600)
    before = [file.stat() for file in (secret, readable)]
    changes = ("chmod", "utime", "setxattr", "chown")
    results = await attempts(
        harness,
        Grants(readable=(str(readable),), writable=(str(own),)),
        *((change, str(file)) for file in (secret, readable) for change in changes),
        ("keys", ""),
        ("chmod", str(own / "file")),
        ("utime", str(own / "file")),
    )
    for each in results[:9]:
        assert "rror: " in each, results
    assert results[9:] == ["changed", "changed"]
    assert [file.stat() for file in (secret, readable)] == before


async def test_what_is_granted_and_taken_back_later_holds_once_it_is_confirmed(
    tmp_path: Path, harness: ToolServersHarness
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("inside")
    results = []
    await harness.add("attempts", grants=Grants())
    try:
        info = await harness.servers.test("fake")
    except ToolServerFailed as exc:
        pytest.skip(str(exc))
    if info.sandbox not in (Sandbox.FULL, Sandbox.NO_NAMESPACES):
        pytest.skip("this system has no sandbox")
    for grants in (Grants(), Grants(readable=(str(tmp_path),)), Grants()):
        await harness.servers.grant("fake", grants)
        await harness.servers.confirm("fake")
        (tool,) = await harness.servers.tools(["fake__read"])
        results.append(await text_of(tool, msgspec.json.encode({"text": str(file)}).decode()))
    assert ["inside" in text for text in results] == [False, True, False]


async def test_a_server_sees_no_other_processes(harness: ToolServersHarness) -> None:
    (results,) = await attempts(harness, Grants(), ("pid", ""))
    assert int(results) < 10


def stand_in(folder: Path, name: str, script: str) -> str:
    """Return a shell script under the name of a program."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(program)


async def test_what_cannot_be_downloaded_without_the_network_says_so(
    tmp_path: Path, harness: ToolServersHarness
) -> None:
    npx = stand_in(tmp_path, "npx", 'echo "Error: offline is $npm_config_offline" >&2; exit 1')
    for network, reason in (
        (False, "npx downloads it.*\nError: offline is true"),
        (True, "ended unexp.* is$"),
    ):
        grants = Grants(network=network, without_sandbox=True)
        await harness.servers.add(NewServer(name="s", command=npx, args=("-y", "a-server"), grants=grants))
        with pytest.raises(ToolServerFailed, match=f"(?s){reason}"):
            await harness.servers.test("s")
        await harness.servers.remove("s")


async def test_containers_are_started_outside_with_consent_alone(
    tmp_path: Path, harness: ToolServersHarness
) -> None:
    (tmp_path / "secret").write_text("inside")
    docker = stand_in(tmp_path, "docker", f'shift; exec {sys.executable} "$@"')
    new = NewServer(name="fake", command=docker, args=("run", str(SERVER), "attempts"))
    await harness.servers.add(new)
    with pytest.raises(ToolServerFailed, match="--without-sandbox"):
        await harness.servers.test("fake")
    await harness.servers.grant("fake", Grants(without_sandbox=True))
    await harness.servers.confirm("fake")
    assert (await harness.servers.test("fake")).sandbox is Sandbox.NONE
    (tool,) = await harness.servers.tools(["fake__read"])
    assert await text_of(tool, tool.read(f'{{"text": "{tmp_path / "secret"}"}}')) == "read: inside"


async def test_a_server_that_ends_after_a_refusal_says_what_to_grant(
    tmp_path: Path, harness: ToolServersHarness
) -> None:
    (tmp_path / "secret").touch()
    program = stand_in(tmp_path, "server", f"cat {tmp_path / 'secret'}")
    await harness.servers.add(NewServer(name="fake", command=program, grants=Grants(without_sandbox=True)))
    with pytest.raises(ToolServerFailed) as failed:
        await harness.servers.test("fake")
    if "Permission denied" not in str(failed.value):
        pytest.skip("this system has no sandbox")
    assert "after something was refused to it" in str(failed.value)


def test_a_server_whose_files_cannot_be_made_read_only_is_not_started(tmp_path: Path) -> None:
    code = """if True:
        import errno, sys
        from fireside.tool_host import confinement, launcher
        def fail(**_kept): raise OSError(errno.EPERM, "Operation not permitted")
        confinement.die_with_parent = lambda: None
        confinement.mount_own_proc = lambda: True
        confinement.make_read_only = fail
        spec = {"command": [sys.executable, "-c", "print('started')"], "writable": [], "readable": [],
                "cwd": ".", "network": False, "environment": {}, "is_strict": False, "limits": {}}
        launcher._run_child(spec, level="full", has_namespaces=True)
    """
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 127
    assert done.stdout == ""
    assert "sandbox could not be set up: Operation not permitted" in done.stderr
