"""What goes into the folder for Windows: which packages, and only the Python that was meant."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from provision.failure import SetupFailure
from provision.layout import find_layout
from provision.lock_files import RUN, read_pins
from release.windows_tree import WindowsParts, check_digest, locked_for_windows

HASH = f"    --hash=sha256:{'0' * 64}\n"


def chosen(text: str, *, version: str = "3.13") -> tuple[str, ...]:
    pins = read_pins(locked_for_windows(text, version=version, python=Path(sys.executable)))
    return tuple(f"{pin.name}=={pin.version}" for pin in pins)


def test_packages_are_those_of_a_newer_python_on_windows() -> None:
    text = "".join(
        f"{head} \\\n{HASH}"
        for head in (
            "click==8.5.1",
            "colorama==0.4.6 ; sys_platform == 'win32'",
            "jeepney==0.9.0 ; sys_platform == 'linux'",
            "numpy==2.4.6 ; python_full_version < '3.12'",
            "numpy==2.5.5 ; python_full_version >= '3.12'",
            "llama-cpp-python==0.3.36",
        )
    )
    assert chosen(text) == ("click==8.5.1", "colorama==0.4.6", "numpy==2.5.5")
    assert "numpy==2.4.6" in chosen(text, version="3.11")


def test_the_lock_file_has_no_condition_left_that_another_system_would_read() -> None:
    text = (find_layout().root / RUN).read_text(encoding="utf-8")
    written = locked_for_windows(text, version="3.13", python=Path(sys.executable))
    assert ";" not in written
    names = {pin.name for pin in read_pins(written)}
    assert {"pyside6-essentials", "pywin32-ctypes", "cryptography"} <= names
    assert names.isdisjoint({"secretstorage", "jeepney", "importlib-metadata"})


def test_another_python_than_the_published_one_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "python-3.13.9-embed-amd64.zip"
    archive.write_bytes(b"as published")
    check_digest(archive, sha256=hashlib.sha256(b"as published").hexdigest().upper())
    archive.write_bytes(b"changed")
    with pytest.raises(SetupFailure, match=r"python-3\.13\.9-embed-amd64\.zip is not what"):
        check_digest(archive, sha256=hashlib.sha256(b"as published").hexdigest())


def test_the_archive_of_python_tells_its_version() -> None:
    parts = WindowsParts(
        layout=find_layout(),
        python=Path("python-3.13.9-embed-amd64.zip"),
        compiler=Path(sys.executable),
        runtime=Path("runtime"),
    )
    assert (parts.version, parts.full_version) == ("3.13", "3.13.9")
