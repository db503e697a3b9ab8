"""One engine for all programs of a user: this program's own, or the one that runs already."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from fireside.core.context import PromptMeasure, PromptQuestion
from fireside.core.ids import ModelId, RequestId
from fireside.core.message import ChatMessage
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.status import LoadedModel, ModelStatus, RunningModel, Unloaded
from fireside.core.task import GenerationTask
from fireside.engine.engine import Engine, GenerationStream
from fireside.engine.engine_context import EngineContext
from fireside.engine.options import EngineOptions
from fireside.engine.prompt_preview import PromptPreview
from fireside.engine.request import GenerationRequest
from fireside.engine.sharing.engine_host import EngineHost
from fireside.engine.sharing.engine_messages import (
    CountTokens,
    LoadModel,
    MeasurePrompt,
    ShowPrompt,
)
from fireside.engine.sharing.joined_engine import JoinedEngine, NotAnswering, OtherVersion, join
from fireside.engine.sharing.local_endpoint import LocalEndpoint, PlaceLock, local_endpoint

log = logging.getLogger(__name__)

_SETTLE_LIMIT_S: Final = 5.0
"""To find the program that holds the place and does not listen yet."""
_LOOK_S: Final = 0.05

AfterLoss: TypeAlias = Callable[[], Awaitable[None]]

_LOADED: msgspec.msgpack.Decoder[LoadedModel] = msgspec.msgpack.Decoder(LoadedModel)
_COUNTED: msgspec.msgpack.Decoder[tuple[int, int] | None] = msgspec.msgpack.Decoder(tuple[int, int] | None)
_PREVIEW: msgspec.msgpack.Decoder[PromptPreview | None] = msgspec.msgpack.Decoder(PromptPreview | None)
_MEASURED: msgspec.msgpack.Decoder[PromptMeasure | None] = msgspec.msgpack.Decoder(PromptMeasure | None)


class SharedEngine(Engine):
    """An engine that other programs may use, or that uses theirs.

    Made, it is this program's own. After ``join`` or ``share`` it may be another program's, until that ends;
    what is asked then is asked of its own. ``configure`` is of its own alone.
    """

    def __init__(
        self,
        context: EngineContext,
        *,
        on_status: Callable[[ModelStatus], None],
        options: EngineOptions | None = None,
    ) -> None:
        super().__init__(context, on_status=self._tell, options=options)
        self._on_status = on_status
        self._joined: JoinedEngine | None = None
        self._following: asyncio.Task[None] | None = None
        self._host: EngineHost | None = None
        self._server: asyncio.Server | None = None
        self._lock: PlaceLock | None = None
        self._endpoint: LocalEndpoint | None = None

    async def join(self, place: Path, *, name: str, then: AfterLoss | None = None) -> bool:
        """Use the engine that runs at ``place``. Returns whether one does.

        Args:
            name: what this program is called in lists of who uses a model.
            then: called once that engine has gone.

        Raises:
            OtherVersion: it is of another version, and is not used.
            NotAnswering: it hangs, and is not used.
        """
        return self._use(await join(local_endpoint(place), client=name), then=then)

    async def share(self, place: Path, *, name: str, then: AfterLoss | None = None) -> None:
        """Let other programs use this engine; where one at ``place`` runs already, use that until it ends.

        Args:
            name: what this program is called in lists of who uses a model.
            then: called once that engine has gone; ``None`` shares this one from then on.

        Raises:
            OtherVersion: it is of another version; neither is used by the other.
            NotAnswering: it hangs, or does not begin to listen; neither is used by the other.
            OSError: nothing can listen there.
        """
        endpoint = local_endpoint(place)
        lock = PlaceLock(place.with_name(f"{place.name}.lock"))
        again = then or partial(self.share, place, name=name)
        try:
            async with asyncio.timeout(_SETTLE_LIMIT_S):
                while not lock.take():
                    if self._use(await join(endpoint, client=name), then=again):
                        return
                    await asyncio.sleep(_LOOK_S)
        except TimeoutError as exc:
            raise NotAnswering from exc
        self._lock, self._endpoint = lock, endpoint
        self._host = EngineHost(self, name=name)
        try:
            self._server = await endpoint.listen(self._host.serve)
        except OSError:
            lock.release()
            raise

    def _use(self, joined: JoinedEngine | None, *, then: AfterLoss | None) -> bool:
        if joined is not None:
            joined.on_status = self._on_status
            self._joined = joined
            self._following = asyncio.create_task(self._follow(joined, then=then), name="shared engine")
        return joined is not None

    async def _follow(self, joined: JoinedEngine, *, then: AfterLoss | None) -> None:
        await joined.run()
        for status in joined.statuses():
            self._on_status(ModelStatus(model_id=status.model_id, state=Unloaded()))
        if then is not None:
            try:
                await then()
            except (OtherVersion, NotAnswering, OSError) as exc:
                log.warning("the engine is not shared: %r", exc)

    def _tell(self, status: ModelStatus) -> None:
        self._on_status(status)
        if self._host is not None:
            self._host.changed()

    @property
    def _other(self) -> JoinedEngine | None:
        """The engine of the other program, while it is there."""
        return None if self._joined is None or self._joined.is_lost else self._joined

    def generate(self, request: GenerationRequest) -> GenerationStream:
        other = self._other
        return super().generate(request) if other is None else other.generate(request)

    def cancel(self, request_id: RequestId) -> None:
        super().cancel(request_id)
        if (other := self._other) is not None:
            other.cancel(request_id)

    def set_priority_owner(self, owner: str) -> None:
        super().set_priority_owner(owner)
        if (other := self._other) is not None:
            other.set_priority_owner(owner)

    async def load(
        self,
        spec: ModelSpec,
        options: LoadOptions,
        *,
        keep_alive_s: float | None,
        override_options: LoadOptions | None = None,
        persist: bool = False,
    ) -> LoadedModel:
        if (other := self._other) is None:
            return await super().load(
                spec, options, keep_alive_s=keep_alive_s, override_options=override_options, persist=persist
            )
        question = LoadModel(
            spec=spec,
            options=options,
            keep_alive_s=keep_alive_s,
            override_options=override_options,
            persist=persist,
        )
        return await other.ask(question, reply=_LOADED)

    async def unload(self, model_id: ModelId) -> None:
        if (other := self._other) is None:
            await super().unload(model_id)
        else:
            await other.unload(model_id)

    async def count_tokens(
        self, model_id: ModelId, *, messages: Sequence[ChatMessage], draft: str
    ) -> tuple[int, int] | None:
        if (other := self._other) is None:
            return await super().count_tokens(model_id, messages=messages, draft=draft)
        question = CountTokens(model_id=model_id, messages=tuple(messages), draft=draft)
        return await other.ask(question, reply=_COUNTED)

    async def preview_prompt(self, model_id: ModelId, task: GenerationTask) -> PromptPreview | None:
        if (other := self._other) is None:
            return await super().preview_prompt(model_id, task)
        return await other.ask(ShowPrompt(model_id=model_id, task=task), reply=_PREVIEW)

    async def measure_prompt(self, model_id: ModelId, question: PromptQuestion) -> PromptMeasure | None:
        if (other := self._other) is None:
            return await super().measure_prompt(model_id, question)
        return await other.ask(MeasurePrompt(model_id=model_id, question=question), reply=_MEASURED)

    def freeze_loads(self, name: str) -> AbstractAsyncContextManager[None]:
        other = self._other
        return super().freeze_loads(name) if other is None else other.freeze_loads(name)

    def statuses(self) -> tuple[ModelStatus, ...]:
        other = self._other
        return super().statuses() if other is None else other.statuses()

    def running_models(self) -> tuple[RunningModel, ...]:
        other = self._other
        return super().running_models() if other is None else other.running_models()

    async def close(self) -> None:
        if (other := self._other) is not None:
            await other.close()
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        if self._server is not None and self._endpoint is not None:
            self._server.close()
            self._endpoint.remove()
        if self._host is not None:
            await self._host.close()
        await super().close()
        if self._lock is not None:
            self._lock.release()
