"""A GPU that disappears during an answer, through the whole engine; an RPC server stands in for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from fakes.children import RunnerSpawner, child_environment, real_spawner, starter_at
from fakes.engine_harness import end_of
from fakes.live_engine import first_text, live_engine
from fireside.core.generation import Failed, Finished
from fireside.core.ids import ModelId, RequestId
from fireside.core.message import Role, text_message
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_AUTO, SPIN_COUNT_AUTO, LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.runtime import BUILT_IN
from fireside.core.status import Broken, ModelState, ModelStatus, Ready
from fireside.core.task import GenerationTask
from fireside.engine.engine import Engine
from fireside.engine.instance_lifecycle import GPU_LOST
from fireside.engine.processes.runner_process import RunnerProcess, runner_command
from fireside.engine.request import GenerationRequest, LoadRequest
from llama.rpc_devices import RpcDevice, rpc_device

ON_CARD = LoadOptions(n_ctx=1024, n_threads=1, n_gpu_layers=GPU_LAYERS_AUTO)
ON_PROCESSOR = msgspec.structs.replace(ON_CARD, n_gpu_layers=0)


def ask(spec: ModelSpec, number: int, *, options: LoadOptions, max_tokens: int | None) -> GenerationRequest:
    return GenerationRequest(
        request_id=RequestId(number),
        spec=spec,
        options=options,
        task=GenerationTask(
            prompt=ChatInput(messages=(text_message(Role.USER, "Tell a very long story."),)),
            sampling=SamplingParams(temperature=0, max_tokens=max_tokens, ignore_eos=max_tokens is None),
        ),
    )


def state_of(engine: Engine, spec: ModelSpec) -> ModelState:
    return next(status.state for status in engine.statuses() if status.model_id == spec.id)


class GpuForOneModel:
    """Spawns runners; those of one model see the card. An RPC server has one client at a time."""

    def __init__(self, device: RpcDevice, *, name: str) -> None:
        with_card = {**child_environment(), "FIRESIDE_RPC_SERVERS": device.address}
        self._with_card = RunnerSpawner(command=runner_command(), environment=with_card)
        self._without = real_spawner()
        self._name = name

    async def __call__(
        self, name: str, /, *, runtime: str = BUILT_IN, spin_count: int = SPIN_COUNT_AUTO
    ) -> RunnerProcess:
        spawn = self._with_card if name == self._name else self._without
        return await spawn(name, runtime=runtime, spin_count=spin_count)


def test_lost_gpu_is_named_and_the_model_continues_on_the_cpu(starter_model_path: Path) -> None:
    on_card = starter_at(starter_model_path)
    other = msgspec.structs.replace(on_card, id=ModelId("other"), name="Other")
    reported: list[ModelStatus] = []

    async def scenario(device: RpcDevice) -> None:
        spawn_by_name = GpuForOneModel(device, name=on_card.name)
        async with live_engine(spawn_by_name, on_status=reported.append) as (engine, spawn):
            await end_of(engine.generate(ask(other, 1, options=ON_PROCESSOR, max_tokens=4)))
            stream = engine.generate(ask(on_card, 2, options=ON_CARD, max_tokens=None))
            await first_text(stream)
            ready = state_of(engine, on_card)
            assert isinstance(ready, Ready)
            assert ready.loaded.n_gpu_layers > 0

            device.lose()
            end = await end_of(stream)
            assert isinstance(end, Failed)
            assert end.error.code == "runner_crashed"
            assert end.error.retryable
            assert "the GPU stopped responding" in end.error.sentence
            assert any(
                status.model_id == on_card.id and isinstance(status.state, Broken) for status in reported
            )
            assert isinstance(state_of(engine, other), Ready)

            retried = await end_of(engine.generate(ask(on_card, 3, options=ON_CARD, max_tokens=4)))
            assert isinstance(retried, Finished)
            after = state_of(engine, on_card)
            assert isinstance(after, Ready)
            assert (after.loaded.n_gpu_layers, after.note) == (0, GPU_LOST)

            other_answer = await end_of(engine.generate(ask(other, 4, options=ON_PROCESSOR, max_tokens=4)))
            assert isinstance(other_answer, Finished)
            assert len(spawn.pids) == 3

            # A user who asks for the load gets it as wanted again.
            await engine.load(LoadRequest(spec=on_card, options=ON_CARD, keep_alive_s=None))
            anew = state_of(engine, on_card)
            assert isinstance(anew, Ready)
            assert anew.note == ""
            assert len(spawn.pids) == 4

    with rpc_device() as device:
        asyncio.run(scenario(device))
