"""The command line of ``fireside``: the list of its commands, and how one is parsed and run."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from fireside import __version__
from fireside.cli import report_errors
from fireside.cli.command_parser import (
    OVERRIDES,
    PARSER,
    RUN,
    CommandParser,
    Override,
    RunCommand,
    UsageError,
    add_set_option,
)
from fireside.cli.commands.window import ask_in_window, open_window
from fireside.core.about import SELF_TEST
from fireside.core.errors import SettingInvalid
from fireside.core.i18n import render


class ListedCommand(msgspec.Struct, frozen=True):
    """A command, as it is listed."""

    name: str
    help: str
    module: str
    """Below ``fireside.cli.commands``; imported when the command is typed, so that help comes at once."""
    define: str = "define"
    """The function of the module that adds arguments and actions to the parser of the command."""


COMMANDS: Final = (
    ListedCommand("run", "chat in the terminal, or answer one prompt", "run"),
    ListedCommand("list", "list the models on this computer, and those of servers", "list_models"),
    ListedCommand("ask-window", "ask a quick question in a small window", "window"),
    ListedCommand("embed", "create embeddings", "vectors", "define_embed"),
    ListedCommand("rerank", "rank texts by relevance to a query", "vectors", "define_rerank"),
    ListedCommand("plan", "show the load plan of a model: GPU offload, context length, memory", "plan"),
    ListedCommand("bench", "benchmark models, and find faster settings", "bench"),
    ListedCommand("rm", "remove a model: move its files to the trash", "remove"),
    ListedCommand("ps", "list loaded models", "loaded_models", "define_ps"),
    ListedCommand("stop", "unload a model", "loaded_models", "define_stop"),
    ListedCommand("search", "search Hugging Face", "search"),
    ListedCommand("pull", "download a model from Hugging Face", "pull"),
    ListedCommand("verify", "verify the checksums of a model's files", "verify"),
    ListedCommand("export", "export chats to a file", "transfer", "define_export"),
    ListedCommand("import", "import chats from files", "transfer", "define_import"),
    ListedCommand("documents", "ask your documents: add, list, search, ask, remove", "documents"),
    ListedCommand(
        "runtime", "builds of llama.cpp: list, find, install, add, test, use, rollback, remove", "runtimes"
    ),
    ListedCommand("components", "parts that are downloaded: list, install, remove", "components"),
    ListedCommand("serve", "serve models to other programs", "serve"),
    ListedCommand("api-token", "add, list or revoke access tokens of the local API", "api_tokens"),
    ListedCommand("launch", "start a coding agent with a model of this computer", "launch"),
    ListedCommand("doctor", "check that everything works on this computer", "doctor"),
    ListedCommand("tools", "tools and MCP servers: list, add, test, call, confirm, permit, remove", "tools"),
    ListedCommand("skills", "manage skills: list, show, add, confirm, remove", "skills"),
)
_EXAMPLES: Final = """\
examples:
  fireside                                   open the window
  fireside model.gguf                        open the window and add a file to the library, in place
  fireside run                               chat in the terminal with the model used last
  fireside run SmolLM2-135M-Instruct "Why is the sky blue?"
  cat notes.txt | fireside run "Summarise this:"
  fireside list                              the models on this computer and of other engines
  fireside run MODEL@HOST "Hello"            with a model of a server, as “list” names it
  fireside ps                                what is loaded now; “fireside stop MODEL” unloads it
  fireside plan MODEL                        load plan: GPU offload, context length and memory
  fireside bench MODEL --tune                benchmark, and find faster settings
  fireside embed MODEL "a text" "another"    embeddings, one line of JSON each
  fireside serve                             serve models to other programs
  fireside launch codex                      start a coding agent with a model of this computer
  fireside search qwen --sort downloads      search Hugging Face
  fireside pull OWNER/MODEL                  download a model from Hugging Face
  fireside export all --format json chats.json
  fireside import chats.json                 also exports of ChatGPT, Claude, LM Studio, Jan, Open WebUI
  fireside documents add Manuals ~/manuals   a collection of documents to ask
  fireside documents ask "How is the filter changed?"
  fireside runtime add vulkan.tar.xz         another build of llama.cpp
  fireside doctor                            check that everything works
"""
_OVERRIDES_BEFORE: Final = "overrides_before"
"""Where ``--set`` in front of the command is kept: a command's own options would replace it."""
_NO_ARGUMENTS: Final = frozenset(
    {"command", "action", "self_test", RUN, PARSER, OVERRIDES, _OVERRIDES_BEFORE}
)
_MODEL_ENDING: Final = ".gguf"


class Invocation(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed command line."""

    run: RunCommand
    arguments: dict[str, Any]
    """What ``run`` takes by name."""
    overrides: tuple[Override, ...]
    parser: CommandParser
    """Of the command or action."""

    @property
    def settings(self) -> dict[str, str]:
        """Overrides by key, as they were typed. An option for a setting wins over ``--set``."""
        return {each.key: each.value for each in sorted(self.overrides, key=lambda each: bool(each.option))}


def run_command_line(argv: list[str]) -> int:
    """Run the command line and return the exit status."""
    invocation = parse(argv)
    # Help and version are printed by ``parse``, without the settings.
    from fireside.main.startup_context import load_context
    from fireside.settings.parse import parse_assignments

    try:
        command_line = parse_assignments(f"{key}={value}" for key, value in invocation.settings.items())
    except SettingInvalid as exc:
        options = {each.key: each.option for each in invocation.overrides}
        option = options.get(render(exc.key))
        sys.stderr.write(f"fireside: {f'{option}: {render(exc.reason)}' if option else exc}\n")
        return 2
    context = load_context(os.environ, command_line=command_line)
    try:
        return report_errors(partial(invocation.run, context, **invocation.arguments))
    except UsageError as exc:
        invocation.parser.error(str(exc))
    finally:
        if invocation.run not in (open_window, ask_in_window):  # which say it themselves
            from fireside.cli.screen import print_problems

            print_problems(context.problems)


def parse(argv: list[str]) -> Invocation:
    """Return the parsed command line. For help, the version and errors, prints them and raises
    ``SystemExit``."""
    names = frozenset(command.name for command in COMMANDS)
    parser = _files_parser() if _names_a_file(_first_word(argv), commands=names) else _parser()
    parsed = parser.parse_args(argv)
    arguments = {name: value for name, value in vars(parsed).items() if name not in _NO_ARGUMENTS}
    return Invocation(
        run=getattr(parsed, RUN),
        arguments=arguments,
        overrides=(*getattr(parsed, _OVERRIDES_BEFORE), *getattr(parsed, OVERRIDES, ())),
        parser=getattr(parsed, PARSER),
    )


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="fireside",
        description="Chat with language models on your own computer. Without a command, the window opens.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("--version", action="version", version=f"Fireside {__version__}")
    parser.add_argument(SELF_TEST, action="store_true", help="check that this version works here, and exit")
    add_set_option(parser, dest=_OVERRIDES_BEFORE)
    parser.does(open_window)
    commands = parser.add_subparsers(dest="command", metavar="command")
    for command in COMMANDS:
        commands.add_parser(command.name, help=command.help, define=partial(_define, command))
    return parser


def _define(command: ListedCommand, parser: CommandParser) -> None:
    module = importlib.import_module(f"fireside.cli.commands.{command.module}")
    getattr(module, command.define)(parser)


def _files_parser() -> CommandParser:
    parser = CommandParser(prog="fireside", is_mixed=False)  # a file name may begin with a dash, behind --
    add_set_option(parser, dest=_OVERRIDES_BEFORE)
    parser.add_argument("files", nargs="+")
    parser.does(open_window)
    return parser


def _first_word(argv: Sequence[str]) -> str | None:
    """Return the first positional argument; of the options before it, only ``--set`` takes a value."""
    arguments = iter(argv)
    for argument in arguments:
        if argument == "--set":
            next(arguments, None)
        elif argument == "--":
            return next(arguments, None)
        elif not argument.startswith("-"):
            return argument
    return None


def _names_a_file(word: str | None, *, commands: frozenset[str]) -> bool:
    """Return whether a first argument is a file to open rather than a command, even a mistyped one."""
    if word is None or word in commands:
        return False
    return word.casefold().endswith(_MODEL_ENDING) or "/" in word or "\\" in word or _exists(word)


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):  # a text may be longer than any name
        return False
