"""The command palette: fuzzy search over commands, chats, models, presets and settings."""

from fireside.ui.palette.palette import Palette
from fireside.ui.palette.palette_controller import PaletteController

__all__ = ["Palette", "PaletteController"]
