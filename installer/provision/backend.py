"""Decide which backend llama.cpp is compiled for, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from provision.failure import SetupFailure
from provision.toolchains import Cuda, Toolchains, Vulkan

OLDEST_VULKAN_HEADERS = (1, 3, 275)
"""In older ones the C++ bindings lack LayerSettingEXT, and the build fails after minutes."""

OVERRIDE = "FIRESIDE_BACKEND"


class Backend(Enum):
    CPU = "cpu"
    CUDA = "cuda"
    VULKAN = "vulkan"
    METAL = "metal"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A backend with CMake's options, and a sentence for the user."""

    backend: Backend
    options: tuple[str, ...]
    sentence: str


def choose(toolchains: Toolchains, *, requested: str) -> Choice:
    """Return the best backend that this machine can compile, or the ``requested`` one if that is not empty.

    Raises SetupFailure if the requested one is unknown or cannot be compiled here.
    """
    if requested:
        return _requested(toolchains, requested=requested)
    if toolchains.is_macos:
        return _metal()
    missing_for_cuda, missing_for_vulkan = (
        _missing_for_cuda(toolchains.cuda),
        _missing_for_vulkan(toolchains.vulkan),
    )
    if toolchains.cuda is not None and missing_for_cuda is None:
        return _cuda(toolchains.cuda)
    if missing_for_vulkan is None:
        return _vulkan()
    if toolchains.cuda is not None:
        return _cpu(f"CUDA compiler found but {missing_for_cuda}, building for the processor only")
    if toolchains.vulkan.headers is not None and toolchains.vulkan.glslc is not None:
        return _cpu(f"Vulkan SDK found but {missing_for_vulkan}, building for the processor only")
    return _cpu("no CUDA toolkit or Vulkan SDK found, building for the processor")


def _requested(toolchains: Toolchains, *, requested: str) -> Choice:
    try:
        backend = Backend(requested.lower())
    except ValueError:
        names = ", ".join(each.value for each in Backend)
        raise SetupFailure(
            sentence=f"{OVERRIDE}={requested} is not something that llama.cpp can be built for.",
            advice=f"Use one of {names}, or leave it out to take the best one.",
        ) from None
    match backend:
        case Backend.CPU if toolchains.is_macos:
            # llama.cpp's CMake files enable Metal on every Mac.
            raise _impossible(backend, "on macOS it always comes with Metal")
        case Backend.CPU:
            return _cpu(f"building for the processor, as {OVERRIDE} says")
        case Backend.CUDA:
            if toolchains.cuda is None:
                raise _impossible(backend, "there is no CUDA compiler (nvcc)")
            if (missing := _missing_for_cuda(toolchains.cuda)) is not None:
                raise _impossible(backend, missing)
            return _cuda(toolchains.cuda)
        case Backend.VULKAN:
            if (missing := _missing_for_vulkan(toolchains.vulkan)) is not None:
                raise _impossible(backend, missing)
            return _vulkan()
        case Backend.METAL:
            if not toolchains.is_macos:
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
        # Only the virtual memory calls need the driver's library.
        options.append("-DGGML_CUDA_NO_VMM=ON")
    return Choice(
        backend=Backend.CUDA,
        options=tuple(options),
        sentence="CUDA toolkit found, building for the processor and CUDA (this takes about 20 minutes)",
    )


def _missing_for_cuda(cuda: Cuda | None) -> str | None:
    if cuda is None or cuda.has_cublas:
        return None
    return "cuBLAS is missing"


def _missing_for_vulkan(vulkan: Vulkan) -> str | None:
    """Return why Vulkan cannot be compiled, or None."""
    if vulkan.headers is None:
        return "the Vulkan headers are missing"
    if vulkan.headers < OLDEST_VULKAN_HEADERS:
        version, oldest = _dotted(vulkan.headers), _dotted(OLDEST_VULKAN_HEADERS)
        return f"its headers are version {version} and {oldest} or newer is needed"
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
