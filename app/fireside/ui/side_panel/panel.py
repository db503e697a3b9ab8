"""The panel alongside the chat: its model, and every setting that a chat can override."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue
from fireside.core.preset import SYSTEM_PROMPT_KEY, Preset, PresetKind, preset_keys
from fireside.core.status import Broken, LoadingModel, ModelState, OnRemoteEngine, Ready, Unloaded, Unloading
from fireside.settings.definitions import BY_KEY, DEFINITIONS
from fireside.settings.definitions_tools import FOLDERS
from fireside.settings.values import Group, SettingDefinition
from fireside.ui.commands import Command
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.kit.setting_editors import ButtonEditor, Editor, make_editor
from fireside.ui.kit.side_area import SidePanel
from fireside.ui.loading.load_text import loading_text
from fireside.ui.loading.pending_options import settings_pending_reload
from fireside.ui.model_text import file_summary, loaded_summary, state_label
from fireside.ui.preset_names import localized_name
from fireside.ui.presets.preset_controller import PresetController
from fireside.ui.presets.rules import FORMAT_KEY, RULE_KEY, format_label
from fireside.ui.settings.scope import Scope, Subject, belongs
from fireside.ui.settings.setting_row import RELOAD_NOTE, SettingRow
from fireside.ui.side_panel.setting_group import SettingGroup
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line, truncate_text
from fireside.ui.window_context import WindowContext


class PresetBox(QWidget):
    """Shows what is passed to ``set_presets``."""

    preset_chosen = Signal(object)
    """Carries the ``Preset``; ``None`` for none."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        actions = context.commands.actions
        self._presets: tuple[Preset, ...] = ()
        self._current = ""
        self.select = ComboBox(name=tr("Preset"))
        self.select.activated.connect(self._on_activated)
        links, flow = flow_row(spacing=SPACE_M)
        for label, command in (
            (tr("All presets…"), Command.PRESETS),
            (tr("Save as preset…"), Command.SAVE_PRESET),
        ):
            flow.addWidget(Button(label, kind="link", on_click=actions[command].trigger))
        column(self.select, links, spacing=SPACE_XS, on=self)

    def set_presets(self, presets: Sequence[Preset], *, current: str) -> None:
        """Offer these presets; ``current`` is the name of the chat's preset, empty for none."""
        chat_presets = tuple(preset for preset in presets if preset.kind is PresetKind.CHAT)
        if self.select.count() and (chat_presets, current) == (self._presets, self._current):
            return  # rebuilding would close a list that is open
        self._presets, self._current = chat_presets, current
        self.select.clear()
        self.select.addItems([tr("No preset"), *map(localized_name, self._presets)])
        self._show_current()

    def _show_current(self) -> None:
        names = ["", *(preset.name for preset in self._presets)]
        if self._current not in names:
            # The chat's preset was renamed or deleted since.
            self.select.addItem(self._current)
            names.append(self._current)
        self.select.setCurrentIndex(names.index(self._current))

    def _on_activated(self, index: int) -> None:
        # The choice is shown once the chat has it: the user may be asked for values first, and cancel.
        self._show_current()
        if index == 0:
            self.preset_chosen.emit(None)
        elif index <= len(self._presets):
            self.preset_chosen.emit(self._presets[index - 1])


class ModelBox(QWidget):
    """Shows what is passed to ``show_model``."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._models, self._router = context.models, context.router
        self._model_id: ModelId | None = None
        self.state = WrappedLabel(role="small")
        self.note = WrappedLabel(tr(RELOAD_NOTE), role="warning")
        self.load = Button(tr("Load"), on_click=self._on_load)
        self.unload = Button(tr("Unload"), on_click=self._on_unload)
        self.cancel = Button(tr("Cancel"), on_click=self._on_unload)
        self.cancel.setAccessibleDescription(tr("Cancels loading"))
        self.reload = Button(tr("Reload now"), on_click=self._on_load)
        self.details = Button(tr("Load settings…"), kind="quiet", on_click=self._on_details)
        buttons, flow = flow_row(spacing=SPACE_S)
        for button in (self.load, self.reload, self.cancel, self.unload, self.details):
            flow.addWidget(button)
        column(self.state, self.note, buttons, spacing=SPACE_XS + 2, on=self)

    def show_model(self, model_id: ModelId | None, *, needs_reload: bool) -> None:
        """Show a model and its state; ``None`` where there is none.

        ``needs_reload``: it is loaded with other settings than the chat requires.
        """
        self._model_id = model_id
        entry = self._models.entry(model_id)
        spec = entry.spec if entry is not None else None
        state = self._models.state(model_id) if model_id is not None and spec is not None else None
        is_ready = isinstance(state, Ready)
        self.load.setVisible(isinstance(state, Unloaded | Broken))
        self.unload.setVisible(is_ready)
        self.cancel.setVisible(isinstance(state, LoadingModel))
        self.reload.setVisible(is_ready and needs_reload)
        self.note.setVisible(is_ready and needs_reload)
        self.details.setVisible(state is not None and not isinstance(state, OnRemoteEngine))
        if spec is None or state is None:
            self.state.show_text("")
        elif isinstance(state, Ready):
            self.state.show_text(state.note or loaded_summary(state.loaded))
        else:
            self.state.show_text(_state_text(state) or file_summary(spec))
        self.state.set_role("error" if isinstance(state, Broken) else "small")

    def _on_load(self) -> None:
        if self._model_id is not None:
            self._router.load_model(self._model_id)

    def _on_unload(self) -> None:
        if self._model_id is not None:
            self._router.unload_model(self._model_id)

    def _on_details(self) -> None:
        if self._model_id is not None:
            self._router.show_load_details(self._model_id)


def _state_text(state: ModelState) -> str:
    match state:
        case LoadingModel():
            return loading_text(state)
        case Broken():
            return state.error.sentence
        case Unloaded():
            return state.note or state_label(state).text
        case OnRemoteEngine():
            return ""  # the model's details are shown there instead
        case Unloading() | Ready():
            return state_label(state).text


_SAMPLING: Final = (
    "sampling.temperature",
    "sampling.max_tokens",
    "sampling.top_p",
    "sampling.top_k",
    "sampling.min_p",
    "sampling.repeat_penalty",
    "sampling.presence_penalty",
    "sampling.frequency_penalty",
    "sampling.seed",
    "sampling.stop",
)
_STAYS_LOCAL_KEY: Final = "chat.stays_local"
INSTRUCTIONS: Final = "instructions"
SAMPLING: Final = "sampling"
CONTEXT: Final = "context"
_HELP_LINES: Final = 4
"""Reserved for the help of a setting, so that nothing moves."""
_INSTRUCTIONS_CHARACTERS: Final = 160
"""Of a project, shown below the system prompt that they follow."""
_NO_HELP: Final = tr_noop("Point at a setting to read what it does.")
_REASONING: Final = ("answer.reasoning", "answer.thinking_budget")
_CONTEXT: Final = ("load.n_ctx", "answer.overflow", "answer.when_full")
_WITHOUT_ROW: Final = frozenset({RULE_KEY})
"""Settings without a row: the rule is edited with the format."""


class ChatSettingsPanel(SidePanel):
    """Shows the effective settings of the chat in front and writes the user's changes at once. GUI thread
    only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        presets: PresetController,
        subject: Callable[[], Subject],
        open_tools: Callable[[], None],
        open_groups: set[str],
        parent: QWidget,
    ) -> None:
        """``subject`` returns the chat and model in front; ``open_tools`` opens the popup of its tools.

        ``open_groups`` are the groups that the user has unfolded; it is kept up to date.
        """
        super().__init__(name=tr("Chat settings"), parent=parent)
        self._context = context
        self._presets = presets
        self._settings = presets.settings
        self._subject = subject
        self._rows_for: ConversationId | None = None
        """The chat whose settings the rows show; a value still being typed when another chat opens belongs
        to it."""
        self.rows: dict[str, SettingRow] = {}
        self.model = ModelBox(context)
        self.preset = PresetBox(context)
        self.preset.preset_chosen.connect(self._on_preset)
        self.tools = Button(tr("Tools…"), icon="wrench", on_click=open_tools)
        self.close_button = IconButton("x", name=tr("Close chat settings"), size=16)
        self.close_button.clicked.connect(self.close_requested)
        self._open_groups = open_groups
        self.groups: dict[str, SettingGroup] = {}
        self.help = WrappedLabel(tr(_NO_HELP), role="small")
        self.help.setAlignment(Qt.AlignmentFlag.AlignTop)
        theme().changed.connect(self._fit_help)
        self._arrange()
        self._fit_help()
        self._settings.changed.connect(self._show)
        presets.presets_changed.connect(self._show_preset)
        context.models.state_changed.connect(self._on_state_changed)
        context.models.entries_changed.connect(self._show_model)
        self._show()

    def apply_pending_edit(self) -> None:
        """Apply a value still being typed: another chat comes to the front, or a message is sent."""
        focus = QApplication.focusWidget()
        if (
            focus is not None
            and self.isAncestorOf(focus)
            and self._rows_for != self._subject().conversation_id
        ):
            focus.clearFocus()

    def show_setting(self, key: str) -> None:
        """Scroll to a setting and give it the keyboard focus."""
        for group in self.groups.values():
            if key not in self.rows:
                group.show_all()
        row = self.rows[key]
        for group in self.groups.values():
            if group.isAncestorOf(row):
                group.set_open(is_open=True)
                self._remember_groups()
        QTimer.singleShot(0, row, lambda: self._scroll.ensureWidgetVisible(row, 0, SPACE_L))
        row.editor.fields()[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_first_field(self) -> None:
        """Give the keyboard focus to the first control."""
        self.groups[INSTRUCTIONS].head.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape returns to the message; a panel that overlays the chat is hidden by that."""
        if event.key() == Qt.Key.Key_Escape:
            self.focus_left.emit()
        else:
            super().keyPressEvent(event)

    # Layout

    def _arrange(self) -> None:
        head = row(
            Label(tr("Chat settings"), role="heading"),
            stretch(),
            self.close_button,
            margins=(SPACE_L, SPACE_M, SPACE_M, SPACE_S),
        )
        self._reasoning = boxed(column(*self._make_rows(_REASONING), spacing=SPACE_M))
        self._add_group(
            INSTRUCTIONS,
            tr("Instructions"),
            *self._make_rows((SYSTEM_PROMPT_KEY,)),
            self._labelled(tr("Preset"), self.preset),
            *self._make_rows((FORMAT_KEY,)),
        )
        self._add_group(
            SAMPLING,
            tr("Sampling"),
            *self._make_rows(_SAMPLING),
            self._reasoning,
            make_more=partial(self._make_others, lambda key: not _is_context(key)),
        )
        self._add_group(
            CONTEXT,
            tr("Context"),
            *self._make_rows(_CONTEXT),
            self._labelled(tr("Tools"), self.tools),
            *self._make_rows((FOLDERS, _STAYS_LOCAL_KEY)),
            self._labelled(tr("Model"), self.model),
            make_more=partial(self._make_others, _is_context),
        )
        body = column(
            *self.groups.values(),
            stretch(),
            spacing=SPACE_M,
            margins=(SPACE_S, SPACE_XS, SPACE_S, SPACE_L),
        )
        self._scroll = PageScroll()
        foot = QFrame()
        foot.setObjectName("foot")  # a line above, or the help looks like that of the row that is cut off
        row(self.help, margins=(SPACE_L, SPACE_S, SPACE_L, SPACE_M), on=foot)
        column(head, stretch(self._scroll), foot, spacing=0, on=self)
        self._scroll.setWidget(boxed(body))

    def _add_group(
        self,
        key: str,
        title: str,
        *parts: QWidget,
        make_more: Callable[[], Sequence[QWidget]] | None = None,
    ) -> None:
        group = SettingGroup(title, *parts, make_more=make_more, on_toggled=self._remember_groups)
        group.set_open(is_open=key in self._open_groups)
        self.groups[key] = group

    def _remember_groups(self) -> None:
        self.help.setText(tr(_NO_HELP))
        self._open_groups.clear()
        self._open_groups.update(key for key, group in self.groups.items() if group.is_open)

    def _labelled(self, title: str, part: QWidget) -> QWidget:
        return boxed(column(ElidedLabel(title), part, spacing=SPACE_XS))

    def _make_others(self, belongs_here: Callable[[str], bool]) -> list[SettingRow]:
        """Return rows of the settings that have none yet."""
        others = tuple(
            each.key
            for each in DEFINITIONS
            if belongs(each, Scope.CHAT)
            and each.key not in {*self.rows, *_WITHOUT_ROW}
            and belongs_here(each.key)
        )
        made = self._make_rows(others)
        self._show()
        return made

    def _make_rows(self, keys: tuple[str, ...]) -> list[SettingRow]:
        rows = [self._make_row(BY_KEY[key]) for key in keys]
        self.rows.update({row.definition.key: row for row in rows})
        return rows

    def _make_row(self, definition: SettingDefinition) -> SettingRow:
        return SettingRow(
            definition,
            on_changed=partial(self._change, definition.key),
            on_reset=lambda: self._change(definition.key, None),
            editor=self._make_editor(definition),
            on_help=self.help.setText,
        )

    def _make_editor(self, definition: SettingDefinition) -> Editor:
        if definition.key == FORMAT_KEY:
            return ButtonEditor(
                definition, text_for=lambda form: format_label(str(form)), on_click=self._on_format
            )
        return make_editor(definition)

    @Slot()
    def _fit_help(self) -> None:
        self.help.setFixedHeight(_HELP_LINES * self.help.fontMetrics().lineSpacing())

    # Display

    @Slot()
    def _show(self) -> None:
        resolved = self._settings.resolved
        values = {setting.definition.key: setting.value for setting in resolved}
        preset_settings, preset = preset_keys(values), self._settings.preset
        for setting in resolved:
            key = setting.definition.key
            if setting_row := self.rows.get(key):
                setting_row.show_setting(
                    setting, scope=Scope.CHAT, preset=preset if key in preset_settings else ""
                )
        self._show_project()
        self._rows_for = self._settings.loaded_for
        for group in self.groups.values():
            own = [each for each in resolved if self._is_in(each.definition.key, group)]
            group.show_changes(own)
        self._show_preset()
        self._show_model()

    def _show_project(self) -> None:
        """Tell below the system prompt which instructions follow it."""
        folder = self._settings.folder
        instructions = "" if folder is None else one_line(folder.instructions).strip()
        note = ""
        if folder is not None and instructions:
            note = tr("Followed by the instructions of the project “{name}”: {beginning}").format(
                name=one_line(folder.name),
                beginning=truncate_text(instructions, length=_INSTRUCTIONS_CHARACTERS),
            )
        self.rows[SYSTEM_PROMPT_KEY].show_note(note)

    def _is_in(self, key: str, group: SettingGroup) -> bool:
        """Whether a setting belongs to a group, also one without a row yet."""
        if row := self.rows.get(key):
            return group.isAncestorOf(row)
        if not belongs(BY_KEY[key], Scope.CHAT):
            return False
        return group is self.groups[CONTEXT if _is_context(key) else SAMPLING]

    @Slot()
    def _show_model(self) -> None:
        resolved = self._settings.resolved
        model_id = self._subject().model_id
        entry = self._context.models.entry(model_id)
        spec = entry.spec if entry is not None else None
        pending: frozenset[str] = frozenset()
        if model_id is not None and spec is not None:
            pending = settings_pending_reload(resolved, state=self._context.models.state(model_id), spec=spec)
        self.model.show_model(model_id, needs_reload=bool(pending))
        self._reasoning.setVisible(spec is not None and spec.reasons)
        # Without a remote engine this setting has no effect, so it is shown only where it is on.
        stays_local = any(
            setting.definition.key == _STAYS_LOCAL_KEY and setting.value for setting in resolved
        )
        self.rows[_STAYS_LOCAL_KEY].setVisible(stays_local or self._context.models.has_remote)

    @Slot()
    def _show_preset(self) -> None:
        self.preset.set_presets(self._presets.presets, current=self._settings.preset)

    @Slot(str)
    def _on_state_changed(self, model_id: str) -> None:
        if model_id == self._subject().model_id:
            self._show_model()

    # Changes

    def _change(self, key: str, value: SettingValue) -> None:
        def on_invalid(error: SettingInvalid) -> None:
            self.rows[key].show_error(render(error.reason))

        self._settings.change_one(key, value, conversation_id=self._rows_for, on_invalid=on_invalid)

    def _on_preset(self, preset: Preset | None) -> None:
        if preset is None:
            self._settings.remove_preset()
        else:
            self._presets.use(preset)

    def _on_format(self) -> None:
        self._context.commands.actions[Command.ANSWER_FORMAT].trigger()


def _is_context(key: str) -> bool:
    """Whether a rare setting is about what the model reads and how it is loaded, not how it writes."""
    return BY_KEY[key].group is not Group.SAMPLING
