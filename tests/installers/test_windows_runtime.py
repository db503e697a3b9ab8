"""The llama.cpp for Windows that is compiled on Linux, tried in Wine. `make test-installers`.

It needs wine64, mingw-w64 and what `installer/runtimes/build.py windows` made. Wine cannot show whether the
stack is aligned as Windows leaves it, so the code itself is looked at for that.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from provision import starter_model
from provision.layout import find_layout
from runtimes.build import job_for
from runtimes.kinds import KINDS

COMPILER, OBJDUMP = "x86_64-w64-mingw32-gcc-posix", "x86_64-w64-mingw32-objdump"
WINE = shutil.which("wine64") or next((p for p in ("/usr/lib/wine/wine64",) if Path(p).exists()), None)
ALIGNED_ON_STACK = re.compile(r"\bvmov(?:aps|apd|dqa\w*)\s(?=.*%[yz]mm)(?=.*\(%r[sb]p)")
"""A move between the stack and a wide register that faults where the stack is aligned to 16 bytes only."""
SYSTEM = frozenset({"advapi32.dll", "kernel32.dll", "msvcrt.dll", "user32.dll", "ws2_32.dll", "shell32.dll"})

pytestmark = [
    pytest.mark.skipif(not os.environ.get("FIRESIDE_INSTALLERS"), reason="make test-installers"),
    pytest.mark.skipif(not (WINE and shutil.which(COMPILER)), reason="needs wine64 and mingw-w64"),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The libraries, with a program beside them that answers one question."""
    layout = find_layout()
    archives = list((layout.build / "runtimes").glob("portable-*-windows-x86_64.tar.xz"))
    if not archives:
        pytest.skip("needs installer/runtimes/build.py windows")
    target = tmp_path_factory.mktemp("windows")
    with tarfile.open(archives[0]) as tar:
        tar.extractall(target, filter="data")
    (libraries,) = target.iterdir()
    source = job_for(KINDS["windows"], layout=layout).source
    subprocess.run(
        [
            COMPILER,
            Path(__file__).with_name("answer.c"),
            f"-I{source}/include",
            f"-I{source}/ggml/include",
            libraries / "libllama.dll",
            next(libraries.glob("*ggml.dll")),
            "-o",
            libraries / "answer.exe",
        ],
        check=True,
    )
    return libraries


def answer(libraries: Path, *, prefix: Path) -> subprocess.CompletedProcess[str]:
    """Ask the starter model within Wine; ``prefix`` is its folder."""
    assert WINE is not None
    model = find_layout().models / starter_model.FILE
    return subprocess.run(
        [WINE, libraries / "answer.exe", f"Z:{model}"],
        env={"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "HOME": str(prefix), "PATH": os.defpath},
        cwd=libraries,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_best_module_is_chosen_and_answers(folder: Path, tmp_path: Path) -> None:
    done = answer(folder, prefix=tmp_path / "wine")
    assert "Paris" in done.stdout, done.stderr[-2000:]
    assert "load_backend: loaded CPU backend" in done.stderr


def test_every_module_answers_that_this_processor_can_run(folder: Path, tmp_path: Path) -> None:
    ran = set()
    for module in sorted(folder.glob("ggml-cpu-*.dll")):
        alone = tmp_path / module.stem
        shutil.copytree(folder, alone, ignore=shutil.ignore_patterns("ggml-cpu-*"))
        shutil.copyfile(module, alone / module.name)
        done = answer(alone, prefix=tmp_path / "wine")
        if "loaded CPU backend" in done.stderr:
            assert "Paris" in done.stdout, f"{module.name}: {done.stderr[-2000:]}"
            ran.add(module.stem.removeprefix("ggml-cpu-"))
        shutil.rmtree(alone)
    assert {"x64", "sse42"} <= ran


def test_no_library_is_needed_that_windows_does_not_have(folder: Path) -> None:
    own = {path.name.lower() for path in folder.glob("*.dll")}
    for library in folder.glob("*.dll"):
        disassembly = subprocess.run(
            [OBJDUMP, "-p", library], capture_output=True, text=True, check=True
        ).stdout
        needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)", disassembly)}
        assert needed <= own | SYSTEM, library.name


def test_no_wide_register_is_kept_on_the_stack_as_if_it_were_aligned(folder: Path) -> None:
    for module in folder.glob("ggml-cpu-*.dll"):
        with subprocess.Popen(
            [OBJDUMP, "-d", "--no-show-raw-insn", module], stdout=subprocess.PIPE, text=True
        ) as disassembly:
            assert disassembly.stdout is not None
            aligned = [line for line in disassembly.stdout if ALIGNED_ON_STACK.search(line)]
        assert aligned == [], module.name
