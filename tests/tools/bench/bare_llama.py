"""The peer of the speed bench: one stream in bare llama-cpp-python, as tight a loop as Python allows.

Prints one JSON object: prompt and decode tokens per second, and how many tokens of each.
Usage: bare_llama.py MODEL PROMPT_FILE N_DECODE N_THREADS
"""

from __future__ import annotations

import ctypes
import json
import sys
import time
from pathlib import Path

import llama_cpp.llama_cpp as llama
import numpy as np


def main(model_path: str, prompt_path: str, n_decode: int, n_threads: int) -> None:
    """Read the prompt in batches of 512, then decode greedily."""
    silent = llama.llama_log_callback(lambda *_: None)
    llama.llama_log_set(silent, None)
    llama.llama_backend_init()
    model = llama.llama_model_load_from_file(model_path.encode(), llama.llama_model_default_params())
    params = llama.llama_context_default_params()
    params.n_ctx, params.n_batch, params.n_ubatch = 8192, 512, 512
    params.n_threads = params.n_threads_batch = n_threads
    params.n_outputs_max = 1
    context = llama.llama_init_from_model(model, params)
    vocab = llama.llama_model_get_vocab(model)
    tokens = tokenize(vocab, Path(prompt_path).read_text(encoding="utf-8"))
    chain = llama.llama_sampler_chain_init(llama.llama_sampler_chain_default_params())
    llama.llama_sampler_chain_add(chain, llama.llama_sampler_init_greedy())

    started = time.perf_counter()
    batch = llama.llama_batch_init(512, 0, 1)
    for start in range(0, len(tokens), 512):
        fill(batch, tokens[start : start + 512], position=start)
        assert llama.llama_decode(context, batch) == 0
    token = llama.llama_sampler_sample(chain, context, -1)
    first = time.perf_counter()
    n_decoded = 1
    while n_decoded < n_decode and not llama.llama_vocab_is_eog(vocab, token):
        fill(batch, [token], position=len(tokens) + n_decoded - 1)
        assert llama.llama_decode(context, batch) == 0
        token = llama.llama_sampler_sample(chain, context, -1)
        n_decoded += 1
    last = time.perf_counter()
    sys.stdout.write(
        json.dumps(
            {
                "n_prompt": len(tokens),
                "n_decoded": n_decoded,
                "prompt_tokens_per_s": len(tokens) / (first - started),
                "decode_tokens_per_s": (n_decoded - 1) / (last - first),
            }
        )
    )


def fill(batch: llama.llama_batch, tokens: list[int], *, position: int) -> None:
    """Put ``tokens`` of sequence 0 into ``batch``; only the last one gets logits."""
    batch.n_tokens = len(tokens)
    for index, token in enumerate(tokens):
        batch.token[index] = token
        batch.pos[index] = position + index  # type: ignore[call-overload]  # declared as an array of arrays
        batch.n_seq_id[index] = 1
        batch.seq_id[index][0] = 0
        batch.logits[index] = index == len(tokens) - 1


def tokenize(vocab: int, text: str) -> list[int]:
    """Return the tokens of ``text``, special tokens recognised."""
    encoded = text.encode()
    buffer = np.zeros(len(encoded) + 16, np.int32)
    pointer = buffer.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
    n = llama.llama_tokenize(vocab, encoded, len(encoded), pointer, len(buffer), True, True)
    return [int(token) for token in buffer[:n]]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
