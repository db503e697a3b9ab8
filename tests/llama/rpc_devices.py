"""Devices besides the CPU without a GPU: llama.cpp's RPC servers on loopback."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

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
    command = [sys.executable, "-P", str(Path(__file__).with_name("rpc_server.py"))]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        # It takes a free port itself: one that was free a moment ago may be another's by now.
        while not (listening := psutil.Process(server.pid).net_connections("tcp")):
            assert server.poll() is None
            time.sleep(0.02)
        yield RpcDevice(f"127.0.0.1:{listening[0].laddr.port}", server)
    finally:
        server.kill()
        server.wait(END_S)
