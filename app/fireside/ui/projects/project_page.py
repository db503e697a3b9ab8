"""The page of one project: its chats, instructions, documents, and what its chats begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.chat import ConversationSummary, Folder
from fireside.core.collection import Collection
from fireside.core.errors import SettingInvalid
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.ids import ConversationId
from fireside.core.model import ModelEntry, display_name
from fireside.core.options import SettingValue
from fireside.core.preset import PRESET_NAME_KEY, SYSTEM_PROMPT_KEY, Preset, PresetKind
from fireside.core.project import PROJECT_INSTRUCTIONS_KEY
from fireside.core.tool_servers import SEPARATOR
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import DOCUMENTS, SERVERS, SKILLS, SWITCHES
from fireside.settings.values import Origin, ResolvedSetting
from fireside.ui.chat.composer.composer_text import ComposerText
from fireside.ui.kit.data_table import DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import (
    add,
    at_top,
    boxed,
    card,
    clear,
    column,
    long_form,
    make_card,
    row,
    scrolled,
    stretch,
)
from fireside.ui.kit.setting_editors import Editor, TextEditor
from fireside.ui.kit.sub_page import SubPage
from fireside.ui.preset_names import localized_name
from fireside.ui.settings.scope import Scope
from fireside.ui.settings.setting_row import SettingRow
from fireside.ui.side_panel.setting_group import SettingGroup
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS, theme
from fireside.ui.time_text import format_relative_time
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel, breakable, one_line

if TYPE_CHECKING:
    from fireside.ui.projects.project_controller import ProjectController

# What is remembered in a project, on its page.

_MOST_SHOWN: Final = 8


class ProjectFacts(QFrame):
    """The facts of a project, the newest last, and those of its file that wait for the user."""

    def __init__(self, controller: ProjectController) -> None:
        super().__init__()
        self._controller = controller
        self._shown: tuple[Sequence[str], Sequence[str]] = ((), ())
        self.about = WrappedLabel(role="small")
        self.answers: list[Button] = []
        """“Remember” and “Refuse” for each fact that waits."""
        self._waiting = column(spacing=SPACE_M)
        self._facts = column(spacing=SPACE_XS)
        self.add = Button(tr("Add fact…"), on_click=controller.add_fact)
        self.all = Button(tr("Show all"), icon="brain", kind="quiet", on_click=controller.show_memory)
        buttons, _ = flow_row(self.add, self.all, spacing=SPACE_S)
        parts = (self.about, boxed(self._waiting), boxed(self._facts), buttons)
        make_card(self, *parts, title=tr("Remembered facts"))
        self._show((), ())

    def show_facts(self, facts: Sequence[str], waiting: Sequence[str]) -> None:
        """Show the facts of the project, and those that wait; a focused answer passes its focus on."""
        if (facts, waiting) == self._shown:
            return
        had_focus = any(button.hasFocus() for button in self.answers)
        self._show(facts, waiting)
        if had_focus:
            (self.answers[0] if self.answers else self.add).setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, facts: Sequence[str], waiting: Sequence[str]) -> None:
        self._shown = (facts, waiting)
        known = tr(
            "%n fact is known in the chats of this project, where “Remember facts” is on.|"
            "%n facts are known in the chats of this project, where “Remember facts” is on.",
            "",
            len(facts),
        )
        nothing = tr("Nothing is remembered in this project yet.")
        self.about.setText(known if facts else nothing)
        self.all.setVisible(bool(facts))
        self.answers = []
        clear(self._waiting)
        for fact in waiting:
            self._waiting.addWidget(self._suggestion(fact))
        clear(self._facts)
        for fact in facts[-_MOST_SHOWN:]:
            self._facts.addWidget(WrappedLabel(breakable(fact)))
        if n_hidden := max(0, len(facts) - _MOST_SHOWN):
            self._facts.addWidget(
                WrappedLabel(tr("and %n older fact|and %n older facts", "", n_hidden), role="mute")
            )

    def _suggestion(self, fact: str) -> QWidget:
        act = self._controller.answer_fact
        remember = Button(tr("Remember"), on_click=partial(act, fact, remembers=True))
        refuse = Button(tr("Refuse"), kind="quiet", on_click=partial(act, fact, remembers=False))
        for button in (remember, refuse):
            button.setAccessibleDescription(fact)
            self.answers.append(button)
        origin = WrappedLabel(tr("From the project’s file, not known to models yet:"), role="small")
        text = WrappedLabel(breakable(fact))
        return boxed(
            column(origin, text, row(remember, refuse, stretch(), spacing=SPACE_S), spacing=SPACE_XS)
        )


_VISIBLE_CHATS: Final = 8
_TYPING_MS: Final = 250
_FIELD_PX: Final = 30
_SAMPLING: Final = (
    "sampling.temperature",
    "sampling.max_tokens",
    "sampling.top_p",
    "sampling.top_k",
    "sampling.min_p",
    "sampling.seed",
    "answer.reasoning",
)


class ChatOrder(StrEnum):
    """How the chats of a project are sorted."""

    USED = tr_noop("Last used")
    CREATED = tr_noop("Created")
    NAME = tr_noop("Name")


def sorted_chats(
    summaries: Iterable[ConversationSummary], order: ChatOrder
) -> tuple[ConversationSummary, ...]:
    """Return chats in an order, pinned ones first."""

    def key(summary: ConversationSummary) -> tuple[object, ...]:
        match order:
            case ChatOrder.USED:
                return (not summary.pinned, -summary.updated_at, -summary.id)
            case ChatOrder.CREATED:
                return (not summary.pinned, -summary.created_at, -summary.id)
            case ChatOrder.NAME:
                return (not summary.pinned, summary.title.casefold(), -summary.id)

    return tuple(sorted(summaries, key=key))


class ChatTable(QWidget):
    """The chats of a project, sorted and searched."""

    opened = Signal(object)
    """Carries the ``ConversationId`` of a chat that was chosen."""
    searched = Signal(str)
    """Carries the words to look for; empty for all chats."""

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now
        self._chats: tuple[ConversationSummary, ...] = ()
        self._found: frozenset[ConversationId] | None = None
        self.search = SearchField(tr("Search the chats of this project"))
        self.order = ComboBox(name=tr("Sort by"))
        for each in ChatOrder:
            self.order.addItem(tr(each.value), each)
        columns = (
            TableColumn(title=tr("Chat")),
            TableColumn(title=tr("Last used"), width=110),
            TableColumn(title=tr("Created"), width=110, hide_priority=1),
        )
        self.table = DataTable(columns, name=tr("Chats"), max_visible_rows=_VISIBLE_CHATS)
        self.none = WrappedLabel(role="mute")
        self._tools = boxed(row(stretch(self.search), self.order))
        column(self._tools, self.table, self.none, on=self)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(lambda: self.searched.emit(self.search.text().strip()))
        self.search.textChanged.connect(self._typing.start)
        self.order.activated.connect(self._show)
        self.table.activated.connect(self._on_opened)
        self.table.clicked.connect(self._on_opened)
        self.table.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_chats(
        self, chats: Sequence[ConversationSummary], *, found: frozenset[ConversationId] | None
    ) -> None:
        """Show the chats of a project; ``found`` are those that a search found, ``None`` without one."""
        self._chats, self._found = tuple(chats), found
        self._show()

    @Slot()
    def _show(self) -> None:
        found = self._found
        chats = [chat for chat in self._chats if found is None or chat.id in found]
        order = ChatOrder(self.order.currentData())
        now, current = self._now(), self.table.current_key
        self.table.set_rows(
            [
                TableRow(
                    cells=(
                        _label(chat),
                        format_relative_time(chat.updated_at, now=now),
                        format_relative_time(chat.created_at, now=now),
                    ),
                    key=str(chat.id),
                )
                for chat in sorted_chats(chats, order)
            ]
        )
        self.table.select_key(current)
        self.table.setVisible(bool(chats))
        self._tools.setVisible(bool(self._chats))
        nothing = tr("No chat contains this.") if self._chats else tr("No chats in this project yet.")
        self.none.show_text("" if chats else nothing)

    def _on_opened(self) -> None:
        if key := self.table.current_key:
            self.opened.emit(ConversationId(int(key)))


def _label(chat: ConversationSummary) -> str:
    title = one_line(chat.title)
    return tr("{title} (archived)").format(title=title) if chat.archived else title


class _NewMessage(ComposerText):
    """A message field in which whatever is written goes on in a new chat: its own field keeps drafts, and
    takes files."""

    written = Signal(object)
    """Carries what was typed, pasted or dropped: a text, paths of files, or an image as PNG."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPlaceholderText(tr("Message in a new chat of this project"))
        self.setAccessibleName(self.placeholderText())
        self.textChanged.connect(self._on_text)
        self.text_pasted.connect(self.written.emit)
        self.files_pasted.connect(self.written.emit)
        self.image_pasted.connect(self.written.emit)
        theme().changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(theme().scaled_up(_FIELD_PX))

    def _on_text(self) -> None:
        if not self.is_composing and (text := self.toPlainText()):
            with QSignalBlocker(self):
                self.clear()
            self.written.emit(text)


class NamesEditor(Editor):
    """A check box for each name that a setting of names may have."""

    is_wide = True

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[str, CheckBox] = {}
        self._offered: tuple[str, ...] = ()
        self._value: tuple[str, ...] = ()
        self._column = column(spacing=SPACE_XS)
        add(self.row, stretch(self._column))

    def offer(self, names: Iterable[str]) -> None:
        """Offer these names beside those that are set already."""
        self._offered = tuple(names)
        self.show_value(self._value)

    def show_value(self, value: SettingValue) -> None:
        self._value = value if isinstance(value, tuple) else ()
        used = dict.fromkeys(name.partition(SEPARATOR)[0] for name in self._value)
        names = tuple(dict.fromkeys((*self._offered, *used)))
        if names != tuple(self.boxes):
            clear(self._column)
            self.boxes = {name: CheckBox(name) for name in names}
            for name, box in self.boxes.items():
                box.clicked.connect(lambda is_on, name=name: self._on_clicked(name, is_on=is_on))
                self._column.addWidget(box)
        for name, box in self.boxes.items():
            box.setChecked(name in used)

    def fields(self) -> tuple[QWidget, ...]:
        return tuple(self.boxes.values()) or (self,)

    def _on_clicked(self, name: str, *, is_on: bool) -> None:
        # Single tools of a server are “server__tool”.
        others = tuple(each for each in self._value if each.partition(SEPARATOR)[0] != name)
        self.edited.emit((*others, name) if is_on else others)


class ProjectPage(SubPage):
    """Shows one project at a time; the controller carries out the actions."""

    def __init__(
        self, controller: ProjectController, *, now: Callable[[], datetime], parent: QWidget | None = None
    ) -> None:
        super().__init__(back=tr("Back to projects"), parent=parent)
        self._controller = controller
        self.folder: Folder | None = None
        self.name = ElidedLabel(role="title")
        self.more = IconButton("ellipsis", name=tr("Actions"), on_click=self._on_more)
        self.new_chat = Button(
            tr("New chat"), icon="square-pen", kind="primary", tint="on_accent", on_click=controller.new_chat
        )
        self._field = QFrame()
        self._field.setObjectName("composer")
        self.message = _NewMessage(self._field)
        # Its edge, too, is clicked to write.
        self._field.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._field.setFocusProxy(self.message)
        self.chats = ChatTable(now=now)
        self.instructions = TextEditor(BY_KEY[PROJECT_INSTRUCTIONS_KEY])
        self.instructions_error = WrappedLabel(role="error")
        self.instructions_error.hide()
        self.preset = ComboBox(name=tr("Preset"))
        self.model = ComboBox(name=tr("Model"))
        self.rows: dict[str, SettingRow] = {}
        self.names = {SERVERS: NamesEditor(), SKILLS: NamesEditor()}
        self.groups: dict[str, SettingGroup] = {}
        self._presets: tuple[Preset, ...] = ()
        self._collections = column(spacing=SPACE_XS)
        self.add_files = Button(tr("Add files…"), icon="file-plus", on_click=controller.choose_files)
        self.add_folder = Button(tr("Add folder…"), icon="folder-plus", on_click=controller.choose_folder)
        self.add_collection = Button(
            tr("Use a collection…"), icon="file-text", kind="quiet", on_click=self._on_collections
        )
        self.facts = ProjectFacts(controller)
        self._arrange()
        self._connect()

    # Display

    def show_project(self, folder: Folder) -> None:
        """Show a project; what is typed is kept where it is shown already."""
        if self.folder is not None and self.folder.id != folder.id:
            self.apply_typed()
            self.chats.search.clear()
        self.folder = folder
        self.name.set_full_text(one_line(folder.name))
        self.setWindowTitle(one_line(folder.name))
        self.instructions.show_value(folder.instructions)

    def apply_typed(self) -> None:
        """Apply what is still being typed: another project is shown, or none."""
        self.instructions.apply_typed()

    def show_settings(self, settings: Mapping[str, ResolvedSetting]) -> None:
        """Show what the chats of the project get, and what of it the project sets."""
        for key, setting_row in self.rows.items():
            if key in settings:
                setting_row.show_setting(settings[key], scope=Scope.PROJECT)
        for group in self.groups.values():
            group.show_changes(
                (
                    settings[key]
                    for key in self.rows
                    if key in settings and group.isAncestorOf(self.rows[key])
                ),
                of=Origin.PROJECT,
            )

    def show_tools(self, *, servers: Iterable[str], skills: Iterable[str]) -> None:
        """Offer the MCP servers, and the skills that the user has reviewed."""
        for key, names in ((SERVERS, servers), (SKILLS, skills)):
            self.names[key].offer(names)
            self.rows[key].setVisible(bool(self.names[key].boxes))

    def show_presets(self, presets: Sequence[Preset]) -> None:
        """Offer the presets for chats, and the one that the project has."""
        self._presets = tuple(preset for preset in presets if preset.kind is PresetKind.CHAT)
        current = "" if self.folder is None else str(self.folder.settings.get(PRESET_NAME_KEY) or "")
        names = ["", *(preset.name for preset in self._presets)]
        self.preset.clear()
        self.preset.addItems([tr("No preset"), *map(localized_name, self._presets)])
        if current not in names:  # it was renamed or deleted since
            self.preset.addItem(current)
            names.append(current)
        self.preset.setCurrentIndex(names.index(current))

    def show_models(self, entries: Iterable[ModelEntry]) -> None:
        """Offer the models, and the one that the project has even if it is missing."""
        current = None if self.folder is None else self.folder.model_id
        offered = {entry.spec.id: display_name(entry) for entry in entries if entry.spec is not None}
        if current is not None and current not in offered:
            offered[current] = tr("{model} (not installed)").format(model=current)
        self.model.clear()
        self.model.addItem(tr("As in other chats"), None)
        for model_id, name in offered.items():
            self.model.addItem(name, model_id)
        self.model.setCurrentIndex(max(0, self.model.findData(current)))

    def show_collections(self, collections: Sequence[Collection]) -> None:
        """Show the collections that the project's chats are answered from."""
        clear(self._collections)
        for collection in collections:
            name = Button(collection.name, icon="file-text", kind="bare")
            name.clicked.connect(partial(self._controller.open_collection, collection.id))
            remove = IconButton("x", name=tr("Detach {name}").format(name=collection.name), size=15)
            remove.clicked.connect(partial(self._controller.detach, collection.id))
            self._collections.addWidget(boxed(row(name, stretch(), remove)))

    def show_invalid(self, key: str, error: SettingInvalid) -> None:
        """Show why a setting cannot have the value that was entered."""
        if key in self.rows:
            self.rows[key].show_error(render(error.reason))
        else:
            self.instructions_error.show_text(render(error.reason))

    def focus_first_field(self) -> None:
        """Give the keyboard focus to the message field: what is typed begins a chat."""
        self.message.setFocus(Qt.FocusReason.OtherFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        self.apply_typed()
        super().hideEvent(event)

    # Layout

    def _arrange(self) -> None:
        head = ResponsiveRow(self.name, self.new_chat, spacing=SPACE_S)
        column(self.message, margins=(SPACE_M, SPACE_S), on=self._field)
        parts = column(
            self._field,
            card(self.chats, title=tr("Chats")),
            self._make_instructions(),
            self._make_documents(),
            self.facts,
            self._make_settings(),
            stretch(),
            spacing=SPACE_L,
        )
        column(
            centred(row(at_top(self.back), stretch(head), at_top(self.more)), top=SPACE_XL, bottom=SPACE_M),
            stretch(scrolled(centred(parts, bottom=SPACE_XL, in_page_scroll=True))),
            spacing=0,
            on=self,
        )

    def _make_instructions(self) -> QWidget:
        about = WrappedLabel(
            tr(
                "They follow the system prompt in all chats of this project, from the next answer on. Each "
                "chat shows them in its settings and under “View prompt”."
            ),
            role="small",
        )
        return card(about, self.instructions, self.instructions_error, title=tr("Instructions"))

    def _make_documents(self) -> QWidget:
        about = WrappedLabel(
            tr("The chats of this project are answered from these. Drop files or folders anywhere here."),
            role="small",
        )
        buttons, _ = flow_row(self.add_files, self.add_folder, self.add_collection, spacing=SPACE_S)
        return card(about, self._collections, buttons, title=tr("Documents"))

    def _make_settings(self) -> QWidget:
        about = WrappedLabel(tr("What a chat sets itself is stronger than what is set here."), role="small")
        fields = long_form((tr("Preset"), self.preset), (tr("Model of new chats"), self.model))
        tools = tuple(key for key in SWITCHES if key != DOCUMENTS)
        self._add_group("instructions", tr("System prompt"), (SYSTEM_PROMPT_KEY,))
        self._add_group("tools", tr("Tools"), (*tools, DOCUMENTS, SERVERS, SKILLS))
        self._add_group("sampling", tr("Sampling"), _SAMPLING)
        return card(about, fields, *self.groups.values(), title=tr("Chats begin with"), spacing=SPACE_M)

    def _add_group(self, name: str, title: str, keys: Sequence[str]) -> None:
        rows = {key: self._make_row(key) for key in keys if key in BY_KEY}
        self.rows |= rows
        self.groups[name] = SettingGroup(title, *rows.values(), on_toggled=lambda: None)

    def _make_row(self, key: str) -> SettingRow:
        return SettingRow(
            BY_KEY[key],
            on_changed=partial(self._on_setting, key),
            on_reset=partial(self._on_setting, key, None),
            editor=self.names.get(key),
        )

    def _connect(self) -> None:
        self.message.written.connect(self._controller.write)
        self.message.send_pressed.connect(self._controller.new_chat)
        self.instructions.edited.connect(self._on_instructions)
        self.preset.activated.connect(self._on_preset)
        self.model.activated.connect(lambda: self._controller.set_model(self.model.currentData()))
        self.chats.opened.connect(self._controller.open_chat)
        self.chats.searched.connect(self._controller.search)

    # Actions

    def _on_setting(self, key: str, value: SettingValue) -> None:
        if self.folder is not None:
            self._controller.change(self.folder.id, key, value)

    def _on_instructions(self, text: str) -> None:
        self.instructions_error.show_text("")
        self._on_setting(PROJECT_INSTRUCTIONS_KEY, text if text.strip() else None)

    def _on_preset(self, index: int) -> None:
        if index <= len(self._presets):
            self._controller.use_preset(self._presets[index - 1] if index else None)

    def _on_more(self) -> None:
        menu = self._controller.menu(self)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _on_collections(self) -> None:
        menu = self._controller.collections_menu(self)
        menu.popup(self.add_collection.mapToGlobal(self.add_collection.rect().bottomLeft()))
