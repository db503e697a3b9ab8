"""Finding toolchains by their files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from provision.toolchains import find_toolchains

HEADER = """
#define VK_HEADER_VERSION 309
#define VK_HEADER_VERSION_COMPLETE VK_MAKE_API_VERSION(0, 1, 4, VK_HEADER_VERSION)
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the made-up toolchains are Unix ones")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a toolchain, and no commands but those in its ``bin``."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("CUDA_PATH", str(tmp_path))
    monkeypatch.setenv("VULKAN_SDK", str(tmp_path))
    return tmp_path


def make(path: Path, *, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def test_a_whole_cuda_toolkit_is_found(machine: Path) -> None:
    for name in ("bin/nvcc", "include/cublas_v2.h", "lib64/libcublas.so", "lib64/stubs/libcuda.so"):
        make(machine / name)
    cuda = find_toolchains().cuda
    assert cuda is not None
    assert (cuda.nvcc, cuda.has_cublas, cuda.has_driver_library) == (machine / "bin/nvcc", True, True)


def test_cublas_needs_its_header_and_its_library(machine: Path) -> None:
    make(machine / "bin/nvcc")
    make(machine / "include/cublas_v2.h")
    cuda = find_toolchains().cuda
    assert cuda is not None
    assert not cuda.has_cublas


def test_a_vulkan_sdk_is_found_in_its_own_folder(machine: Path) -> None:
    make(machine / "bin/glslc")
    make(machine / "include/vulkan/vulkan_core.h", text=HEADER)
    make(machine / "lib/libvulkan.so")
    make(machine / "share/cmake/SPIRV-Headers/SPIRV-HeadersConfig.cmake")
    vulkan = find_toolchains().vulkan
    assert vulkan.headers == (1, 4, 309)
    assert vulkan.glslc == machine / "bin/glslc"
    assert vulkan.has_loader
    assert vulkan.has_spirv_headers
