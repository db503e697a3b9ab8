"""Read the headers of the results in view, one after the other, so that fit and speed are of their files."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer

from fireside.core.discovery import Access, FoundModel, ModelOutlook
from fireside.core.errors import FiresideError
from fireside.ui.discover.results_list import ResultsList, ResultsModel
from fireside.ui.tasks import LatestRequest
from fireside.ui.window_context import WindowContext

MOST: Final = 40
"""Repositories of one search: each takes about three requests."""
_REST_MS: Final = 300
_ENDS_IT: Final = frozenset({"hub_offline", "hub_unreachable", "hub_rate_limited", "hub_token_refused"})
"""Errors that the next repository would meet too."""


class ReadAhead(QObject):
    """Asks for what is in view once it rests; nothing is before a search was answered. GUI thread only."""

    def __init__(self, context: WindowContext, *, results: ResultsList, model: ResultsModel) -> None:
        super().__init__(results)
        self._client = context.client
        self._reading = LatestRequest(context.tasks)
        self._results = results
        self._model = model
        self._is_on = False
        self._asked: set[str] = set()
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._go_on)
        results.moved.connect(self.look)

    def switch(self, *, is_on: bool) -> None:
        """Follow the setting."""
        self._is_on = is_on
        if not is_on:
            self.stop()

    def begin(self) -> None:
        """A search was answered."""
        self._asked = set()
        self.look()

    def stop(self) -> None:
        """Its results are not wanted any more."""
        self._rest.stop()
        self._reading.cancel()

    def look(self) -> None:
        """What is in view may be another part."""
        if self._is_on and len(self._asked) < MOST:
            self._rest.start()

    def _go_on(self) -> None:
        if self._reading.is_running or len(self._asked) >= MOST:
            return
        found = next((found for found in self._results.in_view() if self._is_wanted(found)), None)
        if found is None:
            return
        self._asked.add(found.repo)

        def on_done(outlook: ModelOutlook | None) -> None:
            if outlook is not None:
                self._model.add_outlooks({found.repo: outlook})
            self._go_on()

        def on_error(error: FiresideError) -> None:
            if error.code not in _ENDS_IT:
                self._go_on()

        self._reading.run(self._client.hub.detailed_outlook(found), on_done=on_done, on_error=on_error)

    def _is_wanted(self, found: FoundModel) -> bool:
        return found.access is Access.OPEN and bool(found.commit) and found.repo not in self._asked
