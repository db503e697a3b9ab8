"""A call that begins before its grammar is compiled waits for it, while other answers continue."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def outcome(starter_model_path: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-P", str(Path(__file__).with_name("begun_calls.py")), str(starter_model_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_other_answer_continues_while_the_call_waits(outcome: dict[str, Any]) -> None:
    assert outcome["n_more"] == [0, outcome["n_turns"]]


def test_call_matches_its_grammar(outcome: dict[str, Any]) -> None:
    _, begun, call = outcome["call"].partition("<tool_call>")
    assert begun
    made = json.loads(call.partition("</tool_call>")[0])
    assert made["name"] == "add"
    assert made["arguments"]["a"] in (1, 2)


def test_nothing_is_compiled_in_the_decoding_thread(outcome: dict[str, Any]) -> None:
    assert outcome["n_workers"] >= 1
    assert not outcome["in_the_loop"]
