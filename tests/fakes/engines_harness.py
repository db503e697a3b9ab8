"""Other engines as the window's process has them: real files, secrets and connections, no window."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

from fakes.keyrings import WorkingKeyring
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent
from fireside.core.generation import Failed, Finished, GenerationEvent, OutputKind, TextDelta
from fireside.core.ids import ModelId, RequestId
from fireside.core.message import ChatMessage, Role, text_message
from fireside.core.prompt_input import ChatInput
from fireside.core.remote import EngineTestResult, NewEngine, RemoteLocation
from fireside.core.task import GenerationTask
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.services.engines import EngineParts, EngineService
from fireside.settings.engines_file import EnginesFile
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import SecretFile, Secrets

QUESTION = text_message(Role.USER, "Why is the sky blue?")


class EnginesHarness:
    """An engine service with its files, secrets and connections."""

    def __init__(self, folder: Path) -> None:
        self.file = EnginesFile(folder / "engines.json")
        self.path = folder / "engines.json"
        self.keyring = WorkingKeyring()
        self.log = ConnectionLog()
        self.route = Route()
        self.events: list[AppEvent] = []
        self.problems: list[FiresideError] = []
        self._folder = folder
        self._numbers = count(1)
        self.service = self.another()

    def another(self, *, is_owner: bool = True) -> EngineService:
        """Return a service as the next start of the program makes it."""
        secrets = Secrets(
            file=SecretFile(self._folder / "secrets.json"),
            environ={},
            redaction=Redaction(),
            find_backend=lambda: self.keyring,
        )
        parts = EngineParts(
            file=self.file,
            secrets=secrets,
            route=lambda: self.route,
            log=self.log,
            on_problem=self.problems.append,
            is_owner=is_owner,
        )
        return EngineService(parts, emit=self.events.append)

    async def add(self, address: str, **values: object) -> EngineTestResult:
        return await self.service.add(NewEngine(address=address, **values))  # type: ignore[arg-type]

    @property
    def location(self) -> RemoteLocation:
        """The location of the first listed model."""
        spec = self.service.entries[0].spec
        assert spec is not None
        assert spec.remote is not None
        return spec.remote

    @property
    def model_id(self) -> ModelId:
        spec = self.service.entries[0].spec
        assert spec is not None
        return spec.id

    async def ask(
        self,
        *messages: ChatMessage,
        task: GenerationTask | None = None,
        location: RemoteLocation | None = None,
        on_event: Callable[[RequestId, GenerationEvent], None] = lambda *_: None,
    ) -> list[GenerationEvent]:
        """Return all events of one answer."""
        default_task = GenerationTask(prompt=ChatInput(messages=messages or (QUESTION,)), owner="chat 1")
        number = RequestId(next(self._numbers))
        events = []
        async for event in self.service.answers.generate(
            number, location or self.location, task or default_task
        ):
            events.append(event)
            on_event(number, event)
        return events


@asynccontextmanager
async def engines_harness(folder: Path) -> AsyncIterator[EnginesHarness]:
    harness = EnginesHarness(folder)
    try:
        yield harness
    finally:
        await harness.service.close()


def said(events: Sequence[GenerationEvent], kind: OutputKind = OutputKind.ANSWER) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta) and event.kind is kind)


def finished(events: Sequence[GenerationEvent]) -> Finished:
    ends = [event for event in events if isinstance(event, Finished | Failed)]
    assert len(ends) == 1
    assert events[-1] is ends[0]
    assert isinstance(ends[0], Finished), ends[0]
    return ends[0]


def failed(events: Sequence[GenerationEvent]) -> Failed:
    ends = [event for event in events if isinstance(event, Finished | Failed)]
    assert len(ends) == 1
    assert isinstance(ends[0], Failed), ends[0]
    return ends[0]
