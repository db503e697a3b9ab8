"""What the views and controllers of a window work with: clients, and routes to other features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from PySide6.QtWidgets import QWidget

from fireside.bridge.client import EngineClient
from fireside.core.ids import ConversationId, MessageId
from fireside.settings.values import Group
from fireside.ui.app_settings import AppSettings
from fireside.ui.commands import Commands
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.widgets.toast import Toast

HUB_ACCESS_ROW: Final = "hub.token"
"""Key of the row of the hub's access token, which is not a setting and is stored apart."""
UPDATE_ROW: Final = "about.updates"
"""Key of the row of the program's updates."""


class Router(Protocol):
    """The routes from one feature of a window to another. GUI thread only."""

    def show_page(self, page: Page) -> None:
        """Bring a page to the front."""

    def toggle_page(self, page: Page) -> None:
        """Bring a page to the front, or the chat if it is there already."""

    def show_setting(self, key: str) -> None:
        """Show a setting, or a row named above, on the settings page in the scope of all chats."""

    def show_settings_section(self, group: Group) -> None:
        """Show a section of the settings page in the scope of all chats."""

    def show_chat_setting(self, key: str) -> None:
        """Show a setting of the chat in front in the side panel."""

    def show_model_settings(self, model_id: str) -> None:
        """Show the settings of one model."""

    def show_disk_use(self) -> None:
        """Show how much of the disk the library uses."""

    def choose_model(self, model_id: str) -> None:
        """Use this model from now on, and load it."""

    def use_model(self, model_id: str) -> None:
        """Continue the chat in front with this model."""

    def load_model(self, model_id: str) -> None:
        """Load a model, or load it again, with the settings of the conversation in front."""

    def unload_model(self, model_id: str) -> None:
        """Unload a model, or stop loading it."""

    def show_load_details(self, model_id: str) -> None:
        """Show the load settings and load plan of a model."""

    def add_files(self, paths: Sequence[str]) -> None:
        """Add files and folders to the library, and show it."""

    def new_chat(self) -> None:
        """Bring the new chat to the front."""

    def open_chat(self, conversation_id: ConversationId) -> None:
        """Bring a conversation to the front."""

    def open_message(
        self, conversation_id: ConversationId, message_id: MessageId | None, *, highlight: str
    ) -> None:
        """Bring a conversation to the front at one of its messages, with ``highlight`` marked there."""

    def open_window(self, conversation_id: ConversationId | None) -> None:
        """Open another window with a conversation; ``None`` for a new chat."""

    def export_chats(self, ids: tuple[ConversationId, ...]) -> None:
        """Ask how to export these conversations."""

    def show_backups(self) -> None:
        """Open the list of backups."""

    def quit(self) -> None:
        """End the program."""


@dataclass(frozen=True, kw_only=True)
class WindowContext:
    """What every part of one window may use. GUI thread only."""

    client: EngineClient
    tasks: TaskRunner
    models: ModelsView
    commands: Commands
    settings: AppSettings
    toast: Toast
    router: Router
    show_error: OnError
    """Shows an error for which there is no better place."""
    open_url: Callable[[str], None]
    reveal: Callable[[str], None]
    window: QWidget
    """Parent of sheets, and of controllers that live as long as the window."""
