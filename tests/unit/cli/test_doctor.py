"""The doctor reports of each part whether it works, and the next step where it does not."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.devices import GIB, FakeCards, card, device, device_memory, listing
from fakes.gguf_files import model_file
from fakes.keyrings import WorkingKeyring
from fireside.cli.commands.doctor import report_json, report_text
from fireside.cli.doctor import Doctor
from fireside.core.diagnostics import DiagnosticReport, Finding, Health
from fireside.core.errors import KeyringUnavailable, RunnerError
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.main.library import build_library
from fireside.main.startup_context import StartupContext, load_context
from fireside.settings.api_tokens import ApiTokens
from fireside.settings.keyring_backends import Backend
from fireside.storage.store import Store
from fireside.wire.runner_modes import DeviceListing


@pytest.fixture
def context(tmp_path: Path) -> StartupContext:
    return load_context({"FIRESIDE_HOME": str(tmp_path)}, command_line={})


def examine(
    context: StartupContext,
    *,
    list_devices: Callable[[], DeviceListing] = listing,
    memory: DeviceMemory | None = None,
    find_keyring: Callable[[], Backend] = WorkingKeyring,
) -> DiagnosticReport:
    return Doctor(
        context,
        list_devices=list_devices,
        memory=memory if memory is not None else device_memory(),
        find_keyring=find_keyring,
    ).examine()


def found(checkup: DiagnosticReport, name: str) -> Finding:
    (finding,) = (each for each in checkup.findings if each.name == name)
    return finding


def test_a_sound_computer_has_nothing_wrong(context: StartupContext) -> None:
    checkup = examine(context)
    assert checkup.works
    assert {finding.health for finding in checkup.findings} <= {Health.OK, Health.NOTE}
    assert found(checkup, "Graphics").text.startswith("no usable GPU")
    assert "AVX2" in found(checkup, "Processor").text
    assert found(checkup, "Chats").text == "none yet"
    assert "allowed" in found(checkup, "Network").text


def test_nothing_is_made_or_changed(context: StartupContext, tmp_path: Path) -> None:
    examine(context)
    assert list(tmp_path.iterdir()) == []


def test_a_card_is_named_with_its_memory(context: StartupContext) -> None:
    checkup = examine(
        context,
        list_devices=lambda: listing(device(device_id="0000:01:00.0")),
        memory=device_memory(FakeCards(card(free_bytes=GIB, driver="550.54"))),
    )
    text = found(checkup, "Graphics").text
    assert text == "NVIDIA GeForce RTX 3060 (CUDA0), 1.1 GB free of 12.9 GB, driver 550.54"


def test_a_card_that_is_not_used_is_remarked_on(context: StartupContext) -> None:
    checkup = examine(context, memory=device_memory(FakeCards(card(), problem="Restart the computer.")))
    remarks = [each.text for each in checkup.findings if each.health is Health.NOTE]
    assert "Restart the computer." in remarks
    assert any("NVIDIA GeForce RTX 3060 is not used" in each for each in remarks)
    assert checkup.works


def test_a_runner_that_does_not_start_is_broken(context: StartupContext) -> None:
    def no_runner() -> DeviceListing:
        raise RunnerError.of("runner_start_failed", reason="a library is missing.")

    checkup = examine(context, list_devices=no_runner, memory=device_memory(FakeCards(card())))
    finding = found(checkup, "llama.cpp")
    assert finding.health is Health.BROKEN
    assert "a library is missing." in finding.text
    assert finding.next_step
    assert not checkup.works
    # Whether the card would be used, is not known now.
    assert found(checkup, "Graphics").text.startswith("no usable GPU")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are of another kind there")
def test_folders_that_cannot_be_written_to_are_broken(
    context: StartupContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The superuser may write anywhere, so the question itself is answered.
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != tmp_path)
    checkup = examine(context)
    for name in ("Models folder", "Chats"):
        assert found(checkup, name).health is Health.BROKEN
        assert str(tmp_path) in found(checkup, name).text
        assert found(checkup, name).next_step


def test_a_database_is_read_and_named(context: StartupContext) -> None:
    async def make() -> None:
        await (await Store.open(context.paths.database_file, clock=time.time)).close()

    asyncio.run(make())
    before = context.paths.database_file.read_bytes()
    finding = found(examine(context), "Chats")
    assert finding.health is Health.OK
    assert finding.text.endswith("intact")
    assert context.paths.database_file.read_bytes() == before


def test_a_damaged_database_is_broken_and_a_backup_offered(context: StartupContext) -> None:
    context.paths.data_folder.mkdir(parents=True)
    context.paths.database_file.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    finding = found(examine(context), "Chats")
    assert finding.health is Health.BROKEN
    assert "backup" in finding.next_step


def test_settings_that_cannot_be_used_are_remarked_on(tmp_path: Path) -> None:
    file = tmp_path / "config" / "settings.json"
    file.parent.mkdir()
    file.write_text("{", encoding="utf-8")
    checkup = examine(load_context({"FIRESIDE_HOME": str(tmp_path)}, command_line={}))
    assert found(checkup, "Settings").health is Health.NOTE


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")
def test_a_pipe_in_place_of_the_database_is_not_waited_for(context: StartupContext) -> None:
    context.paths.database_file.parent.mkdir(parents=True)
    getattr(os, "mkfifo")(context.paths.database_file)  # noqa: B009  # none on Windows
    assert "it is not a file" in found(examine(context), "Chats").text


def test_files_that_were_set_aside_are_named(context: StartupContext) -> None:
    tokens = context.paths.data_folder / "api-tokens.json"
    tokens.parent.mkdir(parents=True)
    tokens.write_bytes(b"[")
    ApiTokens(tokens).all()
    kept = found(examine(context), "Damaged files")
    assert kept.health is Health.NOTE
    assert f"{tokens}.damaged-" in kept.text


def test_a_missing_keyring_is_no_fault(context: StartupContext) -> None:
    def none() -> Backend:
        raise KeyringUnavailable(reason="no keyring service is running.")

    checkup = examine(context, find_keyring=none)
    assert found(checkup, "Keyring").health is Health.NOTE
    assert checkup.works


def test_a_network_that_is_turned_off_is_reported(tmp_path: Path) -> None:
    context = load_context({"FIRESIDE_HOME": str(tmp_path)}, command_line={"hub.offline": True})
    assert "offline mode" in found(examine(context), "Network").text


def test_lines_are_no_wider_than_the_terminal_and_steps_stand_below(context: StartupContext) -> None:
    def none() -> Backend:
        raise KeyringUnavailable(reason="no keyring service is running.")

    checkup = examine(context, find_keyring=none)
    lines = report_text(checkup, width=72).splitlines()
    assert max(map(len, lines)) <= 72
    assert lines[-1] == "Everything works."
    keyring = next(number for number, line in enumerate(lines) if "Keyring" in line)
    assert lines[keyring].startswith("NOTE")
    assert any(line.strip().startswith("→") for line in lines[keyring:])


def test_broken_findings_are_counted(context: StartupContext) -> None:
    broken = Finding(name="Chats", health=Health.BROKEN, text="It is gone.")
    hardware = examine(context).hardware
    one = DiagnosticReport(findings=(broken,), hardware=hardware)
    assert report_text(one, width=80).endswith("\n1 problem found.\n")
    two = DiagnosticReport(findings=(broken, broken), hardware=hardware)
    assert report_text(two, width=80).endswith("\n2 problems found.\n")
    assert report_text(two, width=80).startswith("WRONG")


def test_a_program_can_read_it(context: StartupContext) -> None:
    checkup = examine(context)
    read = json.loads(report_json(checkup))
    assert read["works"] is True
    assert [each["name"] for each in read["findings"]] == [each.name for each in checkup.findings]
    assert read["hardware"]["processor"]["features"] == ["AVX2"]


def test_a_library_on_a_disconnected_drive_is_reported(tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    environ = {"FIRESIDE_HOME": str(tmp_path / "home"), "FIRESIDE_FOLDERS_MODELS": str(drive)}
    model_file().write(drive / "acme/tiny-GGUF/tiny-Q4_0.gguf")
    context = load_context(environ, command_line={})
    build_library(context).scan()
    drive.rename(tmp_path / "unplugged")
    folder = found(examine(context), "Models folder")
    assert folder.health is Health.BROKEN
    assert f"{drive} was not found. Connect its drive" in folder.text
