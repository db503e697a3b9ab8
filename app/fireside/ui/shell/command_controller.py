"""Runs the commands of menus and keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, is_temporary
from fireside.core.preset import SYSTEM_PROMPT_KEY
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.commands import Command, CommandId
from fireside.ui.page import PAGES, Page
from fireside.ui.shell.about_sheet import AboutSheet, AboutText
from fireside.ui.shell.window import Window
from fireside.ui.shortcuts import ShortcutsSheet
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.tab_stops import is_tab_stop

Handler = Callable[[], object]
Area = tuple[QWidget, Callable[[], None]]
"""A part of the window, and a function that gives it the keyboard focus."""


class CommandController(QObject):
    """Maps each command to the part of the window that handles it. GUI thread only."""

    def __init__(self, window: Window, *, about: Callable[[], AboutText]) -> None:
        super().__init__(window)
        self._window = window
        self._router = window.router
        self._about = about
        self._handlers: Mapping[CommandId, Handler] = {
            **self._for_chats(),
            **self._for_messages(),
            **self._for_presets(),
            **self._for_pages(),
            **self._for_window(),
        }
        window.commands.triggered.connect(self.run)
        window.sidebar.folders.deleted_changed.connect(self._update_undo_label)
        window.conversations.subject_changed.connect(self._update_chat_labels)

    @Slot(object)
    def run(self, command: CommandId) -> None:
        """Run ``command``."""
        self._handlers[command]()

    def _for_chats(self) -> Mapping[CommandId, Handler]:
        window, folders, router = self._window, self._window.sidebar.folders, self._router
        return {
            Command.NEW_CHAT: router.new_chat,
            Command.TEMPORARY_CHAT: window.conversations.temporary_chat,
            Command.KEEP_CHAT: self._keep_chat,
            Command.NEXT_CHAT: partial(window.conversations.open_adjacent, 1),
            Command.PREVIOUS_CHAT: partial(window.conversations.open_adjacent, -1),
            Command.RENAME_CHAT: self._with_open_chat(self._rename),
            Command.PIN_CHAT: self._with_open_chat(folders.toggle_pin),
            Command.ARCHIVE_CHAT: self._with_open_chat(folders.toggle_archived),
            Command.DELETE_CHAT: self._delete_chat,
            Command.UNDO_DELETE: folders.undo,
            Command.NEW_FOLDER: self._with_sidebar(folders.create_folder),
            Command.FIND_CHAT: self._with_sidebar(window.sidebar.focus_search),
            Command.EXPORT_CHAT: self._export_chat,
            Command.EXPORT_ALL: partial(router.export_chats, ()),
            Command.IMPORT_CHATS: window.transfers.show_import,
            Command.BACKUPS: window.transfers.show_backups,
            Command.CHAT_WINDOW: self._open_in_window,
        }

    def _for_messages(self) -> Mapping[CommandId, Handler]:
        chat = self._window.chat
        return {
            Command.EDIT_LAST: self._with_messages(chat.transcript.editor.begin_last),
            Command.ANSWER_AGAIN: self._with_messages(partial(self._act, MessageAction.REGENERATE)),
            Command.CONTINUE_ANSWER: self._with_messages(partial(self._act, MessageAction.CONTINUE)),
            Command.DELETE_LAST: self._with_messages(partial(self._act, MessageAction.DELETE_ONLY)),
            Command.BRANCHES: self._with_messages(chat.branch_controller.show_tree),
            Command.ARTIFACTS: self._in_chat(lambda: self._window.artifacts.open_list()),  # noqa: PLW0108 - made then
            Command.COMPARE: partial(self._router.show_page, Page.CHAT),  # ``ui.compare`` handles it
            Command.FIND_HERE: self._find,
            Command.WRITE: self._in_chat(chat.focus_composer),
            Command.TALK: self._in_chat(self._window.talk.start),
            Command.READ_ALOUD: self._read_aloud,
            Command.DICTATE: self._in_chat(self._window.dictation.toggle),
            Command.COPY_ANSWER: self._copy_answer,
            Command.COPY_PLAIN: self._copy_plain,
        }

    def _for_presets(self) -> Mapping[CommandId, Handler]:
        presets = self._window.presets
        return {
            Command.PRESETS: self._in_chat(presets.show_library),
            Command.SAVE_PRESET: self._in_chat(presets.save_chat),
            Command.LEAVE_PRESET: self._in_chat(presets.settings.remove_preset),
            Command.SYSTEM_PROMPT: partial(self._router.show_chat_setting, SYSTEM_PROMPT_KEY),
            Command.ANSWER_FORMAT: self._in_chat(presets.show_rule),
            Command.KEEP_SEED: self._in_chat(presets.reuse_last_seed),
            Command.RANDOM_SEED: self._in_chat(presets.use_random_seed),
        }

    def _for_pages(self) -> Mapping[CommandId, Handler]:
        window, areas = self._window, FocusAreas(self._window)
        return {
            Command.CHOOSE_MODEL: self._in_chat(window.header.open_picker),
            Command.HOW_IT_LOADS: window.header.show_details,
            Command.CHAT_SETTINGS: self._router.toggle_chat_settings,
            Command.SIDEBAR: window.navigation.toggle_sidebar,
            Command.NEXT_AREA: partial(areas.move_focus, 1),
            Command.PREVIOUS_AREA: partial(areas.move_focus, -1),
            **{page: partial(self._router.toggle_page, page) for page in PAGES},
        }

    def _for_window(self) -> Mapping[CommandId, Handler]:
        window, appearance = self._window, self._window.appearance
        return {
            Command.PALETTE: window.command_palette.open,
            Command.LARGER_TEXT: partial(appearance.change_text_size, 1),
            Command.SMALLER_TEXT: partial(appearance.change_text_size, -1),
            Command.USUAL_TEXT: appearance.reset_text_size,
            Command.FULL_SCREEN: self._toggle_full_screen,
            Command.SHORTCUTS: self._show_shortcuts,
            Command.ABOUT: self._show_about,
            Command.NEW_WINDOW: partial(self._router.open_window, None),
            Command.QUICK_QUESTION: window.quick_question_requested.emit,
            Command.CLOSE_WINDOW: window.close,
            Command.LOCK: self._router.lock,
            Command.QUIT: self._router.quit,
        }

    def _in_chat(self, action: Handler) -> Handler:
        """Return a handler that shows the chat page before it calls ``action``."""

        def handler() -> None:
            self._router.show_page(Page.CHAT)
            action()

        return handler

    def _with_sidebar(self, action: Handler) -> Handler:
        """Return a handler that shows the sidebar before it calls ``action``."""

        def handler() -> None:
            self._window.navigation.show_sidebar()
            action()

        return handler

    def _with_open_chat(self, action: Callable[[ConversationId], object]) -> Handler:
        """Return a handler that calls ``action`` with the open chat, or reports that it is empty or in no
        list."""

        def handler() -> None:
            open_id = self._window.conversations.conversation_id
            if is_temporary(open_id):
                self._show_note(tr("Keep this temporary chat first"))
            elif open_id is not None:
                action(open_id)
            else:
                self._show_note(tr("This chat is empty"))

        return handler

    def _with_messages(self, action: Handler) -> Handler:
        """Return a handler that shows the chat page, then calls ``action`` or reports an empty chat."""

        def handler() -> None:
            self._router.show_page(Page.CHAT)
            if self._window.chat.transcript.entries:
                action()
            else:
                self._show_note(tr("This chat is empty"))

        return handler

    def _find(self) -> None:
        """Focus the search field of the current page, else open the search in the chat."""
        navigation = self._window.navigation
        front = None if navigation.page is Page.CHAT else navigation.stack.currentWidget()
        fields = [] if front is None else front.findChildren(SearchField)
        field = next((each for each in fields if each.isVisible()), None)
        if field is None:
            self._with_messages(self._window.chat.transcript.finder.open)()
        else:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    def _act(self, action: MessageAction) -> None:
        if not self._window.chat.branch_controller.act_on_last(action):
            self._show_note(tr("Not available for the last message"))

    def _read_aloud(self) -> None:
        if self._window.read_aloud.is_reading:
            self._window.read_aloud.stop()
        else:
            self._with_messages(partial(self._act, MessageAction.READ_ALOUD))()

    def _show_note(self, text: str) -> None:
        self._window.toast.show_message(text)

    def _keep_chat(self) -> None:
        conversations = self._window.conversations
        if not is_temporary(conversations.conversation_id):
            self._show_note(tr("Only a temporary chat has to be kept"))
        elif conversations.has_unkept:
            conversations.keep()
        else:
            self._show_note(tr("This chat is empty"))

    def _delete_chat(self) -> None:
        """Delete the open chat; close one that is temporary."""
        conversations, folders = self._window.conversations, self._window.sidebar.folders
        if is_temporary(conversations.conversation_id):
            conversations.new_chat()
        else:
            self._with_open_chat(lambda open_id: folders.delete((open_id,)))()

    def _open_in_window(self) -> None:
        open_id = self._window.conversations.conversation_id
        if is_temporary(open_id):
            self._show_note(tr("Keep this temporary chat first"))
        else:
            self._router.open_window(open_id)

    def _rename(self, open_id: ConversationId) -> None:
        self._window.navigation.show_sidebar()
        self._window.sidebar.filter.clear()
        self._window.sidebar.list.rename(open_id)

    def _export_chat(self) -> None:
        open_id = self._window.conversations.conversation_id
        self._router.export_chats(() if open_id is None else (open_id,))

    def _copy_answer(self) -> None:
        text = self._window.conversations.last_answer()
        if text:
            QGuiApplication.clipboard().setText(text)
        self._show_note(tr("Answer copied") if text else tr("No answer to copy"))

    def _copy_plain(self) -> None:
        is_copied = self._window.chat.transcript.selection.copy_plain()
        self._show_note(tr("Copied as plain text") if is_copied else tr("No answer to copy"))

    def _toggle_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _show_shortcuts(self) -> None:
        ShortcutsSheet(self._window.shortcuts, parent=self._window).open()

    def _show_about(self) -> None:
        context = self._window.context
        sheet = AboutSheet(self._about(), parent=self._window)
        request = context.tasks.run(context.client.about.licences(), on_done=sheet.show_licences)
        if request is not None:
            sheet.finished.connect(lambda _: request.cancel())
        sheet.open()

    @Slot()
    def _update_chat_labels(self) -> None:
        """Label the pin and archive commands by the state of the open chat."""
        window = self._window
        open_id = window.conversations.conversation_id
        summary = window.sidebar.model.summary(open_id) if open_id is not None else None
        is_pinned = summary is not None and summary.pinned
        is_archived = summary is not None and summary.archived
        window.commands.set_label(Command.PIN_CHAT, tr("Unpin chat") if is_pinned else tr("Pin chat"))
        label = tr("Unarchive chat") if is_archived else tr("Archive chat")
        window.commands.set_label(Command.ARCHIVE_CHAT, label)

    @Slot(str)
    def _update_undo_label(self, names: str) -> None:
        """Name the chats that “Undo delete” would restore."""
        label = tr("Restore {chats}").format(chats=names) if names else ""
        self._window.commands.set_label(Command.UNDO_DELETE, label)


class FocusAreas:
    """The areas that F6 cycles through. GUI thread only."""

    def __init__(self, window: Window) -> None:
        self._window = window

    def move_focus(self, offset: int) -> None:
        """Focus the next (1) or previous (-1) visible area."""
        areas = [area for area in self._areas() if area[0].isVisible()]
        focus = QApplication.focusWidget()
        current = [n for n, (area, _) in enumerate(areas) if focus is not None and area.isAncestorOf(focus)]
        start = current[0] if current else (-1 if offset > 0 else 0)
        areas[(start + offset) % len(areas)][1]()

    def _areas(self) -> tuple[Area, ...]:
        window = self._window
        common = (_widget_area(window.sidebar), _widget_area(window.header))
        if window.navigation.page is not Page.CHAT:
            return (*common, _widget_area(window.navigation.stack))
        chat, panel = window.chat, window.chat_area.shown
        return (
            *common,
            (chat.transcript, chat.transcript.focus_last_visible),
            (chat.foot, chat.focus_composer),
            _widget_area(chat.start),
            *(() if panel is None else (_widget_area(panel),)),
        )


def _widget_area(area: QWidget) -> Area:
    """Return an area that focuses the control last focused in it, else its first one."""

    def enter() -> None:
        widget: QWidget | None = area.focusWidget()
        if widget is None or widget is area or not is_tab_stop(widget):
            widget = area.nextInFocusChain()
        while widget is not None and widget is not area and not is_tab_stop(widget):
            widget = widget.nextInFocusChain()
        if widget is not None:
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    return area, enter
