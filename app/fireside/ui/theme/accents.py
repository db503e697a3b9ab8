"""The accent colours: what may be chosen in place of the usual one."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import msgspec

from fireside.ui.theme.tokens import Colour, Scheme, Tokens


class Accent(StrEnum):
    """What the setting ``appearance.accent`` may be; the first is the usual one."""

    INDIGO = "indigo"
    BLUE = "blue"
    TEAL = "teal"
    GREEN = "green"
    ORANGE = "orange"
    ROSE = "rose"


class AccentTokens(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tokens that change with the accent, in one scheme."""

    accent: Colour
    accent_hover: Colour
    on_accent: Colour
    accent_soft: Colour
    user: Colour


Accents = dict[Accent, dict[Scheme, AccentTokens]]


def read_accents(resources: Path) -> Accents:
    """Read ``theme/accents.json``. Raises ``OSError`` or ``msgspec.ValidationError``."""
    return msgspec.json.decode((resources / "theme" / "accents.json").read_bytes(), type=Accents)


def with_accent(tokens: Tokens, accent: AccentTokens) -> Tokens:
    """Return ``tokens`` with the colours of an accent."""
    return msgspec.structs.replace(tokens, **msgspec.structs.asdict(accent))
