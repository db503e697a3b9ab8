"""What can be typed about builds of llama.cpp, and what is answered."""

from __future__ import annotations

import asyncio
import inspect
import io
import json
from pathlib import Path

import msgspec
import pytest

from fakes.raised import refuses
from fakes.release_harness import ReleaseHarness
from fakes.runtimes import runtime_folder, runtime_parts
from fireside.cli.command_line import parse
from fireside.cli.commands.runtimes import Runtimes, show_step
from fireside.cli.screen import Screen
from fireside.core.ids import ModelId
from fireside.core.options import SettingValue
from fireside.core.runtime import this_platform
from fireside.services.machine.runtime_service import RuntimeService
from fireside.settings.file import SettingsFile
from fireside.settings.service import Settings
from fireside.settings.values import Layer
from fireside.updates.runtime_downloads import RuntimeDownloads


class Terminal:
    """A terminal with a home folder of its own."""

    def __init__(self, home: Path, *, starter: Path, releases: ReleaseHarness | None = None) -> None:
        self.output, self.status = io.StringIO(), io.StringIO()
        self._screen = Screen(output=self.output, status=self.status)
        self._settings = Settings(file=SettingsFile(home / "settings.json"), environ={})
        parts = runtime_parts(home / "runtimes", starter=starter)
        if releases is not None:
            downloads = RuntimeDownloads(releases.asked_by(home / "seen.json"), folder=home / "downloads")
            parts = msgspec.structs.replace(parts, downloads=downloads)
        self._service = RuntimeService(
            parts,
            settings=self._settings,
            change=self._change,
            emit=show_step(self._screen),
        )

    async def _change(self, layer: Layer, /, *, key: str, value: SettingValue) -> None:
        self._settings.change(layer, key=key, value=value)  # type: ignore[arg-type]

    def type(self, *argv: str) -> int:
        invocation = parse(["runtime", *argv])
        work = inspect.unwrap(invocation.run)
        runtimes = Runtimes(service=self._service, screen=self._screen, find_model=ModelId)
        return int(asyncio.run(work(runtimes, **invocation.arguments)))


@pytest.fixture
def terminal(tmp_path: Path, starter_model_path: Path) -> Terminal:
    return Terminal(tmp_path / "home", starter=starter_model_path)


def test_a_runtime_is_added_used_and_rolled_back(terminal: Terminal, tmp_path: Path) -> None:
    source = runtime_folder(tmp_path / "copy")
    assert terminal.type("add", str(source)) == 0
    assert "Unpacking …" in terminal.status.getvalue()
    assert "“copy” works" in terminal.status.getvalue()
    assert terminal.type("use", "copy") == 0
    assert terminal.type("list", "--json") == 0
    listed = json.loads(terminal.output.getvalue())
    assert (listed["in_use"], listed["previous"]) == ("copy", "built-in")
    assert [each["state"] for each in listed["runtimes"]] == ["untested", "works"]
    assert terminal.type("rollback") == 0
    assert terminal.type("remove", "copy") == 0


def test_the_list_marks_the_one_in_use(terminal: Terminal) -> None:
    assert terminal.type("list") == 0
    (line,) = [each for each in terminal.output.getvalue().splitlines() if each.startswith("*")]
    assert line.split()[1] == "built-in"


def test_runtimes_of_the_releases_are_listed(tmp_path: Path, starter_model_path: Path) -> None:
    releases = ReleaseHarness()
    try:
        message = releases.offer("vulkan.tar.xz", b"libraries") | {
            "llama_cpp": "99.0",
            "backends": ["Vulkan"],
        }
        releases.publish("0.1.0", runtimes={this_platform(): [{"name": "vulkan"} | message]})
        terminal = Terminal(tmp_path / "home", starter=starter_model_path, releases=releases)
        assert terminal.type("find") == 0
    finally:
        releases.close()
    head, line = terminal.output.getvalue().splitlines()
    assert "DOWNLOAD" in head
    assert line.split()[:3] == ["vulkan", "Vulkan", "99.0"]
    assert "for another version of Fireside" in line


@pytest.mark.parametrize("argv", [("find",), ("install", "vulkan")])
def test_a_copy_without_an_address_of_releases_says_so(terminal: Terminal, argv: tuple[str, ...]) -> None:
    assert terminal.type(*argv) == 1
    assert "knows no address" in terminal.status.getvalue()


def test_an_unknown_name_is_reported(terminal: Terminal) -> None:
    with refuses("runtime_not_found"):
        terminal.type("use", "nothing")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("use",), "required: name (a runtime’s name)"),
        (("add",), "required: path (a folder or an archive)"),
        (("add", ""), "argument path: it is empty"),
        (("rollback", "x"), "unrecognized arguments: x"),
        (("find", "x"), "unrecognized arguments: x"),
        (("install",), "required: name"),
        (("list", "--model", "m"), "--model goes with runtime use and rollback."),
        (("test", "x", "--json"), "--json goes with runtime list and find."),
        (("burn",), "invalid choice"),
    ],
)
def test_arguments_that_cannot_be_combined_are_refused(
    argv: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["runtime", *argv])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_path_to_add_is_understood_from_where_it_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert parse(["runtime", "add", "x.zip"]).arguments == {"path": str(tmp_path / "x.zip")}
    assert parse(["runtime", "use", "x", "--model", "m"]).arguments == {"name": "x", "model": "m"}
