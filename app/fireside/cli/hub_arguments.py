"""What can be typed after ``fireside search``, ``fireside pull`` and ``fireside verify``."""

from __future__ import annotations

import argparse
from typing import Final, TypeVar

from fireside.core.discovery import SortOrder

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)

HUB_COMMANDS: Final = ("search", "pull", "verify")

_PULL_WORDS = """\
Fetch a model from the hub into the library. Only a file that is checked gets there.
Of several sizes the one that suits this computer best is taken, unless you name one.
"""
_PULL_EPILOG = """\
examples:
  fireside pull bartowski/SmolLM2-135M-Instruct-GGUF          the size that suits this computer
  fireside pull bartowski/SmolLM2-135M-Instruct-GGUF:Q8_0     another size
  fireside pull owner/model/file.gguf                         one file
  fireside pull "address of the model's page"
Ctrl+C pauses; the same command goes on where it was, also after a power cut.
"""
_VERIFY_WORDS = """\
Read a model's files and compare them with what the hub said when they were fetched.
Nothing is asked of the network unless something is to be repaired.
Ends with status 0 if all are sound, with 1 if not.
"""


def add_hub_commands(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the commands that find models, fetch them and check them."""
    search = commands.add_parser(
        "search",
        help="find a model on the hub",
        description="Find models on the hub that can be fetched. Without words, all in their order.",
        epilog="example:\n  fireside search qwen coder --sort downloads --licence apache-2.0\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    search.add_argument("words", nargs="*", metavar="word", help="part of a model's name")
    search.add_argument("--author", default="", help="who put it there")
    search.add_argument("--licence", default="", metavar="CODE", help="such as apache-2.0 or mit")
    search.add_argument(
        "--sort",
        choices=[order.value for order in SortOrder],
        default=SortOrder.TRENDING.value,
        help="which come first; trending if nothing is said",
    )
    pull = commands.add_parser(
        "pull",
        help="fetch a model from the hub",
        description=_PULL_WORDS,
        epilog=_PULL_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    pull.add_argument("name", help="OWNER/MODEL, OWNER/MODEL:SIZE, OWNER/MODEL/FILE or an address")
    verify = commands.add_parser(
        "verify",
        help="check that a model's files are what they were when they were fetched",
        description=_VERIFY_WORDS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verify.add_argument("name", metavar="model", help="a name from “fireside list”, or a .gguf file")
    verify.add_argument("--repair", action="store_true", help="fetch again what is damaged, and nothing else")
