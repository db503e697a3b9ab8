"""Registry entries of the user that offer Fireside for ``.gguf`` files."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from dataclasses import dataclass

from provision.layout import Layout

PROGRAM_ID = "Fireside.gguf"
_CLASSES = r"Software\Classes"
_PROGRAM = rf"{_CLASSES}\{PROGRAM_ID}"
_ENDING = rf"{_CLASSES}\.gguf"
_OFFERED = rf"{_ENDING}\OpenWithProgids"
_ASSOCIATIONS_CHANGED = 0x08000000


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A text value in the registry, below ``HKEY_CURRENT_USER``; an empty name is the default value."""

    key: str
    name: str
    text: str


def entries(layout: Layout) -> tuple[Entry, ...]:
    """Return the entries of a checkout."""
    # pythonw opens no console; %1 is quoted, since a path may have spaces.
    python = layout.scripts / "pythonw.exe"
    command = subprocess.list2cmdline([str(python), "-P", "-m", "fireside"]) + ' "%1"'
    return (
        Entry(key=_PROGRAM, name="", text="Language model"),
        Entry(key=_PROGRAM, name="FriendlyTypeName", text="Language model"),
        Entry(key=rf"{_PROGRAM}\Application", name="ApplicationName", text="Fireside"),
        Entry(key=rf"{_PROGRAM}\shell\open\command", name="", text=command),
        # Offered in addition to others: the user chooses the program that opens the files.
        Entry(key=_OFFERED, name=PROGRAM_ID, text=""),
    )


if sys.platform == "win32":
    import winreg

    def write(new: tuple[Entry, ...]) -> tuple[str, ...]:
        """Write entries and notify the Explorer."""
        for entry in new:
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, entry.key) as key:
                winreg.SetValueEx(key, entry.name, 0, winreg.REG_SZ, entry.text)
        _notify_explorer()
        return (rf"HKEY_CURRENT_USER\{_PROGRAM}", rf"HKEY_CURRENT_USER\{_OFFERED}")

    def remove() -> tuple[str, ...]:
        """Remove the entries of ``write``."""
        removed = []
        for key in (rf"{_PROGRAM}\shell\open\command", rf"{_PROGRAM}\shell\open", rf"{_PROGRAM}\shell",
                    rf"{_PROGRAM}\Application", _PROGRAM):  # fmt: skip
            try:
                winreg.DeleteKey(winreg.HKEY_CURRENT_USER, key)
            except FileNotFoundError:
                continue
            removed.append(rf"HKEY_CURRENT_USER\{key}")
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _OFFERED, 0, winreg.KEY_SET_VALUE) as offered:
                winreg.DeleteValue(offered, PROGRAM_ID)
        except FileNotFoundError:
            pass
        _notify_explorer()
        return tuple(removed)

    def _notify_explorer() -> None:
        ctypes.windll.shell32.SHChangeNotify(_ASSOCIATIONS_CHANGED, 0, None, None)
