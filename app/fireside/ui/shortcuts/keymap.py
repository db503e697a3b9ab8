"""The keymap: the shortcuts of each command, as declared in ``COMMANDS`` or changed by the user.

Shortcuts are stored in Qt's portable format (``Ctrl+Shift+N``): a line ``command=keys`` for each shortcut of
a changed command, ``command=`` for one without any.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from fireside.core.i18n import tr, tr_noop
from fireside.ui.commands import COMMANDS, CommandId, CommandSpec

_PORTABLE: Final = QKeySequence.SequenceFormat.PortableText
_NATIVE: Final = QKeySequence.SequenceFormat.NativeText
_FUNCTION_KEY: Final = re.compile(r"(Shift\+)?F\d{1,2}")
_MODIFIER_KEYS: Final = frozenset(
    {
        Qt.Key.Key_Shift,
        Qt.Key.Key_Control,
        Qt.Key.Key_Alt,
        Qt.Key.Key_AltGr,
        Qt.Key.Key_Meta,
        Qt.Key.Key_Super_L,
        Qt.Key.Key_Super_R,
        Qt.Key.Key_CapsLock,
        Qt.Key.Key_NumLock,
        Qt.Key.Key_unknown,
    }
)
_FOR_TEXT: Final = (
    QKeySequence.StandardKey.Copy,
    QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.SelectAll,
)
NEEDS_CHORD: Final = tr_noop("Use Ctrl, Alt or a function key.")
NEEDED_FOR_TEXT: Final = tr_noop("Reserved for text fields.")
_COMMANDS: Final = {spec.command.value: spec.command for spec in COMMANDS}


class Keymap(msgspec.Struct, frozen=True, kw_only=True):
    """The user's changes to the declared shortcuts."""

    changed: dict[CommandId, tuple[str, ...]] = {}

    def keys(self, spec: CommandSpec) -> tuple[str, ...]:
        """Return the shortcuts of a command, the displayed one first, without those assigned to others."""
        taken = [key for keys in self.changed.values() for key in keys]
        return self.changed.get(spec.command, tuple(key for key in spec.keys if key not in taken))

    def command_with(self, keys: str, *, exclude: CommandId) -> CommandSpec | None:
        """Return the command that has ``keys``, other than ``exclude``; ``None`` if there is none."""
        return next(
            (spec for spec in COMMANDS if spec.command is not exclude and keys in self.keys(spec)), None
        )

    def with_keys(self, command: CommandId, keys: Sequence[str]) -> Keymap:
        """Return a keymap in which ``command`` has ``keys`` and no other command has any of them."""
        changed = dict(self.changed)
        for spec in COMMANDS:
            remaining = tuple(key for key in self.keys(spec) if key not in keys)
            if spec.command is not command and remaining != self.keys(spec):
                changed[spec.command] = remaining
        changed[command] = tuple(keys)
        return Keymap(changed=_without_unchanged(changed))

    def reset(self, command: CommandId) -> Keymap:
        """Return a keymap in which ``command`` has its declared shortcuts and no other command has them."""
        return self.with_keys(command, _spec(command).keys)

    def lines(self) -> tuple[str, ...]:
        """Return the changes as stored in the setting."""
        return tuple(
            f"{command}={key}" for command, keys in sorted(self.changed.items()) for key in keys or ("",)
        )


def read_keymap(lines: Sequence[str]) -> Keymap:
    """Parse stored ``lines``; skip what is invalid, so that the declared shortcuts apply."""
    changed: dict[CommandId, tuple[str, ...]] = {}
    for line in lines:
        name, _, text = line.partition("=")
        keys = normalize(text)
        command = _COMMANDS.get(name)
        if command is not None and (keys or not text.strip()):
            earlier = changed.get(command, ())
            changed[command] = (*earlier, keys) if keys and keys not in earlier else earlier
    return Keymap(changed=_without_unchanged(changed))


def normalize(text: str) -> str:
    """Return a shortcut in the stored format; empty if it is not exactly one chord."""
    sequence = QKeySequence.fromString(text.strip(), _PORTABLE)
    return sequence.toString(_PORTABLE) if sequence.count() == 1 else ""


def from_key_event(keys: QKeyCombination) -> str:
    """Return the pressed keys in the stored format; empty while only modifier keys are pressed."""
    if keys.key() in _MODIFIER_KEYS:
        return ""
    modifiers = keys.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(QKeyCombination(modifiers, keys.key())).toString(_PORTABLE)


def rejection_message(keys: str) -> str:
    """Return why ``keys`` cannot be a command's shortcut; empty if they can."""
    has_chord = any(f"{name}+" in keys for name in ("Ctrl", "Alt", "Meta"))
    if not has_chord and not _FUNCTION_KEY.fullmatch(keys):
        return tr(NEEDS_CHORD)
    sequence = QKeySequence.fromString(keys, _PORTABLE)
    if any(sequence in QKeySequence.keyBindings(standard) for standard in _FOR_TEXT):
        return tr(NEEDED_FOR_TEXT)
    return ""


def native_text(keys: Sequence[str]) -> str:
    """Return shortcuts in the system's notation: ``Ctrl+N``, ``⌘N``."""
    return tr(" or ").join(QKeySequence.fromString(key, _PORTABLE).toString(_NATIVE) for key in keys)


def _without_unchanged(changed: dict[CommandId, tuple[str, ...]]) -> dict[CommandId, tuple[str, ...]]:
    return {command: keys for command, keys in changed.items() if keys != _spec(command).keys}


def _spec(command: CommandId) -> CommandSpec:
    return next(spec for spec in COMMANDS if spec.command is command)
