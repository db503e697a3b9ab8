"""The installer for Windows, built here and run in Wine with a program that only says how it was called.

Needs makensis, mingw-w64 and wine64. `make test-installers`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from release.windows import COMPILER, make_setup

WINE = shutil.which("wine64") or next((p for p in ("/usr/lib/wine/wine64",) if Path(p).exists()), None)
PROGRAM = """
#include <stdio.h>
#include <windows.h>
int main(void)
{
    FILE *file = fopen("C:\\\\said", "w");
    fprintf(file, "%ls", GetCommandLineW());
    fclose(file);
    return 7;
}
"""

pytestmark = [
    pytest.mark.skipif(not os.environ.get("FIRESIDE_INSTALLERS"), reason="make test-installers"),
    pytest.mark.skipif(
        not (WINE and shutil.which(COMPILER) and shutil.which("makensis")),
        reason="needs makensis, mingw-w64 and wine64",
    ),
    pytest.mark.timeout(600),
]


class Windows:
    """A Windows of Wine with one user."""

    def __init__(self, folder: Path) -> None:
        self.drive = folder / "drive_c"
        self._variables = {
            "WINEPREFIX": str(folder),
            "WINEDEBUG": "-all",
            "HOME": str(folder),
            "PATH": os.defpath,
            "USER": "anna",
        }

    @property
    def home(self) -> Path:
        (folder,) = (path for path in (self.drive / "users").iterdir() if path.name != "Public")
        return folder

    @property
    def program(self) -> Path:
        return self.home / "AppData/Local/Programs/Fireside"

    @property
    def shortcut(self) -> Path:
        return self.home / "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Fireside.lnk"

    def run(self, *words: str | Path) -> int:
        assert WINE is not None
        done = subprocess.run([WINE, *words], env=self._variables, capture_output=True, check=False)
        return done.returncode

    def ask(self, *words: str) -> str:
        assert WINE is not None
        done = subprocess.run([WINE, *words], env=self._variables, capture_output=True, text=True, check=True)
        return done.stdout

    def end(self) -> None:
        """Let Wine write its registry and end."""
        server = Path(WINE or "").with_name("wineserver")
        subprocess.run([server, "--kill"], env=self._variables, check=False)


def build(folder: Path, *, version: str) -> Path:
    """Build the installer of a version; return it."""
    tree, source = folder / version, folder / "program.c"
    (tree / "lib").mkdir(parents=True)
    (tree / "lib" / f"only in {version} ü.txt").touch()
    source.write_text(PROGRAM)
    linked = ("-Wl,--no-insert-timestamp", "-o", str(tree / "pythonw.exe"))
    subprocess.run([COMPILER, source, *linked], check=True)
    setup = folder / f"FiresideSetup-{version}.exe"
    make_setup(tree, version=version, setup=setup)
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

        windows.run(windows.program / "Uninstall.exe", "/S")
        end = time.monotonic() + 60
        while windows.program.exists() and time.monotonic() < end:
            time.sleep(0.2)  # it goes on from a copy of itself
        assert not windows.program.exists()
        assert not windows.shortcut.exists()
        assert chats.is_dir()
    finally:
        windows.end()
    assert "Fireside.gguf" not in (tmp_path / "wine" / "user.reg").read_text(errors="replace")


def test_the_installer_is_the_same_wherever_it_was_made(tmp_path: Path) -> None:
    written = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        written.append(build(tmp_path / name, version="1.0").read_bytes())
    assert written[0] == written[1]
