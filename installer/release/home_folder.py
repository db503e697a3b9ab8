"""Install Fireside into a home folder and take it out again, without root.

The tree's own Python runs this file, as `install.sh` and `uninstall.sh` start it; it needs nothing else.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from provision.association import data_home, linux

_UNINSTALL = """\
#!/bin/sh
# Remove Fireside from the home folder of the user who runs this. Chats, models and settings stay.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P) || exit
read -r version < "$here/current"
exec sh "$here/versions/$version/uninstall.sh"
"""
_STUB = "installer/release/stub.sh"
_ROOT = Path(__file__).resolve().parents[2]
"""What stands for the checkout: it holds the desktop entry, the media type and the icon."""


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where the parts go. ``data`` is where desktops look for entries, media types and icons."""

    program: Path
    """Holds the versions beside each other, see ``app/fireside/updates/version_folders.py``."""
    command: Path
    data: Path

    @property
    def stub(self) -> Path:
        """What starts the version that is in use."""
        return self.program / "fireside"


def places(home: Path, *, data: Path) -> Places:
    """Return the usual places in ``home``."""
    return Places(
        program=home / ".local" / "opt" / "fireside", command=home / ".local" / "bin" / "fireside", data=data
    )


def install(tree: Path, *, to: Places, root: Path = _ROOT) -> None:
    """Copy ``tree`` beside the versions that are there, have it be the one that starts, and tell the desktop.

    Raises OSError, and subprocess.CalledProcessError if the copy does not start; the older one is then kept.
    """
    part = to.program / "versions" / ".installing.part"
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(tree, part, symlinks=True)
    said = subprocess.run([part / "bin" / "fireside", "--version"], check=True, capture_output=True)
    version = said.stdout.decode().split()[-1]
    _put_in_place(part, version, program=to.program)
    shutil.copyfile(root / _STUB, to.stub)
    to.stub.chmod(0o755)
    (to.program / "uninstall.sh").write_text(_UNINSTALL, encoding="utf-8")
    to.command.parent.mkdir(parents=True, exist_ok=True)
    if to.command.is_symlink() or not to.command.exists():
        to.command.unlink(missing_ok=True)
        to.command.symlink_to(to.stub)
    linux.write(root=root, program=to.stub, data_home=to.data)


def _put_in_place(part: Path, version: str, *, program: Path) -> None:
    """Have the tree ``part`` be ``version`` and the one that starts; the one before stays to go back to."""
    current, target = program / "current", part.with_name(version)
    lines = current.read_text("utf-8").splitlines() if current.exists() else []
    before = next((line for line in lines if line not in ("", version)), "")
    old = part.with_name(f".{version}.old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    part.rename(target)
    new = program / "current.new"
    new.write_text(f"{version}\n{before}\n", encoding="utf-8")
    new.replace(current)
    (program / "unproven").unlink(missing_ok=True)
    for folder in part.parent.iterdir():
        if folder.name not in (version, before):
            shutil.rmtree(folder, ignore_errors=True)


def is_running(of: Places) -> bool:
    """Tell whether a program of any version runs, but for this one: it would go on without its files."""
    versions = of.program.resolve() / "versions"
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is another user's
            if process.name != str(os.getpid()) and (process / "exe").readlink().is_relative_to(versions):
                return True
    return False


def uninstall(of: Places) -> None:
    """Remove what ``install`` wrote. Chats, models and settings stay. Raises OSError."""
    linux.remove(data_home=of.data)
    if of.command.is_symlink() and of.command.readlink() == of.stub:
        of.command.unlink()
    shutil.rmtree(of.program)


def main(words: list[str]) -> int:
    """Do what ``install TREE`` or ``uninstall`` says; return the exit status."""
    there = places(Path.home(), data=data_home())
    try:
        if words == ["uninstall"]:
            if is_running(there):
                sys.stderr.write("Fireside is running. Close it, then remove it.\n")
                return 1
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
