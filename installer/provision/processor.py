"""The identity of the processor, so that native builds are used only on the same kind."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

_LINUX_FIELDS = ("model name", "flags", "CPU implementer", "CPU part", "Features", "isa")


def processor_identity() -> str:
    """Return a text that is equal for processors that run the same native code."""
    if sys.platform == "linux":
        return linux_identity(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"))
    if sys.platform == "darwin":
        result = subprocess.run(
            ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"],
            capture_output=True,
            text=True,
            check=False,
        )
        return f"{platform.machine()} {result.stdout.strip()}"
    return f"{platform.machine()} {platform.processor()}"


def linux_identity(cpuinfo: str) -> str:
    """Return the identity of the first processor in ``/proc/cpuinfo``."""
    first, _, _ = cpuinfo.partition("\n\n")
    fields = (line.partition(":") for line in first.splitlines())
    return "\n".join(f"{name.strip()}:{value}" for name, _, value in fields if name.strip() in _LINUX_FIELDS)
