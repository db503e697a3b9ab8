"""The peer of the API bench: llama.cpp's own server at a port, as the xllamacpp package carries it.

Prints its address, and serves until the end of input.
Usage: xllamacpp_http.py MODEL N_CTX N_SLOTS N_THREADS
"""

from __future__ import annotations

import sys

import xllamacpp


def main(model: str, n_ctx: int, n_slots: int, n_threads: int) -> None:
    """Serve."""
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = n_ctx * n_slots
    params.n_parallel = n_slots
    params.n_batch = params.n_ubatch = 512
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = n_threads
    params.flash_attn_type = 0
    params.use_jinja = True  # as llama-server has it: without it tools are refused or not told
    params.verbosity = -1
    params.cache_ram_mib = 0
    params.hostnames = ["127.0.0.1"]
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
