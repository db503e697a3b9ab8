"""List devices and backends in a separate process, so that a crashing driver does no harm."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

import msgspec

from fireside.runner.devices import RPC_SERVERS_VARIABLE, add_rpc_servers, list_devices, load_backends
from fireside.runner.native import lib, symbol
from fireside.wire.runner_modes import DeviceListing, ListedBackend

_MAX_FEATURES: Final = 200
_TIMEOUT_S: Final = 60
_VULKAN_LOADERS: Final = {
    "win32": ("vulkan-1.dll",),
    "darwin": ("libvulkan.1.dylib", "libMoltenVK.dylib"),
}
_CUDA_RUNTIMES: Final = ("libcudart.so.13", "libcudart.so.12", "cudart64_13.dll", "cudart64_12.dll")


class _Feature(ctypes.Structure):
    """``struct ggml_backend_feature`` of ggml 0.25."""

    _fields_ = (("name", ctypes.c_char_p), ("value", ctypes.c_char_p))


def main() -> int:
    """Write the device listing to standard output."""
    if sys.platform != "win32":
        # The parent kills it earlier, unless it has exited while a driver blocks for ever.
        signal.alarm(_TIMEOUT_S)
    # Output of libraries must not mix with the listing.
    output = os.dup(1)
    os.dup2(2, 1)
    lib.llama_backend_init()
    load_backends()
    notes = add_rpc_servers(os.environ.get(RPC_SERVERS_VARIABLE, ""))
    listing = DeviceListing(
        llama_cpp=_build(), devices=list_devices(), backends=list_backends(), notes=tuple(notes)
    )
    with os.fdopen(output, "wb") as stream:
        stream.write(msgspec.json.encode(listing))
    return 0


def list_backends() -> tuple[ListedBackend, ...]:
    """Return every available backend with its build features."""
    count = symbol("ggml_backend_reg_count", ctypes.c_size_t, [])
    get = symbol("ggml_backend_reg_get", ctypes.c_void_p, [ctypes.c_size_t])
    name_of = symbol("ggml_backend_reg_name", ctypes.c_char_p, [ctypes.c_void_p])
    backends = []
    for index in range(count()):
        registry = get(index)
        name = (name_of(registry) or b"").decode("utf-8", "replace")
        backends.append(
            ListedBackend(name=name, version=_dependency_version(name), features=_features(registry))
        )
    return tuple(backends)


def _features(registry: int) -> tuple[str, ...]:
    procedure = symbol(
        "ggml_backend_reg_get_proc_address", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
    )
    address = procedure(registry, b"ggml_backend_get_features")
    if not address:
        return ()
    read = ctypes.CFUNCTYPE(ctypes.POINTER(_Feature), ctypes.c_void_p)(address)
    array = read(registry)
    features = []
    for index in range(_MAX_FEATURES if array else 0):
        feature = array[index]
        if not feature.name:
            break
        name, value = feature.name.decode(), (feature.value or b"").decode()
        if value != "0":
            features.append(name if value in ("", "1") else f"{name}={value}")
    return tuple(features)


def _dependency_version(backend: str) -> str:
    """Return the version of the library that a backend is based on; empty if unknown."""
    if backend == "Vulkan":
        return _vulkan_version()
    if backend == "CUDA":
        return _cuda_version()
    return ""


def _vulkan_version() -> str:
    for name in _VULKAN_LOADERS.get(sys.platform, ("libvulkan.so.1",)):
        try:
            query_version = ctypes.CDLL(name).vkEnumerateInstanceVersion
        except (OSError, AttributeError):
            continue
        packed = ctypes.c_uint32()
        if query_version(ctypes.byref(packed)) == 0:
            return f"{packed.value >> 22}.{packed.value >> 12 & 0x3FF}.{packed.value & 0xFFF}"
    return ""


def _cuda_version() -> str:
    for name in _CUDA_RUNTIMES:
        try:
            query_version = ctypes.CDLL(name).cudaRuntimeGetVersion
        except (OSError, AttributeError):
            continue
        version = ctypes.c_int()
        if query_version(ctypes.byref(version)) == 0:
            return f"{version.value // 1000}.{version.value % 1000 // 10}"
    return ""


def _build() -> str:
    ggml = symbol("ggml_version", ctypes.c_char_p, [])() or b""
    return f"{lib.llama_version().decode()} (ggml {ggml.decode()})"
