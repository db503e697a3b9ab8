"""Keep the projects that are shown up to date, and carry out the actions of their pages."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from fireside.core.chat import ConversationSummary, Folder
from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.events import (
    AppEvent,
    CollectionsChanged,
    ConversationChanged,
    ConversationDeleted,
    FactsChanged,
    FoldersChanged,
    PresetsChanged,
    SettingsChanged,
    SkillsChanged,
    ToolServersChanged,
)
from fireside.core.facts import FactPlace
from fireside.core.i18n import tr
from fireside.core.ids import CollectionId, ConversationId, FolderId, ModelId
from fireside.core.options import SettingValue
from fireside.core.preset import Preset, apply_preset, prompted_variables
from fireside.core.project import DEFAULT_MODEL_KEY, suggested_facts
from fireside.core.search import SearchQuery, SearchResult
from fireside.core.skills import SkillState
from fireside.core.transfer import TransferProgressed
from fireside.settings.layers import project_settings
from fireside.settings.values import Origin, ProjectLayer, ResolvedSetting
from fireside.ui.commands import Command
from fireside.ui.documents.documents_controller import NameSheet
from fireside.ui.kit.file_dialogs import choose_files, choose_folder
from fireside.ui.memory.fact_sheet import FactSheet
from fireside.ui.page import Page
from fireside.ui.preset_names import localized_name
from fireside.ui.projects.chat_project import ProjectParts
from fireside.ui.tasks import LatestRequest, task
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.text import escape_mnemonic, truncate_text
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.projects.export_sheet import ProjectExportSheet
    from fireside.ui.projects.projects_page import ProjectsPage

_FOUND_CHATS = 500
_MAX_CHARS = 40


class ProjectController(QObject):
    """The controller of the ``ProjectsPage``. GUI thread only."""

    def __init__(self, context: WindowContext, parts: ProjectParts, *, page: ProjectsPage) -> None:
        super().__init__(page)
        self._context = context
        self._client = context.client
        self._tasks = context.tasks
        self._parts = parts
        self._page = page
        self._found: frozenset[ConversationId] | None = None
        """The chats that the search found; ``None`` where nothing is searched for."""
        self.export_sheet: ProjectExportSheet | None = None
        self._exporting: asyncio.Task[None] | None = None
        self._settings_request = LatestRequest(context.tasks)
        self._search_request = LatestRequest(context.tasks)

    def _on_error(self, error: FiresideError) -> None:
        self._context.show_error(error)

    # Display

    def folder(self, folder_id: FolderId) -> Folder | None:
        """Return a project; ``None`` where it does not exist."""
        return self._parts.chats.folder(folder_id)

    @property
    def _shown(self) -> Folder | None:
        folder = self._page.project.folder
        return None if folder is None else self.folder(folder.id)

    def chats_in(self, folder_id: FolderId) -> tuple[ConversationSummary, ...]:
        """Return the chats of a project."""
        return tuple(each for each in self._parts.chats.summaries() if each.folder_id == folder_id)

    def chat_counts(self) -> Mapping[FolderId | None, int]:
        """Return how many chats each project has."""
        return Counter(each.folder_id for each in self._parts.chats.summaries())

    def refresh(self) -> None:
        """Show everything again: the page has become visible, or something has changed."""
        self._page.show_projects(self._parts.chats.folders)
        if (folder := self._shown) is None:
            return
        page = self._page.project
        page.show_project(folder)
        page.show_presets(self._parts.presets.presets)
        page.show_models(self._context.models.usable)
        known = {each.id: each for each in self._parts.collections()}
        page.show_collections([known[id_] for id_ in folder.collections if id_ in known])
        self._show_chats()
        self.show_facts()
        self._show_tools()
        work = self._client.settings.resolved(model_id=folder.model_id, conversation_id=None)
        self._settings_request.run(
            work, on_done=partial(self._show_settings, folder), on_error=self._on_error
        )

    def _show_settings(self, folder: Folder, resolved: tuple[ResolvedSetting, ...]) -> None:
        own = project_settings(folder)
        self._page.project.show_settings(
            {
                key: replace(setting, value=own[key], origin=Origin.PROJECT) if key in own else setting
                for setting in resolved
                for key in (setting.definition.key,)
            }
        )

    @task
    async def _show_tools(self) -> None:
        servers = await self._client.tool_servers.servers()
        skills = await self._client.skills.skills()
        self._page.project.show_tools(
            servers=(info.server.name for info in servers),
            skills=(skill.key for skill in skills if skill.state is SkillState.READY),
        )

    def _show_chats(self) -> None:
        if (folder := self._shown) is not None:
            self._page.project.chats.show_chats(self.chats_in(folder.id), found=self._found)

    def handle(self, event: AppEvent) -> None:
        """Apply an event of the engine thread, after the sidebar has."""
        match event:
            case FactsChanged():
                self.show_facts()
            case ToolServersChanged() | SkillsChanged():
                self._show_tools()
            case FoldersChanged() | SettingsChanged() | PresetsChanged() | CollectionsChanged():
                self.refresh()
            case TransferProgressed(n_done=n_done, n_total=n_total) if self.export_sheet is not None:
                self.export_sheet.show_progress(n_done, n_total)
            case ConversationChanged() | ConversationDeleted():
                self._page.show_projects(self._parts.chats.folders)
                self._show_chats()
            case _:
                pass

    def search(self, text: str) -> None:
        """Show only the chats whose titles or messages contain ``text``; empty for all."""
        if (folder := self._shown) is None or not text:
            self._search_request.cancel()
            self._found = None
            self._show_chats()
            return

        def on_done(result: SearchResult) -> None:
            self._found = frozenset(match.summary.id for match in result.matches)
            self._show_chats()

        query = SearchQuery(text=text, folder_id=folder.id, limit=_FOUND_CHATS)
        self._search_request.run(self._client.folders.search(query), on_done=on_done, on_error=self._on_error)

    # Chats

    def new_chat(self) -> None:
        """Show a new chat that begins in the project."""
        if (folder := self._shown) is not None:
            self._context.router.new_chat_in(folder.id)

    def write(self, content: str | list[str] | bytes) -> None:
        """Go on writing in a new chat of the project: a text, with files, or with an image as PNG."""
        if (folder := self._shown) is not None:
            self._context.router.write_in(folder.id, content)

    def open_chat(self, conversation_id: ConversationId) -> None:
        """Open a chat of the project."""
        self._context.router.open_chat(conversation_id)

    # Settings

    @task
    async def change(self, folder_id: FolderId, key: str, value: SettingValue) -> None:
        """Set what a project sets for its chats; ``None`` removes it."""
        layer = ProjectLayer(folder_id=folder_id)
        try:
            if value is None:
                await self._client.settings.clear(layer, key=key)
            else:
                await self._client.settings.change(layer, key=key, value=value)
        except SettingInvalid as error:
            self._page.project.show_invalid(key, error)

    def set_model(self, model_id: ModelId | None) -> None:
        """Set the model of the project's new chats; ``None`` for that of other chats."""
        if (folder := self._shown) is not None:
            self.change(folder.id, DEFAULT_MODEL_KEY, model_id)

    def use_preset(self, preset: Preset | None) -> None:
        """Ask for the values of a preset's variables, then apply it to the project; ``None`` removes the
        project's preset."""
        if (folder := self._shown) is None:
            return
        if preset is None:
            self._tasks.run(self._client.projects.remove_preset(folder.id))
            return
        if not (names := prompted_variables(preset.text)):
            self._apply(folder.id, preset, {})
            return
        from fireside.ui.presets.values_sheet import ValuesSheet

        sheet = ValuesSheet(
            names,
            title=localized_name(preset),
            values={**preset.defaults, **preset.remembered},
            parent=self._context.window,
        )
        sheet.submitted.connect(partial(self._apply, folder.id, preset))
        sheet.finished.connect(self.refresh)
        sheet.open()

    @task
    async def _apply(self, folder_id: FolderId, preset: Preset, values: dict[str, str]) -> None:
        await self._client.projects.apply_preset(folder_id, apply_preset(preset, values))
        if preset.model_id is not None:
            layer = ProjectLayer(folder_id=folder_id)
            await self._client.settings.change(layer, key=DEFAULT_MODEL_KEY, value=preset.model_id)

    # Documents

    def choose_files(self) -> None:
        """Let the user select files, and add them to the project."""
        choose_files(self._context.window, tr("Add files"), self.add)

    def choose_folder(self) -> None:
        """Let the user select a folder, and add it to the project."""
        choose_folder(self._context.window, tr("Add folder"), lambda path: self.add([path]))

    @task
    async def add(self, paths: Sequence[str]) -> None:
        """Add files and folders to the project's own collection."""
        if (folder := self._shown) is not None:
            await self._client.projects.add_files(folder.id, paths)

    def detach(self, collection_id: CollectionId) -> None:
        """Let the project's chats be answered without a collection, which stays."""
        if (folder := self._shown) is not None:
            ids = tuple(id_ for id_ in folder.collections if id_ != collection_id)
            self._parts.folders.set_folder_collections(folder.id, ids)

    def open_collection(self, collection_id: CollectionId) -> None:
        """Show the page of a collection."""
        self._context.router.show_collection(collection_id)

    def collections_menu(self, parent: QWidget) -> QMenu:
        """Return the menu of the collections that the project can use."""
        menu = _menu(parent)
        if (folder := self._shown) is None:
            return menu
        for collection in self._parts.collections():
            is_on = collection.id in folder.collections
            others = tuple(id_ for id_ in folder.collections if id_ != collection.id)
            ids = others if is_on else (*others, collection.id)
            act = partial(self._parts.folders.set_folder_collections, folder.id, ids)
            action = _add(menu, truncate_text(escape_mnemonic(collection.name), length=_MAX_CHARS), "", act)
            action.setCheckable(True)
            action.setChecked(is_on)
        menu.addSeparator()
        _add(
            menu, tr("All collections"), "file-text", partial(self._context.router.show_page, Page.DOCUMENTS)
        )
        return menu

    # Memory

    @task
    async def show_facts(self) -> None:
        """Show what is remembered in the project, and what waits for the user."""
        facts = await self._client.facts.facts()
        if (folder := self._shown) is not None:
            own = [fact.text for fact in facts if fact.place.folder_id == folder.id]
            self._page.project.facts.show_facts(own, suggested_facts(folder.settings))

    def show_memory(self) -> None:
        """Show the page of remembered facts, with those of the project."""
        if (folder := self._shown) is not None:
            self._context.router.show_memory(folder.id)

    def add_fact(self) -> None:
        """Ask for a fact of the project."""
        if (folder := self._shown) is None:
            return
        place = FactPlace(folder_id=folder.id, name=folder.name)
        sheet = FactSheet(
            tr("Add fact"), "", [(place.label, place)], chosen=place, parent=self._context.window
        )
        sheet.submitted.connect(partial(self._add_fact, sheet))
        sheet.open()

    @task
    async def _add_fact(self, sheet: FactSheet, text: str, place: FactPlace) -> None:
        try:
            await self._client.facts.add(text, place=place)
        except FiresideError as error:
            sheet.show_status(error.sentence())
        else:
            sheet.accept()

    @task
    async def answer_fact(self, text: str, *, remembers: bool) -> None:
        """Remember a fact that came in the project's file, or refuse it."""
        if (folder := self._shown) is not None:
            await self._client.facts.answer_imported(folder.id, text, remembers=remembers)

    # The project itself

    def create(self) -> None:
        """Ask for the name of a new project, create it and show it."""
        NameSheet(
            tr("New project"), self._create, action_label=tr("Create"), parent=self._context.window
        ).open()

    @task
    async def _create(self, name: str) -> None:
        folder = await self._client.folders.create_folder(name=name)
        self._page.open_project(folder.id)

    def menu(self, parent: QWidget) -> QMenu:
        """Return the menu of the project that is shown."""
        menu = _menu(parent)
        if (folder := self._shown) is not None:
            _add(menu, tr("Rename…"), "pencil", partial(self._prompt_rename, folder))
            _add(menu, tr("Export…"), "export", self.prompt_export)
            menu.addSeparator()
            label = tr("Delete project, keep its chats")
            _add(menu, label, "trash-2", partial(self._parts.folders.delete_folder, folder.id))
        return menu

    def import_projects(self) -> None:
        """Let the user select files with projects and chats."""
        self._context.commands.actions[Command.IMPORT_CHATS].trigger()

    @task
    async def prompt_export(self) -> None:
        """Open the sheet that exports the project."""
        if (folder := self._shown) is None:
            return
        from fireside.ui.projects.export_sheet import ProjectExportSheet

        size = await self._client.transfer.project_size(folder.id)
        sheet = ProjectExportSheet(folder, size, parent=self._context.window)
        sheet.export_requested.connect(partial(self._start_export, sheet, folder.id))
        sheet.stop_requested.connect(self._stop_export)
        sheet.destroyed.connect(self._on_export_closed)
        self.export_sheet = sheet
        sheet.open()

    def _start_export(
        self, sheet: ProjectExportSheet, folder_id: FolderId, path: str, with_documents: bool
    ) -> None:
        self._exporting = self._export(sheet, folder_id, path, with_documents)

    def _stop_export(self) -> None:
        if self._exporting is not None:
            self._exporting.cancel()

    def _on_export_closed(self) -> None:
        self.export_sheet = None

    @task
    async def _export(
        self, sheet: ProjectExportSheet, folder_id: FolderId, path: str, with_documents: bool
    ) -> None:
        transfer = self._client.transfer
        try:
            size = await transfer.export_project(folder_id, target=path, with_documents=with_documents)
        except FiresideError as error:
            sheet.show_error(error.sentence())
            return
        sheet.is_busy = False
        sheet.accept()
        self._context.toast.show_message(
            tr("Project exported: %n chat|Project exported: %n chats", "", size.n_chats),
            action=tr("Show in folder"),
            icon="folder-open",
            on_action=lambda: self._context.reveal(path),
        )

    def _prompt_rename(self, folder: Folder) -> None:
        NameSheet(
            tr("Rename project"),
            partial(self._parts.folders.rename_folder, folder.id),
            action_label=tr("Rename"),
            name=folder.name,
            parent=self._context.window,
        ).open()


def _menu(parent: QWidget) -> Menu:
    menu = Menu(parent)
    menu.aboutToHide.connect(menu.deleteLater)
    menu.setAccessibleName(tr("Actions"))
    return menu


def _add(menu: QMenu, label: str, icon: str, act: Callable[[], object]) -> QAction:
    owner = menu.parentWidget()
    assert owner is not None, "it has the widget that opened it"
    action = QAction(label, menu)
    if icon:
        action.setIcon(theme().icon(icon, "mute", 16))
    # Deferred until the menu has closed, otherwise it takes the focus from what the action opens.
    action.triggered.connect(lambda _checked=False: QTimer.singleShot(0, owner, act))
    menu.addAction(action)
    return action
