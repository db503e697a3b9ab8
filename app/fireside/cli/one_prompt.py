"""One prompt, one answer or several, and nothing is kept."""

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
    probabilities,
    tool_call_text,
    waiting_text,
)
from fireside.core.generation import (
    Embedded,
    Failed,
    Finished,
    GenerationEvent,
    Loading,
    OutputKind,
    PromptProgress,
    Queued,
    Retrying,
    Routed,
    Stopping,
    TextDelta,
    TokenLogprobs,
)
from fireside.core.model import ModelSpec
from fireside.core.prompt_input import PromptInput
from fireside.engine.engine import GenerationStream


class _Said(msgspec.Struct, frozen=True):
    """An event of one of the answers."""

    number: int
    event: GenerationEvent


class OnePrompt:
    """Prints answers while they are written; several stand one below the other, in order."""

    def __init__(self, *, loop: EngineLoop, app: App, spec: ModelSpec, screen: Screen, stats: bool) -> None:
        self._loop = loop
        self._app = app
        self._spec = spec
        self._screen = screen
        self._stats = stats
        self._heard: queue.SimpleQueue[_Said] = queue.SimpleQueue()
        self._waiting: dict[int, list[GenerationEvent]] = {}
        """Events of answers whose turn to be printed has not come."""
        self._logprobs: list[TokenLogprobs] = []
        self._is_interrupted = False
        self._answer: list[str] = []

    @property
    def text(self) -> str:
        """What was answered so far, without reasoning; of several answers, all."""
        return "".join(self._answer)

    def answer(self, prompt: PromptInput, *, n_answers: int = 1) -> bool:
        """Print the answers. Returns whether all ended well.

        Raises:
            FiresideError: something is wrong before anything runs.
            KeyboardInterrupt: Ctrl+C has stopped them where they were. What there is of them is printed.
        """
        streams = self._loop.wait(self._app.completions.start(self._spec, prompt, n_answers=n_answers))
        for number, stream in enumerate(streams):
            self._loop.submit(self._listen(number, stream))
        well = True
        for number in range(n_answers):
            if n_answers > 1:
                self._screen.write(f"{'' if number == 0 else chr(10)}--- {number + 1} of {n_answers} ---\n")
            well = self._print(number, streams) and well
        if self._is_interrupted:
            # Half an answer is none to a script that goes on when all went well.
            raise KeyboardInterrupt
        return well

    async def _listen(self, number: int, stream: GenerationStream) -> None:
        async for event in stream:
            self._heard.put(_Said(number, event))

    def _print(self, number: int, streams: tuple[GenerationStream, ...]) -> bool:
        """Print one answer, the others waiting meanwhile, and return whether it ended well."""
        for event in self._waiting.pop(number, ()):
            if (ended_well := self._show(event)) is not None:
                return ended_well
        while True:
            try:
                said = self._heard.get()
            except KeyboardInterrupt:
                self._is_interrupted = True
                for stream in streams:
                    self._loop.call(partial(self._app.completions.cancel, stream))
                continue
            if said.number != number:
                self._waiting.setdefault(said.number, []).append(said.event)
            elif (ended_well := self._show(said.event)) is not None:
                return ended_well

    def _show(self, event: GenerationEvent) -> bool | None:
        """Print one event; at the end of an answer, return whether it ended well."""
        match event:
            case TextDelta():
                self._screen.show(event.text, kind=event.kind)
                if event.kind is OutputKind.ANSWER:
                    self._answer.append(event.text)
                self._logprobs += event.logprobs
            case Loading():
                self._screen.show_status(f"Loading {self._spec.name}… {event.fraction:.0%}")
            case PromptProgress() if event.n_done < event.n_total:
                self._screen.show_status(f"Processing prompt… {event.n_done:,} of {event.n_total:,} tokens")
            case Queued():
                self._screen.show_status(waiting_text(event.model, n_ahead=event.position))
            case Finished():
                self._screen.end()
                self._say_how_it_ended(event)
                return True
            case Failed():
                self._screen.end()
                self._screen.say(f"{event.error.sentence} {hint(event.error)}".rstrip() + "\n")
                return False
            case Stopping():
                self._screen.show_status("Stopping…")
            case PromptProgress() | Embedded() | Retrying() | Routed():
                pass
            case _:
                assert_never(event)
        return None

    def _say_how_it_ended(self, end: Finished) -> None:
        for call in end.tool_calls:
            self._screen.say(tool_call_text(call))
        self._screen.say(finish_note(end.reason, context_full=end.context_full, truncation=end.truncation))
        self._screen.say("".join(probabilities(token) for token in self._logprobs))
        self._logprobs.clear()
        if self._stats:
            self._screen.say(figures(end.usage, end.timings))
