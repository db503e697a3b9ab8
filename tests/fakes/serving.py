"""``fireside serve`` in a process of its own, and a client that has nothing of ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import IO, Any


def environment_in(home: Path) -> dict[str, str]:
    """Return the environment of a program whose files are in ``home``."""
    return {
        **os.environ,
        "FIRESIDE_HOME": str(home / "fireside"),
        "FIRESIDE_LOAD_N_CTX": "1024",
        # Several wait for each other most of the time on a machine with other work.
        "FIRESIDE_LOAD_N_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }


class Serving:
    """A server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address

    def ask(self, path: str, body: object = None, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with self.stream(path, body, headers=named) as reply:
            return json.loads(reply.read())

    def stream(
        self, path: str, body: object = None, *, headers: Mapping[str, str] | None = None
    ) -> HTTPResponse:
        """Ask, and return the reply to be read as it comes."""
        content = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data=content, headers=dict(headers or {}))
        reply: HTTPResponse = urllib.request.urlopen(asked, timeout=120)
        return reply

    def client(self, *command: str, environ: Mapping[str, str] | None = None, folder: str = ".") -> Any:
        """Run a client program with the address and the model, and return what it prints as JSON."""
        (model,) = self.ask("/v1/models")["data"]
        done = subprocess.run(
            [*command, self.address, model["id"]],
            # Some look for Ollama's server in the environment alone.
            env={**os.environ, "OLLAMA_HOST": self.address, **(environ or {})},
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def status(self, path: str, **headers: str) -> int:
        try:
            self.ask(path, **headers)
        except urllib.error.HTTPError as exc:
            return exc.code
        return 200


@contextmanager
def serving(
    home: Path, *arguments: str, said_to: IO[str] | None = None, environ: Mapping[str, str] | None = None
) -> Iterator[Serving]:
    """Serve until the block ends, with what ``environ`` has beside the environment; the lines about requests
    go to ``said_to``, else to the process's pipe."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "fireside", "serve", "--port", "0", *arguments],
        env={**environment_in(home), **(environ or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if said_to is None else said_to,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    try:
        yield Serving(process, process.stdout.readline().strip())
    finally:
        process.terminate()
        process.communicate(timeout=20)
