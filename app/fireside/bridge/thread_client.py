"""The façade over the engine thread: every request hops to its loop and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Qt, Signal, Slot

from fireside.bridge.attachment_client import AttachmentClient
from fireside.bridge.branch_client import NO_SETTINGS, BranchClient
from fireside.bridge.client import Snapshot
from fireside.bridge.comparison_client import ComparisonClient
from fireside.bridge.context_client import ContextClient
from fireside.bridge.engine_thread import EngineThread
from fireside.bridge.folder_client import FolderClient
from fireside.bridge.hardware_client import HardwareClient
from fireside.bridge.hub_client import HubClient
from fireside.bridge.inspection_client import InspectionClient
from fireside.bridge.library_client import LibraryClient
from fireside.bridge.preset_client import PresetClient
from fireside.bridge.remote_call import asking
from fireside.bridge.runtime_client import RuntimeClient
from fireside.bridge.thread_attachment_client import ThreadAttachmentClient
from fireside.bridge.thread_branch_client import ThreadBranchClient
from fireside.bridge.thread_comparison_client import ThreadComparisonClient
from fireside.bridge.thread_context_client import ThreadContextClient
from fireside.bridge.thread_folder_client import ThreadFolderClient
from fireside.bridge.thread_hardware_client import ThreadHardwareClient
from fireside.bridge.thread_hub_client import ThreadHubClient
from fireside.bridge.thread_inspection_client import ThreadInspectionClient
from fireside.bridge.thread_library_client import ThreadLibraryClient
from fireside.bridge.thread_preset_client import ThreadPresetClient
from fireside.bridge.thread_runtime_client import ThreadRuntimeClient
from fireside.bridge.thread_transfer_client import ThreadTransferClient
from fireside.bridge.thread_tuning_client import ThreadTuningClient
from fireside.bridge.transfer_client import TransferClient
from fireside.bridge.tuning_client import TuningClient
from fireside.chat.app import App
from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation
from fireside.core.ids import ConversationId, DraftId, DraftPlace, MessageId, ModelId
from fireside.core.message import AttachedPart
from fireside.core.model import LibraryFailure
from fireside.core.options import SettingValue
from fireside.settings.values import Layer, ResolvedSetting


class ThreadEngineClient(QObject):
    """``EngineClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    frame = Signal(object)

    def __init__(self, thread: EngineThread[App], *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = thread
        self._ask = asking(thread)
        self._attachments = ThreadAttachmentClient(self._ask)
        self._context = ThreadContextClient(self._ask)
        self._hub = ThreadHubClient(self._ask)
        self._library = ThreadLibraryClient(self._ask)
        self._comparison = ThreadComparisonClient(self._ask)
        self._inspection = ThreadInspectionClient(self._ask)
        self._folders = ThreadFolderClient(self._ask)
        self._hardware = ThreadHardwareClient(self._ask)
        self._presets = ThreadPresetClient(self._ask)
        self._runtimes = ThreadRuntimeClient(self._ask)
        self._branches = ThreadBranchClient(self._ask)
        self._transfer = ThreadTransferClient(self._ask, publish=lambda event: self.frame.emit((event,)))
        self._tuning = ThreadTuningClient(self._ask)
        thread.frame.connect(self._on_frame, Qt.ConnectionType.QueuedConnection)

    @Slot(object)
    def _on_frame(self, events: object) -> None:
        try:
            self.frame.emit(events)
        finally:
            self._thread.acknowledge()

    @property
    def attachments(self) -> AttachmentClient:
        return self._attachments

    @property
    def context(self) -> ContextClient:
        return self._context

    @property
    def hub(self) -> HubClient:
        return self._hub

    @property
    def library(self) -> LibraryClient:
        return self._library

    @property
    def hardware(self) -> HardwareClient:
        return self._hardware

    @property
    def comparison(self) -> ComparisonClient:
        return self._comparison

    @property
    def inspection(self) -> InspectionClient:
        return self._inspection

    @property
    def folders(self) -> FolderClient:
        return self._folders

    @property
    def presets(self) -> PresetClient:
        return self._presets

    @property
    def runtimes(self) -> RuntimeClient:
        return self._runtimes

    @property
    def branches(self) -> BranchClient:
        return self._branches

    @property
    def transfer(self) -> TransferClient:
        return self._transfer

    @property
    def tuning(self) -> TuningClient:
        return self._tuning

    async def snapshot(self) -> Snapshot:
        return await self._ask(lambda app: app.snapshot())

    async def open_conversation(self, conversation_id: ConversationId) -> Conversation:
        return await self._ask(lambda app: app.conversations.open(conversation_id))

    async def rename_conversation(self, conversation_id: ConversationId, *, title: str) -> None:
        await self._ask(lambda app: app.conversations.rename(conversation_id, title=title))

    async def pin_conversation(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.conversations.pin(conversation_id))

    async def unpin_conversation(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.conversations.unpin(conversation_id))

    async def delete_conversation(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.delete_conversation(conversation_id))

    async def restore_conversation(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.conversations.restore(conversation_id))

    async def save_draft(self, place: DraftPlace, *, text: str) -> None:
        await self._ask(lambda app: app.conversations.save_draft(place, text=text))

    async def save_draft_files(self, place: DraftPlace, *, attached: Sequence[Attachment]) -> None:
        kept = tuple(attached)
        await self._ask(lambda app: app.conversations.save_draft_files(place, attached=kept))

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
        parts, own = tuple(attached), dict(settings)
        return await self._ask(
            lambda app: app.generations.send(
                conversation_id,
                text=text,
                model_id=model_id,
                attached=parts,
                settings=own,
                draft_id=draft_id,
            )
        )

    async def stop(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.generations.stop(conversation_id))

    async def regenerate(self, message_id: MessageId, *, model_id: ModelId) -> None:
        await self._ask(lambda app: app.generations.regenerate(message_id, model_id=model_id))

    async def load_model(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        await self._ask(lambda app: app.models.load(model_id, conversation_id=conversation_id))

    async def unload_model(self, model_id: ModelId) -> None:
        await self._ask(lambda app: app.models.unload(model_id))

    async def choose_model(self, conversation_id: ConversationId | None, *, model_id: ModelId) -> None:
        await self._ask(lambda app: app.choose_model(conversation_id, model_id=model_id))

    async def add_models(self, paths: Sequence[str]) -> tuple[LibraryFailure, ...]:
        return await self._ask(lambda app: app.models.add(paths))

    async def remove_model(self, path: str) -> None:
        await self._ask(lambda app: app.models.remove(path))

    async def rescan_library(self) -> None:
        await self._ask(lambda app: app.models.rescan())

    async def settings(
        self, *, model_id: ModelId | None, conversation_id: ConversationId | None
    ) -> tuple[ResolvedSetting, ...]:
        return await self._ask(
            lambda app: app.preferences.resolved(model_id=model_id, conversation_id=conversation_id)
        )

    async def change_setting(self, layer: Layer, *, key: str, value: SettingValue) -> None:
        await self._ask(lambda app: app.preferences.change(layer, key=key, value=value))

    async def clear_setting(self, layer: Layer, *, key: str) -> None:
        await self._ask(lambda app: app.preferences.clear(layer, key=key))
