"""Load a model into a runner, with what is tried again when memory is short."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable

from fireside.core.errors import OutOfMemory
from fireside.core.options import LoadOptions
from fireside.core.status import LoadedModel
from fireside.engine.beside import find_beside
from fireside.engine.cache_budget import CacheProbe
from fireside.engine.host import HostProbe
from fireside.engine.placement import place, smaller_placements
from fireside.engine.session import RunnerSession
from fireside.engine.turns import Wanted
from fireside.wire.messages import Load


async def load_with_retries(
    wanted: Wanted,
    *,
    open_session: Callable[[], Awaitable[RunnerSession]],
    evict_idle: Callable[[], Awaitable[bool]],
    probe: HostProbe,
    cache: CacheProbe,
    handshake_limit_s: float,
    on_progress: Callable[[float], None],
) -> LoadedModel:
    """Load ``wanted`` into the session that ``open_session`` returned last.

    A load that runs out of memory is tried again once the idle models have made room, and, where the number
    of layers on the GPU is automatic, with half of them and then with none. Each try is a new process.

    Args:
        cache: where the runner keeps what it has read, and how much of it.
        evict_idle: unloads every idle model, waits for it, and says whether there was any.

    Raises:
        FiresideError: of the last try, or of ``open_session``.
    """
    placements: deque[LoadOptions] | None = None
    may_evict = True
    placed: LoadOptions | None = None
    while True:
        session = await open_session()
        hello = await session.greet(limit_s=handshake_limit_s)
        if placed is None:
            beside = await find_beside(wanted.options)
            placed = place(wanted.spec, wanted.options, devices=hello.devices, host=probe(), beside=beside)
        command = Load(path=wanted.spec.path, name=wanted.spec.name, options=placed, cache=cache())
        try:
            return await session.load(command, on_progress=on_progress)
        except OutOfMemory:
            await session.stop()
            if may_evict:
                may_evict = False
                if await evict_idle():
                    placed = None
                    continue
            if placements is None:
                placements = deque(smaller_placements(wanted.options, placed=placed))
            if not placements:
                raise
            placed = placements.popleft()
