"""CPU affinity and NUMA strategy of a runner."""

from __future__ import annotations

from typing import Final

import psutil

from fireside.core.errors import InvalidParameter
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.options import LoadOptions, Numa
from fireside.runner.native import lib

_NUMA: Final = {Numa.DISTRIBUTE: 1, Numa.ISOLATE: 2, Numa.NUMACTL: 3}


def bind_cpus(options: LoadOptions) -> None:
    """Bind this process to ``options.cpus``, and apply the strategy ``options.numa``.

    Called before a model is loaded, in the decoding thread, whose affinity llama.cpp's threads inherit.

    Raises:
        InvalidParameter: there is no such CPU, or the system does not support affinity.
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
