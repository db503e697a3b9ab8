"""Descriptions of quantizations."""

from __future__ import annotations

import pytest

from fireside.core.quants import bits_of, quant_description
from fireside.gguf.format_constants import FILE_TYPES


@pytest.mark.parametrize(
    ("label", "bits"),
    [
        ("Q4_K_M", 4),
        ("UD-Q4_K_XL", 4),
        ("IQ2_XXS", 2),
        ("TQ1_0", 1),
        ("Q8_0", 8),
        ("F16", 16),
        ("FP16", 16),
        ("BF16", 16),
        ("F32", 32),
        ("MXFP4", 4),
        ("MXFP4_MOE", 4),
        ("q5_k_s", 5),
    ],
)
def test_the_bits_of_a_label_are_known(label: str, bits: int) -> None:
    assert bits_of(label) == bits


@pytest.mark.parametrize("label", ["", "model", "Q", "Q7", "Q99_K", "Q" + "4" * 5000, "smol-Q4_K_M"])
def test_an_unknown_label_has_no_description(label: str) -> None:
    assert bits_of(label) is None
    assert quant_description(label) == ""


def test_every_quantization_of_llama_cpp_has_a_description() -> None:
    assert all(quant_description(label) for label in FILE_TYPES.values())


def test_the_usual_quant_is_a_good_balance() -> None:
    assert quant_description("Q4_K_M") == "4-bit, good balance"
