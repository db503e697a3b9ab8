"""What can be typed after ``fireside``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

import msgspec

from fireside import __version__

EPILOG = """\
examples:
  fireside                                   open the window
  fireside run                               chat in the terminal with the model used last
  fireside run SmolLM2-135M-Instruct "Why is the sky blue?"
  cat notes.txt | fireside run "Summarise this:"
  fireside list                              the models on this machine
"""


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed command line. ``command`` is ``window``, ``run`` or ``list``."""

    command: str
    model: str | None = None
    prompt: str | None = None
    settings: dict[str, str] = {}
    """Values for this run alone, by key, as they were typed."""
    stats: bool = False


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"fireside: {message}\nTry “fireside --help”.\n")


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
    commands = parser.add_subparsers(dest="command", metavar="command")
    run = commands.add_parser(
        "run",
        help="chat in the terminal, or answer one prompt and end",
        description="Chat in the terminal. With a prompt, or with text piped in, one answer is printed.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("model", nargs="?", help="a name from “fireside list”, or a .gguf file")
    run.add_argument("prompt", nargs="*", help="what to ask; text piped in is added below it")
    run.add_argument("--system", metavar="TEXT", help="system prompt")
    run.add_argument("--temperature", metavar="N", help="0 always takes the likeliest token")
    run.add_argument("--seed", metavar="N", help="the same seed gives the same answer")
    run.add_argument("--max-tokens", metavar="N", help="longest answer, in tokens")
    run.add_argument("--ctx", metavar="N", help="context size, in tokens")
    run.add_argument("--gpu-layers", metavar="N", help="layers on the GPU: auto, all or a number")
    run.add_argument("--stats", action="store_true", help="print speed and token counts after each answer")
    _add_set(run)
    commands.add_parser("list", help="list the models on this machine")
    found = parser.parse_args(argv)
    return _arguments(found)


_FLAGS = {
    "system": "chat.system_prompt",
    "temperature": "sampling.temperature",
    "seed": "sampling.seed",
    "max_tokens": "sampling.max_tokens",
    "ctx": "load.n_ctx",
    "gpu_layers": "load.n_gpu_layers",
}


def _add_set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        type=_pair,
        help="any setting by its key, for this run alone; may be given more than once",
    )


def _pair(text: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if not separator or not key:
        raise argparse.ArgumentTypeError(f"“{text}” is not KEY=VALUE")
    return key, value


def _arguments(found: argparse.Namespace) -> Arguments:
    settings = dict(found.set)
    for flag, key in _FLAGS.items():
        value = getattr(found, flag, None)
        if value is not None:
            settings[key] = value
    model = getattr(found, "model", None)
    prompt = " ".join(getattr(found, "prompt", None) or []) or None
    if model is not None and prompt is None and " " in model and not Path(model).exists():
        model, prompt = None, model  # fireside run "Why is the sky blue?"
    return Arguments(
        command=found.command or "window",
        model=model,
        prompt=prompt,
        settings=settings,
        stats=getattr(found, "stats", False),
    )
