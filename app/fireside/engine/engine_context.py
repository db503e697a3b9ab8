"""What the engine is given by the program: how it starts runners and measures the computer."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.engine.cache_budget import CacheProbe, no_cache
from fireside.engine.clock import BootClock, Clock, seconds_since_boot
from fireside.engine.host_info import HostProbe
from fireside.engine.memory_release import FreeOn, unknown_free_memory
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.link import Spawn


@dataclass(frozen=True, kw_only=True)
class EngineContext:
    """The world around an engine. Shared by its parts, changed by none."""

    spawn: Spawn
    """Starts a runner, see ``RunnerSpawner``."""
    clock: Clock
    probe: HostProbe
    """Measures the computer."""
    planner: Planner
    """Decides where a load goes."""
    cache: CacheProbe = no_cache
    """Asked with each load where conversations are kept beyond the context, and how much of them."""
    free_on: FreeOn = unknown_free_memory
    """Measures devices, so that the memory of one model is back before the next is loaded."""
    boot_clock: BootClock = seconds_since_boot
    """Seconds that go on while the computer sleeps."""
