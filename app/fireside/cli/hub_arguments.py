"""What can be typed after ``fireside pull`` and ``fireside verify``."""

from __future__ import annotations

import argparse
from typing import Final, TypeVar

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)

HUB_COMMANDS: Final = ("pull", "verify")

_PULL_EPILOG = """\
examples:
  fireside pull bartowski/SmolLM2-135M-Instruct-GGUF          the usual size of a model
  fireside pull bartowski/SmolLM2-135M-Instruct-GGUF:Q8_0     another size
  fireside pull owner/model/file.gguf                         one file
  fireside pull "address of the model's page"
Ctrl+C pauses; the same command goes on where it was, also after a power cut.
"""


def add_hub_commands(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the commands that fetch models and check them."""
    pull = commands.add_parser(
        "pull",
        help="fetch a model from the hub",
        description="Fetch a model from the hub into the library. Only a file that is checked gets there.",
        epilog=_PULL_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    pull.add_argument("name", help="OWNER/MODEL, OWNER/MODEL:SIZE, OWNER/MODEL/FILE or an address")
    verify = commands.add_parser(
        "verify",
        help="check that a model's files are what they were when they were fetched",
        description="Read a model's files and compare them with what the hub said when they were fetched.",
    )
    verify.add_argument("name", metavar="model", help="a name from “fireside list”, or a .gguf file")
    verify.add_argument("--repair", action="store_true", help="fetch again what is damaged, and nothing else")
