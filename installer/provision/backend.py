"""Decide what llama.cpp is compiled for, and say why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from provision.failure import SetupFailure
from provision.toolchains import Cuda, Toolchains, Vulkan

OLDEST_VULKAN_HEADERS = (1, 3, 275)
"""Before these the C++ bindings lack LayerSettingEXT, and the build fails after minutes."""

OVERRIDE = "FIRESIDE_BACKEND"


class Backend(Enum):
    CPU = "cpu"
    CUDA = "cuda"
    VULKAN = "vulkan"
    METAL = "metal"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What to compile for: CMake's options and the sentence that tells the user."""

    backend: Backend
    options: tuple[str, ...]
    sentence: str


def choose(found: Toolchains, *, wanted: str) -> Choice:
    """Return the best backend that this machine can compile, or the one that is ``wanted`` (may be empty).

    Raises SetupFailure if what is wanted is unknown or cannot be compiled here.
    """
    if wanted:
        return _wanted(found, wanted=wanted)
    if found.is_macos:
        return _metal()
    cuda_lack, vulkan_lack = _cuda_lack(found.cuda), _vulkan_lack(found.vulkan)
    if found.cuda is not None and cuda_lack is None:
        return _cuda(found.cuda)
    if vulkan_lack is None:
        return _vulkan()
    if found.cuda is not None:
        return _cpu(f"CUDA compiler found but {cuda_lack}, building for the processor only")
    if found.vulkan.headers is not None and found.vulkan.glslc is not None:
        return _cpu(f"Vulkan SDK found but {vulkan_lack}, building for the processor only")
    return _cpu("no CUDA toolkit or Vulkan SDK found, building for the processor")


def _wanted(found: Toolchains, *, wanted: str) -> Choice:
    try:
        backend = Backend(wanted.lower())
    except ValueError:
        names = ", ".join(each.value for each in Backend)
        raise SetupFailure(
            sentence=f"{OVERRIDE}={wanted} is not something that llama.cpp can be built for.",
            advice=f"Use one of {names}, or leave it out to take the best one.",
        ) from None
    match backend:
        case Backend.CPU if found.is_macos:
            # Its CMake files switch Metal on for every Mac.
            raise _impossible(backend, "on macOS it always comes with Metal")
        case Backend.CPU:
            return _cpu(f"building for the processor, as {OVERRIDE} says")
        case Backend.CUDA:
            if found.cuda is None:
                raise _impossible(backend, "there is no CUDA compiler (nvcc)")
            if (lack := _cuda_lack(found.cuda)) is not None:
                raise _impossible(backend, lack)
            return _cuda(found.cuda)
        case Backend.VULKAN:
            if (lack := _vulkan_lack(found.vulkan)) is not None:
                raise _impossible(backend, lack)
            return _vulkan()
        case Backend.METAL:
            if not found.is_macos:
                raise _impossible(backend, "Metal is part of macOS")
            return _metal()
        case _:
            assert_never(backend)


def _cpu(sentence: str) -> Choice:
    return Choice(backend=Backend.CPU, options=(), sentence=sentence)


def _metal() -> Choice:
    return Choice(backend=Backend.METAL, options=("-DGGML_METAL=ON",), sentence="building for Metal")


def _vulkan() -> Choice:
    return Choice(
        backend=Backend.VULKAN,
        options=("-DGGML_VULKAN=ON",),
        sentence="Vulkan SDK found, building for the processor and Vulkan",
    )


def _cuda(cuda: Cuda) -> Choice:
    options = ["-DGGML_CUDA=ON", f"-DCMAKE_CUDA_COMPILER={cuda.nvcc.as_posix()}"]
    if not cuda.has_driver_library:
        # Virtual memory calls are the only ones into the driver's own library.
        options.append("-DGGML_CUDA_NO_VMM=ON")
    return Choice(
        backend=Backend.CUDA,
        options=tuple(options),
        sentence="CUDA toolkit found, building for the processor and CUDA (this takes about 20 minutes)",
    )


def _cuda_lack(cuda: Cuda | None) -> str | None:
    if cuda is None or cuda.has_cublas:
        return None
    return "cuBLAS is missing"


def _vulkan_lack(vulkan: Vulkan) -> str | None:
    """Return what keeps Vulkan from being built, or None."""
    if vulkan.headers is None:
        return "the Vulkan headers are missing"
    if vulkan.headers < OLDEST_VULKAN_HEADERS:
        have, oldest = _dotted(vulkan.headers), _dotted(OLDEST_VULKAN_HEADERS)
        return f"its headers are version {have} and {oldest} or newer is needed"
    if vulkan.glslc is None:
        return "the shader compiler glslc is missing"
    if not vulkan.has_loader:
        return "the Vulkan loader library is missing"
    if not vulkan.has_spirv_headers:
        return "the SPIR-V headers are missing"
    return None


def _dotted(version: tuple[int, int, int]) -> str:
    return ".".join(str(part) for part in version)


def _impossible(backend: Backend, reason: str) -> SetupFailure:
    return SetupFailure(
        sentence=f"llama.cpp cannot be built for {backend.value} here: {reason}.",
        advice=f"Install what is missing, or leave {OVERRIDE} out to take the best that this machine can do.",
    )
