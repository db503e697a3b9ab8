"""Bind a runner to the processors that were chosen for it."""

from __future__ import annotations

from typing import Final

import psutil

from fireside.core.errors import InvalidParameter
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.options import LoadOptions, Numa
from fireside.runner.native import lib

_NUMA: Final = {Numa.DISTRIBUTE: 1, Numa.ISOLATE: 2, Numa.NUMACTL: 3}


def use_processors(options: LoadOptions) -> None:
    """Compute on ``options.cpus`` alone, and spread over nodes of memory as ``options.numa`` says.

    Called before a model is loaded, in the thread that computes: those beside it inherit its processors.

    Raises:
        InvalidParameter: there is no such processor, or the system binds no program to processors.
    """
    if options.cpus:
        process = psutil.Process()
        if not hasattr(process, "cpu_affinity"):
            raise InvalidParameter(name="cpus", reason=tr_noop("this system does not let programs choose."))
        allowed = process.cpu_affinity()
        if missing := [number for number in options.cpus if number not in allowed]:
            raise InvalidParameter(
                name="cpus",
                reason=Phrase(tr_noop("CPU {number} is not available."), {"number": missing[0]}),
            )
        process.cpu_affinity(list(options.cpus))
    if options.numa is not Numa.OFF:
        lib.llama_numa_init(_NUMA[options.numa])
