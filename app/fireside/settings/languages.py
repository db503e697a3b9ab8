"""The languages of the user interface."""

from __future__ import annotations

from typing import Final

LANGUAGE_SYSTEM: Final = "system"
ENGLISH: Final = "en"
TRANSLATED: Final = ("de",)
"""Language codes; each has a file ``resources/translations/fireside_<code>.ts``."""

LANGUAGE_CHOICES: Final = ((ENGLISH, "English"), ("de", "Deutsch"))
"""Each under its own name, for users who read no other language."""
