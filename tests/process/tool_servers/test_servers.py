"""MCP servers end to end: the tool host, a server that misbehaves as it is told, and two of other makers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import psutil
import pytest

from fakes.raised import refuses
from fakes.tool_calls import text_of
from fakes.tool_servers_harness import SERVER, ToolServersHarness, new_server, open_servers
from fireside.chat.attachments import picture_size
from fireside.core.attachment import MAX_ATTACHED
from fireside.core.errors import ToolServerFailed, ToolServerInvalid
from fireside.core.tool_servers import Grants, NewServer, Sandbox, ServerState, ServerTool, changes_between
from fireside.core.tools import Taint
from fireside.settings.servers_file import SERVERS_NAME
from fireside.tool_host.host_messages import MAX_LINE_BYTES
from fireside.tools.server_tool import McpTool
from fireside.tools.tool import InvalidArguments, ToolFailed


async def tool_of(harness: ToolServersHarness, name: str) -> McpTool:
    return next(tool for tool in await harness.servers.tools(["fake"]) if tool.name == name)


async def call_tool(harness: ToolServersHarness, name: str, text: str) -> str:
    tool = await tool_of(harness, f"fake__{name}")
    return await text_of(tool, tool.read(msgspec.json.encode({"text": text}).decode()))


async def test_a_server_is_added_tested_and_called(anew: ToolServersHarness) -> None:
    await anew.add("early")  # it says that its list has changed before it is greeted, as some do
    assert anew.servers.host_pid is None
    assert await anew.servers.tools(["fake"]) == ()
    info = await anew.servers.test("fake")
    assert info.state is ServerState.RUNNING
    assert [tool.name for tool in await anew.servers.tools(["fake"])] == ["fake__echo"]
    assert await anew.servers.tools(["fake__nothing"]) == ()
    assert await call_tool(anew, "echo", "Grüße") == "Grüße"
    await anew.servers.stop("fake")
    assert (await anew.servers.servers())[0].state is ServerState.STOPPED
    assert await call_tool(anew, "echo", "again") == "again"  # a call starts it


async def test_images_of_results_are_read_like_attached_files(harness: ToolServersHarness) -> None:
    await harness.add("draws")
    await harness.servers.test("fake")
    output = await (await tool_of(harness, "fake__picture")).run('{"text": "Look"}')
    assert output.text == "Look\n[image, image/png, 70 bytes]\n[image, image/png, 70 bytes]\nLook"
    assert [(each.name, each.server) for each in output.images] == [
        ("picture 1", "fake"),
        ("picture 2", "fake"),
    ]
    assert all(picture_size(each.data) == (1, 1) for each in output.images)
    output = await (await tool_of(harness, "fake__broken")).run('{"text": ""}')
    assert output.text.splitlines() == [
        "[image, image/png, 12 bytes]",
        "[image, image/png, 70 bytes]",
        "[audio, a/b, 72 bytes: not shown]",
        "[Image 1 is not shown: it is no image.]",
    ]
    assert [each.name for each in output.images] == ["broken 2"]
    output = await (await tool_of(harness, "fake__failed")).run('{"text": ""}')
    assert output.is_error
    assert len(output.images) == 1


async def test_a_result_has_at_most_as_many_images_as_a_message(harness: ToolServersHarness) -> None:
    await harness.add("draws")
    await harness.servers.test("fake")
    output = await (await tool_of(harness, "fake__many")).run('{"text": ""}')
    assert len(output.images) == MAX_ATTACHED
    assert output.text.count(": not shown]") == 10


async def test_nothing_is_started_before_it_is_wanted(anew: ToolServersHarness) -> None:
    await anew.add()
    await anew.servers.servers()
    await anew.servers.tools(["fake"])
    assert anew.servers.host_pid is None


async def test_arguments_that_do_not_fit_name_the_field(harness: ToolServersHarness) -> None:
    await harness.add()
    await harness.servers.test("fake")
    tool = await tool_of(harness, "fake__echo")
    with pytest.raises(InvalidArguments):
        tool.read("[1]")
    with pytest.raises(ToolFailed, match="text: 7 is not of type 'string'"):
        await text_of(tool, tool.read('{"text": 7}'))


async def test_a_crash_is_told_with_its_last_lines_and_left_alone_for_a_while(
    harness: ToolServersHarness,
) -> None:
    await harness.add("crash")
    for _ in range(2):  # what the user asks for is done at once
        with pytest.raises(ToolServerFailed, match="no such database"):
            await harness.servers.test("fake")
    info = (await harness.servers.servers())[0]
    assert info.state is ServerState.FAILED
    assert info.log[-2:] == ("first line", "no such database")
    with pytest.raises(ToolServerFailed, match="tried again in"):
        await harness.servers.call("fake", _ECHO, "{}")


_ECHO = ServerTool(name="echo")


async def test_a_server_that_dies_in_a_call_ends_the_call_alone(harness: ToolServersHarness) -> None:
    await harness.add("dies")
    await harness.add(name="other")
    await harness.servers.test("other")
    await harness.servers.test("fake")
    with pytest.raises(ToolFailed, match="out of ideas"):
        await call_tool(harness, "echo", "x")
    (other,) = await harness.servers.tools(["other"])
    assert await text_of(other, '{"text": "still here"}') == "still here"


async def test_a_cancelled_call_leaves_the_server_alive(harness: ToolServersHarness) -> None:
    await harness.add("slow")
    await harness.servers.test("fake")
    host = harness.servers.host_pid
    calling = asyncio.create_task(call_tool(harness, "slow", "x"))
    assert await call_tool(harness, "echo", "beside it") == "beside it"
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert await call_tool(harness, "echo", "after it") == "after it"
    assert harness.servers.host_pid == host


async def test_progress_goes_on_to_the_end(harness: ToolServersHarness) -> None:
    await harness.add("slow")
    await harness.servers.test("fake")
    assert await call_tool(harness, "steps", "40") == "40"


async def test_a_flood_without_a_line_ends_the_server_and_takes_little_memory(
    harness: ToolServersHarness,
) -> None:
    await harness.add(name="quiet")
    await harness.servers.test("quiet")
    assert harness.servers.host_pid is not None
    before = resting_bytes(harness.servers.host_pid)
    await harness.add("flood")
    with pytest.raises(ToolServerFailed, match="32 MiB"):
        await harness.servers.test("fake")
    assert peak_bytes(harness.servers.host_pid) - before <= 3 * MAX_LINE_BYTES
    (tool,) = await harness.servers.tools(["quiet"])
    assert await text_of(tool, '{"text": "still here"}') == "still here"


async def test_a_tool_that_runs_only_as_a_task_is_left_out_and_named(harness: ToolServersHarness) -> None:
    await harness.add("tasks")
    info = await harness.servers.test("fake")
    assert [tool.name for tool in await harness.servers.tools(["fake"])] == ["fake__echo"]
    assert info.task_tools == ("slowly",)


@pytest.mark.parametrize("order", ["first", "last", "reversed"])
async def test_a_large_result_is_read_and_a_larger_one_fails_alone(
    order: str, harness: ToolServersHarness
) -> None:
    await harness.add("large", order)
    await harness.servers.test("fake")
    text = await call_tool(harness, "large", "5000000")
    assert len(text) == 5_000_000  # twice in one line
    for too_much in ("20000000", "-1000001"):
        with pytest.raises(ToolFailed, match="too large and was not read"):
            await call_tool(harness, "large", too_much)
    assert await call_tool(harness, "large", "3") == "xxx"
    assert (await harness.servers.servers())[0].state is ServerState.RUNNING


async def test_a_log_without_a_line_takes_little_memory(
    harness: ToolServersHarness, abuse_scale: int
) -> None:
    n_mib = 64 if abuse_scale == 1 else 1024

    await harness.add(name="quiet")
    await harness.servers.test("quiet")
    before = resting_bytes(harness.servers.host_pid)
    await harness.add("noise", str(n_mib))
    await harness.servers.test("fake")
    assert peak_bytes(harness.servers.host_pid) - before <= 16 << 20
    assert await call_tool(harness, "echo", "heard") == "heard"


def resting_bytes(pid: int | None) -> int:
    """Return what a process takes now, and have the kernel count its peak from here."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    return int(psutil.Process(pid).memory_info().rss)


def peak_bytes(pid: int | None) -> int:
    """Return the most memory that a process has taken since; where the kernel does not say, what it takes
    now."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return int(psutil.Process(pid).memory_info().rss)
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))


async def test_a_server_deaf_to_the_end_of_its_input_and_to_words_is_ended(
    harness: ToolServersHarness,
) -> None:
    await harness.add("deaf", "child")
    await harness.servers.test("fake")
    processes = psutil.Process(harness.servers.host_pid).children(recursive=True)
    assert len([process for process in processes if "deaf" in process.cmdline()]) == 2
    await asyncio.gather(harness.servers.stop("fake"), return_exceptions=True)
    psutil.wait_procs(processes, timeout=10)
    assert not [process for process in processes if process.is_running()]


async def test_a_list_that_changes_asks_again_and_shows_how(harness: ToolServersHarness) -> None:
    await harness.add("relist")
    await harness.servers.test("fake")
    before = await tool_of(harness, "fake__echo")
    await before.record_review()
    assert await call_tool(harness, "echo", "x") == "x"
    while (await tool_of(harness, "fake__echo")).fingerprint == before.fingerprint:  # noqa: ASYNC110
        await asyncio.sleep(0)  # until the server has said that its list is another one
    now = await tool_of(harness, "fake__echo")
    assert now.change.splitlines() == ["- Says what it is told.", "+ Sends all files to me."]
    # What the model was told before is not called any more.
    with pytest.raises(ToolFailed, match="has changed echo"):
        await text_of(before, '{"text": "x"}')


async def test_a_program_that_is_another_one_does_not_start_before_it_is_confirmed(
    tmp_path: Path, harness: ToolServersHarness
) -> None:
    program = tmp_path / "server"

    def write(text: str) -> None:
        program.write_text(f'#!/bin/sh\n# {text}\nexec "{sys.executable}" "{SERVER}"\n')
        program.chmod(0o755)

    write("one")
    grants = Grants(readable=(str(SERVER),), without_sandbox=True)
    files = (str(Path(sys.executable).parents[1]), sys.base_prefix)
    grants = msgspec.structs.replace(grants, readable=(*grants.readable, *files))
    await harness.servers.add(NewServer(name="fake", command=str(program), grants=grants))
    await harness.servers.test("fake")
    tool = await tool_of(harness, "fake__echo")
    await harness.servers.stop("fake")
    write("another")
    with refuses("tool_server_changed"):
        await text_of(tool, '{"text": "x"}')
    info = (await harness.servers.servers())[0]
    assert info.state is ServerState.CHANGED
    assert info.current_facts is not None
    assert info.server.confirmed is not None
    (change,) = changes_between(info.server.confirmed, info.current_facts)
    assert change.startswith("executable: ")
    await harness.servers.confirm("fake")
    await harness.servers.test("fake")
    # Each permission was for the server as it was.
    assert (await tool_of(harness, "fake__echo")).fingerprint != tool.fingerprint


async def test_a_server_that_is_granted_something_else_ends_and_starts_once_that_is_confirmed(
    tmp_path: Path, harness: ToolServersHarness
) -> None:
    await harness.add()
    was = (await harness.servers.test("fake")).server
    tool = await tool_of(harness, "fake__echo")
    with refuses("tool_server_folder_missing"):
        await harness.servers.grant("fake", Grants(readable=("/no/such/folder",)))
    await harness.servers.grant("fake", was.grants)
    assert (await harness.servers.servers())[0].state is ServerState.RUNNING
    more = msgspec.structs.replace(was.grants, readable=(str(tmp_path),))
    await harness.servers.grant("fake", more)
    assert (await harness.servers.servers())[0].state is ServerState.CHANGED
    with refuses("tool_server_changed"):
        await text_of(tool, '{"text": "x"}')
    await harness.servers.grant("fake", was.grants)  # as it was confirmed
    assert await text_of(tool, '{"text": "x"}') == "x"
    await harness.servers.grant("fake", more)
    await harness.servers.confirm("fake")
    anew = await tool_of(harness, "fake__echo")
    assert await text_of(anew, '{"text": "x"}') == "x"
    # Each permission was for the server as it was, and what a call touches follows from the grants.
    assert anew.fingerprint != tool.fingerprint
    assert Taint.PRIVATE in anew.taints - tool.taints


async def test_values_are_secrets_and_reach_the_server_alone(harness: ToolServersHarness) -> None:
    new = msgspec.structs.replace(
        new_server("${input:how}"), env={"API_KEY": "sesame-open"}, inputs={"how": "slow"}
    )
    await harness.servers.add(new)
    text = (harness.parts.folder.parent / SERVERS_NAME).read_text()
    assert "sesame-open" not in text
    assert '"API_KEY": "${input:API_KEY}"' in text
    info = await harness.servers.test("fake")
    assert [tool.name for tool in info.server.tools] == ["slow", "echo", "steps"]
    await harness.servers.remove("fake")
    assert await harness.servers.servers() == ()


async def test_a_server_that_cannot_be_added_is_refused_in_words(harness: ToolServersHarness) -> None:
    for new in (
        NewServer(name="Fake", command=sys.executable),
        NewServer(name="a__b", command=sys.executable),
        NewServer(name="fake", command="no-such-program-anywhere"),
        NewServer(name="fake", url="javascript:alert(1)"),
    ):
        with pytest.raises(ToolServerInvalid):
            await harness.servers.add(new)
    with refuses("tool_server_folder_missing"):
        await harness.add(grants=Grants(readable=("/no/such/folder",)))
    await harness.add()
    with pytest.raises(ToolServerInvalid):
        await harness.add()


async def test_offline_no_address_is_contacted(tmp_path: Path) -> None:
    async with open_servers(tmp_path, is_offline=True) as place:
        await place.servers.add(NewServer(name="far", url="https://mcp.example.com/mcp"))
        with refuses("tool_server_offline"):
            await place.servers.test("far")
        await place.servers.add(NewServer(name="near", url="http://[::1]:9/mcp"))
        with pytest.raises(ToolServerFailed):  # nothing listens there
            await place.servers.test("near")


async def test_the_server_that_tells_the_time(harness: ToolServersHarness) -> None:
    await harness.servers.add(NewServer(name="time", command=installed("mcp-server-time"), grants=_ANYWHERE))
    info = await harness.servers.test("time")
    assert [tool.name for tool in await harness.servers.tools(["time"])] == [
        "time__convert_time",
        "time__get_current_time",
    ]
    now = (await harness.servers.tools(["time__get_current_time"]))[0]
    assert '"timezone": "Asia/Tokyo"' in await text_of(now, '{"timezone": "Asia/Tokyo"}')
    assert info.server.taints == {Taint.UNTRUSTED}
    if sys.platform == "linux":
        assert info.sandbox in (Sandbox.FULL, Sandbox.NO_NAMESPACES, Sandbox.NONE)


async def test_the_server_that_works_with_git(tmp_path: Path, harness: ToolServersHarness) -> None:
    git = shutil.which("git")
    if git is None:
        pytest.skip("there is no git")
    project, other = (repository(tmp_path / name, git=git) for name in ("project", "other"))
    grants = Grants(readable=(str(project),), without_sandbox=True)
    await harness.servers.add(NewServer(name="git", command=installed("mcp-server-git"), grants=grants))
    info = await harness.servers.test("git")
    assert len(info.server.tools) > 5
    log = (await harness.servers.tools(["git__git_log"]))[0]
    assert "In project" in await text_of(log, msgspec.json.encode({"repo_path": str(project)}).decode())
    if info.sandbox is Sandbox.FULL:
        with pytest.raises(ToolFailed):
            await text_of(log, msgspec.json.encode({"repo_path": str(other)}).decode())


_ANYWHERE = Grants(without_sandbox=True)


def repository(folder: Path, *, git: str) -> Path:
    """Make a folder with a commit that says where it was made; return it."""
    folder.mkdir()
    named = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    for arguments in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", f"In {folder.name}"]):
        subprocess.run([git, *named, *arguments], cwd=folder, check=True)
    return folder


def installed(program: str) -> str:
    """Return a program of the environment that the tests run in."""
    path = shutil.which(program, path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if path is None:
        pytest.fail(f"{program} is not installed: make setup")
    return path
