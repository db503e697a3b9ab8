"""Evaluate tokens with and without rejected drafts after each, in a separate process.

Takes the path of a model and prints, as JSON, whether every guess could be taken back and the largest
difference between the logits of both ways.
"""

from __future__ import annotations

import json
import sys

import numpy as np
import numpy.typing as npt

from fireside.core.options import Speculation
from fireside.runner.devices import load_backends
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.native import lib
from fireside.runner.parameter_checks import context_params, model_params
from fireside.runner.token_batch import TokenBatch
from llama.runner_process import exact_options

N_TOKENS = 200
N_GUESSED = (0, 1, 3, 8, 5)


def main() -> None:
    log = lib.llama_log_callback(lambda *_: None)
    lib.llama_log_set(log, None)
    lib.llama_backend_init()
    load_backends()
    options = exact_options(speculation=Speculation.PROMPT_LOOKUP)
    with (
        Model(model_params(sys.argv[1], options)) as model,
        Context(model, context_params(options, n_ctx_train=0), abort=AbortFlag()) as context,
    ):
        tokens = np.random.default_rng(5).integers(10, 200, N_TOKENS).astype(np.int32)
        plain, _ = _read(context, tokens, n_guessed=(0,))
        drafted, taken_back = _read(context, tokens, n_guessed=N_GUESSED)
        difference = float(np.abs(plain - drafted).max())
    json.dump({"taken_back": taken_back, "difference": difference}, sys.stdout)


def _read(
    context: Context, tokens: npt.NDArray[np.int32], *, n_guessed: tuple[int, ...]
) -> tuple[npt.NDArray[np.float32], bool]:
    """Return the logits of every token, and whether all guesses went away."""
    batch = TokenBatch(16)
    context.clear(0)
    rows = []
    taken_back = True
    for position in range(len(tokens)):
        n = n_guessed[position % len(n_guessed)]
        wrong = (tokens[position : position + 1].repeat(n) + np.arange(n, dtype=np.int32)) % 200 + 10
        batch.clear()
        index = batch.add_all(
            np.concatenate([tokens[position : position + 1], wrong]), sequence=0, position=position
        )
        context.decode(batch)
        rows.append(context.logits(index).copy())
        if n:
            taken_back = context.remove_from(0, position + 1) and taken_back
    return np.stack(rows), taken_back


if __name__ == "__main__":
    main()
