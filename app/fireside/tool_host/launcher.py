"""Start one server, confined, and end it with the tool host however that ends. POSIX.

``python -S -P -m fireside.tool_host.launcher FD``: the launch comes as a line of JSON over the socket FD, the
reply is a line with the level of confinement, and from then on the end of the socket means the end of the
host. This process stays outside as the parent; inside the namespaces the first process reaps the server's
orphans.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import socket
import sys
from typing import Any, Final, NoReturn

assert sys.platform != "win32"

if sys.platform == "linux":
    from fireside.tool_host import confinement

_FULL, _NO_NAMESPACES, _NONE = "full", "no-namespaces", "none"
"""The values of ``core.tool_servers.Sandbox``, which is not imported to keep the launcher small."""
_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix/store", "/run/current-system",
    "/run/systemd/resolve", "/sys/devices/system/cpu", "/sys/fs/cgroup",
)  # fmt: skip
_STRICT_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/alternatives", "/etc/fonts",
    "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/sys/devices/system/cpu",
)  # fmt: skip
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_NOT_STARTED: Final = 127
_IGNORED: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main() -> NoReturn:
    """Start the server, and exit with it."""
    link = socket.socket(fileno=int(sys.argv[1]))
    link.set_inheritable(False)
    spec = json.loads(_read_line(link))
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)  # they are for the server
    if sys.platform == "linux":
        confinement.die_with_parent()
    level, has_namespaces = _enter_namespaces(spec)
    link.sendall(json.dumps(level).encode() + b"\n")
    if level == _NONE and not spec["without_sandbox"]:
        sys.exit(_NOT_STARTED)
    wake_read, wake_write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(wake_read)
        os.close(wake_write)
        link.close()
        _run_child(spec, level=level, has_namespaces=has_namespaces)
    _close_input_and_output()
    _wait(child, link=link, wake_read=wake_read, wake_write=wake_write)


def _read_line(link: socket.socket) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        piece = link.recv(65536)
        if not piece:
            sys.exit(_NOT_STARTED)
        line += piece
    return line


def _enter_namespaces(spec: dict[str, Any]) -> tuple[str, bool]:
    """Enter the namespaces; return the level of confinement, and whether there are namespaces."""
    if sys.platform == "linux" and spec["is_confined"]:
        try:
            confinement.enter_namespaces(network=spec["network"])
            has_namespaces = True
        except OSError:
            has_namespaces = False
        if confinement.landlock_abi() != 0:
            return (_FULL if has_namespaces else _NO_NAMESPACES), has_namespaces
        return _NONE, has_namespaces
    return _NONE, False


def _run_child(spec: dict[str, Any], *, level: str, has_namespaces: bool) -> NoReturn:
    """Become the server, or its parent where this is the first process of the namespace."""
    has_own_proc = False
    if sys.platform == "linux":
        confinement.die_with_parent()
        if has_namespaces:
            is_strict = spec["is_strict"] and level != _NONE
            has_own_proc = is_strict or confinement.mount_own_proc()
            if level != _NONE:
                try:
                    if is_strict:
                        visible = (*_STRICT_SYSTEM, *_DEVICES, *spec["readable"])
                        confinement.enter_own_root(spec["cwd"], visible=visible, size_bytes=spec["cwd_bytes"])
                    else:
                        confinement.make_read_only(writable=spec["writable"])
                except OSError as exc:  # the host was told that it is confined
                    os.write(2, f"the sandbox could not be set up: {exc.strerror or exc}\n".encode())
                    os._exit(_NOT_STARTED)
            server = os.fork()
            if server != 0:
                _close_input_and_output()
                _reap(server)
            confinement.die_with_parent()
    try:
        _exec_server(spec, level=level, has_own_proc=has_own_proc)
    except OSError as exc:
        os.write(2, f"{spec['command'][0]}: {exc.strerror or exc}\n".encode())
    os._exit(_NOT_STARTED)


def _exec_server(spec: dict[str, Any], *, level: str, has_own_proc: bool) -> None:
    for number in _IGNORED:
        signal.signal(number, signal.SIG_DFL)
    os.chdir(spec["cwd"])
    for name, limit in spec["limits"].items():
        with contextlib.suppress(OSError, ValueError):  # not every system has each
            resource.setrlimit(getattr(resource, name), (limit, limit))
    if sys.platform == "linux" and level != _NONE:
        is_strict = spec["is_strict"]
        system = _STRICT_SYSTEM if is_strict else _SYSTEM
        confinement.give_up_privileges()
        confinement.restrict_files(
            readable=(*system, *(("/proc",) if has_own_proc else ()), *spec["readable"]),
            writable=(*_DEVICES, *((spec["cwd"],) if is_strict else spec["writable"])),
            network=spec["network"],
        )
        confinement.refuse_system_calls(is_strict=is_strict)
    os.execve(spec["command"][0], spec["command"], spec["environment"])  # noqa: S606  # no shell is meant


def _reap(server: int) -> NoReturn:
    """Reap children; exit with the server, which ends everything in the namespace."""
    while True:
        pid, status = os.wait()
        if pid == server:
            os._exit(_exit_status(status))


def _wait(child: int, *, link: socket.socket, wake_read: int, wake_write: int) -> NoReturn:
    """Exit with the child, or kill the child when the host ends."""
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(wake_write)
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid == child:
            os._exit(_exit_status(status))
        ready, _, _ = select.select([link.fileno(), wake_read], [], [])
        if link.fileno() in ready and not link.recv(1):
            os.killpg(os.getpid(), signal.SIGKILL)
        if wake_read in ready:
            os.read(wake_read, 4096)


def _exit_status(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _close_input_and_output() -> None:
    """Close the pipes of the server, so that they end when it does."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)


if __name__ == "__main__":
    main()
