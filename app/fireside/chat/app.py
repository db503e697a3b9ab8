"""All services of the engine thread behind one object: the program without its window."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from fireside.chat.artifact_service import ArtifactService
from fireside.chat.attachments import Attachments
from fireside.chat.branching import Branching
from fireside.chat.change_counter import ChangeCounter
from fireside.chat.comparison import ComparisonService
from fireside.chat.completions import Completions, Embeddings
from fireside.chat.context.context_service import ContextService
from fireside.chat.conversations import ConversationService
from fireside.chat.external_changes import ExternalChanges
from fireside.chat.fact_service import FactService
from fireside.chat.folders import FolderService
from fireside.chat.generation_service import GenerationService
from fireside.chat.inspection import InspectionService
from fireside.chat.presets import PresetService, RuleChecker
from fireside.chat.projects import ProjectService
from fireside.chat.search_indexing import SearchIndexing
from fireside.chat.stream_writer import NextFrame, sixtieth
from fireside.chat.titles import Titles
from fireside.chat.tools.tool_use import ToolUse
from fireside.core.chat import Folder, NewDraft, StoredMessage
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.components import DATA, ComponentsChanged
from fireside.core.errors import DownloadError, ErrorInfo, FiresideError, ModelNotFound, RequestError
from fireside.core.events import (
    AppEvent,
    ConversationDeleted,
    MessageReplaced,
    ProblemFound,
    SettingsChanged,
    Snapshot,
)
from fireside.core.i18n import render, tr_noop
from fireside.core.ids import ModelId, RequestId
from fireside.core.problems import Problems
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.options import EngineOptions
from fireside.engine.planning.planner import Planner
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.library.library import Library
from fireside.services.about_service import AboutParts, AboutService
from fireside.services.answer_router import AnswerRouter
from fireside.services.collections.collection_service import CollectionModels, CollectionService
from fireside.services.collections.file_reading import ReadFiles
from fireside.services.collections.page_renderer import RenderPage
from fireside.services.components import ComponentService
from fireside.services.downloads.download_setup import make_scheduler, transfer_context, unload_on_loop
from fireside.services.engines import EngineParts, EngineService
from fireside.services.hub.hub_service import HubParts, HubService
from fireside.services.library.library_move import LibraryMove
from fireside.services.library.model_detail import RenderExample
from fireside.services.library.model_service import ModelService
from fireside.services.library.verification import Verification
from fireside.services.local_api import API_KEYS, LocalApi, LocalApiParts
from fireside.services.machine.hardware_report import HardwareReporter
from fireside.services.machine.load_plans import LoadPlans
from fireside.services.machine.runtime_service import RuntimeParts, RuntimeService
from fireside.services.machine.tuning_service import TuningParts, TuningService
from fireside.services.passphrase_service import PassphraseParts, PassphraseService
from fireside.services.picture_reader import PictureReader
from fireside.services.preferences import Preferences
from fireside.services.python_sessions import PythonSessions
from fireside.services.service_context import ServiceContext
from fireside.services.skills.skill_service import SkillParts, SkillService
from fireside.services.speech.speech_library import SpeechLibrary
from fireside.services.speech.speech_service import SpeechParts, SpeechService
from fireside.services.tool_servers.server_service import ToolServerParts, ToolServerService
from fireside.services.transfer.backups import BackupLocation, Backups
from fireside.services.transfer.transfer_service import TransferService
from fireside.services.web_access import WebAccess, WebParts
from fireside.services.web_previews import WebPreviews
from fireside.settings.conversions import (
    attached_collections,
    backup_options,
    cache_disk_bytes,
    default_model,
    load_options,
    load_patience_s,
    loads_last_model,
    max_models,
    passage_limits,
)
from fireside.settings.service import Settings
from fireside.settings.values import ResolvedSetting
from fireside.storage.store import MEMORY, Store
from fireside.wire.cache_files import SavedStatePurge
from fireside.wire.runner_modes import DeviceListing

T = TypeVar("T")
log = logging.getLogger(__name__)

_ENGINE_LIMIT_KEYS: Final = frozenset({"engine.max_models", "engine.load_patience_s"})
PROJECT_FILES: Final = "project-files"
"""The folder of the documents of imported projects, beside the database of collections."""
CACHE_DISK_KEY = "engine.cache_disk_gb"
HUB_KEYS = "hub."


class AppParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root builds ``App`` from."""

    store: Store
    engine: SharedEngine
    library: Library
    settings: Settings
    emit: Callable[[AppEvent], None]
    """Reports to the window."""
    next_frame: NextFrame = sixtieth
    """Returns when the window shows the next frame."""
    planner: Planner
    states: SavedStatePurge
    hub: HubParts
    runtimes: RuntimeParts
    speech: SpeechParts
    tuning: TuningParts
    list_devices: Callable[[], DeviceListing]
    device_memory: DeviceMemory
    show_template: RenderExample
    read_files: ReadFiles
    render_page: RenderPage
    collections_file: str = MEMORY
    """Path of the database of document collections, which is separate from that of chats."""
    check_rule: RuleChecker
    problems: Problems = msgspec.field(default_factory=Problems)
    """Damaged files that were found before; what is found later is added."""
    clock: Callable[[], float] = time.monotonic
    """Seconds; for durations."""
    now: Callable[[], float] = time.time
    """Seconds since the epoch, UTC."""
    passphrase: PassphraseParts | None = None
    """``None`` where nothing is encrypted: in tests."""
    problem: ErrorInfo | None = None
    """Why the database could not be opened; conversations are held in memory then."""
    about: AboutParts
    engines: EngineParts | None = None
    """``None`` where no remote engine may be used: in the terminal, and in ``fireside serve``."""
    local_api: LocalApiParts | None = None
    """``None`` where there is no local API."""
    backup_location: BackupLocation | None = None
    """``None`` where no backups are made."""
    tool_servers: ToolServerParts | None = None
    """``None`` where there are no MCP servers."""
    skills: SkillParts | None = None
    """``None`` where there are no skills."""
    web: WebParts | None = None
    """``None`` where no tool reaches the web."""


class App:
    """Owns the store, the engine and all services. Call every method on the loop that called ``start``."""

    def __init__(self, parts: AppParts) -> None:
        self._store = parts.store
        self._engine = parts.engine
        self._settings = parts.settings
        self._report = parts.emit
        self._problem = parts.problem
        self._problems = parts.problems
        self._loop = asyncio.get_running_loop()
        self._problems.listen(self._on_problem)
        self._access = parts.hub.access
        self._is_owner = parts.hub.queue_file is not None
        self._states = parts.states
        self._speeds = parts.hub.speeds
        self._computer = parts.hub.computer
        self._tasks: set[asyncio.Task[None]] = set()
        self._preload: asyncio.Task[None] | None = None
        self._has_window = asyncio.Event()
        """Set once a window has requested its first snapshot."""
        self._changes = ChangeCounter()
        self._search_indexing = SearchIndexing(parts.store.search, emit=self._emit)
        self.about = AboutService(parts.about, settings=parts.settings, emit=self._emit)
        self.preferences = Preferences(settings=parts.settings, store=parts.store, emit=self._emit)
        self.engines = EngineService(parts.engines, emit=self._emit)
        self.models = ModelService(
            library=parts.library,
            engine=parts.engine,
            engines=self.engines,
            preferences=self.preferences,
            render_example=parts.show_template,
            emit=self._emit,
        )
        self._build_machine(parts)
        self._build_hub(parts.hub, library=parts.library)
        self._build_speech(parts)
        self._build_tools(parts)
        context = ServiceContext(
            store=parts.store,
            engine=parts.engine,
            answer_router=AnswerRouter(local=parts.engine, engines=self.engines),
            engines=self.engines,
            models=self.models,
            preferences=self.preferences,
            downloads=self.downloads,
            tool_servers=self.tool_servers,
            skills=self.skills,
            read_files=parts.read_files,
            web=self.web,
            speech=self.speech,
            python=self._python,
            emit=self._emit,
            next_id=map(RequestId, count(1)).__next__,
        )
        self.services = context
        """For the local API, which serves other programs alongside the window."""
        self.forget_states = parts.states.delete_owner
        """Deletes the cached states of an owner's prompts."""
        self._build_chat(context, parts)
        self.local_api = LocalApi(context, self.collections, settings=parts.settings, parts=parts.local_api)
        self._build_transfer(parts)

    def _emit(self, event: AppEvent) -> None:
        """Report an event to the window, then to the services that observe events."""
        self._changes.observe(event)
        self._report(event)
        self._search_indexing.observe(event)
        self._titles.observe(event)
        if isinstance(event, ConversationDeleted):
            self._python.forget(event.conversation_id)
        if isinstance(event, MessageReplaced):
            self._learn_speed(event.message)
        if isinstance(event, SettingsChanged):
            self._apply_settings(event.keys)
        if isinstance(event, ComponentsChanged):
            self._in_background(self.collections.retry_recordings())

    def _on_problem(self, problem: FiresideError) -> None:
        """Report a problem, which any thread may have found."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._emit, ProblemFound(error=problem.info()))

    def _learn_speed(self, answer: StoredMessage) -> None:
        model_id = None if answer.generation is None else answer.generation.model_id
        for status in self._engine.statuses():
            if status.model_id == model_id:
                with contextlib.suppress(ModelNotFound):
                    self._speeds.observe(answer, spec=self.models.spec(model_id), state=status.state)

    def _python_sessions(self, parts: AppParts) -> PythonSessions:
        environ = {} if parts.tool_servers is None else parts.tool_servers.environ
        return PythonSessions(environ=environ, read=parts.read_files, packages=self._code_packages)

    def _build_machine(self, parts: AppParts) -> None:
        self.components = ComponentService(parts.speech.components, emit=self._emit)
        self.runtimes = RuntimeService(
            parts.runtimes, settings=parts.settings, change=self.preferences.change, emit=self._emit
        )
        self.hardware = HardwareReporter(
            list_devices=parts.list_devices,
            memory=parts.device_memory,
            running=parts.engine.running_models,
            name_of=self.models.name_of,
            runtime=lambda: load_options(parts.settings.resolved()).runtime,
            speech=lambda: self.speech.pid,
        )
        self.load_plans = LoadPlans(
            planner=parts.planner,
            computer=parts.hub.computer,
            engine=parts.engine,
            models=self.models,
            preferences=self.preferences,
            records=parts.store.load_records,
        )
        self.tuning = TuningService(
            parts.tuning,
            engine=parts.engine,
            planner=parts.planner,
            models=self.models,
            preferences=self.preferences,
            device_memory=parts.device_memory,
            emit=self._emit,
        )

    def _build_hub(self, parts: HubParts, *, library: Library) -> None:
        access, files_lock = parts.access, asyncio.Lock()
        self.token = access.token
        context = transfer_context(
            access,
            options=parts.transfer_options,
            unload=unload_on_loop(self.models.unload_file, loop=asyncio.get_running_loop()),
        )
        self.downloads = make_scheduler(
            access,
            context,
            folder=library.writable_folder,
            emit=self._emit,
            on_done=lambda _: self._on_downloaded(),
            queue_file=parts.queue_file,
            on_damaged=self._problems.add,
        )
        self.hub = HubService(
            access=access,
            downloads=self.downloads,
            computer=parts.computer,
            catalogue=parts.catalogue_file,
            entries=lambda: self.models.entries,
            plan=lambda model_id: self.load_plans.plan(model_id, conversation_id=None, changes={}),
        )
        self.verification = Verification(
            library=library,
            models=self.models,
            downloads=self.downloads,
            session=access.session,
            before_request=access.make_ready,
            files_lock=files_lock,
            emit=self._emit,
        )
        self.library_move = LibraryMove(
            library=library,
            models=self.models,
            downloads=self.downloads,
            preferences=self.preferences,
            files_lock=files_lock,
            journal_path=parts.move_journal,
            emit=self._emit,
        )

    def _build_chat(self, context: ServiceContext, parts: AppParts) -> None:
        self._titles = Titles(context)
        self.embeddings = Embeddings(context)
        self.collections = CollectionService(
            database_path=parts.collections_file,
            read=parts.read_files,
            is_answering=lambda: self.generations.is_answering,
            limits=lambda: passage_limits(parts.settings.resolved()),
            models=CollectionModels(
                self.embeddings.embed_truncated,
                PictureReader(context).read,
                self.speech.segments,
                self.models.spec,
            ),
            render=parts.render_page,
            key=lambda: None if parts.passphrase is None else parts.passphrase.lock.database_key(),
            emit=self._emit,
        )
        self.attachments = Attachments(read=parts.read_files, engine=parts.engine, find=self.models.find_spec)
        self.completions = Completions(context)
        self.contexts = ContextService(context, collections=self.collections, clock=parts.clock)
        self.tools = ToolUse(context, clock=parts.clock)
        self.facts = FactService(context, tools=self.tools)
        self.generations = GenerationService(
            context, contexts=self.contexts, tools=self.tools, clock=parts.clock, next_frame=parts.next_frame
        )
        self.conversations = ConversationService(context, generations=self.generations, changes=self._changes)
        self.branches = Branching(context, generations=self.generations)
        self.presets = PresetService(
            store=parts.store, preferences=self.preferences, emit=self._emit, check_rule=parts.check_rule
        )
        self.inspection = InspectionService(context, generations=self.generations)
        self.artifacts = ArtifactService(context)
        self.comparison = ComparisonService(context, generations=self.generations, changes=self._changes)
        self.folders = FolderService(store=parts.store, emit=self._emit, stop_answer=self.generations.stop)
        self.projects = ProjectService(context, collections=self.collections)
        self.external_changes = ExternalChanges(
            store=parts.store,
            is_running=lambda id_: bool(self.generations.running_answers(id_)),
            emit=self._emit,
        )

    def _build_transfer(self, parts: AppParts) -> None:
        documents = None
        self._project_files: Path | None = None
        """The folder of the documents of imported projects."""
        if parts.collections_file != MEMORY:
            from fireside.services.transfer.project_import import ProjectDocuments

            self._project_files = Path(parts.collections_file).with_name(PROJECT_FILES)
            documents = ProjectDocuments(
                folder=self._project_files,
                add=self.projects.add_files,
                listed=self.projects.documents,
            )
        self.transfer = TransferService(
            store=parts.store, emit=self._emit, clock=parts.now, documents=documents
        )
        self.passphrase = PassphraseService(
            parts.passphrase, is_answering=lambda: self.generations.is_answering
        )
        self.backups = Backups(
            store=parts.store,
            location=parts.backup_location,
            options=lambda: backup_options(parts.settings.resolved()),
            before_restore=self._stop_writing,
            emit=self._emit,
            clock=parts.now,
            lock=None if parts.passphrase is None else parts.passphrase.lock,
        )

    def _build_tools(self, parts: AppParts) -> None:
        self.tool_servers = ToolServerService(parts.tool_servers, read=parts.read_files, emit=self._emit)
        self.skills = SkillService(parts.skills, preferences=self.preferences, emit=self._emit)
        self._python = self._python_sessions(parts)
        self.web = WebAccess(parts.web, read=parts.read_files, settings=parts.settings)

    def _build_speech(self, parts: AppParts) -> None:
        self.speech_models = SpeechLibrary(
            list_file=parts.speech.list_file,
            folder=parts.library.writable_folder,
            downloads=self.downloads,
            access=parts.hub.access,
            emit=self._emit,
        )
        self.speech = SpeechService(
            parts.speech,
            components=self.components,
            library=self.speech_models,
            settings=parts.settings,
            emit=self._emit,
        )
        self.previews = WebPreviews(
            components=self.components, environment=parts.speech.environment, emit=self._emit
        )
        self.components.release = self._release_component

    async def _release_component(self, id_: str) -> None:
        """End what uses the files of a component."""
        await self.speech.release(id_)
        await self.previews.release(id_)
        if id_ == DATA:
            await self._python.close()

    async def _code_packages(self) -> str:
        """Return the folder of packages for code in chats; empty where they are not installed."""
        try:
            return str(await self.components.folder(DATA))
        except DownloadError:
            return ""

    async def start(self) -> None:
        """Scan the library and start the services.

        The very first start of the window loads the first model, so that the first answer comes at once;
        later starts load the last used one if the user wants that. A command loads only what it needs."""
        await self._start(tr_noop("The search"), self._search_indexing.start)
        await self._start(tr_noop("Backups"), self.backups.start)
        await self._start(tr_noop("Model servers"), self.engines.start)
        await self._start(tr_noop("The list of models"), self.models.rescan)
        self.models.start_watching(has_window=self._is_owner)
        if self._is_owner:
            await self._start(tr_noop("Updates"), self.about.start)
            await self._start(tr_noop("The list of chats"), self.external_changes.start)
            resume = partial(self.library_move.resume, on_damaged=self._problems.add)
            await self._start(tr_noop("The move of the library"), resume)
            await self._start(tr_noop("Documents"), self._start_collections)
            await self._start(tr_noop("Downloads"), self.downloads.start)
        self._in_background(self.local_api.follow_settings())
        if self._is_owner:
            await self._start(tr_noop("The model"), self._start_preload)

    async def _start_collections(self) -> None:
        """Resume indexing, without the files of chats that are gone."""
        used = [value for _, value in await self._store.conversations.with_override(COLLECTIONS_KEY)]
        used += [draft.settings.get(COLLECTIONS_KEY) for draft in await self._store.drafts.new_chats()]
        used += [preset.settings.get(COLLECTIONS_KEY) for preset in await self.presets.presets()]
        used += [folder.settings.get(COLLECTIONS_KEY) for folder in await self._store.folders.all()]
        ids = {str(id_) for value in used if isinstance(value, tuple) for id_ in value}
        await self.collections.remove_of_chats(used=ids)
        if self._project_files is not None:
            ids |= set(attached_collections(self._settings.resolved()))
            await self.projects.purge(self._project_files, used=ids)
        self.collections.start()

    async def snapshot(self) -> Snapshot:
        """Return everything that a new window shows, as of the events so far."""
        self._has_window.set()
        return await self._changes.unchanged(self._snapshot)

    async def _snapshot(self) -> Snapshot:
        unread = Problems()
        read = partial(read_part, problems=unread)
        chats = await read(tr_noop("The list of chats"), self.conversations.summaries, default=None)
        default_model = await read(tr_noop("The model"), self._default_model, default=None)
        new_drafts: tuple[NewDraft, ...] = await read(
            tr_noop("Drafts"), self._store.drafts.new_chats, default=()
        )
        folders: tuple[Folder, ...] = await read(tr_noop("Folders"), self.folders.folders, default=())
        problems = (*self._problems.all(), *self._settings.problems(), *unread.all())
        warnings = {problem.sentence(): problem.info() for problem in problems}
        # What is at hand comes after all that takes time: it would be older than the events meanwhile.
        return Snapshot(
            conversations=chats or (),
            models=self.models.entries,
            statuses=self._engine.statuses(),
            remote_models=self.engines.entries,
            default_model=default_model,
            new_drafts=new_drafts,
            problem=self._problem,
            folders=folders,
            downloads=self.downloads.downloads,
            has_chats=chats is not None,
            warnings=tuple(warnings.values()),
        )

    async def forget_if_off(self) -> None:
        """Delete all cached prompt states from the disk if the setting for them is off."""
        if cache_disk_bytes(self._settings.resolved()) == 0:
            await asyncio.to_thread(self._states.delete_all)

    async def close(self) -> None:
        """Save running answers, stop the runners, close the database. Takes at most 5 s."""
        if self._preload is not None:
            self._preload.cancel()
        await self.local_api.close()
        await self.speech.close()
        await self.previews.close()
        await self.tuning.close()
        await self.about.close()
        await self.external_changes.close()
        await self.backups.close()
        await self.models.close()
        await self.collections.close()
        await asyncio.gather(
            self._close_hub(), self._close_engine(), self.tool_servers.close(), self._python.close()
        )
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.engines.close()
        await self.load_plans.close()
        await self._search_indexing.close()
        await self._store.close()
        self._access.close()

    async def _stop_writing(self) -> None:
        await self.generations.stop_all()
        await self._titles.close()

    async def _close_hub(self) -> None:
        await asyncio.gather(
            self.verification.close(),
            self.library_move.close(),
            self.downloads.close(),
            self._computer.close(),
        )

    async def _close_engine(self) -> None:
        await self._titles.close()
        await self.contexts.close()
        await self.generations.close()
        await self._engine.close()

    def _apply_settings(self, changed_keys: tuple[str, ...]) -> None:
        if CACHE_DISK_KEY in changed_keys:
            self._in_background(self.forget_if_off())
        if _ENGINE_LIMIT_KEYS.intersection(changed_keys):
            self._engine.configure(engine_options(self._settings.resolved()))
        if any(key.startswith(API_KEYS) for key in changed_keys):
            self._in_background(self.local_api.follow_settings())
        if any(key.startswith(HUB_KEYS) for key in changed_keys):
            self._access.apply_settings()
            self._in_background(self.downloads.apply_settings())

    def _in_background(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _on_downloaded(self) -> None:
        """Use what was downloaded: a model for chats, or for speech."""
        await self.models.rescan()
        self._in_background(self.collections.retry_recordings())

    async def _default_model(self) -> ModelId | None:
        configured = default_model(await self.preferences.resolved(model_id=None, conversation_id=None))
        entries = (*self.models.entries, *self.engines.entries)
        known = {entry.spec.id for entry in entries if entry.spec is not None and entry.can_chat}
        return configured if configured in known else self.models.default_model()

    async def _model_to_preload(self) -> ModelId | None:
        if not await self._store.conversations.all():
            return self.models.default_model()
        return self.models.last_used() if loads_last_model(self._settings.resolved()) else None

    async def _start_preload(self) -> None:
        model_id = await self._model_to_preload()
        if model_id is not None:
            self._preload = asyncio.create_task(self._preload_model(model_id), name="preload")

    async def _start(self, what: str, start: Callable[[], object]) -> None:
        await start_service(what, start, problems=self._problems)

    async def _preload_model(self, model_id: ModelId) -> None:
        # The window comes first: a runner that starts takes processor time from it.
        await self._has_window.wait()
        try:
            await self.models.load(model_id, conversation_id=None)
        except FiresideError as exc:
            # The user did not request this load; the model's status carries the error to the window.
            log.warning("a model could not be loaded ahead: %s", exc)


async def start_service(what: str, start: Callable[[], object], *, problems: Problems) -> None:
    """Call ``start``, and await what it returns if it can be awaited. ``what`` is the service's name for the
    user, to be translated."""
    try:
        started = start()
        if inspect.isawaitable(started):
            await started
    except Exception as exc:  # noqa: BLE001 - whatever fails in one service, the others start
        _report(what, exc, problems)


async def read_part(what: str, read: Callable[[], Awaitable[T]], *, default: T, problems: Problems) -> T:
    """Return what ``read`` returns, or ``default`` if it fails."""
    try:
        return await read()
    except Exception as exc:  # noqa: BLE001 - as above
        _report(what, exc, problems)
        return default


def _report(what: str, error: Exception, problems: Problems) -> None:
    log.error("%s failed", what, exc_info=error)
    reason = str(error) if isinstance(error, FiresideError) else f"{type(error).__name__}: {error}"
    problems.add(RequestError.of("service_failed", what=what, reason=render(reason).rstrip(".")))


def engine_options(resolved: tuple[ResolvedSetting, ...]) -> EngineOptions:
    """Return the engine's limits in force; those without a setting are its defaults."""
    return EngineOptions(max_models=max_models(resolved), load_limit_s=load_patience_s(resolved))
