"""Reduce HTML to what readers see, to compare ours with that of published examples."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Final
from urllib.parse import unquote

_SAME: Final = {"del": "s", "i": "em"}
_VOID: Final = frozenset({"br", "hr", "img", "input"})
_IGNORED: Final = frozenset({"thead", "tbody", "span"})
_INLINE: Final = frozenset({"a", "br", "code", "em", "kbd", "mark", "s", "strong", "sub", "sup"})
_EMPHASIS: Final = _INLINE - {"br"}
_SPACE: Final = str.maketrans({"\n": "⏎", " ": "␠"})


class Outline(HTMLParser):
    """The elements and texts of a page, with the attributes that matter.

    ``as_shown`` puts what Fireside shows in the place of what specifications write: images as text, and check
    boxes.
    """

    def __init__(self, html: str, *, as_shown: bool = False) -> None:
        super().__init__()
        self._parts: list[tuple[str, str]] = []
        """Names of elements with their tags, and texts with an empty name."""
        self._as_shown = as_shown
        self._in_pre = False
        self._in_language = False
        self._in_image = False
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        """Everything; in code, line ends and spaces are visible."""
        text = "".join(part if not name or name in _INLINE else f"\0{part}\0" for name, part in self._parts)
        return re.sub(r"\s*\0\s*", "", re.sub(r"\s+", " ", text)).replace("<br> ", "<br>").strip()

    @property
    def inline(self) -> str:
        """The text without white space, with emphasis, code and links, but without blocks and line breaks."""
        shown = (part for name, part in self._parts if not name or name in _EMPHASIS)
        return re.sub(r"[\s⏎␠]+", "", "".join(shown))

    @property
    def words(self) -> Counter[str]:
        """How often each word is shown, or is a part of a link's address."""
        shown = (part for name, part in self._parts if name in {"", "a", "language"})
        return Counter(re.findall(r"[^\W_]+", unquote(" ".join(shown))))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        tag = _SAME.get(tag, tag)
        kind = values.get("class", "")
        if tag == "pre":
            self._in_pre = True
        if tag in _IGNORED or (tag == "br" and self._in_pre):
            pass
        elif tag == "code" and self._in_pre:
            if kind.startswith("language-"):
                self._parts.insert(-1, ("language", f"<language {kind.removeprefix('language-')}>"))
        elif tag == "p" and kind == "language":
            self._in_language = True
        elif tag == "img" and self._as_shown:
            label = f"[image: {values.get('alt') or values.get('src', '')}]"
            self._parts += [("em", "<em>"), ("", label), ("em", "</em>")]
        elif tag == "input" and self._as_shown:
            self._parts.append(("", "☑ " if "checked" in values else "☐ "))
        elif tag == "li" and kind in {"checked", "unchecked"}:
            self._parts.append(("", "☑ " if kind == "checked" else "☐ "))
        elif tag == "a" and kind == "image":
            self._in_image = True  # a link to what specifications show
        elif tag == "a":
            self._parts.append(("a", f"<a {values.get('href', '')} {values.get('title', '')}>"))
        else:
            align = re.search(r"left|right|center", values.get("align", "") + values.get("style", ""))
            detail = align[0] if align and tag in {"td", "th"} else values.get("start", "")
            self._parts.append((tag, f"<{tag} {detail}>" if detail else f"<{tag}>"))

    def handle_endtag(self, tag: str) -> None:
        tag = _SAME.get(tag, tag)
        if tag == "pre":
            self._in_pre = False
        if tag in _IGNORED or tag in _VOID or (tag == "code" and self._in_pre):
            return
        if tag == "a" and self._in_image:
            self._in_image = False
        elif tag == "p" and self._in_language:
            self._in_language = False
        else:
            self._parts.append((tag, f"</{tag}>"))

    def handle_data(self, data: str) -> None:
        if self._in_language:
            self._parts.append(("language", f"<language {data}>"))
        elif self._in_pre:
            data = data.removesuffix("\n") if self._as_shown else data  # before the closing tag
            self._parts.append(("", data.translate(_SPACE)))
        else:
            self._parts.append(("", data))
