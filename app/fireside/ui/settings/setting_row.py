"""One setting on the page: label, origin of its value, editor, error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QEnterEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.options import SettingValue
from fireside.settings.values import Origin, ResolvedSetting, SettingDefinition
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.kit.setting_editors import Editor, make_editor
from fireside.ui.settings.scope import Scope, is_locked, is_own, origin_text
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel, set_style_property

_EDITOR_WIDTH: Final = 320
_MIN_EDITOR_WIDTH: Final = 240
_STACK_BELOW: Final = 420
"""A narrower row has its editor below the text."""
RELOAD_NOTE: Final = tr_noop("Applies after the model is reloaded.")


class SettingRow(QWidget):
    """Shows a setting, and reports the user's changes."""

    def __init__(
        self,
        definition: SettingDefinition,
        *,
        on_changed: Callable[[SettingValue], None],
        on_reset: Callable[[], None],
        editor: Editor | None = None,
        on_help: Callable[[str], object] | None = None,
    ) -> None:
        """``editor`` replaces the default editor of the setting's kind. With ``on_help`` the row is compact:
        its description is not in it, but passed to ``on_help`` while the pointer or the focus is there."""
        super().__init__()
        self.definition = definition
        self._content: QBoxLayout | None = None
        self.editor = editor or make_editor(definition)
        self.editor.edited.connect(on_changed)
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.note = WrappedLabel(role="small")
        self.note.hide()
        self.origin = ElidedLabel(role="badge")
        self.origin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.reset = Button(tr("Reset"), kind="link", on_click=on_reset)
        self.reset.setAccessibleName(tr("Reset: {label}").format(label=tr(definition.label)))
        about = tr(definition.help)
        if definition.needs_reload:
            about = f"{about} {tr(RELOAD_NOTE)}"
        for field in self.editor.fields():
            field.setAccessibleDescription(about)
        self._on_help, self._about = on_help, about
        if on_help is None:
            self._arrange()
            return
        self._arrange_compact()
        for field in (*self.editor.fields(), self.reset):
            field.installEventFilter(self)

    def show_setting(self, setting: ResolvedSetting, *, scope: Scope, preset: str = "") -> None:
        """Show the value in force and its origin; ``preset`` names the preset that set it, if any."""
        locked = is_locked(setting, scope)
        self.editor.show_value(setting.value)
        self.editor.setEnabled(not locked)
        origin = origin_text(setting, scope, preset=preset)
        self.origin.set_full_text(origin)
        self.origin.setVisible(bool(origin))
        set_style_property(self.origin, "tone", _tone(setting, scope))
        if self.reset.hasFocus() and not is_own(setting, scope):
            self.editor.fields()[0].setFocus(Qt.FocusReason.OtherFocusReason)
        self.reset.setVisible(is_own(setting, scope))
        self.show_error("")

    def show_error(self, message: str) -> None:
        """Show an error below the editor; empty hides it."""
        self.error.show_text(message)
        self.editor.set_valid(not message)

    def show_note(self, note: str) -> None:
        """Show a note below the editor; empty hides it."""
        self.note.show_text(note)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return hint if self._content is None else QSize(min(hint.width(), _MIN_EDITOR_WIDTH), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._content is not None:
            is_narrow = event.size().width() < theme().scaled(_STACK_BELOW)
            direction = QBoxLayout.Direction
            self._content.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
            self._content.setSpacing(SPACE_S if is_narrow else SPACE_L)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._show_help()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn:
            self._show_help()
        return super().eventFilter(watched, event)

    def _show_help(self) -> None:
        if self._on_help is not None:
            self._on_help(self._about)

    @Slot()
    def _fit(self) -> None:
        self.editor.setMaximumWidth(theme().scaled(_EDITOR_WIDTH))

    def _arrange_compact(self) -> None:
        label = ElidedLabel(tr(self.definition.label))
        is_inline = self.editor.is_compact
        inline_editor = self.editor if is_inline else None
        head = row(label, self.origin, self.reset, stretch(), inline_editor, spacing=SPACE_XS)
        rest = (None if is_inline else self.editor, self.note, self.error)
        column(head, *rest, spacing=SPACE_XS, on=self)

    def _arrange(self) -> None:
        label = ElidedLabel(tr(self.definition.label), role="strong")
        labels = column(
            row(label, self.origin, self.reset, stretch()),
            WrappedLabel(tr(self.definition.help), role="small"),
            self.note,
            self.error,
            spacing=SPACE_XS,
        )
        if self.editor.is_wide:
            column(labels, self.editor, on=self)
        else:
            self._content = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
            self._content.setSpacing(SPACE_L)
            self._content.addLayout(labels, 1)
            # A switch is narrow: the text gets the rest of the width.
            self.editor.setMinimumWidth(0 if self.editor.is_compact else _MIN_EDITOR_WIDTH)
            self._content.addWidget(
                self.editor, 0 if self.editor.is_compact else 1, Qt.AlignmentFlag.AlignVCenter
            )
            self._fit()
            theme().changed.connect(self._fit)
        self._fit_density()
        theme().changed.connect(self._fit_density)

    @Slot()
    def _fit_density(self) -> None:
        vertical = round(theme().density_scaled(SPACE_XS))
        self.setContentsMargins(SPACE_S, vertical, SPACE_S, vertical)
        if (layout := self.layout()) is not None:
            padding = round(theme().density_scaled(SPACE_M - 2))
            layout.setContentsMargins(SPACE_S, padding, SPACE_S, padding)


def _tone(setting: ResolvedSetting, scope: Scope) -> str:
    if setting.origin in (Origin.ENVIRONMENT, Origin.COMMAND_LINE):
        return "warn"
    return "accent" if is_own(setting, scope) else ""
