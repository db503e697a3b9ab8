"""``fireside tools`` as it is typed, and in a script."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fakes.serving import environment_in
from fakes.terminal import FIRESIDE, Terminal
from fakes.tool_servers_harness import SERVER

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for npx is a shell script")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With a stand-in for npx that has its server already."""
    npx = tmp_path / "bin" / "npx"
    npx.parent.mkdir()
    npx.write_text(f'#!/bin/sh\necho "offline: $npm_config_offline" >&2\nexec {sys.executable} "$@"\n')
    npx.chmod(0o755)
    inherited = environment_in(tmp_path)
    return {**inherited, "PATH": f"{npx.parent}:{inherited['PATH']}"}


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*FIRESIDE, "tools", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("flags", [(), ("--yes",)])
def test_a_command_that_downloads_names_the_flag_in_a_script(
    environment: dict[str, str], flags: tuple[str, ...]
) -> None:
    added = run(environment, "add", "fs", *flags, "--", "npx", "-y", "a-server")
    assert added.returncode == 1
    assert added.stderr.splitlines() == [
        "fireside: npx downloads “fs” when it starts, which needs the network. Add --network to allow that.",
        "Not added.",
    ]
    assert "fs" not in run(environment, "list").stdout


def test_a_command_that_downloads_asks_before_its_first_start(environment: dict[str, str]) -> None:
    interpreter, script = sys.executable, str(SERVER)
    folders = [f for path in (interpreter, script) for f in ("--read", str(Path(path).parent))]
    with Terminal(environment, "tools", "add", "fs", *folders, "--", "npx", script) as terminal:
        terminal.until("which needs the network. Allow that? [y/N] ")
        terminal.type("y\n")
        terminal.until("network: yes")
        terminal.until("Add this server and start it? [y/N] ")
        terminal.type("n\n")
        terminal.until("Not added.")


CONFIGURATION = """{
  "inputs": [{"id": "key", "type": "promptString", "description": "API key"}],
  "servers": {
    "s": {"command": "COMMAND", "args": ["SERVER"], "env": {"KEY": "${input:key}", "B": "${env:B}"}}
  }
}"""


def test_secrets_of_a_configuration_are_asked_for_unseen_and_named_in_a_script(
    environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "vscode.json"
    file.write_text(CONFIGURATION.replace("COMMAND", sys.executable).replace("SERVER", str(SERVER)))
    environment |= {"B": "not for a file to read"}
    for flags, asked in (((), "B"), (("--env", "B"), "API key"), (("--env", "B", "--env", "key"), "key")):
        added = run(environment, "add", "--json", str(file), "--yes", *flags)
        assert added.returncode == 1
        (line,) = added.stderr.splitlines()
        assert f"“{asked}” is asked for, and this is no terminal." in line
    with Terminal(environment, "tools", "add", "--json", str(file), "--env", "B") as terminal:
        terminal.until("API key: ")
        terminal.type("sesame\n")
        assert "sesame" not in terminal.until("start it? [y/N] ")
        terminal.type("n\n")
        terminal.until("Not added.")


def test_a_value_does_not_have_to_stand_on_the_command_line(environment: dict[str, str]) -> None:
    added = run(environment, "add", "s", "--env", "A_KEY", "--yes", "--", sys.executable, str(SERVER))
    assert "“A_KEY” is asked for" in added.stderr
    added = run(environment, "add", "s", "--header", "X-Key", "--yes", "--url", "http://127.0.0.1:9/mcp")
    assert "Set the variable X_KEY." in added.stderr
    environment |= {"A_KEY": "sesame"}
    flags = ("--yes", "--values-in-file", "--without-sandbox", "--read", str(SERVER.parent))
    added = run(environment, "add", "s", "--env", "A_KEY", *flags, "--", sys.executable, str(SERVER))
    assert "s: running" in added.stdout
    assert "values: A_KEY" in added.stdout


def test_a_tool_is_called_by_hand(environment: dict[str, str], tmp_path: Path) -> None:
    flags = ("--yes", "--without-sandbox", "--read", str(SERVER.parent))
    run(environment, "add", "s", *flags, "--", sys.executable, str(SERVER))
    called = run(environment, "call", "s.echo", "--arg", "text=Grüße=7")
    assert (called.returncode, called.stdout, called.stderr) == (0, "Grüße=7\n", "")
    called = run(environment, "call", "s__echo", "--json", '{"text": 7}')
    assert called.returncode == 1
    assert "text: 7 is not of type 'string'" in called.stderr
    for wrong in (("s.nothing",), ("calculator",), ("s.echo", "--arg", "txt=1"), ("s.echo",)):
        called = run(environment, "call", *wrong)
        assert (called.returncode, called.stdout) == (1, "")
        assert len(called.stderr.splitlines()) == 1
    run(environment, "permit", "s__echo", "never")
    called = run(environment, "call", "s.echo", "--arg", "text=1")
    assert called.returncode == 1
    assert "fireside tools permit s__echo ask" in called.stderr


def test_images_of_a_call_are_saved(environment: dict[str, str], tmp_path: Path) -> None:
    flags = ("--yes", "--without-sandbox", "--read", str(SERVER.parent))
    run(environment, "add", "s", *flags, "--", sys.executable, str(SERVER), "draws")
    called = run(environment, "call", "s.picture", "--arg", "text=A roof")
    assert called.stdout.splitlines()[0] == "A roof"
    assert "Image: picture 2, image/png" in called.stderr
    called = run(environment, "call", "s.picture", "--arg", "text=A roof", "--output", str(tmp_path / "a"))
    assert called.returncode == 0
    assert {file.name for file in tmp_path.glob("a*.png")} == {"a.png", "a-2.png"}
    called = run(environment, "call", "s.failed", "--arg", "text=x")
    assert (called.returncode, called.stdout) == (1, "")
    assert "No page" in called.stderr


def test_arguments_name_files_of_the_folder_in_which_they_are_typed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    shutil.copy(SERVER, project / "server.py")
    add = [*FIRESIDE, "tools", "add", "s", "--yes", "--without-sandbox", "--", sys.executable, "server.py"]
    added = subprocess.run(add, env=environment, cwd=project, capture_output=True, text=True, check=False)
    assert f"starts in: {project}" in added.stdout
    assert "s: running" in added.stdout


def test_a_configuration_that_cannot_be_read_or_lacks_the_server_is_a_sentence(
    environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "a.json"
    file.write_text('\ufeff{"one": {"command": "x"}, "two": {"command": "y"}}', encoding="utf-8")
    for arguments, reason in (
        (("--json", str(tmp_path / "none.json")), "none.json cannot be read: "),
        (("--json", str(tmp_path)), "cannot be read: "),
        (("three", "--json", str(file)), "the file has no “three”, but one, two."),
    ):
        added = run(environment, "add", *arguments)
        (line,) = added.stderr.splitlines()
        assert reason in line
        assert added.returncode == 1


def test_what_a_bundle_asks_for_is_given_in_a_script(environment: dict[str, str], tmp_path: Path) -> None:
    config = {
        "command": sys.executable,
        "args": ["${__dirname}/server.py"],
        "env": {"LEVEL": "${user_config.level}", "KEY": "${user_config.key}"},
    }
    asked = {
        "level": {"type": "string", "title": "Level", "required": True},
        "key": {"type": "string", "title": "API key", "sensitive": True},
    }
    manifest = {"name": "Fake", "server": {"mcp_config": config}, "user_config": asked}
    path = tmp_path / "a.mcpb"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.write(SERVER, "server.py")
    add = ("add", "--json", str(path), "--yes", "--values-in-file", "--without-sandbox")
    assert "Level needs a value." in run(environment, *add).stderr
    assert "“API key” is asked for" in run(environment, *add, "--env", "level=debug").stderr
    added = run({**environment, "key": "sesame"}, *add, "--env", "level=debug", "--env", "key")
    assert "fake: running" in added.stdout


def test_one_server_of_several_that_cannot_be_added_costs_itself_alone(
    environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "servers.json"
    command = {"command": sys.executable, "args": [str(SERVER)]}
    secret = {**command, "env": {"KEY": "${input:key}"}}
    inputs = [{"id": "key", "description": "Key", "password": True}]
    servers = {"first": command, "asks": secret, "last": command}
    file.write_text(json.dumps({"inputs": inputs, "servers": servers}))
    add = ("add", "--json", str(file), "--yes", "--without-sandbox")
    added = run(environment, *add)
    assert added.returncode == 1
    assert "asks: The MCP server cannot be added: “" in added.stderr
    assert [
        line.split()[0] for line in run(environment, "list").stdout.splitlines() if SERVER.name in line
    ] == [
        "first",
        "last",
    ]
    again = run(environment, *add)
    assert "first: The MCP server cannot be added: there is one of this name already." in again.stderr
