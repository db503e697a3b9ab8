"""Controller of the discover page: searches, opens and downloads hub models."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer

from fireside.core.discovery import (
    Access,
    CatalogueModel,
    FitEstimate,
    HubModel,
    HubSearchHit,
    HubSearchPage,
    ModelOutline,
    ModelQuery,
    SuggestedModel,
)
from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.fit import Rating
from fireside.core.hub import DownloadId
from fireside.core.i18n import tr
from fireside.core.options import Purpose
from fireside.settings.values import ResolvedSetting
from fireside.ui.chat.answer.links import confirm_open
from fireside.ui.discover.availability import AvailabilityIndex, catalogue_key
from fireside.ui.discover.discover_page import DiscoverPage, View
from fireside.ui.discover.results_list import ResultsList, ResultsModel
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.kit.file_dialogs import choose_files
from fireside.ui.page import Page
from fireside.ui.tasks import LatestRequest
from fireside.ui.window_context import HUB_ACCESS_ROW, WindowContext

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


_OFFLINE_KEY: Final = "hub.offline"
_READ_AHEAD_KEY: Final = "hub.read_ahead"


def utc_now() -> datetime:
    return datetime.now(UTC)


class DiscoverController(QObject):
    """Sends the requests of the page. A late reply never replaces that of a newer request. GUI thread
    only."""

    def __init__(
        self, context: WindowContext, *, downloads: DownloadsView, now: Callable[[], datetime] = utc_now
    ) -> None:
        super().__init__(context.window)
        self.router = context.router
        self._context = context
        self._client = context.client
        self._tasks = context.tasks
        self._models = context.models
        self._downloads = downloads
        self._on_error = context.show_error
        self._now = now
        self.page = DiscoverPage(self, now=now)
        self._availability = AvailabilityIndex()
        self._query = ModelQuery()
        self._next_page: str | None = None
        self._name = ""
        """The name by which the model's page was opened."""
        self._searching, self._paging = LatestRequest(self._tasks), LatestRequest(self._tasks)
        self._opening, self._advising = LatestRequest(self._tasks), LatestRequest(self._tasks)
        self._settings = LatestRequest(self._tasks)
        results = self.page.results
        self._read_ahead = ReadAhead(context, results=results.list, model=results.model)
        self._requested: dict[str, DownloadId | None] = {}
        """Names of requested downloads that the queue does not list yet, with their ids once known."""
        self._problems: dict[str, ErrorInfo] = {}
        self._suggesting = LatestRequest(self._tasks)
        self._suggested: tuple[tuple[str, Rating], ...] = ()
        """The models of the start page in order, each with the group that it is in."""
        self._has_requested_size = False
        self._is_offline = False
        self._are_entries_stale = True
        self.page.page_shown.connect(self._on_shown)
        self._models.entries_changed.connect(self._on_entries_changed)
        downloads.queue_changed.connect(self._on_queue_changed)
        downloads.progressed.connect(self._refresh)

    # Called by the window

    def handle(self, event: AppEvent) -> None:
        """Apply changed settings of the hub, while the page is in front."""
        match event:
            case SettingsChanged(keys=keys) if {_OFFLINE_KEY, _READ_AHEAD_KEY} & set(keys):
                self._read_settings()
            case _:
                pass

    def open_model(self, name: str) -> None:
        """Show the page of ``owner/repo``, a URL, or ``owner/repo:QUANT``."""
        self._name = name
        self.on_model_left()
        self.page.show_view(View.MODEL)
        page = self.page.model_page
        page.show_loading(name)
        self._opening.run(
            self._client.hub.model(name),
            on_done=self._on_model,
            on_error=lambda error: page.show_error(name, error.info(), known=self._known_model(name)),
        )

    def _known_model(self, name: str) -> CatalogueModel | None:
        """Return what the catalogue knows of the model of this name."""
        repo = name.partition(":")[0]
        return next((model for model in self.page.start.models if model.repo == repo), None)

    def reopen_model(self) -> None:
        """Request the last opened model again."""
        self.open_model(self._name)

    def retry_without_token(self, again: Callable[[], None]) -> None:
        """Suspend the refused token, then call ``again``."""
        self._tasks.run(self._client.token.suspend(), on_done=lambda _: again(), on_error=self._on_error)

    def open_hub_settings(self) -> None:
        """Show the settings of the hub: offline mode, access token."""
        self.router.show_setting(HUB_ACCESS_ROW)

    def open_downloads(self) -> None:
        self.router.show_page(Page.DOWNLOADS)

    def open_link(self, url: str) -> None:
        """Ask the user to confirm opening a URL; the dialog shows its true host."""
        confirm_open(url, open_url=self._context.open_url, parent=self.page)

    # Inside

    def _on_shown(self) -> None:
        self._read_settings()
        # The user may have fixed the cause meanwhile: a token, the hub's address.
        self._problems.clear()
        self.page.retry_failed()
        self._suggesting.run(
            self._client.hub.suggestions(), on_done=self._on_suggestions, on_error=self._on_no_suggestions
        )
        if not self._has_requested_size:
            self._has_requested_size = True
            self._tasks.run(
                self._client.hub.max_fitting_params(),
                on_done=self.page.search.set_max_fitting_params,
                on_error=lambda _: None,
            )
        self._refresh()

    def _on_suggestions(self, suggested: Sequence[SuggestedModel]) -> None:
        """Show the models; where only figures have changed, the cards stay."""
        estimates = {catalogue_key(each.model): each.estimate for each in suggested}
        groups = tuple((key, estimate.rating) for key, estimate in estimates.items())
        if groups == self._suggested:
            for card in self.page.start.cards:
                card.show_outlook(estimates[catalogue_key(card.model)])
            return
        self._suggested = groups
        self.page.start.set_models(
            [each.model for each in suggested],
            estimates=estimates,
            first=next((catalogue_key(each.model) for each in suggested if each.is_first), ""),
        )
        self._refresh()

    def _on_no_suggestions(self, error: FiresideError) -> None:
        """Show the models without how they would run: settings that contradict each other prevent that."""
        self._on_error(error)
        self._suggested = ()
        self._tasks.run(self._client.hub.catalogue(), on_done=self._on_catalogue, on_error=self._on_error)

    def _on_catalogue(self, models: Sequence[CatalogueModel]) -> None:
        self.page.start.set_models(models)
        self._refresh()

    # Offline mode

    def _read_settings(self) -> None:
        request = self._client.settings.resolved(model_id=None, conversation_id=None)
        self._settings.run(request, on_done=self._on_settings, on_error=self._on_error)

    def _on_settings(self, settings: Sequence[ResolvedSetting]) -> None:
        was_offline = self._is_offline
        enabled = {setting.definition.key for setting in settings if setting.value is True}
        self._is_offline = _OFFLINE_KEY in enabled
        self._read_ahead.set_enabled(is_enabled=_READ_AHEAD_KEY in enabled and not self._is_offline)
        self.page.show_offline(offline=self._is_offline)
        if was_offline and not self._is_offline:
            self._problems = {k: e for k, e in self._problems.items() if e.code != "hub_offline"}
            self._refresh()
            self.page.retry_failed()

    # Search

    def search(self, query: ModelQuery) -> None:
        """Search the hub for ``query``; an empty query shows the start page."""
        if query == ModelQuery():
            self._show_start()
        else:
            self._search(query)

    def search_all(self) -> None:
        """Show the hub's popular models."""
        self._search(ModelQuery())

    def repeat_search(self) -> None:
        """Repeat the last search."""
        self._search(self._query)

    def leave_search(self) -> None:
        """Go back to the start page; from the start page to the chat."""
        if self.page.view is View.START:
            self.router.show_page(Page.CHAT)
            return
        self.page.search.clear()
        self._show_start()

    def _show_start(self) -> None:
        self._searching.cancel()
        self._paging.cancel()
        self._read_ahead.stop()
        self.page.show_view(View.START)

    def _search(self, query: ModelQuery) -> None:
        self._query, self._next_page = query, None
        self._paging.cancel()
        self._read_ahead.stop()
        self.page.show_view(View.RESULTS)
        self.page.results.show_searching()
        self._searching.run(
            self._client.hub.search(query),
            on_done=self._on_results,
            on_error=lambda error: self.page.results.show_error(error.info()),
        )

    def _on_results(self, results: HubSearchPage) -> None:
        self._next_page = results.next_page
        self.page.results.show_results(
            results.models,
            text=self._query.text,
            has_more=results.next_page is not None,
            now=self._now(),
        )
        self._show_outlooks(results)
        self._read_ahead.restart()

    def _show_outlooks(self, results: HubSearchPage) -> None:
        """Request how models would run here; errors are ignored, as a list is of use without that."""
        repos = [model.repo for model in results.models]
        self._tasks.run(
            self._client.hub.outlooks(tuple(map(hit_outline, results.models))),
            on_done=lambda outlooks: self.page.results.model.add_outlooks(
                dict(zip(repos, outlooks, strict=True))
            ),
            on_error=lambda _: None,
        )

    def load_more(self) -> None:
        """Request the next page of results, unless that is under way."""
        if self._next_page is None or self._searching.is_running or self._paging.is_running:
            return
        self.page.results.show_loading_more()
        self._paging.run(
            self._client.hub.search(self._query, page=self._next_page),
            on_done=self._on_more_results,
            on_error=lambda error: self.page.results.show_more_error(error.info()),
        )

    def _on_more_results(self, results: HubSearchPage) -> None:
        self._next_page = results.next_page
        self.page.results.show_more(
            results.models, text=self._query.text, has_more=results.next_page is not None
        )
        self._show_outlooks(results)
        self._read_ahead.schedule()

    # One model

    def _on_model(self, model: HubModel) -> None:
        self.page.model_page.show_model(model, now=self._now())
        self._refresh()
        self.advise()

    def advise(self) -> None:
        """Request which file of the model shown suits this computer."""
        page = self.page.model_page
        if page.model is None or not page.model.quants:
            return
        self._advising.run(
            self._client.hub.advise(page.model),
            on_done=page.show_advice,
            on_error=lambda error: page.show_no_advice(error.info()),
        )

    def on_model_left(self) -> None:
        """Cancel pending requests: the model's page is no longer shown."""
        self._opening.cancel()
        self._advising.cancel()

    # Downloads

    def download(self, name: str) -> None:
        """Download a suggested file."""
        self._download(name, lambda: self._client.hub.download_named(name))

    def download_quant(self, path: str) -> None:
        """Download one file of the model shown."""
        model = self.page.model_page.model
        if model is not None:
            key = f"{model.repo}/{path}"
            self._download(key, lambda: self._client.hub.download(model, path=path))

    def _download(self, key: str, request: Callable[[], Coroutine[Any, Any, DownloadId]]) -> None:
        if key in self._requested:
            return
        self._requested[key] = None
        self._problems.pop(key, None)

        def on_done(download_id: DownloadId) -> None:
            self._requested[key] = download_id
            self._drop_queued()
            self._refresh()

        def on_error(error: FiresideError) -> None:
            self._requested.pop(key, None)
            self._problems[key] = error.info()
            self._refresh()

        self._tasks.run(request(), on_done=on_done, on_error=on_error)
        self._refresh()

    def add_own_files(self) -> None:
        """Let the user choose model files of this computer for the library."""
        filters = (tr("Model files (*.gguf)"), tr("All files (*)"))
        choose_files(self.page, tr("Add model files"), self.router.add_files, filters=filters)

    def resume(self, download_id: str) -> None:
        """Resume a download that is paused or failed."""
        resuming = self._client.downloads.resume(DownloadId(download_id))
        self._tasks.run(resuming, on_error=self._on_error)

    def _on_queue_changed(self) -> None:
        self._drop_queued()
        self._refresh()

    def _drop_queued(self) -> None:
        """Drop the requested downloads that the queue lists by now."""
        known = {download.id for download in self._downloads.downloads}
        self._requested = {
            key: download_id for key, download_id in self._requested.items() if download_id not in known
        }

    # Availability

    def _on_entries_changed(self) -> None:
        self._are_entries_stale = True
        self._refresh()

    def _refresh(self) -> None:
        """Update the availability of all models shown; a hidden page is updated when it is shown."""
        if not self.page.isVisible():
            return
        if self._are_entries_stale:
            self._are_entries_stale = False
            self._availability.set_entries(self._models.entries)
            self.page.results.model.set_library_repositories(self._availability.repositories)
        self._availability.set_downloads(self._downloads.downloads)
        requested = frozenset(self._requested)
        start = self.page.start
        start.show_availability(
            {catalogue_key(model): self._availability.of_catalogue(model) for model in start.models},
            requested=requested,
            problems=self._problems,
        )
        model = self.page.model_page.model
        if model is not None:
            prefix = f"{model.repo}/"
            problems = self._problems.items()
            self.page.model_page.show_availability(
                {quant.path: self._availability.of_quant(model.repo, quant) for quant in model.quants},
                requested=frozenset(key.removeprefix(prefix) for key in requested if key.startswith(prefix)),
                problems={key.removeprefix(prefix): e for key, e in problems if key.startswith(prefix)},
            )


def hit_outline(hit: HubSearchHit) -> ModelOutline:
    return ModelOutline(
        repo=hit.repo,
        n_params=hit.n_params,
        n_ctx_train=hit.n_ctx_train,
        generates_text=hit.purpose is Purpose.GENERATE,
    )
