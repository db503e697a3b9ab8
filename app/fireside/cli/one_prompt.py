"""Answer one prompt, once or several times, without storing anything."""

from __future__ import annotations

import queue
from functools import partial
from typing import assert_never

import msgspec

from fireside.chat.app import App
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.screen import (
    Screen,
    figures,
    finish_note,
    hint,
    one_line,
    probabilities,
    tool_call_text,
    waiting_text,
)
from fireside.core.generation import (
    CallDelta,
    Embedded,
    Failed,
    Finished,
    GenerationEvent,
    Loading,
    OutputKind,
    PromptProgress,
    Queued,
    Retrying,
    Stopping,
    TextDelta,
    TokenLogprobs,
)
from fireside.core.model import ModelSpec
from fireside.core.prompt_input import PromptInput
from fireside.services.answer_router import AnswerStream


class _AnswerEvent(msgspec.Struct, frozen=True):
    """An event of the answer with a number."""

    number: int
    event: GenerationEvent


class OnePrompt:
    """Prints answers as they are generated; several one below the other, in order."""

    def __init__(self, *, loop: EngineLoop, app: App, spec: ModelSpec, screen: Screen, stats: bool) -> None:
        self._loop = loop
        self._app = app
        self._spec = spec
        self._screen = screen
        self._stats = stats
        self._events: queue.SimpleQueue[_AnswerEvent] = queue.SimpleQueue()
        self._pending: dict[int, list[GenerationEvent]] = {}
        """Events of answers that are printed later."""
        self._logprobs: list[TokenLogprobs] = []
        self._is_interrupted = False
        self._answer: list[str] = []

    @property
    def text(self) -> str:
        """All answers so far, without reasoning."""
        return "".join(self._answer)

    def answer(self, prompt: PromptInput, *, n_answers: int = 1) -> bool:
        """Print the answers. Return whether all succeeded.

        Raises:
            FiresideError: the answers cannot be started.
            KeyboardInterrupt: Ctrl+C stopped the answers; their beginnings are printed.
        """
        streams = self._loop.wait(self._app.completions.start(self._spec, prompt, n_answers=n_answers))
        for number, stream in enumerate(streams):
            self._loop.submit(self._listen(number, stream))
        if self._spec.remote is not None:
            self._screen.show_status(f"Waiting for {one_line(self._spec.remote.host)}…")
        all_succeeded = True
        for number in range(n_answers):
            if n_answers > 1:
                self._screen.write(f"{'' if number == 0 else chr(10)}--- {number + 1} of {n_answers} ---\n")
            all_succeeded = self._print(number, streams) and all_succeeded
        if self._is_interrupted:
            # A script must not take a part of an answer for an answer.
            raise KeyboardInterrupt
        return all_succeeded

    async def _listen(self, number: int, stream: AnswerStream) -> None:
        async for event in stream:
            self._events.put(_AnswerEvent(number, event))

    def _print(self, number: int, streams: tuple[AnswerStream, ...]) -> bool:
        """Print one answer and return whether it succeeded; events of the others are kept for later."""
        for event in self._pending.pop(number, ()):
            if (succeeded := self._show(event)) is not None:
                return succeeded
        while True:
            try:
                received = self._events.get()
            except KeyboardInterrupt:
                self._is_interrupted = True
                for stream in streams:
                    self._loop.call(partial(self._app.completions.cancel, stream))
                continue
            if received.number != number:
                self._pending.setdefault(received.number, []).append(received.event)
            elif (succeeded := self._show(received.event)) is not None:
                return succeeded

    def _show(self, event: GenerationEvent) -> bool | None:
        """Print one event; at the end of an answer, return whether it succeeded."""
        match event:
            case TextDelta():
                self._screen.show(event.text, kind=event.kind)
                if event.ends_reasoning:
                    self._answer.clear()
                elif event.kind is OutputKind.ANSWER:
                    self._answer.append(event.text)
                self._logprobs += event.logprobs
            case Loading():
                what = "Preparing the engine" if event.is_preparing else f"Loading {self._spec.name}"
                self._screen.show_status(f"{what}… {event.fraction:.0%}")
            case PromptProgress() if event.n_done < event.n_total:
                self._screen.show_status(f"Processing prompt… {event.n_done:,} of {event.n_total:,} tokens")
            case Queued():
                self._screen.show_status(waiting_text(event.model, n_ahead=event.position))
            case Finished():
                self._screen.end()
                self._print_end_notes(event)
                return True
            case Failed():
                self._screen.end()
                self._screen.say(f"{one_line(event.error.sentence)} {hint(event.error)}".rstrip() + "\n")
                return False
            case Stopping():
                self._screen.show_status("Stopping…")
            case Retrying():
                self._screen.show_status(f"{event.host} is not ready. Retrying…")
            case PromptProgress() | CallDelta() | Embedded():
                pass
            case _:
                assert_never(event)
        return None

    def _print_end_notes(self, end: Finished) -> None:
        for call in end.tool_calls:
            self._screen.say(tool_call_text(call))
        self._screen.say(finish_note(end.reason, context_full=end.context_full, truncation=end.truncation))
        self._screen.say("".join(probabilities(token) for token in self._logprobs))
        self._logprobs.clear()
        if self._stats:
            self._screen.say(figures(end.usage, end.timings))
