"""Measure what a step takes besides llama.cpp's computing: eight streams of a model with a large vocabulary.

The model is made for this, with random weights: small, so that its steps are short and Python's share is
rather too large than too small. Everything runs in one process, as in a runner.

Usage: GOMP_SPINCOUNT=1000 PYTHONPATH=tests python tests/tools/bench/step_share.py [--slots 8]
    [--vocab 262144] [--steps 100]

Prints the median step, and what of it is llama.cpp's computing, choosing tokens, and the rest: planning and
text.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import gguf
import numpy as np

from fireside.core.ids import RequestId
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import TextInput
from fireside.core.task import GenerationTask
from fireside.runner import process
from fireside.runner.connection import CommandQueue
from fireside.runner.decode_loop import DecodeLoop
from fireside.runner.devices import load_backends
from fireside.runner.llama import AbortFlag, Context
from fireside.runner.llama_log import NativeLog
from fireside.runner.load import Loader
from fireside.runner.native import lib
from fireside.runner.sampling.sampler_factory import TokenSampler
from fireside.wire.messages import Generate, Load

_N_EMBD: Final = 512
_N_FF: Final = 2048
_N_HEAD: Final = 4
_WARM_UP: Final = 20


class Watch:
    """Adds up what calls take."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def on(self, owner: Any, name: str) -> None:
        """Count the calls of a method from now on."""
        call: Callable[..., Any] = getattr(owner, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return call(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - started

        setattr(owner, name, counted)


def write_model(path: Path, *, n_vocab: int, n_layers: int) -> Path:
    """Write a Llama of random weights whose vocabulary has so many entries."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(4096)
    writer.add_embedding_length(_N_EMBD)
    writer.add_block_count(n_layers)
    writer.add_feed_forward_length(_N_FF)
    writer.add_head_count(_N_HEAD)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(_N_EMBD // _N_HEAD)
    writer.add_vocab_size(n_vocab)
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [2, 3, 3, *[6] * 256, *[1] * (n_vocab - 259)]
    tokens += [f"▁w{number}" for number in range(n_vocab - 259)]
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores([-float(number) for number in range(n_vocab)])
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    random = np.random.default_rng(7)

    def add(name: str, *shape: int) -> None:
        values = random.standard_normal(shape, np.float32) * np.float32(0.05)
        writer.add_tensor(name, values.astype(np.float16) if len(shape) > 1 else np.abs(values) + 1)

    head_dim = _N_EMBD // _N_HEAD
    add("token_embd.weight", n_vocab, _N_EMBD)
    add("output_norm.weight", _N_EMBD)
    for layer in range(n_layers):
        add(f"blk.{layer}.attn_norm.weight", _N_EMBD)
        add(f"blk.{layer}.attn_q.weight", _N_EMBD, _N_EMBD)
        add(f"blk.{layer}.attn_k.weight", head_dim, _N_EMBD)
        add(f"blk.{layer}.attn_v.weight", head_dim, _N_EMBD)
        add(f"blk.{layer}.attn_output.weight", _N_EMBD, _N_EMBD)
        add(f"blk.{layer}.ffn_norm.weight", _N_EMBD)
        add(f"blk.{layer}.ffn_gate.weight", _N_FF, _N_EMBD)
        add(f"blk.{layer}.ffn_up.weight", _N_FF, _N_EMBD)
        add(f"blk.{layer}.ffn_down.weight", _N_EMBD, _N_FF)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def measure(model: Path, *, n_slots: int, n_steps: int, n_gpu_layers: int, sampling: SamplingParams) -> None:
    """Print one line."""
    abort = AbortFlag()
    commands = CommandQueue(stop_decode=abort.set)
    options = LoadOptions(n_ctx=1024, n_seq_max=n_slots, n_gpu_layers=n_gpu_layers)
    command = Load(path=str(model), name="synthetic", options=options)
    loaded = Loader(log=NativeLog(), abort=abort, on_progress=lambda *_: None).load(command)
    context = loaded.context
    assert isinstance(context, Context)
    served = process._served_model(command, loaded, context=context, template=process._template(loaded.model))
    loop = DecodeLoop(served, commands=commands, clear_abort=abort.clear, send=lambda *_: None)
    computing, waiting, choosing = Watch(), Watch(), Watch()
    computing.on(context, "decode")
    waiting.on(context, "logits")
    sample = TokenSampler.sample
    choosing.on(TokenSampler, "sample")
    for number in range(n_slots):
        task = GenerationTask(prompt=TextInput(text=f"w{number} w7 w9"), sampling=sampling)
        commands.put(Generate(request_id=RequestId(number + 1), task=task))
    steps = []
    for number in range(_WARM_UP + n_steps):
        if number == _WARM_UP:
            computing.seconds = waiting.seconds = choosing.seconds = 0.0
        started = time.perf_counter()
        loop.iterate()
        steps.append(time.perf_counter() - started)
    TokenSampler.sample = sample  # type: ignore[method-assign]
    total = sum(steps[_WARM_UP:])
    assert loop.is_idle is False, "the streams have ended"
    median_ms = statistics.median(steps[_WARM_UP:]) * 1000
    in_llama, choosing_s = computing.seconds + waiting.seconds, choosing.seconds - waiting.seconds
    rest = total - in_llama - choosing_s
    sys.stdout.write(
        f"temperature {sampling.temperature}: {median_ms:.1f} ms a step, of which computing "
        f"{in_llama / total:.1%}, choosing tokens {choosing_s / total:.1%} "
        f"({1e3 * choosing_s / n_steps:.2f} ms), the rest {rest / total:.1%} "
        f"({1e3 * rest / n_steps:.2f} ms)\n"
    )


def main() -> None:
    """Write the model and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slots", type=int, default=8)
    parser.add_argument("--vocab", type=int, default=262_144)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--gpu-layers", type=int, default=0)
    arguments = parser.parse_args()
    lib.llama_backend_init()
    load_backends()
    with tempfile.TemporaryDirectory() as folder:
        model = write_model(Path(folder) / "m.gguf", n_vocab=arguments.vocab, n_layers=arguments.layers)
        for sampling in (
            SamplingParams(temperature=0.0, ignore_eos=True, guard_repetition=False),
            SamplingParams(ignore_eos=True, guard_repetition=True),
        ):
            measure(
                model,
                n_slots=arguments.slots,
                n_steps=arguments.steps,
                n_gpu_layers=arguments.gpu_layers,
                sampling=sampling,
            )


if __name__ == "__main__":
    main()
