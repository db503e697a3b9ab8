"""Pictures in SVG that a model wrote: which may be drawn, and what of them. Pure: no Qt."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final
from xml.parsers import expat

from fireside.core.i18n import tr, tr_noop

MAX_SVG_CHARS: Final = 2_000_000
_MAX_ELEMENTS: Final = 50_000
"""That are drawn, with those that ``use`` draws again."""
_MAX_DEPTH: Final = 100
_MAX_FILTERS: Final = 40
"""Effects such as blurring, each of which takes as long as the whole picture is large."""
_TOO_MANY: Final = tr_noop("It has too many elements to be drawn here.")
_HREF: Final = re.compile(r"""[\w:.-]*href\s*=\s*("[^"]*"|'[^']*')""", re.IGNORECASE)
_ALLOWED: Final = re.compile(r"""["']\s*(?:#|data:image/(?:png|jpe?g|gif|webp);base64,)""", re.IGNORECASE)
_DOCTYPE: Final = re.compile(r"<!DOCTYPE[^>\[]*>", re.IGNORECASE)


class SvgRefused(ValueError):
    """A picture that is not drawn; ``str`` of it is the reason for the user."""


def safe_svg(text: str) -> str:
    """Return a picture without what it would load from elsewhere: files, addresses, other documents.

    Raises ``SvgRefused`` for text that is no SVG, or would take too long to draw.
    """
    if len(text) > MAX_SVG_CHARS:
        raise SvgRefused(tr("It is too large to be drawn here."))
    if "<!ENTITY" in text.upper():
        raise SvgRefused(tr("It defines entities, which are not read."))
    before, text = "", _DOCTYPE.sub("", text.strip())
    while before != text:
        before, text = text, _HREF.sub(lambda match: match[0] if _ALLOWED.match(match[1]) else "", text)
    if text.lower().count("<fe") > _MAX_FILTERS:
        raise SvgRefused(tr(_TOO_MANY))
    if _n_drawn(text) > _MAX_ELEMENTS:
        raise SvgRefused(tr(_TOO_MANY))
    return text


class _Counter:
    """Counts the elements of a picture as they are drawn: what ``use`` refers to, once more."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._ids: list[str] = []
        """The elements with an id around the current one."""
        self._n_own: defaultdict[str, int] = defaultdict(int)
        self._uses: defaultdict[str, list[str]] = defaultdict(list)
        self._counted: dict[str, int] = {}
        self.root = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.root = self.root or name.rpartition(":")[2].lower()
        id_ = attributes.get("id", "")
        self._open.append(id_)
        if len(self._open) > _MAX_DEPTH or self._n_own[""] > _MAX_ELEMENTS:
            raise SvgRefused(tr(_TOO_MANY))
        if id_:
            self._ids.append(id_)
        target = attributes.get("href") or attributes.get("xlink:href") or ""
        for holder in ("", *set(self._ids)):
            self._n_own[holder] += 1
            if target.strip().startswith("#"):
                self._uses[holder].append(target.strip()[1:])

    def end(self, _name: str) -> None:
        if self._open.pop():
            self._ids.pop()

    def count(self, id_: str = "", around: tuple[str, ...] = ()) -> int:
        """Return how many elements one draws; one that draws itself is more than any picture may have."""
        if id_ in around or len(around) > _MAX_DEPTH:
            return _MAX_ELEMENTS + 1
        if id_ not in self._counted:
            inner = (self.count(used, (*around, id_)) for used in self._uses.get(id_, ()))
            self._counted[id_] = min(self._n_own.get(id_, 0) + sum(inner), _MAX_ELEMENTS + 1)
        return self._counted[id_]


def _n_drawn(text: str) -> int:
    counter = _Counter()
    parser = expat.ParserCreate()
    parser.StartElementHandler = counter.start
    parser.EndElementHandler = counter.end
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, ValueError) as exc:
        line = getattr(exc, "lineno", 0)
        raise SvgRefused(tr("It is not well-formed XML (line {line}).").format(line=line)) from exc
    if counter.root != "svg":
        raise SvgRefused(tr("It is no SVG."))
    return counter.count()
