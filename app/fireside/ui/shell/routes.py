"""The ways from one feature of a window to another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fireside.core.ids import CollectionId, ConversationId, FolderId, ModelId
from fireside.core.status import Broken, Unloaded
from fireside.ui.page import Page
from fireside.ui.settings.scope import Scope
from fireside.ui.shell.window import Window
from fireside.ui.window_context import Router

if TYPE_CHECKING:
    from fireside.ui.library.library_page import LibraryPage
    from fireside.ui.settings.settings_page import SettingsPage
    from fireside.ui.side_panel.panel import ChatSettingsPanel


def routes(window: Window) -> Router:
    """Return the routes between the parts of a window, which need not exist before one is used."""
    return Router(
        show_page=lambda page: window.navigation.show(page),
        toggle_page=lambda page: window.navigation.toggle(page),
        show_setting=lambda key: settings_page(window, Scope.EVERYWHERE).show_setting(key),
        show_settings_section=lambda group: settings_page(window, Scope.EVERYWHERE).show_section(group),
        show_chat_setting=lambda key: _chat_settings(window).show_setting(key),
        toggle_chat_settings=partial(_toggle_chat_settings, window),
        show_model_settings=partial(_show_model_settings, window),
        show_disk_use=lambda: _library_page(window).show_disk_use(),
        choose_model=partial(_choose_model, window),
        use_model=partial(_use_model, window),
        load_model=lambda model_id: window.model_controller.load(model_id),
        unload_model=lambda model_id: window.model_controller.unload(model_id),
        show_load_details=lambda model_id: window.model_controller.show_details(model_id),
        add_files=lambda paths: _library_page(window).controller.add(paths),
        new_chat=partial(_new_chat, window),
        new_chat_in=lambda folder_id: window.conversations.new_chat_in(folder_id),
        write_in=partial(_write_in, window),
        show_project=partial(_show_project, window),
        show_memory=partial(_show_memory, window),
        show_collection=partial(_show_collection, window),
        open_chat=lambda conversation_id: window.conversations.open(conversation_id),
        open_message=lambda *place: window.conversations.open_at(*place),
        open_window=lambda conversation_id: window.window_requested.emit(conversation_id),
        export_chats=partial(_export_chats, window),
        show_speech_models=lambda: window.show_speech_models(),
        show_backups=lambda: window.transfers.show_backups(),
        lock=lambda: window.lock_controller.lock(),
        lock_now=lambda: window.lock_requested.emit(),
        reopen=lambda: window.reopen_requested.emit(),
        quit=lambda: window.quit_requested.emit(),
    )


def settings_page(window: Window, scope: Scope) -> SettingsPage:
    """Show the settings page in a scope, and return it."""
    window.navigation.show(Page.SETTINGS)
    window.pages.settings.show_scope(scope)
    return window.pages.settings


def _show_model_settings(window: Window, model_id: str) -> None:
    if (subject := window.pages.settings.subject_of(model_id)) is not None:
        window.navigation.show(Page.SETTINGS)
        window.pages.settings.set_subject(subject)
        window.pages.settings.show_scope(Scope.MODEL)


def _library_page(window: Window) -> LibraryPage:
    window.navigation.show(Page.MODELS)
    return window.pages.library


def _chat_settings(window: Window) -> ChatSettingsPanel:
    window.navigation.show(Page.CHAT)
    return window.chat_area.open()


def _toggle_chat_settings(window: Window) -> None:
    area, is_chat = window.chat_area, window.navigation.page is Page.CHAT
    window.navigation.show(Page.CHAT)
    if area.is_open and is_chat:
        area.close_panel()
    else:
        area.open().focus_first_field()


def _new_chat(window: Window) -> None:
    if (folder_id := window.pages.project_in_front) is not None:
        window.conversations.new_chat_in(folder_id)
    else:
        window.conversations.new_chat()


def _write_in(window: Window, folder_id: FolderId, content: str | list[str] | bytes) -> None:
    def write() -> None:
        match content:
            case str():
                window.chat.composer.insert_text(content)
            case bytes():
                window.chat.attachments.add_image(content)
            case _:
                window.chat.attachments.add_files(content)

    window.conversations.new_chat_in(folder_id, then=write)


def _show_project(window: Window, folder_id: FolderId) -> None:
    window.navigation.show(Page.PROJECTS)
    window.pages.projects.open_project(folder_id)


def _show_memory(window: Window, folder_id: FolderId) -> None:
    window.navigation.show(Page.MEMORY)
    window.pages.memory.show_project(folder_id)


def _show_collection(window: Window, collection_id: CollectionId) -> None:
    window.navigation.show(Page.DOCUMENTS)
    window.pages.documents.open_collection(collection_id)


def _use_model(window: Window, model_id: str) -> None:
    window.navigation.show(Page.CHAT)
    _choose_model(window, model_id)


def _choose_model(window: Window, model_id: str) -> None:
    selected = ModelId(model_id)
    window.conversations.choose_model(selected)
    # Loading while the user writes makes the first answer come sooner.
    if isinstance(window.models.state(selected), Unloaded | Broken):
        window.model_controller.load(selected)
    window.chat.focus_composer()


def _export_chats(window: Window, ids: tuple[ConversationId, ...]) -> None:
    model = window.sidebar.model
    summary = model.summary(ids[0]) if len(ids) == 1 else None
    title = summary.title if summary is not None else ""
    window.transfers.show_export(ids, title=title, n_all=model.n_conversations)
