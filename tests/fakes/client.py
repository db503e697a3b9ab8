"""The client of the window over the real app, whose engine and models a test plays."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

from fakes.app_harness import NO_HUB, hub_parts
from fakes.fake_machine import TESTED, FakeMachine
from fakes.keyrings import WorkingKeyring
from fakes.local_app import CLIENTS, ListedLibrary, LoopThread, RecordedApp, done, local_app, open_store
from fakes.model_entries import STARTER_ID, entry_of, starter_spec
from fakes.requests import Requests
from fakes.runtimes import keep_runtime, small_runtime
from fakes.stepped_engine import ManualEngine
from fakes.tuning import FakeBenchmarks
from fireside.bridge.client import EngineClient
from fireside.chat.answer_generation import AnswerGeneration
from fireside.core.attachment import Attachment
from fireside.core.chat import (
    Colour,
    Comparison,
    Conversation,
    ConversationSummary,
    Folder,
    GenerationRecord,
    MessageState,
    StoredMessage,
)
from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.events import AppEvent, LibraryChanged, MessageReplaced, ModelStatusChanged, TextAppended
from fireside.core.generation import Failed, Finished, FinishReason, OutputKind, TextDelta, Timings, Usage
from fireside.core.hub import Download
from fireside.core.ids import ConversationId, DraftKey, FolderId, MessageId, ModelId, RequestId
from fireside.core.message import Role, text_message
from fireside.core.model import ModelEntry
from fireside.core.options import SettingValue
from fireside.core.preset import Preset
from fireside.core.project import DEFAULT_MODEL_KEY
from fireside.core.runtime import RuntimeTest
from fireside.core.status import ModelState, ModelStatus
from fireside.library.library import Library
from fireside.settings.file import SettingsFile
from fireside.settings.keyring_backends import Backend
from fireside.settings.service import Settings
from fireside.settings.values import AppLayer, ConversationLayer, Layer, ModelLayer, ProjectLayer

T = TypeVar("T")
PATIENCE_MS = 20_000
_open: list[AppClient] = []
_waits: list[Callable[[], None]] = []


class AppClient(EngineClient):
    """A client to whose app and engine a test has access.

    ``called``, ``fail`` and ``hold`` name a request by its service: ``branches.pin``. An answer does not
    write itself: use ``stream`` and ``finish``. ``engine``, ``machine`` and ``benchmarks`` are what a test
    plays.
    """

    def __init__(
        self,
        *,
        models: Sequence[ModelEntry] | Library | None = None,
        hub: str = NO_HUB,
        catalogue: Path | None = None,
        keyring: Callable[[], Backend] = WorkingKeyring,
        clock: Callable[[], float] = time.time,
        problem: ErrorInfo | None = None,
        database: Path | None = None,
    ) -> None:
        """``models`` lists what is said to lie on the disk, the starter model if it is not given, or is a
        library over files; ``hub`` is the address that is asked where the settings name no other.
        ``database`` is the file that conversations are kept in; ``None`` keeps them in memory."""
        self._folder = tempfile.TemporaryDirectory(prefix="fireside-")
        self._clock = clock
        self._now: float | None = None
        self.requests = Requests()
        self.seen: list[AppEvent] = []
        self.engine_thread = LoopThread()
        self.store = open_store(lambda: self._clock() if self._now is None else self._now, database)
        self.engine = ManualEngine(self._report_status)
        self.machine = FakeMachine()
        starter = entry_of(starter_spec(), source="Included", removable=False)
        folder = Path(self._folder.name)
        self.library = (
            models
            if isinstance(models, Library)
            else ListedLibrary(folder, (starter,) if models is None else models)
        )
        self._settings = Settings(file=SettingsFile(folder / "settings.json"), environ={})
        self.app = local_app(
            folder,
            store=self.store,
            engine=self.engine,
            library=self.library,
            machine=self.machine,
            emit=self.engine_thread.report,
            settings=self._settings,
            hub=msgspec.structs.replace(
                hub_parts(
                    self._settings, folder, goes_on=False, hub=hub, catalogue=catalogue, keyring=keyring
                ),
                computer=self.machine.computer(self._settings),
            ),
            problem=problem,
            database=database,
        )
        self.app.models._entries = self.library.scan()
        self.benchmarks = FakeBenchmarks()
        self._measured = self.benchmarks.in_place()
        self.engine_thread.become(RecordedApp(self.app, self.requests))
        super().__init__(self.engine_thread)
        self.frame.connect(self._on_events)
        _open.append(self)

    def close(self) -> None:
        """End what runs; nothing is heard of it any more."""
        self.wait_until(asyncio.ensure_future(self.end()).done)

    async def end(self) -> None:
        """``close`` for a coroutine, which may not wait in the loop that runs it."""
        self.blockSignals(True)
        self.engine_thread.blockSignals(True)
        await asyncio.gather(self.app.models.close(), self.app._close_hub(), self.app._close_engine())
        done(self.store.close())
        self.app._access.close()
        self._measured.close()
        self._folder.cleanup()

    # What a test looks at

    @property
    def conversations_kept(self) -> tuple[ConversationSummary, ...]:
        """Every conversation that is not deleted."""
        return done(self.store.conversations.all())

    @property
    def summaries(self) -> Mapping[ConversationId, ConversationSummary]:
        """Every conversation that is not deleted, by its id."""
        return {summary.id: summary for summary in sorted(self.conversations_kept, key=lambda one: one.id)}

    @property
    def messages(self) -> Mapping[ConversationId, tuple[StoredMessage, ...]]:
        """The active branch of each conversation."""
        return {id_: self.opened(id_).messages for id_ in self.summaries}

    @property
    def layers(self) -> MutableMapping[Layer, dict[str, SettingValue]]:
        """The values that are set in each layer; what is assigned replaces all of a layer."""
        return _Layers(self)

    @property
    def entries(self) -> tuple[ModelEntry, ...]:
        """The lines of the library."""
        return self.app.models.entries

    @property
    def states(self) -> dict[ModelId, ModelState]:
        """What each model is at."""
        return self.engine.states

    def opened(self, conversation_id: ConversationId) -> Conversation:
        """Return a conversation as it is kept."""
        return done(self.store.conversations.open(conversation_id))

    @property
    def folders_kept(self) -> tuple[Folder, ...]:
        """The folders, in their order."""
        return done(self.store.folders.all())

    @property
    def preset_library(self) -> tuple[Preset, ...]:
        """The presets, in their order."""
        return done(self.app.presets.presets())

    def preset(self, name: str) -> Preset:
        """Return the preset of this name."""
        return next(preset for preset in self.preset_library if preset.name == name)

    def draft(self, place: DraftKey) -> str:
        """Return what is kept of a message that is not sent."""
        return done(self.store.drafts.text(place))

    def draft_files(self, place: DraftKey) -> tuple[Attachment, ...]:
        """Return the files of a message that is not sent."""
        return done(self.store.drafts.files(place))

    def new_texts(self) -> list[str]:
        """Return what is kept of new chats."""
        return [draft.text for draft in done(self.store.drafts.new_chats())]

    def called(self, name: str) -> list[tuple[object, ...]]:
        """Return the arguments of each call of ``name`` so far."""
        self._check(name)
        return self.requests.called(name)

    def asked(self, service: str) -> list[tuple[object, ...]]:
        """Return each call of a service so far."""
        return [call for call in self.requests.calls if str(call[0]).startswith(f"{service}.")]

    def compared(self, conversation_id: ConversationId) -> Comparison:
        """Return the answers to the last question of a conversation."""
        return done(self.app.comparison.open(self.opened(conversation_id).messages[-1].id))

    def fail(self, name: str, error: FiresideError) -> None:
        """Make the next call of ``name`` raise ``error``."""
        self._check(name)
        self.requests.fail(name, error)

    def hold(self, name: str) -> None:
        """Let calls of ``name`` wait until ``release``."""
        self._check(name)
        self.requests.hold(name)

    def release(self, name: str) -> None:
        """Let the calls that wait, and those to come, go on."""
        self.requests.release(name)

    def reply(self, name: str, value: object) -> None:
        """Have ``name`` answered with ``value`` from now on, and not carried out."""
        self._check(name)
        self.requests.replies[name] = value

    def _check(self, name: str) -> None:
        """Fail where no service has a request of this name: nothing would ever call it."""
        service, _, method = name.rpartition(".")
        attribute = next((of_app for of_app, of_client in CLIENTS.items() if of_client == service), service)
        assert iscoroutinefunction(getattr(getattr(self.app, attribute, self.app), method, None)), name

    def fail_load(self, error: FiresideError) -> None:
        """Make the next load end with ``error``."""
        self.engine.load_error = error

    # Filling it

    def add_conversation(
        self, title: str, *, updated_at: float | None = None, pinned: bool = False, turns: Sequence[str] = ()
    ) -> ConversationId:
        """Store a conversation without an event. ``turns`` alternates user and assistant."""
        self._now = updated_at
        made = done(self.store.conversations.create(title=title, model_id=STARTER_ID)).id
        parent: MessageId | None = None
        record = GenerationRecord(model_id=STARTER_ID, model_name="SmolLM2 135M Instruct")
        for index, text in enumerate(turns):
            role = Role.ASSISTANT if index % 2 else Role.USER
            message = text_message(role, text)
            generation = record if role is Role.ASSISTANT else None
            parent = done(
                self.store.messages.add(made, parent_id=parent, message=message, generation=generation)
            ).id
        if pinned:
            done(self.store.conversations.set_pinned(made, pinned=True))
        self._now = None
        return made

    def add_folder(self, name: str, *, is_open: bool = True, colour: Colour | None = None) -> FolderId:
        """Store a folder without an event."""
        made = done(self.store.folders.create(name=name)).id
        done(self.store.folders.set_open(made, is_open=is_open))
        done(self.store.folders.set_colour(made, colour=colour))
        return made

    def keep_draft(self, place: DraftKey, *, text: str = "", attached: Sequence[Attachment] = ()) -> None:
        """Store a message that is not sent."""
        done(self.store.drafts.save_text(place, text=text))
        done(self.store.drafts.save_files(place, attached=attached))

    def keep_messages(
        self, conversation_id: ConversationId, messages: Sequence[StoredMessage]
    ) -> list[StoredMessage]:
        """Store messages one after the other, each as it is given; returns them as they are kept."""
        kept: list[StoredMessage] = []
        for each in messages:
            parent = kept[-1].id if kept else None
            added = done(self.store.messages.add(conversation_id, parent_id=parent, message=each.message))
            final = msgspec.structs.replace(
                added, state=each.state, error=each.error, generation=each.generation
            )
            done(self.store.messages.finish(final))
            kept.append(final)
        return kept

    def choose_model(self, conversation_id: ConversationId, model_id: ModelId) -> None:
        """Give a conversation another model, without an event."""
        done(self.store.conversations.set_model(conversation_id, model_id=model_id))

    def choose_default(self, model_id: ModelId) -> None:
        """Choose the model of new conversations."""
        self.layers[AppLayer()] = {**self.layers[AppLayer()], DEFAULT_MODEL_KEY: model_id}

    def add_entries(self, *entries: ModelEntry) -> None:
        """Add lines to the library, without an event."""
        self.app.models._entries = self.library._entries = (*self.entries, *entries)

    def set_models(self, models: Sequence[ModelEntry]) -> None:
        """Replace the library and say so."""
        self.app.models._entries = self.library._entries = tuple(models)
        self.publish(LibraryChanged(entries=self.entries))

    def keep_downloads(self, *downloads: Download) -> None:
        """Put downloads of an earlier run into the queue, without an event; none of them runs."""
        for download in downloads:
            self.app.downloads._list.store(download)

    def set_environment(self, values: Mapping[str, SettingValue]) -> None:
        """Set the values that the program was started with."""
        checked = self._settings._environment
        self._settings._environment = msgspec.structs.replace(checked, values=dict(values))

    def set_problem(self, problem: ErrorInfo) -> None:
        """Say what the program could not do when it started."""
        self.app._problem = problem

    def add_runtime(self, name: str, *backends: str, test: RuntimeTest | None = TESTED) -> None:
        """Add a build of llama.cpp that did in its test as ``test`` says, without an event."""
        source = small_runtime(Path(self._folder.name) / "sources" / name, *backends)
        keep_runtime(self.app.runtimes._store, source, test=test)

    # Playing the engine

    def publish(self, *events: AppEvent) -> None:
        """Deliver events in one frame."""
        self.frame.emit(events)

    def set_state(self, model_id: ModelId, state: ModelState) -> None:
        """Put a model into a state and say so."""
        self.states[model_id] = state
        self.publish(ModelStatusChanged(status=ModelStatus(model_id=model_id, state=state)))

    def streaming_message(self, conversation_id: ConversationId) -> StoredMessage:
        """Return the answer being written; raises ``LookupError`` where there is none."""
        last = self.opened(conversation_id).messages[-1]
        if last.state is not MessageState.STREAMING:
            raise LookupError("no answer is running")
        return last

    def stream(
        self,
        conversation_id: ConversationId,
        *,
        text: str,
        n_completion: int = 1,
        kind: OutputKind = OutputKind.ANSWER,
        answer: MessageId | None = None,
        waits: bool = True,
    ) -> None:
        """Add text to the running answer, or that of several; returns when the window has heard of it.

        A coroutine passes ``waits=False`` and awaits that by itself.
        """
        self._play(
            answer or self.streaming_message(conversation_id).id,
            TextDelta(text=text, n_completion=n_completion, kind=kind),
            heard=TextAppended if waits else None,
        )

    def finish(
        self,
        conversation_id: ConversationId,
        *,
        reason: FinishReason = FinishReason.STOP,
        error: ErrorInfo | None = None,
        answer: MessageId | None = None,
        waits: bool = True,
    ) -> None:
        """End the running answer, or that of several; see ``stream``."""
        done_well = Finished(
            reason=reason,
            usage=Usage(n_prompt=40, n_cached=0, n_completion=312),
            timings=Timings(prompt_s=0.2, decode_s=6.47, first_token_s=0.3),
            seed=7,
            n_ctx=8192,
        )
        self._play(
            answer or self.streaming_message(conversation_id).id,
            done_well if error is None else Failed(error=error),
            heard=MessageReplaced if waits else None,
        )

    def result(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what ``work`` returns, while the window and the app go on."""
        task = asyncio.ensure_future(work)
        self.wait_until(task.done)
        return task.result()

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Let the window and the app go on until ``is_so``."""
        alarm = QTimer(singleShot=True, interval=PATIENCE_MS)
        alarm.start()
        while not is_so():
            assert alarm.isActive(), "it never was so"
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def _play(
        self,
        answer: MessageId,
        event: TextDelta | Finished | Failed,
        *,
        heard: type[TextAppended] | type[MessageReplaced] | None,
    ) -> None:
        def request_id() -> RequestId | None:
            running = self.app.generations._running.answer(answer)
            generation = None if running is None else running.generation
            asked = generation._request if isinstance(generation, AnswerGeneration) else None
            return None if asked is None else asked.request_id

        def is_asked() -> bool:
            asked = request_id()
            return asked is not None and self.engine.is_asked(asked)

        if heard is not None:
            self.wait_until(is_asked)
        n_seen = len(self.seen)
        asked = request_id()
        assert asked is not None
        self.engine.play(asked, event)
        if heard is not None:
            kind = heard
            self.wait_until(
                lambda: any(isinstance(e, kind) and _answer_of(e) == answer for e in self.seen[n_seen:])
            )

    def _report_status(self, status: ModelStatus) -> None:
        self.engine_thread.report(ModelStatusChanged(status=status))

    def _on_events(self, events: tuple[AppEvent, ...]) -> None:
        self.seen += events


class _Layers(MutableMapping[Layer, dict[str, SettingValue]]):
    """What is set in the settings file and in each conversation."""

    def __init__(self, client: AppClient) -> None:
        self._client = client

    def __getitem__(self, layer: Layer) -> dict[str, SettingValue]:
        match layer:
            case ConversationLayer(conversation_id=conversation_id):
                return done(self._client.store.conversations.overrides(conversation_id))
            case ProjectLayer(folder_id=folder_id):
                return done(self._client.store.folders.get(folder_id)).settings
            case ModelLayer(model_id=model_id):
                own = self._client._settings._stored.models.get(model_id)
                return {} if own is None else dict(own.values)
            case AppLayer():
                return dict(self._client._settings._stored.app.values)

    def __setitem__(self, layer: Layer, values: dict[str, SettingValue]) -> None:
        if isinstance(layer, ConversationLayer):
            done(self._client.store.conversations.replace_overrides(layer.conversation_id, values))
            return
        if isinstance(layer, ProjectLayer):
            done(self._client.store.folders.set_settings(layer.folder_id, values))
            return
        for key in self[layer]:
            self._client._settings.clear(layer, key=key)
        for key, value in values.items():
            self._client._settings.change(layer, key=key, value=value)

    def __delitem__(self, layer: Layer) -> None:
        self[layer] = {}

    def __contains__(self, layer: object) -> bool:
        return isinstance(layer, AppLayer | ModelLayer | ConversationLayer) and bool(self[layer])

    def __iter__(self) -> Iterator[Layer]:
        yield AppLayer()
        yield from (ModelLayer(model_id=ModelId(name)) for name in self._client._settings._stored.models)
        yield from (ConversationLayer(conversation_id=id_) for id_ in self._client.summaries)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _answer_of(event: AppEvent) -> MessageId | None:
    match event:
        case TextAppended(message_id=message_id):
            return message_id
        case MessageReplaced(message=message):
            return message.id
        case _:
            return None


@contextmanager
def settling(wait: Callable[[], None]) -> Iterator[None]:
    """Let ``settled`` call ``wait``."""
    _waits.append(wait)
    yield
    _waits.remove(wait)


def settled() -> None:
    """Let Qt go on until every request of the window has been answered."""
    for wait in _waits:
        wait()


def close_clients() -> None:
    """Close the clients of the test that ends: before its loop, which they live on."""
    while _open:
        _open.pop().close()


def handing_on(client: AppClient, handle: Callable[[AppEvent], None]) -> Callable[[], object]:
    """Have ``handle`` called with each event that ``client`` emits; returns what ends that."""

    def on_frame(events: Sequence[AppEvent]) -> None:
        for event in events:
            handle(event)

    client.frame.connect(on_frame)
    return lambda: client.frame.disconnect(on_frame)
