"""Compare how fast models are said to write with how fast they do.

Each model is predicted from a probe of the memory and from answers of the others, and measured bare, with as
many threads as the program takes. The memory is probed before and after each answer: on a busy computer both
change from one minute to the next.

Usage: PYTHONPATH=app:tests python tests/bench/predicted_speed.py MODEL.gguf... [--tokens 128] [--threads N]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from fireside.core.fit import SpeedRange, speed_words
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.engine.host_info import probe_host
from fireside.engine.planning.speed_estimate import HOST, ReadSpeed, read_speed, tokens_per_s
from fireside.gguf import model_spec, read_header
from fireside.services.machine.read_speeds import LEAST_SPREAD, PROBED_SHARE, PROBED_SPREAD, memory_speed


def main() -> None:
    """Measure all, then print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--threads", type=int, default=probe_host().n_cores)
    arguments = parser.parse_args()
    specs = [model_spec(read_header(path), path=path, id=ModelId(path)) for path in arguments.models]
    measured: dict[str, float] = {}
    probed: dict[str, dict[str, ReadSpeed]] = {}
    for spec in specs:
        before = memory_speed()
        measured[spec.path] = decoded(spec.path, n_tokens=arguments.tokens, n_threads=arguments.threads)
        usual = (before + memory_speed()) / 2 * PROBED_SHARE
        probed[spec.path] = {HOST: ReadSpeed(bytes_per_s=usual, spread=PROBED_SPREAD)}
    for spec in specs:
        others = {path: speed for path, speed in measured.items() if path != spec.path}
        learned = learned_from([other for other in specs if other.path in others], others)
        sys.stdout.write(
            f"{Path(spec.path).name}: measured {measured[spec.path]:.1f}, "
            f"probe says {words(tokens_per_s(spec, n_gpu_layers=0, gpu='', speeds=probed[spec.path]))}, "
            f"others say {words(tokens_per_s(spec, n_gpu_layers=0, gpu='', speeds=learned))}\n"
        )


def learned_from(specs: list[ModelSpec], measured: dict[str, float]) -> dict[str, ReadSpeed]:
    """Return what answers of ``specs`` teach of the processor."""
    found = [read_speed(spec, n_gpu_layers=0, measured=measured[spec.path]) for spec in specs]
    known = sorted(speed for speed in found if speed is not None)
    return {HOST: ReadSpeed(bytes_per_s=known[len(known) // 2], spread=LEAST_SPREAD)} if known else {}


def words(speed: SpeedRange | None) -> str:
    return "nothing" if speed is None else speed_words(speed)


def decoded(model: str, *, n_tokens: int, n_threads: int) -> float:
    """Return tokens a second of the bare library, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        prompt = Path(folder) / "prompt.txt"
        prompt.write_text("Once upon a time there was a lighthouse.", encoding="utf-8")
        script = Path(__file__).with_name("bare_llama.py")
        ended = subprocess.run(
            [sys.executable, str(script), model, str(prompt), str(n_tokens), str(n_threads)],
            check=True,
            capture_output=True,
            text=True,
        )
    return float(json.loads(ended.stdout.splitlines()[-1])["decode_tokens_per_s"])


if __name__ == "__main__":
    main()
