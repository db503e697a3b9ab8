"""The look of the program: colours, fonts, icons and the style sheet."""

from fireside.ui.theme.accents import Accent
from fireside.ui.theme.contrast import Contrast
from fireside.ui.theme.theme import MESSAGE_PX, ColumnWidth, Density, Theme, ThemeChoice, load_fonts
from fireside.ui.theme.tokens import (
    RADIUS_L,
    RADIUS_M,
    RADIUS_S,
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XL,
    SPACE_XS,
    SPACE_XXL,
    Scheme,
    Tokens,
)

__all__ = [
    "MESSAGE_PX",
    "RADIUS_L",
    "RADIUS_M",
    "RADIUS_S",
    "SPACE_L",
    "SPACE_M",
    "SPACE_S",
    "SPACE_XL",
    "SPACE_XS",
    "SPACE_XXL",
    "Accent",
    "ColumnWidth",
    "Contrast",
    "Density",
    "Scheme",
    "Theme",
    "ThemeChoice",
    "Tokens",
    "load_fonts",
]
