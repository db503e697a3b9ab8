"""Checks everything that Fireside needs on this computer."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fireside.core.diagnostics import DiagnosticReport, Finding, Health
from fireside.core.errors import (
    DownloadError,
    FiresideError,
    KeyringUnavailable,
    StorageDamaged,
    format_bytes,
)
from fireside.core.hardware import Hardware
from fireside.core.runtime import BUILT_IN
from fireside.engine.devices.card_sources import DeviceMemory, card_sources
from fireside.engine.devices.device_listing import DeviceLister
from fireside.engine.devices.device_report import hardware_report
from fireside.engine.processes.runner_process import runner_command
from fireside.files.json_file import kept_files
from fireside.main.library import build_library
from fireside.main.machine import build_spawner, runtime_in_use
from fireside.main.startup_context import StartupContext
from fireside.settings.conversions import hub_options
from fireside.settings.keyring_backends import Backend, system_backend
from fireside.settings.time_limited_call import TimeLimitedCaller
from fireside.storage.integrity_check import check_database
from fireside.wire.runner_modes import DeviceListing

_LOW_MEMORY: Final = 1 << 30
_LOW_DISK: Final = 5 * 10**9
_KEYRING_S: Final = 5.0


class Doctor:
    """Checks everything once. Opens no connection and changes nothing.

    Args:
        list_devices: returns the devices that a runner can use, see ``DeviceLister``.
        memory: measures devices.
        find_keyring: may block forever; see ``system_backend``.
        runtime: name of the build of llama.cpp that ``list_devices`` uses.
    """

    def __init__(
        self,
        context: StartupContext,
        *,
        list_devices: Callable[[], DeviceListing],
        memory: DeviceMemory,
        find_keyring: Callable[[], Backend],
        runtime: str = BUILT_IN,
    ) -> None:
        self._context = context
        self._list_devices = list_devices
        self._memory = memory
        self._find_keyring = find_keyring
        self._runtime = runtime

    def examine(self) -> DiagnosticReport:
        """Check everything. Takes a few seconds."""
        hardware, runtime = self._hardware()
        findings = (
            Finding(name="System", health=Health.OK, text=hardware.system),
            _processor(hardware),
            _memory(hardware),
            *_graphics(hardware),
            runtime,
            self._models_folder(),
            self._database(),
            self._settings(),
            *self._set_aside(),
            self._keyring(),
            self._network(),
        )
        return DiagnosticReport(findings=findings, hardware=hardware)

    def _hardware(self) -> tuple[Hardware, Finding]:
        listing, problem = None, ""
        try:
            listing = self._list_devices()
        except FiresideError as exc:
            problem = exc.sentence()
        devices = listing.devices if listing is not None else ()
        hardware = hardware_report(
            listing,
            readings=self._memory.read(devices),
            cards=self._memory.cards(),
            problems=self._memory.problems(),
            runtime=self._runtime,
        )
        if listing is None:
            step = "Set up Fireside again, or choose another runtime on the Hardware page."
            return hardware, Finding(name="llama.cpp", health=Health.BROKEN, text=problem, next_step=step)
        backends = ", ".join(hardware.runtime.backends)
        text = f"{hardware.runtime.llama_cpp}, backends: {backends}"
        return hardware, Finding(name="llama.cpp", health=Health.OK, text=text)

    def _models_folder(self) -> Finding:
        folder = self._context.paths.models_folder
        try:
            build_library(self._context).writable_folder()
        except DownloadError as exc:
            return Finding(name="Models folder", health=Health.BROKEN, text=exc.sentence())
        existing = _existing_folder(folder)
        if not os.access(existing, os.W_OK | os.X_OK):
            return Finding(
                name="Models folder",
                health=Health.BROKEN,
                text=f"{folder} cannot be written to.",
                next_step="Make it writable, or choose another with the setting folders.models.",
            )
        free_bytes = shutil.disk_usage(existing).free
        text = f"{folder}, {format_bytes(free_bytes)} free on its disk"
        if free_bytes >= _LOW_DISK:
            return Finding(name="Models folder", health=Health.OK, text=text)
        step = "Most models need more. Remove unused models, or move the library to another drive."
        return Finding(name="Models folder", health=Health.NOTE, text=text, next_step=step)

    def _database(self) -> Finding:
        path = self._context.paths.database_file
        try:
            if self._context.lock.is_locked:
                return Finding(name="Chats", health=Health.OK, text=f"{path}, locked with a passphrase")
            n_bytes = check_database(path, key=self._context.lock.database_key())
        except FiresideError as exc:
            damaged = isinstance(exc, StorageDamaged)
            step = "Restore a backup in the window: menu “Chat”, “Backups…”." if damaged else ""
            return Finding(name="Chats", health=Health.BROKEN, text=exc.sentence(), next_step=step)
        if n_bytes is None:
            folder = _existing_folder(path.parent)
            if not os.access(folder, os.W_OK | os.X_OK):
                text = f"{path} cannot be made: {folder} cannot be written to."
                step = "Make it writable, or choose another folder with the setting folders.data."
                return Finding(name="Chats", health=Health.BROKEN, text=text, next_step=step)
            return Finding(name="Chats", health=Health.OK, text="none yet")
        return Finding(name="Chats", health=Health.OK, text=f"{path}, {format_bytes(n_bytes)}, intact")

    def _settings(self) -> Finding:
        problems = self._context.settings.problems()
        if not problems:
            return Finding(name="Settings", health=Health.OK, text=str(self._context.paths.settings_file))
        text = " ".join(problem.sentence() for problem in problems)
        step = "Open the settings in the window, or correct the file; invalid values are ignored."
        return Finding(name="Settings", health=Health.NOTE, text=text, next_step=step)

    def _set_aside(self) -> list[Finding]:
        paths = self._context.paths
        folders = dict.fromkeys((paths.settings_file.parent, paths.data_folder))
        kept = [path for folder in folders for path in kept_files(folder)]
        if not kept:
            return []
        text = f"Set aside as damaged: {', '.join(map(str, kept))}"
        step = "Nothing reads them. Delete them once you miss nothing."
        return [Finding(name="Damaged files", health=Health.NOTE, text=text, next_step=step)]

    def _keyring(self) -> Finding:
        try:
            backend = asyncio.run(
                TimeLimitedCaller(name="keyring").call(self._find_keyring, limit_s=_KEYRING_S)
            )
        except KeyringUnavailable as exc:
            step = "Only tokens need it; without it they are kept until Fireside closes, or in a file."
            return Finding(name="Keyring", health=Health.NOTE, text=exc.sentence(), next_step=step)
        except TimeoutError:
            step = "Only tokens need it. Open the keyring’s app and check whether it asks for something."
            text = f"The system keyring has not responded for {_KEYRING_S:.0f} seconds."
            return Finding(name="Keyring", health=Health.NOTE, text=text, next_step=step)
        return Finding(name="Keyring", health=Health.OK, text=type(backend).__module__.rpartition(".")[2])

    def _network(self) -> Finding:
        options = hub_options(self._context.settings.resolved())
        text = "allowed, used only on request"
        if options.is_offline:
            text = "off (offline mode, hub.offline)"
        return Finding(name="Network", health=Health.OK, text=text)


def make_doctor(context: StartupContext) -> Doctor:
    """Return the doctor of this computer."""
    spawner = build_spawner(context.paths)
    runtime = runtime_in_use(context)
    return Doctor(
        context,
        list_devices=DeviceLister(
            command=runner_command(), environment=lambda: spawner.environment_of(runtime)
        ),
        memory=DeviceMemory(card_sources(os.environ)),
        find_keyring=system_backend(os.environ),
        runtime=runtime,
    )


def _processor(hardware: Hardware) -> Finding:
    processor = hardware.processor
    features = ", ".join(processor.features) or "features unknown"
    text = f"{processor.name}, {processor.n_cores} cores, {processor.n_threads} threads; {features}"
    return Finding(name="Processor", health=Health.OK, text=text)


def _memory(hardware: Hardware) -> Finding:
    available = hardware.memory_available_bytes
    text = f"{format_bytes(available)} available of {format_bytes(hardware.memory_total_bytes)}"
    if available >= _LOW_MEMORY:
        return Finding(name="Memory", health=Health.OK, text=text)
    step = "Low for a model. Close other programs or unload unused models."
    return Finding(name="Memory", health=Health.NOTE, text=text, next_step=step)


def _graphics(hardware: Hardware) -> list[Finding]:
    findings = []
    for reading in hardware.devices:
        device = reading.device
        text = (
            f"{device.description} ({device.name}), {format_bytes(device.free_bytes)} free of "
            f"{format_bytes(device.total_bytes)}"
        )
        if reading.driver:
            text += f", driver {reading.driver}"
        if reading.same_as:
            text += f"; same GPU as {reading.same_as}, used once"
        findings.append(Finding(name="Graphics", health=Health.OK, text=text))
    if not findings:
        text = "no usable GPU; models run on the CPU"
        findings.append(Finding(name="Graphics", health=Health.OK, text=text))
    findings += [Finding(name="Graphics", health=Health.NOTE, text=problem) for problem in hardware.problems]
    return findings


def _existing_folder(folder: Path) -> Path:
    """Return the folder, or its nearest parent that exists."""
    return next((each for each in (folder, *folder.parents) if each.is_dir()), folder)
