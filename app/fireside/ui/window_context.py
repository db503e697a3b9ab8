"""What the views and controllers of a window work with: clients, and routes to other features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtWidgets import QWidget

from fireside.bridge.client import EngineClient
from fireside.core.ids import CollectionId, ConversationId, FolderId, MessageId
from fireside.settings.values import Group
from fireside.ui.app_settings import AppSettings
from fireside.ui.commands import Commands
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.widgets.toast import Toast

HUB_ACCESS_ROW: Final = "hub.token"
"""Key of the row of the hub's access token, which is not a setting and is stored apart."""
MEDIA_ROW: Final = "components.media"
"""Key of the row of the component for media formats."""
UPDATE_ROW: Final = "about.updates"
"""Key of the row of the program's updates."""


@dataclass(frozen=True, kw_only=True)
class Router:
    """The ways from one feature of a window to another, see ``shell/routes.py``. GUI thread only."""

    show_page: Callable[[Page], None]
    """Bring a page to the front."""
    toggle_page: Callable[[Page], None]
    """Bring a page to the front, or the chat if it is there already."""
    show_setting: Callable[[str], None]
    """Show a setting, or a row named above, on the settings page in the scope of all chats."""
    show_settings_section: Callable[[Group], None]
    """Show a section of the settings page in the scope of all chats."""
    show_chat_setting: Callable[[str], None]
    """Show a setting of the chat in front in the side panel."""
    toggle_chat_settings: Callable[[], None]
    """Open or close the side panel with the settings of the chat in front."""
    show_model_settings: Callable[[str], None]
    """Show the settings of one model, whichever is selected."""
    show_disk_use: Callable[[], None]
    """Show how much of the disk the library uses."""
    choose_model: Callable[[str], None]
    """Use this model from now on, and load it."""
    use_model: Callable[[str], None]
    """Continue the chat in front with this model."""
    load_model: Callable[[str], None]
    """Load a model, or load it again, with the settings of the conversation in front."""
    unload_model: Callable[[str], None]
    """Unload a model, or stop loading it."""
    show_load_details: Callable[[str], None]
    """Show the load settings and load plan of a model."""
    add_files: Callable[[Sequence[str]], object]
    """Add files and folders to the library, and show it."""
    new_chat: Callable[[], None]
    """Bring the new chat to the front; from a project or one of its chats, one in that project."""
    new_chat_in: Callable[[FolderId], None]
    """Bring a new chat to the front that begins in a folder."""
    write_in: Callable[[FolderId, str | list[str] | bytes], None]
    """Bring a new chat to the front that begins in a folder, and put a text, files, or an image as PNG into
    its message field."""
    show_project: Callable[[FolderId], None]
    """Show the page of a folder as a project."""
    show_memory: Callable[[FolderId], None]
    """Show what is remembered in a project."""
    show_collection: Callable[[CollectionId], None]
    """Show the page of a collection."""
    open_chat: Callable[[ConversationId], None]
    """Bring a conversation to the front."""
    open_message: Callable[[ConversationId, MessageId | None, str], None]
    """Bring a conversation to the front at one of its messages, with the last argument marked there."""
    open_window: Callable[[ConversationId | None], None]
    """Open another window with a conversation; ``None`` for a new chat."""
    export_chats: Callable[[tuple[ConversationId, ...]], None]
    """Ask how to export these conversations; all for none."""
    show_speech_models: Callable[[], None]
    """Show the models of speech, to download, use and remove them."""
    show_backups: Callable[[], None]
    """Open the list of backups, one of which can be restored."""
    lock: Callable[[], object]
    """Lock the data, after asking where an answer is being written."""
    lock_now: Callable[[], None]
    """Close all windows and ask for the passphrase."""
    reopen: Callable[[], None]
    """Close all windows, encrypt or decrypt the data as was wished, and open them again."""
    quit: Callable[[], None]
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
