"""What the palette leads to, and in which order a query puts it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from fireside.settings.window_state import TARGET_NAME_LIMIT
from fireside.ui.palette.matching import Haystack, Match, haystack, match
from fireside.ui.widgets.text import one_line

SHOWN: Final = 60
"""More lines are not read; typing on finds the others."""
RECENT_LIMIT: Final = 12
_RECENT_BONUS: Final = 12.0


class TargetKind(StrEnum):
    COMMAND = "command"
    CHAT = "chat"
    MODEL = "model"
    PRESET = "preset"
    COLLECTION = "collection"
    PROMPT = "prompt"
    SETTING = "setting"


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to do or to go to."""

    kind: TargetKind
    key: str
    """Names it among those of its kind, today and after the next start."""
    words: str
    place: str
    """Where it belongs: a menu, a group of settings, “Chat”."""
    go: Callable[[], None]
    shortcut: str = ""
    icon: str = ""
    also: str = ""
    """Other words that it is found by."""
    names: tuple[str, ...] = ()
    """What it is called besides."""

    @property
    def name(self) -> str:
        """Its name among all targets."""
        return f"{self.kind}:{self.key}"


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A target that fits the query, and the characters of its words that were meant."""

    target: Target
    places: tuple[int, ...] = ()


class Index:
    """Targets made ready for one opening of the palette."""

    def __init__(self, targets: Sequence[Target], *, recent: Sequence[str]) -> None:
        """Take ``recent`` as names of targets, the last used first."""
        self._targets = tuple(targets)
        self._hays: list[Haystack] = [
            haystack(one_line(target.words), hint=f"{target.place} {target.also}", names=target.names)
            for target in targets
        ]
        self._recent = {name: rank for rank, name in enumerate(recent)}

    def hits(self, query: str) -> tuple[Hit, ...]:
        """Return what fits best, the best first; without a query what was used last, then the rest."""
        found: list[tuple[float, int, Match]] = []
        for place, hay in enumerate(self._hays):
            fit = match(query, hay)
            if fit is not None:
                found.append((fit.score + self._bonus(self._targets[place]), place, fit))
        found.sort(key=lambda one: (-one[0], one[1]))
        return tuple(Hit(target=self._targets[place], places=fit.places) for _, place, fit in found[:SHOWN])

    def _bonus(self, target: Target) -> float:
        rank = self._recent.get(target.name)
        return 0.0 if rank is None else _RECENT_BONUS - rank / RECENT_LIMIT


def used(recent: Sequence[str], name: str) -> tuple[str, ...]:
    """Return ``recent`` with ``name`` in front; a name too long to be remembered is left out."""
    if len(name) > TARGET_NAME_LIMIT:
        return tuple(recent)
    return (name, *(other for other in recent if other != name))[:RECENT_LIMIT]
