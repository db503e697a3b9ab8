"""Protocol of the actions that the views of the discover page call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fireside.core.discovery import ModelQuery
from fireside.ui.page import Page
from fireside.ui.window_context import HUB_ACCESS_ROW, Router


class DiscoverActions(Protocol):
    """Implemented by ``DiscoverController``. A model is named ``owner/name``, optionally with ``:QUANT``."""

    router: Router

    def search(self, query: ModelQuery) -> None:
        """Search the hub for ``query``; an empty query shows the start page."""

    def search_all(self) -> None:
        """Show the hub's popular models."""

    def repeat_search(self) -> None:
        """Repeat the last search."""

    def leave_search(self) -> None:
        """Go back to the start page; from the start page to the chat."""

    def load_more(self) -> None:
        """Request the next page of results."""

    def open_model(self, name: str) -> None:
        """Show the page of a model."""

    def reopen_model(self) -> None:
        """Request the last opened model again."""

    def retry_without_token(self, again: Callable[[], None]) -> None:
        """Suspend the refused token, then call ``again``."""

    def on_model_left(self) -> None:
        """Cancel pending requests: the model's page is no longer shown."""

    def advise(self) -> None:
        """Request which file of the model shown suits this computer."""

    def download(self, name: str) -> None:
        """Download a suggested file."""

    def download_quant(self, path: str) -> None:
        """Download one file of the model shown."""

    def add_own_files(self) -> None:
        """Let the user choose model files of this computer for the library."""

    def resume(self, download_id: str) -> None:
        """Resume a download that is paused or failed."""

    def open_link(self, url: str) -> None:
        """Ask the user to confirm opening a URL; the dialog shows its true host."""


def open_hub_settings(actions: DiscoverActions) -> None:
    """Show the settings of the hub: offline mode, access token."""
    actions.router.show_setting(HUB_ACCESS_ROW)


def open_downloads(actions: DiscoverActions) -> None:
    actions.router.show_page(Page.DOWNLOADS)
