"""What can be typed after ``fireside``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
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
from fireside.cli.tool_words import (
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
  fireside list                              the models on this computer
  fireside ps                                what is loaded now; “fireside stop MODEL” unloads it
  fireside plan MODEL                        load plan: GPU offload, context length and memory
  fireside bench MODEL --tune                benchmark, and find faster settings
  fireside embed MODEL "a text" "another"    embeddings, one line of JSON each
  fireside serve                             serve models to other programs
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
"""Those that use the engine that runs, unless they are told to have their own."""


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed command line. ``command`` is ``window``, ``run``, ``list``, ``embed``, ``rerank``, ``plan``,
    ``bench``,
    ``rm``, ``ps``, ``stop``, ``search``, ``pull``, ``verify``, ``export`` or ``import``."""

    command: str
    model: str | None = None
    prompt: str | None = None
    prompt_replacement: TextInput | InfillInput | None = None
    """What to go on with, or the gap to fill, where it is not a question."""
    images: tuple[ImagePart, ...] = ()
    n_answers: int = 1
    settings: dict[str, str] = {}
    """Values for this run alone, by key, as they were typed."""
    typed_as: dict[str, str] = {}
    """The option that such a value was typed behind, where it has one of its own."""
    stats: bool = False
    tools: tuple[str, ...] = ()
    """That were turned on for this run."""
    query: str = ""
    texts: tuple[str, ...] = ()
    """To embed, or to rank by ``query``; those piped in come besides."""
    pooling: Pooling = Pooling.MODEL
    dimensions: int | None = None
    truncate: bool = False
    name: str = ""
    """What to fetch, to check, to remove or to export."""
    target: str = ""
    """The file to export to."""
    form: str = ""
    """What to export as, if it was said."""
    wanted: ModelQuery = ModelQuery()
    """What to search for on the hub."""
    repair: bool = False
    no_token: bool = False
    own: bool = False
    """Whether the engine that runs is left alone."""
    as_json: bool = False
    documents: DocumentArguments = DocumentArguments()
    runtime: RuntimeArguments = RuntimeArguments()
    bench: BenchArguments = BenchArguments()
    serve: ServeArguments = ServeArguments()
    tool_words: ToolsArguments = ToolsArguments()
    files: tuple[str, ...] = ()
    """To import, or to add to the library once the window is open."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"fireside: {message}\nTry “{self.prog} --help”.\n")


class _Verb(_Parser):
    """The words of one command, with its options wherever the user puts them."""

    _is_mixing = False

    def parse_known_args(  # type: ignore[override]  # argparse's overloads are of no use here
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        # Plain parsing would be done with all words at the first option: “run MODEL --stats PROMPT” would
        # have no prompt. Mixed parsing calls this method itself.
        if self._is_mixing:
            return super().parse_known_args(args, namespace)
        self._is_mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixing = False


def parse(argv: list[str]) -> Arguments:
    """Return the arguments. Prints help, the version or an error and raises ``SystemExit`` instead."""
    if not argv:
        return Arguments(command="window")  # at once: the parsers of all commands take a while to make
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
        help="list the models on this computer",
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
    add_doctor_command(commands)
    add_tools_command(commands)
    if names_a_file(first_word(argv), commands=commands.choices):
        return _files_to_open(argv)
    found = parser.parse_args(argv)
    arguments = _arguments(found)
    if (wrong := _wrong_together(arguments, found)) is not None:
        commands.choices[arguments.command].error(wrong)
    return arguments


def _files_to_open(argv: list[str]) -> Arguments:
    parser = _Parser(prog="fireside")
    add_set_option(parser)
    parser.add_argument("files", nargs="+")
    found = parser.parse_args(argv)
    if len(found.files) > MAX_FILES:
        parser.error(f"more than {MAX_FILES:,} files. Add their folder instead.")
    return Arguments(command="window", settings=dict(found.set), files=tuple(found.files))


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


def _arguments(found: argparse.Namespace) -> Arguments:
    settings, typed_as = settings_of(found)
    tools = tuple(getattr(found, "tools", ()))
    settings |= tool_settings(tools)
    model = getattr(found, "model", None)
    prompt = " ".join(getattr(found, "prompt", None) or []) or None
    if model is not None and prompt is None and " " in model and not Path(model).exists():
        model, prompt = None, model  # fireside run "Why is the sky blue?"
    return Arguments(
        command=found.command or "window",
        model=model,
        prompt=prompt,
        prompt_replacement=prompt_replacement(found),
        images=tuple(getattr(found, "image", ())),
        n_answers=getattr(found, "n", 1),
        settings=settings,
        typed_as=typed_as,
        stats=getattr(found, "stats", False),
        tools=tools,
        query=getattr(found, "query", ""),
        texts=tuple(getattr(found, "texts", ())),
        pooling=Pooling(getattr(found, "pooling", Pooling.MODEL)),
        dimensions=getattr(found, "dimensions", None),
        truncate=getattr(found, "truncate", False),
        name=getattr(found, "name", ""),
        repair=getattr(found, "repair", False),
        no_token=getattr(found, "no_token", False),
        own=getattr(found, "own", False),
        as_json=getattr(found, "as_json", False),
        bench=read_bench_arguments(found) if found.command == BENCH_COMMAND else BenchArguments(),
        documents=read_document_arguments(found),
        runtime=read_runtime_arguments(found) if found.command == RUNTIME_COMMAND else RuntimeArguments(),
        serve=read_serve_arguments(found),
        tool_words=read_tools_arguments(found) if found.command == TOOLS_COMMAND else ToolsArguments(),
        wanted=_wanted(found),
        target=getattr(found, "target", ""),
        form=getattr(found, "form", ""),
        files=tuple(getattr(found, "files", ())),
    )


def _wanted(found: argparse.Namespace) -> ModelQuery:
    if found.command != "search":
        return ModelQuery()
    return ModelQuery(
        text=" ".join(found.words),
        author=found.author,
        licence=found.licence,
        sort=SortOrder(found.sort),
    )


def _wrong_together(arguments: Arguments, found: argparse.Namespace) -> str | None:
    """Say what is empty or does not go together, if anything."""
    if arguments.model is not None and not arguments.model.strip():
        return "the model name is empty. “fireside list” shows the models on this computer."
    if arguments.command == DOCUMENTS_COMMAND:
        return documents_usage_error(arguments.documents)
    if arguments.command == RUNTIME_COMMAND:
        return runtime_usage_error(arguments.runtime)
    if arguments.command == TOKEN_COMMAND:
        return serve_usage_error(arguments.serve)
    if arguments.command == BENCH_COMMAND:
        return bench_usage_error(arguments.bench)
    if arguments.command == TOOLS_COMMAND:
        return tools_usage_error(arguments.tool_words)
    if arguments.tools and (arguments.images or arguments.n_answers > 1 or arguments.prompt_replacement):
        return "--tool cannot be combined with --image, --n, --raw or --fill."
    if arguments.prompt_replacement is None:
        return None
    flag = "--fill" if isinstance(arguments.prompt_replacement, InfillInput) else "--raw"
    if isinstance(arguments.prompt_replacement, InfillInput) and found.raw is not None:
        return "--raw and --fill cannot be combined."
    if arguments.prompt is not None:
        return f"{flag} replaces the prompt, but one was given: “{arguments.prompt}”."
    if arguments.images:
        return f"{flag} takes no images."
    if arguments.settings.get("chat.system_prompt"):
        return f"{flag} takes no system prompt."
    return None
