"""Install Fireside into a home folder and uninstall it, without root.

`install.sh` and `uninstall.sh` run this file with the Python of the tree.
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
"""Stands for the checkout: contains the desktop entry, the media type and the icon."""


@dataclass(frozen=True, kw_only=True)
class InstallPaths:
    """The paths of an installation. In ``data`` desktops look for entries, media types and icons."""

    program: Path
    """Contains the versions, see ``app/fireside/updates/version_folders.py``."""
    command: Path
    data: Path

    @property
    def stub(self) -> Path:
        """The script that starts the current version."""
        return self.program / "fireside"


def install_paths(home: Path, *, data: Path) -> InstallPaths:
    """Return the standard paths in ``home``."""
    return InstallPaths(
        program=home / ".local" / "opt" / "fireside", command=home / ".local" / "bin" / "fireside", data=data
    )


def install(tree: Path, *, to: InstallPaths, root: Path = _ROOT) -> None:
    """Copy ``tree`` to the other versions, make it the current one, and register it with the desktop.

    Raises OSError, and subprocess.CalledProcessError if the copy does not start; then nothing is changed.
    """
    part = to.program / "versions" / ".installing.part"
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(tree, part, symlinks=True)
    started = subprocess.run([part / "bin" / "fireside", "--version"], check=True, capture_output=True)
    version = started.stdout.decode().split()[-1]
    _activate(part, version, program=to.program)
    shutil.copyfile(root / _STUB, to.stub)
    to.stub.chmod(0o755)
    (to.program / "uninstall.sh").write_text(_UNINSTALL, encoding="utf-8")
    to.command.parent.mkdir(parents=True, exist_ok=True)
    if to.command.is_symlink() or not to.command.exists():
        to.command.unlink(missing_ok=True)
        to.command.symlink_to(to.stub)
    linux.write(root=root, program=to.stub, data_home=to.data)


def _activate(part: Path, version: str, *, program: Path) -> None:
    """Make the tree ``part`` the current ``version``; the previous one stays as a fallback, others are
    removed."""
    current, target = program / "current", part.with_name(version)
    lines = current.read_text("utf-8").splitlines() if current.exists() else []
    previous = next((line for line in lines if line not in ("", version)), "")
    old = part.with_name(f".{version}.old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    part.rename(target)
    new = program / "current.new"
    new.write_text(f"{version}\n{previous}\n", encoding="utf-8")
    new.replace(current)
    (program / "unproven").unlink(missing_ok=True)
    for folder in part.parent.iterdir():
        if folder.name not in (version, previous):
            shutil.rmtree(folder, ignore_errors=True)


def is_running(paths: InstallPaths) -> bool:
    """Return whether another process of any version runs, whose files must not be removed."""
    versions = paths.program.resolve() / "versions"
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or belongs to another user
            if process.name != str(os.getpid()) and (process / "exe").readlink().is_relative_to(versions):
                return True
    return False


def uninstall(paths: InstallPaths) -> None:
    """Remove what ``install`` wrote. Chats, models and settings stay. Raises OSError."""
    linux.remove(data_home=paths.data)
    if paths.command.is_symlink() and paths.command.readlink() == paths.stub:
        paths.command.unlink()
    shutil.rmtree(paths.program)


def main(arguments: list[str]) -> int:
    """Run ``install TREE`` or ``uninstall``; return the exit status."""
    paths = install_paths(Path.home(), data=data_home())
    try:
        if arguments == ["uninstall"]:
            if is_running(paths):
                sys.stderr.write("Fireside is running. Close it, then remove it.\n")
                return 1
            uninstall(paths)
            message = "Fireside was removed. Your chats, models and settings are still there.\n"
        else:
            install(Path(arguments[1]), to=paths)
            message = _installed_message(paths)
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"Fireside does not start here: {error.stderr.decode(errors='replace').strip()}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"This did not work: {error}\n")
        return 1
    sys.stdout.write(message)
    return 0


def _installed_message(paths: InstallPaths) -> str:
    is_in_path = str(paths.command.parent) in os.environ.get("PATH", "").split(os.pathsep)
    path_hint = "" if is_in_path else f"To type just “fireside”, add {paths.command.parent} to your PATH.\n"
    return (
        f"Fireside is in {paths.program}. Start it from your desktop’s programs, or as {paths.command}.\n"
        f"{path_hint}To remove it: sh {shlex.quote(str(paths.program / 'uninstall.sh'))}\n"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
