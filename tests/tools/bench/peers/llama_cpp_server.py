"""A peer of the server bench: the server of llama-cpp-python itself, which answers one request at a time.

Speaks as ``xllamacpp_server.py`` does. What it reuses of a prompt it does not say.
Usage: llama_cpp_server.py MODEL N_CTX N_SLOTS N_THREADS auto|on|off
"""

from __future__ import annotations

import http.client
import json
import socket
import sys
import threading
import time
from typing import Any

import uvicorn
from llama_cpp.server.app import create_app
from llama_cpp.server.settings import ModelSettings, ServerSettings


def main(model: str, n_ctx: int, n_threads: int, flash_attn: str) -> None:
    """Serve rounds until the end of input. Its own way to compute attention is the plain one."""
    listening = socket.create_server(("127.0.0.1", 0))
    settings = ModelSettings(
        model=model,
        n_ctx=n_ctx,
        n_batch=512,
        n_ubatch=512,
        n_threads=n_threads,
        n_threads_batch=n_threads,
        flash_attn=flash_attn == "on",
        verbose=False,
    )
    app = create_app(server_settings=ServerSettings(), model_settings=[settings])
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    threading.Thread(target=server.run, args=([listening],), daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    port = listening.getsockname()[1]
    sys.stdout.write(json.dumps({"ready": True}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        started = time.perf_counter()
        requests = [each for client in json.loads(line)["clients"] for each in client]
        outcomes = [one_request(port, each, started) for each in requests]
        sys.stdout.write(json.dumps(outcomes) + "\n")
        sys.stdout.flush()


def one_request(port: int, request: dict[str, Any], started: float) -> dict[str, float]:
    """Stream one completion: a line for each token, and one for the end."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Content-Type": "application/json"}
    connection.request("POST", "/extras/tokenize/count", json.dumps({"input": request["prompt"]}), headers)
    n_prompt = json.loads(connection.getresponse().read())["count"]
    body = {
        "prompt": request["prompt"],
        "max_tokens": request["n_predict"],
        "temperature": 0,
        "stream": True,
    }
    connection.request("POST", "/v1/completions", json.dumps(body), headers)
    response = connection.getresponse()
    times = [time.perf_counter() - started for line in response if line.startswith(b"data: {")]
    connection.close()
    return {
        "first_s": times[0],
        "last_s": times[-1],
        "n_prompt": n_prompt,
        "n_cached": 0,
        "n_completion": len(times) - 1,
    }


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[4]), sys.argv[5])
