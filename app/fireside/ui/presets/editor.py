"""The editor of one preset: its name, its texts, the settings it applies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPlainTextEdit, QWidget

from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import CollectionId
from fireside.core.model import ModelEntry, display_name
from fireside.core.options import SettingValue
from fireside.core.preset import (
    ABOUT_CHARACTERS,
    NAME_CHARACTERS,
    VALUE_CHARACTERS,
    Preset,
    PresetKind,
    prompted_variables,
)
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_answer import FORMAT_TEXT
from fireside.settings.definitions_tools import SWITCHES
from fireside.ui.collection_offer import CollectionOffer
from fireside.ui.kit.layout import boxed, clear, column, row, stretch
from fireside.ui.kit.line_fields import line_field
from fireside.ui.kit.setting_editors import Editor, make_editor
from fireside.ui.preset_names import localized_about, localized_name
from fireside.ui.presets.rules import FORMAT_KEY, RULE_KEY, format_label
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, escape_mnemonic, one_line


class CollectionChoice(Button):
    """A button with the names of the selected collections, and a menu of all.

    The menu can also make a new collection from files.
    """

    ids_chosen = Signal(object)
    """Carries a tuple of ``CollectionId``: the whole new selection."""

    def __init__(self, *, offer: CollectionOffer) -> None:
        super().__init__("", kind="value")
        self._offer = offer
        self._ids: tuple[CollectionId, ...] = ()
        self.setMenu(Menu(self))
        self.menu().aboutToShow.connect(self._fill)
        self.show_ids(())

    def show_ids(self, ids: Sequence[CollectionId]) -> None:
        """Show the selection; a collection that no longer exists is still counted."""
        self._ids = tuple(ids)
        names = {collection.id: one_line(collection.name) for collection in self._offer.known()}
        names_text = ", ".join(names.get(id_, tr("Removed collection")) for id_ in self._ids) or tr("None")
        self.set_label(names_text)
        self.setText(f"\N{EN SPACE}{self.text()}")  # Qt leaves out the padding of a button with a menu
        self.setAccessibleName(tr("Collections: {names}").format(names=names_text))

    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        for collection in self._offer.known():
            action = menu.addAction(escape_mnemonic(one_line(collection.name)))
            action.setCheckable(True)
            action.setChecked(collection.id in self._ids)
            action.triggered.connect(partial(self._toggle, collection.id))
        menu.addSeparator()
        menu.addAction(tr("Add files…")).triggered.connect(self._ask_for_files)

    def _toggle(self, id_: CollectionId, _checked: bool = False) -> None:
        others = tuple(selected for selected in self._ids if selected != id_)
        self.show_ids(others if id_ in self._ids else (*others, id_))
        self.ids_chosen.emit(self._ids)

    def _ask_for_files(self, _checked: bool = False) -> None:
        self._offer.from_files(self.window(), self._add)

    def _add(self, id_: CollectionId) -> None:
        if id_ not in self._ids:
            self._toggle(id_)


KEYS: Final = (
    "sampling.temperature",
    "sampling.top_p",
    "sampling.min_p",
    "sampling.max_tokens",
    "sampling.seed",
    "answer.reasoning",
    *SWITCHES,
)
"""Settings with a row in the editor; others, from a preset made from a chat, are kept unchanged."""
_PAUSE_MS: Final = 500
_EDITOR_WIDTH: Final = 252
_MIN_LABEL_WIDTH: Final = 130
_FAVOURITE: Final = tr_noop("Show on new-chat screen")
_ANY_MODEL: Final = tr_noop("Chat's current model")
_VARIABLES: Final = tr_noop(
    "Use {{name}} for variables. {{date}}, {{time}}, {{language}} and {{model}} are filled in automatically."
)


class PresetEditor(QWidget):
    """Reports the edited preset; stores nothing itself."""

    changed = Signal(object)
    """Carries the edited ``Preset``, once the user has paused typing."""
    rule_requested = Signal(str, str)
    """Carries the current format and rule, to be changed; see ``set_rule``."""

    def __init__(self, *, models: Callable[[], Sequence[ModelEntry]], collections: CollectionOffer) -> None:
        super().__init__()
        self._models = models
        self._preset: Preset | None = None
        self._is_showing = False
        self.kind = SegmentedControl(
            ((PresetKind.CHAT, tr("For chats")), (PresetKind.SNIPPET, tr("Snippet"))),
            name=tr("Type"),
            wraps=True,
        )
        self.name = line_field(tr("Name"), max_length=NAME_CHARACTERS)
        self.about = line_field(tr("Description"), max_length=ABOUT_CHARACTERS)
        self.text = QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(theme().scaled(130))
        self.favourite = Switch(name=tr(_FAVOURITE))
        self.model = ComboBox(name=tr("Model"))
        self.rule = Button("", kind="value")
        self.collections = CollectionChoice(offer=collections)
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.boxes: dict[str, Switch] = {}
        self.editors: dict[str, Editor] = {}
        self.defaults: dict[str, QLineEdit] = {}
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._emit_changed)
        self._arrange()
        self._connect()

    def _arrange(self) -> None:
        self._text_label = Label(role="strong")
        self._defaults = QGridLayout()
        self._defaults.setContentsMargins(0, 0, 0, 0)
        self._defaults.setColumnStretch(1, 1)
        self._chat = boxed(
            column(
                row(self.favourite, stretch(WrappedLabel(tr(_FAVOURITE), role="body")), spacing=SPACE_M),
                self._labelled(Label(tr("Model"), role="body"), self.model),
                self._labelled(WrappedLabel(tr("Response format"), role="body"), self.rule),
                self._labelled(ElidedLabel(tr("Collections"), role="body"), self.collections),
                *self._make_settings(),
                margins=(0, SPACE_S, 0, 0),
            )
        )
        column(
            self.kind,
            column(Label(self.name.accessibleName(), role="strong"), self.name, spacing=SPACE_XS),
            column(Label(self.about.accessibleName(), role="strong"), self.about, spacing=SPACE_XS),
            column(self._text_label, self.text, spacing=SPACE_XS),
            WrappedLabel(tr(_VARIABLES), role="small"),
            boxed(self._defaults),
            self._chat,
            self.error,
            stretch(),
            spacing=SPACE_M,
            on=self,
        )

    def _make_settings(self) -> Iterator[QWidget]:
        for key in KEYS:
            definition = BY_KEY[key]
            box = Switch(name=tr("{label}: override").format(label=tr(definition.label)))
            box.setToolTip(tr(definition.help))
            editor = make_editor(definition)
            self.boxes[key], self.editors[key] = box, editor
            label = row(box, stretch(WrappedLabel(tr(definition.label), role="body")), spacing=SPACE_M)
            yield self._labelled(boxed(label), editor)

    def _labelled(self, label: QWidget, editor: QWidget) -> ResponsiveRow:
        # All of the same width, so that they align.
        editor.setFixedWidth(theme().scaled(_EDITOR_WIDTH))
        return ResponsiveRow(label, editor, min_first_width=_MIN_LABEL_WIDTH, spacing=SPACE_L)

    def _connect(self) -> None:
        self.kind.key_selected.connect(self._on_kind)
        for line in (self.name, self.about):
            line.textEdited.connect(self._on_edited)
        self.text.textChanged.connect(self._on_text)
        self.favourite.clicked.connect(self._on_edited)
        self.model.activated.connect(self._on_edited)
        self.rule.clicked.connect(self._on_rule)
        self.collections.ids_chosen.connect(self._on_collections)
        for key, box in self.boxes.items():
            box.clicked.connect(lambda checked, key=key: self._on_box(key, checked=bool(checked)))
            self.editors[key].edited.connect(lambda value, key=key: self._on_value(key, value))

    # Display

    @property
    def preset(self) -> Preset | None:
        """The preset being edited, with everything typed so far."""
        return self._preset

    def show_preset(self, preset: Preset) -> None:
        """Show a preset; call ``flush`` first, so that edits of the one before are reported."""
        self._is_showing = True
        self._preset = preset
        self.kind.select(preset.kind)
        self.name.setText(localized_name(preset))
        self.about.setText(localized_about(preset))
        self.text.setPlainText(preset.text)
        self.favourite.setChecked(preset.favourite)
        self._show_models()
        for key in KEYS:
            self._show_value(key)
        self._show_rule()
        ids = preset.settings.get(COLLECTIONS_KEY, ())
        self.collections.show_ids([CollectionId(str(id_)) for id_ in ids] if isinstance(ids, tuple) else ())
        self._show_defaults()
        self._show_kind()
        self.show_error("")
        self._is_showing = False

    def set_rule(self, form: str, rule: str) -> None:
        """Set the format and rule of answers that the user chose."""
        assert self._preset is not None
        settings = dict(self._preset.settings)
        for key in (FORMAT_KEY, RULE_KEY):
            settings.pop(key, None)
        if form != FORMAT_TEXT:
            settings[FORMAT_KEY] = form
            if rule:
                settings[RULE_KEY] = rule
        self._preset = replace(self._preset, settings=settings)
        self._show_rule()
        self._on_edited()

    def show_error(self, sentence: str) -> None:
        """Show why the preset was not saved; empty clears the message."""
        self.error.show_text(sentence)

    @Slot()
    def flush(self) -> None:
        """Report at once what was typed but not reported yet."""
        if self._pause.isActive():
            self._pause.stop()
            self._emit_changed()

    @Slot()
    def _emit_changed(self) -> None:
        self.changed.emit(self._preset)

    def _show_models(self) -> None:
        assert self._preset is not None
        entries = [entry for entry in self._models() if entry.spec is not None]
        self._ids = [None, *(entry.spec.id for entry in entries if entry.spec is not None)]
        names = [tr(_ANY_MODEL), *(one_line(display_name(entry)) for entry in entries)]
        model_id = self._preset.model_id
        if model_id is not None and model_id not in self._ids:
            self._ids.append(model_id)
            names.append(tr("{wanted} (not installed)").format(wanted=one_line(model_id)))
        self.model.clear()
        self.model.addItems(names)
        self.model.setCurrentIndex(self._ids.index(model_id))

    def _show_value(self, key: str) -> None:
        assert self._preset is not None
        has_own = key in self._preset.settings
        self.boxes[key].setChecked(has_own)
        self.editors[key].setEnabled(has_own)
        self.editors[key].show_value(self._preset.settings.get(key, BY_KEY[key].default))

    def _show_rule(self) -> None:
        assert self._preset is not None
        form = str(self._preset.settings.get(FORMAT_KEY, FORMAT_TEXT))
        self.rule.set_label(f"{format_label(form)}…")
        self.rule.setAccessibleName(tr("Response format: {form}").format(form=format_label(form)))

    def _show_kind(self) -> None:
        is_chat = self.kind.selected_key == PresetKind.CHAT
        self._chat.setVisible(is_chat)
        self._text_label.setText(tr("System prompt") if is_chat else tr("Text"))
        self.text.setAccessibleName(self._text_label.text())

    def _show_defaults(self) -> None:
        names = prompted_variables(self.text.toPlainText())
        if tuple(self.defaults) == names:
            return
        assert self._preset is not None
        clear(self._defaults)
        typed = {name: field.text() for name, field in self.defaults.items()}
        self.defaults = {}
        for row_index, name in enumerate(names):
            field = line_field(
                tr("Default value of {name}").format(name=name),
                max_length=VALUE_CHARACTERS,
                placeholder=tr("Default value"),
            )
            field.setText(typed.get(name, self._preset.defaults.get(name, "")))
            field.textEdited.connect(self._on_edited)
            self._defaults.addWidget(Label(f"{{{{{name}}}}}", role="mute"), row_index, 0)
            self._defaults.addWidget(field, row_index, 1)
            self.defaults[name] = field

    # User actions

    def _on_kind(self) -> None:
        self._show_kind()
        self._on_edited()

    def _on_text(self) -> None:
        if not self._is_showing:
            self._show_defaults()
            self._on_edited()

    def _on_box(self, key: str, *, checked: bool) -> None:
        assert self._preset is not None
        settings = dict(self._preset.settings)
        settings.pop(key, None)
        if checked:
            settings[key] = BY_KEY[key].default
        self._preset = replace(self._preset, settings=settings)
        self._show_value(key)
        self._on_edited()

    def _on_value(self, key: str, value: SettingValue) -> None:
        assert self._preset is not None
        if self.boxes[key].isChecked():
            self._preset = replace(self._preset, settings={**self._preset.settings, key: value})
            self._show_value(key)
            self._on_edited()

    def _on_collections(self, ids: tuple[CollectionId, ...]) -> None:
        assert self._preset is not None
        settings = {key: value for key, value in self._preset.settings.items() if key != COLLECTIONS_KEY}
        self._preset = replace(self._preset, settings={**settings, COLLECTIONS_KEY: ids} if ids else settings)
        self._on_edited()

    def _on_rule(self) -> None:
        assert self._preset is not None
        settings = self._preset.settings
        self.rule_requested.emit(str(settings.get(FORMAT_KEY, FORMAT_TEXT)), str(settings.get(RULE_KEY, "")))

    @Slot()
    def _on_edited(self) -> None:
        if self._preset is None or self._is_showing:
            return
        text = self.text.toPlainText()
        self._preset = replace(
            self._preset,
            kind=PresetKind(self.kind.selected_key),
            name=_stored_form(self.name.text(), self._preset.name, displayed=localized_name(self._preset)),
            about=_stored_form(
                self.about.text(), self._preset.about, displayed=localized_about(self._preset)
            ),
            text=text,
            model_id=self._ids[max(0, self.model.currentIndex())],
            defaults={name: field.text() for name, field in self.defaults.items() if field.text()},
            favourite=self.favourite.isChecked(),
        )
        self._pause.start()


def _stored_form(typed: str, stored: str, *, displayed: str) -> str:
    """Return the text to store: the stored one, if the user did not edit its translation."""
    return stored if typed == displayed else typed
