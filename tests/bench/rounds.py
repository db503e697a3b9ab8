"""Rounds of requests that run at the same time, and who answers them: our runner, or a peer's process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from fireside.core.generation import Overflow
from fireside.core.options import FlashAttention, LoadOptions, SamplingParams
from fireside.core.prompt_input import TextInput
from fireside.core.task import GenerationTask
from fireside.wire.messages import Failed, Finished, TokensDecoded
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
    """Somebody who answers rounds."""

    def run(self, requests: list[Request]) -> list[Outcome]: ...


class Setup(NamedTuple):
    """What a server is started with; ``n_ctx`` is that of one slot, ``flash_attn`` auto, on or off."""

    model: str
    n_ctx: int
    n_slots: int
    n_threads: int
    flash_attn: str = "auto"


class OurRunner:
    """A runner process as the engine starts it, spoken to by frames."""

    def __init__(self, setup: Setup) -> None:
        self._runner = RunnerProcess()
        self._runner.__enter__()
        options = LoadOptions(
            n_ctx=setup.n_ctx,
            n_seq_max=setup.n_slots,
            n_threads=setup.n_threads,
            n_gpu_layers=0,
            flash_attn=FlashAttention(setup.flash_attn),
        )
        self.loaded = self._runner.load(Path(setup.model), options)

    def run(self, requests: list[Request]) -> list[Outcome]:
        started = time.perf_counter()
        first: dict[int, float] = {}
        ends: dict[int, tuple[float, Finished]] = {}
        ids = [self._runner.start_task(_task(request)) for request in requests]
        while len(ends) < len(ids):
            report = self._runner.receive()
            now = time.perf_counter() - started
            if isinstance(report, TokensDecoded):
                for piece in report.pieces:
                    first.setdefault(piece.request_id, now)
            elif isinstance(report, Finished):
                ends[report.request_id] = (now, report)
            elif isinstance(report, Failed):
                raise RuntimeError(report.error.sentence)
        return [
            Outcome(
                first.get(number, ends[number][0]),
                ends[number][0],
                ends[number][1].usage.n_prompt,
                ends[number][1].usage.n_cached,
                ends[number][1].usage.n_completion,
            )
            for number in ids
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.__exit__(kind, exc, trace)


def _task(request: Request) -> GenerationTask:
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
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([request._asdict() for request in requests]) + "\n")
        self._process.stdin.flush()
        return [Outcome(**each) for each in self._answer()]

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
