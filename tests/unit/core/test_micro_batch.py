"""How many tokens are computed at once where nothing says so."""

from __future__ import annotations

import pytest

from fireside.core.micro_batch import effective_micro_batch
from fireside.core.options import GPU_LAYERS_ALL, LoadOptions


def test_a_cpu_has_smaller_micro_batches() -> None:
    assert effective_micro_batch(LoadOptions(n_gpu_layers=0)) == 256


@pytest.mark.parametrize("n_gpu_layers", [1, 99, GPU_LAYERS_ALL])
def test_a_gpu_has_larger_micro_batches(n_gpu_layers: int) -> None:
    assert effective_micro_batch(LoadOptions(n_gpu_layers=n_gpu_layers)) == 512


def test_what_a_user_decided_stays() -> None:
    assert effective_micro_batch(LoadOptions(n_gpu_layers=0, n_ubatch=512)) == 512


def test_it_is_never_more_than_a_batch() -> None:
    assert effective_micro_batch(LoadOptions(n_gpu_layers=0, n_batch=64)) == 64


def test_every_sequence_has_room_for_a_token() -> None:
    assert effective_micro_batch(LoadOptions(n_gpu_layers=0, n_seq_max=300)) == 300
