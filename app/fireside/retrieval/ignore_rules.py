"""Which files a ``.gitignore`` excludes, by the rules of its manual (gitignore(5))."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Final

import msgspec

FILE_NAME: Final = ".gitignore"
MAX_BYTES: Final = 256_000
_MAX_RULES: Final = 2_000
_MAX_CHARS: Final = 1_000
"""Characters of one pattern; longer ones are skipped."""
_TOKEN: Final = re.compile(r"(\*+)|(\?)|\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]|\\?(.)", re.DOTALL)
_IN_BRACKETS: Final = re.compile(r"\[:([a-z]+):\]|\\(.)|([\[\]^&~|])", re.DOTALL)
_CLASSES: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": re.escape(string.punctuation), "space": "\\s",
    "upper": "A-Z", "xdigit": "0-9a-fA-F",
}  # fmt: skip


class _Rule(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    is_negated: bool
    folders_only: bool


class IgnoreRules:
    """The rules of one folder, then those of its parents up to the root."""

    def __init__(self, text: str, *, folder: str, parent: IgnoreRules | None = None) -> None:
        """Parse a file's ``text``; ``folder`` is its path below the root, with a ``/`` at its end."""
        self._folder = folder
        self._parent = parent
        self._rules = tuple(_rules(text))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Return whether ``path``, relative to the root, is excluded: the last matching rule decides."""
        relative = path[len(self._folder) :]
        for rule in reversed(self._rules):
            if (is_folder or not rule.folders_only) and rule.pattern.fullmatch(relative):
                return not rule.is_negated
        return self._parent is not None and self._parent.ignores(path, is_folder=is_folder)


def _rules(text: str) -> Iterator[_Rule]:
    for line in text.splitlines()[:_MAX_RULES]:
        if line.startswith("#"):
            continue
        is_negated = line.startswith("!")
        glob = re.sub(r"(?<!\\)[ \t]+$", "", line[is_negated:])
        folders_only = glob.endswith("/")
        glob = glob.rstrip("/")
        if not glob or len(glob) > _MAX_CHARS:
            continue
        try:
            pattern = re.compile(_expression(glob))
        except re.error:
            continue
        yield _Rule(pattern, is_negated, folders_only)


def _expression(glob: str) -> str:
    """Return a glob as a regular expression over paths relative to the folder of its file.

    Behind ``**`` and ``*`` the first match of what follows is as good as any later one, so it is never tried
    again (``(?>…)``): the time stays linear in the path, whatever the pattern.
    """
    parts = glob.removeprefix("/").split("/")
    if "/" not in glob:
        parts.insert(0, "**")
    last_wildcard = max((index for index, part in enumerate(parts[:-1]) if part == "**"), default=-1)
    expression, closing = "", ""
    for index, part in enumerate(parts[:-1]):
        if part == "**":
            expression += closing + ("(?:" if index == last_wildcard else "(?>") + "(?:[^/]*/)*?"
            closing = ")"
        else:
            expression += _component(part) + "/"
    return expression + (".+" if parts[-1] == "**" else _component(parts[-1])) + closing


def _component(glob: str) -> str:
    """Return the expression for the name of one file or folder."""
    pieces = [""]  # between the stars
    for star, any_char, negation, brackets, char in _TOKEN.findall(glob):
        if star:
            pieces.append("")
        elif any_char:
            pieces[-1] += "[^/]"
        elif brackets:
            chars = _IN_BRACKETS.sub(_in_brackets, brackets)
            pieces[-1] += f"[^/{chars}]" if negation else f"[{chars}]"
        else:
            pieces[-1] += re.escape(char)
    if len(pieces) == 1:
        return pieces[0]
    first, *middle, last = pieces
    return first + "".join(f"(?>[^/]*?{piece})" for piece in middle) + f"[^/]*{last}"


def _in_brackets(match: re.Match[str]) -> str:
    return _CLASSES.get(match[1], "") if match[1] else f"\\{match[2] or match[3]}"
