"""The sidebar: new chat, search, the pages, the list of chats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMenu,
    QStackedWidget,
    QWidget,
)

from fireside.core.chat import ConversationSummary, Folder
from fireside.core.events import AppEvent
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, FolderId
from fireside.ui.commands import Command
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.page import PAGES, Page, PageSpec, sidebar_page
from fireside.ui.sidebar.delegate import SCROLL_BAR_PX
from fireside.ui.sidebar.folder_controller import FolderController
from fireside.ui.sidebar.groups import Sort, seconds_to_midnight
from fireside.ui.sidebar.menus import Menus
from fireside.ui.sidebar.model import ConversationModel, chat_count
from fireside.ui.sidebar.nav_button import DownloadButton, NavButton
from fireside.ui.sidebar.view import ConversationList
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.app_mark import AppMark
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.search import SearchController, SearchPane


class SelectionBar(QFrame):
    """Visible only while several chats are selected."""

    def __init__(
        self, context: WindowContext, *, model: ConversationModel, folders: FolderController
    ) -> None:
        super().__init__()
        self.setObjectName("selectionBar")
        self.setAccessibleName(tr("Selected chats"))
        self._model = model
        self._folders = folders
        self._menus = Menus(context, folders=folders, owner=self)
        self._ids: tuple[ConversationId, ...] = ()
        self._are_archived = False
        self.count = ElidedLabel(role="strong")
        self.move_button = IconButton("folder-input", name=tr("Move to folder"))
        self.move_button.clicked.connect(self.open_move_menu)
        self.archive_button = IconButton("archive", name=tr("Archive", "verb"))
        self.archive_button.clicked.connect(self._on_archive)
        self.delete_button = IconButton("trash-2", name=tr("Delete"))
        self.delete_button.clicked.connect(lambda: folders.delete(self._ids))
        self.cancel_button = IconButton("x", name=tr("Clear selection"), size=16)
        row(
            stretch(self.count),
            self.move_button,
            self.archive_button,
            self.delete_button,
            self.cancel_button,
            spacing=SPACE_XS,
            margins=(SPACE_M, SPACE_XS, SPACE_XS, SPACE_XS),
            on=self,
        )
        self.hide()

    def show_selection(self, ids: tuple[ConversationId, ...]) -> None:
        """Show the actions for ``ids``; hide where there are none."""
        self._ids = ids
        summaries = [s for s in map(self._model.summary, ids) if s is not None]
        self._are_archived = bool(summaries) and all(summary.archived for summary in summaries)
        self.archive_button.set_icon("archive-restore" if self._are_archived else "archive")
        self.archive_button.set_name(tr("Unarchive") if self._are_archived else tr("Archive", "verb"))
        self.count.set_full_text(chat_count(len(ids)))
        self.setVisible(bool(ids))

    @Slot()
    def open_move_menu(self) -> QMenu:
        """Open the menu of folders to move the selected chats to."""
        menu = self._menus.move_menu(self._ids, folders=self._model.folders, current_folder=None, parent=self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.move_button.mapToGlobal(QPoint(0, self.move_button.height())))
        return menu

    @Slot()
    def _on_archive(self) -> None:
        change = self._folders.unarchive if self._are_archived else self._folders.archive
        change(self._ids)


WIDTH = 272
_CLOCK_MS = 30_000
_FOLD_BELOW: Final = 460
"""Height in pixels at the normal text size below which the pages share one row."""


class Sidebar(QFrame):
    """The list of conversations, their search, and navigation to the other pages. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self._context = context
        self._now = now
        self.model = ConversationModel(now=now, parent=self)
        self.folders = FolderController(context, self.model)
        self.list = ConversationList(context, model=self.model, folders=self.folders)
        self.selection_bar = SelectionBar(context, model=self.model, folders=self.folders)
        self._search_controller: SearchController | None = None
        self._is_unavailable = False
        self._was_read = False
        self.filter = SearchField(tr("Search chats"), is_row=True)
        self._menus = Menus(context, folders=self.folders, owner=self)
        self._open_id: ConversationId | None = None
        self._page = Page.CHAT
        self._pages: dict[Page, NavButton] = {}
        self.downloads = DownloadButton(action=context.commands.actions[Page.DOWNLOADS])
        top = column(
            self._make_top(),
            self._make_rows(),
            spacing=SPACE_M,
            margins=(SPACE_M - SPACE_XS, 0, SPACE_M - SPACE_XS, 0),
        )
        column(
            top,
            self._make_heading(),
            stretch(self._make_body()),
            self.selection_bar,
            self._make_footer(),
            spacing=0,
            margins=(0, SPACE_M + 2, 0, 0),
            on=self,
        )
        self._connect()
        self._mark()
        self._clock_timer = QTimer(self)
        self._clock_timer.setInterval(_CLOCK_MS)
        self._clock_timer.timeout.connect(self._on_tick)
        self._midnight_timer = QTimer(self)
        self._midnight_timer.setSingleShot(True)
        self._midnight_timer.timeout.connect(self.regroup)
        self.regroup()

    @cached_property
    def search(self) -> SearchPane:
        """The search results. Imported and created at first use: they are half of the sidebar's widgets."""
        from fireside.ui.search import SearchController, SearchPane

        pane = SearchPane(now=self._now)
        pane.filters.set_folders(self.model.folders)
        pane.list.focus_field_requested.connect(self.focus_search)
        pane.list.cancelled.connect(self.end_search)
        self._body.addWidget(pane)
        self._search_controller = SearchController(self._context, pane)
        return pane

    def handle(self, event: AppEvent) -> None:
        """Pass an event to the search, which may then find more."""
        if self._search_controller is not None:
            self._search_controller.handle(event)

    def set_conversations(
        self, summaries: Sequence[ConversationSummary], *, folders: Sequence[Folder] = ()
    ) -> None:
        self._was_read = True
        self.model.replace_all(summaries, folders=folders)
        self._offer_folders()

    def set_unavailable(self) -> None:
        """Say, where the list is empty, that the chats could not be read, in place of that there are none."""
        self._is_unavailable = True
        self._update_body()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """Replace all folders, in order from the top."""
        self.model.set_folders(folders)
        self._offer_folders()

    def _offer_folders(self) -> None:
        if self._search_controller is not None:
            self.search.filters.set_folders(self.model.folders)

    def set_active(self, conversation_id: ConversationId | None) -> None:
        """Set the conversation that is open; ``None`` for the new chat."""
        self._open_id = conversation_id
        self._mark()
        self.list.show_current(self.model.active)

    def set_page(self, page: Page) -> None:
        """Set the page that is shown."""
        self._page = page
        self._mark()
        self.list.mark_current(self.model.active)

    def _mark(self) -> None:
        """Mark where the window is: one page, the new chat or one conversation."""
        is_chat = self._page is Page.CHAT
        self.model.set_active(self._open_id if is_chat else None)
        self.new_chat.setChecked(is_chat and self._open_id is None)
        shown = sidebar_page(self._page)
        for page, button in self._pages.items():
            button.setChecked(page is shown)
        self.downloads.update_visible()

    @Slot()
    def focus_search(self) -> None:
        """Give the keyboard focus to the search field."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    @Slot()
    def regroup(self) -> None:
        """Group by date again, now and after each midnight."""
        self.model.regroup()
        self._midnight_timer.start(int(seconds_to_midnight(self._now()) * 1000) + 500)

    def _make_top(self) -> QHBoxLayout:
        brand = Label("Fireside")
        brand.setObjectName("brand")
        self.hide_button = IconButton("panel-left", name=tr("Hide sidebar"))
        self.hide_button.clicked.connect(self._context.commands.actions[Command.SIDEBAR].trigger)
        self.hide_button.follow_shortcut(self._context.commands.actions[Command.SIDEBAR])
        mark = AppMark(size=26)
        margins = (SPACE_XS, 0, 0, 0)
        return row(mark, brand, stretch(), self.hide_button, spacing=SPACE_S + 1, margins=margins)

    def _make_rows(self) -> QBoxLayout:
        """Make the rows of the window: new chat, search, and the pages that people use."""
        new_chat = self._context.commands.actions[Command.NEW_CHAT]
        self.new_chat = NavButton(tr("New chat"), icon="square-pen", action=new_chat, tint="accent")
        self.new_chat.clicked.connect(self._context.router.new_chat)
        self._foldable = self._page_rows(in_footer=False)
        self._pages_layout = column(*self._foldable, spacing=0)
        return column(self.new_chat, self.filter, boxed(self._pages_layout), spacing=0)

    def _page_rows(self, *, in_footer: bool) -> tuple[NavButton, ...]:
        specs = (spec for spec in PAGES.values() if spec.parent is None and spec.is_in_footer == in_footer)
        return tuple(map(self._page_row, specs))

    def _page_row(self, spec: PageSpec) -> NavButton:
        page, action = spec.page, self._context.commands.actions[spec.page]
        button = (
            self.downloads
            if page is Page.DOWNLOADS
            else NavButton(action.text(), icon=spec.icon, action=action)
        )
        button.clicked.connect(lambda: self._context.router.toggle_page(page))
        self._pages[page] = button
        return button

    def _make_heading(self) -> QWidget:
        """Make the heading of the chats, with what concerns all of them."""
        new_folder = self._context.commands.actions[Command.NEW_FOLDER]
        self.new_folder_button = IconButton(
            "folder-plus", name=tr("New folder"), size=16, on_click=new_folder.trigger
        )
        self.new_folder_button.follow_shortcut(new_folder)
        self.list_menu_button = IconButton(
            "ellipsis", name=tr("Chat list options"), size=16, on_click=self.open_list_menu
        )
        self._heading = boxed(
            row(
                stretch(Label(tr("Chats"), role="mute")),
                self.new_folder_button,
                self.list_menu_button,
                spacing=0,
                margins=(SPACE_M + SPACE_S, SPACE_M, SPACE_M, 0),
            )
        )
        return self._heading

    @Slot()
    def open_list_menu(self, at: QPoint | None = None) -> QMenu:
        """Open the menu of the whole list at ``at`` on the screen, by default below its button."""
        button = self.list_menu_button
        menu = self._menus.for_list(
            sort=self.model.sort_order,
            on_sort=self.model.set_sort,
            on_select_all=self._select_all if len(self.model.displayed_ids) > 1 else None,
        )
        menu.popup(at or button.mapToGlobal(QPoint(0, button.height())))
        return menu

    def _select_all(self) -> None:
        self.list.select_ids(self.model.displayed_ids)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the whole list where no chat or folder has one of its own."""
        self.open_list_menu(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """In a low window let the pages share one row, so that there is room for chats."""
        is_low = self.height() < theme().scaled(_FOLD_BELOW)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._pages_layout.setDirection(across if is_low else down)
        for button in self._foldable:
            button.fold(is_folded=is_low)

    def restore_sort_order(self, name: str) -> None:
        """Restore the order in use when the program was last closed; an unknown ``name`` changes nothing."""
        if name in list(Sort):
            self.model.set_sort(Sort(name))

    def _make_body(self) -> QStackedWidget:
        self._empty_label = WrappedLabel(role="mute")
        self._empty_label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._empty_label.setContentsMargins(SPACE_M, SPACE_M * 2, SPACE_M, 0)
        self._body = QStackedWidget()
        self._body.setContentsMargins(SCROLL_BAR_PX, 0, 0, 0)
        self._body.setObjectName("sideBody")
        self._body.addWidget(self.list)
        self._body.addWidget(self._empty_label)
        return self._body

    def _make_footer(self) -> QFrame:
        footer = QFrame()
        footer.setObjectName("foot")
        column(
            *self._page_rows(in_footer=True),
            spacing=0,
            margins=(SPACE_M - SPACE_XS, SPACE_S, SPACE_M - SPACE_XS, SPACE_S),
            on=footer,
        )
        self.downloads.hide()
        return footer

    def page_button(self, page: Page) -> NavButton:
        """Return the row that is checked while ``page`` is open."""
        return self._pages[sidebar_page(page)]

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._on_filter_changed)
        self.filter.installEventFilter(self)
        theme().changed.connect(self._fit)
        self.list.search_requested.connect(self.focus_search)
        self.list.selected_ids_changed.connect(self._on_selection_changed)
        self.selection_bar.cancel_button.clicked.connect(self.list.clear_chat_selection)
        self.model.rename_requested.connect(self.folders.rename)
        self.model.folder_rename_requested.connect(self.folders.rename_folder)
        self.folders.folder_created.connect(self._name_folder)
        self.model.regrouped.connect(self._update_body)

    @Slot()
    def end_search(self) -> None:
        """Leave the search and show the list of chats."""
        had_focus = self._is_searching and self.search.isAncestorOf(self.focusWidget() or self)
        self.filter.clear()
        if had_focus:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _name_folder(self, folder_id: FolderId) -> None:
        """Edit the name of a new folder."""
        self.end_search()
        self.list.setFocus()
        self.list.rename_folder(folder_id)

    @Slot()
    def _on_selection_changed(self) -> None:
        self.selection_bar.show_selection(self.list.selected_ids)

    @property
    def _is_searching(self) -> bool:
        return bool(self.filter.text().strip())

    @Slot()
    def _update_body(self) -> None:
        self._heading.setVisible(not self._is_searching)
        if self._is_searching:
            self._body.setCurrentWidget(self.search)
            return
        if self.model.rowCount():
            self._body.setCurrentWidget(self.list)
            return
        none = tr("No chats yet") if self._was_read else ""
        self._empty_label.setText(tr("Chats not available") if self._is_unavailable else none)
        if self.list.hasFocus():
            # Not a text field, which would handle Ctrl+Z itself just after a chat was deleted.
            self.new_chat.setFocus(Qt.FocusReason.OtherFocusReason)
        self._body.setCurrentWidget(self._empty_label)

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        if self._is_searching or self._search_controller is not None:
            self.search.set_text(text)
        self._update_body()

    @Slot()
    def _on_tick(self) -> None:
        self.list.viewport().update()

    def showEvent(self, event: object) -> None:  # noqa: ARG002 - Qt's signature
        self._clock_timer.start()

    def hideEvent(self, event: object) -> None:  # noqa: ARG002 - Qt's signature
        self._clock_timer.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.filter and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            match event.key():
                case Qt.Key.Key_Down:
                    below = self.search.list if self._is_searching else self.list
                    below.setFocus(Qt.FocusReason.TabFocusReason)
                    return True
                case Qt.Key.Key_Return | Qt.Key.Key_Enter if self._is_searching:
                    self.search.open_first()
                    return True
                case Qt.Key.Key_Escape if self.filter.text():
                    self.filter.clear()
                    return True
        return super().eventFilter(watched, event)
