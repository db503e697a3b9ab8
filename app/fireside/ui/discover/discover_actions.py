"""What the parts of the page to discover models have done for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fireside.core.discovery import ModelQuery
from fireside.ui.page import Page
from fireside.ui.window_context import HUB_ACCESS_ROW, Router


class DiscoverActions(Protocol):
    """Done by the ``DiscoverController``. A model is meant by ``owner/name``, maybe with ``:QUANT``."""

    router: Router

    def search(self, query: ModelQuery) -> None:
        """Show what the hub has for ``query``; the start page for an empty one."""

    def search_all(self) -> None:
        """Show what is popular on the hub."""

    def repeat_search(self) -> None:
        """Ask anew what was asked last."""

    def leave_search(self) -> None:
        """Go back to the start page, and from there to the chat."""

    def load_more(self) -> None:
        """Ask for the next page of results."""

    def open_model(self, name: str) -> None:
        """Show the page of a model."""

    def reopen_model(self) -> None:
        """Ask anew for the page that was opened last."""

    def retry_without_token(self, again: Callable[[], None]) -> None:
        """Do ``again``, from now on without the token that was refused."""

    def on_model_left(self) -> None:
        """The page of a model is not in front any more."""

    def advise(self) -> None:
        """Find out which size of the model that is shown suits this computer."""

    def download(self, name: str) -> None:
        """Download a suggested size."""

    def download_quant(self, path: str) -> None:
        """Download one size of the model that is shown."""

    def resume(self, download_id: str) -> None:
        """Go on with a download that is paused or failed."""

    def open_link(self, url: str) -> None:
        """Ask whether to open an address, which shows its true host."""


def open_hub_settings(actions: DiscoverActions) -> None:
    """Show the settings of the hub: offline switch, access token."""
    actions.router.show_setting(HUB_ACCESS_ROW)


def open_downloads(actions: DiscoverActions) -> None:
    actions.router.show_page(Page.DOWNLOADS)
