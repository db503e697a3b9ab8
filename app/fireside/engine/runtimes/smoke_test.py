"""Test a runtime in short-lived processes before it is used."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import FiresideError, RunnerCrashed
from fireside.core.generation import Finished, TextDelta
from fireside.core.i18n import number, render, tr, tr_noop
from fireside.core.ids import ModelId, RequestId
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_ALL, LoadOptions, SamplingParams
from fireside.core.os_errors import render_os_error
from fireside.core.prompt_input import TextInput
from fireside.core.runtime import RuntimeTest
from fireside.core.status import Device, DeviceKind
from fireside.core.task import GenerationTask
from fireside.engine.clock import Clock
from fireside.engine.processes.guarded_process import LimitExceeded, ProcessLimits, ask_process
from fireside.engine.processes.runner_process import RunnerProcess, StopLimits
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import RequestState
from fireside.engine.runner_session import RunnerSession
from fireside.engine.runtimes.runner_spawner import with_runtime
from fireside.gguf import model_spec, read_header
from fireside.wire.messages import Load
from fireside.wire.runner_modes import CHECK_RUNTIME, MAX_FACTS_BYTES, RuntimeFacts

PROMPT: Final = "One, two, three, four, five,"
EXPECTED: Final = "six, seven, eight"
"""How every working build continues, whatever its rounding: nothing else is nearly as likely."""
LIMIT_S: Final = 300.0
"""For the whole test. A graphics driver may compile shaders for a minute before the first answer."""
_CHECK_LIMITS: Final = ProcessLimits(time_s=60.0, memory_bytes=4 << 30, reply_bytes=MAX_FACTS_BYTES)
_MAX_TOKENS: Final = 16
_N_CTX: Final = 512
_NAME: Final = tr_noop("The runtime")


class SmokeTest:
    """Inspects runtimes, and tests them with an answer of the starter model.

    Args:
        command: starts a runner, see ``runner_command``.
        environment: the environment without the variables of a runtime, see ``runner_environment``.
        model: path of the starter model.
        limit_s: time limit of one test.
    """

    def __init__(
        self,
        *,
        command: Sequence[str],
        environment: Mapping[str, str],
        model: Path,
        clock: Clock,
        limit_s: float = LIMIT_S,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._command = tuple(command)
        self._environment = dict(environment)
        self._model = model
        self._clock = clock
        self._limit_s = limit_s
        self._now_s = now_s

    def facts(self, folder: Path | None) -> RuntimeFacts:
        """Inspect the libraries in ``folder``, or the built-in ones, in a process. Blocks; any thread."""
        try:
            reply = ask_process(
                (*self._command, CHECK_RUNTIME),
                environment=with_runtime(self._environment, folder=folder),
                request=b"",
                limits=_CHECK_LIMITS,
            )
        except OSError as exc:
            return RuntimeFacts(
                problem=tr("the process that tries it could not be started ({reason}).").format(
                    reason=render_os_error(exc)
                )
            )
        if isinstance(reply, LimitExceeded):
            return RuntimeFacts(problem=reply.value)
        try:
            return decode_json(reply, kind=RuntimeFacts)
        except JsonInvalid:
            return RuntimeFacts(problem=tr_noop("the process that tried it crashed."))

    async def answer(self, folder: Path | None) -> RuntimeTest:
        """Let the starter model continue ``PROMPT`` with a runtime. Errors are part of the result."""
        try:
            async with asyncio.timeout(self._limit_s):
                return await self._answer(folder)
        except TimeoutError:
            return self._failed(tr("No answer within {seconds} s.").format(seconds=number(self._limit_s)))
        except RunnerCrashed as exc:
            return self._failed(tr("Crashed: {cause}").format(cause=render(exc.cause)))
        except FiresideError as exc:
            return self._failed(exc.sentence())

    async def _answer(self, folder: Path | None) -> RuntimeTest:
        if not self._model.is_file():
            return self._failed(tr("The starter model is missing, so the test cannot run."))
        session = RunnerSession(
            await self._start(folder),
            name=_NAME,
            clock=self._clock,
            on_ended=lambda _: None,
            on_freed=lambda _: None,
        )
        try:
            hello = await session.handshake(limit_s=self._limit_s)
            if not hello.devices:
                return self._failed(tr("No usable device, not even the CPU."))
            load = Load(path=str(self._model), name=_NAME, options=_options(hello.devices))
            loaded = await session.load(load, on_progress=lambda _fraction, _stage: None)
            generation = await self._generation()
            generation.start(n_ctx=loaded.n_ctx)
            session.generate(generation)
            outputs = [output async for output in generation.output()]
        finally:
            await session.stop()
        text = "".join(output.text for output in outputs if isinstance(output, TextDelta))
        if EXPECTED not in text:
            return self._failed(
                tr("Wrong output: “{beginning}” continued as “{text}”.").format(
                    beginning=PROMPT, text=text.strip()[:80]
                )
            )
        return RuntimeTest(
            works=True,
            tested_at_s=self._now_s(),
            devices=tuple(_device_label(device) for device in hello.devices),
            tokens_per_s=_speed(outputs[-1]),
        )

    async def _start(self, folder: Path | None) -> RunnerProcess:
        return await RunnerProcess.start(
            _NAME,
            command=self._command,
            environment=with_runtime(self._environment, folder=folder),
            limits=StopLimits(),
        )

    async def _generation(self) -> RequestState:
        spec = await asyncio.to_thread(_spec, self._model)
        task = GenerationTask(
            prompt=TextInput(text=PROMPT),
            sampling=SamplingParams(temperature=0, max_tokens=_MAX_TOKENS),
        )
        request = GenerationRequest(request_id=RequestId(1), spec=spec, options=LoadOptions(), task=task)
        return RequestState(request, clock=self._clock)

    def _failed(self, reason: str) -> RuntimeTest:
        return RuntimeTest(works=False, reason=reason, tested_at_s=self._now_s())


def _spec(path: Path) -> ModelSpec:
    return model_spec(read_header(path), path=str(path), id=ModelId("starter"))


def _options(devices: Sequence[Device]) -> LoadOptions:
    """Return the options of the test: all layers on GPUs, if there are any."""
    has_gpu = any(device.kind is not DeviceKind.CPU for device in devices)
    return LoadOptions(n_ctx=_N_CTX, n_seq_max=1, n_gpu_layers=GPU_LAYERS_ALL if has_gpu else 0)


def _speed(finished: TextDelta | Finished) -> float | None:
    assert isinstance(finished, Finished)
    n_decoded = finished.usage.n_completion - 1
    return n_decoded / finished.timings.decode_s if n_decoded > 0 and finished.timings.decode_s > 0 else None


def _device_label(device: Device) -> str:
    return device.description or device.name
