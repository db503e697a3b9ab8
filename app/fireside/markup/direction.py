"""The direction of text that is written from right to left, and of what stands in it. Pure: no Qt.

A paragraph or table is written from right to left if its first letter is, as in browsers (``dir="auto"``).
Code, URLs and the sources of formulas run from left to right; in such a paragraph they are isolated, else
``code()`` would be shown as ``()code``.
"""

from __future__ import annotations

import re
import unicodedata

_RTL = re.compile("[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""The blocks of Unicode with letters that are written from right to left."""
_OPENS = "\N{ZERO WIDTH SPACE}\N{LEFT-TO-RIGHT ISOLATE}"
"""What ``isolated`` inserts; the space tells it from an isolate that was written."""
_CLOSES = "\N{POP DIRECTIONAL ISOLATE}"
_ISOLATES = frozenset({"LRI", "RLI", "FSI"})
_CONTROLS = re.compile(f"{_OPENS}|[\u2066-\u2069]")
_INNER = re.compile(
    r"(<code>)(.*?)(</code>)|(<a [^>]*>)((?:https?://|www\.|[^\s<>]+@)[^\s<>]*)(</a>)", re.DOTALL
)
_PROSE = frozenset({"text", "txt", "plain", "plaintext", "markdown", "md"})
"""Languages of code blocks that hold prose."""
_CODE = re.compile(r"<(code|pre)\b.*?</\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_ENTITY = re.compile(r"&#?\w+;")
"""Never a letter here: letters stand as they are."""
_PIECE = re.compile(r"<(?:code|pre)\b.*?</(?:code|pre)>|<[^>]*>|[^<]+", re.DOTALL)
_BLOCK = re.compile(r"<(?P<closes>/?)(?P<name>p|li|h[1-6]|td|th|ul|ol|table|blockquote)\b")
_CONTAINERS = frozenset({"ul", "ol", "table", "blockquote"})
_ROW = re.compile(r"(<tr>)(.*?)(</tr>)", re.DOTALL)
_CELL = re.compile(r"<(t[hd]) align=\"(\w+)\">(.*?)</\1>", re.DOTALL)


def has_rtl(text: str) -> bool:
    """Return whether a letter of ``text`` may be written from right to left."""
    return not text.isascii() and _RTL.search(text) is not None


def is_rtl(text: str) -> bool | None:
    """Return whether the first letter is written from right to left; ``None`` if there is no letter.

    Letters in isolates do not count. Rules P2 and P3 of Unicode's bidirectional algorithm.
    """
    depth = 0
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in _ISOLATES:
            depth += 1
        elif kind == "PDI":
            depth = max(0, depth - 1)
        elif kind == "B":
            depth = 0
        elif depth == 0 and kind in ("L", "R", "AL"):
            return kind != "L"
    return None


def is_rtl_html(html: str) -> bool | None:
    """Return ``is_rtl`` of the text of HTML, without code and formulas."""
    return is_rtl(_ENTITY.sub("", _TAG.sub("", _CODE.sub("", html))))


def isolated(html: str) -> str:
    """Return HTML of ``rich_text`` with its code and URLs isolated, if it has letters from right to left."""
    if not has_rtl(html):
        return html
    return _INNER.sub(
        lambda match: (
            f"{match[1] or match[4]}{_OPENS}{match[2] or match[5] or ''}{_CLOSES}{match[3] or match[6]}"
        ),
        html,
    )


def isolating_controls(text: str) -> list[tuple[int, int]]:
    """Return the spans of what ``isolated`` has inserted, in a text or a part of it."""
    spans: list[tuple[int, int]] = []
    is_own: list[bool] = []  # of the open isolates
    for match in _CONTROLS.finditer(text):
        control = match.group()
        if control == _CLOSES:
            if not is_own or is_own.pop():
                spans.append(match.span())
        else:
            is_own.append(control == _OPENS)
            if is_own[-1]:
                spans.append(match.span())
    return spans


def without_isolation(text: str) -> str:
    """Return a displayed text as it was written: without what ``isolated`` has inserted."""
    if _CLOSES not in text and _OPENS not in text:
        return text
    spans = isolating_controls(text)
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(text)]
    return "".join(text[start:end] for start, end in zip(starts, ends, strict=True))


def with_directions(html: str) -> str:
    """Return HTML for browsers and word processors with the direction of each block, cell and piece of code.

    HTML without letters from right to left stays as it is.
    """
    if not has_rtl(html):
        return html
    out: list[str] = []
    ahead: bool | None = None  # whether the first letter of the text behind this place is from right to left
    child: bool | None = None  # the same of the first paragraph behind it
    for piece in reversed(_PIECE.findall(html)):
        tag = _BLOCK.match(piece)
        if _CODE.fullmatch(piece):
            out.append(piece.replace("<code", '<code dir="ltr"', 1).replace("<pre", '<pre dir="ltr"', 1))
        elif tag is None:
            own = is_rtl(_ENTITY.sub("", piece)) if not piece.startswith("<") else None
            ahead = ahead if own is None else own
            out.append(piece)
        elif tag["closes"]:
            ahead = None
            out.append(piece)
        elif tag["name"] in _CONTAINERS:
            out.append(_directed(piece, tag["name"], child))
        elif tag["name"] in ("td", "th"):
            child = child if ahead is None else ahead
            out.append(_directed(piece, tag["name"], ahead))
            ahead = None
        else:
            child = child if ahead is None else ahead
            out.append(_directed(piece, tag["name"], child))
            ahead = None
    return "".join(reversed(out))


def _directed(tag: str, name: str, is_rtl: bool | None) -> str:
    """Return an opening tag with its direction, which it would else take from what contains it."""
    if is_rtl is None and name not in ("td", "th"):
        return tag
    direction = "rtl" if is_rtl else "ltr"
    return f'<{name} dir="{direction}"{tag[1 + len(name) :]}'


def runs_from_left(language: str) -> bool:
    """Return whether all of a block of code in ``language`` runs from left to right."""
    return bool(language) and language.lower() not in _PROSE


def mirrored_rows(rows: str) -> str:
    """Return the rows of a table with their cells in reverse order, for a layout that knows no direction.

    Cells that were aligned to the left, where rows begin otherwise, are aligned to the right.
    """
    return _ROW.sub(lambda row: f"{row[1]}{_mirrored_cells(row[2])}{row[3]}", rows)


def _mirrored_cells(cells: str) -> str:
    written = [
        f'<{tag} align="{"right" if side == "left" else side}">{body}</{tag}>'
        for tag, side, body in _CELL.findall(cells)
    ]
    return "".join(reversed(written))
