"""The arguments of ``fireside run``, and ``--set``, which other commands have too."""

from __future__ import annotations

import argparse
from typing import Any, Final

from fireside.cli import inputs
from fireside.cli.tools import add_tool_option
from fireside.core.prompt_input import InfillInput, TextInput

MAX_ANSWERS: Final = 64

_RUN_EPILOG = """\
examples:
  fireside run "Why is the sky blue?" --stats
  fireside run --json-schema person.json "Ada Lovelace, as JSON"
  fireside run --image cat.jpg "What is this?"
  fireside run --raw "Once upon a time" --max-tokens 50 --n 3
  fireside run --fill "def add(a, b):" "    return total" --temperature 0
  fireside run --set sampling.xtc_probability=0.5 "Tell me a story"
"""

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


def add_run_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``run`` to the commands."""
    run = commands.add_parser(
        "run",
        help="chat in the terminal, or answer one prompt",
        description="Chat in the terminal. With a prompt or piped text, prints one answer.",
        epilog=_RUN_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("model", nargs="?", help="a name from “fireside list”, MODEL@HOST, or a .gguf file")
    run.add_argument("prompt", nargs="*", help="the prompt; piped text is appended")
    prompt = run.add_argument_group("prompt")
    prompt.add_argument("--system", metavar="TEXT", help="system prompt")
    prompt.add_argument(
        "--image", metavar="FILE", action="append", default=[], type=inputs.image,
        help="PNG or JPEG image; repeatable",
    )  # fmt: skip
    prompt.add_argument("--raw", metavar="TEXT", help="continue this raw text, without the chat template")
    prompt.add_argument(
        "--fill", metavar=("BEFORE", "AFTER"), nargs=2, help="fill in the middle between two texts"
    )
    response = run.add_argument_group("response")
    response.add_argument("--reasoning", metavar="HOW", help="thinking: on, off, low, medium or high")
    response.add_argument("--thinking-budget", metavar="N", help="thinking budget, in tokens")
    response.add_argument("--temperature", metavar="N", help="0 always picks the most likely token")
    response.add_argument("--seed", metavar="N", help="same seed, same answer")
    response.add_argument("--max-tokens", metavar="N", help="max response tokens")
    response.add_argument("--when-full", metavar="WHAT", help="context overflow: stop or shift")
    response.add_argument(
        "--n", metavar="N", type=_n_answers, default=1, help="number of answers to one prompt"
    )
    add_tool_option(response)
    form = response.add_mutually_exclusive_group()
    form.add_argument(
        "--json-schema", metavar="FILE|TEXT", dest="rule", type=inputs.json_schema,
        help="JSON Schema to match",
    )  # fmt: skip
    form.add_argument(
        "--regex", metavar="PATTERN", dest="rule", type=inputs.regex, help="regular expression to match"
    )
    form.add_argument(
        "--grammar", metavar="FILE", dest="rule", type=inputs.grammar, help="Lark or GBNF grammar"
    )
    output = run.add_argument_group("output")
    output.add_argument(
        "--logprobs",
        metavar="N",
        type=_n_alternatives,
        help="token probabilities with N alternatives (0 to 20)",
    )
    output.add_argument("--stats", action="store_true", help="print tokens/s, TTFT and token counts")
    loading = run.add_argument_group("model loading")
    loading.add_argument("--ctx", metavar="N", help="context length, in tokens")
    loading.add_argument(
        "--keep-alive", metavar="MINUTES",
        help="unload after idle, in minutes, or always; 0 unloads immediately",
    )  # fmt: skip
    loading.add_argument("--gpu-layers", metavar="N", help="GPU offload (layers): auto, all or a number")
    add_set_option(loading)


def add_set_option(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add ``--set``."""
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        type=_pair,
        help="override a setting by its key, for this run only; repeatable",
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
    if text.startswith("-"):  # the setting takes -1 as “off”
        raise argparse.ArgumentTypeError(f"“{text}” is not a number from 0 to 20")
    return text


def settings_of(parsed: argparse.Namespace) -> tuple[dict[str, str], dict[str, str]]:
    """Return the overrides by key as they were typed, and for those with an option of their own that
    option."""
    settings = dict(parsed.set)
    typed_as = {}
    for flag, key in _FLAGS.items():
        value = getattr(parsed, flag, None)
        if value is not None:
            settings[key] = value
            typed_as[key] = f"--{flag.replace('_', '-')}"
    if (rule := getattr(parsed, "rule", None)) is not None:
        settings["answer.format"], settings["answer.format_rule"] = rule
    return settings, typed_as


def prompt_replacement(parsed: argparse.Namespace) -> TextInput | InfillInput | None:
    """Return the raw text to continue, or the gap to fill, if one was given."""
    if getattr(parsed, "fill", None) is not None:
        before, after = parsed.fill
        return InfillInput(prefix=before, suffix=after)
    if getattr(parsed, "raw", None) is not None:
        # A raw prompt contains its own control tokens.
        return TextInput(text=parsed.raw, parse_special=True)
    return None
