"""``fireside ask-window``: a quick question in a small window, for a shortcut of the desktop."""

from __future__ import annotations

import argparse
from typing import Any, Final

ASK_WINDOW_COMMAND: Final = "ask-window"


def add_ask_window_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``ask-window`` to the commands."""
    commands.add_parser(
        ASK_WINDOW_COMMAND,
        help="ask a quick question in a small window",
        description="Open a small window for one question. Bind this command to a system shortcut to ask "
        "from anywhere.",
    )
