"""Any sequence of operations agrees with a simple model in memory, before and after reopening."""

from __future__ import annotations

import asyncio
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from fakes.random_store_operations import Player
from fakes.stores import dump_file, quick_folder
from fireside.storage.database import Value
from fireside.storage.rows import read_message, read_summary


async def play(path: Path, *, seed: int, n_steps: int) -> None:
    player = Player(path, seed=seed)
    await player.open()
    try:
        for _ in range(n_steps):
            await player.step()
        await player.compare()
        await player.reopen()
        await player.compare()
    finally:
        await player.store.close()
    dump_file(path)


@given(seed=st.integers(0, 2**32), n_steps=st.integers(1, 60))
def test_the_store_and_a_plain_model_agree_after_any_operations(seed: int, n_steps: int) -> None:
    with quick_folder() as folder:
        asyncio.run(play(folder / "chats.db", seed=seed, n_steps=n_steps))


VALUE = st.none() | st.integers() | st.floats() | st.text() | st.binary()


@given(values=st.tuples(*[VALUE] * 9))
def test_a_line_of_the_list_can_be_read_whatever_its_columns_hold(values: tuple[Value, ...]) -> None:
    assert read_summary((7, *values)).id == 7


@given(values=st.tuples(*[VALUE] * 8))
def test_a_message_can_be_read_whatever_its_columns_hold(values: tuple[Value, ...]) -> None:
    assert read_message((7, *values)).id == 7
