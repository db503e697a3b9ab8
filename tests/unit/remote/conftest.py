"""Fixtures for remote engines: a server, and a service to add it to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from fakes.engines_place import EnginesPlace, engines_place
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
async def remote(tmp_path: Path) -> AsyncIterator[EnginesPlace]:
    async with engines_place(tmp_path) as remote:
        yield remote
