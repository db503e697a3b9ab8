"""Devices are listed by a process of its own, with the real runner and with ones that go wrong."""

from __future__ import annotations

import sys

import pytest

from fakes.children import child_environment
from fakes.raised import refuses
from fireside.core.status import DeviceKind
from fireside.engine.devices.device_listing import DeviceLister
from fireside.engine.processes.guarded_process import ProcessLimits
from fireside.engine.processes.runner_process import runner_command
from fireside.wire.runner_modes import MAX_LISTING_BYTES


def lister(source: str, *, limits: ProcessLimits | None = None) -> DeviceLister:
    """Return what lists with a process that does what ``source`` says."""
    return DeviceLister(
        command=(sys.executable, "-c", source),
        environment=child_environment,
        limits=ProcessLimits(time_s=30.0, reply_bytes=MAX_LISTING_BYTES) if limits is None else limits,
    )


def test_the_real_runner_lists_its_processor_and_what_it_was_built_with() -> None:
    listing = DeviceLister(command=runner_command(), environment=child_environment)()
    (processor,) = (device for device in listing.devices if device.kind is DeviceKind.CPU)
    assert processor.description
    assert 0 < processor.free_bytes <= processor.total_bytes
    backends = {backend.name: backend for backend in listing.backends}
    assert backends["CPU"].features
    assert "ggml" in listing.llama_cpp


def test_computing_on_other_machines_is_never_listed_by_itself() -> None:
    listing = DeviceLister(command=runner_command(), environment=child_environment)()
    assert "RPC" not in {backend.name for backend in listing.backends}
    assert "RPC" not in {device.backend for device in listing.devices}


def test_a_server_that_does_not_answer_is_told_and_left_out() -> None:
    environment = {**child_environment(), "FIRESIDE_RPC_SERVERS": "192.0.2.1:50052"}
    listing = DeviceLister(command=runner_command(), environment=lambda: environment)()
    (note,) = listing.notes
    assert "192.0.2.1:50052" in note
    assert "RPC" not in {backend.name for backend in listing.backends}


@pytest.mark.parametrize(
    "source",
    [
        "import os; os.abort()",
        "print('not JSON')",
        "print('{}')",
        "import sys; sys.stdout.buffer.write(b'\\xff\\xfe')",
        "",
    ],
)
def test_a_process_that_crashes_or_talks_nonsense_is_an_error_in_words(source: str) -> None:
    with refuses("runner_start_failed", match="graphics driver"):
        lister(source)()


def test_a_process_that_never_ends_is_ended() -> None:
    limits = ProcessLimits(time_s=0.5, reply_bytes=MAX_LISTING_BYTES)
    with refuses("runner_start_failed", match=r"takes too long.*driver"):
        lister("import time; time.sleep(600)", limits=limits)()


def test_a_process_that_says_too_much_is_ended() -> None:
    with refuses("runner_start_failed", match="without end"):
        lister("while True: print('x' * 4096)")()


def test_a_program_that_is_not_there_is_an_error_in_words() -> None:
    missing = DeviceLister(command=("/nowhere/runner",), environment=child_environment)
    with refuses("runner_start_failed"):
        missing()
