"""Micro-batch size (llama.cpp's ``n_ubatch``) and output count of a load."""

from __future__ import annotations

from typing import Final

from fireside.core.options import LoadOptions

_ON_PROCESSOR: Final = 256
_BESIDE_GPU: Final = 512
_LEAST_OUTPUTS: Final = 16
"""A given answer is scored in portions of so many tokens, not singly."""


def effective_micro_batch(options: LoadOptions) -> int:
    """Return what is asked, else what suits where the layers are; never more than a batch.

    What computing takes in memory grows with it: 32 MiB for Gemma 3 270M and 46 MiB for SmolLM2 135M with 512
    tokens of 8 slots of 2,048, half of that with 256. A processor reads prompts no slower with 256.
    """
    suits = _ON_PROCESSOR if options.n_gpu_layers == 0 else _BESIDE_GPU
    return min(options.n_ubatch or max(suits, options.n_seq_max), options.n_batch)


def max_outputs(*, n_seq_max: int, n_draft: int, n_batch: int) -> int:
    """Return for how many tokens of a step there can be logits, each of which takes a vocabulary of floats.

    ``n_draft`` is how many tokens are guessed ahead; 0 where none are.
    """
    return min(max(n_seq_max * (1 + n_draft), _LEAST_OUTPUTS), n_batch)
