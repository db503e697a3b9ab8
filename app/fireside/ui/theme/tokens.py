"""Colours by purpose, one set for each scheme, those of the accents, and the scales of spacing and radii."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import msgspec

from fireside.core.decoding import decode_json

SPACE_XS: Final = 4
SPACE_S: Final = 8
SPACE_M: Final = 12
SPACE_L: Final = 16
SPACE_XL: Final = 24
SPACE_XXL: Final = 32

RADIUS_S: Final = 7
RADIUS_M: Final = 10
RADIUS_L: Final = 16

Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-f]{6}$")]


class Scheme(StrEnum):
    LIGHT = "light"
    DARK = "dark"


class ThemeTokens(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every colour in use, ``#rrggbb``. Text colours keep a contrast of 4.5 to 1 on their surfaces."""

    bg: Colour
    side: Colour
    card: Colour
    card2: Colour
    """Fields, pills, chips: one level above ``card``."""
    line: Colour
    edge: Colour
    """Borders of clickable widgets."""
    text: Colour
    text2: Colour
    mute: Colour
    dim: Colour
    accent: Colour
    accent_hover: Colour
    on_accent: Colour
    accent_soft: Colour
    user: Colour
    """Bubble of the user's own message."""
    code: Colour
    code_head: Colour
    ok: Colour
    warn: Colour
    warn_soft: Colour
    danger: Colour
    danger_soft: Colour
    found: Colour
    """Background of search matches; ``found_here`` is that of the current match."""
    found_here: Colour
    on_found_here: Colour
    hover: Colour
    selected: Colour
    shadow: Colour
    series1: Colour
    """Parts of a whole, as in a memory bar: distinguishable with any kind of colour vision."""
    series2: Colour
    series3: Colour
    series4: Colour
    series5: Colour
    series6: Colour
    pygments_style: str


def read_tokens(resources: Path, *, scheme: Scheme, high_contrast: bool = False) -> ThemeTokens:
    """Read ``theme/<scheme>.json``, or ``<scheme>-high.json``, whose text has a contrast of 7 to 1.

    Raises ``OSError`` or ``msgspec.ValidationError``.
    """
    name = f"{scheme}-high.json" if high_contrast else f"{scheme}.json"
    return decode_json((resources / "theme" / name).read_bytes(), kind=ThemeTokens)


class Accent(StrEnum):
    """The values of the setting ``appearance.accent``; the first is the default."""

    EMBER = "ember"
    INDIGO = "indigo"
    BLUE = "blue"
    TEAL = "teal"
    GREEN = "green"
    ORANGE = "orange"
    ROSE = "rose"


class AccentTokens(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tokens that depend on the accent, in one scheme."""

    accent: Colour
    accent_hover: Colour
    on_accent: Colour
    accent_soft: Colour
    user: Colour


Accents = dict[Accent, dict[Scheme, AccentTokens]]


def read_accents(resources: Path) -> Accents:
    """Read ``theme/accents.json``. Raises ``OSError`` or ``msgspec.ValidationError``."""
    return decode_json((resources / "theme" / "accents.json").read_bytes(), kind=Accents)


def with_accent(tokens: ThemeTokens, accent: AccentTokens) -> ThemeTokens:
    """Return ``tokens`` with the colours of an accent."""
    return msgspec.structs.replace(tokens, **msgspec.structs.asdict(accent))
