"""The window's side of the engine thread: a proxy for each service, and the frames of events."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from PySide6.QtCore import QObject, Qt, Signal, Slot

from fireside.bridge.engine_thread import EngineThread, FrameItem, Reply
from fireside.bridge.pdf_export import TransferWithPdf
from fireside.core.events import AppEvent, Snapshot
from fireside.core.for_window import is_for_window

if TYPE_CHECKING:  # the services are imported on the engine thread, once the window is visible
    from fireside.chat.app import App
    from fireside.chat.artifact_service import ArtifactService
    from fireside.chat.attachments import Attachments
    from fireside.chat.branching import Branching
    from fireside.chat.comparison import ComparisonService
    from fireside.chat.context.context_service import ContextService
    from fireside.chat.conversations import ConversationService
    from fireside.chat.fact_service import FactService
    from fireside.chat.folders import FolderService
    from fireside.chat.generation_service import GenerationService
    from fireside.chat.inspection import InspectionService
    from fireside.chat.presets import PresetService
    from fireside.chat.projects import ProjectService
    from fireside.chat.tools.tool_use import ToolUse
    from fireside.services.about_service import AboutService
    from fireside.services.collections.collection_service import CollectionService
    from fireside.services.components import ComponentService
    from fireside.services.downloads.download_scheduler import DownloadScheduler
    from fireside.services.engines import EngineService
    from fireside.services.hub.hub_service import HubService
    from fireside.services.hub_access import HubToken
    from fireside.services.library.library_move import LibraryMove
    from fireside.services.library.model_service import ModelService
    from fireside.services.library.verification import Verification
    from fireside.services.local_api import LocalApi
    from fireside.services.machine.hardware_report import HardwareReporter
    from fireside.services.machine.load_plans import LoadPlans
    from fireside.services.machine.runtime_service import RuntimeService
    from fireside.services.machine.tuning_service import TuningService
    from fireside.services.passphrase_service import PassphraseService
    from fireside.services.preferences import Preferences
    from fireside.services.skills.skill_service import SkillService
    from fireside.services.speech.speech_library import SpeechLibrary
    from fireside.services.speech.speech_service import SpeechService
    from fireside.services.tool_servers.server_service import ToolServerService
    from fireside.services.transfer.backups import Backups
    from fireside.services.transfer.transfer_service import TransferService
    from fireside.services.web_access import WebAccess
    from fireside.services.web_previews import WebPreviews

    KeyStore = HubToken | WebAccess
    """What keeps a secret that the user enters: the hub's token, the key of a search provider."""


AppT = TypeVar("AppT")
AppT_co = TypeVar("AppT_co", covariant=True)
ServiceT = TypeVar("ServiceT")
T = TypeVar("T")


class EngineClient(QObject):
    """Façade over the engine thread, used from the GUI thread only: a stand-in for each of its services.

    Requests are the methods of a service that are marked ``for_window``: coroutines, awaited under qasync,
    that raise ``FiresideError`` only. Changes arrive as events: ``frame`` carries a tuple of ``AppEvent``, at
    most one signal a display frame, with the text of an answer joined.
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
        self.about: AboutService = proxy(request, lambda app: app.about)
        self.attachments: Attachments = proxy(request, lambda app: app.attachments)
        self.backups: Backups = proxy(request, lambda app: app.backups)
        self.branches: Branching = proxy(request, lambda app: app.branches)
        self.collections: CollectionService = proxy(request, lambda app: app.collections)
        self.comparison: ComparisonService = proxy(request, lambda app: app.comparison)
        self.components: ComponentService = proxy(request, lambda app: app.components)
        self.context: ContextService = proxy(request, lambda app: app.contexts)
        self.conversations: ConversationService = proxy(request, lambda app: app.conversations)
        self.downloads: DownloadScheduler = proxy(request, lambda app: app.downloads)
        self.engines: EngineService = proxy(request, lambda app: app.engines)
        self.facts: FactService = proxy(request, lambda app: app.facts)
        self.folders: FolderService = proxy(request, lambda app: app.folders)
        self.generations: GenerationService = proxy(request, lambda app: app.generations)
        self.hardware: HardwareReporter = proxy(request, lambda app: app.hardware)
        self.hub: HubService = proxy(request, lambda app: app.hub)
        self.inspection: InspectionService = proxy(request, lambda app: app.inspection)
        self.artifacts: ArtifactService = proxy(request, lambda app: app.artifacts)
        self.library_move: LibraryMove = proxy(request, lambda app: app.library_move)
        self.load_plans: LoadPlans = proxy(request, lambda app: app.load_plans)
        self.local_api: LocalApi = proxy(request, lambda app: app.local_api)
        self.models: ModelService = proxy(request, lambda app: app.models)
        self.passphrase: PassphraseService = proxy(request, lambda app: app.passphrase)
        self.presets: PresetService = proxy(request, lambda app: app.presets)
        self.projects: ProjectService = proxy(request, lambda app: app.projects)
        self.previews: WebPreviews = proxy(request, lambda app: app.previews)
        self.search_key: WebAccess = proxy(request, lambda app: app.web)
        self.runtimes: RuntimeService = proxy(request, lambda app: app.runtimes)
        self.settings: Preferences = proxy(request, lambda app: app.preferences)
        self.speech: SpeechService = proxy(request, lambda app: app.speech)
        self.speech_models: SpeechLibrary = proxy(request, lambda app: app.speech_models)
        self.token: HubToken = proxy(request, lambda app: app.token)
        self.tools: ToolUse = proxy(request, lambda app: app.tools)
        self.skills: SkillService = proxy(request, lambda app: app.skills)
        self.tool_servers: ToolServerService = proxy(request, lambda app: app.tool_servers)
        self.tuning: TuningService = proxy(request, lambda app: app.tuning)
        self.verification: Verification = proxy(request, lambda app: app.verification)
        transfer: TransferService = proxy(request, lambda app: app.transfer)
        self.transfer = TransferWithPdf(transfer, publish=lambda event: self.frame.emit((event,)))
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


def proxy(request: Request[AppT], service_of: Callable[[AppT], ServiceT]) -> ServiceT:
    """Return a stand-in for the service that ``service_of`` returns, for use on this thread.

    Its methods that are marked ``for_window`` run on the app's loop; no others may be called. Lists and
    mappings among the arguments are copied when the method is called, so that threads never share them; all
    other values are immutable.
    """
    return cast("ServiceT", _Proxy(request, service_of))


class _Proxy(Generic[AppT]):
    def __init__(self, request: Request[AppT], service_of: Callable[[AppT], object]) -> None:
        self._request = request
        self._service_of = service_of

    def __getattr__(self, name: str) -> Callable[..., Coroutine[object, object, Any]]:
        def call(*arguments: object, **named: object) -> Coroutine[object, object, Any]:
            args = [_copied(argument) for argument in arguments]
            kwargs = {key: _copied(argument) for key, argument in named.items()}
            return self._request(lambda app: self._method(app, name)(*args, **kwargs))

        return call

    def _method(self, app: AppT, name: str) -> Callable[..., Coroutine[object, object, Any]]:
        method: Callable[..., Coroutine[object, object, Any]] = getattr(self._service_of(app), name)
        if not is_for_window(method):
            raise AttributeError(f"{name} is not marked for_window")
        return method


def _copied(argument: object) -> object:
    """Return a copy of a list or mapping, which the caller may still change; other values as they are."""
    if isinstance(argument, list):
        return tuple(argument)
    return dict(argument) if isinstance(argument, Mapping) else argument
