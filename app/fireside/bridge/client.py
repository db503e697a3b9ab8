"""What the window may ask of the engine thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import SignalInstance

from fireside.bridge.attachment_client import AttachmentClient
from fireside.bridge.branch_client import NO_SETTINGS, BranchClient
from fireside.bridge.comparison_client import ComparisonClient
from fireside.bridge.context_client import ContextClient
from fireside.bridge.folder_client import FolderClient
from fireside.bridge.hardware_client import HardwareClient
from fireside.bridge.hub_client import HubClient
from fireside.bridge.inspection_client import InspectionClient
from fireside.bridge.library_client import LibraryClient
from fireside.bridge.preset_client import PresetClient
from fireside.bridge.runtime_client import RuntimeClient
from fireside.bridge.transfer_client import TransferClient
from fireside.bridge.tuning_client import TuningClient
from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation
from fireside.core.ids import ConversationId, DraftId, DraftPlace, MessageId, ModelId
from fireside.core.message import AttachedPart
from fireside.core.model import LibraryFailure
from fireside.core.options import SettingValue
from fireside.core.snapshot import Snapshot
from fireside.settings.values import Layer, ResolvedSetting

__all__ = ["EngineClient", "Snapshot"]


class EngineClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only.

    Requests that end are coroutines awaited under qasync; they raise ``FiresideError`` and nothing else on
    purpose. Everything that happens arrives as events: ``frame`` carries a tuple of ``AppEvent``, at most
    one signal a display frame, text of one answer joined.
    """

    frame: SignalInstance

    @property
    def attachments(self) -> AttachmentClient: ...

    @property
    def context(self) -> ContextClient: ...

    @property
    def hub(self) -> HubClient: ...

    @property
    def library(self) -> LibraryClient: ...

    @property
    def hardware(self) -> HardwareClient: ...

    @property
    def comparison(self) -> ComparisonClient: ...

    @property
    def inspection(self) -> InspectionClient: ...

    @property
    def folders(self) -> FolderClient: ...

    @property
    def presets(self) -> PresetClient: ...

    @property
    def runtimes(self) -> RuntimeClient: ...

    @property
    def branches(self) -> BranchClient: ...

    @property
    def transfer(self) -> TransferClient: ...

    @property
    def tuning(self) -> TuningClient: ...

    async def snapshot(self) -> Snapshot: ...

    async def open_conversation(self, conversation_id: ConversationId) -> Conversation: ...

    async def rename_conversation(self, conversation_id: ConversationId, *, title: str) -> None: ...

    async def pin_conversation(self, conversation_id: ConversationId) -> None: ...

    async def unpin_conversation(self, conversation_id: ConversationId) -> None: ...

    async def delete_conversation(self, conversation_id: ConversationId) -> None:
        """Hide it; ``restore_conversation`` brings it back until the program is next started."""

    async def restore_conversation(self, conversation_id: ConversationId) -> None: ...

    async def save_draft(self, place: DraftPlace, *, text: str) -> None:
        """Keep what is typed but not sent."""

    async def save_draft_files(self, place: DraftPlace, *, attached: Sequence[Attachment]) -> None:
        """Keep what is attached but not sent: these files and no others."""

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
        """Commit a user's message and start the answer; ``None`` creates the conversation, with ``settings``
        of its own, out of the new chat that is kept as ``draft_id``.

        With files the text may be empty. Raises ``ImagesUnsupported`` for pictures that the model cannot see.

        Returns once the message is committed. Clears the draft. While an answer runs the message waits: it is
        sent once that has ended well.
        Raises ``InvalidText``, ``ModelNotFound`` or a ``StorageError``; later failures are events.
        """

    async def stop(self, conversation_id: ConversationId) -> None:
        """Cancel the running answer. What has arrived is kept."""

    async def regenerate(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Answer again in a new branch beside ``message_id`` (an assistant message); also Retry."""

    async def load_model(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load, or reload with the settings now in force. Returns when it is ready."""

    async def unload_model(self, model_id: ModelId) -> None: ...

    async def choose_model(self, conversation_id: ConversationId | None, *, model_id: ModelId) -> None:
        """Remember the model of a conversation, or of new ones."""

    async def add_models(self, paths: Sequence[str]) -> tuple[LibraryFailure, ...]:
        """Add files and folders to the library, in place. Returns those that could not be added."""

    async def remove_model(self, path: str) -> None:
        """Take a file out of the library: a file in the library's own folder goes to the system's trash,
        an added one is only forgotten."""

    async def rescan_library(self) -> None: ...

    async def settings(
        self, *, model_id: ModelId | None, conversation_id: ConversationId | None
    ) -> tuple[ResolvedSetting, ...]:
        """Every setting with the value in force for this model and conversation, in page order."""

    async def change_setting(self, layer: Layer, *, key: str, value: SettingValue) -> None:
        """Write one value. Raises ``SettingInvalid`` with the bounds in words."""

    async def clear_setting(self, layer: Layer, *, key: str) -> None:
        """Let the weaker layers decide again."""
