"""What can be typed after ``fireside``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import msgspec

from fireside import __version__
from fireside.cli import inputs
from fireside.cli.ask_window import add_ask_window_command
from fireside.cli.bench import (
    BENCH_COMMAND,
    BenchWords,
    add_bench_command,
    read_bench_words,
    wrong_in_bench,
)
from fireside.cli.doctor import add_doctor_command
from fireside.cli.files import MAX_FILES, first_word, names_a_file
from fireside.cli.hub_arguments import add_hub_commands
from fireside.cli.loaded_models import add_running_commands
from fireside.cli.plan_table import add_plan_command
from fireside.cli.remove import add_remove_command
from fireside.cli.runtimes import (
    RUNTIME_COMMAND,
    RuntimeWords,
    add_runtime_command,
    read_runtime_words,
    wrong_together,
)
from fireside.cli.transfer import add_transfer_commands
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
  fireside list                              the models on this machine
  fireside ps                                what is loaded now; “fireside stop MODEL” unloads it
  fireside plan MODEL                        how it would be loaded here, and what memory that takes
  fireside bench MODEL --tune                how fast it runs here, and with which settings faster
  fireside embed MODEL "a text" "another"    texts as vectors, a line of JSON each
  fireside search qwen --sort downloads      find a model on the hub
  fireside pull OWNER/MODEL                  fetch a model from the hub
  fireside export all --format json chats.json
  fireside import chats.json                 also exports of ChatGPT, LM Studio, Jan, Open WebUI
  fireside runtime add vulkan.tar.xz         another build of llama.cpp
  fireside doctor                            look whether everything works
"""

RUN_EPILOG = """\
examples:
  fireside run "Why is the sky blue?" --stats
  fireside run --json-schema person.json "Ada Lovelace, as JSON"
  fireside run --image cat.jpg "What is this?"
  fireside run --raw "Once upon a time" --max-tokens 50 --n 3
  fireside run --fill "def add(a, b):" "    return total" --temperature 0
  fireside run --set sampling.xtc_probability=0.5 "Tell me a story"
"""

MAX_ANSWERS = 64


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed command line. ``command`` is ``window``, ``run``, ``list``, ``embed``, ``rerank``, ``plan``,
    ``bench``,
    ``rm``, ``ps``, ``stop``, ``search``, ``pull``, ``verify``, ``export`` or ``import``."""

    command: str
    model: str | None = None
    prompt: str | None = None
    instead_of_prompt: TextInput | InfillInput | None = None
    """What to go on with, or the gap to fill, where it is not a question."""
    images: tuple[ImagePart, ...] = ()
    n_answers: int = 1
    settings: dict[str, str] = {}
    """Values for this run alone, by key, as they were typed."""
    typed_as: dict[str, str] = {}
    """The option that such a value was typed behind, where it has one of its own."""
    stats: bool = False
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
    as_json: bool = False
    runtime: RuntimeWords = RuntimeWords()
    bench: BenchWords = BenchWords()
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
    parser = _Parser(
        prog="fireside",
        description="Chat with language models on your own machine. Without a command the window opens.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"Fireside {__version__}")
    _add_set(parser)
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=_Verb)
    run = commands.add_parser(
        "run",
        help="chat in the terminal, or answer one prompt and end",
        description="Chat in the terminal. With a prompt, or with text piped in, one answer is printed.",
        epilog=RUN_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_run(run)
    commands.add_parser(
        "list",
        help="list the models on this machine",
        description="List the models of the library, of folders that were added and of other programs.",
    )
    add_ask_window_command(commands)
    _add_vectors(commands)
    _add_set(add_plan_command(commands))
    _add_set(add_bench_command(commands))
    add_remove_command(commands)
    add_running_commands(commands)
    add_hub_commands(commands)
    add_transfer_commands(commands)
    add_runtime_command(commands)
    add_doctor_command(commands)
    if names_a_file(first_word(argv), commands=commands.choices):
        return _files_to_open(argv)
    found = parser.parse_args(argv)
    arguments = _arguments(found)
    if (wrong := _wrong_together(arguments, found)) is not None:
        commands.choices[arguments.command].error(wrong)
    return arguments


def _files_to_open(argv: list[str]) -> Arguments:
    parser = _Parser(prog="fireside")
    _add_set(parser)
    parser.add_argument("files", nargs="+")
    found = parser.parse_args(argv)
    if len(found.files) > MAX_FILES:
        parser.error(f"these are more than {MAX_FILES:,} files. Add their folder instead.")
    return Arguments(command="window", settings=dict(found.set), files=tuple(found.files))


_FLAGS = {
    "system": "chat.system_prompt",
    "reasoning": "answer.reasoning",
    "thinking_budget": "answer.thinking_budget",
    "temperature": "sampling.temperature",
    "seed": "sampling.seed",
    "max_tokens": "sampling.max_tokens",
    "when_full": "answer.when_full",
    "logprobs": "sampling.top_logprobs",
    "ctx": "load.n_ctx",
    "keep_alive": "engine.keep_alive_minutes",
    "gpu_layers": "load.n_gpu_layers",
}


def _add_run(run: argparse.ArgumentParser) -> None:
    run.add_argument("model", nargs="?", help="a name from “fireside list”, or a .gguf file")
    run.add_argument("prompt", nargs="*", help="what to ask; text piped in is added below it")
    asked = run.add_argument_group("what is asked")
    asked.add_argument("--system", metavar="TEXT", help="system prompt")
    asked.add_argument(
        "--image", metavar="FILE", action="append", default=[], type=inputs.image,
        help="a PNG or JPEG to ask about; may be given more than once",
    )  # fmt: skip
    asked.add_argument("--raw", metavar="TEXT", help="go on with this text instead of answering a prompt")
    asked.add_argument(
        "--fill", metavar=("BEFORE", "AFTER"), nargs=2, help="write what is missing between two texts"
    )
    answer = run.add_argument_group("the answer")
    answer.add_argument(
        "--reasoning", metavar="HOW", help="whether the model thinks first: on, off, low, medium or high"
    )
    answer.add_argument("--thinking-budget", metavar="N", help="most tokens of thinking")
    answer.add_argument("--temperature", metavar="N", help="0 always takes the likeliest token")
    answer.add_argument("--seed", metavar="N", help="the same seed gives the same answer")
    answer.add_argument("--max-tokens", metavar="N", help="longest answer, in tokens")
    answer.add_argument(
        "--when-full", metavar="WHAT", help="when the context is full: stop, or shift (forget the oldest)"
    )
    answer.add_argument("--n", metavar="N", type=_n_answers, default=1, help="so many answers to one prompt")
    form = answer.add_mutually_exclusive_group()
    form.add_argument(
        "--json-schema", metavar="FILE|TEXT", dest="rule", type=inputs.json_schema,
        help="answer in JSON that fits this schema",
    )  # fmt: skip
    form.add_argument(
        "--regex", metavar="PATTERN", dest="rule", type=inputs.regex, help="an answer that matches this"
    )
    form.add_argument(
        "--grammar", metavar="FILE", dest="rule", type=inputs.grammar, help="by a grammar, Lark or GBNF"
    )
    shown = run.add_argument_group("what is shown")
    shown.add_argument(
        "--logprobs",
        metavar="N",
        type=_n_alternatives,
        help="print how likely each token was, and N alternatives (0 to 20)",
    )
    shown.add_argument("--stats", action="store_true", help="print speed and token counts after each answer")
    loading = run.add_argument_group("the model")
    loading.add_argument("--ctx", metavar="N", help="context size, in tokens")
    loading.add_argument(
        "--keep-alive", metavar="MINUTES",
        help="how long the model stays loaded after an answer, in minutes, or always; 0 unloads it at once",
    )  # fmt: skip
    loading.add_argument("--gpu-layers", metavar="N", help="layers on the GPU: auto, all or a number")
    _add_set(loading)


def _add_vectors(commands: argparse._SubParsersAction[_Verb]) -> None:
    embed = commands.add_parser(
        "embed",
        help="turn texts into vectors",
        description="Print the vector of each text as a line of JSON. Lines piped in are texts too.",
    )
    embed.add_argument("model", help="a name from “fireside list”, or a .gguf file")
    embed.add_argument("texts", nargs="*", metavar="text")
    embed.add_argument(
        "--pooling", choices=[each.value for each in Pooling], default=Pooling.MODEL.value,
        help="how the words of a text become one vector; model is what its file says",
    )  # fmt: skip
    embed.add_argument("--dimensions", type=int, metavar="N", help="only the first N numbers of each vector")
    embed.add_argument("--truncate", action="store_true", help="cut texts that are too long")
    rerank = commands.add_parser(
        "rerank",
        help="order texts by how well they answer a query",
        description="Print texts with a score, the best first. Lines piped in are texts too.",
    )
    rerank.add_argument("model", help="a reranking model: a name from “fireside list”, or a .gguf file")
    rerank.add_argument("query")
    rerank.add_argument("texts", nargs="*", metavar="text")
    for each in (embed, rerank):
        _add_set(each)


def _add_set(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        type=_pair,
        help="any setting by its key or the end of it, for this run alone; may be given more than once",
    )


def _pair(text: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if not separator or not key:
        raise argparse.ArgumentTypeError(f"“{text}” is not KEY=VALUE")
    return key, value


def _n_answers(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:4]) <= MAX_ANSWERS or len(text) > 4:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number from 1 to {MAX_ANSWERS}")
    return int(text)


def _n_alternatives(text: str) -> str:
    if text.startswith("-"):  # the setting behind it knows -1 as “off”
        raise argparse.ArgumentTypeError(f"“{text}” is not a number from 0 to 20")
    return text


def _arguments(found: argparse.Namespace) -> Arguments:
    settings = dict(found.set)
    typed_as = {}
    for flag, key in _FLAGS.items():
        value = getattr(found, flag, None)
        if value is not None:
            settings[key] = value
            typed_as[key] = f"--{flag.replace('_', '-')}"
    if (rule := getattr(found, "rule", None)) is not None:
        settings["answer.format"], settings["answer.format_rule"] = rule
    model = getattr(found, "model", None)
    prompt = " ".join(getattr(found, "prompt", None) or []) or None
    if model is not None and prompt is None and " " in model and not Path(model).exists():
        model, prompt = None, model  # fireside run "Why is the sky blue?"
    return Arguments(
        command=found.command or "window",
        model=model,
        prompt=prompt,
        instead_of_prompt=_instead_of_prompt(found),
        images=tuple(getattr(found, "image", ())),
        n_answers=getattr(found, "n", 1),
        settings=settings,
        typed_as=typed_as,
        stats=getattr(found, "stats", False),
        query=getattr(found, "query", ""),
        texts=tuple(getattr(found, "texts", ())),
        pooling=Pooling(getattr(found, "pooling", Pooling.MODEL)),
        dimensions=getattr(found, "dimensions", None),
        truncate=getattr(found, "truncate", False),
        name=getattr(found, "name", ""),
        repair=getattr(found, "repair", False),
        as_json=getattr(found, "as_json", False),
        bench=read_bench_words(found) if found.command == BENCH_COMMAND else BenchWords(),
        runtime=read_runtime_words(found) if found.command == RUNTIME_COMMAND else RuntimeWords(),
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


def _instead_of_prompt(found: argparse.Namespace) -> TextInput | InfillInput | None:
    if getattr(found, "fill", None) is not None:
        before, after = found.fill
        return InfillInput(prefix=before, suffix=after)
    if getattr(found, "raw", None) is not None:
        # A raw prompt has its control tokens written in it too.
        return TextInput(text=found.raw, parse_special=True)
    return None


def _wrong_together(arguments: Arguments, found: argparse.Namespace) -> str | None:
    """Say what is empty or does not go together, if anything."""
    if arguments.model is not None and not arguments.model.strip():
        return "the name of the model is empty. “fireside list” shows the models on this machine."
    if arguments.command == RUNTIME_COMMAND:
        return wrong_together(arguments.runtime)
    if arguments.command == BENCH_COMMAND:
        return wrong_in_bench(arguments.bench)
    if arguments.instead_of_prompt is None:
        return None
    flag = "--fill" if isinstance(arguments.instead_of_prompt, InfillInput) else "--raw"
    if isinstance(arguments.instead_of_prompt, InfillInput) and found.raw is not None:
        return "--raw and --fill do not go together."
    if arguments.prompt is not None:
        return f"{flag} stands in place of a prompt, and there is one: “{arguments.prompt}”."
    if arguments.images:
        return f"{flag} takes no pictures."
    if arguments.settings.get("chat.system_prompt"):
        return f"{flag} takes no system prompt."
    return None
