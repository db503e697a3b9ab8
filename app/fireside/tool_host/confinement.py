"""Confine this process on Linux with namespaces, Landlock and seccomp. Standard library only; see
``launcher``."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

assert sys.platform == "linux"

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_LIBC.prctl.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)
_LIBC.syscall.restype = ctypes.c_long
_LIBC.mount.argtypes = (ctypes.c_char_p,) * 3 + (ctypes.c_ulong, ctypes.c_char_p)

_PR_SET_PDEATHSIG: Final = 1
_PR_CAPBSET_DROP: Final = 24
_PR_SET_SECCOMP: Final = 22
_PR_SET_NO_NEW_PRIVS: Final = 38
_SIGKILL: Final = 9

_CLONE_NEWNS: Final = 0x00020000
_CLONE_NEWIPC: Final = 0x08000000
_CLONE_NEWUSER: Final = 0x10000000
_CLONE_NEWPID: Final = 0x20000000
_CLONE_NEWNET: Final = 0x40000000
_MS_PRIVATE: Final = 0x40000 | 0x4000  # with MS_REC
_MS_NOSUID_NODEV_NOEXEC: Final = 0x2 | 0x4 | 0x8
_MS_BIND: Final = 0x1000 | 0x4000  # with MS_REC
_MOUNT_SETATTR: Final = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY: Final = 1

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_READ: Final = _EXECUTE | _READ_FILE | _READ_DIR
_FILE_RIGHTS: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_TCP: Final = 1 | 2
_SCOPES: Final = 1 | 2
"""Abstract sockets, signals."""
_RIGHTS_BY_ABI: Final = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF}
_ALL_RIGHTS: Final = 0xFFFF

_ALLOW, _EPERM = 0x7FFF0000, 0x00050001
_INET_FAMILIES: Final = (2, 10, 16)
"""IPv4, IPv6, netlink: the socket families that a server may open. Unix sockets lead to programs that are
not confined, and Landlock does not cover them."""
_IO_URING_SETUP: Final = 425
_MACHINES: Final = {
    "x86_64": (0xC000003E, 41, (248, 249, 250)),
    "aarch64": (0xC00000B7, 198, (217, 218, 219)),
}
"""The audit architecture of each, and the numbers of the system calls ``socket``, and ``add_key``,
``request_key`` and ``keyctl``, which reach the user's keyrings."""


class ConfinementError(OSError):
    """The kernel refused a step."""


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends."""
    _checked(_LIBC.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0))


def landlock_abi() -> int:
    """Return the kernel's Landlock ABI version; 0 for none."""
    return max(0, int(_LIBC.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def enter_namespaces(*, network: bool) -> None:
    """Hide other processes and their shared memory from the children of this process, and without
    ``network`` the network."""
    uid, gid = os.getuid(), os.getgid()
    flags = _CLONE_NEWUSER | _CLONE_NEWPID | _CLONE_NEWNS | _CLONE_NEWIPC | (0 if network else _CLONE_NEWNET)
    _checked(_LIBC.unshare(flags))
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def mount_own_proc() -> bool:
    """Mount a ``/proc`` that shows this namespace alone; return whether that succeeded."""
    if _LIBC.mount(b"none", b"/", None, _MS_PRIVATE, None) != 0:
        return False
    return bool(_LIBC.mount(b"proc", b"/proc", b"proc", _MS_NOSUID_NODEV_NOEXEC, None) == 0)


def make_read_only(*, writable: Iterable[str]) -> None:
    """Mount everything but these files and folders read-only. Raises ``OSError`` if that does not succeed.

    Landlock does not cover permissions, owners, times and extended attributes. On a read-only mount they
    cannot be changed either, whoever owns the file.
    """
    kept = [path.encode() for path in writable if os.path.exists(path)]  # noqa: PTH110  # small launcher
    for path in kept:
        _checked(_LIBC.mount(path, path, None, _MS_BIND, None))
    _set_read_only(b"/", is_set=True)
    for path in kept:
        _set_read_only(path, is_set=False)


def _set_read_only(path: bytes, *, is_set: bool) -> None:
    flags = struct.pack("=QQQQ", *((_MOUNT_ATTR_RDONLY, 0) if is_set else (0, _MOUNT_ATTR_RDONLY)), 0, 0)
    size = ctypes.c_size_t(len(flags))
    _checked(_LIBC.syscall(_MOUNT_SETATTR, _AT_FDCWD, path, _AT_RECURSIVE, flags, size))


def give_up_privileges() -> None:
    """Drop all privileges for good, also where the user is root."""
    _checked(_LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    for capability in range(64):
        if _LIBC.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break  # the kernel has no more, or this user never had them


def restrict_files(*, readable: Iterable[str], writable: Iterable[str], network: bool) -> None:
    """Restrict this process to these files and folders, and without ``network`` deny TCP."""
    abi = landlock_abi()
    rights = _RIGHTS_BY_ABI.get(abi, _ALL_RIGHTS)
    handled_net = 0 if network or abi < 4 else _TCP
    attributes = struct.pack("=QQQ", rights, handled_net, _SCOPES if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = _checked(_LIBC.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), 0))
    try:
        for paths, allowed in ((readable, _READ), (writable, rights)):
            for path in paths:
                _allow(ruleset, path, allowed & rights)
        _checked(_LIBC.syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def refuse_system_calls() -> None:
    """Deny sockets other than network ones, and keyrings. Raises ``ConfinementError`` on unknown
    architectures."""
    machine = os.uname().machine
    if machine not in _MACHINES:
        raise ConfinementError(f"sockets are not filtered on {machine}")
    audit, socket_call, key_calls = _MACHINES[machine]
    load, jump_equal, jump_at_least, ret = 0x20, 0x15, 0x35, 0x06
    n_keys = len(key_calls)
    refuse = 7 + n_keys + len(_INET_FAMILIES)  # offsets of the last two instructions, the jump targets
    allow = refuse + 1
    program = [
        (load, 4, 0, 0),  # the architecture: system call numbers differ
        (jump_equal, audit, 0, refuse - 2),
        (load, 0, 0, 0),  # the system call number
        (jump_at_least, 0x40000000, refuse - 4, 0),  # x32, which has other numbers too
        (jump_equal, _IO_URING_SETUP, refuse - 5, 0),  # io_uring can open sockets without that call
        *((jump_equal, call, refuse - index, 0) for index, call in enumerate(key_calls, start=6)),
        (jump_equal, socket_call, 0, allow - 6 - n_keys),
        (load, 16, 0, 0),  # its first argument
        *(
            (jump_equal, family, allow - index, 0)
            for index, family in enumerate(_INET_FAMILIES, start=8 + n_keys)
        ),
        (ret, _EPERM, 0, 0),
        (ret, _ALLOW, 0, 0),
    ]
    code = b"".join(
        struct.pack("=HBBI", opcode, if_true, if_false, value) for opcode, value, if_true, if_false in program
    )
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("@HP", len(program), ctypes.addressof(buffer))
    pointer = ctypes.create_string_buffer(filter_, len(filter_))
    _checked(_LIBC.prctl(_PR_SET_SECCOMP, 2, ctypes.addressof(pointer), 0, 0))


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what does not exist needs no rule
    try:
        if not Path(path).is_dir():
            rights &= _FILE_RIGHTS | _IOCTL_DEV
        rule = struct.pack("=Qi", rights, fd)
        _checked(_LIBC.syscall(_ADD_RULE, ruleset, 1, rule, 0))
    finally:
        os.close(fd)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise ConfinementError(number, os.strerror(number))
    return result
