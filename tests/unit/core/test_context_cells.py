"""The cells that slots share."""

from __future__ import annotations

from fireside.core.context_cells import n_kv_cells
from fireside.core.options import LoadOptions


def test_a_second_slot_adds_no_cells() -> None:
    for n_seq_max in (1, 2, 16):
        assert n_kv_cells(LoadOptions(n_seq_max=n_seq_max), n_ctx=8192) == 8192
        assert n_kv_cells(LoadOptions(n_seq_max=n_seq_max), n_ctx=131_072) == 131_072


def test_short_contexts_have_cells_for_all_slots() -> None:
    assert n_kv_cells(LoadOptions(n_seq_max=1), n_ctx=2048) == 2048
    assert n_kv_cells(LoadOptions(n_seq_max=2), n_ctx=2048) == 4096
    assert n_kv_cells(LoadOptions(n_seq_max=16), n_ctx=2048) == 8192
