"""The kinds of runtimes and CMake's options for each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

COMMON = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DBUILD_SHARED_LIBS=ON",
    # Libraries find each other in their own folder.
    "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
    # Only the libraries, with mtmd for images.
    "-DLLAMA_BUILD_COMMON=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_TOOLS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_SERVER=OFF",
    "-DLLAMA_BUILD_APP=OFF",
    "-DLLAMA_BUILD_MTMD=ON",
    "-DLLAMA_OPENSSL=OFF",
    # Not for this machine's processor: each backend is a module, and the best one is loaded.
    "-DGGML_NATIVE=OFF",
    "-DGGML_BACKEND_DL=ON",
    "-DGGML_CPU_ALL_VARIANTS=ON",
    # It has no authentication, and aborts the process when the connection is lost.
    "-DGGML_RPC=OFF",
)


class Proof(Enum):
    """How far a kind was tested."""

    USED = "built, tested and used"
    IN_WINE = "built on Linux, tried in Wine, not on Windows"
    ON_SOFTWARE = "tried on Mesa's software device, not on a card"
    WRITTEN = "written, not run"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of runtime.

    ``backend`` is its module in addition to those for the processor. If it is built for another system,
    ``system`` is Fireside's name of that, ``packed_as`` its name there, and ``strip`` the program for its
    libraries.
    """

    name: str
    description: str
    options: tuple[str, ...]
    backend: str | None
    proof: Proof
    system: str | None = None
    packed_as: str | None = None
    strip: str = "strip"


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            name="portable",
            description="any processor of this kind: a module for each generation",
            options=(),
            backend=None,
            proof=Proof.USED,
        ),
        Kind(
            name="windows",
            description="the same for Windows, compiled on Linux by mingw-w64",
            options=(
                f"-DCMAKE_TOOLCHAIN_FILE={Path(__file__).with_name('mingw.cmake')}",
                # OpenMP's library would have to be included; ggml has threads of its own.
                "-DGGML_OPENMP=OFF",
            ),
            backend=None,
            proof=Proof.IN_WINE,
            system="windows-x86_64",
            packed_as="portable",
            strip="x86_64-w64-mingw32-strip",
        ),
        Kind(
            name="vulkan",
            description="graphics cards of every make, by Vulkan",
            options=("-DGGML_VULKAN=ON",),
            backend="ggml-vulkan",
            proof=Proof.ON_SOFTWARE,
        ),
        Kind(
            name="cuda",
            description="NVIDIA cards; cuBLAS has to be on the computer that runs it",
            # The driver's virtual memory needs the driver's library at build time; NCCL is for several
            # machines.
            options=("-DGGML_CUDA=ON", "-DGGML_CUDA_NCCL=OFF", "-DGGML_CUDA_NO_VMM=ON"),
            backend="ggml-cuda",
            proof=Proof.WRITTEN,
        ),
        Kind(
            name="metal",
            description="Macs",
            options=("-DGGML_METAL=ON", "-DGGML_METAL_EMBED_LIBRARY=ON"),
            backend="ggml-metal",
            proof=Proof.WRITTEN,
        ),
        Kind(
            name="rocm",
            description="AMD cards, by ROCm; add --cmake=-DGPU_TARGETS=gfx1100 or what yours is",
            options=("-DGGML_HIP=ON",),
            backend="ggml-hip",
            proof=Proof.WRITTEN,
        ),
        Kind(
            name="sycl",
            description="Intel cards, by oneAPI; source its setvars.sh first",
            options=("-DGGML_SYCL=ON", "-DCMAKE_C_COMPILER=icx", "-DCMAKE_CXX_COMPILER=icpx"),
            backend="ggml-sycl",
            proof=Proof.WRITTEN,
        ),
    )
}
