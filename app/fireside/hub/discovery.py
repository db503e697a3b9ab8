"""Search for models and read their pages, with a cache of recent answers."""

from __future__ import annotations

from collections.abc import Callable

from fireside.core.discovery import HubModel, HubSearchPage, ModelQuery
from fireside.hub.hub_session import HubSession
from fireside.hub.model_page import read_model_page
from fireside.hub.model_search import search
from fireside.hub.ttl_cache import TtlCache


class Discovery:
    """Queries through one session. Methods block, from any thread, and raise ``HubError``."""

    def __init__(self, session: HubSession, *, clock: Callable[[], float]) -> None:
        """``clock`` is monotonic, in seconds."""
        self._session = session
        self._results: TtlCache[HubSearchPage] = TtlCache(clock=clock)
        self._pages: TtlCache[HubModel] = TtlCache(clock=clock)

    def search(self, query: ModelQuery, *, page: str | None = None) -> HubSearchPage:
        """See ``model_search.search``. Cached answers are returned while offline, too."""
        key = (self._session.credential_key, query, page)
        result = self._results.get(key)
        if result is None:
            result = search(self._session, query, page=page)
            self._results.store(key, result)
        return result

    def model(self, name: str) -> HubModel:
        """See ``model_page.read_model_page``."""
        key = (self._session.credential_key, name.strip())
        model = self._pages.get(key)
        if model is None:
            model = read_model_page(self._session, name)
            # A page without access is not cached: the user may accept the terms in a browser and come back.
            if model.has_access:
                self._pages.store(key, model)
        return model

    def clear_cache(self) -> None:
        self._results.clear()
        self._pages.clear()
