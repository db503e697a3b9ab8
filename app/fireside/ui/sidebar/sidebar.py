"""Put the sidebar together: brand, new chat, filter, list, pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from fireside.core.chat import ConversationSummary
from fireside.core.ids import ConversationId
from fireside.ui.sidebar.delegate import SCROLL_BAR_PX
from fireside.ui.sidebar.groups import seconds_to_midnight
from fireside.ui.sidebar.model import ConversationModel
from fireside.ui.sidebar.view import ConversationList
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, Theme
from fireside.ui.widgets.app_mark import AppMark
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.text import Label, WrappedLabel

WIDTH = 272
_CLOCK_MS = 30_000


class Page(StrEnum):
    """What the right side of the window can show."""

    CHAT = "chat"
    MODELS = "models"
    SETTINGS = "settings"


class Sidebar(QFrame):
    """The conversations and the way to the other pages. Says what is wanted; the window does it."""

    new_chat_wanted = Signal()
    conversation_wanted = Signal(object)
    rename_wanted = Signal(object, str)
    pin_wanted = Signal(object)
    unpin_wanted = Signal(object)
    delete_wanted = Signal(object)
    page_wanted = Signal(str)
    hide_wanted = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self._theme = theme
        self._now = now
        self.model = ConversationModel(now=now, parent=self)
        self.list = ConversationList(model=self.model, theme=theme)
        self.filter = QLineEdit()
        self._pages: dict[Page, IconButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE_M + 2, 0, 0)
        column.setSpacing(0)
        top = QVBoxLayout()
        top.setContentsMargins(SPACE_M, 0, SPACE_M, SPACE_XS)
        top.setSpacing(SPACE_S)
        top.addLayout(self._make_top())
        top.addSpacing(SPACE_XS + 2)
        top.addWidget(self._make_new_chat())
        top.addWidget(self.filter)
        column.addLayout(top)
        column.addWidget(self._make_body(), 1)
        column.addWidget(self._make_foot())
        self._prepare_filter()
        self._connect_list()
        self._clock = QTimer(self)
        self._clock.setInterval(_CLOCK_MS)
        self._clock.timeout.connect(self._on_tick)
        self._day_ends = QTimer(self)
        self._day_ends.setSingleShot(True)
        self._day_ends.timeout.connect(self.regroup)
        self.regroup()

    def set_conversations(self, summaries: Sequence[ConversationSummary]) -> None:
        self.model.replace_all(summaries)
        self._show_what_there_is()

    def put_conversation(self, summary: ConversationSummary) -> None:
        self.model.put(summary)
        self._show_what_there_is()

    def remove_conversation(self, conversation_id: ConversationId) -> None:
        self.model.remove(conversation_id)
        self._show_what_there_is()

    def set_active(self, conversation_id: ConversationId | None) -> None:
        """Mark the conversation that is open; ``None`` for the new chat and the other pages."""
        self.model.set_active(conversation_id)
        self.list.show_current(conversation_id)

    def set_page(self, page: Page) -> None:
        """Mark the page that is shown."""
        for key, button in self._pages.items():
            button.setChecked(key is page)

    @Slot()
    def focus_search(self) -> None:
        """Put the keyboard where chats are searched."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    @Slot()
    def regroup(self) -> None:
        """Sort by date again, now and after each midnight."""
        self.model.regroup()
        self._show_what_there_is()
        self._day_ends.start(int(seconds_to_midnight(self._now()) * 1000) + 500)

    def _make_top(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S + 1)
        row.addWidget(AppMark(theme=self._theme, size=26))
        brand = Label("Fireside")
        brand.setObjectName("brand")
        row.addWidget(brand)
        row.addStretch()
        self.hide_button = IconButton("panel-left", name="Hide the sidebar", theme=self._theme)
        self.hide_button.clicked.connect(self.hide_wanted)
        row.addWidget(self.hide_button)
        return row

    def _make_new_chat(self) -> QPushButton:
        self.new_chat = Button("New chat", theme=self._theme, icon="square-pen", tint="accent")
        self.new_chat.setText("  New chat")
        self.new_chat.setObjectName("newChat")
        self.new_chat.clicked.connect(self.new_chat_wanted)
        return self.new_chat

    def _make_body(self) -> QStackedWidget:
        self._nothing = WrappedLabel(role="mute")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._nothing.setContentsMargins(SPACE_M, SPACE_M * 2, SPACE_M, 0)
        self._body = QStackedWidget()
        self._body.setContentsMargins(SPACE_M, 0, SPACE_M - SCROLL_BAR_PX, 0)
        self._body.setObjectName("sideBody")
        self._body.addWidget(self.list)
        self._body.addWidget(self._nothing)
        return self._body

    def _make_foot(self) -> QFrame:
        foot = QFrame()
        foot.setObjectName("foot")
        row = QHBoxLayout(foot)
        row.setContentsMargins(SPACE_M - 2, SPACE_S, SPACE_M - 2, SPACE_S + 1)
        for page, icon, name in (
            (Page.MODELS, "boxes", "Models"),
            (Page.SETTINGS, "settings", "Settings"),
        ):
            button = IconButton(icon, name=name, theme=self._theme)
            button.setCheckable(True)
            button.clicked.connect(lambda _checked=False, page=page: self.page_wanted.emit(page))
            self._pages[page] = button
            row.addWidget(button)
            if page is Page.MODELS:
                row.addStretch()
        return foot

    def page_button(self, page: Page) -> IconButton:
        return self._pages[page]

    def _prepare_filter(self) -> None:
        self.filter.setProperty("role", "search")
        self.filter.setPlaceholderText("Search chats")
        self.filter.setAccessibleName("Search chats")
        self.filter.setClearButtonEnabled(True)
        self._glass = self.filter.addAction(
            self._theme.icon("search", "dim", 16), QLineEdit.ActionPosition.LeadingPosition
        )
        self._theme.changed.connect(self._on_theme_changed)
        self.filter.textChanged.connect(self._on_filter_changed)
        self.filter.installEventFilter(self)

    def _connect_list(self) -> None:
        self.list.opened.connect(self.conversation_wanted)
        self.list.pin_wanted.connect(self.pin_wanted)
        self.list.unpin_wanted.connect(self.unpin_wanted)
        self.list.delete_wanted.connect(self.delete_wanted)
        self.list.search_wanted.connect(self.focus_search)
        self.model.rename_wanted.connect(self.rename_wanted)

    def _show_what_there_is(self) -> None:
        if self.model.rowCount():
            self._body.setCurrentWidget(self.list)
            return
        searched = bool(self.model.n_conversations)
        self._nothing.setText(
            "No chat has these words in its name." if searched else "Your chats appear here."
        )
        if self.list.hasFocus():
            # Not to a text field, which would keep Ctrl+Z for itself just when a chat was deleted.
            self.new_chat.setFocus(Qt.FocusReason.OtherFocusReason)
        self._body.setCurrentWidget(self._nothing)

    @Slot(str)
    def _on_filter_changed(self, words: str) -> None:
        self.model.set_words(words)
        self._show_what_there_is()

    @Slot()
    def _on_tick(self) -> None:
        self.list.viewport().update()

    @Slot()
    def _on_theme_changed(self) -> None:
        self._glass.setIcon(self._theme.icon("search", "dim", 16))

    def showEvent(self, event: object) -> None:  # noqa: ARG002 - Qt's signature
        self._clock.start()

    def hideEvent(self, event: object) -> None:  # noqa: ARG002 - Qt's signature
        self._clock.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.filter and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            match event.key():
                case Qt.Key.Key_Down:
                    self.list.setFocus(Qt.FocusReason.TabFocusReason)
                    return True
                case Qt.Key.Key_Escape if self.filter.text():
                    self.filter.clear()
                    return True
        return super().eventFilter(watched, event)
