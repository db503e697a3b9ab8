"""The loss of a text, computed by the runner's own parts and by the simplest calls of llama.cpp.

Run in a process of its own: ``python pipeline_loss.py MODEL``. Prints one JSON object with the sum of the
natural logarithms of the probabilities of all tokens but the first, by ``ours`` and by ``theirs``.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from fireside.core.options import CacheType, FlashAttention
from fireside.runner.batch_planning import Demand, plan_batch
from fireside.runner.decoder import DecodeResult
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.native import lib
from fireside.runner.parameter_checks import ContextParams, ModelParams
from fireside.runner.prompt.segments import Prompt, PromptSegment
from fireside.runner.token_batch import TokenBatch
from fireside.runner.tokens import Tokens

TEXT: Final = (
    "The history of the city begins in the ninth century, when traders settled by the river. “Nobody,” an "
    "old chronicle says, “knew the winter.” It burned down in 1342.\n\n"
    "def area(width: float, height: float) -> float:\n    return width * height\n\n3. Äpfel 🍎"
)
N_CTX: Final = 512
N_STEP: Final = 48

Row = npt.NDArray[np.float32]


def loss(rows: Callable[[int], Row], following: Tokens, *, first: int = 0) -> float:
    """Add up the logarithms of the probabilities of ``following``, by the rows from ``first`` on."""
    total = 0.0
    for index, token in enumerate(following.tolist(), first):
        exact = rows(index).astype(np.float64)
        total += float(exact[token] - np.logaddexp.reduce(exact))
    return total


def ours(model: Model, tokens: Tokens) -> float:
    """Read as the loop reads: planned steps, filled batches, two streams with another text beside."""
    params = ContextParams(
        n_ctx=N_CTX,
        n_seq_max=2,
        n_batch=N_STEP,
        n_ubatch=N_STEP,
        n_threads=1,
        flash_attn=FlashAttention.OFF,
        cache_type_k=CacheType.F16,
        cache_type_v=CacheType.F16,
        n_draft=N_STEP - 1,
    )
    total = 0.0
    with Context(model, params, abort=AbortFlag()) as context:
        batch = TokenBatch(N_STEP)
        texts = [tokens, tokens[::-1].copy()]
        done = [0, 0]
        step = 0
        while done[0] < len(tokens):
            demands = [
                Demand(slot, len(text) - done[slot], False, True)
                for slot, text in enumerate(texts)
                if done[slot] < len(text)
            ]
            step += 1
            batch.clear()
            firsts = {}
            shares = plan_batch(demands, n_max=N_STEP, n_alongside=128, step=step)
            for share in shares:
                part = texts[share.slot][done[share.slot] : done[share.slot] + share.n_tokens]
                firsts[share.slot] = batch.add_all(part, sequence=share.slot, position=done[share.slot])
            if context.decode(batch) is not DecodeResult.DONE:
                raise RuntimeError("llama.cpp refused a batch")
            for share in shares:
                start, end = done[share.slot], done[share.slot] + share.n_tokens
                if share.slot == 0:
                    total += loss(context.logits, tokens[start + 1 : end + 1], first=firsts[0])
                done[share.slot] = end
    return total


def theirs(model: Model, tokens: Tokens) -> float:
    """Read with one call, alone."""
    return native_loss_from(model, tokens, first=1)


def native_loss_from(model: Model, tokens: Tokens, *, first: int) -> float:
    """Read with one call, alone; what is before the token at ``first`` is given and not judged."""
    params = lib.llama_context_default_params()
    params.n_ctx = params.n_batch = params.n_ubatch = params.n_outputs_max = N_CTX
    params.n_threads = params.n_threads_batch = 1
    params.flash_attn_type = 0
    context = lib.llama_init_from_model(model.handle, params)
    batch = lib.llama_batch_init(len(tokens), 0, 1)
    batch.n_tokens = len(tokens)
    for index, token in enumerate(tokens.tolist()):
        batch.token[index], batch.pos[index] = token, index
        batch.n_seq_id[index], batch.seq_id[index][0] = 1, 0
        batch.logits[index] = 1
    if lib.llama_decode(context, batch):
        raise RuntimeError("llama.cpp refused a batch")

    def row(index: int) -> Row:
        return np.ctypeslib.as_array(lib.llama_get_logits_ith(context, index), (model.vocab.n_tokens,))

    total = loss(row, tokens[first:], first=first - 1)
    lib.llama_batch_free(batch)
    lib.llama_free(context)
    return total


def main() -> None:
    callback: Any = lib.llama_log_callback(lambda *_: None)
    lib.llama_log_set(callback, ctypes.c_void_p())
    lib.llama_backend_init()
    params = ModelParams(path=sys.argv[1], n_gpu_layers=0, use_mmap=True, use_repack=False)
    with Model(params) as model:
        tokens = model.vocab.tokenize(Prompt(segments=(PromptSegment(text=TEXT, special=False),)))
        result = {"ours": ours(model, tokens), "theirs": theirs(model, tokens), "n_tokens": len(tokens)}
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
