"""The languages that Fireside speaks."""

from __future__ import annotations

from typing import Final

LANGUAGE_SYSTEM: Final = "system"
ENGLISH: Final = "en"
TRANSLATED: Final = ("de",)
"""Codes as in a locale; each has a file ``resources/translations/fireside_<code>.ts``."""

LANGUAGE_CHOICES: Final = ((ENGLISH, "English"), ("de", "Deutsch"))
"""Each in its own words, so that the user finds it who can read no other."""
