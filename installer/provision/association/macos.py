"""A small application bundle that starts the checkout, with the file type in its property list."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

from provision.layout import Layout

BUNDLE = "Fireside.app"
_PROPERTIES = "installer/association/Info.plist"
_REGISTER = Path(
    "/System/Library/Frameworks/CoreServices.framework/Frameworks/LaunchServices.framework/Support/lsregister"
)


def write(layout: Layout, *, applications: Path) -> tuple[str, ...]:
    """Create the bundle in the user's ``applications`` and register it."""
    contents = applications / BUNDLE / "Contents"
    launcher = contents / "MacOS" / "fireside"
    launcher.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(layout.root / _PROPERTIES, contents / "Info.plist")
    # exec, since the system sends files to open to the process that it started.
    command = f'exec {shlex.quote(str(layout.python))} -P -m fireside "$@"'
    launcher.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    launcher.chmod(0o755)
    _register("-f", bundle=contents.parent)
    return (str(contents.parent),)


def remove(*, applications: Path) -> tuple[str, ...]:
    """Remove the bundle."""
    bundle = applications / BUNDLE
    if not bundle.exists():
        return ()
    _register("-u", bundle=bundle)
    shutil.rmtree(bundle)
    return (str(bundle),)


def _register(flag: str, *, bundle: Path) -> None:
    if _REGISTER.exists():
        subprocess.run([_REGISTER, flag, bundle], capture_output=True, check=False)
