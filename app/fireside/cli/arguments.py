"""The command line of ``fireside``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

import msgspec

from fireside import __version__
from fireside.cli.ask_window import add_ask_window_command
from fireside.cli.bench import (
    BENCH_COMMAND,
    BenchArguments,
    add_bench_command,
    bench_usage_error,
    read_bench_arguments,
)
from fireside.cli.doctor import add_doctor_command
from fireside.cli.document_arguments import (
    DOCUMENTS_COMMAND,
    DocumentArguments,
    add_documents_command,
    documents_usage_error,
    read_document_arguments,
)
from fireside.cli.files import MAX_FILES, first_word, names_a_file
from fireside.cli.hub_arguments import add_hub_commands
from fireside.cli.launch import LAUNCH_COMMAND, LaunchArguments, add_launch_command, read_launch_arguments
from fireside.cli.loaded_models import add_running_commands
from fireside.cli.plan_table import add_plan_command
from fireside.cli.remove import add_remove_command
from fireside.cli.run_arguments import add_run_command, add_set_option, prompt_replacement, settings_of
from fireside.cli.runtimes import (
    RUNTIME_COMMAND,
    RuntimeArguments,
    add_runtime_command,
    read_runtime_arguments,
    runtime_usage_error,
)
from fireside.cli.serve import (
    TOKEN_COMMAND,
    ServeArguments,
    add_serve_commands,
    read_serve_arguments,
    serve_usage_error,
)
from fireside.cli.tool_arguments import (
    TOOLS_COMMAND,
    ToolsArguments,
    add_tools_command,
    read_tools_arguments,
    tools_usage_error,
)
from fireside.cli.tools import tool_settings
from fireside.cli.transfer import add_transfer_commands
from fireside.core.about import SELF_TEST
from fireside.core.discovery import ModelQuery, SortOrder
from fireside.core.message import ImagePart
from fireside.core.options import Pooling
from fireside.core.prompt_input import InfillInput, TextInput

EPILOG = """\
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
  fireside import chats.json                 also exports of ChatGPT, LM Studio, Jan, Open WebUI
  fireside documents add Manuals ~/manuals   a collection of documents to ask
  fireside documents ask "How is the filter changed?"
  fireside runtime add vulkan.tar.xz         another build of llama.cpp
  fireside doctor                            check that everything works
"""

OWN_COMMANDS = ("run", "embed", "rerank", BENCH_COMMAND)
"""Commands that use a running engine of another program, unless ``--own`` is given."""


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed command line. ``command`` is its first word, or ``window`` without one."""

    command: str
    model: str | None = None
    prompt: str | None = None
    prompt_replacement: TextInput | InfillInput | None = None
    """Raw text to continue, or a gap to fill, in place of a prompt."""
    images: tuple[ImagePart, ...] = ()
    n_answers: int = 1
    settings: dict[str, str] = {}
    """Overrides for this run, by key, as they were typed."""
    typed_as: dict[str, str] = {}
    """The option of an override that was not given by ``--set``, by key."""
    stats: bool = False
    tools: tuple[str, ...] = ()
    """Turned on for this run."""
    query: str = ""
    texts: tuple[str, ...] = ()
    """To embed, or to rank by ``query``; piped lines are added."""
    pooling: Pooling = Pooling.MODEL
    dimensions: int | None = None
    truncate: bool = False
    name: str = ""
    """The model or chat that the command is about."""
    target: str = ""
    """The file to export to."""
    form: str = ""
    """The format to export as; empty if not given."""
    hub_query: ModelQuery = ModelQuery()
    repair: bool = False
    no_token: bool = False
    own: bool = False
    """Load the model here instead of using a running engine."""
    as_json: bool = False
    documents: DocumentArguments = DocumentArguments()
    runtime: RuntimeArguments = RuntimeArguments()
    bench: BenchArguments = BenchArguments()
    serve: ServeArguments = ServeArguments()
    launch: LaunchArguments = LaunchArguments()
    tool_arguments: ToolsArguments = ToolsArguments()
    files: tuple[str, ...] = ()
    """To import, or to open in the window."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"fireside: {message}\nTry “{self.prog} --help”.\n")


class _Verb(_Parser):
    """The parser of one command, whose options may stand between its positional arguments."""

    _is_mixing = False

    def parse_known_args(  # type: ignore[override]  # argparse's overloads are of no use here
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        # Plain parsing would end the positional arguments at the first option: “run MODEL --stats PROMPT”
        # would have no prompt. Intermixed parsing calls this method itself.
        has_actions = any(each.nargs == argparse.PARSER for each in self._get_positional_actions())
        if self._is_mixing or has_actions:
            return super().parse_known_args(args, namespace)
        self._is_mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixing = False


def parse(argv: list[str]) -> Arguments:
    """Return the arguments. For help, the version and errors, prints them and raises ``SystemExit``."""
    if not argv:
        return Arguments(command="window")  # building the parsers of all commands takes a while
    parser = _Parser(
        prog="fireside",
        description="Chat with language models on your own computer. Without a command, the window opens.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"Fireside {__version__}")
    parser.add_argument(SELF_TEST, action="store_true", help="check that this version works here, and exit")
    add_set_option(parser)
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=_Verb)
    add_run_command(commands)
    commands.add_parser(
        "list",
        help="list the models on this computer, and those of servers",
        description="List the models of the library, of added folders and of other apps.",
    )
    add_ask_window_command(commands)
    _add_vectors(commands)
    add_set_option(add_plan_command(commands))
    add_set_option(add_bench_command(commands))
    for name in OWN_COMMANDS:
        commands.choices[name].add_argument(
            "--own", action="store_true",
            help="load the model here, even if the window or “fireside serve” has it loaded",
        )  # fmt: skip
    add_remove_command(commands)
    add_running_commands(commands)
    add_hub_commands(commands)
    add_transfer_commands(commands)
    add_documents_command(commands)
    add_runtime_command(commands)
    add_serve_commands(commands)
    add_launch_command(commands)
    add_doctor_command(commands)
    add_tools_command(commands)
    if names_a_file(first_word(argv), commands=commands.choices):
        return _files_to_open(argv)
    parsed = parser.parse_args(argv)
    arguments = _arguments(parsed)
    if (error := _usage_error(arguments, parsed)) is not None:
        commands.choices[arguments.command].error(error)
    return arguments


def _files_to_open(argv: list[str]) -> Arguments:
    parser = _Parser(prog="fireside")
    add_set_option(parser)
    parser.add_argument("files", nargs="+")
    parsed = parser.parse_args(argv)
    if len(parsed.files) > MAX_FILES:
        parser.error(f"more than {MAX_FILES:,} files. Add their folder instead.")
    return Arguments(command="window", settings=dict(parsed.set), files=tuple(parsed.files))


def _add_vectors(commands: argparse._SubParsersAction[_Verb]) -> None:
    embed = commands.add_parser(
        "embed",
        help="create embeddings",
        description="Print one embedding per text, as a line of JSON. Piped lines are texts too.",
    )
    embed.add_argument("model", help="a name from “fireside list”, or a .gguf file")
    embed.add_argument("texts", nargs="*", metavar="text")
    embed.add_argument(
        "--pooling", choices=[each.value for each in Pooling], default=Pooling.MODEL.value,
        help="pooling of token embeddings; “model” uses the model’s own",
    )  # fmt: skip
    embed.add_argument("--dimensions", type=int, metavar="N", help="dimensions to keep (the first N)")
    embed.add_argument("--truncate", action="store_true", help="truncate texts that are too long")
    rerank = commands.add_parser(
        "rerank",
        help="rank texts by relevance to a query",
        description="Print texts with their scores, best first. Piped lines are texts too.",
    )
    rerank.add_argument("model", help="a reranking model: a name from “fireside list”, or a .gguf file")
    rerank.add_argument("query")
    rerank.add_argument("texts", nargs="*", metavar="text")
    for each in (embed, rerank):
        add_set_option(each)


def _arguments(parsed: argparse.Namespace) -> Arguments:
    settings, typed_as = settings_of(parsed)
    tools = tuple(getattr(parsed, "tools", ()))
    settings |= tool_settings(tools)
    model = getattr(parsed, "model", None)
    prompt = " ".join(getattr(parsed, "prompt", None) or []) or None
    return Arguments(
        command=parsed.command or "window",
        model=model,
        prompt=prompt,
        prompt_replacement=prompt_replacement(parsed),
        images=tuple(getattr(parsed, "image", ())),
        n_answers=getattr(parsed, "n", 1),
        settings=settings,
        typed_as=typed_as,
        stats=getattr(parsed, "stats", False),
        tools=tools,
        query=getattr(parsed, "query", ""),
        texts=tuple(getattr(parsed, "texts", ())),
        pooling=Pooling(getattr(parsed, "pooling", Pooling.MODEL)),
        dimensions=getattr(parsed, "dimensions", None),
        truncate=getattr(parsed, "truncate", False),
        name=getattr(parsed, "name", ""),
        repair=getattr(parsed, "repair", False),
        no_token=getattr(parsed, "no_token", False),
        own=getattr(parsed, "own", False),
        as_json=getattr(parsed, "as_json", False),
        bench=read_bench_arguments(parsed) if parsed.command == BENCH_COMMAND else BenchArguments(),
        documents=read_document_arguments(parsed),
        runtime=read_runtime_arguments(parsed) if parsed.command == RUNTIME_COMMAND else RuntimeArguments(),
        serve=read_serve_arguments(parsed),
        launch=read_launch_arguments(parsed) if parsed.command == LAUNCH_COMMAND else LaunchArguments(),
        tool_arguments=read_tools_arguments(parsed) if parsed.command == TOOLS_COMMAND else ToolsArguments(),
        hub_query=_hub_query(parsed),
        target=getattr(parsed, "target", ""),
        form=getattr(parsed, "form", ""),
        files=tuple(getattr(parsed, "files", ())),
    )


def _hub_query(parsed: argparse.Namespace) -> ModelQuery:
    if parsed.command != "search":
        return ModelQuery()
    return ModelQuery(
        text=" ".join(parsed.words),
        author=parsed.author,
        licence=parsed.licence,
        sort=SortOrder(parsed.sort),
    )


def _usage_error(arguments: Arguments, parsed: argparse.Namespace) -> str | None:
    """Return which arguments are empty or cannot be combined, if any."""
    if arguments.model is not None and not arguments.model.strip():
        return "the model name is empty. “fireside list” shows the models."
    if arguments.command == DOCUMENTS_COMMAND:
        return documents_usage_error(arguments.documents)
    if arguments.command == RUNTIME_COMMAND:
        return runtime_usage_error(arguments.runtime)
    if arguments.command == TOKEN_COMMAND:
        return serve_usage_error(arguments.serve)
    if arguments.command == BENCH_COMMAND:
        return bench_usage_error(arguments.bench)
    if arguments.command == TOOLS_COMMAND:
        return tools_usage_error(arguments.tool_arguments)
    if arguments.tools and (arguments.images or arguments.n_answers > 1 or arguments.prompt_replacement):
        return "--tool cannot be combined with --image, --n, --raw or --fill."
    if arguments.prompt_replacement is None:
        return None
    flag = "--fill" if isinstance(arguments.prompt_replacement, InfillInput) else "--raw"
    if isinstance(arguments.prompt_replacement, InfillInput) and parsed.raw is not None:
        return "--raw and --fill cannot be combined."
    if arguments.prompt is not None:
        return f"{flag} replaces the prompt, but one was given: “{arguments.prompt}”."
    if arguments.images:
        return f"{flag} takes no images."
    if arguments.settings.get("chat.system_prompt"):
        return f"{flag} takes no system prompt."
    return None
