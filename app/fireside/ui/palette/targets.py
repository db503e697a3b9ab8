"""The palette's targets, and how a query ranks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from fireside.settings.window_state import TARGET_NAME_LIMIT
from fireside.ui.palette.matching import Haystack, TextMatch, make_haystack, match
from fireside.ui.widgets.text import one_line

MAX_HITS: Final = 60
"""Further matches are found by a longer query."""
RECENT_LIMIT: Final = 12
_CHATS_AT_FIRST: Final = 5
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
    """A command to run or a place to open."""

    kind: TargetKind
    key: str
    """Identifies it among those of its kind, also after a restart."""
    label: str
    location: str
    """Displayed beside the label: a menu, a group of settings, “Chat”."""
    action: Callable[[], None]
    shortcut: str = ""
    icon: str = ""
    keywords: str = ""
    """Further words that match."""
    aliases: tuple[str, ...] = ()
    """Alternative names, which match as well as the label."""

    @property
    def name(self) -> str:
        """Its unique name, as remembered among the recent ones."""
        return f"{self.kind}:{self.key}"


class TargetHit(msgspec.Struct, frozen=True, kw_only=True):
    """A target that matches the query, and the positions of the matched characters in its label."""

    target: Target
    positions: tuple[int, ...] = ()


class Index:
    """Targets prepared for queries while the palette is open."""

    def __init__(self, targets: Sequence[Target], *, recent: Sequence[str]) -> None:
        """``recent`` has names of targets, the last used first."""
        self._targets = tuple(targets)
        self._haystacks: list[Haystack] = [
            make_haystack(
                one_line(target.label), hint=f"{target.location} {target.keywords}", aliases=target.aliases
            )
            for target in targets
        ]
        self._recent = {name: rank for rank, name in enumerate(recent)}

    def hits(self, query: str) -> tuple[TargetHit, ...]:
        """Return the best matches, best first; for an empty query the latest chats, then the recently used
        targets, then all others."""
        if not query.strip():
            return tuple(TargetHit(target=target) for target in self._at_first()[:MAX_HITS])
        ranked: list[tuple[float, int, TextMatch]] = []
        for index, haystack in enumerate(self._haystacks):
            result = match(query, haystack)
            if result is not None:
                ranked.append((result.score + self._bonus(self._targets[index]), index, result))
        ranked.sort(key=lambda scored: (-scored[0], scored[1]))
        return tuple(
            TargetHit(target=self._targets[index], positions=result.positions)
            for _, index, result in ranked[:MAX_HITS]
        )

    def _at_first(self) -> list[Target]:
        """Return all targets in the order in which they are offered before anything is typed."""
        chats = [target for target in self._targets if target.kind is TargetKind.CHAT][:_CHATS_AT_FIRST]
        used = [target for target in self._targets if target.name in self._recent]
        used.sort(key=lambda target: self._recent[target.name])
        return list({target.name: target for target in (*chats, *used, *self._targets)}.values())

    def _bonus(self, target: Target) -> float:
        rank = self._recent.get(target.name)
        return 0.0 if rank is None else _RECENT_BONUS - rank / RECENT_LIMIT


def with_recent(recent: Sequence[str], name: str) -> tuple[str, ...]:
    """Return ``recent`` with ``name`` in front; a name over ``TARGET_NAME_LIMIT`` is not added."""
    if len(name) > TARGET_NAME_LIMIT:
        return tuple(recent)
    return (name, *(other for other in recent if other != name))[:RECENT_LIMIT]
