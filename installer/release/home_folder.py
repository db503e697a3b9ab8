"""Install Fireside into a home folder and take it out again, without root.

The tree's own Python runs this file, as `install.sh` and `uninstall.sh` start it; it needs nothing else.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from provision.association import data_home, linux

_ROOT = Path(__file__).resolve().parents[2]
"""What stands for the checkout: it holds the desktop entry, the media type and the icon."""


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where the parts go. ``data`` is where desktops look for entries, media types and icons."""

    program: Path
    command: Path
    data: Path


def places(home: Path, *, data: Path) -> Places:
    """Return the usual places in ``home``."""
    return Places(
        program=home / ".local" / "opt" / "fireside", command=home / ".local" / "bin" / "fireside", data=data
    )


def install(tree: Path, *, to: Places, root: Path = _ROOT) -> None:
    """Copy ``tree`` to its place, in one step where an older one is, and tell the desktop of it.

    Raises OSError, and subprocess.CalledProcessError if the copy does not start; the older one is then kept.
    """
    new, old = to.program.with_name("fireside.new"), to.program.with_name("fireside.old")
    for path in (new, old):
        shutil.rmtree(path, ignore_errors=True)
    new.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(tree, new, symlinks=True)
    subprocess.run([new / "bin" / "fireside", "--version"], check=True, capture_output=True)
    if to.program.exists():
        to.program.rename(old)
    new.rename(to.program)
    shutil.rmtree(old, ignore_errors=True)
    to.command.parent.mkdir(parents=True, exist_ok=True)
    if to.command.is_symlink() or not to.command.exists():
        to.command.unlink(missing_ok=True)
        to.command.symlink_to(to.program / "bin" / "fireside")
    linux.write(root=root, program=to.program / "bin" / "fireside", data_home=to.data)


def uninstall(of: Places) -> None:
    """Remove what ``install`` wrote. Chats, models and settings stay. Raises OSError."""
    linux.remove(data_home=of.data)
    if of.command.is_symlink() and of.command.readlink() == of.program / "bin" / "fireside":
        of.command.unlink()
    shutil.rmtree(of.program)


def main(words: list[str]) -> int:
    """Do what ``install TREE`` or ``uninstall`` says; return the exit status."""
    there = places(Path.home(), data=data_home())
    try:
        if words == ["uninstall"]:
            uninstall(there)
            told = "Fireside was removed. Your chats, models and settings are still there.\n"
        else:
            install(Path(words[1]), to=there)
            told = _installed_words(there)
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"Fireside does not start here: {error.stderr.decode(errors='replace').strip()}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"This did not work: {error}\n")
        return 1
    sys.stdout.write(told)
    return 0


def _installed_words(there: Places) -> str:
    is_found = str(there.command.parent) in os.environ.get("PATH", "").split(os.pathsep)
    typed = "" if is_found else f"To type just “fireside”, add {there.command.parent} to your PATH.\n"
    return (
        f"Fireside is in {there.program}. Start it from your desktop’s programs, or as {there.command}.\n"
        f"{typed}To remove it: sh {shlex.quote(str(there.program / 'uninstall.sh'))}\n"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
