"""What the window may ask of the engine thread."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import SignalInstance

from fireside.bridge.attachment_client import AttachmentClient
from fireside.bridge.branch_client import BranchClient
from fireside.bridge.comparison_client import ComparisonClient
from fireside.bridge.context_client import ContextClient
from fireside.bridge.conversation_client import ConversationClient
from fireside.bridge.folder_client import FolderClient
from fireside.bridge.generation_client import GenerationClient
from fireside.bridge.hardware_client import HardwareClient, LoadPlanClient
from fireside.bridge.hub_client import DownloadClient, HubClient, TokenClient
from fireside.bridge.inspection_client import InspectionClient
from fireside.bridge.model_client import LibraryMoveClient, ModelClient, VerificationClient
from fireside.bridge.preset_client import PresetClient
from fireside.bridge.runtime_client import RuntimeClient
from fireside.bridge.settings_client import SettingsClient
from fireside.bridge.transfer_client import BackupClient, TransferClient
from fireside.bridge.tuning_client import TuningClient
from fireside.core.snapshot import Snapshot

__all__ = ["EngineClient", "Snapshot"]


class EngineClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only: a client for each of its services.

    Requests that end are coroutines awaited under qasync; they raise ``FiresideError`` and nothing else on
    purpose. Everything that happens arrives as events: ``frame`` carries a tuple of ``AppEvent``, at most
    one signal a display frame, text of one answer joined.
    """

    frame: SignalInstance

    @property
    def attachments(self) -> AttachmentClient: ...

    @property
    def backups(self) -> BackupClient: ...

    @property
    def branches(self) -> BranchClient: ...

    @property
    def comparison(self) -> ComparisonClient: ...

    @property
    def context(self) -> ContextClient: ...

    @property
    def conversations(self) -> ConversationClient: ...

    @property
    def downloads(self) -> DownloadClient: ...

    @property
    def folders(self) -> FolderClient: ...

    @property
    def generations(self) -> GenerationClient: ...

    @property
    def hardware(self) -> HardwareClient: ...

    @property
    def hub(self) -> HubClient: ...

    @property
    def inspection(self) -> InspectionClient: ...

    @property
    def library_move(self) -> LibraryMoveClient: ...

    @property
    def load_plans(self) -> LoadPlanClient: ...

    @property
    def models(self) -> ModelClient: ...

    @property
    def presets(self) -> PresetClient: ...

    @property
    def runtimes(self) -> RuntimeClient: ...

    @property
    def settings(self) -> SettingsClient: ...

    @property
    def token(self) -> TokenClient: ...

    @property
    def transfer(self) -> TransferClient: ...

    @property
    def tuning(self) -> TuningClient: ...

    @property
    def verification(self) -> VerificationClient: ...

    async def snapshot(self) -> Snapshot:
        """Return everything that a window shows at first."""
