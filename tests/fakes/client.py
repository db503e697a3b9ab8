"""An ``EngineClient`` in memory: does at once what the engine thread would, and records what was asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count

import msgspec
from PySide6.QtCore import QObject, Signal

from fakes import client_parts as parts
from fakes.attachment_client import FakeAttachmentClient
from fakes.comparison_client import FakeComparisonClient
from fakes.context_client import FakeContextClient
from fakes.hub_client import FakeHubClient
from fakes.inspection_client import FakeInspectionClient
from fakes.keeping_client import FakeFolderClient
from fakes.library_client import FakeLibraryClient
from fakes.machine_client import FakeHardwareClient
from fakes.model_entries import STARTER_ID, entry_of, loaded_state, starter_spec
from fakes.preset_client import FakePresetClient
from fakes.runtime_client import FakeRuntimeClient
from fakes.steering_client import FakeBranchClient
from fakes.transfer_client import FakeTransferClient
from fakes.tuning_client import FakeTuningClient
from fireside.bridge.branch_client import NO_SETTINGS
from fireside.bridge.client import EngineClient, Snapshot
from fireside.core.attachment import Attachment
from fireside.core.chat import (
    Conversation,
    ConversationSummary,
    GenerationRecord,
    MessageState,
    NewDraft,
    StoredMessage,
)
from fireside.core.errors import ErrorInfo, FiresideError, ModelNotFound, NotStored
from fireside.core.events import (
    AppEvent,
    BranchChanged,
    ConversationChanged,
    ConversationDeleted,
    LibraryChanged,
    MessageAdded,
    MessageReplaced,
    ModelStatusChanged,
    SettingsChanged,
    TextAppended,
)
from fireside.core.generation import FinishReason, OutputKind, Timings, Usage
from fireside.core.ids import ConversationId, DraftId, DraftPlace, MessageId, ModelId
from fireside.core.message import AttachedPart, ChatMessage, ReasoningPart, Role, TextPart, text_message
from fireside.core.model import LibraryFailure, ModelEntry, ModelSpec
from fireside.core.options import SettingValue
from fireside.core.status import (
    Broken,
    LoadingModel,
    ModelState,
    ModelStatus,
    Unloaded,
)
from fireside.settings.definitions import BY_KEY, DEFINITIONS
from fireside.settings.value_check import normalise
from fireside.settings.values import (
    AppLayer,
    ConversationLayer,
    Layer,
    ModelLayer,
    Origin,
    ResolvedSetting,
    SettingDefinition,
)


class FakeClient(QObject):
    """Holds conversations, models and settings, and emits the events that the real client would.

    ``calls`` lists what was asked as ``(name, arguments…)``. ``fail(name, error)`` makes the next request of
    that name raise. An answer does not write itself: use ``stream`` and ``finish``. What is asked of ``hub``,
    ``library`` and ``keeping`` is recorded there.
    """

    frame = Signal(object)

    def __init__(
        self,
        *,
        models: Sequence[ModelEntry] | None = None,
        clock: Callable[[], float] = time.time,
        problem: ErrorInfo | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.calls: list[tuple[object, ...]] = []
        self.problem = problem
        self.default_model: ModelId | None = STARTER_ID
        self.drafts: dict[DraftPlace, str] = {}
        self.draft_files: dict[DraftPlace, tuple[Attachment, ...]] = {}
        self.messages: dict[ConversationId, list[StoredMessage]] = {}
        self.summaries: dict[ConversationId, ConversationSummary] = {}
        self.entries: tuple[ModelEntry, ...] = (
            tuple(models)
            if models is not None
            else (entry_of(starter_spec(), source="Comes with Fireside", removable=False),)
        )
        self.states: dict[ModelId, ModelState] = {}
        self.layers: dict[Layer, dict[str, SettingValue]] = {}
        self.environment: dict[str, SettingValue] = {}
        self.add_failures: tuple[LibraryFailure, ...] = ()
        self.deleted: dict[ConversationId, ConversationSummary] = {}
        self._failures: dict[str, FiresideError] = {}
        self._clock = clock
        self._conversation_ids = count(1)
        self._message_ids = count(1)
        self.attachments = FakeAttachmentClient()
        self.context = FakeContextClient(self.publish)
        self.hub = FakeHubClient(self.publish)
        self.comparison = FakeComparisonClient(self)
        self.inspection = FakeInspectionClient()
        self.folders = FakeFolderClient(self)
        self.hardware = FakeHardwareClient()
        self.presets = FakePresetClient(self)
        self.runtimes = FakeRuntimeClient(self.publish)
        self.branches = FakeBranchClient(self)
        self.transfer = FakeTransferClient(self.publish)
        self.tuning = FakeTuningClient(self.publish)
        self.library = FakeLibraryClient(
            self.publish, models=lambda: self.entries, set_models=self.set_models
        )
        self.conversations = parts.Conversations(self)
        self.generations = parts.Generations(self)
        self.models = parts.Models(self, self.library)
        self.settings = parts.Settings(self)
        self.verification = parts.Verification(self.library)
        self.library_move = parts.LibraryMove(self.library)
        self.downloads = parts.Downloads(self.hub)
        self.token = parts.Token(self.hub)
        self.load_plans = parts.LoadPlans(self.hardware)
        self.backups = parts.Backups(self.transfer)

    # Filling it, and playing the engine

    def add_conversation(
        self, title: str, *, updated_at: float | None = None, pinned: bool = False, turns: Sequence[str] = ()
    ) -> ConversationId:
        """Store a conversation without an event. ``turns`` alternates user and assistant."""
        now = self._clock() if updated_at is None else updated_at
        made = ConversationId(next(self._conversation_ids))
        self.summaries[made] = ConversationSummary(
            id=made, title=title, pinned=pinned, created_at=now, updated_at=now, model_id=STARTER_ID
        )
        self.messages[made] = []
        for index, text in enumerate(turns):
            role = Role.ASSISTANT if index % 2 else Role.USER
            self.messages[made].append(self.make_message(made, role=role, text=text))
        return made

    def conversation_of(self, message_id: MessageId) -> ConversationId | None:
        """Return the conversation that has a message."""
        for conversation_id, messages in self.messages.items():
            if any(message.id == message_id for message in messages):
                return conversation_id
        return None

    def publish(self, *events: AppEvent) -> None:
        """Deliver events in one frame."""
        self.frame.emit(tuple(events))

    def fail(self, name: str, error: FiresideError) -> None:
        """Make the next call of ``name`` raise ``error``."""
        self._failures[name] = error

    def called(self, name: str) -> list[tuple[object, ...]]:
        """Return the arguments of each call of ``name`` so far."""
        return [call[1:] for call in self.calls if call[0] == name]

    def set_state(self, model_id: ModelId, state: ModelState) -> None:
        """Put a model into a state and say so."""
        self.states[model_id] = state
        self.publish(ModelStatusChanged(status=ModelStatus(model_id=model_id, state=state)))

    def set_models(self, models: Sequence[ModelEntry]) -> None:
        """Replace the library and say so."""
        self.entries = tuple(models)
        self.publish(LibraryChanged(entries=self.entries))

    def streaming_message(self, conversation_id: ConversationId) -> StoredMessage:
        """Return the answer being written; raises ``LookupError`` where there is none."""
        last = self.messages[conversation_id][-1]
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
    ) -> None:
        """Add text to the running answer."""
        message = self.streaming_message(conversation_id)
        thought, said = message.message.reasoning, message.message.text
        if kind is OutputKind.REASONING:
            thought += text
        elif kind is OutputKind.ANSWER:
            said += text
        thoughts = (ReasoningPart(text=thought),) if thought else ()
        parts = (*thoughts, *((TextPart(text=said),) if said or not thoughts else ()))
        grown = msgspec.structs.replace(message, message=ChatMessage(role=Role.ASSISTANT, parts=parts))
        self.messages[conversation_id][-1] = grown
        self.publish(
            TextAppended(
                conversation_id=conversation_id,
                message_id=message.id,
                text=text,
                n_completion=n_completion,
                kind=kind,
            )
        )

    def finish(
        self,
        conversation_id: ConversationId,
        *,
        reason: FinishReason = FinishReason.STOP,
        error: ErrorInfo | None = None,
    ) -> None:
        """End the running answer."""
        message = self.streaming_message(conversation_id)
        done = msgspec.structs.replace(
            message,
            state=MessageState.COMPLETE if error is None else MessageState.FAILED,
            error=error,
            generation=GenerationRecord(
                model_id=STARTER_ID,
                model_name="SmolLM2 135M Instruct",
                finish_reason=reason,
                usage=Usage(n_prompt=40, n_cached=0, n_completion=312),
                timings=Timings(prompt_s=0.2, decode_s=6.47, first_token_s=0.3),
            ),
        )
        self.messages[conversation_id][-1] = done
        self.publish(MessageReplaced(message=done))
        if error is None and reason is not FinishReason.CANCELLED:
            self.branches.send_next(conversation_id)

    # EngineClient

    async def snapshot(self) -> Snapshot:
        self._enter("snapshot")
        return Snapshot(
            conversations=tuple(self.summaries.values()),
            models=self.entries,
            statuses=tuple(
                ModelStatus(model_id=model_id, state=state) for model_id, state in self.states.items()
            ),
            default_model=self.default_model,
            new_drafts=self._new_drafts(),
            problem=self.problem,
            folders=tuple(self.folders.folders),
            downloads=tuple(self.hub.downloads.values()),
        )

    async def open_conversation(self, conversation_id: ConversationId) -> Conversation:
        self._enter("open_conversation", conversation_id)
        return Conversation(
            summary=self._summary(conversation_id),
            messages=tuple(self.messages[conversation_id]),
            draft=self.drafts.get(conversation_id, ""),
            overrides=dict(self.layers.get(ConversationLayer(conversation_id=conversation_id), {})),
            branches=self.branches.branches(conversation_id),
            waiting=self.branches.waiting(conversation_id),
            attached=self.draft_files.get(conversation_id, ()),
            edits=dict(self.branches.edits),
            running=self.branches.running(conversation_id),
        )

    async def rename_conversation(self, conversation_id: ConversationId, *, title: str) -> None:
        self._enter("rename_conversation", conversation_id, title)
        self._store(msgspec.structs.replace(self._summary(conversation_id), title=title))

    async def pin_conversation(self, conversation_id: ConversationId) -> None:
        self._enter("pin_conversation", conversation_id)
        self._store(msgspec.structs.replace(self._summary(conversation_id), pinned=True))

    async def unpin_conversation(self, conversation_id: ConversationId) -> None:
        self._enter("unpin_conversation", conversation_id)
        self._store(msgspec.structs.replace(self._summary(conversation_id), pinned=False))

    async def delete_conversation(self, conversation_id: ConversationId) -> None:
        self._enter("delete_conversation", conversation_id)
        self.deleted[conversation_id] = self._summary(conversation_id)
        del self.summaries[conversation_id]
        self.publish(ConversationDeleted(conversation_id=conversation_id))

    async def restore_conversation(self, conversation_id: ConversationId) -> None:
        self._enter("restore_conversation", conversation_id)
        if conversation_id not in self.deleted:
            raise NotStored(what="conversation", id=conversation_id)
        self._store(self.deleted.pop(conversation_id))

    async def save_draft(self, place: DraftPlace, *, text: str) -> None:
        self._enter("save_draft", place, text)
        self.drafts[place] = text

    async def save_draft_files(self, place: DraftPlace, *, attached: Sequence[Attachment]) -> None:
        self._enter("save_draft_files", place, tuple(attached))
        self.draft_files[place] = tuple(attached)

    async def send(
        self,
        conversation_id: ConversationId | None,
        *,
        text: str,
        model_id: ModelId,
        attached: Sequence[AttachedPart] = (),
        settings: Mapping[str, SettingValue] = NO_SETTINGS,
        draft_id: DraftId | None = None,
    ) -> ConversationId:
        self._enter("send", conversation_id, text, model_id, *((tuple(attached),) if attached else ()))
        self._spec(model_id)
        chosen = conversation_id
        if chosen is None:
            chosen = self.add_conversation(text[:40])
            self.layers[ConversationLayer(conversation_id=chosen)] = dict(settings)
        if (place := draft_id if conversation_id is None else conversation_id) is not None:
            self.drafts.pop(place, None)
            self.draft_files.pop(place, None)
        if any(message.state is MessageState.STREAMING for message in self.messages[chosen][-1:]):
            self.branches.queue(chosen, text=text, model_id=model_id, attached=attached)
            return chosen
        user = self.make_message(chosen, role=Role.USER, text=text)
        if attached:
            parts = (*attached, *user.message.parts)
            user = msgspec.structs.replace(user, message=ChatMessage(role=Role.USER, parts=parts))
        answer = self.make_message(chosen, role=Role.ASSISTANT, text="", state=MessageState.STREAMING)
        self.messages[chosen] += [user, answer]
        self.publish(
            ConversationChanged(summary=self._summary(chosen)),
            MessageAdded(message=user),
            MessageAdded(message=answer),
        )
        return chosen

    async def stop(self, conversation_id: ConversationId) -> None:
        self._enter("stop", conversation_id)
        self.finish(conversation_id, reason=FinishReason.CANCELLED)

    async def regenerate(self, message_id: MessageId, *, model_id: ModelId) -> None:
        self._enter("regenerate", message_id, model_id)
        for conversation_id, messages in self.messages.items():
            if messages and messages[-1].id == message_id:
                answer = self.make_message(
                    conversation_id, role=Role.ASSISTANT, text="", state=MessageState.STREAMING
                )
                messages[-1] = answer
                self.publish(BranchChanged(conversation_id=conversation_id), MessageAdded(message=answer))
                return
        raise NotStored(what="message", id=message_id)

    async def load_model(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        self.calls.append(("load_model", model_id, conversation_id))
        self.set_state(model_id, LoadingModel(fraction=0.0))
        if error := self._failures.pop("load_model", None):
            self.set_state(model_id, Broken(error=error.info()))
            raise error
        self.set_state(model_id, loaded_state(self._spec(model_id)))

    async def unload_model(self, model_id: ModelId) -> None:
        self._enter("unload_model", model_id)
        self.set_state(model_id, Unloaded())

    async def choose_model(self, conversation_id: ConversationId | None, *, model_id: ModelId) -> None:
        self._enter("choose_model", conversation_id, model_id)
        if conversation_id is None:
            self.default_model = model_id
        else:
            self._store(msgspec.structs.replace(self._summary(conversation_id), model_id=model_id))

    async def add_models(self, paths: Sequence[str]) -> tuple[LibraryFailure, ...]:
        self._enter("add_models", tuple(paths))
        return self.add_failures

    async def remove_model(self, path: str) -> None:
        self._enter("remove_model", path)
        self.set_models([entry for entry in self.entries if entry.path != path])

    async def rescan_library(self) -> None:
        self._enter("rescan_library")
        self.publish(LibraryChanged(entries=self.entries))

    async def resolved_settings(
        self, *, model_id: ModelId | None, conversation_id: ConversationId | None
    ) -> tuple[ResolvedSetting, ...]:
        self._enter("settings", model_id, conversation_id)
        layers: list[tuple[Origin, dict[str, SettingValue]]] = []
        if conversation_id is not None:
            own = self.layers.get(ConversationLayer(conversation_id=conversation_id), {})
            layers.append((Origin.CONVERSATION, own))
        if model_id is not None:
            layers.append((Origin.MODEL, self.layers.get(ModelLayer(model_id=model_id), {})))
        layers.append((Origin.ENVIRONMENT, self.environment))
        layers.append((Origin.FILE, self.layers.get(AppLayer(), {})))
        return tuple(_resolve(definition, layers) for definition in DEFINITIONS)

    async def change_setting(self, layer: Layer, *, key: str, value: SettingValue) -> None:
        self._enter("change_setting", layer, key, value)
        self.layers.setdefault(layer, {})[key] = normalise(BY_KEY[key], value)
        self.publish(SettingsChanged(keys=(key,)))

    async def clear_setting(self, layer: Layer, *, key: str) -> None:
        self._enter("clear_setting", layer, key)
        self.layers.get(layer, {}).pop(key, None)
        self.publish(SettingsChanged(keys=(key,)))

    # Inside

    def new_texts(self) -> list[str]:
        """Return what is kept of new chats."""
        return [draft.text for draft in self._new_drafts()]

    def _new_drafts(self) -> tuple[NewDraft, ...]:
        places = dict.fromkeys([*self.drafts, *self.draft_files])
        made = [
            NewDraft(
                id=place,
                text=self.drafts.get(place, ""),
                attached=self.draft_files.get(place, ()),
                updated_at=float(index),
            )
            for index, place in enumerate(places)
            if isinstance(place, str)
        ]
        return tuple(draft for draft in reversed(made) if draft.text or draft.attached)

    def _enter(self, name: str, *arguments: object) -> None:
        self.calls.append((name, *arguments))
        if error := self._failures.pop(name, None):
            raise error

    def _summary(self, conversation_id: ConversationId) -> ConversationSummary:
        if conversation_id not in self.summaries:
            raise NotStored(what="conversation", id=conversation_id)
        return self.summaries[conversation_id]

    def _store(self, summary: ConversationSummary) -> None:
        self.summaries[summary.id] = summary
        self.publish(ConversationChanged(summary=summary))

    def _spec(self, model_id: ModelId) -> ModelSpec:
        for entry in self.entries:
            if entry.spec is not None and entry.spec.id == model_id:
                return entry.spec
        raise ModelNotFound(name=model_id)

    def make_message(
        self,
        conversation_id: ConversationId,
        *,
        role: Role,
        text: str,
        state: MessageState = MessageState.COMPLETE,
    ) -> StoredMessage:
        """Return a message with an id of its own; it is stored nowhere."""
        return StoredMessage(
            id=MessageId(next(self._message_ids)),
            conversation_id=conversation_id,
            parent_id=None,
            message=text_message(role, text),
            state=state,
            created_at=self._clock(),
        )


def _resolve(
    definition: SettingDefinition, layers: Sequence[tuple[Origin, dict[str, SettingValue]]]
) -> ResolvedSetting:
    for origin, values in layers:
        if definition.key in values:
            return ResolvedSetting(definition=definition, value=values[definition.key], origin=origin)
    return ResolvedSetting(definition=definition, value=definition.default, origin=Origin.DEFAULT)


def as_client(fake: FakeClient) -> EngineClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake


def handing_on(client: FakeClient, handle: Callable[[AppEvent], None]) -> None:
    """Have ``handle`` called with each event that ``client`` emits."""

    def on_frame(events: Sequence[AppEvent]) -> None:
        for event in events:
            handle(event)

    client.frame.connect(on_frame)
