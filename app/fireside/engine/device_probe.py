"""Ask a runner which devices there are, where none runs."""

from __future__ import annotations

from fireside.core.runtime import BUILT_IN
from fireside.core.status import Device
from fireside.engine.clock import Clock
from fireside.engine.options import EngineOptions
from fireside.engine.processes.link import Spawn
from fireside.engine.runner_session import RunnerSession


async def probe_devices(*, spawn: Spawn, clock: Clock, runtime: str = BUILT_IN) -> tuple[Device, ...]:
    """Start a runner, see what it reports, and end it. About a second. Raises ``RunnerError``."""
    session = RunnerSession(
        await spawn("none", runtime=runtime),
        name="none",
        clock=clock,
        on_ended=lambda _: None,
        on_freed=lambda _: None,
    )
    try:
        hello = await session.handshake(limit_s=EngineOptions().handshake_limit_s)
        return hello.devices
    finally:
        await session.stop()
