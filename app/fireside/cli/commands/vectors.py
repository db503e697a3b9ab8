"""``fireside embed`` and ``fireside rerank``: vectors and scores of texts."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fireside.cli.command_app import command_app
from fireside.cli.command_parser import (
    CommandParser,
    UsageError,
    add_own_option,
    add_set_option,
    model_name,
)
from fireside.cli.inputs import piped_text
from fireside.core.options import Pooling

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext


def define_embed(command: CommandParser) -> None:
    """Add what may be typed after ``embed``."""
    command.description = "Print one embedding per text, as a line of JSON. Piped lines are texts too."
    command.does(embed)
    command.add_argument("model", type=model_name, help="a name from “fireside list”, or a .gguf file")
    command.add_argument("texts", nargs="*", metavar="text")
    command.add_argument(
        "--pooling", choices=[each.value for each in Pooling], default=Pooling.MODEL.value,
        help="pooling of token embeddings; “model” uses the model’s own",
    )  # fmt: skip
    command.add_argument("--dimensions", type=int, metavar="N", help="dimensions to keep (the first N)")
    command.add_argument("--truncate", action="store_true", help="truncate texts that are too long")
    add_set_option(command)
    add_own_option(command)


def embed(
    context: StartupContext,
    *,
    model: str,
    texts: Sequence[str],
    pooling: str,
    dimensions: int | None,
    truncate: bool,
    own: bool,
) -> int:
    """Print a line of JSON for each text: the text, and its vector of length 1."""
    from fireside.cli.model_names import find_model, model_files

    all_texts = _with_piped(texts)
    with command_app(context, shares_as="" if own else "embed", added=model_files(model)) as program:
        model_id = find_model(program.app, program.loop, name=model).id
        vectors = program.wait(
            program.app.embeddings.embed(
                all_texts,
                model_id=model_id,
                pooling=Pooling(pooling),
                dimensions=dimensions,
                truncate=truncate,
            )
        )
    for text, vector in zip(all_texts, vectors, strict=True):
        line = {"text": text, "vector": [round(number, 7) for number in vector]}
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    return 0


def define_rerank(command: CommandParser) -> None:
    """Add what may be typed after ``rerank``."""
    command.description = "Print texts with their scores, best first. Piped lines are texts too."
    command.does(rerank)
    command.add_argument(
        "model", type=model_name, help="a reranking model: a name from “fireside list”, or a .gguf file"
    )
    command.add_argument("query")
    command.add_argument("texts", nargs="*", metavar="text")
    add_set_option(command)
    add_own_option(command)


def rerank(context: StartupContext, *, model: str, query: str, texts: Sequence[str], own: bool) -> int:
    """Print the texts with their scores, the most relevant to ``query`` first."""
    from fireside.cli.model_names import find_model, model_files

    all_texts = _with_piped(texts)
    with command_app(context, shares_as="" if own else "rerank", added=model_files(model)) as program:
        model_id = find_model(program.app, program.loop, name=model).id
        scores = program.wait(program.app.embeddings.rerank(query, all_texts, model_id=model_id))
    for score, text in sorted(zip(scores, all_texts, strict=True), key=lambda pair: -pair[0]):
        sys.stdout.write(f"{score:9.4f}  {text}\n")
    return 0


def _with_piped(texts: Sequence[str]) -> tuple[str, ...]:
    found = (*texts, *(line for line in piped_text().splitlines() if line.strip()))
    if not found:
        raise UsageError("no text given or piped in.")
    return found
