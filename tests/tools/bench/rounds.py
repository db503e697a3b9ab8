"""Rounds of requests that run at the same time, and who answers them: our runner, or a peer's process."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Protocol, Self

import psutil

from fakes.children import APP_FOLDER
from fireside.core.generation import Failed, Finished, Overflow
from fireside.core.options import FlashAttention, LoadOptions, SamplingParams
from fireside.core.prompt_input import TextInput
from fireside.core.task import GenerationTask
from fireside.engine.processes.environment import SPIN_VARIABLE, runner_environment
from fireside.wire.messages import CacheOptions, Ping, Pong, RequestEvent, TokensDecoded
from llama.runner_process import RunnerProcess


class Request(NamedTuple):
    prompt: str
    n_predict: int


class Outcome(NamedTuple):
    """What came of one request; times are seconds from the start of its round."""

    first_s: float
    last_s: float
    n_prompt: int
    n_cached: int
    n_completion: int


class Server(Protocol):
    """What answers rounds: our runner or a peer."""

    def run(self, requests: list[Request]) -> list[Outcome]:
        """Answer requests that come at the same time."""

    def serve(self, clients: list[list[Request]], *, seconds: float) -> list[Outcome]:
        """Answer clients of which each asks again as soon as it is answered, for so long."""

    def processor_s(self) -> float:
        """Return the processor time that its process has taken so far."""


class Setup(NamedTuple):
    """What a server is started with.

    ``n_ctx`` is that of one slot, ``flash_attn`` auto, on or off; ``kv`` is unified, for one cache that all
    slots share, or own.
    """

    model: str
    n_ctx: int
    n_slots: int
    n_threads: int
    flash_attn: str = "auto"
    kv: str = "unified"


_MEMORY_BYTES: Final = 1 << 30


class OurRunner:
    """A runner process as the engine starts it, spoken to by frames."""

    def __init__(self, setup: Setup) -> None:
        self.make_task: Callable[[Request], GenerationTask] = plain_task
        self._runner = RunnerProcess(environment=_environment())
        self._runner.__enter__()
        options = LoadOptions(
            n_ctx=setup.n_ctx,
            n_seq_max=setup.n_slots,
            n_threads=setup.n_threads,
            n_gpu_layers=0,
            flash_attn=FlashAttention(setup.flash_attn),
            kv_unified=setup.kv == "unified",
        )
        # What rests in a slot is brought there and back, as a peer keeps it in a cache of its slot's own.
        self.loaded = self._runner.load(
            Path(setup.model), options, cache=CacheOptions(memory_bytes=_MEMORY_BYTES)
        )

    def run(self, requests: list[Request]) -> list[Outcome]:
        return self.serve([[request] for request in requests], seconds=math.inf)

    def serve(self, clients: list[list[Request]], *, seconds: float) -> list[Outcome]:
        started = time.perf_counter()
        first: dict[int, float] = {}
        outcomes: dict[int, Outcome] = {}
        asking = {
            self._runner.start_task(self.make_task(requests[0])): iter(requests[1:]) for requests in clients
        }
        order = list(asking)
        while asking:
            report = self._runner.receive()
            now = time.perf_counter() - started
            if isinstance(report, TokensDecoded):
                for piece in report.pieces:
                    first.setdefault(piece.request_id, now)
            elif isinstance(report, RequestEvent) and isinstance(report.event, Finished):
                number, usage = report.request_id, report.event.usage
                outcomes[number] = Outcome(
                    first.get(number, now), now, usage.n_prompt, usage.n_cached, usage.n_completion
                )
                further = asking.pop(number)
                request = next(further, None) if now < seconds else None
                if request is not None:
                    order.append(self._runner.start_task(self.make_task(request)))
                    asking[order[-1]] = further
            elif isinstance(report, RequestEvent) and isinstance(report.event, Failed):
                raise RuntimeError(report.event.error.sentence)
        return [outcomes[number] for number in order]

    def processor_s(self) -> float:
        return _processor_s(self._runner.pid)

    def work(self) -> Pong:
        """Return how many steps and passes were computed so far."""
        self._runner.send(Ping())
        return self._runner.expect(Pong)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.__exit__(kind, exc, trace)


def _environment() -> dict[str, str]:
    """Return how long a runner's threads spin."""
    return {SPIN_VARIABLE: runner_environment({}, app_folder=APP_FOLDER)[SPIN_VARIABLE]}


def _processor_s(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def plain_task(request: Request) -> GenerationTask:
    """Return the greedy answer that is measured."""
    sampling = SamplingParams(
        temperature=0, max_tokens=request.n_predict, ignore_eos=True, guard_repetition=False
    )
    return GenerationTask(prompt=TextInput(text=request.prompt), sampling=sampling, overflow=Overflow.REFUSE)


class PeerProcess:
    """A program of ``peers/`` that reads rounds as JSON lines."""

    def __init__(self, script: str, setup: Setup, *, packages: Path | None) -> None:
        path = Path(__file__).with_name("peers") / script
        command = [sys.executable, str(path), *map(str, setup)]
        environment = None if packages is None else {"PYTHONPATH": str(packages)}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=environment,
        )  # fmt: skip
        self._answer()

    def run(self, requests: list[Request]) -> list[Outcome]:
        return self.serve([[request] for request in requests], seconds=1e9)

    def serve(self, clients: list[list[Request]], *, seconds: float) -> list[Outcome]:
        assert self._process.stdin is not None
        told = [[request._asdict() for request in requests] for requests in clients]
        self._process.stdin.write(json.dumps({"clients": told, "seconds": seconds}) + "\n")
        self._process.stdin.flush()
        return [Outcome(**each) for each in self._answer()]

    def processor_s(self) -> float:
        return _processor_s(self._process.pid)

    def _answer(self) -> Any:
        """Return the next line that is JSON; the library prints others."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(("[{", "{")):
                return json.loads(line)
        raise RuntimeError("the peer ended")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()
