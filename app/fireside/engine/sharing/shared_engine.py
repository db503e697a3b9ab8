"""An engine that is shared by all programs of a user: this program's own, or the one that runs already."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from fireside.core.ids import ModelId, RequestId
from fireside.core.prompt_query import PromptQuery, ReplyT
from fireside.core.status import LoadedModel, ModelStatus, RunningModel, Unloaded
from fireside.engine.engine import Engine
from fireside.engine.engine_context import EngineContext
from fireside.engine.options import EngineOptions
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.engine.request_state import GenerationStream
from fireside.engine.sharing.engine_host import EngineHost
from fireside.engine.sharing.joined_engine import EngineUnresponsive, JoinedEngine, VersionMismatch, join
from fireside.engine.sharing.local_endpoint import EngineLock, LocalEndpoint, local_endpoint

log = logging.getLogger(__name__)

_START_LIMIT_S: Final = 5.0
"""How long to wait for a program that holds the lock and does not listen yet."""
_POLL_INTERVAL_S: Final = 0.05

OnLost: TypeAlias = Callable[[], Awaitable[None]]


class SharedEngine:
    """An engine that other programs may use, or that forwards to another program's.

    It starts as this program's own. After ``join`` or ``share`` it may forward to another program's until
    that ends, and then uses its own again. ``configure`` always applies to its own.
    """

    def __init__(
        self,
        context: EngineContext,
        *,
        on_status: Callable[[ModelStatus], None],
        options: EngineOptions | None = None,
    ) -> None:
        self._own = Engine(context, on_status=self._publish, options=options)
        self._on_status = on_status
        self._joined: JoinedEngine | None = None
        self._joined_task: asyncio.Task[None] | None = None
        self._host: EngineHost | None = None
        self._server: asyncio.Server | None = None
        self._lock: EngineLock | None = None
        self._endpoint: LocalEndpoint | None = None

    async def join(self, path: Path, *, name: str, on_lost: OnLost | None = None) -> bool:
        """Use the engine that another program hosts at ``path``. Return whether there is one.

        Args:
            name: name of this program in lists of clients of a model.
            on_lost: called once that engine is lost.

        Raises:
            VersionMismatch: it has another version, and is not used.
            EngineUnresponsive: it does not answer, and is not used.
        """
        return self._adopt(await join(local_endpoint(path), client=name), on_lost=on_lost)

    async def share(self, path: Path, *, name: str, on_lost: OnLost | None = None) -> None:
        """Host this engine at ``path``; if another program hosts one there, use that until it ends.

        Args:
            name: name of this program in lists of clients of a model.
            on_lost: called once that engine is lost; ``None`` calls ``share`` again.

        Raises:
            VersionMismatch: it has another version; neither is used by the other.
            EngineUnresponsive: it does not answer or listen; neither is used by the other.
            OSError: the endpoint cannot be opened.
        """
        endpoint = local_endpoint(path)
        lock = EngineLock(path.with_name(f"{path.name}.lock"))
        on_lost = on_lost or partial(self.share, path, name=name)
        try:
            async with asyncio.timeout(_START_LIMIT_S):
                while not lock.acquire():
                    if self._adopt(await join(endpoint, client=name), on_lost=on_lost):
                        return
                    await asyncio.sleep(_POLL_INTERVAL_S)
        except TimeoutError as exc:
            raise EngineUnresponsive from exc
        self._lock, self._endpoint = lock, endpoint
        self._host = EngineHost(self._own, name=name)
        try:
            self._server = await endpoint.listen(self._host.serve)
        except OSError:
            lock.release()
            raise

    def _adopt(self, joined: JoinedEngine | None, *, on_lost: OnLost | None) -> bool:
        if joined is not None:
            joined.on_status = self._on_status
            self._joined = joined
            self._joined_task = asyncio.create_task(
                self._run_joined(joined, on_lost=on_lost), name="shared engine"
            )
        return joined is not None

    async def _run_joined(self, joined: JoinedEngine, *, on_lost: OnLost | None) -> None:
        await joined.run()
        for status in joined.statuses():
            self._on_status(ModelStatus(model_id=status.model_id, state=Unloaded()))
        if on_lost is not None:
            try:
                await on_lost()
            except (VersionMismatch, EngineUnresponsive, OSError) as exc:
                log.warning("the engine is not shared: %r", exc)

    def _publish(self, status: ModelStatus) -> None:
        self._on_status(status)
        if self._host is not None:
            self._host.publish_state()

    @property
    def _engine(self) -> Engine | JoinedEngine:
        """The engine in use: the other program's while connected, else this program's own."""
        return self._own if self._joined is None or self._joined.is_lost else self._joined

    def generate(self, request: GenerationRequest) -> GenerationStream:
        """See ``Engine.generate``."""
        return self._engine.generate(request)

    def cancel(self, request_id: RequestId) -> None:
        """See ``Engine.cancel``."""
        self._own.cancel(request_id)
        if self._joined is not None:
            self._joined.cancel(request_id)

    def set_priority_owner(self, owner: str) -> None:
        """See ``Engine.set_priority_owner``."""
        self._own.set_priority_owner(owner)
        if self._joined is not None:
            self._joined.set_priority_owner(owner)

    def configure(self, options: EngineOptions) -> None:
        """Apply other limits to this program's own engine; see ``Engine.configure``."""
        self._own.configure(options)

    async def load(self, request: LoadRequest) -> LoadedModel:
        """See ``Engine.load``."""
        return await self._engine.load(request)

    async def unload(self, model_id: ModelId) -> None:
        """See ``Engine.unload``."""
        await self._engine.unload(model_id)

    async def ask(self, model_id: ModelId, query: PromptQuery[ReplyT]) -> ReplyT | None:
        """See ``Engine.ask``."""
        return await self._engine.ask(model_id, query)

    def freeze_loads(self, name: str) -> AbstractAsyncContextManager[None]:
        """See ``Engine.freeze_loads``."""
        return self._engine.freeze_loads(name)

    def statuses(self) -> tuple[ModelStatus, ...]:
        """See ``Engine.statuses``."""
        return self._engine.statuses()

    def running_models(self) -> tuple[RunningModel, ...]:
        """See ``Engine.running_models``."""
        return self._engine.running_models()

    async def close(self) -> None:
        """See ``Engine.close``."""
        if self._joined is not None and not self._joined.is_lost:
            await self._joined.close()
        if self._joined_task is not None:
            self._joined_task.cancel()
            await asyncio.gather(self._joined_task, return_exceptions=True)
        if self._server is not None and self._endpoint is not None:
            self._server.close()
            self._endpoint.remove()
        if self._host is not None:
            await self._host.close()
        await self._own.close()
        if self._lock is not None:
            self._lock.release()
