"""The simplest use of llama.cpp, in a separate process, as the reference for the runner's answers.

Reads one JSON object from standard input, ``{"model": …, "prompts": […], "n_predict": …, "is_exact": …}``,
and prints a list with the text of the greedy continuation of each prompt, the number of the prompt's tokens,
the natural logarithm of the probability of each token that was taken, and by how much the likeliest token led
before the second, at the closest place.
"""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any

import numpy as np

from fireside.core.options import CacheType
from fireside.runner.llama import CACHE_TYPES
from fireside.runner.native import lib

N_CTX = 2048


def main() -> None:
    task = json.load(sys.stdin)
    log = lib.llama_log_callback(lambda *_: None)
    lib.llama_log_set(log, None)
    lib.llama_backend_init()
    model_params = lib.llama_model_default_params()
    model_params.use_extra_bufts = False
    model_params.n_gpu_layers = 0
    model = lib.llama_model_load_from_file(task["model"].encode(), model_params)
    how = {"n_predict": task["n_predict"], "is_exact": task["is_exact"]}
    answers = [_continue(model, prompt, **how) for prompt in task["prompts"]]
    json.dump(answers, sys.stdout)


def _continue(model: Any, prompt: str, *, n_predict: int, is_exact: bool) -> dict[str, Any]:
    vocab = lib.llama_model_get_vocab(model)
    n_vocab = lib.llama_vocab_n_tokens(vocab)
    params = lib.llama_context_default_params()
    params.n_ctx = N_CTX
    params.n_batch = params.n_ubatch = N_CTX
    params.n_threads = params.n_threads_batch = 1
    params.flash_attn_type = 0
    if is_exact:
        params.type_k = params.type_v = CACHE_TYPES[CacheType.F32]
    context = lib.llama_init_from_model(model, params)
    encoded = prompt.encode()
    tokens = (ctypes.c_int32 * N_CTX)()
    n = lib.llama_tokenize(vocab, encoded, len(encoded), tokens, N_CTX, False, True)
    n_prompt = n
    out = b""
    logprobs = []
    lead = float("inf")
    buffer = ctypes.create_string_buffer(256)
    for _ in range(n_predict):
        lib.llama_decode(context, lib.llama_batch_get_one(tokens, n))
        logits = np.ctypeslib.as_array(lib.llama_get_logits_ith(context, -1), (n_vocab,))
        token = int(logits.argmax())
        exact = logits.astype(np.float64)
        second, first = np.partition(exact, -2)[-2:]
        lead = min(lead, float(first - second))
        if lib.llama_vocab_is_eog(vocab, token):
            break
        logprobs.append(float(exact[token] - np.logaddexp.reduce(exact)))
        n_piece = lib.llama_token_to_piece(vocab, token, buffer, len(buffer), 0, False)
        out += buffer.raw[:n_piece]
        tokens[0], n = token, 1
    lib.llama_free(context)
    return {"text": out.decode("utf-8", "replace"), "n_prompt": n_prompt, "logprobs": logprobs, "lead": lead}


if __name__ == "__main__":
    main()
