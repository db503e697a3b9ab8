"""Check in a separate process whether llama.cpp libraries match the binding: they may crash."""

from __future__ import annotations

import ctypes
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import msgspec

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.wire.runner_modes import RuntimeFacts

_FILL: Final = 0xA5
_SPARE_BYTES: Final = 512
_PADDING_BYTES: Final = 7
"""Most padding bytes at the end of a structure, which may be left unwritten."""
_SYMBOLS: Final = (
    "ggml_backend_dev_count",
    "ggml_backend_dev_get_props",
    "ggml_backend_load_all_from_path",
    "ggml_set_abort_callback",
)
"""Symbols that the runner uses besides those of the binding."""


def main() -> int:
    """Write the facts to standard output, separate from output of the libraries."""
    output = os.dup(1)
    os.dup2(2, 1)
    os.write(output, msgspec.json.encode(_facts()))
    return 0


def _facts() -> RuntimeFacts:
    try:
        from fireside.runner.native import LIBRARY_FOLDER, lib, symbol
    except (AttributeError, OSError, RuntimeError) as exc:
        return RuntimeFacts(problem=_explanation(exc))
    facts = RuntimeFacts(
        folder=LIBRARY_FOLDER, llama_cpp=lib.llama_version().decode("utf-8", "replace"), binding=_binding()
    )
    try:
        for name in _SYMBOLS:
            symbol(name, None, [])
        problem = _wrong_structure(lib) or _images_problem()
    except (AttributeError, OSError, RuntimeError) as exc:
        problem = _explanation(exc)
    if problem:
        return msgspec.structs.replace(facts, problem=problem)
    return _with_devices(facts)


def _with_devices(facts: RuntimeFacts) -> RuntimeFacts:
    from fireside.runner.devices import list_devices, load_backends
    from fireside.runner.native import lib

    lib.llama_backend_init()
    load_backends()
    return msgspec.structs.replace(
        facts,
        n_devices=len(list_devices()),
        features=lib.llama_print_system_info().decode("utf-8", "replace").strip(),
    )


def _images_problem() -> Translatable:
    """Load and check mtmd, which is a library of its own."""
    from fireside.runner.images.mtmd_binding import mtmd

    written = _written_bytes(mtmd.mtmd_context_params_default, size=ctypes.sizeof(mtmd.mtmd_context_params))
    return _size_problem(written, size=ctypes.sizeof(mtmd.mtmd_context_params))


def _wrong_structure(lib: Any) -> Translatable:
    for make, structure in (
        (lib.llama_model_default_params, lib.llama_model_params),
        (lib.llama_context_default_params, lib.llama_context_params),
    ):
        size = ctypes.sizeof(structure)
        if problem := _size_problem(_written_bytes(make, size=size), size=size):
            return problem
    context = lib.llama_context_default_params()
    # llama.cpp's defaults, which do not change: moved fields would have other values.
    if (context.n_seq_max, context.type_k, context.type_v) != (1, 1, 1):
        return tr_noop("its structures are those of another version of llama.cpp.")
    return ""


def _size_problem(written: int | None, *, size: int) -> Translatable:
    if written is None or size - _PADDING_BYTES <= written <= size:
        return ""
    return Phrase(
        tr_noop(
            "its structures are those of another version of llama.cpp ({n_bytes} bytes in place of "
            "{expected})."
        ),
        {"n_bytes": written, "expected": size},
    )


def _written_bytes(make: Any, *, size: int) -> int | None:
    """Return how many bytes of its result ``make`` writes; ``None`` where that cannot be observed.

    On x86-64 the caller passes the address of the result as a hidden first argument, so a larger buffer can
    be passed than the binding would.
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        return None
    n_bytes = size + _SPARE_BYTES
    buffer = (ctypes.c_ubyte * n_bytes)(*([_FILL] * n_bytes))
    fill = ctypes.cast(make, ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p))
    fill(ctypes.addressof(buffer))
    return max((index + 1 for index, byte in enumerate(buffer) if byte != _FILL), default=0)


def _binding() -> str:
    try:
        return version("llama-cpp-python")
    except PackageNotFoundError:
        return ""


def _explanation(error: Exception) -> Translatable:
    if isinstance(error, AttributeError):
        name = str(error).rpartition(": ")[2].rpartition(" ")[2] or str(error)
        return Phrase(tr_noop("it lacks “{name}”, so it is another version of llama.cpp."), {"name": name})
    message = str(error).partition("\n")[0].strip()
    if folder := os.environ.get("LLAMA_CPP_LIB_PATH"):
        # Its temporary folder is of no use to the user.
        message = message.replace(f"{folder}{os.sep}", "")
    return Phrase(tr_noop("its libraries cannot be loaded ({why})."), {"why": message})
