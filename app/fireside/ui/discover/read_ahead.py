"""Read the headers of the results in view, one after the other, so that fit and speed are of their files."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer

from fireside.core.discovery import Access, FitEstimate, HubSearchHit
from fireside.core.errors import FiresideError
from fireside.ui.discover.results_list import ResultsList, ResultsModel
from fireside.ui.tasks import LatestRequest
from fireside.ui.window_context import WindowContext

MAX_REPOSITORIES: Final = 40
"""Repositories of one search: each takes about three requests."""
_PAUSE_MS: Final = 300
_FATAL_CODES: Final = frozenset({"hub_offline", "hub_unreachable", "hub_rate_limited", "hub_token_refused"})
"""Errors that the next repository would meet too."""


class ReadAhead(QObject):
    """Asks for what is in view once it rests; nothing is before a search was answered. GUI thread only."""

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
        """Follow the setting."""
        self._is_enabled = is_enabled
        if not is_enabled:
            self.stop()

    def restart(self) -> None:
        """A search was answered."""
        self._requested = set()
        self.schedule()

    def stop(self) -> None:
        """Its results are not wanted any more."""
        self._timer.stop()
        self._reading.cancel()

    def schedule(self) -> None:
        """What is in view may be another part."""
        if self._is_enabled and len(self._requested) < MAX_REPOSITORIES:
            self._timer.start()

    def _read_next(self) -> None:
        if self._reading.is_running or len(self._requested) >= MAX_REPOSITORIES:
            return
        found = next((found for found in self._results.in_view() if self._is_unread(found)), None)
        if found is None:
            return
        self._requested.add(found.repo)

        def on_done(outlook: FitEstimate | None) -> None:
            if outlook is not None:
                self._model.add_outlooks({found.repo: outlook})
            self._read_next()

        def on_error(error: FiresideError) -> None:
            if error.code not in _FATAL_CODES:
                self._read_next()

        self._reading.run(self._client.hub.detailed_outlook(found), on_done=on_done, on_error=on_error)

    def _is_unread(self, found: HubSearchHit) -> bool:
        return found.access is Access.OPEN and bool(found.commit) and found.repo not in self._requested
