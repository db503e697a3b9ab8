"""The whole folder for Windows with its real packages, installed by the real installer in Wine.

Python alone is a stand-in, which says how it was called: Wine cannot load PySide6 anyway.
Needs makensis, mingw-w64 and wine64. `make test-installers`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from fakes.wine import WINE, Windows, make_program
from provision.layout import find_layout
from release.notices import NOTICES, SBOM
from release.windows import COMPILER, make_setup
from release.windows_tree import WindowsParts, assemble_for_windows, fetch_packages

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
OBJDUMP = "x86_64-w64-mingw32-objdump"
SYSTEM = re.compile(
    r"api-ms-win-.*|(?:advapi|authz|bcrypt|bcryptprimitives|comctl|comdlg"
    r"|crypt|d2d1|d3d\d+|dbghelp|dcomp|dnsapi|dwmapi|dwrite|dxgi"
    r"|gdi|icuin|icuuc|imm|iphlpapi|kernel|mpr|msvcrt|ncrypt|netapi|ntdll|ole|oleaut|opengl|pdh|powrprof|propsys"
    r"|psapi|rpcrt|secur|setupapi|shcore|shell|shlwapi|ucrtbase|user|userenv|uxtheme|version|winmm|ws2_|wtsapi"
    r"|cfgmgr|credui|ktmw|loadperf|lz|msimg|ntdsapi|odbc|oleacc|rasapi|sfc|urlmon|wininet"
    r"|uiautomationcore|runtimeobject|usp10|normaliz|winhttp|mswsock|synchronization)(?:32|10|)\.dll"
    r"|winspool\.drv"
)
"""What Windows 10 has itself."""

pytestmark = [
    pytest.mark.skipif(not os.environ.get("FIRESIDE_INSTALLERS"), reason="make test-installers"),
    pytest.mark.skipif(
        not (WINE and shutil.which(COMPILER) and shutil.which("makensis")),
        reason="needs makensis, mingw-w64 and wine64",
    ),
    pytest.mark.timeout(1800),
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    layout = find_layout()
    runtimes = list((layout.build / "runtimes").glob("portable-*-windows-x86_64.tar.xz"))
    if not runtimes:
        pytest.skip("needs installer/runtimes/build.py windows")
    folder = tmp_path_factory.mktemp("windows")
    parts = WindowsParts(
        layout=layout, python=stand_in(folder), compiler=Path(sys.executable), runtime=runtimes[0]
    )
    fetch_packages(parts, target=folder / "packages")
    assemble_for_windows(folder / "tree", parts, packages=folder / "packages", program_version="1.0")
    return folder / "tree"


def stand_in(folder: Path) -> Path:
    """Return an archive that is laid out like the embeddable Python."""
    program = folder / "python.exe"
    make_program(program)
    archive = folder / f"python-{VERSION}.0-embed-amd64.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for name in ("python.exe", "pythonw.exe"):
            zipped.write(program, name)
        zipped.writestr(f"python{VERSION.replace('.', '')}._pth", "python.zip\n.\n#import site\n")
        zipped.writestr("LICENSE.txt", "The licence of Python.")
    return archive


def test_everything_that_is_loaded_is_in_it_or_in_windows(tree: Path) -> None:
    files = [path for path in tree.rglob("*") if path.suffix in (".dll", ".pyd", ".exe")]
    own = {path.name.lower() for path in files} | {"python3.dll", f"python{VERSION.replace('.', '')}.dll"}
    missing = {}
    for file in files:
        headers = subprocess.run([OBJDUMP, "-p", file], capture_output=True, text=True, check=False).stdout
        needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)", headers)}
        if lacking := {name for name in needed - own if SYSTEM.fullmatch(name) is None}:
            missing[file.relative_to(tree).as_posix()] = lacking
    assert len(files) > 50
    listed = next(tree.glob("python3*._pth")).read_text().splitlines()[1:]
    assert all((tree / line.replace("\\", "/")).is_dir() for line in listed)
    assert (tree / "Lib/site-packages/win32/lib/pywintypes.py").is_file()
    assert missing == {}


def test_every_module_has_its_byte_code_and_every_work_its_licence(tree: Path) -> None:
    packages = tree / "Lib/site-packages"
    sources = set(packages.rglob("*.py"))
    compiled = {path.parents[1] / f"{path.name.split('.')[0]}.py" for path in packages.rglob("*.pyc")}
    assert sources - compiled == set()
    assert (packages / "fireside/_resources/icons/fireside.svg").is_file()
    assert "pywin32-ctypes" in (tree / NOTICES).read_text(encoding="utf-8")
    assert '"colorama"' in (tree / SBOM).read_text(encoding="utf-8")


def test_the_whole_of_it_is_installed_started_upgraded_and_removed(tree: Path, tmp_path: Path) -> None:
    windows = Windows(tmp_path / "wine")
    setup = tmp_path / "FiresideSetup.exe"
    make_setup(tree, version="1.0", setup=setup)
    sys.stdout.write(f"{setup.name}: {setup.stat().st_size / 1e6:.1f} MB\n")
    try:
        assert windows.run(setup, "/S") == 0
        installed = windows.program / "versions" / "1.0"
        assert _files(installed) == _files(tree)
        assert windows.run(installed / "bin/fireside.exe", "--self-test") == 7
        assert (windows.drive / "said").read_text().endswith('1.0\\python.exe" -I -m fireside --self-test')
        assert windows.run(windows.program / "Fireside.exe") == 7

        make_setup(tree / "share", version="2.0", setup=setup)
        assert windows.run(setup, "/S") == 0
        assert (windows.program / "current").read_text().split()[0] == "2.0"
        assert _files(installed) == _files(tree)

        windows.uninstall()
        assert not windows.program.exists()
    finally:
        windows.end()


def _files(folder: Path) -> dict[str, int]:
    return {
        path.relative_to(folder).as_posix(): path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file()
    }
