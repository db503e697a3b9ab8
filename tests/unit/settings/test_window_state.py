"""The window's state comes back, and whatever is wrong with it costs nothing."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.ids import ConversationId
from fireside.settings.window_state import WindowState, load_state, save_state


def test_a_state_comes_back(tmp_path: Path) -> None:
    state = WindowState(geometry=bytes(range(256)), sidebar_width=280, last_conversation=ConversationId(7))
    save_state(tmp_path / "state.json", state)
    assert load_state(tmp_path / "state.json") == state


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 9,
        b"[]",
        b'{"geometry": "%%"}',
        b'{"sidebar_width": -1}',
        b'{"last_conversation": "x"}',
        b'{"unknown": ' + b"[" * 100_000,
    ],
)
def test_a_damaged_state_is_the_default(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "state.json").write_bytes(content)
    assert load_state(tmp_path / "state.json") == WindowState()


def test_a_missing_state_is_the_default(tmp_path: Path) -> None:
    assert load_state(tmp_path / "none" / "state.json") == WindowState()


def test_a_newer_state_is_read_for_what_is_known(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_bytes(b'{"sidebar_width": 300, "zoom": 2}')
    assert load_state(tmp_path / "state.json") == WindowState(sidebar_width=300)


def test_a_full_disk_does_not_stop_the_close(tmp_path: Path) -> None:
    def full_disk(path: Path, content: bytes, /) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    save_state(tmp_path / "state.json", WindowState(sidebar_width=1), write=full_disk)
    assert not (tmp_path / "state.json").exists()


@given(geometry=st.binary(max_size=300), width=st.none() | st.integers(0, 10_000))
def test_any_state_comes_back(
    tmp_path_factory: pytest.TempPathFactory, geometry: bytes, width: int | None
) -> None:
    path = tmp_path_factory.mktemp("state") / "state.json"
    state = WindowState(geometry=geometry, sidebar_width=width)
    save_state(path, state, write=lambda path, content, /: path.write_bytes(content) and None)
    assert load_state(path) == state
