"""``fireside embed`` and ``fireside rerank``: vectors and scores of texts."""

from __future__ import annotations

import json
from typing import TextIO

from fireside.chat.app import App
from fireside.cli.arguments import Arguments
from fireside.cli.engine_loop import EngineLoop
from fireside.core.ids import ModelId


def print_vectors(
    app: App,
    loop: EngineLoop,
    *,
    texts: tuple[str, ...],
    model_id: ModelId,
    arguments: Arguments,
    output: TextIO,
) -> None:
    """Print a line of JSON for each text: the text, and its vector of length 1."""
    vectors = loop.wait(
        app.embeddings.embed(
            texts,
            model_id=model_id,
            pooling=arguments.pooling,
            dimensions=arguments.dimensions,
            truncate=arguments.truncate,
        )
    )
    for text, vector in zip(texts, vectors, strict=True):
        line = {"text": text, "vector": [round(number, 7) for number in vector]}
        output.write(json.dumps(line, ensure_ascii=False) + "\n")


def print_ranking(
    app: App, loop: EngineLoop, *, query: str, texts: tuple[str, ...], model_id: ModelId, output: TextIO
) -> None:
    """Print the texts with their scores, the most relevant to ``query`` first."""
    scores = loop.wait(app.embeddings.rerank(query, texts, model_id=model_id))
    for score, text in sorted(zip(scores, texts, strict=True), key=lambda pair: -pair[0]):
        output.write(f"{score:9.4f}  {text}\n")
