"""The sentences of Markdown that is read aloud, while it is being written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from fireside.core.i18n import tr
from fireside.markup.markdown import make_parser

if TYPE_CHECKING:
    from markdown_it.token import Token

_SENTENCE: Final = re.compile(r"[.!?…:][\"'”’»)\]]*\s+(?=[^\sa-z])|[。！？]\s*")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:[A-Za-zÄÖÜäöü]|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|vs|bzw|ca|usw|etc|Abs|Art|Kap|Fig|Abb|d\.\s?h)|^\d+)\.\s$"
)
_MAX_CHARS: Final = 400
"""Of what is spoken at once; a longer sentence is cut at a comma or a space."""
_MAX_WAITING: Final = _MAX_CHARS + 40
"""Characters of a sentence of which the end is not written yet, without which a part of it is spoken."""
_CUT: Final = re.compile(r"[,;–—]\s|\s")
_SIMPLE_FORMULA: Final = re.compile(r"[A-Za-z0-9]{1,8}|[A-Za-z] ?= ?\d+")
_DELIMITERS: Final = "$\\()[] "


class SpokenSentence(NamedTuple):
    """What is spoken at once."""

    spoken: str
    text: str
    """As it stands in the message; empty for a word instead of code, a table or a formula."""


class SpokenText:
    """Markdown that grows. Code, tables and formulas are left out with a word."""

    def __init__(self) -> None:
        self._source = ""
        self._n_given = 0
        self._n_new = 0
        """Characters that came since the last look at the sentences."""

    def append(self, text: str) -> Sequence[SpokenSentence]:
        """Add text, and return the sentences that are complete now."""
        self._source += text
        self._n_new += len(text)
        may_end = any(char in ".!?…:。！？\n" for char in text) or self._n_new > _MAX_WAITING
        return self._next(is_whole=False) if may_end else ()

    def finish(self) -> Sequence[SpokenSentence]:
        """Return what is left."""
        return self._next(is_whole=True)

    def _next(self, *, is_whole: bool) -> Sequence[SpokenSentence]:
        self._n_new = 0
        found = list(_sentences(self._source, is_whole=is_whole))
        new = found[self._n_given :]
        self._n_given = max(self._n_given, len(found))
        return new


def _sentences(source: str, *, is_whole: bool) -> Iterator[SpokenSentence]:
    tokens = make_parser().parse(source)
    last = next((n for n, token in reversed(list(enumerate(tokens))) if _is_leaf(token)), -1)
    depth = 0
    for n, token in enumerate(tokens):
        if token.type == "table_open":
            depth += 1
            yield SpokenSentence(tr("A table."), "")
        elif token.type == "table_close":
            depth -= 1
        elif token.type in ("fence", "code_block"):
            yield SpokenSentence(tr("Code."), "")
        elif token.type == "math_block":
            yield SpokenSentence(tr("A formula."), "")
        elif token.type == "inline" and not depth:
            yield from _split(_plain(token), is_complete=is_whole or n != last)


def _is_leaf(token: Token) -> bool:
    return token.type in ("inline", "fence", "code_block", "math_block")


def _split(pair: tuple[str, str], *, is_complete: bool) -> Iterator[SpokenSentence]:
    """Yield the sentences of a paragraph: as it is spoken, and as it stands there."""
    spoken, text = pair
    sentences, texts = _parts(spoken, is_complete=is_complete), _parts(text, is_complete=is_complete)
    for n, sentence in enumerate(sentences):
        if any(char.isalnum() for char in sentence):
            yield SpokenSentence(sentence, texts[n] if len(texts) == len(sentences) else "")


def _parts(text: str, *, is_complete: bool) -> list[str]:
    parts: list[str] = []
    begin = 0
    for match in _SENTENCE.finditer(text):
        if not _ABBREVIATION.search(text[begin : match.end()]):
            parts.append(text[begin : match.end()].strip())
            begin = match.end()
    if is_complete and text[begin:].strip():
        parts.append(text[begin:].strip())
    pieces = [piece for part in parts for piece in _cut(part, _MAX_CHARS)]
    if not is_complete:
        pieces += [*_cut(text[begin:].lstrip(), _MAX_WAITING)][:-1]
    return pieces


def _cut(sentence: str, most: int) -> Iterator[str]:
    """Yield the pieces of a sentence of more than ``most`` characters; the last is what is left."""
    while len(sentence) > most:
        ends = [match.end() for match in _CUT.finditer(sentence, _MAX_CHARS // 2, _MAX_CHARS)]
        end = ends[-1] if ends else _MAX_CHARS
        yield sentence[:end].strip()
        sentence = sentence[end:]
    yield sentence.strip()


def _plain(token: Token) -> tuple[str, str]:
    """Return a paragraph as it is spoken, and as it stands there."""
    spoken, text = "", ""
    for child in token.children or ():
        match child.type:
            case "softbreak" | "hardbreak":
                spoken, text = f"{spoken} ", f"{text} "
            case "math_inline":
                formula = child.content.strip(_DELIMITERS)
                spoken += formula if _SIMPLE_FORMULA.fullmatch(formula) else tr("a formula")
                text += child.content
            case "text" | "code_inline":
                spoken, text = spoken + child.content, text + child.content
            case "image":
                spoken += child.content
            case _:
                pass
    return spoken, text
