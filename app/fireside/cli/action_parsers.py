"""Commands with actions, such as ``fireside documents add``: each action has help of its own."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from typing import Any


class ActionParsers:
    """The parsers of a command's actions.

    Each accepts the options of all, so that one that does not go with an action is refused in words by the
    command itself; its help shows its own alone.

    Args:
        actions: what each action does, by its name; the beginning of a sentence.
    """

    def __init__(self, command: argparse.ArgumentParser, actions: Mapping[Any, str]) -> None:
        parsers = command.add_subparsers(dest="action", required=True, metavar="action", help="what to do")
        self._parsers = {
            name: parsers.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
            for name, text in actions.items()
        }

    def add(self, *names: str, of: Collection[str] = (), **options: Any) -> None:
        """Add an argument to all parsers, shown in the help of the actions ``of``, or of all.

        ``help`` is a text, or a mapping of texts by action.
        """
        text = options.pop("help")
        for action, parser in self._parsers.items():
            shown = (
                text.get(action) if isinstance(text, Mapping) else text if not of or action in of else None
            )
            parser.add_argument(*names, help=argparse.SUPPRESS if shown is None else shown, **options)

    @property
    def parsers(self) -> Collection[argparse.ArgumentParser]:
        return self._parsers.values()
