"""Shortcuts are assigned, reset and stored; invalid ones change nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QKeyCombination, Qt

from fireside.ui.commands import COMMANDS, Command, CommandId
from fireside.ui.shortcuts.keymap import (
    NEEDED_FOR_TEXT,
    NEEDS_CHORD,
    Keymap,
    from_key_event,
    read_keymap,
    rejection_message,
)

# Keys are read and written by the platform's plugin, which the application brings.
pytestmark = pytest.mark.usefixtures("qapp")
USUAL = {spec.command: spec.keys for spec in COMMANDS}


def keys_of(keymap: Keymap) -> dict[CommandId, tuple[str, ...]]:
    return {spec.command: keymap.keys(spec) for spec in COMMANDS}


def test_without_changes_the_declared_keys_hold() -> None:
    assert keys_of(Keymap()) == USUAL


def test_assigning_keys_does_not_change_other_commands() -> None:
    keymap = keys_of(Keymap().with_keys(Command.NEW_CHAT, ("Ctrl+Alt+Y",)))
    assert keymap == {**USUAL, Command.NEW_CHAT: ("Ctrl+Alt+Y",)}


def test_the_previous_command_loses_its_keys() -> None:
    keymap = Keymap().with_keys(Command.ABOUT, ("Ctrl+N",))
    assert (keys_of(keymap)[Command.NEW_CHAT], keys_of(keymap)[Command.ABOUT]) == ((), ("Ctrl+N",))


def test_one_of_two_keys_can_be_lost() -> None:
    keymap = Keymap().with_keys(Command.ABOUT, ("Alt+Up",))
    assert keys_of(keymap)[Command.PREVIOUS_CHAT] == ("Ctrl+PgUp",)


def test_resetting_takes_the_declared_keys_from_other_commands() -> None:
    keymap = Keymap().with_keys(Command.ABOUT, ("Ctrl+N",)).reset(Command.NEW_CHAT)
    assert keys_of(keymap) == USUAL
    assert keymap == Keymap()


def test_the_holder_of_keys_is_known() -> None:
    holder = Keymap().command_with("Ctrl+N", exclude=Command.ABOUT)
    assert holder is not None
    assert holder.command is Command.NEW_CHAT
    assert Keymap().command_with("Ctrl+N", exclude=Command.NEW_CHAT) is None


@pytest.mark.parametrize(
    "line", ["", "=", "no_such=Ctrl+N", "new_chat=nonsense+q", "new_chat=Ctrl+N, Ctrl+M", "new_chat=Ctrl+N"]
)
def test_an_invalid_line_leaves_the_declared_keys(line: str) -> None:
    assert read_keymap([line]) == Keymap()


def test_a_command_without_keys_is_stored() -> None:
    kept = Keymap().with_keys(Command.QUIT, ()).lines()
    assert kept == ("quit=",)
    assert keys_of(read_keymap(kept))[Command.QUIT] == ()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(Command),
            st.lists(st.sampled_from(["Ctrl+N", "Ctrl+,", "F7", "Ctrl+Shift++", "Alt+Up"]), max_size=2),
        ),
        max_size=6,
    )
)
def test_a_keymap_round_trips_and_no_two_commands_share_keys(
    changes: list[tuple[Command, list[str]]],
) -> None:
    keymap = Keymap()
    for command, keys in changes:
        keymap = keymap.with_keys(command, tuple(dict.fromkeys(keys)))
    assert read_keymap(keymap.lines()) == keymap
    held = [key for keys in keys_of(keymap).values() for key in keys]
    assert len(held) == len(set(held))


@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_lines_can_be_read(lines: list[str]) -> None:
    assert read_keymap(lines).changed.keys() <= set(USUAL)


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ("N", NEEDS_CHORD),
        ("Shift+N", NEEDS_CHORD),
        ("Return", NEEDS_CHORD),
        ("Tab", NEEDS_CHORD),
        ("Ctrl+C", NEEDED_FOR_TEXT),
        ("Ctrl+A", NEEDED_FOR_TEXT),
        ("Ctrl+Shift+N", ""),
        ("Alt+1", ""),
        ("F5", ""),
        ("Shift+F12", ""),
    ],
)
def test_keys_that_are_needed_for_writing_are_refused(keys: str, reason: str) -> None:
    assert rejection_message(keys) == reason


def test_ctrl_alone_is_not_yet_a_press() -> None:
    control = Qt.KeyboardModifier.ControlModifier
    assert from_key_event(QKeyCombination(control, Qt.Key.Key_Control)) == ""
    keypad = control | Qt.KeyboardModifier.KeypadModifier
    assert from_key_event(QKeyCombination(keypad, Qt.Key.Key_5)) == "Ctrl+5"
