"""Find the toolchains for llama.cpp on this machine, by looking at files only: it runs at every start."""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_HEADER_VERSION = re.compile(r"^#define VK_HEADER_VERSION (\d+)", re.MULTILINE)
_HEADER_COMPLETE = re.compile(
    r"^#define VK_HEADER_VERSION_COMPLETE VK_MAKE_API_VERSION\(\d+, (\d+), (\d+),", re.MULTILINE
)


@dataclass(frozen=True, kw_only=True)
class Cuda:
    """A CUDA compiler, and whether the libraries that llama.cpp links are installed."""

    nvcc: Path
    has_cublas: bool
    has_driver_library: bool


@dataclass(frozen=True, kw_only=True)
class Vulkan:
    """The parts of a Vulkan SDK; ``headers`` is their version."""

    headers: tuple[int, int, int] | None
    glslc: Path | None
    has_loader: bool
    has_spirv_headers: bool


@dataclass(frozen=True, kw_only=True)
class Toolchains:
    """The toolchains of this machine."""

    is_macos: bool
    cuda: Cuda | None
    vulkan: Vulkan


def find_toolchains() -> Toolchains:
    return Toolchains(is_macos=sys.platform == "darwin", cuda=_find_cuda(), vulkan=_find_vulkan())


def _find_cuda() -> Cuda | None:
    homes = _folders(os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/opt/cuda")
    homes += tuple(sorted(Path("/usr/local").glob("cuda-*"), reverse=True))
    nvcc = _command("nvcc", folders=[home / "bin" for home in homes])
    if nvcc is None:
        return None
    # Debian's own toolkit is spread over /usr.
    roots = (nvcc.resolve().parents[1], *homes, Path("/usr"))
    return Cuda(
        nvcc=nvcc,
        has_cublas=_any_file(roots, folders=_INCLUDE, names=("cublas_v2.h",))
        and _any_file(roots, folders=_LIB, names=("libcublas.so", "cublas.lib")),
        has_driver_library=_any_file(roots, folders=(*_LIB, *_STUBS), names=("libcuda.so", "cuda.lib")),
    )


def _find_vulkan() -> Vulkan:
    sdk = _folders(os.environ.get("VULKAN_SDK"))
    roots = (*sdk, Path("/usr"), Path("/usr/local"), Path("/opt/homebrew"))
    headers = (
        root / include / "vulkan" / "vulkan_core.h" for root in roots for include in ("include", "Include")
    )
    header = next((path for path in headers if path.is_file()), None)
    return Vulkan(
        headers=None if header is None else vulkan_header_version(header.read_text("utf-8", "replace")),
        glslc=_command("glslc", folders=[root / name for root in sdk for name in ("bin", "Bin")]),
        has_loader=_any_file(
            roots, folders=(*_LIB, "Lib"), names=("libvulkan.so", "vulkan-1.lib", "libvulkan.dylib")
        ),
        has_spirv_headers=_any_file(roots, folders=_CMAKE, names=("SPIRV-HeadersConfig.cmake",)),
    )


def vulkan_header_version(text: str) -> tuple[int, int, int] | None:
    """Return the version of a ``vulkan_core.h``, such as (1, 3, 275)."""
    patch = _HEADER_VERSION.search(text)
    complete = _HEADER_COMPLETE.search(text)
    if patch is None or complete is None:
        return None
    return int(complete[1]), int(complete[2]), int(patch[1])


_MULTIARCH = sysconfig.get_config_var("MULTIARCH") or "none"
_INCLUDE = ("include", "targets/x86_64-linux/include", "targets/sbsa-linux/include")
_LIB = (
    "lib64",
    "lib",
    "lib/x64",
    "targets/x86_64-linux/lib",
    "targets/sbsa-linux/lib",
    f"lib/{_MULTIARCH}",
)
_STUBS = ("lib64/stubs", "lib/stubs", f"lib/{_MULTIARCH}/stubs")
_CMAKE = (
    "share/cmake/SPIRV-Headers",
    "lib/cmake/SPIRV-Headers",
    "lib64/cmake/SPIRV-Headers",
    "Lib/cmake/SPIRV-Headers",
)


def _folders(*names: str | None) -> tuple[Path, ...]:
    return tuple(Path(name) for name in names if name)


def _command(name: str, *, folders: Iterable[Path]) -> Path | None:
    path = shutil.which(name) or shutil.which(name, path=os.pathsep.join(str(folder) for folder in folders))
    return Path(path) if path else None


def _any_file(roots: Iterable[Path], *, folders: Iterable[str], names: Iterable[str]) -> bool:
    folders, names = tuple(folders), tuple(names)
    return any((root / folder / name).is_file() for root in roots for folder in folders for name in names)
