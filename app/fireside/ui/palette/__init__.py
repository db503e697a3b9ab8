"""The command palette: everything that can be done or gone to, found by a few letters."""

from fireside.ui.palette.desk import PaletteDesk
from fireside.ui.palette.palette import Palette

__all__ = ["Palette", "PaletteDesk"]
