"""What the window may ask of the engine thread: a proxy for each service, and the frames of events."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from PySide6.QtCore import QObject, Qt, Signal, Slot

from fireside.bridge.engine_thread import EngineThread, FrameItem, Reply
from fireside.bridge.pdf_export import TransferService, TransferWithPdf
from fireside.core.events import AppEvent
from fireside.core.snapshot import Snapshot

if TYPE_CHECKING:  # the services are imported on the engine thread, once the window is seen
    from fireside.bridge.about_client import AboutClient
    from fireside.bridge.attachment_client import AttachmentClient
    from fireside.bridge.branch_client import BranchClient
    from fireside.bridge.collection_client import CollectionClient
    from fireside.bridge.comparison_client import ComparisonClient
    from fireside.bridge.context_client import ContextClient
    from fireside.bridge.conversation_client import ConversationClient
    from fireside.bridge.engines_client import EnginesClient
    from fireside.bridge.folder_client import FolderClient
    from fireside.bridge.generation_client import GenerationClient
    from fireside.bridge.hardware_client import HardwareClient, LoadPlanClient
    from fireside.bridge.hub_client import DownloadClient, HubClient, KeyClient, TokenClient
    from fireside.bridge.inspection_client import InspectionClient
    from fireside.bridge.local_api_client import LocalApiClient
    from fireside.bridge.model_client import LibraryMoveClient, ModelClient, VerificationClient
    from fireside.bridge.preset_client import PresetClient
    from fireside.bridge.runtime_client import RuntimeClient
    from fireside.bridge.settings_client import SettingsClient
    from fireside.bridge.tool_client import ToolClient, ToolServerClient
    from fireside.bridge.transfer_client import BackupClient, TransferClient
    from fireside.bridge.tuning_client import TuningClient
    from fireside.chat.app import App


AppT = TypeVar("AppT")
AppT_co = TypeVar("AppT_co", covariant=True)
ClientT = TypeVar("ClientT")
T = TypeVar("T")


class EngineClient(QObject):
    """Façade over the engine thread, used from the GUI thread only: a client for each of its services.

    Requests that end are coroutines awaited under qasync; they raise ``FiresideError`` and nothing else on
    purpose. Everything that happens arrives as events: ``frame`` carries a tuple of ``AppEvent``, at most
    one signal a display frame, text of one answer joined.
    """

    frame = Signal(object)

    def __init__(self, thread: EngineThread[App]) -> None:
        super().__init__()
        self._thread = thread
        self._arrived = deque[FrameItem]()
        self._is_delivering = False
        """Until the last receiver has had its turn: an engine that ends does not wait with the next frame."""
        self._cost_s = 0.0
        """Of the frame that is being handled."""
        ask = thread.request
        self.about: AboutClient = proxy(ask, lambda app: app.about)
        self.attachments: AttachmentClient = proxy(ask, lambda app: app.attachments)
        self.backups: BackupClient = proxy(ask, lambda app: app.backups)
        self.branches: BranchClient = proxy(ask, lambda app: app.branches)
        self.collections: CollectionClient = proxy(ask, lambda app: app.collections)
        self.comparison: ComparisonClient = proxy(ask, lambda app: app.comparison)
        self.context: ContextClient = proxy(ask, lambda app: app.contexts)
        self.conversations: ConversationClient = proxy(ask, lambda app: app.conversations)
        self.downloads: DownloadClient = proxy(ask, lambda app: app.downloads)
        self.engines: EnginesClient = proxy(ask, lambda app: app.engines)
        self.folders: FolderClient = proxy(ask, lambda app: app.folders)
        self.generations: GenerationClient = proxy(ask, lambda app: app.generations)
        self.hardware: HardwareClient = proxy(ask, lambda app: app.hardware)
        self.hub: HubClient = proxy(ask, lambda app: app.hub)
        self.inspection: InspectionClient = proxy(ask, lambda app: app.inspection)
        self.library_move: LibraryMoveClient = proxy(ask, lambda app: app.library_move)
        self.load_plans: LoadPlanClient = proxy(ask, lambda app: app.load_plans)
        self.local_api: LocalApiClient = proxy(ask, lambda app: app.local_api)
        self.models: ModelClient = proxy(ask, lambda app: app.models)
        self.presets: PresetClient = proxy(ask, lambda app: app.presets)
        self.search_key: KeyClient = proxy(ask, lambda app: app.web)
        self.runtimes: RuntimeClient = proxy(ask, lambda app: app.runtimes)
        self.settings: SettingsClient = proxy(ask, lambda app: app.preferences)
        self.token: TokenClient = proxy(ask, lambda app: app.token)
        self.tools: ToolClient = proxy(ask, lambda app: app.tools)
        self.tool_servers: ToolServerClient = proxy(ask, lambda app: app.tool_servers)
        self.tuning: TuningClient = proxy(ask, lambda app: app.tuning)
        self.verification: VerificationClient = proxy(ask, lambda app: app.verification)
        transfer: TransferService = proxy(ask, lambda app: app.transfer)
        self.transfer: TransferClient = TransferWithPdf(
            transfer, publish=lambda event: self.frame.emit((event,))
        )
        thread.frame.connect(self._on_frame, Qt.ConnectionType.QueuedConnection)

    async def snapshot(self) -> Snapshot:
        """Return everything that a window shows at first."""
        return await self._thread.request(lambda app: app.snapshot())

    @Slot(object)
    def _on_frame(self, items: tuple[FrameItem, ...]) -> None:
        self._arrived.extend(items)
        if not self._is_delivering:
            self._deliver()

    def _deliver(self) -> None:
        """Report the events before the next reply, then the reply; what follows waits for its receiver."""
        self._is_delivering = True
        events: list[AppEvent] = []
        reply: Reply[Any] | None = None
        while self._arrived and reply is None:
            item = self._arrived.popleft()
            if isinstance(item, Reply):
                reply = item
            else:
                events.append(item)
        began = time.perf_counter()
        try:
            if events:
                self.frame.emit(tuple(events))
        finally:
            self._cost_s += time.perf_counter() - began
            if reply is not None:
                reply.deliver(then=self._deliver)
            elif self._arrived:
                self._deliver()
            else:
                self._is_delivering = False
                self._thread.acknowledge(cost_s=self._cost_s)
                self._cost_s = 0.0


class Ask(Protocol[AppT_co]):
    """Runs ``call`` with the app on its own loop and returns what it returns. GUI thread only.

    Cancelling the wait cancels the call.
    """

    def __call__(
        self, call: Callable[[AppT_co], Coroutine[object, object, T]], /
    ) -> Coroutine[object, object, T]: ...


def proxy(ask: Ask[AppT], service_of: Callable[[AppT], ClientT]) -> ClientT:
    """Return what looks like the service that ``service_of`` finds in the app, for use on this thread.

    Declare the result as a protocol of coroutine methods: the type checker then sees that the service keeps
    it, and that nothing else of the service is used. Lists and mappings among the arguments are copied when
    the method is called, so that no two threads share them; all else that crosses is immutable.
    """
    return cast("ClientT", _Proxy(ask, service_of))


class _Proxy(Generic[AppT]):
    def __init__(self, ask: Ask[AppT], service_of: Callable[[AppT], object]) -> None:
        self._ask = ask
        self._service_of = service_of

    def __getattr__(self, name: str) -> Callable[..., Coroutine[object, object, Any]]:
        def call(*arguments: object, **named: object) -> Coroutine[object, object, Any]:
            given = [_snapshot(argument) for argument in arguments]
            options = {key: _snapshot(argument) for key, argument in named.items()}
            return self._ask(lambda app: getattr(self._service_of(app), name)(*given, **options))

        return call


def _snapshot(argument: object) -> object:
    """Return an argument as it is now, where it is one that its owner may still change."""
    if isinstance(argument, list):
        return tuple(argument)
    return dict(argument) if isinstance(argument, Mapping) else argument
