"""Windows Job Object that kills a child process when this process ends, however it ends."""

from __future__ import annotations

import sys

from fireside.core.closeable import Closeable

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE = 0x2000
    _JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION = 0x400
    _JOB_OBJECT_LIMIT_PROCESS_MEMORY = 0x100
    _EXTENDED_LIMIT_INFORMATION = 9
    _PROCESS_TERMINATE = 0x0001
    _PROCESS_SET_QUOTA = 0x0100

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
            ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _IoCounters(ctypes.Structure):
        _fields_ = tuple(
            (name, ctypes.c_ulonglong)
            for name in (
                "ReadOperationCount",
                "WriteOperationCount",
                "OtherOperationCount",
                "ReadTransferCount",
                "WriteTransferCount",
                "OtherTransferCount",
            )
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("BasicLimitInformation", _BasicLimits),
            ("IoInfo", _IoCounters),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    def _kernel32() -> ctypes.WinDLL:
        """Return kernel32 with the types of what is called here; 64-bit handles are cut without them."""
        kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel32.CreateJobObjectW.argtypes = (wintypes.LPVOID, wintypes.LPCWSTR)
        kernel32.CreateJobObjectW.restype = wintypes.HANDLE
        kernel32.SetInformationJobObject.argtypes = (
            wintypes.HANDLE,
            ctypes.c_int,
            wintypes.LPVOID,
            wintypes.DWORD,
        )
        kernel32.SetInformationJobObject.restype = wintypes.BOOL
        kernel32.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
        kernel32.OpenProcess.restype = wintypes.HANDLE
        kernel32.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        kernel32.AssignProcessToJobObject.restype = wintypes.BOOL
        kernel32.CloseHandle.argtypes = (wintypes.HANDLE,)
        kernel32.CloseHandle.restype = wintypes.BOOL
        return kernel32


class KillOnExitJob(Closeable):
    """Holds a Job Object with one process in it; closing it, or the end of this program, ends that process.

    Does nothing on other systems, where the runner asks the kernel itself and watches its input.
    """

    def __init__(self, pid: int) -> None:
        """Put process ``pid`` into a new job. Raises ``OSError`` where Windows refuses."""
        if sys.platform == "win32":
            self._kernel32 = _kernel32()
            self._job = self._kernel32.CreateJobObjectW(None, None)
            if not self._job:
                raise ctypes.WinError(ctypes.get_last_error())
            try:
                self._limit(memory_bytes=0)
                self._assign(pid)
            except OSError:
                self.close()
                raise

    if sys.platform == "win32":

        def _limit(self, *, memory_bytes: int) -> None:
            limits = _ExtendedLimits()
            limits.BasicLimitInformation.LimitFlags = (
                # Without the second, a crash would wait behind an error-reporting window.
                _JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | _JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
            )
            if memory_bytes:
                limits.BasicLimitInformation.LimitFlags |= _JOB_OBJECT_LIMIT_PROCESS_MEMORY
                limits.ProcessMemoryLimit = memory_bytes
            done = self._kernel32.SetInformationJobObject(
                self._job, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
            )
            if not done:
                raise ctypes.WinError(ctypes.get_last_error())

        def _assign(self, pid: int) -> None:
            process = self._kernel32.OpenProcess(_PROCESS_SET_QUOTA | _PROCESS_TERMINATE, False, pid)
            if not process:
                raise ctypes.WinError(ctypes.get_last_error())
            try:
                if not self._kernel32.AssignProcessToJobObject(self._job, process):
                    raise ctypes.WinError(ctypes.get_last_error())
            finally:
                self._kernel32.CloseHandle(process)

    def limit_memory(self, n_bytes: int) -> None:
        """Let the process have no more memory of its own than this. Raises ``OSError``; only on Windows."""
        if sys.platform == "win32":
            self._limit(memory_bytes=n_bytes)

    def close(self) -> None:
        """Close the job, which ends the process if it still runs. Idempotent."""
        if sys.platform == "win32" and self._job:
            self._kernel32.CloseHandle(self._job)
            self._job = None
