"""The projects page: the list of all projects, or one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from fireside.core.chat import Folder
from fireside.core.i18n import tr
from fireside.core.ids import FolderId
from fireside.core.preset import PRESET_NAME_KEY
from fireside.settings.layers import project_settings
from fireside.ui.kit.click_card import ClickCard
from fireside.ui.kit.dropped_files import DropArea
from fireside.ui.kit.layout import boxed, column, destroy, make_card, row, scrolled, stacked, stretch
from fireside.ui.kit.sub_page import take_titles
from fireside.ui.projects.chat_project import ProjectParts
from fireside.ui.projects.project_controller import ProjectController
from fireside.ui.projects.project_page import ProjectPage
from fireside.ui.theme import SPACE_M, SPACE_XL
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.text import ElidedLabel, one_line
from fireside.ui.window_context import WindowContext

# Texts about projects. Pure.

_SEPARATOR = " · "


def project_summary(folder: Folder, *, n_chats: int) -> str:
    """Return in one line what a project has: “3 chats · Instructions · 2 collections”."""
    parts = [tr("%n chat|%n chats", "", n_chats)]
    if folder.instructions.strip():
        parts.append(tr("Instructions"))
    if preset := str(folder.settings.get(PRESET_NAME_KEY) or ""):
        parts.append(tr("Preset “{preset}”").format(preset=preset))
    if folder.collections:
        parts.append(tr("%n collection|%n collections", "", len(folder.collections)))
    if n_settings := len(project_settings(folder)) - bool(folder.instructions):
        parts.append(tr("%n setting|%n settings", "", n_settings))
    return _SEPARATOR.join(parts)


class ProjectCard(ClickCard):
    """A click on the card, or on its name, opens the project; the owner connects ``open``."""

    def __init__(self) -> None:
        super().__init__()
        self.open = Button("", kind="heading", icon="folder")
        self.about = ElidedLabel(role="small")
        self.clicked.connect(self.open.click)
        make_card(self, row(self.open, stretch()), self.about)

    def show_project(self, folder: Folder, *, n_chats: int) -> None:
        """Show the current name of a project and what it has."""
        about = project_summary(folder, n_chats=n_chats)
        self.open.set_label(one_line(folder.name))
        self.open.setAccessibleDescription(about)
        self.about.set_full_text(about)
        self.setAccessibleName(folder.name)


class ProjectsPage(QWidget):
    """Shows the projects; the controller carries out the actions."""

    def __init__(
        self,
        context: WindowContext,
        parts: ProjectParts,
        *,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.controller = ProjectController(context, parts, page=self)
        self._cards: dict[FolderId, ProjectCard] = {}
        self._pending_id: FolderId | None = None
        """A project to open as soon as it is in the list."""
        self.summary = ElidedLabel(role="mute")
        self.new = Button(tr("New project"), icon="folder-plus", on_click=self.controller.create)
        self.empty = EmptyState(
            "folder",
            title=tr("No projects yet"),
            text=tr(
                "A project is a folder of chats that share instructions, documents, a model and settings."
            ),
        )
        self.empty_new = Button(
            tr("New project"),
            icon="folder-plus",
            kind="primary",
            tint="on_accent",
            on_click=self.controller.create,
        )
        self.empty.add_button(self.empty_new)
        self.import_button = Button(tr("Import…"), icon="import", on_click=self.controller.import_projects)
        self.empty_import = Button(tr("Import…"), icon="import", on_click=self.controller.import_projects)
        self.empty.add_button(self.empty_import)
        self.project = ProjectPage(self.controller, now=now)
        self.project.closed.connect(self.show_all)
        self._list = column(stretch(), spacing=SPACE_M)
        head = row(stretch(self.summary), self.import_button, self.new)
        self._all = boxed(
            column(
                centred(head, top=SPACE_XL, bottom=SPACE_M),
                stretch(scrolled(centred(self._list, bottom=SPACE_XL, in_page_scroll=True))),
                spacing=0,
            )
        )
        self._pages = stacked(self._all, self.empty, self.project)
        take_titles(self, self._pages, self.project)
        column(stretch(self._pages), on=self)
        self.drop = DropArea(self, icon="file-plus", describe=self._drop_text, on_dropped=self.controller.add)

    @property
    def in_front(self) -> Folder | None:
        """The project whose page is in front."""
        return self.project.folder if self._pages.currentWidget() is self.project else None

    def focus_first_field(self) -> None:
        """Give the keyboard focus to the first control of the visible part."""
        match self._pages.currentWidget():
            case self.project:
                self.project.focus_first_field()
            case self.empty:
                self.empty_new.setFocus(Qt.FocusReason.OtherFocusReason)
            case _:
                first = next(iter(self._cards.values()), None)
                (self.new if first is None else first.open).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_projects(self, folders: Sequence[Folder]) -> None:
        """Show all projects; existing cards are updated instead of replaced."""
        ids = {folder.id for folder in folders}
        for removed_id in [folder_id for folder_id in self._cards if folder_id not in ids]:
            destroy(self._cards.pop(removed_id))
        n_chats = self.controller.chat_counts()
        for index, folder in enumerate(folders):
            card = self._cards.get(folder.id) or self._make_card(folder.id)
            card.show_project(folder, n_chats=n_chats.get(folder.id, 0))
            self._list.insertWidget(index, card)
            card.show()  # now, so that it can take the focus
        self.summary.set_full_text(tr("%n project|%n projects", "", len(folders)))
        if self._pending_id in ids:
            self.open_project(self._pending_id)
        elif self.in_front is None or self.in_front.id not in ids:
            self._pages.setCurrentWidget(self._all if folders else self.empty)

    def open_project(self, folder_id: FolderId) -> None:
        """Show a project, as soon as it is in the list."""
        folder = self.controller.folder(folder_id)
        self._pending_id = folder_id if folder is None else None
        if folder is None:
            return
        self.project.show_project(folder)
        self._pages.setCurrentWidget(self.project)
        self.controller.search("")
        self.controller.refresh()
        self.project.focus_first_field()

    @Slot()
    def show_all(self) -> None:
        """Return to the list of all projects, with the focus on the one that was open."""
        previous = self.in_front
        self._pages.setCurrentWidget(self._all if self._cards else self.empty)
        if previous is not None and previous.id in self._cards:
            self._cards[previous.id].open.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_first_field()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.controller.refresh()

    def _make_card(self, folder_id: FolderId) -> ProjectCard:
        card = ProjectCard()
        card.open.clicked.connect(lambda: self.open_project(folder_id))
        self._cards[folder_id] = card
        return card

    def _drop_text(self, paths: list[str]) -> tuple[str, str] | None:  # noqa: ARG002 - any path is accepted
        if self.in_front is None:
            return None
        return (
            tr("Drop to add to “{name}”").format(name=one_line(self.in_front.name)),
            tr("Files stay where they are."),
        )
