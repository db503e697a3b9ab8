"""A block closes what it was given, however it ends."""

from __future__ import annotations

import pytest

from fireside.core.closeable import Closeable


class Door(Closeable):
    def __init__(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.is_open = False


def test_a_with_block_yields_and_closes_the_object() -> None:
    created = Door()
    with created as door:
        assert door is created
        assert door.is_open
    assert not created.is_open


def test_an_error_in_the_block_closes_it_and_propagates() -> None:
    door = Door()
    with pytest.raises(RuntimeError, match="out"), door:
        raise RuntimeError("out")
    assert not door.is_open
