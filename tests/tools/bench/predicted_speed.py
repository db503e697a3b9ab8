"""Compare how fast models are said to write with how fast they do.

Each model is predicted from a probe of the memory and from answers of the others, and measured bare. All is
counted in processor time of one thread, so that other programs hardly matter, with a probe before and after
each answer. Not on Windows, which does not tell the time of processes that have ended.

Usage: PYTHONPATH=app:tests python tests/tools/bench/predicted_speed.py MODEL.gguf... [--tokens 64]
    [--rounds 3]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

import msgspec
import numpy as np

from fireside.core.fit import SpeedRange, speed_text
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.engine.planning.speed_estimate import (
    HOST,
    MeasuredAnswer,
    ReadSpeed,
    read_speed,
    tokens_per_s,
)
from fireside.gguf import model_spec, read_header
from fireside.services.machine.read_speeds import MAX_REMEMBERED, PROBED_SHARE, PROBED_SPREAD

_FEW: Final = 8
_PROBE_BYTES: Final = 128 << 20


def main() -> None:
    """Measure all, then print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    specs = [model_spec(read_header(path), path=path, id=ModelId(path)) for path in arguments.models]
    answers: dict[str, list[float]] = {spec.path: [] for spec in specs}
    probes: dict[str, list[float]] = {spec.path: [] for spec in specs}
    for _ in range(arguments.rounds):
        for spec in specs:
            probes[spec.path].append(probed())
            answers[spec.path].append(decoded(spec.path, n_tokens=arguments.tokens))
            probes[spec.path].append(probed())
    measured = {path: median(speeds) for path, speeds in answers.items()}
    for spec in specs:
        usual = median(probes[spec.path]) * PROBED_SHARE
        probe = {HOST: ReadSpeed(bytes_per_s=usual, spread=PROBED_SPREAD)}
        others = {path: speed for path, speed in measured.items() if path != spec.path}
        learned = {HOST: msgspec.structs.replace(probe[HOST], answers=learned_from(specs, others))}
        sys.stdout.write(
            f"{Path(spec.path).name}: measured {measured[spec.path]:.1f}, "
            f"probe says {words(tokens_per_s(spec, n_gpu_layers=0, gpu='', speeds=probe))}, "
            f"others say {words(tokens_per_s(spec, n_gpu_layers=0, gpu='', speeds=learned))}\n"
        )


def learned_from(specs: list[ModelSpec], measured: dict[str, float]) -> tuple[MeasuredAnswer, ...]:
    """Return what answers of those of ``specs`` that were ``measured`` teach of the processor."""
    found = [
        read_speed(spec, n_gpu_layers=0, measured=measured[spec.path])
        for spec in specs
        if spec.path in measured
    ]
    return tuple(answer for answer in found if answer is not None for _ in range(MAX_REMEMBERED))


def words(speed: SpeedRange | None) -> str:
    return "nothing" if speed is None else speed_text(speed)


def probed() -> float:
    """Return the bytes that a thread reads in a second of its own time."""
    content = np.ones(_PROBE_BYTES // 4, dtype=np.float32)
    begun = time.thread_time()
    content.max()
    return content.nbytes / (time.thread_time() - begun)


def decoded(model: str, *, n_tokens: int) -> float:
    """Return the bare library's tokens in a second of processor time: of a long answer less a short one."""
    return n_tokens / (_processor_s(model, _FEW + n_tokens) - _processor_s(model, _FEW))


def _processor_s(model: str, n_tokens: int) -> float:
    before = os.times()
    with tempfile.TemporaryDirectory() as folder:
        prompt = Path(folder) / "prompt.txt"
        prompt.write_text("Once upon a time there was a lighthouse.", encoding="utf-8")
        script = Path(__file__).with_name("bare_llama.py")
        command = [sys.executable, str(script), model, str(prompt), str(n_tokens), "1"]
        subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    main()
