"""The environment variables of a runner process: an allow-list without secrets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fireside.core.options import SPIN_COUNT_AUTO

_NAMES = frozenset(
    {
        # Every system
        "HOME", "LANG", "LANGUAGE", "PATH", "TZ", "TMPDIR", "TMP", "TEMP", "SSL_CERT_FILE",
        # Where shared libraries and driver descriptions are searched
        "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "XDG_CACHE_HOME",
        "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "XDG_RUNTIME_DIR", "MTMD_CPP_LIB", "LLAMA_CPP_LIB_PATH",
        # Windows cannot start a process or load a driver without these
        "APPDATA", "COMSPEC", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS", "OS", "PATHEXT",
        "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "USERPROFILE",
        "WINDIR",
    }
)  # fmt: skip

_PREFIXES = (
    "LC_",
    # Number of threads and their cores
    "OMP_", "GOMP_", "KMP_", "OPENBLAS_",
    # GPU drivers and llama.cpp's own switches
    "CUDA_", "NVIDIA_", "GGML_", "HIP_", "HSA_", "ROCM_", "ROCR_", "AMD_", "VK_", "MESA_", "RADV_", "ONEAPI_",
    "SYCL_", "ZE_", "METAL_", "MTL_",
)  # fmt: skip

DEVELOPMENT_VARIABLE = "FIRESIDE_DEVELOPMENT"
"""Set to 1 by developers of Fireside: passes on variables of features that are not for users."""

_DEVELOPMENT_PREFIXES = ("FIRESIDE_RPC",)
"""RPC devices in place of GPUs. The protocol has no authentication, and losing a device ends the runner."""

_SECRET_PARTS = ("TOKEN", "KEY", "SECRET", "PASSW", "CREDENTIAL", "AUTH", "COOKIE")
"""A name that contains one of these is never passed on, whatever its prefix."""

SPIN_VARIABLE: Final = "GOMP_SPINCOUNT"

_SPIN_COUNT: Final = "10000"
"""How often a thread of GNU's OpenMP polls for the others before it yields its core.

OpenMP's default, in effect endless, costs nothing on an idle computer, but most of the speed while another
program is busy, until there are fewer threads (``runner/llama.py``). A tenth of this count costs 1 to
2 % of the speed on an idle computer with a short context, and a sixth with 5,000 tokens of context.
"""

_SITE_FOLDERS = ("site-packages", "dist-packages")


def runner_environment(inherited: Mapping[str, str], *, app_folder: Path) -> dict[str, str]:
    """Return the environment of a runner.

    Args:
        inherited: the environment of this program.
        app_folder: the folder that holds the ``fireside`` package.
    """
    is_development = inherited.get(DEVELOPMENT_VARIABLE) == "1"
    prefixes = (*_PREFIXES, *_DEVELOPMENT_PREFIXES) if is_development else _PREFIXES
    environment = {name: value for name, value in inherited.items() if _is_passed_on(name, prefixes=prefixes)}
    # Without this, an assert in ggml starts a debugger to print a backtrace, which takes seconds.
    environment["GGML_NO_BACKTRACE"] = "1"
    if not any(name in environment for name in (SPIN_VARIABLE, "OMP_WAIT_POLICY")):
        environment[SPIN_VARIABLE] = _SPIN_COUNT
    environment["PYTHONUTF8"] = "1"
    # An installed program has its own packages; those that the user installed may have other versions.
    environment["PYTHONNOUSERSITE"] = "1"
    environment["PYTHONUNBUFFERED"] = "1"
    # An installed package is importable anyway, and its folder in front would let its modules hide Python's.
    if app_folder.name not in _SITE_FOLDERS:
        environment["PYTHONPATH"] = str(app_folder)
    return environment


def spin_variables(spin_count: int) -> dict[str, str]:
    """Return additional variables of a runner, which set how often its threads poll; see ``_SPIN_COUNT``."""
    return {} if spin_count == SPIN_COUNT_AUTO else {SPIN_VARIABLE: str(spin_count)}


def _is_passed_on(name: str, *, prefixes: tuple[str, ...]) -> bool:
    upper = name.upper()
    if any(part in upper for part in _SECRET_PARTS):
        return False
    return upper in _NAMES or upper.startswith(prefixes)
