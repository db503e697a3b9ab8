"""A ``RuntimeClient`` in memory: keeps a list of runtimes, and emits what happened."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from fakes.requests import Requests
from fireside.bridge.runtime_client import RuntimeClient
from fireside.core.errors import RuntimeNotFound, RuntimeRefused
from fireside.core.events import AppEvent
from fireside.core.ids import ModelId
from fireside.core.runtime import (
    BUILT_IN,
    Runtime,
    RuntimeChoice,
    RuntimeProgressed,
    RuntimesChanged,
    RuntimeState,
    RuntimeStep,
    RuntimeTest,
)

TESTED_AT_S = 1_700_000_000.0


def runtime(
    name: str,
    *,
    backends: tuple[str, ...] = ("CPU",),
    state: RuntimeState = RuntimeState.WORKS,
    reason: str = "",
    devices: tuple[str, ...] = ("AMD Ryzen 7",),
) -> Runtime:
    """Return a runtime as the list shows it."""
    test = None
    if state is not RuntimeState.UNTESTED:
        test = RuntimeTest(
            works=state is RuntimeState.WORKS, reason=reason, tested_at_s=TESTED_AT_S, devices=devices
        )
    return Runtime(
        name=name,
        llama_cpp="0.5.0-dev",
        backends=backends,
        platform="linux-x86_64",
        folder=f"/data/runtimes/{name}",
        n_bytes=31_000_000,
        licence="MIT",
        state=state,
        test=test,
    )


class FakeRuntimeClient(Requests):
    """``added`` is what the next addition gives. ``hold`` of a request keeps it waiting."""

    def __init__(self, publish: Callable[[AppEvent], None]) -> None:
        super().__init__()
        self._publish = publish
        self.known = RuntimeChoice(
            runtimes=(runtime(BUILT_IN, state=RuntimeState.UNTESTED),), in_use=BUILT_IN
        )
        self.added = runtime("vulkan", backends=("Vulkan", "CPU"))

    # Playing the engine thread

    def show(self, choice: RuntimeChoice, *, note: str = "") -> None:
        """Replace the list and say so."""
        self.known = choice
        self._publish(RuntimesChanged(note=note))

    def progress(self, name: str, step: RuntimeStep, *, fraction: float | None = None) -> None:
        """Let what is done with a runtime come further."""
        self._publish(RuntimeProgressed(name=name, step=step, fraction=fraction))

    # RuntimeClient

    async def choice(self) -> RuntimeChoice:
        await self.enter("runtimes")
        return self.known

    async def add(self, path: str) -> Runtime:
        await self.enter("add_runtime", path)
        self._replace(*(each for each in self.known.runtimes if each.name != self.added.name), self.added)
        return self.added

    async def test(self, name: str) -> Runtime:
        await self.enter("test_runtime", name)
        test = RuntimeTest(works=True, tested_at_s=TESTED_AT_S, devices=("AMD Ryzen 7",))
        tested = msgspec.structs.replace(self._find(name), state=RuntimeState.WORKS, test=test)
        self._replace(*(tested if each.name == name else each for each in self.known.runtimes))
        return tested

    async def use(self, name: str, *, model_id: ModelId | None = None) -> None:
        await self.enter("use_runtime", name, model_id)
        self._find(name)
        if model_id is None:
            previous = self.known.in_use
            self.show(msgspec.structs.replace(self.known, in_use=name, previous=previous, note=""))

    async def roll_back(self, *, model_id: ModelId | None = None) -> str:
        await self.enter("roll_back_runtime", model_id)
        previous = self.known.previous
        if previous is None:
            raise RuntimeRefused(name=self.known.in_use, reason="Nothing to go back to.")
        self.show(msgspec.structs.replace(self.known, in_use=previous, previous=self.known.in_use, note=""))
        return previous

    async def remove(self, name: str) -> None:
        await self.enter("remove_runtime", name)
        self._find(name)
        if name in (BUILT_IN, self.known.in_use):
            raise RuntimeRefused(name=name, reason="It is in use.")
        self._replace(*(each for each in self.known.runtimes if each.name != name))

    # Inside

    def _find(self, name: str) -> Runtime:
        for each in self.known.runtimes:
            if each.name == name:
                return each
        raise RuntimeNotFound(name=name)

    def _replace(self, *runtimes: Runtime) -> None:
        self.show(msgspec.structs.replace(self.known, runtimes=runtimes))


def as_runtime_client(fake: FakeRuntimeClient) -> RuntimeClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
