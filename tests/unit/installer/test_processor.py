"""Telling processors apart."""

from __future__ import annotations

from provision.processor import linux_identity, processor_identity

ZEN = """\
processor\t: 0
model name\t: AMD EPYC 9R14
cpu MHz\t\t: 2600.000
flags\t\t: fpu avx2 avx512f

processor\t: 1
model name\t: AMD EPYC 9R14
cpu MHz\t\t: 3700.000
flags\t\t: fpu avx2 avx512f
"""


def test_a_processor_without_an_instruction_set_is_another_one() -> None:
    assert linux_identity(ZEN) != linux_identity(ZEN.replace(" avx512f", ""))


def test_a_processor_at_another_speed_is_the_same_one() -> None:
    assert linux_identity(ZEN) == linux_identity(ZEN.replace("2600", "1200"))


def test_this_processor_has_a_lasting_identity() -> None:
    assert processor_identity() == processor_identity() != ""
