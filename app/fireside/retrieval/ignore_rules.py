"""Which files a ``.gitignore`` leaves out, by the rules of its manual (gitignore(5))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

FILE_NAME: Final = ".gitignore"
MAX_BYTES: Final = 256_000
_MOST_RULES: Final = 2_000
_MOST_STARS: Final = 8
"""Of one pattern: more are no pattern that is meant, and may take for ever to match."""


class _Rule(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    is_negated: bool
    folders_only: bool


class IgnoreRules:
    """The rules of one folder, and of those around it."""

    def __init__(self, text: str, *, folder: str, around: IgnoreRules | None = None) -> None:
        """Take the file's ``text``, and its ``folder`` below the root with ``/`` at its end."""
        self._folder = folder
        self._around = around
        self._rules = tuple(_rules(text))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether ``path`` below the root, parted by ``/``, is left out: the last rule decides."""
        within = path[len(self._folder) :]
        for rule in reversed(self._rules):
            if (is_folder or not rule.folders_only) and rule.pattern.fullmatch(within):
                return not rule.is_negated
        return self._around is not None and self._around.ignores(path, is_folder=is_folder)


def _rules(text: str) -> Iterator[_Rule]:
    for line in text.splitlines()[:_MOST_RULES]:
        words = re.sub(r"(?<!\\)[ \t]+$", "", line)
        is_negated = words.startswith("!")
        words = words[is_negated:]
        if not words or words.startswith("#") or words.count("*") > _MOST_STARS:
            continue
        folders_only = words.endswith("/")
        words = words.rstrip("/") if folders_only else words
        if not words:
            continue
        try:
            pattern = re.compile(_expression(words))
        except re.error:
            continue
        yield _Rule(pattern, is_negated, folders_only)


def _expression(words: str) -> str:
    """Return the pattern as a regular expression over paths from the folder of its file."""
    is_anchored = "/" in words
    words = words.removeprefix("/")
    found = "" if is_anchored else "(?:.*/)?"
    at = 0
    while at < len(words):
        if words.startswith("**/", at):
            found, at = f"{found}(?:.*/)?", at + 3
        elif words.startswith("/**", at) and at + 3 == len(words):
            found, at = f"{found}/.+", at + 3
        elif words[at] == "*":
            found += "[^/]*"
            at += len(words[at:]) - len(words[at:].lstrip("*"))
        elif words[at] == "?":
            found, at = f"{found}[^/]", at + 1
        elif words[at] == "[" and (end := words.find("]", at + 2)) > 0:
            inside = words[at + 1 : end].replace("\\", r"\\").replace("[", r"\[")
            found += f"[^{inside[1:]}]" if inside[0] in "!^" else f"[{inside}]"
            at = end + 1
        else:
            at += words[at] == "\\" and at + 1 < len(words)
            found, at = found + re.escape(words[at]), at + 1
    return found
