"""Search for models and read their pages, with a cache of recent answers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

import msgspec

from fireside.core.discovery import HubModel, HubSearchPage, ModelQuery
from fireside.hub.hub_session import HubSession
from fireside.hub.model_page import read_model_page
from fireside.hub.model_search import search


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


T = TypeVar("T", bound=msgspec.Struct)

TTL_S: Final = 600.0
_MAX_ENTRIES: Final = 100
_MAX_BYTES: Final = 16 * 1024 * 1024


class TtlCache(Generic[T]):
    """Answers not older than ``ttl_s``; the oldest are evicted where they are many or large.

    Thread-safe. Errors are not cached.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float],
        ttl_s: float = TTL_S,
        max_entries: int = _MAX_ENTRIES,
        max_bytes: int = _MAX_BYTES,
    ) -> None:
        """``clock`` is monotonic, in seconds."""
        self._clock = clock
        self._ttl_s = ttl_s
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._entries: OrderedDict[Hashable, tuple[float, int, T]] = OrderedDict()
        self._n_bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> T | None:
        with self._lock:
            self._drop_expired()
            entry = self._entries.get(key)
            return None if entry is None else entry[2]

    def store(self, key: Hashable, answer: T) -> None:
        """Cache ``answer``, unless it is too large."""
        n_bytes = len(msgspec.msgpack.encode(answer))
        with self._lock:
            self._drop(key)
            if n_bytes > self._max_bytes:
                return
            self._entries[key] = (self._clock(), n_bytes, answer)
            self._n_bytes += n_bytes
            self._drop_expired()
            while len(self._entries) > self._max_entries or self._n_bytes > self._max_bytes:
                self._drop(next(iter(self._entries)))

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._n_bytes = 0

    def _drop_expired(self) -> None:
        now = self._clock()
        while self._entries:
            key, (stored_at_s, _, _) = next(iter(self._entries.items()))
            if now - stored_at_s < self._ttl_s:
                break
            self._drop(key)

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._n_bytes -= entry[1]
