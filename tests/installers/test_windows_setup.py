"""The installer for Windows, built here and run in Wine with a program that only says how it was called.

Needs makensis, mingw-w64 and wine64. `make test-installers`.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.wine import WINE, Windows, make_program
from fireside.updates.version_folders import VersionFolders
from provision.layout import find_layout
from release.windows import COMPILER, make_launcher, make_setup

pytestmark = [
    pytest.mark.skipif(not os.environ.get("FIRESIDE_INSTALLERS"), reason="make test-installers"),
    pytest.mark.skipif(
        not (WINE and shutil.which(COMPILER) and shutil.which("makensis")),
        reason="needs makensis, mingw-w64 and wine64",
    ),
    pytest.mark.timeout(600),
]


IS_OF_THE_WINDOWS = 2
"""The subsystem of a program that gets no console."""
SIGN = find_layout().root / "installer" / "windows" / "sign.sh"


def build(folder: Path, *, version: str, sign: Path | None = None) -> Path:
    """Build the installer of a version; return it."""
    tree = folder / version
    (tree / "lib").mkdir(parents=True)
    (tree / "lib" / f"only in {version} ü.txt").touch()
    make_program(tree / "pythonw.exe")
    setup = folder / f"FiresideSetup-{version}.exe"
    make_setup(tree, version=version, setup=setup, sign=sign)
    return setup


def test_it_installs_opens_files_is_upgraded_and_removed(tmp_path: Path) -> None:
    windows = Windows(tmp_path / "wine")
    try:
        assert windows.run(build(tmp_path, version="1.0"), "/S") == 0
        chats = windows.home / "AppData/Local/Fireside/data"
        chats.mkdir(parents=True)
        assert windows.shortcut.exists()
        assert windows.run(windows.program / "Fireside.exe", "C:\\a b.gguf") == 7
        said = (windows.drive / "said").read_text()
        assert said.endswith('\\versions\\1.0\\pythonw.exe" -I -m fireside "C:\\a b.gguf"')
        command = windows.ask("reg", "query", "HKCU\\Software\\Classes\\Fireside.gguf\\shell\\open\\command")
        assert 'Programs\\Fireside\\Fireside.exe" "%1"' in command

        assert windows.run(build(tmp_path, version="2.0"), "/S") == 0
        assert {path.name for path in (windows.program / "versions").iterdir()} == {"1.0", "2.0"}
        windows.run(windows.program / "Fireside.exe")
        assert "\\versions\\2.0\\" in (windows.drive / "said").read_text()

        windows.uninstall()
        assert not windows.program.exists()
        assert not windows.shortcut.exists()
        assert chats.is_dir()
    finally:
        windows.end()
    assert "Fireside.gguf" not in (tmp_path / "wine" / "user.reg").read_text(errors="replace")


def test_a_server_opens_no_console_and_ends_when_its_task_is_ended(tmp_path: Path) -> None:
    windows = Windows(tmp_path / "wine")
    try:
        assert windows.run(build(tmp_path, version="1.0"), "/S") == 0
        started = windows.program / "Fireside.exe"
        content = started.read_bytes()
        (header,) = struct.unpack_from("<I", content, 0x3C)
        assert struct.unpack_from("<H", content, header + 0x5C) == (IS_OF_THE_WINDOWS,)
        serving = windows.start(started, "serve")
        alive = windows.drive / "alive"
        until(alive.exists)
        windows.run("taskkill", "/f", "/im", "Fireside.exe")
        serving.wait(60)

        def is_still() -> bool:
            alive.unlink(missing_ok=True)
            time.sleep(1)
            return not alive.exists()

        until(is_still)
    finally:
        windows.end()


def until(is_so: Callable[[], bool]) -> None:
    """Return when ``is_so``; fail after a minute."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_version_that_does_not_open_its_window_gives_way_to_the_one_before(tmp_path: Path) -> None:
    windows = Windows(tmp_path / "wine")
    try:
        for version in ("1.0", "2.0"):
            assert windows.run(build(tmp_path, version=version), "/S") == 0
        # As an update leaves them.
        folders = VersionFolders(windows.program)
        (windows.program / "current").write_text("1.0\r\n")
        folders.activate("2.0")

        def started(*arguments: str) -> str:
            assert windows.run(windows.program / "Fireside.exe", *arguments) == 7
            return (windows.drive / "said").read_text().partition("\\versions\\")[2].partition("\\")[0]

        assert [started() for _ in range(3)] == ["2.0", "2.0", "1.0"]
        assert started("C:\\a.gguf") == "2.0", "a file that is opened says nothing of the window"
        folders.confirm_start("1.0")
        assert (folders.current().version, folders.failed()) == ("1.0", "2.0")
        assert started() == "1.0"

        folders.activate("2.0")
        folders.confirm_start("2.0")
        assert [started() for _ in range(3)] == ["2.0", "2.0", "2.0"]
        shutil.rmtree(folders.tree("2.0"))
        assert started("C:\\a.gguf") == "1.0"

        (windows.program / "seen.json").touch()
        (windows.program / "downloads").mkdir()
        windows.uninstall()
        assert not windows.program.exists()
    finally:
        windows.end()


def test_the_installer_is_the_same_wherever_it_was_made(tmp_path: Path) -> None:
    written = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        written.append(build(tmp_path / name, version="1.0").read_bytes())
    assert written[0] == written[1]


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for programs that signs itself, and its key; return both."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=A test",
            ),
            *("-addext", "extendedKeyUsage=codeSigning", "-out", certificate, "-keyout", key),
        ],
        check=True,
        capture_output=True,
    )
    return certificate, key


@pytest.mark.skipif(shutil.which("osslsigncode") is None, reason="needs osslsigncode")
def test_every_program_of_ours_is_signed_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = make_certificate(tmp_path)
    monkeypatch.setenv("FIRESIDE_CERTIFICATE", str(certificate))
    monkeypatch.setenv("FIRESIDE_KEY", str(key))
    setup = build(tmp_path, version="1.0", sign=SIGN)
    launcher = tmp_path / "bin" / "fireside.exe"
    make_launcher(launcher, sign=SIGN)
    windows = Windows(tmp_path / "wine")
    try:
        assert windows.run(setup, "/S") == 0
        assert windows.run(windows.program / "Fireside.exe") == 7
        installed = (windows.program / "Fireside.exe", windows.program / "Uninstall.exe")
        for file in (setup, launcher, *installed):
            command = ("osslsigncode", "verify", "-CAfile", certificate, "-in", file)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{file.name}: {done.stdout}{done.stderr}"
        windows.uninstall()
        assert not windows.program.exists()
    finally:
        windows.end()
