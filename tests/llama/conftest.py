"""One runner for all tests that do not change it, and the references they compare with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from llama.runner_process import RunnerProcess

Reference = Callable[[list[str], int], list[dict[str, Any]]]


@pytest.fixture(scope="session")
def shared_runner(short_model_path: Path) -> Iterator[RunnerProcess]:
    """A runner with two slots of 512 tokens. Tests may leave anything in its caches."""
    with RunnerProcess() as runner:
        runner.load(short_model_path)
        yield runner


@pytest.fixture(scope="session")
def bare_llama(short_model_path: Path) -> Reference:
    """Greedy continuations of prompts by llama.cpp alone."""
    return bare_llama_of(short_model_path, is_exact=False)


@pytest.fixture(scope="session")
def bare_llama_exactly(short_model_path: Path) -> Reference:
    """As ``bare_llama``, with the cache of ``exact_options``."""
    return bare_llama_of(short_model_path, is_exact=True)


def bare_llama_of(model: Path, *, is_exact: bool) -> Reference:
    """Greedy continuations by llama.cpp alone; with the cache of ``exact_options`` if ``is_exact``."""

    def continue_prompts(prompts: list[str], n_predict: int) -> list[dict[str, Any]]:
        task = {"model": str(model), "prompts": prompts, "n_predict": n_predict, "is_exact": is_exact}
        done = subprocess.run(
            [sys.executable, "-P", str(Path(__file__).with_name("bare_llama.py"))],
            input=json.dumps(task),
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        answers: list[dict[str, Any]] = json.loads(done.stdout)
        return answers

    return continue_prompts


@pytest.fixture
def fresh_runner() -> Iterator[RunnerProcess]:
    """A runner that has said hello and loaded nothing."""
    with RunnerProcess() as runner:
        yield runner
