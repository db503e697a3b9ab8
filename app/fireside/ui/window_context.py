"""What the views and controllers of a window are given: the engine, the look, and the ways to other parts."""

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
from fireside.ui.theme import Theme
from fireside.ui.widgets.toast import Toast

HUB_ACCESS_ROW: Final = "hub.token"
"""Stands for the row of the hub's access token, which is no setting: it is not kept with them."""
PERMISSIONS_ROW: Final = "tools.decided"
"""Stands for the row of what the user decided about each tool."""
UPDATE_ROW: Final = "about.updates"
"""Stands for the row of the program's updates."""


class Router(Protocol):
    """What one part of a window asks for and another part does. GUI thread only."""

    def show_page(self, page: Page) -> None:
        """Bring a page to the front."""

    def toggle_page(self, page: Page) -> None:
        """Bring a page to the front, or the chat if it is there already."""

    def show_setting(self, key: str) -> None:
        """Show one setting, or a row that is named above, where it holds everywhere."""

    def show_settings_section(self, group: Group) -> None:
        """Show a section of the settings, where they hold everywhere."""

    def show_chat_setting(self, key: str) -> None:
        """Show one setting of the chat in front, beside it."""

    def show_model_settings(self, model_id: str) -> None:
        """Show what is set for one model alone."""

    def show_disk_use(self) -> None:
        """Show what the library takes on the disk."""

    def choose_model(self, model_id: str) -> None:
        """Answer with this model from now on, and load it."""

    def use_model(self, model_id: str) -> None:
        """Go on in the chat with this model."""

    def load_model(self, model_id: str) -> None:
        """Load a model, or load it again, with the settings of the conversation in front."""

    def unload_model(self, model_id: str) -> None:
        """Unload a model, or stop loading it."""

    def show_load_details(self, model_id: str) -> None:
        """Show how a model loads."""

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

    def quit(self) -> None:
        """End the program."""


@dataclass(frozen=True, kw_only=True)
class WindowContext:
    """What every part of one window may use. GUI thread only."""

    client: EngineClient
    tasks: TaskRunner
    theme: Theme
    models: ModelsView
    commands: Commands
    settings: AppSettings
    toast: Toast
    router: Router
    show_error: OnError
    """Says an error where there is no better place to say it."""
    open_url: Callable[[str], None]
    reveal: Callable[[str], None]
    window: QWidget
    """Parent of sheets, and of controllers that live as long as the window."""
