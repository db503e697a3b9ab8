"""Start the real runner and exchange messages with it."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from fireside.core.generation import Failed, Finished, Overflow, PromptProgress
from fireside.core.ids import RequestId
from fireside.core.message import ChatMessage, Role, text_message
from fireside.core.options import CacheType, FlashAttention, LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasure, PromptMeasureRequest
from fireside.core.status import LoadedModel
from fireside.core.task import GenerationTask
from fireside.engine.runner_requests import PictureSender
from fireside.wire.frames import FrameSplitter, decode_body, encode_frame
from fireside.wire.messages import (
    REPORTS,
    Answered,
    Ask,
    CacheOptions,
    Cancel,
    Command,
    Generate,
    Hello,
    Load,
    Loaded,
    LoadProgressed,
    LoadRejected,
    Piece,
    Report,
    RequestEvent,
    Shutdown,
    TokensDecoded,
)

TIMEOUT_S = 120.0
_EAGER = Path(__file__).with_name("eager_runner.py")
GREEDY = SamplingParams(temperature=0, max_tokens=16)
R = TypeVar("R")


def small_options(**changes: object) -> LoadOptions:
    """Options that load fast and give the same numbers however the work is cut into batches.

    One thread: on a busy machine several wait for each other most of the time. Repacked weights and fused
    attention use other kernels for many tokens than for few. In shared cells sums are added up in another
    order, which turns the rounding of what is multiplied with weights of a few bits.
    """
    values: dict[str, object] = {
        "n_ctx": 512,
        "n_seq_max": 2,
        "n_threads": 1,
        "n_gpu_layers": 0,
        "use_repack": False,
        "kv_unified": False,
        "flash_attn": FlashAttention.OFF,
    }
    return LoadOptions(**{**values, **changes})  # type: ignore[arg-type]


def exact_options(**changes: object) -> LoadOptions:
    """Options with which steps of one token and of many give the very same numbers.

    With a cache of 16 bits attention works in other precision for one token than for several.
    """
    exact = {"cache_type_k": CacheType.F32, "cache_type_v": CacheType.F32}
    return small_options(**{**exact, **changes})


def user(text: str) -> ChatMessage:
    return text_message(Role.USER, text)


def assistant(text: str) -> ChatMessage:
    return text_message(Role.ASSISTANT, text)


def system(text: str) -> ChatMessage:
    return text_message(Role.SYSTEM, text)


class Answer:
    """Everything that came back for one request."""

    def __init__(self) -> None:
        self.progress: list[PromptProgress] = []
        self.pieces: list[Piece] = []
        self.end: Finished | Failed | None = None

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    @property
    def finished(self) -> Finished:
        assert isinstance(self.end, Finished), self.end
        return self.end

    @property
    def failed(self) -> Failed:
        assert isinstance(self.end, Failed), self.end
        return self.end


class RunnerProcess:
    """A real runner as a context manager; it is killed at the end of the block.

    One that ``is_eager`` drafts whenever it can, however long that takes.
    """

    def __init__(self, *, environment: dict[str, str] | None = None, is_eager: bool = False) -> None:
        self.hello: Hello
        self.answers: dict[int, Answer] = {}
        self._ids = count(1)
        self._pictures = PictureSender(lambda command: self.send_bytes(encode_frame(command)))
        self._reports: queue.SimpleQueue[Report | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-P", *([str(_EAGER)] if is_eager else ["-m", "fireside.runner"])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        self.stderr: list[bytes] = []
        self._threads = [threading.Thread(target=self._read_reports), threading.Thread(target=self._read_log)]
        for thread in self._threads:
            thread.start()

    def _read_reports(self) -> None:
        splitter = FrameSplitter()
        assert self._process.stdout is not None
        while chunk := os.read(self._process.stdout.fileno(), 65536):
            for body in splitter.feed(chunk):
                self._reports.put(decode_body(body, decoder=REPORTS))
        self._reports.put(None)

    def _read_log(self) -> None:
        assert self._process.stderr is not None
        self.stderr.extend(self._process.stderr)

    def __enter__(self) -> Self:
        self.hello = self.expect(Hello)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self.wait()

    @property
    def log(self) -> str:
        return b"".join(self.stderr).decode("utf-8", "replace")

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait(self) -> int:
        """Wait for the process to end and return its exit status."""
        status = self._process.wait(TIMEOUT_S)
        for thread in self._threads:
            thread.join(TIMEOUT_S)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        return status

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()

    def leave(self) -> None:
        """Ask the runner to end in order, and wait until it has."""
        self.send(Shutdown())
        self._process.wait(TIMEOUT_S)

    def close_input(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def send(self, command: Command) -> None:
        self._pictures.send(command)

    def send_bytes(self, frames: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(frames)
        self._process.stdin.flush()

    def receive(self) -> Report | None:
        """Return the next report and note it with its answer; ``None`` at the end of output."""
        report = self._reports.get(timeout=TIMEOUT_S)
        match report:
            case RequestEvent(request_id=request_id, event=PromptProgress() as progress):
                self.answers[request_id].progress.append(progress)
            case TokensDecoded():
                for piece in report.pieces:
                    self.answers[piece.request_id].pieces.append(piece)
            case RequestEvent(request_id=request_id, event=Finished() | Failed() as end):
                answer = self.answers.setdefault(request_id, Answer())
                assert answer.end is None, "a second end"
                answer.end = end
            case _:
                pass
        return report

    def expect(self, kind: type[R]) -> R:
        """Receive until a report or an event of ``kind`` comes."""
        while True:
            report = self.receive()
            assert report is not None, f"no {kind.__name__}: {self.log[-2000:]}"
            said = report.event if isinstance(report, RequestEvent) else report
            if isinstance(said, kind):
                return said

    def load(
        self, path: Path, options: LoadOptions | None = None, *, cache: CacheOptions | None = None
    ) -> LoadedModel:
        self.send(
            Load(
                path=str(path),
                name="SmolLM2",
                options=options or small_options(),
                cache=cache or CacheOptions(),
            )
        )
        report = self.receive()
        while isinstance(report, LoadProgressed):
            report = self.receive()
        assert isinstance(report, Loaded), (report, self.log[-3000:])
        return report.loaded

    def rejected(self, path: Path | str, options: LoadOptions | None = None) -> LoadRejected:
        self.send(Load(path=str(path), name="The model", options=options or small_options()))
        return self.expect(LoadRejected)

    def start(
        self,
        messages: Sequence[ChatMessage] | str,
        sampling: SamplingParams = GREEDY,
        *,
        overflow: Overflow = Overflow.DROP_OLDEST,
    ) -> RequestId:
        """Send a request and return its id."""
        if isinstance(messages, str):
            messages = (user(messages),)
        prompt = ChatInput(messages=tuple(messages))
        return self.start_task(GenerationTask(prompt=prompt, sampling=sampling, overflow=overflow))

    def start_task(self, task: GenerationTask) -> RequestId:
        """Send a task and return its request's id."""
        request_id = RequestId(next(self._ids))
        self.answers[request_id] = Answer()
        self.send(Generate(request_id=request_id, task=task))
        return request_id

    def finish(self, request_id: RequestId) -> Answer:
        """Receive until the request has ended."""
        answer = self.answers[request_id]
        while answer.end is None:
            assert self.receive() is not None, self.log[-3000:]
        return answer

    def ask(
        self,
        messages: Sequence[ChatMessage] | str,
        sampling: SamplingParams = GREEDY,
        *,
        overflow: Overflow = Overflow.DROP_OLDEST,
    ) -> Answer:
        return self.finish(self.start(messages, sampling, overflow=overflow))

    def cancel(self, request_id: RequestId) -> None:
        self.send(Cancel(request_id=request_id))

    def count(self, messages: Sequence[ChatMessage]) -> int:
        """Return the tokens of a prompt, as they are measured without computing anything."""
        request_id = RequestId(next(self._ids))
        question = PromptMeasureRequest(prompt=ChatInput(messages=tuple(messages)))
        self.send(Ask(request_id=request_id, query=question))
        measure = self.expect(Answered).reply
        assert isinstance(measure, PromptMeasure)
        return measure.n_prompt
