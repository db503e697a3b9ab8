"""The number of forward passes of a batch in llama.cpp, and as we count them.

Run in a process of its own: ``python passes.py MODEL shared|own``. Reads a JSON list of batches, each an
object with the tokens of each sequence, and prints for each ``[counted, computed]``. llama.cpp tells of its
passes in lines that it logs where the environment asks for them by ``LLAMA_BATCH_DEBUG=1``.
"""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any

import msgspec
import numpy as np

from fireside.core.options import CacheType, FlashAttention
from fireside.runner.decoder import DecodeResult
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.native import lib
from fireside.runner.parameter_checks import ContextParams, ModelParams
from fireside.runner.token_batch import TokenBatch

N_SLOTS = 8
N_UBATCH = 64
PARAMS = ContextParams(
    n_ctx=1024,
    n_seq_max=N_SLOTS,
    n_batch=256,
    n_ubatch=N_UBATCH,
    n_threads=1,
    flash_attn=FlashAttention.OFF,
    cache_type_k=CacheType.F16,
    cache_type_v=CacheType.F16,
)


def main() -> None:
    lines: list[bytes] = []
    callback: Any = lib.llama_log_callback(lambda _level, text, _data: lines.append(text))
    lib.llama_log_set(callback, ctypes.c_void_p())
    lib.llama_backend_init()
    params = msgspec.structs.replace(PARAMS, n_shared_cells=1024 if sys.argv[2] == "shared" else 0)
    results = []
    with Model(ModelParams(path=sys.argv[1], n_gpu_layers=0, use_mmap=True, use_repack=True)) as model:
        for parts in json.load(sys.stdin):
            with Context(model, params, abort=AbortFlag()) as context:
                batch = TokenBatch(context.n_batch)
                for slot, n_tokens in parts.items():
                    tokens = np.full(n_tokens, 5, np.int32)
                    batch.add(tokens, sequence=int(slot), position=0, wants_logits=True)
                del lines[:]
                if context.decode(batch) is not DecodeResult.DONE:
                    raise RuntimeError("llama.cpp refused a batch")
                n_computed = sum(b"added ubatch" in line for line in lines)
                results.append([context.n_passes({int(slot): n for slot, n in parts.items()}), n_computed])
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
