"""The simplest use of llama.cpp with images, as the reference for the runner's answers.

Reads one JSON object from standard input: ``model``, ``projector``, ``n_predict``, and ``prompts``, each with
its ``text``, in which ``<__media__>`` stands for each image or sound in turn, and its ``images``, each with
its width, height and the base 64 of its pixels, or of its samples. Prints for each prompt the greedy
continuation, the logarithm of the probability of each of its tokens, and the number of the prompt's tokens.
"""

from __future__ import annotations

import base64
import ctypes
import json
import sys
from typing import Any

import numpy as np

from fireside.runner.images.mtmd_binding import lib, mtmd

N_CTX = 4096


def main() -> None:
    task = json.load(sys.stdin)
    log = lib.llama_log_callback(lambda *_: None)
    lib.llama_log_set(log, None)
    mtmd.mtmd_helper_log_set(log, None)
    lib.llama_backend_init()
    model_params = lib.llama_model_default_params()
    model_params.use_extra_bufts = False
    model_params.n_gpu_layers = 0
    model = lib.llama_model_load_from_file(task["model"].encode(), model_params)
    projector_params = mtmd.mtmd_context_params_default()
    projector_params.use_gpu = False
    projector_params.n_threads = 1
    projector = mtmd.mtmd_init_from_file(task["projector"].encode(), model, projector_params)
    answers = []
    for prompt in task["prompts"]:
        chunks = _tokenize(projector, prompt["text"].encode(), prompt["images"])
        answers.append(_continue(model, projector, chunks, n_predict=task["n_predict"]))
    json.dump(answers, sys.stdout)


def _tokenize(projector: Any, text: bytes, images: list[dict[str, Any]]) -> Any:
    bitmaps = (mtmd.mtmd_bitmap_p_ctypes * len(images))()
    for index, image in enumerate(images):
        if "samples" in image:
            samples = base64.b64decode(image["samples"])
            sound = (ctypes.c_float * (len(samples) // 4)).from_buffer_copy(samples)
            bitmaps[index] = mtmd.mtmd_bitmap_init_from_audio(len(sound), sound)
            continue
        pixels = base64.b64decode(image["rgb"])
        array = (ctypes.c_uint8 * len(pixels)).from_buffer_copy(pixels)
        bitmaps[index] = mtmd.mtmd_bitmap_init(image["width"], image["height"], array)
    prompt = mtmd.mtmd_input_text(text=text, text_len=len(text), add_special=True, parse_special=True)
    chunks = mtmd.mtmd_input_chunks_init()
    assert mtmd.mtmd_tokenize(projector, chunks, ctypes.byref(prompt), bitmaps, len(images)) == 0
    return chunks


def _continue(model: Any, projector: Any, chunks: Any, *, n_predict: int) -> dict[str, Any]:
    vocab = lib.llama_model_get_vocab(model)
    n_vocab = lib.llama_vocab_n_tokens(vocab)
    params = lib.llama_context_default_params()
    params.n_ctx = N_CTX
    params.n_batch = params.n_ubatch = 512
    params.n_threads = params.n_threads_batch = 1
    params.flash_attn_type = 0
    context = lib.llama_init_from_model(model, params)
    n_past = ctypes.c_int32(0)
    done = mtmd.mtmd_helper_eval_chunks(projector, context, chunks, 0, 0, 512, True, ctypes.byref(n_past))
    assert done == 0
    out = b""
    logprobs = []
    buffer = ctypes.create_string_buffer(256)
    for _ in range(n_predict):
        logits = np.ctypeslib.as_array(lib.llama_get_logits_ith(context, -1), (n_vocab,)).astype(np.float64)
        token = int(logits.argmax())
        if lib.llama_vocab_is_eog(vocab, token):
            break
        logprobs.append(float(logits[token] - np.logaddexp.reduce(logits)))
        n_piece = lib.llama_token_to_piece(vocab, token, buffer, len(buffer), 0, False)
        out += buffer.raw[:n_piece]
        tokens, position = (ctypes.c_int32 * 1)(token), (ctypes.c_int32 * 1)(n_past.value)
        batch = lib.llama_batch_get_one(tokens, 1)
        batch.pos = position
        lib.llama_decode(context, batch)
        n_past.value += 1
    lib.llama_free(context)
    return {
        "text": out.decode("utf-8", "replace"),
        "logprobs": logprobs,
        "n_prompt": mtmd.mtmd_helper_get_n_tokens(chunks),
    }


if __name__ == "__main__":
    main()
