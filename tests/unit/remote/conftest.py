"""Fixtures for remote engines: a server, and a service to add it to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from fakes.engines_harness import EnginesHarness, engines_harness
from fakes.model_server import ModelServer, model_server


@pytest.fixture
def kind() -> str:
    """What ``server`` is; parametrised where another one is wanted."""
    return "vllm"


@pytest.fixture
def server(kind: str) -> Iterator[ModelServer]:
    with model_server(kind) as server:
        yield server


@pytest.fixture
async def remote(tmp_path: Path) -> AsyncIterator[EnginesHarness]:
    async with engines_harness(tmp_path) as remote:
        yield remote
