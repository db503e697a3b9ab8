"""The look of the program: colours, fonts, icons and the style sheet."""

from fireside.ui.theme.contrast import Contrast
from fireside.ui.theme.look import (
    BASE_PX,
    MESSAGE_PX,
    ColumnWidth,
    Density,
    Theme,
    ThemeChoice,
    load_fonts,
    theme,
    use_theme,
)
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
    Accent,
    Scheme,
    ThemeTokens,
)

__all__ = [
    "BASE_PX",
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
    "ThemeTokens",
    "load_fonts",
    "theme",
    "use_theme",
]
