"""PulseAudio of a test's own: speakers that play to nobody, and hear what they play."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fakes.component_index import component_store
from fireside.settings.paths import locate

SINKS = ("box", "headphones")
PULSEAUDIO, PACTL = shutil.which("pulseaudio"), shutil.which("pactl")
COMPONENT = component_store(locate(os.environ).data_folder).folder_of("speech")
"""Of the user: found before each test has a home of its own."""

needs_pulseaudio = pytest.mark.skipif(
    None in (PULSEAUDIO, PACTL, COMPONENT), reason="PulseAudio or the component for speech is not installed"
)


def pactl(*arguments: str) -> str:
    """Ask the server of ``pulseaudio``."""
    assert PACTL is not None
    return subprocess.run(
        (PACTL, *arguments), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    ).stdout.decode()


@contextmanager
def pulseaudio(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a server with ``SINKS`` in the test's runtime folder; what either plays is a microphone."""
    assert PULSEAUDIO is not None
    socket = Path(os.environ["XDG_RUNTIME_DIR"]) / "pulse.sock"
    modules = [f"module-native-protocol-unix socket={socket}"]
    modules += [
        f"module-null-sink sink_name={name} sink_properties=device.description={name}" for name in SINKS
    ]
    loads = (word for module in modules for word in ("-L", module))
    options = ("-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no")
    with subprocess.Popen((PULSEAUDIO, *options, *loads), stderr=subprocess.DEVNULL) as server:
        try:
            patch.setenv("PULSE_SERVER", f"unix:{socket}")
            while len(pactl("list", "short", "sinks").splitlines()) < len(SINKS):
                assert server.poll() is None, "it ended by itself"
                time.sleep(0.05)
            yield
        finally:
            server.terminate()


def use_real_devices(folder: Path) -> None:
    """Put the library for devices into ``folder``, that of a component with stand-ins."""
    assert COMPONENT is not None
    for path in COMPONENT.glob("*miniaudio.*"):  # and its native half
        shutil.copy(path, folder)
