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
_LIBC.umount2.argtypes = (ctypes.c_char_p, ctypes.c_int)

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
_MS_NOSUID_NODEV: Final = 0x2 | 0x4
_MS_NOSUID_NODEV_NOEXEC: Final = _MS_NOSUID_NODEV | 0x8
_MS_BIND: Final = 0x1000 | 0x4000  # with MS_REC
_MOUNT_SETATTR: Final = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY: Final = 1
_MNT_DETACH: Final = 2
_PIVOT_ROOTS: Final = {"x86_64": 155, "aarch64": 41}

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

_ALLOW, _EPERM, _ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_IF_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_INET_FAMILIES: Final = (2, 10, 16)
"""IPv4, IPv6, netlink: the socket families that a server may open. Unix sockets lead to programs that are
not confined, and Landlock does not cover them."""
_IO_URING_SETUP: Final = 425
_CLONE3: Final = 435
_CLONE_THREAD: Final = 0x10000
_MACHINES: Final = {
    "x86_64": (0xC000003E, 41, (248, 249, 250)),
    "aarch64": (0xC00000B7, 198, (217, 218, 219)),
}
"""The audit architecture of each, and the numbers of the system calls ``socket``, and ``add_key``,
``request_key`` and ``keyctl``, which reach the user's keyrings."""
_STRICT_EVERYWHERE: Final = (424, 426, 427, 434, 438, 440)
"""``pidfd_send_signal``, the other two of io_uring, ``pidfd_open``, ``pidfd_getfd``, ``process_madvise``."""
_STRICT: Final = {
    # fork, vfork, unshare, setns, ptrace, process_vm_readv, process_vm_writev, kcmp, bpf, perf_event_open,
    # userfaultfd, fanotify_init, name_to_handle_at, tkill, rt_sigqueueinfo, rt_tgsigqueueinfo, setpriority,
    # ioprio_set, shmget, shmat, semget, msgget, mq_open
    "x86_64": (
        57, 58, 272, 308, 101, 310, 311, 312, 321, 298, 323, 300, 303, 200, 129, 297, 141, 251, 29, 30, 64,
        68, 240,
    ),
    "aarch64": (
        97, 268, 117, 270, 271, 272, 280, 241, 282, 262, 264, 130, 138, 240, 140, 30, 194, 196, 190, 186, 180,
    ),
}  # fmt: skip
"""What one process that computes does not need, and what reaches other processes or makes some. ARM has no
``fork`` and ``vfork``."""
_STRICT_CLONE: Final = {"x86_64": 56, "aarch64": 220}
_STRICT_OF_PROCESS: Final = {
    "x86_64": ((62, 234), (302, 203, 144, 142, 314)),
    "aarch64": ((129, 131), (261, 122, 119, 118, 274)),
}
"""Calls whose first argument is a process: ``kill`` and ``tgkill``, which are allowed for the own id;
``prlimit64``, ``sched_setaffinity``, ``sched_setscheduler``, ``sched_setparam``, ``sched_setattr``, for 0."""

_Instruction = tuple[int, int, int, int]


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


def enter_own_root(folder: str, *, visible: Iterable[str], size_bytes: int) -> None:
    """Have a file system with ``visible``, read-only, and nothing else, not even the names of other files.

    ``folder``, which has to exist, is empty in it, in memory, and holds ``size_bytes``; nothing is written
    to it on the disk. Raises ``OSError``.
    """
    root = folder
    _checked(_LIBC.mount(b"none", b"/", None, _MS_PRIVATE, None))
    _checked(_LIBC.mount(b"tmpfs", root.encode(), b"tmpfs", _MS_NOSUID_NODEV, b"size=1m,mode=0755"))
    shown: list[Path] = []
    for path in map(Path, sorted({*visible})):
        if not (path.exists() or path.is_symlink()) or any(path.is_relative_to(each) for each in shown):
            continue
        shown += () if path.is_symlink() else (path,)
        _show(path, at=Path(f"{root}{path}"))
    own = f"{root}{folder}"
    Path(own).mkdir(parents=True, exist_ok=True)
    options = f"size={size_bytes},nr_inodes=10000,mode=0700".encode()
    _checked(_LIBC.mount(b"tmpfs", own.encode(), b"tmpfs", _MS_NOSUID_NODEV, options))
    Path(f"{root}/proc").mkdir()
    _LIBC.mount(b"proc", f"{root}/proc".encode(), b"proc", _MS_NOSUID_NODEV_NOEXEC, None)  # else it is empty
    os.chdir(root)
    _checked(_LIBC.syscall(_PIVOT_ROOTS[os.uname().machine], b".", b"."))
    _checked(_LIBC.umount2(b".", _MNT_DETACH))
    os.chdir("/")
    _set_read_only(b"/", is_set=True)
    _set_read_only(folder.encode(), is_set=False)


def _show(path: Path, *, at: Path) -> None:
    if at.exists() or at.is_symlink():
        return  # by a link that is shown
    at.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        at.symlink_to(path.readlink())
        return
    if path.is_dir():
        at.mkdir(exist_ok=True)
    else:
        at.touch()
    _checked(_LIBC.mount(str(path).encode(), str(at).encode(), None, _MS_BIND, None))


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


def refuse_system_calls(*, is_strict: bool = False) -> None:
    """Deny sockets other than network ones, and keyrings.

    With ``is_strict``, deny all sockets, further processes, and whatever reaches others: what is left is one
    process with its threads. Raises ``ConfinementError`` on unknown architectures.
    """
    machine = os.uname().machine
    if machine not in _MACHINES:
        raise ConfinementError(f"sockets are not filtered on {machine}")
    audit, socket_call, key_calls = _MACHINES[machine]
    program: list[_Instruction] = [
        (_LOAD, 4, 0, 0),  # the architecture: system call numbers differ
        (_JUMP_EQUAL, audit, 1, 0),
        (_RETURN, _EPERM, 0, 0),
        (_LOAD, 0, 0, 0),  # the system call number
        (_JUMP_AT_LEAST, 0x40000000, 0, 1),  # x32, which has other numbers too
        (_RETURN, _EPERM, 0, 0),
    ]
    for number in (_IO_URING_SETUP, *key_calls):  # io_uring can open sockets without that call
        program += _refused(number)
    program += _strict_rules(machine) if is_strict else ()
    program += _refused(socket_call) if is_strict else _allowed_if(socket_call, _JUMP_EQUAL, _INET_FAMILIES)
    program.append((_RETURN, _ALLOW, 0, 0))
    code = b"".join(
        struct.pack("=HBBI", opcode, if_true, if_false, value) for opcode, value, if_true, if_false in program
    )
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("@HP", len(program), ctypes.addressof(buffer))
    pointer = ctypes.create_string_buffer(filter_, len(filter_))
    _checked(_LIBC.prctl(_PR_SET_SECCOMP, 2, ctypes.addressof(pointer), 0, 0))


def _strict_rules(machine: str) -> list[_Instruction]:
    signals, limits = _STRICT_OF_PROCESS[machine]
    return [
        *(each for number in (*_STRICT_EVERYWHERE, *_STRICT[machine]) for each in _refused(number)),
        *_refused(_CLONE3, error=_ENOSYS),  # its flags are in memory; libraries then use ``clone``
        *_allowed_if(_STRICT_CLONE[machine], _JUMP_IF_SET, (_CLONE_THREAD,)),
        *(each for number in signals for each in _allowed_if(number, _JUMP_EQUAL, (os.getpid(),))),
        *(each for number in limits for each in _allowed_if(number, _JUMP_EQUAL, (0, os.getpid()))),
    ]


def _refused(number: int, *, error: int = _EPERM) -> list[_Instruction]:
    return [(_JUMP_EQUAL, number, 0, 1), (_RETURN, error, 0, 0)]


def _allowed_if(number: int, test: int, values: tuple[int, ...]) -> list[_Instruction]:
    """Allow a system call only if its first argument passes the test for one of the values."""
    n = len(values)
    return [
        (_JUMP_EQUAL, number, 0, n + 3),
        (_LOAD, 16, 0, 0),
        *((test, value, n - index, 0) for index, value in enumerate(values)),
        (_RETURN, _EPERM, 0, 0),
        (_RETURN, _ALLOW, 0, 0),
    ]


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
