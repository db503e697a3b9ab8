"""Applies the appearance settings to the theme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

from fireside.core.errors import FiresideError
from fireside.settings import conversions
from fireside.settings.conversions import (
    accent,
    column_width,
    contrast,
    density,
    shows_statistics,
    text_size_px,
)
from fireside.settings.definitions import BY_KEY
from fireside.settings.values import AppLayer, ResolvedSetting
from fireside.ui.theme import Accent, ColumnWidth, Contrast, Density, ThemeChoice, theme
from fireside.ui.theme.look import BASE_PX
from fireside.ui.window_context import WindowContext

_TEXT_SIZE: Final = "appearance.text_size"


class Appearance(QObject):
    """Keeps the theme in step with the settings, and changes the text size setting. GUI thread only."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._context = context
        self._text_px = BASE_PX
        self._n_saving = 0
        """Text sizes that are still being stored; until then the settings have an older one."""
        # A new size lays out all text again, so several key presses are merged into one change.
        self._resize = QTimer(self, singleShot=True, interval=0)
        self._resize.timeout.connect(self._resize_text)
        context.settings.changed.connect(self.apply_settings)

    @Slot(object)
    def apply_settings(self, resolved: Sequence[ResolvedSetting]) -> None:
        """Apply these settings to the theme."""
        apply_colours(resolved)
        theme().set_chat_layout(
            column_width=ColumnWidth(column_width(resolved)), shows_statistics=shows_statistics(resolved)
        )
        if not self._n_saving and not self._resize.isActive():
            self._text_px = text_size_px(resolved)
            theme().set_text_size(self._text_px)

    def change_text_size(self, step: int) -> None:
        """Change the text size setting by ``step`` pixels, within its bounds."""
        bounds = BY_KEY[_TEXT_SIZE]
        text_px = min(max(self._text_px + step, int(bounds.minimum or 0)), int(bounds.maximum or BASE_PX))
        if text_px != self._text_px:
            self._text_px = text_px
            self._resize.start()

    @Slot()
    def _resize_text(self) -> None:
        def on_done(_none: None) -> None:
            self._n_saving -= 1

        def on_error(error: FiresideError) -> None:
            self._n_saving -= 1
            self._context.show_error(error)

        theme().set_text_size(self._text_px)
        request = self._context.client.settings.change(AppLayer(), key=_TEXT_SIZE, value=self._text_px)
        self._n_saving += 1
        self._context.tasks.run(request, on_done=on_done, on_error=on_error)

    def reset_text_size(self) -> None:
        """Reset the text size setting to its default."""
        request = self._context.client.settings.clear(AppLayer(), key=_TEXT_SIZE)
        self._context.tasks.run(request, on_error=self._context.show_error)


def apply_colours(resolved: Sequence[ResolvedSetting]) -> None:
    """Apply the settings for colours, contrast and density to the theme."""
    look = theme()
    look.set_choice(ThemeChoice(conversions.theme(resolved)))
    look.set_accent(Accent(accent(resolved)))
    look.set_contrast(Contrast(contrast(resolved)))
    look.set_density(Density(density(resolved)))
