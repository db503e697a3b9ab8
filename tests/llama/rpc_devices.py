"""Devices besides the processor, without a GPU: llama.cpp's RPC servers on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

END_S = 30.0


class RpcDevice:
    """A server on loopback that lends its processor."""

    def __init__(self, address: str, process: subprocess.Popen[bytes]) -> None:
        self.address = address
        self._process = process

    def lose(self) -> None:
        """Take the device away, as a driver that gives up does."""
        self._process.kill()
        self._process.wait(END_S)


@contextmanager
def rpc_devices(n_devices: int) -> Iterator[dict[str, str]]:
    """Start servers, and give the environment of runners that have them as ``RPC0``, ``RPC1``…"""
    with ExitStack() as stack:
        addresses = [stack.enter_context(rpc_device()).address for _ in range(n_devices)]
        yield {"FIRESIDE_RPC_SERVERS": ",".join(addresses)}


@contextmanager
def rpc_device() -> Iterator[RpcDevice]:
    """Start one server, which ends with the block."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-u", "-P", str(Path(__file__).with_name("rpc_server.py")), str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert server.stdout is not None
    try:
        # The server prints its transport as the last line before it accepts; -u unbuffers its C library too.
        seen = b""
        while b"transport" not in seen:
            chunk = os.read(server.stdout.fileno(), 4096)
            assert chunk, seen
            seen += chunk
        yield RpcDevice(f"127.0.0.1:{port}", server)
    finally:
        server.kill()
        server.wait(END_S)
        server.stdout.close()
