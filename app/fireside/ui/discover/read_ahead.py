"""Reads the headers of visible search results one by one, for exact fit and speed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer

from fireside.core.discovery import Access, FitEstimate, HubSearchHit
from fireside.core.errors import FiresideError
from fireside.ui.discover.results_list import ResultsList, ResultsModel
from fireside.ui.tasks import LatestRequest
from fireside.ui.window_context import WindowContext

MAX_REPOSITORIES: Final = 40
"""Repositories per search; each takes about three requests."""
_PAUSE_MS: Final = 300
_FATAL_CODES: Final = frozenset({"hub_offline", "hub_unreachable", "hub_rate_limited", "hub_token_refused"})
"""Error codes that the next repository would meet as well."""


class ReadAhead(QObject):
    """Requests the outlook of visible results after a pause in scrolling. GUI thread only."""

    def __init__(self, context: WindowContext, *, results: ResultsList, model: ResultsModel) -> None:
        super().__init__(results)
        self._client = context.client
        self._reading = LatestRequest(context.tasks)
        self._results = results
        self._model = model
        self._is_enabled = False
        self._requested: set[str] = set()
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._read_next)
        results.scrolled.connect(self.schedule)

    def set_enabled(self, *, is_enabled: bool) -> None:
        self._is_enabled = is_enabled
        if not is_enabled:
            self.stop()

    def restart(self) -> None:
        """Start anew for the results of another search."""
        self._requested = set()
        self.schedule()

    def stop(self) -> None:
        """Stop: the results are no longer shown."""
        self._timer.stop()
        self._reading.cancel()

    def schedule(self) -> None:
        """Continue with the visible results after a pause."""
        if self._is_enabled and len(self._requested) < MAX_REPOSITORIES:
            self._timer.start()

    def _read_next(self) -> None:
        if self._reading.is_running or len(self._requested) >= MAX_REPOSITORIES:
            return
        hit = next((hit for hit in self._results.in_view() if self._is_unread(hit)), None)
        if hit is None:
            return
        self._requested.add(hit.repo)

        def on_done(outlook: FitEstimate | None) -> None:
            if outlook is not None:
                self._model.add_outlooks({hit.repo: outlook})
            self._read_next()

        def on_error(error: FiresideError) -> None:
            if error.code not in _FATAL_CODES:
                self._read_next()

        self._reading.run(self._client.hub.detailed_outlook(hit), on_done=on_done, on_error=on_error)

    def _is_unread(self, hit: HubSearchHit) -> bool:
        return hit.access is Access.OPEN and bool(hit.commit) and hit.repo not in self._requested
