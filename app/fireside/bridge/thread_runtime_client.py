"""The façade of the runtimes over the engine thread."""

from __future__ import annotations

from fireside.bridge.remote_call import Ask
from fireside.core.ids import ModelId
from fireside.core.runtime import Runtime, RuntimeChoice


class ThreadRuntimeClient:
    """``RuntimeClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def runtimes(self) -> RuntimeChoice:
        return await self._ask(lambda app: app.runtimes.choice())

    async def add_runtime(self, path: str) -> Runtime:
        return await self._ask(lambda app: app.runtimes.add(path))

    async def test_runtime(self, name: str) -> Runtime:
        return await self._ask(lambda app: app.runtimes.test(name))

    async def use_runtime(self, name: str, *, model_id: ModelId | None = None) -> None:
        await self._ask(lambda app: app.runtimes.use(name, model_id=model_id))

    async def roll_back_runtime(self, *, model_id: ModelId | None = None) -> str:
        return await self._ask(lambda app: app.runtimes.roll_back(model_id=model_id))

    async def remove_runtime(self, name: str) -> None:
        await self._ask(lambda app: app.runtimes.remove(name))
