"""The arguments of ``fireside documents``."""

from __future__ import annotations

import argparse
from typing import Any, Final

import msgspec

from fireside.cli.action_parsers import ActionParsers
from fireside.cli.run_arguments import add_set_option

DOCUMENTS_COMMAND: Final = "documents"

_DESCRIPTION: Final = (
    "Collections of files and folders: read them, search them, ask questions that are answered with "
    "citations."
)
_ACTIONS: Final = {
    "add": "make a collection, add files and folders to it, and read what has changed in it",
    "list": "list collections, or the files of one",
    "search": "find passages",
    "ask": "answer a question from documents, with citations",
    "remove": "remove a collection; its files stay",
}


class DocumentArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of ``fireside documents``."""

    action: str = ""
    """``add``, ``list``, ``search``, ``ask`` or ``remove``."""
    name: str = ""
    paths: tuple[str, ...] = ()
    words: str = ""
    collections: tuple[str, ...] = ()
    """Names of the collections to search; empty for all."""
    vision_model: str = ""
    """The name of the model that reads images and scanned pages."""
    reads_all: bool = False
    """Read all text for the question."""


def add_documents_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``documents`` to the commands."""
    command = commands.add_parser(
        DOCUMENTS_COMMAND,
        help="ask your documents: add, list, search, ask, remove",
        description=_DESCRIPTION,
    )
    actions = ActionParsers(command, _ACTIONS)
    actions.add(
        "words", nargs="*", metavar="word",
        help={
            "add": "the collection’s name, then files and folders",
            "list": "the collection’s name",
            "search": "words to find",
            "ask": "the question",
            "remove": "the collection’s name",
        },
    )  # fmt: skip
    actions.add(
        "--in", of=("search", "ask"), dest="collections", action="append", default=[], metavar="NAME",
        help="look in this collection; several are possible, without it all are looked in",
    )  # fmt: skip
    actions.add(
        "--model", metavar="NAME",
        help={"add": "the embedding model, for search by meaning", "ask": "the model to ask"},
    )  # fmt: skip
    actions.add(
        "--vision-model", of=("add",), metavar="NAME", help="the model that reads images and scanned pages"
    )
    actions.add(
        "--all", of=("ask",), dest="reads_all", action="store_true",
        help="read everything part by part, not only the best passages",
    )  # fmt: skip
    for parser in actions.parsers:
        add_set_option(parser)


def read_document_arguments(parsed: argparse.Namespace) -> DocumentArguments:
    """Return the arguments of ``documents``; defaults for other commands."""
    if parsed.command != DOCUMENTS_COMMAND:
        return DocumentArguments()
    words = tuple(parsed.words)
    is_adding = parsed.action == "add"
    return DocumentArguments(
        action=parsed.action,
        name=(words[0] if words else "") if is_adding else " ".join(words),
        paths=words[1:] if is_adding else (),
        words=" ".join(words),
        collections=tuple(parsed.collections),
        vision_model=parsed.vision_model or "",
        reads_all=parsed.reads_all,
    )


def documents_usage_error(arguments: DocumentArguments) -> str | None:
    """Return which argument is missing or not allowed, if any."""
    if arguments.action != "list" and not arguments.words.strip():
        missing = {"search": "words to find", "ask": "a question"}.get(
            arguments.action, "a collection’s name"
        )
        return f"documents {arguments.action} needs {missing}."
    if arguments.collections and arguments.action not in ("search", "ask"):
        return "--in goes with documents search and ask."
    if arguments.vision_model and arguments.action != "add":
        return "--vision-model goes with documents add."
    if arguments.reads_all and arguments.action != "ask":
        return "--all goes with documents ask."
    return None
