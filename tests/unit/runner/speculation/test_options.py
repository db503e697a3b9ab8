"""Limits of the draft length, and the outputs that drafts need."""

from __future__ import annotations

import pytest

from fireside.core.errors import InvalidParameter
from fireside.core.options import LoadOptions, Speculation
from fireside.runner.parameter_checks import context_params


@pytest.mark.parametrize("n_draft", [-1, 0, 65, 2**40])
def test_draft_length_out_of_range_is_refused(n_draft: int) -> None:
    with pytest.raises(InvalidParameter) as caught:
        context_params(LoadOptions(n_draft=n_draft), n_ctx_train=0)
    assert caught.value.name == "n_draft"


@pytest.mark.parametrize(("speculation", "n_draft"), [(Speculation.OFF, 0), (Speculation.PROMPT_LOOKUP, 8)])
def test_draft_outputs_are_reserved_only_with_speculation(speculation: Speculation, n_draft: int) -> None:
    assert context_params(LoadOptions(speculation=speculation), n_ctx_train=0).n_draft == n_draft


@pytest.mark.parametrize(("n_draft", "fits"), [(30, True), (31, False)])
def test_draft_fits_a_micro_batch(n_draft: int, fits: bool) -> None:
    options = LoadOptions(n_ubatch=32, n_draft=n_draft, speculation=Speculation.PROMPT_LOOKUP)
    if fits:
        assert context_params(options, n_ctx_train=0).n_draft == n_draft
        return
    with pytest.raises(InvalidParameter) as caught:
        context_params(options, n_ctx_train=0)
    assert caught.value.name == "n_draft"
