"""Say what people read in their own language.

Sources are English. The language is chosen once, before anything is said, and holds for the whole process.
Like Qt's own translator it is the one value that is handed to nobody and seen by all, since a sentence is
worded wherever its facts are known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, Protocol

import msgspec

_MAX_SAID_CHARS: Final = 2000
_MAX_VALUES: Final = 16
_MAX_DEPTH: Final = 3
"""Of phrases in phrases."""
_LARGEST_GROUPED: Final = 10**15
"""Above it a number is written as it is: a language's own way of writing has no more exact digits."""
_PLACE: Final = re.compile(r"\{([a-z_]+)\}")


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


def tr_noop(text: str) -> str:
    """Return ``text`` as it is, known to translators: a constant that goes through ``tr`` when it is said."""
    return text


def number(value: float, *, decimals: int = 0) -> str:
    """Return a number as the language in force writes it: ``1,234.5``."""
    return _speaker.language.number(value, decimals=decimals)


class Phrase(msgspec.Struct, frozen=True):
    """A text and what belongs into its places, to be said later and elsewhere.

    For facts that are found where nobody knows the language, in the process of a model above all:
    ``Phrase(tr_noop("there is no device “{name}”."), {"name": name})``. Who shows it calls ``say``.
    """

    text: str
    """English, a literal in ``tr_noop``. A place is a name in braces."""
    values: dict[str, PhraseValue] = {}


PhraseValue = str | int | float | Phrase
"""A ``str`` is a name or a quotation and stays as it is; words that have a translation are a ``Phrase``."""

Words = str | Phrase
"""What goes through ``say``: a text of ``tr_noop``, one that was said already, or a text with its values."""


def say(words: Words) -> str:
    """Return ``words`` in the language in force.

    A phrase may come from a process that is not trusted: a value is never taken for part of the text, a place
    without a value stays as it is, and what becomes too long is cut. Never raises.
    """
    return _said(words, depth=0) if isinstance(words, Phrase) else tr(words)


def say_alone(words: Words) -> str:
    """Return ``words``, the end of a sentence, as a sentence of their own: with a capital letter."""
    said = say(words)
    return said[:1].upper() + said[1:]


def plain(phrase: Phrase, *, clean: Callable[[str], str], depth: int = 0) -> Phrase:
    """Return ``phrase`` with every text in it as ``clean`` makes it, and without what ``say`` leaves out."""
    values: dict[str, PhraseValue] = {}
    for place, value in _first(phrase.values).items():
        name = clean(place)
        match value:
            case Phrase():
                values[name] = plain(value, clean=clean, depth=depth + 1) if depth < _MAX_DEPTH else "…"
            case str():
                values[name] = clean(value)
            case _:
                values[name] = value
    return Phrase(clean(phrase.text), values)


def _first(values: dict[str, PhraseValue]) -> dict[str, PhraseValue]:
    return dict(islice(values.items(), _MAX_VALUES))


def _said(phrase: Phrase, *, depth: int) -> str:
    values = {name: _said_value(value, depth=depth) for name, value in _first(phrase.values).items()}
    text = tr(phrase.text[:_MAX_SAID_CHARS])
    said = _PLACE.sub(lambda place: values.get(place[1], place[0]), text)
    return said if len(said) <= _MAX_SAID_CHARS else f"{said[: _MAX_SAID_CHARS - 1]}…"


def _said_value(value: PhraseValue, *, depth: int) -> str:
    match value:
        case Phrase():
            return _said(value, depth=depth + 1) if depth < _MAX_DEPTH else "…"
        case str() | bool():
            return str(value)[:_MAX_SAID_CHARS]
        case _:
            return _said_number(value)


def _said_number(value: float) -> str:
    if not math.isfinite(value) or abs(value) >= _LARGEST_GROUPED:
        return f"{value:g}"
    if isinstance(value, int):
        return number(value)
    short = f"{value:.15g}"
    return short if "e" in short else number(value, decimals=len(short.partition(".")[2]))


def one_of(words: Sequence[str]) -> str:
    """Return what can be chosen from: ``a, b or c``."""
    if len(words) == 1:
        return words[0]
    return tr("{first} or {last}").format(first=", ".join(words[:-1]), last=words[-1])
