"""Translation of texts for the user: ``tr``, ``tr_noop`` and texts that are rendered later.

Source texts are English. The language is set once at the start, for the whole process. It is the only global
value of the program, like Qt's translator, since texts are made in all parts of it.
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
"""Nested phrases."""
_MAX_GROUPED: Final = 10**15
"""Larger numbers are not formatted by the language, which would round them."""
_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")


class Language(Protocol):
    """A language. Any thread."""

    code: str
    """As in a locale: ``de``, ``zh_CN``."""

    def translate(self, text: str, comment: str, n: int | None) -> str:
        """Return the translation of ``text``, or the English text if there is none, in the plural form for
        ``n`` and with ``%n`` replaced. Never raises."""

    def number(self, value: float, *, decimals: int) -> str:
        """Return a formatted number: ``1,234.5``."""


class English:
    """The language of the source texts, with both plural forms in one text: ``%n token|%n tokens``."""

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
    """Set the language of the process."""
    global _language  # noqa: PLW0603 - a process has one language
    _language = language


def language_code() -> str:
    """Return the code of the current language: ``de``, ``zh_CN``."""
    return _language.code


def tr(text: str, comment: str = "", n: int | None = None, /) -> str:
    """Return ``text``, a literal, in the current language.

    All arguments are positional, so that the tool that collects texts for translators finds them.

    Args:
        text: English. Values are inserted by name: ``tr("Delete “{name}”?").format(name=name)``. A text with
            a number has both plural forms: ``tr("%n token|%n tokens", "", 3)``.
        comment: for the translator; distinguishes equal English texts with different meanings.
        n: the number for the plural form.
    """
    return _language.translate(text, comment, n)


def tr_noop(text: str) -> str:
    """Return ``text`` unchanged. Marks a constant for translators; ``tr`` translates it when it is shown."""
    return text


def placeholders(text: str) -> frozenset[str]:
    """Return the names in braces of ``text``."""
    return frozenset(_PLACEHOLDER.findall(text))


def number(value: float, *, decimals: int = 0) -> str:
    """Return a number formatted for the current language: ``1,234.5``."""
    return _language.number(value, decimals=decimals)


class Phrase(msgspec.Struct, frozen=True):
    """A text with values for its placeholders, translated later by ``render``.

    For texts from processes that do not know the language, mainly runners:
    ``Phrase(tr_noop("there is no device “{name}”."), {"name": name})``.
    """

    text: str
    """English, a literal in ``tr_noop``. A placeholder is a name in braces."""
    values: dict[str, PhraseValue] = {}


PhraseValue = str | int | float | Phrase
"""A ``str`` is a name or quotation, which is not translated; a translated text is a ``Phrase``."""

Translatable = str | Phrase
"""Argument of ``render``: a text of ``tr_noop``, a translated text, or a ``Phrase``."""


def render(text: Translatable) -> str:
    """Return ``text`` in the current language.

    A phrase may come from a process that is not trusted: placeholders in values are not replaced, a
    placeholder without a value is kept, and long texts are truncated. Never raises.
    """
    return _rendered(text, depth=0) if isinstance(text, Phrase) else tr(text)


def render_sentence(text: Translatable) -> str:
    """Return ``text``, the end of a sentence, rendered with a capital first letter."""
    sentence = render(text)
    return sentence[:1].upper() + sentence[1:]


def sanitized(phrase: Phrase, *, clean: Callable[[str], str], depth: int = 0) -> Phrase:
    """Return ``phrase`` with ``clean`` applied to every text in it, and limited as by ``render``."""
    values: dict[str, PhraseValue] = {}
    for placeholder, value in _limited(phrase.values).items():
        name = clean(placeholder)
        match value:
            case Phrase():
                values[name] = sanitized(value, clean=clean, depth=depth + 1) if depth < _MAX_DEPTH else "…"
            case str():
                values[name] = clean(value)
            case _:
                values[name] = value
    return Phrase(clean(phrase.text), values)


def _limited(values: dict[str, PhraseValue]) -> dict[str, PhraseValue]:
    return dict(islice(values.items(), _MAX_VALUES))


def _rendered(phrase: Phrase, *, depth: int) -> str:
    values = {name: _rendered_value(value, depth=depth) for name, value in _limited(phrase.values).items()}
    template = tr(phrase.text[:_MAX_CHARS])
    text = _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), template)
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
    if not math.isfinite(value) or abs(value) >= _MAX_GROUPED:
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
