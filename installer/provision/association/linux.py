"""A desktop entry, a media type and an icon, by the specifications of freedesktop.org."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

_FILES = {
    "applications/fireside.desktop": "installer/association/fireside.desktop",
    "mime/packages/fireside-gguf.xml": "installer/association/fireside-gguf.xml",
    "icons/hicolor/scalable/apps/fireside.svg": "resources/icons/fireside.svg",
}
_TOOLS = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
_NEEDS_BACKSLASH = re.compile(r'(["`$\\])')


def write(*, root: Path, program: Path, data_home: Path) -> tuple[str, ...]:
    """Write the files of the checkout ``root``, which start ``program``, to ``data_home``, and refresh
    caches."""
    written = []
    for target, source in _FILES.items():
        text = (root / source).read_text(encoding="utf-8")
        if target.endswith(".desktop"):
            text = _filled_in(text, program=program)
        path = data_home / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(str(path))
    _refresh(data_home)
    return tuple(written)


def remove(*, data_home: Path) -> tuple[str, ...]:
    """Remove the files and refresh the caches."""
    existing = [data_home / target for target in _FILES if (data_home / target).exists()]
    for path in existing:
        path.unlink()
    if existing:
        _refresh(data_home)
    return tuple(map(str, existing))


def _filled_in(text: str, *, program: Path) -> str:
    # Quoted as an argument, then escaped as a text of the file; % starts a field code.
    quoted = _NEEDS_BACKSLASH.sub(r"\\\1", str(program)).replace("%", "%%")
    command = f'"{quoted}"'.replace("\\", "\\\\")
    return text.replace("@COMMAND@", command).replace("@PROGRAM@", str(program).replace("\\", "\\\\"))


def _refresh(data_home: Path) -> None:
    """Update the caches of the desktop, if it has the tools for that."""
    for tool, folder in _TOOLS:
        command = shutil.which(tool)
        if command is not None and (data_home / folder).is_dir():
            subprocess.run([command, data_home / folder], capture_output=True, check=False)
