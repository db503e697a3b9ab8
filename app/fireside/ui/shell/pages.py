"""Makes the pages of a window, each when it is first wanted: the window starts faster and takes less memory.

Titles, icons, keys and places of pages are in ``ui/page.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from fireside.core.events import AppEvent
from fireside.core.hub import CheckEnded, CheckProgressed
from fireside.core.ids import CollectionId, FolderId
from fireside.core.library import MoveEnded, MoveProgressed
from fireside.settings.window_state import LibraryViewState
from fireside.ui.downloads.download_controller import DownloadController
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.page import Page
from fireside.ui.shell.navigation import Navigation
from fireside.ui.speech.speech_view import SpeechView
from fireside.ui.transfer import TransferController
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.discover import DiscoverController, DiscoverPage
    from fireside.ui.documents.documents_page import DocumentsPage
    from fireside.ui.downloads.downloads_page import DownloadsPage
    from fireside.ui.hardware.hardware_page import HardwarePage
    from fireside.ui.library.library_page import LibraryPage
    from fireside.ui.memory.memory_page import MemoryPage
    from fireside.ui.projects.chat_project import ProjectParts
    from fireside.ui.projects.projects_page import ProjectsPage
    from fireside.ui.settings.settings_page import SettingsPage
    from fireside.ui.skills.skills_page import SkillsPage
    from fireside.ui.tool_servers.tools_page import ToolsPage


class WindowPages(QObject):
    """The pages of a window besides the chat. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        navigation: Navigation,
        downloads: DownloadController,
        downloads_view: DownloadsView,
        speech: SpeechView,
        transfers: TransferController,
        chat_with: Callable[[CollectionId], None],
        project_parts: Callable[[], ProjectParts],
    ) -> None:
        """``chat_with`` shows a new chat that asks a collection; ``project_parts`` returns what projects are
        shown from."""
        super().__init__(context.window)
        self.library_view_state = LibraryViewState()
        """How the list of models is shown when its page is made."""
        self._context = context
        self._navigation = navigation
        self._downloads = downloads
        self._downloads_view = downloads_view
        self._speech = speech
        self._transfers = transfers
        self._chat_with = chat_with
        self._project_parts = project_parts

    def make(self, page: Page) -> object:
        """Make a page, which adds itself to the navigation."""
        match page:
            case Page.CHAT:
                raise AssertionError("The chat is made with the window.")
            case Page.DISCOVER:
                return self.discover
            case Page.MODELS:
                return self.library
            case Page.DOCUMENTS:
                return self.documents
            case Page.PROJECTS:
                return self.projects
            case Page.DOWNLOADS:
                return self.downloads
            case Page.TOOLS:
                return self.tools
            case Page.MEMORY:
                return self.memory
            case Page.SKILLS:
                return self.skills
            case Page.HARDWARE:
                return self.hardware
            case Page.SETTINGS:
                return self.settings

    def handle(self, event: AppEvent) -> None:
        """Pass an event to the pages that exist."""
        match event:
            case CheckProgressed() | CheckEnded() | MoveProgressed() | MoveEnded():
                self.library.controller.handle(event)  # it remembers what another window has checked
            case _:
                self._navigation.handle(event)

    @cached_property
    def discover_controller(self) -> DiscoverController:
        from fireside.ui.discover import DiscoverController

        return DiscoverController(self._context, downloads=self._downloads_view)

    @cached_property
    def discover(self) -> DiscoverPage:
        from fireside.ui.speech.part_list import SpeechSection

        page = self.discover_controller.page
        page.start.make_speech = lambda: SpeechSection(self._speech)
        self._navigation.add(
            Page.DISCOVER,
            page,
            on_shown=page.focus_main_control,
            handle_in_front=self.discover_controller.handle,
        )
        return page

    @cached_property
    def library(self) -> LibraryPage:
        from fireside.ui.library.library_page import LibraryPage

        page = LibraryPage(self._context)
        page.restore(self.library_view_state)
        self._navigation.add(Page.MODELS, page, on_shown=page.focus_current_page)
        return page

    @property
    def shown_library_view_state(self) -> LibraryViewState:
        """How the list of models is shown now, or will be."""
        return self.library.view_state if "library" in vars(self) else self.library_view_state

    @cached_property
    def documents(self) -> DocumentsPage:
        from fireside.ui.documents.documents_page import DocumentsPage

        page = DocumentsPage(self._context, ask=self._chat_with)
        self._navigation.add(
            Page.DOCUMENTS, page, on_shown=page.focus_first_field, handle_in_front=page.controller.handle
        )
        return page

    @cached_property
    def projects(self) -> ProjectsPage:
        from fireside.ui.projects.projects_page import ProjectsPage

        page = ProjectsPage(self._context, self._project_parts())
        self._navigation.add(
            Page.PROJECTS, page, on_shown=page.focus_first_field, handle_in_front=page.controller.handle
        )
        return page

    def apply_typed(self) -> None:
        """Apply what is still being typed on a page: the window closes."""
        if "projects" in vars(self):
            self.projects.project.apply_typed()

    @property
    def project_in_front(self) -> FolderId | None:
        """The project whose page is in front."""
        if self._navigation.page is not Page.PROJECTS or self.projects.in_front is None:
            return None
        return self.projects.in_front.id

    @cached_property
    def downloads(self) -> DownloadsPage:
        page = self._downloads.page
        self._navigation.add(Page.DOWNLOADS, page, on_shown=page.focus_first_row)
        return page

    @cached_property
    def tools(self) -> ToolsPage:
        from fireside.ui.tool_servers.tools_page import ToolsPage

        page = ToolsPage(self._context)
        self._navigation.add(
            Page.TOOLS,
            page,
            on_shown=page.focus_first_field,
            handle=page.controller.handle,
            handle_in_front=page.controller.handle_in_front,
        )
        return page

    @cached_property
    def memory(self) -> MemoryPage:
        from fireside.ui.memory.memory_page import MemoryPage

        page = MemoryPage(self._context)
        self._navigation.add(
            Page.MEMORY,
            page,
            on_shown=page.focus_first_field,
            handle_in_front=page.controller.handle_in_front,
        )
        return page

    @cached_property
    def skills(self) -> SkillsPage:
        from fireside.ui.skills.skills_page import SkillsPage

        page = SkillsPage(self._context)
        self._navigation.add(
            Page.SKILLS,
            page,
            on_shown=page.focus_first_field,
            handle_in_front=page.controller.handle_in_front,
        )
        return page

    @cached_property
    def hardware(self) -> HardwarePage:
        from fireside.ui.hardware.hardware_page import HardwarePage

        page = HardwarePage(self._context)
        self._navigation.add(
            Page.HARDWARE, page, on_shown=page.focus_refresh_button, handle=page.runtimes.handle
        )
        return page

    @cached_property
    def settings(self) -> SettingsPage:
        from fireside.ui.settings.settings_page import SettingsPage

        page = SettingsPage(self._context)
        self._transfers.connect_row(page.backups)
        self._navigation.add(Page.SETTINGS, page, handle_in_front=page.handle)
        return page
