"""What llama.cpp is compiled for."""

from __future__ import annotations

from pathlib import Path

import pytest

from provision.backend import Backend, choose
from provision.failure import SetupFailure
from provision.toolchains import Cuda, Toolchains, Vulkan, vulkan_header_version

NVCC = Path("/usr/local/cuda/bin/nvcc")
NO_VULKAN = Vulkan(headers=None, glslc=None, has_loader=False, has_spirv_headers=False)
WHOLE_VULKAN = Vulkan(
    headers=(1, 4, 309), glslc=Path("/usr/bin/glslc"), has_loader=True, has_spirv_headers=True
)
WHOLE_CUDA = Cuda(nvcc=NVCC, has_cublas=True, has_driver_library=True)
CUDA_WITHOUT_CUBLAS = Cuda(nvcc=NVCC, has_cublas=False, has_driver_library=True)


def machine(*, cuda: Cuda | None = None, vulkan: Vulkan = NO_VULKAN, is_macos: bool = False) -> Toolchains:
    return Toolchains(is_macos=is_macos, cuda=cuda, vulkan=vulkan)


def with_headers(version: tuple[int, int, int]) -> Vulkan:
    return Vulkan(headers=version, glslc=Path("/usr/bin/glslc"), has_loader=True, has_spirv_headers=True)


@pytest.mark.parametrize(
    ("toolchains", "backend"),
    [
        (machine(), Backend.CPU),
        (machine(cuda=WHOLE_CUDA), Backend.CUDA),
        (machine(vulkan=WHOLE_VULKAN), Backend.VULKAN),
        (machine(cuda=WHOLE_CUDA, vulkan=WHOLE_VULKAN), Backend.CUDA),
        (machine(cuda=CUDA_WITHOUT_CUBLAS, vulkan=WHOLE_VULKAN), Backend.VULKAN),
        (machine(cuda=CUDA_WITHOUT_CUBLAS), Backend.CPU),
        (machine(is_macos=True), Backend.METAL),
    ],
)
def test_the_best_complete_toolchain_is_taken_by_itself(toolchains: Toolchains, backend: Backend) -> None:
    assert choose(toolchains, requested="").backend is backend


def test_a_compiler_without_cublas_is_reported() -> None:
    choice = choose(machine(cuda=CUDA_WITHOUT_CUBLAS), requested="")
    assert choice.sentence == "CUDA compiler found but cuBLAS is missing, building for the processor only"


def test_vulkan_headers_that_are_too_old_are_reported() -> None:
    choice = choose(machine(vulkan=with_headers((1, 3, 239))), requested="")
    assert choice.backend is Backend.CPU
    assert "1.3.239" in choice.sentence


def test_the_oldest_vulkan_headers_that_work_are_taken() -> None:
    assert choose(machine(vulkan=with_headers((1, 3, 275))), requested="").backend is Backend.VULKAN


def test_the_cuda_build_names_its_compiler() -> None:
    options = choose(machine(cuda=WHOLE_CUDA), requested="").options
    assert options == ("-DGGML_CUDA=ON", "-DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc")


def test_cuda_without_the_drivers_library_leaves_out_what_calls_it() -> None:
    cuda = Cuda(nvcc=NVCC, has_cublas=True, has_driver_library=False)
    assert "-DGGML_CUDA_NO_VMM=ON" in choose(machine(cuda=cuda), requested="").options


def test_the_override_takes_the_processor_on_a_machine_with_cuda() -> None:
    assert choose(machine(cuda=WHOLE_CUDA), requested="cpu").backend is Backend.CPU


@pytest.mark.parametrize(
    ("toolchains", "requested", "message"),
    [
        (machine(), "cuda", "nvcc"),
        (machine(cuda=CUDA_WITHOUT_CUBLAS), "CUDA", "cuBLAS"),
        (machine(), "vulkan", "headers"),
        (machine(), "metal", "macOS"),
        (machine(is_macos=True), "cpu", "Metal"),
        (machine(), "rocm", "cpu, cuda, vulkan, metal"),
    ],
)
def test_an_override_that_cannot_be_had_is_refused_with_the_reason(
    toolchains: Toolchains, requested: str, message: str
) -> None:
    with pytest.raises(SetupFailure) as caught:
        choose(toolchains, requested=requested)
    assert message in caught.value.sentence + caught.value.advice


def test_the_version_of_vulkan_headers_is_read_from_the_header() -> None:
    text = """
#define VK_HEADER_VERSION 275
#define VK_HEADER_VERSION_COMPLETE VK_MAKE_API_VERSION(0, 1, 3, VK_HEADER_VERSION)
"""
    assert vulkan_header_version(text) == (1, 3, 275)


def test_a_header_of_another_kind_has_no_version() -> None:
    assert vulkan_header_version("#pragma once") is None
