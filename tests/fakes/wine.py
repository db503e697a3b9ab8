"""A Windows of Wine with one user, and a program for it that only says how it was called."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

from release.windows import COMPILER

WINE = shutil.which("wine64") or next((p for p in ("/usr/lib/wine/wine64",) if Path(p).exists()), None)
PROGRAM = """
#include <stdio.h>
#include <windows.h>
int main(void)
{
    FILE *file = fopen("C:\\\\said", "w");
    fprintf(file, "%ls", GetCommandLineW());
    fclose(file);
    while (wcsstr(GetCommandLineW(), L"serve")) {
        fclose(fopen("C:\\\\alive", "w"));
        Sleep(50);
    }
    return 7;
}
"""


def make_program(target: Path) -> None:
    """Compile the program. It writes its command line into ``C:\\said`` and ends with 7; with ``serve`` it
    goes on, and makes ``C:\\alive`` anew as long as it does."""
    source = target.with_suffix(".c")
    source.write_text(PROGRAM)
    subprocess.run([COMPILER, source, "-Wl,--no-insert-timestamp", "-o", target], check=True)
    source.unlink()


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

    def start(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        assert WINE is not None
        return subprocess.Popen([WINE, *arguments], env=self._variables)

    def run(self, *arguments: str | Path) -> int:
        assert WINE is not None
        done = subprocess.run([WINE, *arguments], env=self._variables, capture_output=True, check=False)
        return done.returncode

    def ask(self, *arguments: str) -> str:
        assert WINE is not None
        done = subprocess.run(
            [WINE, *arguments], env=self._variables, capture_output=True, text=True, check=True
        )
        return done.stdout

    def uninstall(self) -> None:
        """Run the uninstaller, which goes on from a copy of itself, and wait until the program is gone."""
        self.run(self.program / "Uninstall.exe", "/S")
        end = time.monotonic() + 60
        while self.program.exists() and time.monotonic() < end:
            time.sleep(0.2)

    def end(self) -> None:
        """Let Wine write its registry and end."""
        server = Path(WINE or "").with_name("wineserver")
        subprocess.run([server, "--kill"], env=self._variables, check=False)
