"""The slash commands and their search: command names, arguments, matching."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgspec

from fireside.core.i18n import tr
from fireside.ui.commands import COMMANDS, Command
from fireside.ui.palette.matching import make_haystack, match
from fireside.ui.palette.targets import Hit, Target, TargetKind
from fireside.ui.widgets.text import one_line

QUERY_LIMIT: Final = 64
"""Maximal length of a query after the slash in characters; a longer text is a message."""
CLEAR_DRAFT: Final = "clear"

_COMMAND_NAMES: Final = (
    ("model", Command.CHOOSE_MODEL),
    ("system", Command.SYSTEM_PROMPT),
    ("preset", Command.PRESETS),
    ("save", Command.SAVE_PRESET),
    ("schema", Command.ANSWER_FORMAT),
    ("seed", Command.KEEP_SEED),
    ("random", Command.RANDOM_SEED),
    ("regenerate", Command.ANSWER_AGAIN),
    ("continue", Command.CONTINUE_ANSWER),
    ("edit", Command.EDIT_LAST),
    ("title", Command.RENAME_CHAT),
    ("branches", Command.BRANCHES),
    ("copy", Command.COPY_ANSWER),
    ("find", Command.FIND_HERE),
    ("settings", Command.CHAT_SETTINGS),
    ("export", Command.EXPORT_CHAT),
    ("new", Command.NEW_CHAT),
)
_SPECS: Final = {spec.command: spec for spec in COMMANDS}


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """Handlers of commands with an argument: ``/seed 42``, ``/title A day at the sea``."""

    title: Callable[[str], None]
    seed: Callable[[int], None]


def command_targets(
    *, do: Callable[[Command], None], is_enabled: Callable[[Command], bool], clear: Callable[[], None]
) -> tuple[Target, ...]:
    """Return the commands of a chat by their short names; ``clear`` empties the composer."""
    commands = [
        Target(
            kind=TargetKind.COMMAND,
            key=command,
            label=f"/{word}",
            location=tr(_SPECS[command].label),
            icon=_SPECS[command].icon,
            action=partial(do, command),
        )
        for word, command in _COMMAND_NAMES
        if is_enabled(command)
    ]
    clear_draft = Target(
        kind=TargetKind.COMMAND,
        key=CLEAR_DRAFT,
        label=f"/{CLEAR_DRAFT}",
        location=tr("Clear draft"),
        icon="x",
        action=clear,
    )
    return (*commands, clear_draft)


def query_of(text: str) -> str | None:
    """Return the query after the slash; ``None`` where the text is a message."""
    is_query = text.startswith("/") and "\n" not in text and len(text) <= QUERY_LIMIT + 1
    return text[1:] if is_query else None


def hits_of(query: str, targets: Sequence[Target], *, arguments: Arguments) -> tuple[Hit, ...]:
    """Return the matches of ``query``, the best first; none where the text is a message."""
    word, _, rest = query.partition(" ")
    if rest.strip() and (target := _with_argument(word.lower(), rest.strip(), arguments)) is not None:
        return (Hit(target=target),)
    if not query:
        return tuple(Hit(target=target) for target in targets)
    if "/" in query:  # a path, or two slashes
        return ()
    ranked: list[tuple[float, int, Hit]] = []
    for index, target in enumerate(targets):
        # The word “Preset” beside each preset is no search term.
        hint = target.keywords if target.kind is TargetKind.PRESET else target.location
        result = match(query, make_haystack(target.label, hint=hint))
        if result is not None:
            ranked.append((-result.score, index, Hit(target=target, positions=result.positions)))
    return tuple(hit for _, _, hit in sorted(ranked, key=lambda scored: scored[:2]))


def _with_argument(word: str, rest: str, arguments: Arguments) -> Target | None:
    if word == "title":
        return Target(
            kind=TargetKind.COMMAND,
            key="title_to",
            label=f"/title {one_line(rest)}",
            location=tr("Rename chat"),
            icon="pencil",
            action=partial(arguments.title, rest),
        )
    if word == "seed" and rest.isascii() and rest.isdigit() and int(rest) < 0xFFFFFFFF:
        return Target(
            kind=TargetKind.COMMAND,
            key="seed_to",
            label=f"/seed {int(rest)}",
            location=tr("Use this seed"),
            icon="dices",
            action=partial(arguments.seed, int(rest)),
        )
    return None
