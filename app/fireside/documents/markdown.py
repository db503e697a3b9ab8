"""Where the headings and the code of a Markdown text are."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Final

from fireside.documents.extracted_text import mark_code, mark_heading

_ENDINGS: Final = frozenset(
    ("livemd", "markdown", "md", "mdown", "mdtext", "mdtxt", "mdwn", "mdx", "mkd", "mkdn", "qmd", "rmd")
)
_FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
"""Settings in YAML, whose comments begin as headings do."""
_MAX_NESTING: Final = 50


def is_markdown(name: str) -> bool:
    """Return whether a text file of this name is Markdown."""
    return name.rpartition(".")[2].lower() in _ENDINGS


def mark_markdown(text: str) -> str:
    """Return a Markdown text with its headings and code marked until ``locate_marks``.

    Not those within quotes and lists. Its line ends are ``\\n``.
    """
    from markdown_it import MarkdownIt  # only with the first Markdown text

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table")
    parser.core.ruler.enableOnly(["block"])
    settings = _FRONT_MATTER.match(text)
    first = settings.end() if settings else 0
    starts = list(accumulate((len(line) + 1 for line in text[first:].split("\n")), initial=first))
    pieces = [text[:first]]
    for token in parser.parse(text[first:]):
        if token.level or not token.map or token.type not in ("heading_open", "fence", "code_block"):
            continue
        start, end = (min(starts[line], len(text)) for line in token.map)
        pieces.append(text[first:start])
        if token.type == "heading_open":
            pieces += (mark_heading(int(token.tag[1:]), prefix=False), text[start:end])
        else:
            pieces.append(mark_code(text[start:end]))
        first = end
    return "".join((*pieces, text[first:]))
