"""Run the queries of the search pane and open results."""

from __future__ import annotations

from PySide6.QtCore import QObject

from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, SearchIndexed
from fireside.core.ids import ConversationId, MessageId
from fireside.core.model import display_name
from fireside.core.search import SearchQuery, SearchResult
from fireside.ui.search.pane import SearchPane
from fireside.ui.window_context import WindowContext


class SearchController(QObject):
    """Runs one query at a time; of those that arrive meanwhile only the last is run. GUI thread only."""

    def __init__(self, context: WindowContext, pane: SearchPane) -> None:
        super().__init__(context.window)
        self._context = context
        self._pane = pane
        self._is_searching = False
        self._pending: SearchQuery | None = None
        """The query to run after the current one."""
        self._is_complete = True
        """Whether the shown result covers all chats, not only those indexed so far."""
        pane.query_changed.connect(self._search)
        pane.list.opened.connect(self._open)
        context.models.entries_changed.connect(self._show_models)
        self._show_models()

    def handle(self, event: AppEvent) -> None:
        """Repeat the query when more of the older chats have been indexed."""
        may_find_more = self._is_searching or not self._is_complete
        if isinstance(event, SearchIndexed) and self._pane.is_searching and may_find_more:
            self._search(self._pane.query)

    def _show_models(self) -> None:
        """Offer the installed models as filters."""
        usable = self._context.models.usable
        self._pane.filters.set_models(
            [(entry.spec.id, display_name(entry)) for entry in usable if entry.spec is not None]
        )

    def _open(self, conversation_id: ConversationId, message_id: MessageId | None) -> None:
        self._context.router.open_message(conversation_id, message_id, self._pane.query.text)

    def _search(self, query: SearchQuery) -> None:
        if self._is_searching:
            self._pending = query
            return
        self._is_searching = True

        async def work() -> SearchResult:
            try:
                return await self._context.client.folders.search(query)
            finally:
                self._is_searching = False

        def on_done(result: SearchResult) -> None:
            if not self._search_pending() and self._pane.is_searching:
                self._pane.show_result(result)
                self._is_complete = not result.n_not_indexed

        def on_error(error: FiresideError) -> None:
            if not self._search_pending() and self._pane.is_searching:
                self._pane.show_error(error.info())

        self._context.tasks.run(work(), on_done=on_done, on_error=on_error)

    def _search_pending(self) -> bool:
        """Run the pending query; return whether there was one."""
        pending, self._pending = self._pending, None
        if pending is not None:
            self._search(pending)
        return pending is not None
