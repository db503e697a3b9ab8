"""Collect the compiled libraries in a flat folder with a manifest, and pack it."""

from __future__ import annotations

import hashlib
import json
import lzma
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path

from provision.failure import SetupFailure
from release.elf import OPENMP, elf_files, find_library, read_needs

MANIFEST_NAME = "runtime.json"
BROKEN_WITH_GCC = "ggml-cpu-sapphirerapids"
"""GCC drops the tile configuration of AMX just before its use, and the first matrix product crashes:
https://github.com/ggml-org/llama.cpp/pull/26954. Such processors load the module of an older generation."""

_LICENCES = Path(__file__).resolve().parents[1] / "licences"
_LIBRARY = re.compile(r"(?:lib)?[a-z][a-z0-9_-]*\.(?:so(?:\.\d+)*|(?:\d+\.)*dylib|dll)")
_BACKENDS = {
    "cuda": "CUDA",
    "hip": "ROCm",
    "metal": "Metal",
    "sycl": "SYCL",
    "vulkan": "Vulkan",
    "cpu": "CPU",
}
_SYSTEMS = {"win32": "windows", "darwin": "macos"}
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_VERSION = re.compile(r"set\(LLAMA_VERSION_(MAJOR|MINOR|PATCH) (\d+)\)")


def collect(build_folder: Path, *, source: Path, target: Path, strip: str = "strip") -> None:
    """Copy libraries and licence into the new folder ``target``. Links among the libraries stay links.

    ``strip`` is the program that removes their symbols.
    """
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for file in sorted(build_folder.iterdir()):
        if _LIBRARY.fullmatch(file.name) and BROKEN_WITH_GCC not in file.name:
            shutil.copy2(file, target / file.name, follow_symlinks=False)
    shutil.copyfile(source / "LICENSE", target / "LICENSE")
    _strip(target, program=strip)
    _add_openmp(target)


def write_manifest(folder: Path, *, name: str, llama_cpp: str, binding: str, system: str) -> None:
    """Write the manifest of a runtime for ``system``, with a digest of every file."""
    files = sorted(file for file in folder.iterdir() if file.name != MANIFEST_NAME)
    manifest = {
        "name": name,
        "llama_cpp": llama_cpp,
        "binding": binding,
        "backends": backends_among(file.name for file in files),
        "platform": system,
        "files": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files},
        "licence": "MIT",
    }
    (folder / MANIFEST_NAME).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def backends_among(names: Iterable[str]) -> list[str]:
    """Return the backends among the names of libraries, as Fireside names them."""
    modules = [name.removeprefix("lib") for name in names]
    return [
        backend
        for key, backend in _BACKENDS.items()
        if any(module.startswith(f"ggml-{key}") for module in modules)
    ]


def llama_cpp_version(source: Path) -> str:
    """Return the version in llama.cpp's source."""
    text = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    parts = dict(_VERSION.findall(text))
    if len(parts) != 3:
        raise SetupFailure(
            sentence="llama.cpp's source does not say its version where it used to.",
            advice="Look at LLAMA_VERSION in its CMakeLists.txt and at installer/runtimes/packing.py.",
        )
    return f"{parts['MAJOR']}.{parts['MINOR']}.{parts['PATCH']}"


def this_platform() -> str:
    """Return Fireside's name of this platform, such as ``linux-x86_64``."""
    machine = platform.machine().lower()
    return f"{_SYSTEMS.get(sys.platform, sys.platform)}-{_MACHINES.get(machine, machine)}"


def pack(folder: Path, *, archive: Path, preset: int = 6) -> None:
    """Pack a folder as ``tar.xz``, reproducibly. ``preset`` is xz's, 0 to 9."""

    def without_metadata(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = 0
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        return member

    archive.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(archive, "wb", preset=preset) as file, tarfile.open(fileobj=file, mode="w") as tar:
        for path in sorted(folder.iterdir()):
            tar.add(path, arcname=f"{folder.name}/{path.name}", filter=without_metadata)


def _add_openmp(folder: Path) -> None:
    """Add OpenMP's library and its licence if a library needs it, since a bare Linux lacks it."""
    if sys.platform == "linux" and any(
        OPENMP in needs.libraries for needs in read_needs(elf_files(folder)).values()
    ):
        shutil.copyfile(find_library(OPENMP), folder / OPENMP)
        texts = ((_LICENCES / name).read_text(encoding="utf-8") for name in ("libgomp.txt", "GPL-3.0.txt"))
        (folder / "LICENSE-libgomp.txt").write_text("\n".join(texts), encoding="utf-8")


def _strip(folder: Path, *, program: str) -> None:
    """Remove symbols that only debuggers use, which are half of the size."""
    if sys.platform != "linux" or shutil.which(program) is None:
        return
    for file in (*folder.glob("*.so*"), *folder.glob("*.dll")):
        if not file.is_symlink():
            subprocess.run([program, "--strip-unneeded", file], check=True)
