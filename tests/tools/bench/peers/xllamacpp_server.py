"""The peer of the server bench: llama.cpp's own server, as the xllamacpp package carries it.

Reads one round a line from standard input as JSON: clients, each with its requests one after the other, and
for how many seconds they ask. Prints one line with what came of each.
Usage: xllamacpp_server.py MODEL N_CTX N_SLOTS N_THREADS auto|on|off unified|own
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

import xllamacpp


def main(model: str, n_ctx: int, n_slots: int, n_threads: int, flash_attn: str, kv: str) -> None:
    """Serve rounds until the end of input."""
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = n_ctx * n_slots
    params.n_parallel = n_slots
    params.n_batch = params.n_ubatch = 512
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = n_threads
    params.kv_unified = kv == "unified"
    params.flash_attn_type = {"auto": -1, "off": 0, "on": 1}[flash_attn]
    params.verbosity = -1
    # What Fireside is asked to do as well: reuse what is in a slot, keep nothing beside it.
    params.cache_ram_mib = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(json.dumps({"ready": True}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(one_round(server, json.loads(line))) + "\n")
        sys.stdout.flush()


def one_round(server: Any, task: dict[str, Any]) -> list[dict[str, float]]:
    """Run clients at the same time; times are seconds from the start of the round."""
    results: list[dict[str, float]] = []
    started = time.perf_counter()
    threads = [
        threading.Thread(target=one_client, args=(server, requests, results, started, task["seconds"]))
        for requests in task["clients"]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def one_client(
    server: Any,
    requests: list[dict[str, Any]],
    results: list[dict[str, float]],
    started: float,
    seconds: float,
) -> None:
    """Ask again as soon as there is an answer."""
    for request in requests:
        result: dict[str, float] = {}
        one_request(server, request, result, started)
        results.append(result)
        if time.perf_counter() - started >= seconds:
            return


def one_request(server: Any, request: dict[str, Any], result: dict[str, float], started: float) -> None:
    """Stream one completion and note when its first and last text came."""
    chunks: list[str] = []

    def on_chunk(chunk: str) -> bool:
        now = time.perf_counter() - started
        result.setdefault("first_s", now)
        result["last_s"] = now
        chunks.append(chunk)
        return False

    body = {
        "prompt": request["prompt"],
        "n_predict": request["n_predict"],
        "temperature": 0,
        "ignore_eos": True,
        "stream": True,
        "cache_prompt": True,
    }
    server.handle_completions(json.dumps(body), on_chunk)
    timings = json.loads(chunks[-1])["timings"]
    result["n_prompt"] = timings["prompt_n"] + timings["cache_n"]
    result["n_cached"] = timings["cache_n"]
    result["n_completion"] = timings["predicted_n"]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5], sys.argv[6])
