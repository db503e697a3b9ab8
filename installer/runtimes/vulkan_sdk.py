"""The Vulkan SDK for the build: the system's if it is new enough, else Debian's newer packages.

The headers and the shader compiler of Debian 12 are too old. Those of Debian 13 are unpacked into a separate
folder, checked by apt against Debian's key; nothing is installed.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from provision.backend import OLDEST_VULKAN_HEADERS
from provision.console import Task
from provision.failure import SetupFailure
from provision.process import Program, run_program
from provision.toolchains import Vulkan, find_toolchains

_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_SOURCES = """\
Types: deb
URIs: http://deb.debian.org/debian
Suites: trixie
Components: main
Signed-By: {keyring}
"""
_PACKAGES = (
    "libvulkan-dev",
    "libvulkan1",
    "spirv-headers",
    "glslc",
    # Libraries of the compiler, newer than the system's.
    "libc6",
    "libstdc++6",
    "libgcc-s1",
    "libshaderc1",
)


def vulkan_options(work: Path, *, task: Task, log: Path) -> tuple[str, ...]:
    """Return CMake's options for Vulkan. Raises SetupFailure if there is no SDK."""
    vulkan = find_toolchains().vulkan
    if _is_new_enough(vulkan):
        return ()
    root = work / "vulkan-sdk"
    if not (root / "ready").exists():
        _fetch(root, task=task, log=log)
    return (
        f"-DVulkan_INCLUDE_DIR={root / 'usr/include'}",
        f"-DVulkan_LIBRARY={root / 'usr/lib' / _triplet(root) / 'libvulkan.so.1'}",
        f"-DVulkan_GLSLC_EXECUTABLE={root / 'glslc'}",
        f"-DSPIRV-Headers_DIR={root / 'usr/share/cmake/SPIRV-Headers'}",
    )


def _is_new_enough(vulkan: Vulkan) -> bool:
    has_headers = vulkan.headers is not None and vulkan.headers >= OLDEST_VULKAN_HEADERS
    return has_headers and vulkan.glslc is not None and vulkan.has_loader and vulkan.has_spirv_headers


def _fetch(root: Path, *, task: Task, log: Path) -> None:
    if shutil.which("apt-get") is None or not _KEYRING.is_file():
        raise SetupFailure(
            sentence="The Vulkan SDK that is here is too old, or there is none.",
            advice="Install the one from lunarg.com, set VULKAN_SDK to its folder, and run this again.",
        )
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("apt/lists/partial", "apt/cache/archives/partial", "packages"):
        (root / folder).mkdir(parents=True)
    (root / "apt/status").touch()
    (root / "apt/trixie.sources").write_text(_SOURCES.format(keyring=_KEYRING), encoding="utf-8")
    run = _runner(task, log=log)
    task.progress("fetching Debian's newer Vulkan headers and shader compiler")
    options = _apt_options(root / "apt")
    run(["apt-get", *options, "update"], root)
    run(["apt-get", *options, "download", *_PACKAGES], root / "packages")
    for package in sorted((root / "packages").glob("*.deb")):
        run(["dpkg-deb", "--extract", str(package), str(root)], root)
    _write_compiler(root)
    (root / "ready").touch()


def _apt_options(apt: Path) -> list[str]:
    """Return options that confine apt to a separate folder: it neither reads nor writes the system's."""
    values = {
        "Dir::Etc::SourceList": apt / "trixie.sources",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State": apt,
        "Dir::State::lists": apt / "lists",
        "Dir::State::status": apt / "status",
        "Dir::Cache": apt / "cache",
    }
    return [f"--option={name}={value}" for name, value in values.items()]


def _runner(task: Task, *, log: Path) -> Callable[[list[str], Path], None]:
    def run(command: list[str], folder: Path) -> None:
        run_program(
            Program(
                command=command,
                folder=folder,
                log=log,
                failed="Debian's packages for Vulkan could not be fetched.",
                advice="Is there a network? Then run the same command again.",
            ),
            on_tick=task.tick,
        )

    return run


def _write_compiler(root: Path) -> None:
    """Write a script that runs the shader compiler with its own libraries."""
    libraries = root / "usr/lib" / _triplet(root)
    loader = next(libraries.glob("ld-linux*.so*"))
    command = (str(loader), "--library-path", str(libraries), str(root / "usr/bin/glslc"))
    script = root / "glslc"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    subprocess.run([script, "--version"], check=True, capture_output=True)


def _triplet(root: Path) -> str:
    return next(folder.parent.name for folder in (root / "usr/lib").glob("*/libshaderc*"))
