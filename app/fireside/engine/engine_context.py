"""What the program gives the engine: how to start runners and measure the computer."""

from __future__ import annotations

from dataclasses import dataclass, field

from fireside.engine.cache_budget import CacheProbe, no_cache
from fireside.engine.clock import BootClock, Clock, seconds_since_boot
from fireside.engine.host_info import HostProbe
from fireside.engine.memory_release import FreeMemoryProbe, unknown_free_memory
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.llama_setup import LlamaSetup
from fireside.engine.processes.runner_process import Spawn


@dataclass(frozen=True, kw_only=True)
class EngineContext:
    """The dependencies of an engine. Shared by its parts, changed by none."""

    spawn: Spawn
    """Starts a runner, see ``RunnerSpawner``."""
    clock: Clock
    probe: HostProbe
    """Measures the computer."""
    planner: Planner
    """Decides on which devices the parts of a model go."""
    cache: CacheProbe = no_cache
    """Called at each load for the prompt cache's folder and limits."""
    free_memory: FreeMemoryProbe = unknown_free_memory
    """Measures devices, so that one model's memory is free before the next is loaded."""
    boot_clock: BootClock = seconds_since_boot
    """See ``BootClock``."""
    setup: LlamaSetup = field(default_factory=LlamaSetup)
    """Compiles llama.cpp where that is not done: loads wait for it."""
