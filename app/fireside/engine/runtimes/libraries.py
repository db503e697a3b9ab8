"""Identify llama.cpp's libraries by name and file header, without loading them."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from fireside.core.runtime import this_platform

_REQUIRED: Final = ("llama", "ggml", "ggml-base", "mtmd")
_LIBRARY: Final = re.compile(r"(?:lib)?(?P<name>[a-z][a-z0-9_-]*)\.(?:so(?:\.\d+)*|(?:\d+\.)*dylib|dll)")
_BACKEND_PREFIX: Final = "ggml-"
_BACKEND_NAMES: Final = {
    "cuda": "CUDA",
    "hip": "ROCm",
    "metal": "Metal",
    "sycl": "SYCL",
    "vulkan": "Vulkan",
    "opencl": "OpenCL",
    "musa": "MUSA",
    "cann": "CANN",
    "blas": "BLAS",
    "cpu": "CPU",
}
"""Display names. RPC is left out on purpose: it has no authentication, and Fireside never uses it."""
_HEADER_BYTES: Final = 4096
_ELF_MACHINES: Final = {0x3E: "x86_64", 0xB7: "aarch64", 0xF3: "riscv64", 0x15: "ppc64le"}
_MACH_O_MACHINES: Final = {0x01000007: "x86_64", 0x0100000C: "aarch64"}
_PE_MACHINES: Final = {0x8664: "x86_64", 0xAA64: "aarch64"}
_LICENCE: Final = re.compile(r"(licen[cs]e|copying|notice)(\W.*)?", re.IGNORECASE)


def platform_label(name: str) -> str:
    """Return a platform's name for the user: ``Linux (x86_64)``."""
    system, _, machine = name.partition("-")
    label = {"linux": "Linux", "windows": "Windows", "macos": "macOS"}.get(system, system)
    return f"{label} ({machine})" if machine else label


def library_name(file_name: str) -> str | None:
    """Return a library's name, such as ``ggml-cpu-haswell`` for ``libggml-cpu-haswell.so``; else ``None``."""
    match = _LIBRARY.fullmatch(file_name)
    return match["name"] if match else None


def is_licence(file_name: str) -> bool:
    """Whether a file is a licence or copyright notice, by its name."""
    return _LICENCE.fullmatch(file_name) is not None


def missing_libraries(file_names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the required libraries that are missing."""
    present = {library_name(name) for name in file_names}
    return tuple(name for name in _REQUIRED if name not in present)


def backends_among(file_names: Iterable[str]) -> tuple[str, ...]:
    """Return the display names of the backends, the CPU last."""
    backends = set()
    for name in file_names:
        library = library_name(name) or ""
        if library.startswith(_BACKEND_PREFIX):
            backends.add(library.removeprefix(_BACKEND_PREFIX).partition("-")[0])
    return tuple(label for name, label in _BACKEND_NAMES.items() if name in backends)


def platform_of(library: Path) -> str | None:
    """Return the platform that a library is built for; ``None`` if it is no library. Raises ``OSError``."""
    with library.open("rb") as file:
        head = file.read(_HEADER_BYTES)
    if head[:4] == b"\x7fELF" and len(head) >= 20:
        (number,) = struct.unpack("<H" if head[5] == 1 else ">H", head[18:20])
        return f"linux-{_ELF_MACHINES.get(number, 'unknown')}"
    if head[:4] == b"\xcf\xfa\xed\xfe" and len(head) >= 8:
        (number,) = struct.unpack("<I", head[4:8])
        return f"macos-{_MACH_O_MACHINES.get(number, 'unknown')}"
    if head[:4] == b"\xca\xfe\xba\xbe":
        # A universal binary for several machines.
        return f"macos-{this_platform().partition('-')[2]}"
    return _pe_platform(head)


def _pe_platform(head: bytes) -> str | None:
    if head[:2] != b"MZ" or len(head) < 64:
        return None
    (offset,) = struct.unpack("<I", head[60:64])
    if head[offset : offset + 4] != b"PE\0\0" or len(head) < offset + 6:
        return None
    (number,) = struct.unpack("<H", head[offset + 4 : offset + 6])
    return f"windows-{_PE_MACHINES.get(number, 'unknown')}"
