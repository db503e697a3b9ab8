"""The command palette: everything that can be done or gone to, found by a few letters."""

from fireside.ui.palette.palette import Palette
from fireside.ui.palette.palette_controller import PaletteController

__all__ = ["Palette", "PaletteController"]
