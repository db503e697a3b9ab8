"""The folder that a Mac shows as a program, as far as it can be looked at elsewhere."""

from __future__ import annotations

import plistlib
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from provision.layout import find_layout
from release.macos import ICON, write_bundle

ASSOCIATED = find_layout().root / "installer" / "association" / "Info.plist"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    program = tmp_path / "tree" / "bin" / "fireside"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "started $1"\n')
    program.chmod(0o755)
    pictures = {}
    for size in (16, 128, 512):
        pictures[size] = tmp_path / f"{size}.png"
        pictures[size].write_bytes(b"\x89PNG" + bytes(size))
    folder = tmp_path / "a folder" / "Fireside.app"
    write_bundle(folder, tree=tmp_path / "tree", version="1.2", plist=ASSOCIATED, pictures=pictures)
    return folder


def test_the_property_list_says_the_version_the_system_and_the_files(app: Path) -> None:
    properties = plistlib.loads((app / "Contents/Info.plist").read_bytes())
    assert (properties["CFBundleVersion"], properties["CFBundleShortVersionString"]) == ("1.2", "1.2")
    assert properties["LSMinimumSystemVersion"] == "15.0"
    assert properties["CFBundleDocumentTypes"][0]["LSItemContentTypes"] == ["org.ggml.gguf"]
    assert (app / "Contents/MacOS" / properties["CFBundleExecutable"]).stat().st_mode & 0o111
    # Without a reason macOS ends a program that asks for the microphone, and hides the local network from it.
    assert properties["NSMicrophoneUsageDescription"]
    assert properties["NSLocalNetworkUsageDescription"]
    assert properties["NSBonjourServices"] == ["_fireside._tcp"]
    assert (app / "Contents/Resources" / properties["CFBundleIconFile"]).is_file()


def test_the_icon_holds_the_pictures_whose_size_it_knows(app: Path) -> None:
    data = (app / "Contents/Resources" / ICON).read_bytes()
    assert data[:4] == b"icns"
    assert struct.unpack(">I", data[4:8]) == (len(data),)
    found, at = [], 8
    while at < len(data):
        kind, (size,) = data[at : at + 4], struct.unpack(">I", data[at + 4 : at + 8])
        assert data[at + 8 : at + 12] == b"\x89PNG"
        found.append(kind)
        at += size
    assert found == [b"ic07", b"ic09"]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_it_starts_the_tree_that_is_in_it(app: Path) -> None:
    done = subprocess.run([app / "Contents/MacOS/fireside", "x"], capture_output=True, text=True, check=True)
    assert done.stdout == "started x\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_the_recipe_for_signing_is_a_script() -> None:
    script = find_layout().root / "installer" / "macos" / "sign.sh"
    subprocess.run(["sh", "-n", script], check=True)
    entitled = plistlib.loads((script.parent / "entitlements.plist").read_bytes())
    assert entitled["com.apple.security.device.audio-input"] is True
