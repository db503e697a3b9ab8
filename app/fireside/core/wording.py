"""Say what people read in their own language.

Sources are English. The language is chosen once, before anything is said, and holds for the whole process.
Like Qt's own translator it is the one value that is handed to nobody and seen by all, since a sentence is
worded wherever its facts are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol


class Language(Protocol):
    """What a language can do. Any thread."""

    code: str
    """As in a locale: ``de``, ``zh_CN``."""

    def translate(self, text: str, comment: str, n: int | None) -> str:
        """Return ``text`` in this language, in the form for ``n`` things, with ``%n`` filled in.

        Without a translation it is the English text. Never raises.
        """

    def number(self, value: float, *, decimals: int) -> str:
        """Return a number as it is written there: ``1,234.5``."""


class English:
    """The language of the sources: a text that counts holds both its forms, ``%n token|%n tokens``."""

    code = "en"

    def translate(self, text: str, comment: str, n: int | None) -> str:  # noqa: ARG002 - for translators only
        if n is None:
            return text
        one, _, many = text.partition("|")
        form = one if n == 1 or not many else many
        return form.replace("%n", self.number(n, decimals=0))

    def number(self, value: float, *, decimals: int) -> str:
        return f"{value:,.{decimals}f}"


class _Speaker:
    language: Language = English()


_speaker: Final = _Speaker()


def speak(language: Language) -> None:
    """Say everything in ``language`` from now on."""
    _speaker.language = language


def spoken() -> str:
    """Return the code of the language in force: ``de``."""
    return _speaker.language.code


def tr(text: str, comment: str = "", n: int | None = None, /) -> str:
    """Return ``text``, a literal, in the language in force.

    All arguments by position: so the tool finds them that collects texts for translators.

    Args:
        text: English. Values come in afterwards by name: ``tr("Delete “{name}”?").format(name=name)``. A text
            that counts holds both forms: ``tr("%n token|%n tokens", "", 3)``.
        comment: for the translator, where the same English text means two things; it tells them apart.
        n: how many, for the form of the plural.
    """
    return _speaker.language.translate(text, comment, n)


def marked(text: str) -> str:
    """Return ``text`` as it is, known to translators: a constant that goes through ``tr`` when it is said."""
    return text


def number(value: float, *, decimals: int = 0) -> str:
    """Return a number as the language in force writes it: ``1,234.5``."""
    return _speaker.language.number(value, decimals=decimals)


def one_of(words: Sequence[str]) -> str:
    """Return what can be chosen from: ``a, b or c``."""
    if len(words) == 1:
        return words[0]
    return tr("{first} or {last}").format(first=", ".join(words[:-1]), last=words[-1])
