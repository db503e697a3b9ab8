"""Keep the theme as the settings say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject

from fireside.bridge.client import EngineClient
from fireside.core.errors import FiresideError
from fireside.settings.conversions import accent, contrast, density, text_size_px, theme
from fireside.settings.values import AppLayer, ResolvedSetting
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.theme import Accent, Contrast, Density, Theme, ThemeChoice
from fireside.ui.theme.theme import BASE_PX

_PREFIX: Final = "appearance."
_TEXT_SIZE: Final = "appearance.text_size"


class Appearance(QObject):
    """Reads the settings at the start and after each change of theirs, and dresses the window."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        look: Theme,
        on_error: OnError,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._look = look
        self._on_error = on_error
        self._text_px = BASE_PX

    def read(self) -> None:
        """Ask for the settings and follow them."""
        asked = self._client.settings.resolved(model_id=None, conversation_id=None)
        self._tasks.run(asked, on_done=self.follow, on_error=self._on_error)

    def settings_changed(self, keys: Sequence[str]) -> None:
        """Look again if it is about the appearance."""
        if any(key.startswith(_PREFIX) for key in keys):
            self.read()

    def follow(self, resolved: Sequence[ResolvedSetting]) -> None:
        """Dress the window as these settings say."""
        self._text_px = text_size_px(resolved)
        self._look.set_choice(ThemeChoice(theme(resolved)))
        self._look.set_accent(Accent(accent(resolved)))
        self._look.set_contrast(Contrast(contrast(resolved)))
        self._look.set_density(Density(density(resolved)))
        self._look.set_text_size(self._text_px)

    def change_text_size(self, step: int) -> None:
        """Make all text ``step`` pixels larger, as a setting; beyond the bounds nothing changes."""
        self._set_text_size(self._text_px + step)

    def reset_text_size(self) -> None:
        clearing = self._client.settings.clear(AppLayer(), key=_TEXT_SIZE)
        self._tasks.run(clearing, on_error=self._on_error)

    def _set_text_size(self, px: int) -> None:
        def ignore(_error: FiresideError) -> None:
            """The bounds are reached; pressing the key again changes nothing."""

        changing = self._client.settings.change(AppLayer(), key=_TEXT_SIZE, value=px)
        self._tasks.run(changing, on_error=ignore)
