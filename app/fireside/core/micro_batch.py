"""The micro-batch size (llama.cpp's ``n_ubatch``) and the number of outputs of a load."""

from __future__ import annotations

from typing import Final

from fireside.core.options import LoadOptions

_ON_CPU: Final = 256
_WITH_GPU: Final = 512
_MIN_OUTPUTS: Final = 16
"""An existing answer is scored in batches of at least this many tokens."""


def effective_micro_batch(options: LoadOptions) -> int:
    """Return the requested size, or one that suits the device of the layers; at most the batch size.

    The compute buffer grows with it: 32 MiB for Gemma 3 270M and 46 MiB for SmolLM2 135M with 512 tokens and
    8 slots of 2,048, half of that with 256. On a CPU, prompts are processed no slower with 256.
    """
    default = _ON_CPU if options.n_gpu_layers == 0 else _WITH_GPU
    return min(options.n_ubatch or max(default, options.n_seq_max), options.n_batch)


def max_outputs(*, n_seq_max: int, n_draft: int, n_batch: int) -> int:
    """Return the maximum number of tokens with logits per step; each takes a float per vocabulary entry.

    ``n_draft`` is the number of speculated tokens; 0 without speculation.
    """
    return min(max(n_seq_max * (1 + n_draft), _MIN_OUTPUTS), n_batch)
