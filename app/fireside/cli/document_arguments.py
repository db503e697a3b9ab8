"""What can be typed after ``fireside documents``."""

from __future__ import annotations

import argparse
from typing import Final, TypeVar

import msgspec

from fireside.cli.run_arguments import add_set_option

DOCUMENTS_COMMAND: Final = "documents"

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)
_WORDS: Final = """\
Collections of files and folders: read them, search them, ask questions that are answered with citations.

  add NAME [PATH …]   make a collection, add to it, and read what has changed in it
  list [NAME]         list collections, or the files of one
  search WORDS        find passages
  ask QUESTION        answer a question from documents, with citations
  remove NAME         remove a collection; its files stay
"""


class DocumentArguments(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done with collections."""

    action: str = ""
    """``add``, ``list``, ``search``, ``ask`` or ``remove``."""
    name: str = ""
    paths: tuple[str, ...] = ()
    words: str = ""
    collections: tuple[str, ...] = ()
    """Names of those to look in; none means all."""
    vision_model: str = ""
    """The model that reads images and scanned pages, by name."""
    reads_all: bool = False
    """Everything is read for the question."""


def add_documents_command(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the command that reads, searches and asks documents."""
    command = commands.add_parser(
        DOCUMENTS_COMMAND,
        help="ask your documents: add, list, search, ask, remove",
        description=_WORDS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("action", choices=("add", "list", "search", "ask", "remove"), help="what to do")
    command.add_argument("words", nargs="*", metavar="word", help="a name and paths, or what to find")
    command.add_argument(
        "--in", dest="collections", action="append", default=[], metavar="NAME",
        help="search and ask in this collection; several are possible, without it all are looked in",
    )  # fmt: skip
    command.add_argument("--model", metavar="NAME", help="ask this model; with add, the embedding model")
    command.add_argument(
        "--vision-model", metavar="NAME", help="with add, the model that reads images and scanned pages"
    )
    command.add_argument(
        "--all", dest="reads_all", action="store_true",
        help="with ask, read everything part by part, not only the best passages",
    )  # fmt: skip
    add_set_option(command)


def read_document_arguments(found: argparse.Namespace) -> DocumentArguments:
    """Return what was typed; nothing for another command."""
    if found.command != DOCUMENTS_COMMAND:
        return DocumentArguments()
    words = tuple(found.words)
    is_adding = found.action == "add"
    return DocumentArguments(
        action=found.action,
        name=(words[0] if words else "") if is_adding else " ".join(words),
        paths=words[1:] if is_adding else (),
        words=" ".join(words),
        collections=tuple(found.collections),
        vision_model=found.vision_model or "",
        reads_all=found.reads_all,
    )


def documents_usage_error(words: DocumentArguments) -> str | None:
    """Say what is missing or too much, if anything."""
    if words.action != "list" and not words.words.strip():
        what = {"search": "words to find", "ask": "a question"}.get(words.action, "a collection’s name")
        return f"documents {words.action} needs {what}."
    if words.collections and words.action not in ("search", "ask"):
        return "--in goes with documents search and ask."
    if words.vision_model and words.action != "add":
        return "--vision-model goes with documents add."
    if words.reads_all and words.action != "ask":
        return "--all goes with documents ask."
    return None
