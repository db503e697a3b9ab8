"""Asks the ggml that the runner uses how it reads a file: the judge of our own header reader.

The library is loaded in a child process, because it aborts on some damaged files, and because no process
should map a second ggml. Run as a script this module is that child.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import struct
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

REFUSED = "refused"
CRASHED = "crashed"

_SCALARS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_STRING, _ARRAY = 8, 9
_MAX_SHOWN = 64


class GgmlOracle:
    """A child process that answers one question at a time. Leave the ``with`` block to end it."""

    def __init__(self) -> None:
        self.n_crashes = 0
        self._child: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def header(self, path: Path) -> Any:
        """Return what ggml reads, as JSON can hold it, or ``REFUSED`` or ``CRASHED``."""
        return self._ask(f"header {path}")

    def formats(self, count: int) -> list[tuple[str, int, int]]:
        """Return name, block size and block bytes of the first ``count`` tensor types."""
        return [(name, size, n_bytes) for name, size, n_bytes in self._ask(f"formats {count}")]

    def _ask(self, question: str) -> Any:
        child = self._child or self._begin()
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(question + "\n")
        child.stdin.flush()
        answer = child.stdout.readline()
        if answer:
            return json.loads(answer)
        self._end()
        self.n_crashes += 1
        return CRASHED

    def _begin(self) -> subprocess.Popen[str]:
        self._child = subprocess.Popen(
            [sys.executable, "-I", __file__, str(_ggml_library())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        return self._child

    def _end(self) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            child.communicate(timeout=60)


def _ggml_library() -> Path:
    spec = importlib.util.find_spec("llama_cpp")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "lib"
    names = ("libggml-base.so", "libggml-base.dylib", "ggml-base.dll")
    return next(folder / name for name in names if (folder / name).is_file())


class _InitParams(ctypes.Structure):
    _fields_ = (("no_alloc", ctypes.c_bool), ("ctx", ctypes.POINTER(ctypes.c_void_p)))


class _Ggml:
    """The few functions of ``gguf.h`` that the questions need."""

    def __init__(self, path: str) -> None:
        self._lib = ctypes.CDLL(path)
        texts = ("ggml_type_name", "gguf_get_key", "gguf_get_arr_str", "gguf_get_tensor_name")
        pointers = ("gguf_init_from_file", "gguf_get_val_data", "gguf_get_arr_data")
        for name in texts:
            getattr(self._lib, name).restype = ctypes.c_char_p
        for name in pointers:
            getattr(self._lib, name).restype = ctypes.c_void_p
        self._lib.gguf_get_val_str.restype = ctypes.c_char_p
        self._lib.gguf_get_tensor_ne.restype = ctypes.POINTER(ctypes.c_int64)
        for name in ("gguf_get_n_kv", "gguf_get_n_tensors", "ggml_blck_size"):
            getattr(self._lib, name).restype = ctypes.c_int64
        for name in (
            "ggml_type_size",
            "gguf_get_arr_n",
            "gguf_get_alignment",
            "gguf_get_data_offset",
            "gguf_get_tensor_offset",
            "gguf_get_tensor_size",
        ):
            getattr(self._lib, name).restype = ctypes.c_size_t
        self._lib.gguf_init_from_file.argtypes = [ctypes.c_char_p, _InitParams]

    def formats(self, count: int) -> list[tuple[str, int, int]]:
        lib = self._lib
        return [
            (lib.ggml_type_name(n).decode(), lib.ggml_blck_size(n), lib.ggml_type_size(n))
            for n in range(count)
        ]

    def header(self, path: str) -> Any:
        raw = self._lib.gguf_init_from_file(path.encode(), _InitParams(no_alloc=True))
        if not raw:
            return REFUSED
        gguf = ctypes.c_void_p(raw)
        lib = self._lib
        answer = {
            "metadata": [self._property(gguf, n) for n in range(lib.gguf_get_n_kv(gguf))],
            "tensors": [self._tensor(gguf, n) for n in range(lib.gguf_get_n_tensors(gguf))],
            "alignment": lib.gguf_get_alignment(gguf),
            "data_offset": lib.gguf_get_data_offset(gguf),
        }
        lib.gguf_free(gguf)
        return answer

    def _property(self, gguf: ctypes.c_void_p, n: int) -> tuple[str, Any]:
        lib, index = self._lib, ctypes.c_int64(n)
        key = lib.gguf_get_key(gguf, index).decode(errors="replace")
        kind = lib.gguf_get_kv_type(gguf, index)
        if kind == _STRING:
            return key, lib.gguf_get_val_str(gguf, index).decode(errors="replace")
        if kind != _ARRAY:
            return key, repr(_numbers(kind, lib.gguf_get_val_data(gguf, index), 1)[0])
        kind, count = lib.gguf_get_arr_type(gguf, index), lib.gguf_get_arr_n(gguf, index)
        if count > _MAX_SHOWN:
            return key, {"count": count}
        if kind == _STRING:
            texts = (lib.gguf_get_arr_str(gguf, index, ctypes.c_size_t(at)) for at in range(count))
            return key, [text.decode(errors="replace") for text in texts]
        return key, [repr(value) for value in _numbers(kind, lib.gguf_get_arr_data(gguf, index), count)]

    def _tensor(self, gguf: ctypes.c_void_p, n: int) -> Any:
        lib, index = self._lib, ctypes.c_int64(n)
        name = lib.gguf_get_tensor_name(gguf, index)
        return (
            name.decode(errors="replace"),
            lib.gguf_get_tensor_ne(gguf, index)[:4],
            lib.gguf_get_tensor_type(gguf, index),
            lib.gguf_get_tensor_offset(gguf, index),
            lib.gguf_get_tensor_size(gguf, index),
        )


def _numbers(kind: int, address: int, count: int) -> list[object]:
    layout = struct.Struct(_SCALARS[kind])
    raw = ctypes.string_at(address, count * layout.size) if count else b""
    return [value for (value,) in layout.iter_unpack(raw)]


def _serve(library: str) -> None:
    ggml = _Ggml(library)
    for line in sys.stdin:
        question, _, argument = line.rstrip("\n").partition(" ")
        answer = ggml.header(argument) if question == "header" else ggml.formats(int(argument))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve(sys.argv[1])
