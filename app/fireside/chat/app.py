"""The program without its face: everything that lives on the engine thread, behind one object."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import count

from fireside.chat.completions import Completions
from fireside.chat.conversations import Conversations
from fireside.chat.models import Models
from fireside.chat.preferences import Preferences
from fireside.chat.turns import Turns
from fireside.chat.vectors import Vectors
from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.ids import ConversationId, ModelId, RequestId
from fireside.core.snapshot import Snapshot
from fireside.engine.engine import Engine
from fireside.engine.forgetting import KeptStates
from fireside.library.library import Library
from fireside.settings.service import Settings
from fireside.settings.typed import cache_disk_bytes, default_model
from fireside.settings.values import AppLayer
from fireside.storage.store import Store

log = logging.getLogger(__name__)

DEFAULT_MODEL_KEY = "chat.default_model"
CACHE_DISK_KEY = "engine.cache_disk_gb"


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
        states: KeptStates,
        problem: ErrorInfo | None = None,
    ) -> None:
        self._store = store
        self._engine = engine
        self._settings = settings
        self._problem = problem
        self._states = states
        self._forgetting: asyncio.Task[None] | None = None

        def heard(event: AppEvent) -> None:
            emit(event)
            if isinstance(event, SettingsChanged) and CACHE_DISK_KEY in event.keys:
                self._forgetting = asyncio.create_task(self.forget_if_off(), name="forget")

        self.preferences = Preferences(settings=settings, store=store, emit=heard)
        self.models = Models(library=library, engine=engine, preferences=self.preferences, emit=emit)
        self.conversations = Conversations(store=store, emit=emit)
        numbers = count(1)

        def next_id() -> RequestId:
            return RequestId(next(numbers))

        self.vectors = Vectors(
            engine=engine, models=self.models, preferences=self.preferences, next_id=next_id
        )
        self.completions = Completions(engine=engine, preferences=self.preferences, next_id=next_id)
        self.turns = Turns(
            store=store,
            engine=engine,
            models=self.models,
            preferences=self.preferences,
            emit=emit,
            clock=clock,
            next_id=next_id,
        )
        self._preload: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Find the models. On the very first start the first of them is loaded, so that the first answer
        comes at once."""
        await self.models.rescan()
        self.models.start_watching()
        first = self.models.first()
        if first is not None and not await self._store.list_conversations():
            self._preload = asyncio.create_task(self._load_quietly(first), name="preload")

    async def snapshot(self) -> Snapshot:
        """Return everything that a window shows at first."""
        return Snapshot(
            conversations=await self.conversations.summaries(),
            models=self.models.entries,
            statuses=self._engine.statuses(),
            default_model=await self._default_model(),
            new_chat_draft=await self._store.draft(None),
            problem=self._problem,
            warnings=tuple(problem.info() for problem in self._settings.problems()),
        )

    async def choose_model(self, conversation_id: ConversationId | None, *, model_id: ModelId) -> None:
        """Remember the model of a conversation, and of those to come."""
        self.models.chat_spec(model_id)
        await self.preferences.change(AppLayer(), key=DEFAULT_MODEL_KEY, value=model_id)
        if conversation_id is not None:
            await self.conversations.choose_model(conversation_id, model_id=model_id)

    async def delete_conversation(self, conversation_id: ConversationId) -> None:
        """Stop its answer, then hide it."""
        await self.turns.stop(conversation_id)
        await self.conversations.delete(conversation_id)

    async def forget_if_off(self) -> None:
        """Delete what models have read of conversations if nothing of it is to be kept on disk."""
        if cache_disk_bytes(self._settings.resolved()) == 0:
            await asyncio.to_thread(self._states.forget_all)

    async def close(self) -> None:
        """Save what runs, stop the runners, close the database. Takes at most 5 s."""
        if self._preload is not None:
            self._preload.cancel()
        if self._forgetting is not None:
            await self._forgetting
        await self.models.close()
        await self.turns.close()
        await self._engine.close()
        await self._store.close()

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
