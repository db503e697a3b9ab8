"""Ask the hub on behalf of the page to discover models, and say there what it answered."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from typing import Any, Final

from PySide6.QtCore import QObject

from fireside.bridge.client import EngineClient
from fireside.core.discovery import CatalogueModel, FoundModels, HubModel, ModelQuery
from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.hub import DownloadId
from fireside.settings.values import ResolvedSetting
from fireside.ui.discover.availability import Standings, catalogue_key
from fireside.ui.discover.discover_page import DiscoverPage, View, utc_now
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import LatestRequest, OnError, TaskRunner

_OFFLINE_KEY: Final = "hub.offline"


class DiscoverController(QObject):
    """Searches, opens and downloads. An old answer never takes the place of a newer one. GUI thread only."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        page: DiscoverPage,
        models: ModelsView,
        downloads: DownloadsView,
        on_error: OnError,
        now: Callable[[], datetime] = utc_now,
        parent: QObject | None = None,
    ) -> None:
        """Take ``on_error`` as what shows an error that has no better place on the page."""
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._page = page
        self._models = models
        self._downloads = downloads
        self._on_error = on_error
        self._now = now
        self._standings = Standings()
        self._query = ModelQuery()
        self._next_page: str | None = None
        self._name = ""
        """What the page of a model was opened by."""
        self._searching, self._paging = LatestRequest(tasks), LatestRequest(tasks)
        self._opening, self._advising = LatestRequest(tasks), LatestRequest(tasks)
        self._settings = LatestRequest(tasks)
        self._asked: dict[str, DownloadId | None] = {}
        """Names of downloads that the queue does not show yet, with their ids once they have one."""
        self._problems: dict[str, ErrorInfo] = {}
        self._asked_for_catalogue = False
        self._is_offline = False
        self._are_entries_stale = True
        self._connect()

    # What the window tells

    def settings_changed(self, keys: Sequence[str]) -> None:
        """Follow the offline switch."""
        if _OFFLINE_KEY in keys and self._page.isVisible():
            self._read_settings()

    def open_model(self, name: str) -> None:
        """Show the page of ``owner/repo``, of an address, or of ``owner/repo:QUANT``."""
        self._name = name
        self._leave_model()
        self._page.show_view(View.MODEL)
        page = self._page.model_page
        page.show_loading(name)
        self._opening.run(
            self._client.hub.model(name),
            on_done=self._on_model,
            on_error=lambda error: page.show_error(name, error.info()),
        )

    # Inside: what is connected

    def _connect(self) -> None:
        page = self._page
        page.shown.connect(self._on_shown)
        page.model_left.connect(self._leave_model)
        page.resume_wanted.connect(self._on_resume)
        page.search.query_changed.connect(self._on_query)
        page.search.exact_wanted.connect(self.open_model)
        page.search.left.connect(self._on_search_left)
        page.start.model_wanted.connect(self.open_model)
        page.start.download_wanted.connect(self._on_named_download)
        page.start.popular_wanted.connect(lambda: self._search(ModelQuery()))
        page.results.opened.connect(self.open_model)
        page.results.more_wanted.connect(self._on_more)
        page.results.retry_wanted.connect(lambda: self._search(self._query))
        page.model_page.retry_wanted.connect(lambda: self.open_model(self._name))
        page.model_page.advice_wanted.connect(self._ask_advice)
        page.model_page.download_wanted.connect(self._on_download)
        self._models.entries_changed.connect(self._on_entries_changed)
        self._downloads.queue_changed.connect(self._on_queue_changed)
        self._downloads.progressed.connect(self._refresh)

    def _on_shown(self) -> None:
        self._read_settings()
        # Whoever comes back may have set what was missing: a token, the address of the hub.
        self._problems.clear()
        self._page.try_again()
        if not self._asked_for_catalogue:
            self._asked_for_catalogue = True
            self._tasks.run(self._client.hub.catalogue(), on_done=self._on_catalogue, on_error=self._on_error)
        self._refresh()

    def _on_catalogue(self, models: Sequence[CatalogueModel]) -> None:
        self._page.start.set_models(models)
        self._refresh()

    # The offline switch

    def _read_settings(self) -> None:
        asking = self._client.settings.resolved(model_id=None, conversation_id=None)
        self._settings.run(asking, on_done=self._on_settings, on_error=self._on_error)

    def _on_settings(self, settings: Sequence[ResolvedSetting]) -> None:
        was_offline = self._is_offline
        self._is_offline = any(
            setting.definition.key == _OFFLINE_KEY and setting.value is True for setting in settings
        )
        self._page.show_offline(offline=self._is_offline)
        if was_offline and not self._is_offline:
            self._problems = {k: e for k, e in self._problems.items() if e.code != "hub_offline"}
            self._refresh()
            self._page.try_again()

    # Searching

    def _on_query(self, query: ModelQuery) -> None:
        if query == ModelQuery():
            self._show_start()
        else:
            self._search(query)

    def _on_search_left(self) -> None:
        self._page.search.clear()
        self._show_start()

    def _show_start(self) -> None:
        self._searching.drop()
        self._paging.drop()
        self._page.show_view(View.START)

    def _search(self, query: ModelQuery) -> None:
        self._query, self._next_page = query, None
        self._paging.drop()
        self._page.show_view(View.RESULTS)
        self._page.results.show_searching()
        self._searching.run(
            self._client.hub.search(query),
            on_done=self._on_found,
            on_error=lambda error: self._page.results.show_error(error.info()),
        )

    def _on_found(self, found: FoundModels) -> None:
        self._next_page = found.next_page
        self._page.results.show_found(
            found.models,
            text=self._query.text,
            has_more=found.next_page is not None,
            now=self._now(),
        )

    def _on_more(self) -> None:
        if self._next_page is None or self._searching.is_running or self._paging.is_running:
            return
        self._page.results.show_loading_more()
        self._paging.run(
            self._client.hub.search(self._query, page=self._next_page),
            on_done=self._on_found_more,
            on_error=lambda error: self._page.results.show_more_error(error.info()),
        )

    def _on_found_more(self, found: FoundModels) -> None:
        self._next_page = found.next_page
        self._page.results.show_more(
            found.models, text=self._query.text, has_more=found.next_page is not None
        )

    # One model

    def _on_model(self, model: HubModel) -> None:
        self._page.model_page.show_model(model, now=self._now())
        self._refresh()
        self._ask_advice()

    def _ask_advice(self) -> None:
        page = self._page.model_page
        if page.model is None or not page.model.quants:
            return
        self._advising.run(
            self._client.hub.advise(page.model),
            on_done=page.show_advice,
            on_error=lambda error: page.show_no_advice(error.info()),
        )

    def _leave_model(self) -> None:
        self._opening.drop()
        self._advising.drop()

    # Downloads

    def _on_named_download(self, name: str) -> None:
        self._download(name, lambda: self._client.hub.download_named(name))

    def _on_download(self, path: str) -> None:
        model = self._page.model_page.model
        if model is not None:
            key = f"{model.repo}/{path}"
            self._download(key, lambda: self._client.hub.download(model, path=path))

    def _download(self, key: str, ask: Callable[[], Coroutine[Any, Any, DownloadId]]) -> None:
        if key in self._asked:
            return
        self._asked[key] = None
        self._problems.pop(key, None)

        def on_done(download_id: DownloadId) -> None:
            self._asked[key] = download_id
            self._forget_answered()
            self._refresh()

        def on_error(error: FiresideError) -> None:
            self._asked.pop(key, None)
            self._problems[key] = error.info()
            self._refresh()

        self._tasks.run(ask(), on_done=on_done, on_error=on_error)
        self._refresh()

    def _on_resume(self, download_id: str) -> None:
        resuming = self._client.downloads.resume(DownloadId(download_id))
        self._tasks.run(resuming, on_error=self._on_error)

    def _on_queue_changed(self) -> None:
        self._forget_answered()
        self._refresh()

    def _forget_answered(self) -> None:
        """A download that the queue shows is not asked for any more."""
        known = {download.id for download in self._downloads.downloads}
        self._asked = {key: made for key, made in self._asked.items() if made not in known}

    # Where each model stands

    def _on_entries_changed(self) -> None:
        self._are_entries_stale = True
        self._refresh()

    def _refresh(self) -> None:
        """Show where each model in front stands; a hidden page is brought up to date when it is shown."""
        if not self._page.isVisible():
            return
        if self._are_entries_stale:
            self._are_entries_stale = False
            self._standings.set_entries(self._models.entries)
            self._page.results.model.set_here(self._standings.repositories)
        self._standings.set_downloads(self._downloads.downloads)
        asked = frozenset(self._asked)
        start = self._page.start
        start.show_standings(
            {catalogue_key(model): self._standings.of_catalogue(model) for model in start.models},
            asked=asked,
            problems=self._problems,
        )
        model = self._page.model_page.model
        if model is not None:
            self._page.model_page.show_standings(
                {quant.path: self._standings.of_quant(model.repo, quant) for quant in model.quants},
                asked=_below(model.repo, asked),
                problems={
                    key.removeprefix(f"{model.repo}/"): error
                    for key, error in self._problems.items()
                    if key.startswith(f"{model.repo}/")
                },
            )


def _below(repo: str, keys: frozenset[str]) -> frozenset[str]:
    return frozenset(key.removeprefix(f"{repo}/") for key in keys if key.startswith(f"{repo}/"))
