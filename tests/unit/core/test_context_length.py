"""A context is longer than was trained only where positions are scaled for it."""

from __future__ import annotations

from fireside.core.context_length import context_stretch, effective_n_ctx
from fireside.core.options import LoadOptions, RopeScaling

LONG = LoadOptions(n_ctx=131_072)
SCALED = LoadOptions(n_ctx=131_072, rope_scaling=RopeScaling.YARN)


def test_without_scaling_the_context_is_limited_to_the_trained_length() -> None:
    assert (effective_n_ctx(LONG, n_ctx_train=40_960), context_stretch(LONG, n_ctx_train=40_960)) == (
        40_960,
        1.0,
    )
    assert effective_n_ctx(LoadOptions(n_ctx=512), n_ctx_train=40_960) == 512


def test_with_scaling_the_context_is_as_requested() -> None:
    assert (effective_n_ctx(SCALED, n_ctx_train=40_960), context_stretch(SCALED, n_ctx_train=40_960)) == (
        131_072,
        3.2,
    )
    assert context_stretch(LoadOptions(n_ctx=512, rope_scaling=RopeScaling.YARN), n_ctx_train=40_960) == 1.0


def test_without_a_trained_length_the_context_is_as_requested() -> None:
    assert (effective_n_ctx(LONG, n_ctx_train=0), context_stretch(SCALED, n_ctx_train=0)) == (131_072, 1.0)
