"""The accent colours."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import msgspec

from fireside.core.decoding import decode_json
from fireside.ui.theme.tokens import Colour, Scheme, Tokens


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


def with_accent(tokens: Tokens, accent: AccentTokens) -> Tokens:
    """Return ``tokens`` with the colours of an accent."""
    return msgspec.structs.replace(tokens, **msgspec.structs.asdict(accent))
