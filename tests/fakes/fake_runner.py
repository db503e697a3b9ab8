"""A runner without llama.cpp that does what a script says: in this process, or as a child on the wire.

As a child: ``python -P fake_runner.py SCRIPT``, where SCRIPT is a ``Script`` in JSON.
"""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn, assert_never

import msgspec

from fireside.core.errors import OutOfMemory, RunnerCrashed, RunnerProtocolError, TemplateFailed
from fireside.core.generation import (
    CacheUse,
    Failed,
    Finished,
    FinishReason,
    OutputKind,
    PromptProgress,
    Timings,
    TokenLogprobs,
    Truncation,
    Usage,
)
from fireside.core.ids import RequestId
from fireside.core.inspection import PromptToken
from fireside.core.message import ToolCallPart
from fireside.core.options import SPIN_COUNT_AUTO, LoadOptions
from fireside.core.prompt_query import (
    MessageTokens,
    PromptMeasure,
    PromptMeasureRequest,
    PromptPreview,
    PromptPreviewRequest,
)
from fireside.core.runtime import BUILT_IN
from fireside.core.status import Device, LoadedModel
from fireside.engine.processes.runner_process import RunnerProcess, sendable
from fireside.wire.frames import FrameError, FrameSplitter, decode_body, encode_frame
from fireside.wire.messages import (
    PROTOCOL_VERSION,
    REPORTS,
    Answered,
    Ask,
    Cancel,
    Command,
    Generate,
    Hello,
    Load,
    Loaded,
    LoadProgressed,
    LoadRejected,
    Pause,
    PictureData,
    Piece,
    Ping,
    Pong,
    Report,
    RequestEvent,
    Resume,
    Shutdown,
    TokensDecoded,
    decode_command,
)


class Start(StrEnum):
    """What the runner does before anything is asked of it."""

    HELLO = "hello"
    SILENT = "silent"
    OTHER_VERSION = "other_version"
    TEXT_ON_STDOUT = "text_on_stdout"
    EXIT = "exit"


class Loads(StrEnum):
    """What becomes of a load."""

    WELL = "well"
    FOREVER = "forever"
    OUT_OF_MEMORY = "out_of_memory"
    OUT_OF_GPU_MEMORY = "out_of_gpu_memory"
    """Fits only with no layer on a GPU."""
    CRASH = "crash"
    EXIT = "exit"


class Answers(StrEnum):
    """What a request is answered with, after the script's ``pieces``."""

    FINISH = "finish"
    HANG = "hang"
    """Nothing more, until it is cancelled."""
    FLOOD = "flood"
    """Text as fast as the pipe takes it, until it is cancelled."""
    CRASH = "crash"
    EXIT = "exit"
    GARBAGE = "garbage"
    HUGE_FRAME = "huge_frame"
    UNKNOWN_REQUEST = "unknown_request"
    CLOSE_OUTPUT = "close_output"
    FAIL = "fail"


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Output of some kind."""

    text: str
    kind: OutputKind = OutputKind.ANSWER
    logprobs: tuple[TokenLogprobs, ...] = ()


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """How a fake runner behaves."""

    start: Start = Start.HELLO
    loads: Loads = Loads.WELL
    answers: Answers = Answers.FINISH
    pieces: tuple[str | Stretch, ...] = ("Good", " ", "evening 🦙")
    tool_calls: tuple[ToolCallPart, ...] = ()
    cache: CacheUse = CacheUse()
    truncation: Truncation | None = None
    n_seq_max: int = 2
    signal_name: str = "SIGSEGV"
    """Of a crash."""
    last_words: str = ""
    """Written to standard error before a crash."""
    chunk_bytes: int = 0
    """Write frames in chunks of this size; 0 writes them whole."""
    ignores_cancel: bool = False
    ignores_pause: bool = False
    ignores_shutdown: bool = False
    """Neither ``Shutdown`` nor the end of its input nor SIGTERM ends it."""
    devices: tuple[Device, ...] = ()


class Crash(msgspec.Struct, frozen=True):
    signal_name: str
    lost_device: bool = False


class Exit(msgspec.Struct, frozen=True):
    code: int


class Bytes(msgspec.Struct, frozen=True):
    """Bytes on the wire that are no frame."""

    content: bytes


class CloseOutput(msgspec.Struct, frozen=True):
    pass


Action = Report | Crash | Exit | Bytes | CloseOutput

_OUT_OF_MEMORY = OutOfMemory(model="The model", needed_bytes=9_000_000_000, available_bytes=1_000_000_000)
_TEMPLATE_FAILED = TemplateFailed(reason="it loops.")


def loaded_model(options: LoadOptions, *, n_seq_max: int) -> LoadedModel:
    """Return what a fake runner says of a load."""
    return LoadedModel(
        n_ctx=options.n_ctx,
        n_seq_max=n_seq_max,
        n_batch=options.n_batch,
        n_layers=30,
        n_gpu_layers=max(0, options.n_gpu_layers),
        n_threads=max(1, options.n_threads),
        devices=("CPU",),
        memory=(),
        rss_bytes=1_000_000,
        load_s=0.1,
    )


def ended(reason: FinishReason, *, n_completion: int) -> Finished:
    """Return the end of a request as a runner reports it."""
    return Finished(
        reason=reason,
        usage=Usage(n_prompt=7, n_cached=3, n_completion=n_completion),
        timings=Timings(prompt_s=0.2, decode_s=0.5, first_token_s=0.0),
        seed=42,
    )


def finished(request_id: RequestId, reason: FinishReason, *, n_completion: int) -> RequestEvent:
    """Return the report of the end of a request."""
    return RequestEvent(request_id=request_id, event=ended(reason, n_completion=n_completion))


class ScriptedRunner:
    """The behaviour, free of any transport: commands go in, actions come out."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._actions: deque[Action] = deque(self._on_start())
        self._answers: dict[RequestId, Iterator[Action]] = {}
        self._n_said: dict[RequestId, int] = {}
        self._paused: set[RequestId] = set()

    def post(self, action: Action) -> None:
        """Do this next."""
        self._actions.append(action)

    def next_action(self) -> Action | None:
        """Return what to do now; ``None`` while everything waits for a command."""
        if self._actions:
            return self._actions.popleft()
        for request_id, answer in tuple(self._answers.items()):
            if request_id in self._paused:
                continue
            # One after the other, so that answers take turns.
            del self._answers[request_id]
            action = next(answer, None)
            if action is not None:
                self._answers[request_id] = answer
                return action
        return None

    def take(self, command: Command) -> None:
        """Learn of a command."""
        match command:
            case Load():
                self._actions.extend(self._on_load(command))
            case Generate():
                self._n_said[command.request_id] = 0
                self._answers[command.request_id] = self._answer(command.request_id)
            case Ask(request_id=request_id, query=PromptPreviewRequest(task=task)):
                words = str(task.prompt).encode()[:40]
                tokens = tuple(PromptToken(byte, bytes([byte]), is_special=False) for byte in words)
                self._actions += [
                    Answered(request_id=request_id, reply=PromptPreview(tokens[:20]), is_last=False),
                    Answered(request_id=request_id, reply=PromptPreview(tokens[20:])),
                ]
            case Ask(request_id=request_id, query=PromptMeasureRequest(prompt=prompt)):
                counts = [len(message.text) for message in prompt.messages]
                measure = PromptMeasure(
                    n_prompt=sum(counts), n_system=0, messages=tuple(MessageTokens(n, 0) for n in counts)
                )
                self._actions.append(Answered(request_id=request_id, reply=measure))
            case Cancel():
                if command.request_id in self._n_said and not self._script.ignores_cancel:
                    self._answers.pop(command.request_id, None)
                    self._actions.append(self._finish(command.request_id, FinishReason.CANCELLED))
            case Pause():
                if not self._script.ignores_pause:
                    self._paused.add(command.request_id)
            case Resume():
                self._paused.discard(command.request_id)
            case PictureData():
                pass
            case Ping():
                self._actions.append(Pong())
            case Shutdown():
                if not self._script.ignores_shutdown:
                    self._actions.append(Exit(0))
            case Ask():
                raise AssertionError(command.query)
            case _:
                assert_never(command)

    def _on_start(self) -> list[Action]:
        hello = Hello(
            protocol=PROTOCOL_VERSION, pid=os.getpid(), llama_cpp="none", devices=self._script.devices
        )
        match self._script.start:
            case Start.HELLO:
                return [hello]
            case Start.SILENT:
                return []
            case Start.OTHER_VERSION:
                return [msgspec.structs.replace(hello, protocol=PROTOCOL_VERSION + 1)]
            case Start.TEXT_ON_STDOUT:
                return [Bytes(b"ggml_init: hello from a library that prints\n")]
            case Start.EXIT:
                return [Exit(1)]

    def _on_load(self, command: Load) -> list[Action]:
        half = LoadProgressed(fraction=0.5)
        loaded = Loaded(loaded=loaded_model(command.options, n_seq_max=self._script.n_seq_max))
        rejected: list[Action] = [half, LoadRejected(error=_OUT_OF_MEMORY.info()), Exit(0)]
        match self._script.loads:
            case Loads.WELL:
                return [half, LoadProgressed(fraction=1.0), loaded]
            case Loads.FOREVER:
                return [half]
            case Loads.OUT_OF_MEMORY:
                return rejected
            case Loads.OUT_OF_GPU_MEMORY:
                return rejected if command.options.n_gpu_layers > 0 else [loaded]
            case Loads.CRASH:
                return [half, Crash(self._script.signal_name)]
            case Loads.EXIT:
                return [half, Exit(1)]

    def _answer(self, request_id: RequestId) -> Iterator[Action]:
        yield RequestEvent(request_id=request_id, event=PromptProgress(n_done=7, n_total=7, n_cached=3))
        for piece in self._script.pieces:
            yield self._say(request_id, piece)
        match self._script.answers:
            case Answers.FINISH:
                yield self._finish(request_id, FinishReason.STOP)
            case Answers.HANG:
                pass
            case Answers.FLOOD:
                while True:
                    yield self._say(request_id, "flood " * 1000)
            case Answers.CRASH:
                yield Crash(self._script.signal_name)
            case Answers.EXIT:
                yield Exit(3)
            case Answers.GARBAGE:
                yield Bytes(b"\x05\x00\x00\x00hello")
            case Answers.HUGE_FRAME:
                yield Bytes(b"\x7f\xff\xff\xff")
            case Answers.UNKNOWN_REQUEST:
                yield self._say(RequestId(999_999), "who?")
            case Answers.CLOSE_OUTPUT:
                yield CloseOutput()
            case Answers.FAIL:
                del self._n_said[request_id]
                yield RequestEvent(request_id=request_id, event=Failed(error=_TEMPLATE_FAILED.info()))

    def _say(self, request_id: RequestId, said: str | Stretch) -> TokensDecoded:
        self._n_said[request_id] = self._n_said.get(request_id, 0) + 1
        stretch = Stretch(text=said) if isinstance(said, str) else said
        piece = Piece(
            request_id, stretch.text, self._n_said[request_id], stretch.kind, logprobs=stretch.logprobs
        )
        return TokensDecoded(pieces=(piece,))

    def _finish(self, request_id: RequestId, reason: FinishReason) -> RequestEvent:
        end = ended(reason, n_completion=self._n_said.pop(request_id))
        end = msgspec.structs.replace(
            end,
            usage=msgspec.structs.replace(end.usage, cache=self._script.cache),
            tool_calls=self._script.tool_calls,
            truncation=self._script.truncation,
        )
        return RequestEvent(request_id=request_id, event=end)


class FakeRunner(RunnerProcess):
    """A runner in this process. What it is sent and sends goes through the codec."""

    def __init__(self, script: Script, *, name: str, pid: int) -> None:
        self.name = name
        self.received: list[Command] = []
        self.is_stopped = False
        self.used_cpu_s: float | None = None
        """What ``cpu_s`` answers."""
        self.used_read_bytes: int | None = None
        """What ``read_bytes`` answers."""
        self.used_private_bytes: int | None = None
        """What ``private_bytes`` answers."""
        self.memory_limit_bytes = 0
        self.take_nothing = False
        """Hang: commands arrive and nothing becomes of them."""
        self._pid = pid
        self._script = script
        self._runner = ScriptedRunner(script)
        self._poked = asyncio.Event()
        self._is_gone = False
        self._lost_device = False
        self._status = 0

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def is_alive(self) -> bool:
        return not self._is_gone

    def cpu_s(self) -> float | None:
        return self.used_cpu_s

    def post(self, action: Action) -> None:
        """Make the runner do something now."""
        self._runner.post(action)
        self._poked.set()

    def post_loaded(self, options: LoadOptions) -> None:
        """Finish a load that the script leaves open."""
        self.post(Loaded(loaded=loaded_model(options, n_seq_max=self._script.n_seq_max)))

    def read_bytes(self) -> int | None:
        return self.used_read_bytes

    def limit_memory(self, n_bytes: int) -> None:
        self.memory_limit_bytes = n_bytes

    def private_bytes(self) -> int | None:
        return self.used_private_bytes

    def send(self, command: Command) -> None:
        with sendable():
            frame = encode_frame(command)
        if not self._is_gone:
            self.received.append(decode_command(frame[4:]))
            if not self.take_nothing:
                self._runner.take(self.received[-1])
            self._poked.set()

    async def receive(self) -> Report:
        while True:
            # As over a pipe, nothing arrives without the loop having had a turn.
            await asyncio.sleep(0)
            if self._is_gone:
                raise RunnerCrashed(
                    model=self.name,
                    cause=f"it ended with {self._status}.",
                    exit_status=self._status,
                    lost_device=self._lost_device,
                )
            action = self._runner.next_action()
            match action:
                case None:
                    self._poked.clear()
                    await self._poked.wait()
                case Crash(signal_name=name, lost_device=lost_device):
                    self._lost_device = lost_device
                    self._go(-getattr(signal, name))
                case Exit(code=code):
                    self._go(code)
                case CloseOutput():
                    self._go(-9)
                case Bytes():
                    self._go(-9)
                    raise RunnerProtocolError(model=self.name, detail="not a frame")
                case _:
                    return decode_body(encode_frame(action)[4:], decoder=REPORTS)

    def kill(self) -> None:
        self._go(-9)

    async def stop(self) -> None:
        await asyncio.sleep(0)
        self.send(Shutdown())
        self._go(0)
        await asyncio.sleep(0)
        self.is_stopped = True

    def _go(self, status: int) -> None:
        if not self._is_gone:
            self._is_gone = True
            self._status = status
            self._poked.set()


class FakeSpawner:
    """Makes fake runners; an instance is the engine's ``Spawn``.

    ``script_for`` is asked with the number of runners made so far and the model's name.
    """

    def __init__(self, script_for: Callable[[int, str], Script] | None = None) -> None:
        self._script_for = script_for if script_for is not None else lambda _number, _name: Script()
        self.runners: list[FakeRunner] = []
        self.runtimes: list[str] = []
        """With which build of llama.cpp each was asked for."""
        self.spin_counts: list[int] = []

    async def __call__(
        self, name: str, /, *, runtime: str = BUILT_IN, spin_count: int = SPIN_COUNT_AUTO
    ) -> FakeRunner:
        await asyncio.sleep(0)
        self.runtimes.append(runtime)
        self.spin_counts.append(spin_count)
        number = len(self.runners)
        runner = FakeRunner(self._script_for(number, name), name=name, pid=10_000 + number)
        self.runners.append(runner)
        return runner

    @property
    def alive(self) -> list[FakeRunner]:
        return [runner for runner in self.runners if runner.is_alive]

    def last(self, name: str) -> FakeRunner:
        """Return the runner started last for the model of this name."""
        return next(runner for runner in reversed(self.runners) if runner.name == name)


def fake_runner_command(script: Script) -> tuple[str, ...]:
    """Return the command that starts this file as a child process."""
    return (sys.executable, "-P", str(Path(__file__)), msgspec.json.encode(script).decode())


class _Child:
    """The child process: a thread reads commands, this one does what the script says."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._runner = ScriptedRunner(script)
        self._commands: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._output = os.fdopen(os.dup(1), "wb", buffering=0)

    def run(self) -> NoReturn:
        if self._script.ignores_shutdown:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            while not self._commands.empty():
                self._take(self._commands.get())
            action = self._runner.next_action()
            if action is None:
                self._take(self._commands.get())
            else:
                self._do(action)

    def _read(self) -> None:
        splitter = FrameSplitter()
        while chunk := os.read(0, 65536):
            try:
                for body in splitter.feed(chunk):
                    self._commands.put(decode_command(body))
            except FrameError:
                os._exit(2)
        self._commands.put(None)

    def _take(self, command: Command | None) -> None:
        if command is not None:
            self._runner.take(command)
        elif not self._script.ignores_shutdown:
            os._exit(0)

    def _do(self, action: Action) -> None:
        match action:
            case Crash(signal_name=name):
                if self._script.last_words:
                    os.write(2, self._script.last_words.encode() + b"\n")
                number = getattr(signal, name)
                if name != "SIGKILL":
                    signal.signal(number, signal.SIG_DFL)
                os.kill(os.getpid(), number)
            case Exit(code=code):
                if code and self._script.last_words:
                    os.write(2, self._script.last_words.encode() + b"\n")
                os._exit(code)
            case Bytes(content=content):
                self._write(content)
            case CloseOutput():
                self._output.close()
                os.close(1)
            case _:
                self._write(encode_frame(action))

    def _write(self, content: bytes) -> None:
        step = self._script.chunk_bytes or len(content)
        for start in range(0, len(content), step):
            view: Any = memoryview(content)[start : start + step]
            while view:
                view = view[self._output.write(view) :]


if __name__ == "__main__":
    _Child(msgspec.json.decode(sys.argv[1], type=Script)).run()
