"""Translation of texts for the user: ``tr``, ``tr_noop`` and texts that are rendered later.

Source texts are English. The language is chosen once, at the start, for the whole process: the only global
value of the program, as with Qt's own translator, since texts are made wherever their facts are known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, Protocol

import msgspec

_MAX_CHARS: Final = 2000
_MAX_VALUES: Final = 16
_MAX_DEPTH: Final = 3
"""Of phrases in phrases."""
_LARGEST_GROUPED: Final = 10**15
"""Above it a number is written as it is: a language's own way of writing has no more exact digits."""
_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")


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
        """See ``Language.translate``."""
        if n is None:
            return text
        one, _, many = text.partition("|")
        form = one if n == 1 or not many else many
        return form.replace("%n", self.number(n, decimals=0))

    def number(self, value: float, *, decimals: int) -> str:
        """See ``Language.number``."""
        return f"{value:,.{decimals}f}"


_language: Language = English()


def set_language(language: Language) -> None:
    """Translate into ``language`` from now on."""
    global _language  # noqa: PLW0603 - the one global value of the program
    _language = language


def language_code() -> str:
    """Return the code of the language in force: ``de``, ``zh_CN``."""
    return _language.code


def tr(text: str, comment: str = "", n: int | None = None, /) -> str:
    """Return ``text``, a literal, in the language in force.

    All arguments by position: so the tool finds them that collects texts for translators.

    Args:
        text: English. Values come in afterwards by name: ``tr("Delete “{name}”?").format(name=name)``. A text
            that counts holds both forms: ``tr("%n token|%n tokens", "", 3)``.
        comment: for the translator, where the same English text means two things; it tells them apart.
        n: how many, for the form of the plural.
    """
    return _language.translate(text, comment, n)


def tr_noop(text: str) -> str:
    """Return ``text`` as it is, known to translators: a constant that ``tr`` translates when it is shown."""
    return text


def number(value: float, *, decimals: int = 0) -> str:
    """Return a number as the language in force writes it: ``1,234.5``."""
    return _language.number(value, decimals=decimals)


class Phrase(msgspec.Struct, frozen=True):
    """A text with values for its placeholders, translated later and elsewhere.

    For facts that are found where the language is unknown, in a runner process above all:
    ``Phrase(tr_noop("there is no device “{name}”."), {"name": name})``. ``render`` makes it readable.
    """

    text: str
    """English, a literal in ``tr_noop``. A placeholder is a name in braces."""
    values: dict[str, PhraseValue] = {}


PhraseValue = str | int | float | Phrase
"""A ``str`` is a name or a quotation and stays as it is; words that have a translation are a ``Phrase``."""

Translatable = str | Phrase
"""Argument of ``render``: a text of ``tr_noop``, a translated text, or a ``Phrase``."""


def render(text: Translatable) -> str:
    """Return ``text`` in the language in force.

    A phrase may come from a process that is not trusted: a value is never taken for part of the text, a
    placeholder without a value stays as it is, and what becomes too long is cut. Never raises.
    """
    return _rendered(text, depth=0) if isinstance(text, Phrase) else tr(text)


def render_sentence(text: Translatable) -> str:
    """Return ``text``, the end of a sentence, rendered with a capital first letter."""
    sentence = render(text)
    return sentence[:1].upper() + sentence[1:]


def sanitized(phrase: Phrase, *, clean: Callable[[str], str], depth: int = 0) -> Phrase:
    """Return ``phrase`` with ``clean`` applied to every text in it, without what ``render`` leaves out."""
    values: dict[str, PhraseValue] = {}
    for place, value in _first(phrase.values).items():
        name = clean(place)
        match value:
            case Phrase():
                values[name] = sanitized(value, clean=clean, depth=depth + 1) if depth < _MAX_DEPTH else "…"
            case str():
                values[name] = clean(value)
            case _:
                values[name] = value
    return Phrase(clean(phrase.text), values)


def _first(values: dict[str, PhraseValue]) -> dict[str, PhraseValue]:
    return dict(islice(values.items(), _MAX_VALUES))


def _rendered(phrase: Phrase, *, depth: int) -> str:
    values = {name: _rendered_value(value, depth=depth) for name, value in _first(phrase.values).items()}
    template = tr(phrase.text[:_MAX_CHARS])
    text = _PLACEHOLDER.sub(lambda place: values.get(place[1], place[0]), template)
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1]}…"


def _rendered_value(value: PhraseValue, *, depth: int) -> str:
    match value:
        case Phrase():
            return _rendered(value, depth=depth + 1) if depth < _MAX_DEPTH else "…"
        case str() | bool():
            return str(value)[:_MAX_CHARS]
        case _:
            return _rendered_number(value)


def _rendered_number(value: float) -> str:
    if not math.isfinite(value) or abs(value) >= _LARGEST_GROUPED:
        return f"{value:g}"
    if isinstance(value, int):
        return number(value)
    short = f"{value:.15g}"
    return short if "e" in short else number(value, decimals=len(short.partition(".")[2]))


def join_alternatives(items: Sequence[str]) -> str:
    """Return a list of alternatives: ``a, b or c``."""
    if len(items) == 1:
        return items[0]
    return tr("{first} or {last}").format(first=", ".join(items[:-1]), last=items[-1])
