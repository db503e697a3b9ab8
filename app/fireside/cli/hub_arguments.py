"""The arguments of ``fireside search``, ``fireside pull`` and ``fireside verify``."""

from __future__ import annotations

import argparse
from typing import Any, Final

from fireside.core.discovery import SortOrder

HUB_COMMANDS: Final = ("search", "pull", "verify")

_PULL_DESCRIPTION = """\
Download a model from Hugging Face into the library. Checksums are verified.
Without a quantization, the recommended one for this computer is chosen.
"""
_PULL_EPILOG = """\
examples:
  fireside pull bartowski/SmolLM2-135M-Instruct-GGUF          the recommended quantization
  fireside pull bartowski/SmolLM2-135M-Instruct-GGUF:Q8_0     a given quantization
  fireside pull owner/model/file.gguf                         one file
  fireside pull "URL of the model's page"
Ctrl+C pauses; the same command resumes, also after a power cut.
Private and gated models need an access token: saved in the settings, or in HF_TOKEN.
"""
_VERIFY_DESCRIPTION = """\
Verify the checksums of a model's files. Connects to the network only to repair.
Exits with status 0 if all files are intact, with 1 if not.
"""


def add_hub_commands(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``search``, ``pull`` and ``verify`` to the commands."""
    search = commands.add_parser(
        "search",
        help="search Hugging Face",
        description="Search for GGUF models on Hugging Face. Without words, lists all.",
        epilog="example:\n  fireside search qwen coder --sort downloads --licence apache-2.0\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    search.add_argument("words", nargs="*", metavar="word", help="part of a model's name")
    search.add_argument("--author", default="", help="the owner")
    search.add_argument("--licence", default="", metavar="CODE", help="such as apache-2.0 or mit")
    search.add_argument(
        "--sort",
        choices=[order.value for order in SortOrder],
        default=SortOrder.TRENDING.value,
        help="sort order; trending by default",
    )
    pull = commands.add_parser(
        "pull",
        help="download a model from Hugging Face",
        description=_PULL_DESCRIPTION,
        epilog=_PULL_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for command in (search, pull):
        command.add_argument("--no-token", action="store_true", help="do not send the access token")
    pull.add_argument("name", help="OWNER/MODEL, OWNER/MODEL:QUANTIZATION, OWNER/MODEL/FILE or a URL")
    verify = commands.add_parser(
        "verify",
        help="verify the checksums of a model's files",
        description=_VERIFY_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verify.add_argument("name", metavar="model", help="a name from “fireside list”, or a .gguf file")
    verify.add_argument("--repair", action="store_true", help="download only the damaged parts again")
