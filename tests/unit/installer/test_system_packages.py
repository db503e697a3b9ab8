"""Installing by apt: another installation is waited for, and everything else fails at once."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from provision import system_packages
from provision.console import Console
from provision.failure import SetupFailure
from provision.system_packages import install_with_apt

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="apt is played by a shell script")
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (apt-get)"


class Apt:
    """Stands in for ``apt-get`` and notes how it was called; ``fails`` with what is in the file once."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._calls, self._failure = folder / "calls", folder / "failure"
        self.log = folder / "log"
        program = folder / "apt-get"
        program.write_text(
            "#!/bin/sh\n"
            f'echo "$1" >> {self._calls}\n'
            f"said={self._failure}.$1\n"
            '[ -e "$said" ] || exit 0\n'
            '/bin/cat "$said"; /bin/rm "$said"; exit 100\n'
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))
        monkeypatch.setattr(system_packages, "LOCK_PAUSE_S", 0.0)

    def fails(self, command: str, *, saying: str) -> None:
        self._failure.with_name(f"failure.{command}").write_text(saying + "\n")

    def install(self) -> str:
        """Return what the user saw."""
        seen = io.StringIO()
        clock = iter(range(0, 10_000, 100))
        with Console(stream=seen, clock=lambda: float(next(clock))).task("System packages") as task:
            install_with_apt(("libegl1", "gcc"), task=task, log=self.log)
        return seen.getvalue()

    @property
    def calls(self) -> list[str]:
        return self._calls.read_text().split()


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Apt:
    return Apt(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("command", "calls"),
    [("update", ["update", "update", "install"]), ("install", ["update", "install", "install"])],
)
def test_another_installation_is_waited_for_and_named(apt: Apt, command: str, calls: list[str]) -> None:
    apt.fails(command, saying=LOCKED)
    assert "waiting until process 4711 (apt-get) releases the package system" in apt.install()
    assert apt.calls == calls


def test_without_its_holder_the_lock_is_waited_for_too(apt: Apt) -> None:
    apt.fails("install", saying="E: Could not get lock /var/lib/dpkg/lock - open (11)")
    assert "waiting until another installation releases the package system" in apt.install()


def test_the_wait_has_an_end(apt: Apt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_packages, "LOCK_WAIT_S", -1.0)
    apt.fails("install", saying=LOCKED)
    with pytest.raises(SetupFailure, match="could not be installed"):
        apt.install()
    assert apt.calls == ["update", "install"]


def test_a_broken_source_does_not_keep_the_packages_away(apt: Apt) -> None:
    apt.fails("update", saying="E: The repository is not signed.")
    apt.install()
    assert apt.calls == ["update", "install"]


def test_what_is_not_a_lock_fails_at_once(apt: Apt) -> None:
    apt.fails("install", saying="E: Unable to locate package libegl1")
    with pytest.raises(SetupFailure) as caught:
        apt.install()
    assert "apt-get install -y --no-install-recommends libegl1 gcc" in caught.value.advice
    assert apt.calls == ["update", "install"]
