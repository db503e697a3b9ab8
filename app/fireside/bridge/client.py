"""The window's side of the engine thread: a proxy for each service, and the frames of events."""

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

if TYPE_CHECKING:  # the services are imported on the engine thread, once the window is visible
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

    Requests are coroutines, awaited under qasync, and raise ``FiresideError`` only. Changes arrive as events:
    ``frame`` carries a tuple of ``AppEvent``, at most one signal a display frame, with the text of an answer
    joined.
    """

    frame = Signal(object)

    def __init__(self, thread: EngineThread[App]) -> None:
        super().__init__()
        self._thread = thread
        self._queue = deque[FrameItem]()
        self._is_delivering = False
        """True until the last receiver has run: the engine sends further frames at once while it stops."""
        self._cost_s = 0.0
        """Seconds spent on the current frame so far."""
        request = thread.request
        self.about: AboutClient = proxy(request, lambda app: app.about)
        self.attachments: AttachmentClient = proxy(request, lambda app: app.attachments)
        self.backups: BackupClient = proxy(request, lambda app: app.backups)
        self.branches: BranchClient = proxy(request, lambda app: app.branches)
        self.collections: CollectionClient = proxy(request, lambda app: app.collections)
        self.comparison: ComparisonClient = proxy(request, lambda app: app.comparison)
        self.context: ContextClient = proxy(request, lambda app: app.contexts)
        self.conversations: ConversationClient = proxy(request, lambda app: app.conversations)
        self.downloads: DownloadClient = proxy(request, lambda app: app.downloads)
        self.engines: EnginesClient = proxy(request, lambda app: app.engines)
        self.folders: FolderClient = proxy(request, lambda app: app.folders)
        self.generations: GenerationClient = proxy(request, lambda app: app.generations)
        self.hardware: HardwareClient = proxy(request, lambda app: app.hardware)
        self.hub: HubClient = proxy(request, lambda app: app.hub)
        self.inspection: InspectionClient = proxy(request, lambda app: app.inspection)
        self.library_move: LibraryMoveClient = proxy(request, lambda app: app.library_move)
        self.load_plans: LoadPlanClient = proxy(request, lambda app: app.load_plans)
        self.local_api: LocalApiClient = proxy(request, lambda app: app.local_api)
        self.models: ModelClient = proxy(request, lambda app: app.models)
        self.presets: PresetClient = proxy(request, lambda app: app.presets)
        self.search_key: KeyClient = proxy(request, lambda app: app.web)
        self.runtimes: RuntimeClient = proxy(request, lambda app: app.runtimes)
        self.settings: SettingsClient = proxy(request, lambda app: app.preferences)
        self.token: TokenClient = proxy(request, lambda app: app.token)
        self.tools: ToolClient = proxy(request, lambda app: app.tools)
        self.tool_servers: ToolServerClient = proxy(request, lambda app: app.tool_servers)
        self.tuning: TuningClient = proxy(request, lambda app: app.tuning)
        self.verification: VerificationClient = proxy(request, lambda app: app.verification)
        transfer: TransferService = proxy(request, lambda app: app.transfer)
        self.transfer: TransferClient = TransferWithPdf(
            transfer, publish=lambda event: self.frame.emit((event,))
        )
        thread.frame.connect(self._on_frame, Qt.ConnectionType.QueuedConnection)

    async def snapshot(self) -> Snapshot:
        """Return everything that a new window shows."""
        return await self._thread.request(lambda app: app.snapshot())

    @Slot(object)
    def _on_frame(self, items: tuple[FrameItem, ...]) -> None:
        self._queue.extend(items)
        if not self._is_delivering:
            self._deliver()

    def _deliver(self) -> None:
        """Emit the events before the next reply, then deliver it; the rest follows after its receiver."""
        self._is_delivering = True
        events: list[AppEvent] = []
        reply: Reply[Any] | None = None
        while self._queue and reply is None:
            item = self._queue.popleft()
            if isinstance(item, Reply):
                reply = item
            else:
                events.append(item)
        started_at = time.perf_counter()
        try:
            if events:
                self.frame.emit(tuple(events))
        finally:
            self._cost_s += time.perf_counter() - started_at
            if reply is not None:
                reply.deliver(then=self._deliver)
            elif self._queue:
                self._deliver()
            else:
                self._is_delivering = False
                self._thread.acknowledge(cost_s=self._cost_s)
                self._cost_s = 0.0


class Request(Protocol[AppT_co]):
    """Runs ``call`` with the app on the app's loop and returns its result. GUI thread only.

    Cancelling the wait cancels the call.
    """

    def __call__(
        self, call: Callable[[AppT_co], Coroutine[object, object, T]], /
    ) -> Coroutine[object, object, T]: ...


def proxy(request: Request[AppT], service_of: Callable[[AppT], ClientT]) -> ClientT:
    """Return a stand-in for the service that ``service_of`` returns, for use on this thread.

    Declare the result as a protocol of coroutine methods: the type checker then verifies that the service
    implements it, and that nothing else of the service is used. Lists and mappings among the arguments are
    copied when the method is called, so that threads never share them; all other values are immutable.
    """
    return cast("ClientT", _Proxy(request, service_of))


class _Proxy(Generic[AppT]):
    def __init__(self, request: Request[AppT], service_of: Callable[[AppT], object]) -> None:
        self._request = request
        self._service_of = service_of

    def __getattr__(self, name: str) -> Callable[..., Coroutine[object, object, Any]]:
        def call(*arguments: object, **named: object) -> Coroutine[object, object, Any]:
            args = [_copied(argument) for argument in arguments]
            kwargs = {key: _copied(argument) for key, argument in named.items()}
            return self._request(lambda app: getattr(self._service_of(app), name)(*args, **kwargs))

        return call


def _copied(argument: object) -> object:
    """Return a copy of a list or mapping, which the caller may still change; other values as they are."""
    if isinstance(argument, list):
        return tuple(argument)
    return dict(argument) if isinstance(argument, Mapping) else argument
