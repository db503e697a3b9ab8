"""Load a model into a runner, and retry with less when memory runs out."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable

import msgspec

from fireside.core.errors import OutOfMemory
from fireside.core.plan import LoadPlan
from fireside.core.status import LoadedModel, LoadStage
from fireside.engine.cache_budget import CacheProbe
from fireside.engine.engine_context import EngineContext
from fireside.engine.fairness import LoadTarget
from fireside.engine.options import EngineOptions
from fireside.engine.planning.load_fallback import smaller_layers
from fireside.engine.runner_session import RunnerSession
from fireside.wire.messages import Hello, Load


async def load_with_retries(
    target: LoadTarget,
    *,
    n_ctx: int,
    context: EngineContext,
    options: EngineOptions,
    open_session: Callable[[], Awaitable[RunnerSession]],
    evict_idle: Callable[[], Awaitable[bool]],
    cache: CacheProbe,
    on_progress: Callable[[float, LoadStage], None],
    on_planned: Callable[[LoadPlan], None],
) -> LoadedModel:
    """Load ``target`` into the session that ``open_session`` returned last.

    The planner plans it for the memory that is free. A load that runs out of memory all the same is planned
    again once idle models are unloaded, and, if the number of layers on the GPU is automatic, tried with half
    of them and then with none. Each attempt is a new process.

    Args:
        n_ctx: as ``GenerationRequest.n_ctx``.
        cache: returns the prompt cache's folder and limits.
        evict_idle: unloads every idle model, waits for that, and returns whether there was any.
        on_progress: gets the part of the file that is loaded, 0 to 1, and the stage.
        on_planned: gets each plan before its attempt.

    Raises:
        FiresideError: of the last attempt, or of ``open_session``.
    """
    smaller: deque[LoadPlan] | None = None
    may_evict = True
    plan: LoadPlan | None = None
    while True:
        session = await open_session()
        hello = await session.handshake(
            limit_s=options.handshake_limit_s, silence_s=options.handshake_silence_s
        )
        if plan is None:
            plan = await session.run_until_exit(_planned(target, n_ctx=n_ctx, hello=hello, context=context))
        command = Load(path=target.spec.path, name=target.spec.name, options=plan.options, cache=cache())
        context.planner.record_attempt(plan)
        on_planned(plan)
        try:
            loaded = await session.load(command, on_progress=on_progress)
        except OutOfMemory:
            await session.stop()
            if may_evict:
                may_evict = False
                if await evict_idle():
                    plan = None
                    continue
            if smaller is None:
                fallbacks = smaller_layers(target.options, placed=plan.options)
                smaller = deque(msgspec.structs.replace(plan, options=each) for each in fallbacks)
            if not smaller:
                raise
            plan = smaller.popleft()
        else:
            return context.planner.record_load(target.spec, plan, loaded)


async def _planned(target: LoadTarget, *, n_ctx: int, hello: Hello, context: EngineContext) -> LoadPlan:
    devices = await context.planner.with_current_memory(hello.devices)
    return await context.planner.plan(
        target.spec, target.options, devices=devices, host=context.probe(), n_ctx=n_ctx
    )
