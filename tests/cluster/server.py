"""llama.cpp's own server at a port, as the xllamacpp package carries it.

Prints its address, and serves until the end of input. Runs in an environment of its own:
``server.py MODEL NAME N_CTX N_SLOTS``.
"""

from __future__ import annotations

import sys

import xllamacpp


def main(model: str, name: str, n_ctx: int, n_slots: int) -> None:
    """Serve."""
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {name}
    params.n_ctx = n_ctx * n_slots
    params.n_parallel = n_slots
    params.n_batch = params.n_ubatch = 512
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.verbosity = -1
    params.cache_ram_mib = 512  # more chats than slots
    params.port = 0
    params.hostnames = ["127.0.0.1"]
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
