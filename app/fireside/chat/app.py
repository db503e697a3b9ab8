"""The program without its face: everything that lives on the engine thread, behind one object."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from itertools import count

from fireside.chat.attachments import Attachments, ReadsFiles
from fireside.chat.branching import Branching
from fireside.chat.comparison import ComparisonService
from fireside.chat.completions import Completions
from fireside.chat.context.context_service import ContextService
from fireside.chat.conversations import Conversations
from fireside.chat.embeddings import Embeddings
from fireside.chat.external_changes import ExternalChanges
from fireside.chat.folders import FolderService
from fireside.chat.generation_service import GenerationService
from fireside.chat.inspection import InspectionService
from fireside.chat.presets import ChecksRule, Presets
from fireside.chat.search_indexing import SearchIndexing
from fireside.chat.titles import Titles
from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.ids import ModelId, RequestId
from fireside.core.snapshot import Snapshot
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.engine import Engine
from fireside.engine.planning.planner import Planner
from fireside.engine.saved_state_purge import SavedStatePurge
from fireside.library.library import Library
from fireside.services.downloads.download_setup import letting_go, make_downloads
from fireside.services.hub.hub_service import HubService
from fireside.services.hub.parts import HubParts
from fireside.services.library.library_move import LibraryMove
from fireside.services.library.model_detail import ShowsTemplate
from fireside.services.library.models import Models
from fireside.services.library.verification import Verification
from fireside.services.machine.engine_settings import ENGINE_LIMIT_KEYS, engine_options
from fireside.services.machine.hardware_report import HardwareReporter
from fireside.services.machine.load_plans import LoadPlans
from fireside.services.machine.runtime_service import RuntimeParts, RuntimeService
from fireside.services.machine.tuning_service import TuningParts, TuningService
from fireside.services.preferences import Preferences
from fireside.services.transfer.backups import BackupPlace, Backups
from fireside.services.transfer.transfer_service import Transfer
from fireside.settings.conversions import cache_disk_bytes, default_model, load_options
from fireside.settings.service import Settings
from fireside.settings.typed_hub import backup_options
from fireside.storage.store import Store
from fireside.wire.runner_modes import DeviceListing

log = logging.getLogger(__name__)

CACHE_DISK_KEY = "engine.cache_disk_gb"
HUB_KEYS = "hub."


class App:
    """Own the store, the engine and what works with them. All methods on the loop that called ``start``."""

    def __init__(
        self,
        *,
        store: Store,
        engine: Engine,
        library: Library,
        settings: Settings,
        emit: Callable[[AppEvent], None],
        clock: Callable[[], float],
        states: SavedStatePurge,
        planner: Planner,
        parts: HubParts,
        show_template: ShowsTemplate,
        runtime_parts: RuntimeParts,
        tuning_parts: TuningParts,
        read_file: ReadsFiles,
        check_rule: ChecksRule,
        list_devices: Callable[[], DeviceListing],
        device_memory: DeviceMemory,
        problem: ErrorInfo | None = None,
        backup_place: BackupPlace | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._engine = engine
        self._settings = settings
        self._problem = problem
        self._access = parts.access
        self._goes_on = parts.queue_file is not None
        self._states = states
        self._tasks: set[asyncio.Task[None]] = set()
        self._search_indexing = SearchIndexing(store)
        emit = self._search_indexing.hearing(emit)

        def heard(event: AppEvent) -> None:
            emit(event)
            if isinstance(event, SettingsChanged):
                self._take_over_settings(event.keys)

        self.preferences = Preferences(settings=settings, store=store, emit=heard)
        self.models = Models(
            library=library,
            engine=engine,
            preferences=self.preferences,
            show_template=show_template,
            emit=emit,
        )
        self.runtimes = RuntimeService(
            runtime_parts, settings=settings, change=self.preferences.change, emit=emit
        )
        self.hardware = HardwareReporter(
            list_devices=list_devices,
            memory=device_memory,
            statuses=engine.statuses,
            pids=engine.pids,
            name_of=self.models.name_of,
            runtime=lambda: load_options(settings.resolved()).runtime,
        )
        self.load_plans = LoadPlans(
            planner=planner,
            computer=parts.computer,
            engine=engine,
            models=self.models,
            preferences=self.preferences,
            store=store,
        )
        self.tuning = TuningService(
            tuning_parts,
            engine=engine,
            planner=planner,
            models=self.models,
            preferences=self.preferences,
            device_memory=device_memory,
            emit=emit,
        )
        self.attachments = Attachments(read=read_file, engine=engine, projector_of=self.models.projector_of)
        self._build_hub(parts, library=library, emit=emit)
        numbers = count(1)

        def next_id() -> RequestId:
            return RequestId(next(numbers))

        self.embeddings = Embeddings(
            engine=engine, models=self.models, preferences=self.preferences, next_id=next_id
        )
        self.completions = Completions(engine=engine, preferences=self.preferences, next_id=next_id)
        self._titles = Titles(
            store=store,
            engine=engine,
            models=self.models,
            preferences=self.preferences,
            emit=emit,
            next_id=next_id,
        )
        emit = self._titles.hearing(emit)
        self.contexts = ContextService(
            store=store,
            engine=engine,
            models=self.models,
            preferences=self.preferences,
            emit=emit,
            next_id=next_id,
        )
        self.generations = GenerationService(
            store=store,
            engine=engine,
            models=self.models,
            preferences=self.preferences,
            contexts=self.contexts,
            emit=emit,
            clock=clock,
            next_id=next_id,
        )
        self.conversations = Conversations(
            store=store,
            models=self.models,
            preferences=self.preferences,
            emit=emit,
            set_priority_owner=engine.set_priority_owner,
            stop_answer=self.generations.stop,
        )
        self.branches = Branching(store=store, turns=self.generations, models=self.models, emit=emit)
        self.presets = Presets(store=store, preferences=self.preferences, emit=heard, check_rule=check_rule)
        self.inspection = InspectionService(
            store=store,
            engine=engine,
            models=self.models,
            preferences=self.preferences,
            turns=self.generations,
            emit=emit,
        )
        self.comparison = ComparisonService(
            store=store, turns=self.generations, models=self.models, preferences=self.preferences, emit=emit
        )
        self.folders = FolderService(store=store, emit=emit, stop_answer=self.generations.stop)
        self.external_changes = ExternalChanges(
            store=store, is_running=lambda id_: bool(self.generations.running_answers(id_)), emit=emit
        )
        self.transfer = Transfer(store=store, emit=emit, clock=now)
        self.backups = Backups(
            store=store,
            place=backup_place,
            is_wanted=lambda: backup_options(settings.resolved()).is_automatic,
            chosen_folder=lambda: backup_options(settings.resolved()).folder,
            before_restore=self._stop_writing,
            emit=emit,
            clock=now,
        )
        self._preload: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Find the models. On the very first start of the window the first of them is loaded, so that the
        first answer comes at once; a command loads what it was asked for and nothing beside it."""
        self._search_indexing.start()
        self.backups.start()
        self.external_changes.start()
        await self.models.rescan()
        self.models.start_watching()
        if self._goes_on:
            self.library_move.resume()
            await self.downloads.start()
        first = self.models.first() if self._goes_on else None
        if first is not None and not await self._store.list_conversations():
            self._preload = asyncio.create_task(self._load_quietly(first), name="preload")

    async def snapshot(self) -> Snapshot:
        """Return everything that a window shows at first."""
        return Snapshot(
            conversations=await self.conversations.summaries(),
            models=self.models.entries,
            statuses=self._engine.statuses(),
            default_model=await self._default_model(),
            new_drafts=await self._store.new_drafts(),
            problem=self._problem,
            warnings=tuple(problem.info() for problem in self._settings.problems()),
            folders=await self.folders.folders(),
            downloads=self.downloads.downloads,
        )

    async def forget_if_off(self) -> None:
        """Delete what models have read of conversations if nothing of it is to be kept on disk."""
        if cache_disk_bytes(self._settings.resolved()) == 0:
            await asyncio.to_thread(self._states.forget_all)

    async def close(self) -> None:
        """Save what runs, stop the runners, close the database. Takes at most 5 s."""
        if self._preload is not None:
            self._preload.cancel()
        await self.tuning.close()
        await self.external_changes.close()
        await self.backups.close()
        await self.models.close()
        await asyncio.gather(self._close_hub(), self._close_engine())
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.load_plans.close()
        await self._search_indexing.close()
        await self._store.close()
        self._access.close()

    async def _stop_writing(self) -> None:
        await self.generations.stop_all()
        await self._titles.close()

    async def _close_hub(self) -> None:
        await asyncio.gather(self.verification.close(), self.library_move.close(), self.downloads.close())

    async def _close_engine(self) -> None:
        await self._titles.close()
        await self.contexts.close()
        await self.generations.close()
        await self._engine.close()

    def _build_hub(self, parts: HubParts, *, library: Library, emit: Callable[[AppEvent], None]) -> None:
        access, files_lock = parts.access, asyncio.Lock()
        self.token = access.token
        self.downloads = make_downloads(
            access,
            folder=lambda: library.folder,
            emit=emit,
            on_done=lambda _: self.models.rescan(),
            queue_file=parts.queue_file,
            options=parts.transfer_options,
            let_go=letting_go(self.models.unload_file, loop=asyncio.get_running_loop()),
        )
        self.hub = HubService(
            access=access,
            downloads=self.downloads,
            computer=parts.computer,
            catalogue=parts.catalogue_file,
            entries=lambda: self.models.entries,
        )
        self.verification = Verification(
            library=library,
            models=self.models,
            downloads=self.downloads,
            session=access.session,
            before_asking=access.make_ready,
            files_lock=files_lock,
            emit=emit,
        )
        self.library_move = LibraryMove(
            library=library,
            models=self.models,
            downloads=self.downloads,
            preferences=self.preferences,
            files_lock=files_lock,
            journal_path=parts.move_journal,
            emit=emit,
        )

    def _take_over_settings(self, keys: tuple[str, ...]) -> None:
        if CACHE_DISK_KEY in keys:
            self._in_background(self.forget_if_off())
        if ENGINE_LIMIT_KEYS.intersection(keys):
            self._engine.configure(engine_options(self._settings.resolved()))
        if any(key.startswith(HUB_KEYS) for key in keys):
            self._access.settings_changed()
            self._in_background(self.downloads.settings_changed())

    def _in_background(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _default_model(self) -> ModelId | None:
        chosen = default_model(await self.preferences.resolved(model_id=None, conversation_id=None))
        known = {entry.spec.id for entry in self.models.entries if entry.spec is not None and entry.chats}
        return chosen if chosen in known else self.models.first()

    async def _load_quietly(self, model_id: ModelId) -> None:
        try:
            await self.models.load(model_id, conversation_id=None)
        except FiresideError as exc:
            # Nobody asked for it; the model's own status carries the error to the window.
            log.warning("the starter model could not be loaded ahead: %s", exc)
