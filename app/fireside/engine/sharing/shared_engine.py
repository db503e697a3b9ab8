"""An engine that is shared by all programs of a user: this program's own, or the one that runs already."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from fireside.core.context import PromptMeasure, PromptMeasureRequest
from fireside.core.ids import ModelId, RequestId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.status import LoadedModel, ModelStatus, RunningModel, Unloaded
from fireside.core.task import GenerationTask
from fireside.engine.engine import Engine
from fireside.engine.engine_context import EngineContext
from fireside.engine.options import EngineOptions
from fireside.engine.prompt_preview import PromptPreview
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import GenerationStream
from fireside.engine.sharing.engine_host import EngineHost
from fireside.engine.sharing.engine_messages import (
    LoadModel,
    MeasurePrompt,
    PreviewPrompt,
)
from fireside.engine.sharing.joined_engine import EngineUnresponsive, JoinedEngine, VersionMismatch, join
from fireside.engine.sharing.local_endpoint import EngineLock, LocalEndpoint, local_endpoint

log = logging.getLogger(__name__)

_START_LIMIT_S: Final = 5.0
"""How long to wait for a program that holds the lock and does not listen yet."""
_POLL_INTERVAL_S: Final = 0.05

OnLost: TypeAlias = Callable[[], Awaitable[None]]

_LOADED: msgspec.msgpack.Decoder[LoadedModel] = msgspec.msgpack.Decoder(LoadedModel)
_PREVIEW: msgspec.msgpack.Decoder[PromptPreview | None] = msgspec.msgpack.Decoder(PromptPreview | None)
_MEASURED: msgspec.msgpack.Decoder[PromptMeasure | None] = msgspec.msgpack.Decoder(PromptMeasure | None)


class SharedEngine(Engine):
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
        super().__init__(context, on_status=self._publish, options=options)
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
        self._host = EngineHost(self, name=name)
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
    def _joined_engine(self) -> JoinedEngine | None:
        """The other program's engine, while connected."""
        return None if self._joined is None or self._joined.is_lost else self._joined

    def generate(self, request: GenerationRequest) -> GenerationStream:
        joined = self._joined_engine
        return super().generate(request) if joined is None else joined.generate(request)

    def cancel(self, request_id: RequestId) -> None:
        super().cancel(request_id)
        if (joined := self._joined_engine) is not None:
            joined.cancel(request_id)

    def set_priority_owner(self, owner: str) -> None:
        super().set_priority_owner(owner)
        if (joined := self._joined_engine) is not None:
            joined.set_priority_owner(owner)

    async def load(
        self,
        spec: ModelSpec,
        options: LoadOptions,
        *,
        keep_alive_s: float | None,
        override_options: LoadOptions | None = None,
        persist: bool = False,
        n_ctx: int = 0,
    ) -> LoadedModel:
        if (joined := self._joined_engine) is None:
            return await super().load(
                spec,
                options,
                keep_alive_s=keep_alive_s,
                override_options=override_options,
                persist=persist,
                n_ctx=n_ctx,
            )
        query = LoadModel(
            spec=spec,
            options=options,
            keep_alive_s=keep_alive_s,
            override_options=override_options,
            persist=persist,
            n_ctx=n_ctx,
        )
        return await joined.query(query, reply=_LOADED)

    async def unload(self, model_id: ModelId) -> None:
        if (joined := self._joined_engine) is None:
            await super().unload(model_id)
        else:
            await joined.unload(model_id)

    async def preview_prompt(self, model_id: ModelId, task: GenerationTask) -> PromptPreview | None:
        if (joined := self._joined_engine) is None:
            return await super().preview_prompt(model_id, task)
        return await joined.query(PreviewPrompt(model_id=model_id, task=task), reply=_PREVIEW)

    async def measure_prompt(self, model_id: ModelId, question: PromptMeasureRequest) -> PromptMeasure | None:
        if (joined := self._joined_engine) is None:
            return await super().measure_prompt(model_id, question)
        return await joined.query(MeasurePrompt(model_id=model_id, question=question), reply=_MEASURED)

    def freeze_loads(self, name: str) -> AbstractAsyncContextManager[None]:
        joined = self._joined_engine
        return super().freeze_loads(name) if joined is None else joined.freeze_loads(name)

    def statuses(self) -> tuple[ModelStatus, ...]:
        joined = self._joined_engine
        return super().statuses() if joined is None else joined.statuses()

    def running_models(self) -> tuple[RunningModel, ...]:
        joined = self._joined_engine
        return super().running_models() if joined is None else joined.running_models()

    async def close(self) -> None:
        if (joined := self._joined_engine) is not None:
            await joined.close()
        if self._joined_task is not None:
            self._joined_task.cancel()
            await asyncio.gather(self._joined_task, return_exceptions=True)
        if self._server is not None and self._endpoint is not None:
            self._server.close()
            self._endpoint.remove()
        if self._host is not None:
            await self._host.close()
        await super().close()
        if self._lock is not None:
            self._lock.release()
