"""The lock files: packages with version and hashes. Reads and writes them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

from provision.failure import SetupFailure
from provision.layout import Layout

RUN = "requirements.lock"
DEVELOP = "installer/locks/dev.lock"
BUILD = "installer/locks/build.lock"
BENCH = "installer/locks/bench.lock"
CLIENTS = "installer/locks/clients.lock"
PIPELINES = "installer/locks/pipelines.lock"
AIDER = "installer/locks/aider.lock"
TOOL_SERVERS = "installer/locks/tool-servers.lock"
CLUSTER = "installer/locks/cluster.lock"

_PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[^\s;\\]+)")


@dataclass(frozen=True, kw_only=True)
class Pin:
    """A locked package; ``text`` is its part of the file, as pip reads it."""

    name: str
    version: str
    text: str


def read_pins(text: str) -> tuple[Pin, ...]:
    """Return the packages of a lock file in order.

    Raises ValueError for a line that is neither a pin with hashes nor a comment, since set-up must not
    install anything without a check.
    """
    return tuple(_pin(block) for block in _blocks(text))


def without(pins: tuple[Pin, ...], *, name: str) -> str:
    """Return the text of a lock file without one package."""
    return "".join(pin.text for pin in pins if pin.name != name)


def pin_of(pins: tuple[Pin, ...], *, name: str) -> Pin:
    """Return the pin of ``name``. Raises ValueError if there is not exactly one."""
    (pin,) = (pin for pin in pins if pin.name == name)
    return pin


def write_lock_files(layout: Layout) -> None:
    """Resolve the dependencies in pyproject.toml to their newest versions, and write the lock files."""
    uv = shutil.which("uv", path=os.pathsep.join((str(layout.scripts), os.environ.get("PATH", os.defpath))))
    if uv is None:
        raise SetupFailure(
            sentence="The lock files are written by uv, and it is not installed.",
            advice=f"Install it, for instance with: {layout.python} -m pip install uv",
        )
    command = [
        uv,
        *("pip", "compile", "--quiet", "--upgrade", "--universal", "--generate-hashes"),
        *("--python-version", "3.11", "--no-emit-index-url", "--no-emit-find-links"),
        *("--custom-compile-command", "make lock"),
    ]
    project, develop = "pyproject.toml", ("--group", "test", "--group", "lint", "--constraint", RUN)
    for arguments in (
        (project, "--output-file", RUN),
        (project, *develop, "--output-file", DEVELOP),
        ("--group", "build", "--output-file", BUILD),
        ("--group", "bench", "--output-file", BENCH),
        ("--group", "clients", "--output-file", CLIENTS),
        ("--group", "pipelines", "--output-file", PIPELINES),
        ("--group", "aider", "--output-file", AIDER),
        ("--group", "cluster", "--output-file", CLUSTER),
        ("--group", "tool-servers", "--output-file", TOOL_SERVERS),
    ):
        if subprocess.run([*command, *arguments], cwd=layout.root, check=False).returncode != 0:
            raise SetupFailure(
                sentence="The lock files could not be written.",
                advice="What uv says above names the package that does not fit.",
            )


def _blocks(text: str) -> Iterator[str]:
    block = ""
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        block += line + "\n"
        if not line.rstrip().endswith("\\"):
            yield block
            block = ""
    if block:
        raise ValueError(f"the lock file ends in the middle of a package: {block.strip()!r}")


def _pin(block: str) -> Pin:
    match = _PIN.match(block)
    if match is None or "--hash=sha256:" not in block:
        raise ValueError(f"not a package with its version and hash: {block.splitlines()[0]!r}")
    return Pin(name=match["name"], version=match["version"], text=block)
