"""Keep the theme as the settings say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Slot

from fireside.core.errors import FiresideError
from fireside.settings.conversions import accent, contrast, density, text_size_px, theme
from fireside.settings.values import AppLayer, ResolvedSetting
from fireside.ui.theme import Accent, Contrast, Density, ThemeChoice
from fireside.ui.theme.theme import BASE_PX
from fireside.ui.window_context import WindowContext

_TEXT_SIZE: Final = "appearance.text_size"


class Appearance(QObject):
    """Gives the theme what the settings say of it. GUI thread only."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._context = context
        self._text_px = BASE_PX
        context.settings.changed.connect(self.follow)

    @Slot(object)
    def follow(self, resolved: Sequence[ResolvedSetting]) -> None:
        """Give the theme these settings."""
        look = self._context.theme
        self._text_px = text_size_px(resolved)
        look.set_choice(ThemeChoice(theme(resolved)))
        look.set_accent(Accent(accent(resolved)))
        look.set_contrast(Contrast(contrast(resolved)))
        look.set_density(Density(density(resolved)))
        look.set_text_size(self._text_px)

    def change_text_size(self, step: int) -> None:
        """Make all text ``step`` pixels larger, as a setting; beyond the bounds nothing changes."""

        def ignore(_error: FiresideError) -> None:
            """The bounds are reached; pressing the key again changes nothing."""

        client = self._context.client
        changing = client.settings.change(AppLayer(), key=_TEXT_SIZE, value=self._text_px + step)
        self._context.tasks.run(changing, on_error=ignore)

    def reset_text_size(self) -> None:
        """Let the text have its usual size."""
        clearing = self._context.client.settings.clear(AppLayer(), key=_TEXT_SIZE)
        self._context.tasks.run(clearing, on_error=self._context.show_error)
