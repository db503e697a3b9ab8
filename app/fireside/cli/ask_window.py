"""``fireside ask-window``: a quick question in a small card, for a key of the desktop to start."""

from __future__ import annotations

import argparse
from typing import Any, Final

ASK_WINDOW_COMMAND: Final = "ask-window"


def add_ask_window_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Let the command be typed."""
    commands.add_parser(
        ASK_WINDOW_COMMAND,
        help="ask a quick question in a small window",
        description="Open a small card for one question. Let a key of your desktop start this command, and "
        "Fireside is a key away wherever you are.",
    )
