"""A step is one forward pass where one suffices, however many sequences take part."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fireside.core.options import SamplingParams
from fireside.wire.messages import Ping, Pong
from llama.passes import N_UBATCH
from llama.runner_process import RunnerProcess, small_options
from llama.tiny_models import write_gemma3, write_lfm2, write_llama, write_mamba

ALL = {str(slot): 1 for slot in range(8)}
BATCHES: list[dict[str, int]] = [
    {"0": 1},
    ALL,
    {"0": 1, "2": 1, "5": 1},
    {"0": 1, "1": 1, "2": 40},
    {"1": 7, "3": 12, "4": 12},
    {"0": 30, "1": 60, "7": 1},
    {"3": N_UBATCH},
    {"3": N_UBATCH + 1},
]


@pytest.mark.parametrize("is_shared", [True, False])
@pytest.mark.parametrize("write", [write_llama, write_gemma3, write_lfm2, write_mamba])
def test_counted_passes_equal_those_of_llama_cpp(
    tmp_path: Path, write: Callable[[Path], Path], is_shared: bool
) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-P",
            str(Path(__file__).with_name("passes.py")),
            str(write(tmp_path / "tiny.gguf")),
            "shared" if is_shared else "own",
        ],
        input=json.dumps(BATCHES),
        env={**os.environ, "LLAMA_BATCH_DEBUG": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    results = json.loads(done.stdout)
    assert [computed for _, computed in results] == [counted for counted, _ in results]
    if is_shared and write in (write_llama, write_gemma3):
        n_tokens = [sum(parts.values()) for parts in BATCHES]
        assert [computed for _, computed in results] == [-(-n // N_UBATCH) for n in n_tokens]


def test_step_is_one_pass_for_any_set_of_streams(tmp_path: Path) -> None:
    with RunnerProcess() as runner:
        runner.load(
            write_llama(tmp_path / "tiny.gguf"),
            small_options(n_ctx=1024, n_seq_max=4, n_batch=64, n_ubatch=64, kv_unified=True),
        )
        request_ids = [
            runner.start("word " * (number % 5 * 9), SamplingParams(max_tokens=3 + number % 7))
            for number in range(12)
        ]
        for request_id in request_ids:
            runner.finish(request_id)
        runner.send(Ping())
        pong = runner.expect(Pong)
    assert 0 < pong.n_passes == pong.n_steps
