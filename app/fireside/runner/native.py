"""Load llama.cpp's Python binding without its package code, and bind the symbols that it leaves out."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def _skip_package_code() -> None:
    """Register the package as an empty module, so that importing the binding does not run ``__init__``.

    ``__init__`` imports the high-level class and with it ``diskcache``, which unpickles files, and a web
    server's types: none of it is used here.
    """
    if "llama_cpp" not in sys.modules:
        spec = importlib.util.find_spec("llama_cpp")
        if spec is not None:
            sys.modules["llama_cpp"] = importlib.util.module_from_spec(spec)


_skip_package_code()

from llama_cpp import llama_cpp as lib  # noqa: E402  # after the line above, on purpose
from llama_cpp.llama_cpp import _base_path, _lib  # noqa: E402

__all__ = ["LIBRARY_FOLDER", "encoded_path", "lib", "strlen_as_abort_callback", "symbol"]

LIBRARY_FOLDER = str(_base_path)
"""Folder of the shared libraries; honours ``LLAMA_CPP_LIB_PATH``."""

_WINDOWS_LIBRARIES = ("ggml.dll", "ggml-base.dll")


def _handles() -> tuple[ctypes.CDLL, ...]:
    """The libraries to look symbols up in.

    Elsewhere than on Windows a look-up in libllama also searches what it was linked to. Opening libggml by
    its path instead would map a second copy with a device registry of its own: wheels hold no links, so the
    file that libllama uses and the one with the plain name are different files.
    """
    if sys.platform == "win32":
        return (_lib, *(ctypes.CDLL(name) for name in _WINDOWS_LIBRARIES))
    return (_lib,)


def symbol(name: str, result: Any, arguments: Sequence[Any]) -> Callable[..., Any]:
    """Return the C function ``name`` with the given types. Raises ``AttributeError`` if there is none."""
    for handle in _handles():
        try:
            address = getattr(handle, name)
        except AttributeError:
            continue
        # A declaration of our own: setting the types on the handle's function would change the binding's.
        prototype = ctypes.CFUNCTYPE(result, *arguments)
        return ctypes.cast(address, prototype)
    raise AttributeError(name)


def encoded_path(path: str) -> bytes:
    """Return ``path`` as UTF-8, which llama.cpp expects on every system."""
    return str(Path(path)).encode("utf-8", "surrogateescape")


def strlen_as_abort_callback() -> Any:
    """Return libc's ``strlen`` as llama.cpp's abort callback.

    With a two-byte buffer it is true as soon as the first byte is not NUL. A Python callback would wait for
    the GIL in the middle of every computation.
    """
    libc = ctypes.CDLL("msvcrt") if sys.platform == "win32" else ctypes.CDLL(None)
    return ctypes.cast(libc.strlen, lib.ggml_abort_callback)
