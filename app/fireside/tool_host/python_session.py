"""Run the code of one chat, call by call, and keep its variables. A script for any Python from 3.8 on.

``python -I python_session.py [FOLDER]``, a folder of packages. A request is a line of JSON on standard input,
a reply one on standard output. What the code prints, to either stream, goes to standard error as it is, and a
line that only this call knows ends it. The code may do with this process what it likes: the program trusts no
reply.

A request: ``code``, ``mark``, ``files`` (name and Base64 of each, put into the folder before), and
``most_bytes`` of all files of the reply. A reply: ``is_error``, ``memory_bytes`` (the most that the process
has used), ``files`` and ``pictures`` (Base64), ``left_out`` (names).
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import linecache
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_MAX_FILES = 20
_MAX_ENTRIES = 2_000
_PACKAGES = ("numpy", "pandas", "matplotlib", "openpyxl", "scipy", "sympy", "PIL", "sklearn")


def main() -> None:
    """Serve until standard input ends."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    for name in ("stdout", "stderr"):
        raw = io.FileIO(2, "w", closefd=False)
        setattr(
            sys,
            name,
            io.TextIOWrapper(raw, encoding="utf-8", errors="replace", write_through=True),
        )
    sys.path += sys.argv[1:]
    session = _Session()
    for line in requests:
        request = json.loads(line)
        reply = session.run(request)
        replies.write(json.dumps(reply).encode() + b"\n")
        replies.flush()
        _end_output(request["mark"])


def _end_output(mark: str) -> None:
    data = f"\n{mark}\n".encode()
    while data:
        data = data[os.write(2, data) :]


class _Session:
    """The variables, and the files as they were before a call."""

    def __init__(self) -> None:
        Path(".tmp").mkdir(exist_ok=True)
        self._names: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
        self._n_calls = 0

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run one request and return the reply."""
        for name, data in request["files"]:
            _put(name, base64.b64decode(data))
        before = dict(_files())
        self._n_calls += 1
        is_error = not self._executed(request["code"], name=f"<call {self._n_calls}>")
        pictures = []
        try:
            pictures = _figures()
        except BaseException:  # noqa: BLE001  # the code may have changed anything
            is_error = True
            traceback.print_exc()
        files, left_out = _changed(before, most_bytes=request["most_bytes"])
        return {
            "is_error": is_error,
            "memory_bytes": _memory_bytes(),
            "files": files,
            "pictures": pictures,
            "left_out": left_out,
        }

    def _executed(self, code: str, *, name: str) -> bool:
        """Execute code, print the value of its last expression, and return whether that raised nothing."""
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        try:
            tree = ast.parse(code, name)
            last = tree.body[-1] if tree.body else None
            if isinstance(last, ast.Expr):
                tree.body.pop()
            exec(compile(tree, name, "exec"), self._names)  # noqa: S102  # what it is for
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), name, "eval"), self._names)  # noqa: S307
                if value is not None:
                    sys.stdout.write(f"{value!r}\n")
        except SystemExit as exc:
            if exc.code not in (None, 0):
                sys.stdout.write(f"exit: {exc.code}\n")
                return False
        except BaseException as exc:  # noqa: BLE001  # the model gets it, whatever it is
            _print_error(exc, name)
            return False
        return True


def _print_error(exc: BaseException, name: str) -> None:
    """Print a traceback from the code of the call on."""
    trace = exc.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != name:
        trace = trace.tb_next
    traceback.print_exception(type(exc), exc, trace)
    if isinstance(exc, ModuleNotFoundError):
        from importlib.util import find_spec

        found = ", ".join(package for package in _PACKAGES if find_spec(package)) or "none"
        sys.stdout.write(f"Packages besides the standard library, of those often used: {found}.\n")


def _put(name: str, data: bytes) -> None:
    """Write a file that may be read, in place of an earlier one."""
    path = Path(name)
    with contextlib.suppress(OSError):
        path.unlink()
    path.write_bytes(data)
    path.chmod(0o444)


def _files() -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Yield each file below this folder, with what changes when it is written."""
    pending, n_entries = ["."], 0
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                n_entries += 1
                if n_entries > _MAX_ENTRIES:
                    return
                if entry.name.startswith((".", "__pycache__")):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    state = status.st_mtime_ns, status.st_size, status.st_ino
                    yield Path(entry.path).as_posix(), state


def _changed(
    before: dict[str, tuple[int, int, int]], *, most_bytes: int
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return files that are new or changed, as name and Base64, and the names of those left out."""
    files: list[tuple[str, str]] = []
    left_out: list[str] = []
    for name, state in sorted(_files()):
        if before.get(name) == state:
            continue
        data = None
        if len(files) < _MAX_FILES and state[1] <= most_bytes:
            with contextlib.suppress(OSError):
                data = Path(name).read_bytes()
        if data is None or len(data) > most_bytes:
            left_out.append(name)
        else:
            most_bytes -= len(data)
            files.append((name, base64.b64encode(data).decode()))
    return files, left_out[:_MAX_FILES]


def _figures() -> list[str]:
    """Return the open figures of matplotlib as PNG, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    pictures = []
    for number in pyplot.get_fignums()[:_MAX_FILES]:
        buffer = io.BytesIO()
        pyplot.figure(number).savefig(buffer, format="png", dpi=100, bbox_inches="tight")
        pictures.append(base64.b64encode(buffer.getvalue()).decode())
    pyplot.close("all")
    return pictures


def _memory_bytes() -> int:
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


if __name__ == "__main__":
    main()
