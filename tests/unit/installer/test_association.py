"""What tells the system that model files can be opened with Fireside."""

from __future__ import annotations

import configparser
import plistlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from provision.association import linux, macos, windows
from provision.layout import Layout, find_layout

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A checkout at an awkward place, with the real files."""
    root = tmp_path / "my $own \"fire\" 100% 'side' \\ `x`"
    real = find_layout().root
    for folder in ("installer/association", "resources/icons"):
        shutil.copytree(real / folder, root / folder)
    return Layout(root=root, cache=tmp_path)


def desktop_entry(path: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys have capitals
    parser.read(path, encoding="utf-8")
    return parser["Desktop Entry"]


def started_by(entry: configparser.SectionProxy) -> list[str]:
    """Return the command as a desktop reads it: first the file's escapes, then quotes, then field codes.

    In double quotes a shell takes away the same backslashes as a desktop does.
    """
    unescaped = entry["Exec"].replace("\\\\", "\\")
    result = subprocess.run(
        ["sh", "-c", f"printf '%s\n' {unescaped}"], capture_output=True, text=True, check=True
    )
    return [word.replace("%%", "%") for word in result.stdout.splitlines()]


@pytest.mark.skipif(sys.platform == "win32", reason="paths there have no such characters")
def test_a_desktop_starts_the_program_with_the_files(layout: Layout, tmp_path: Path) -> None:
    linux.write(root=layout.root, program=layout.scripts / "fireside", data_home=tmp_path / "share")
    entry = desktop_entry(tmp_path / "share/applications/fireside.desktop")
    assert started_by(entry) == [str(layout.scripts / "fireside"), "%F"]
    assert "application/x-gguf" in entry["MimeType"].split(";")


def test_the_entry_is_called_as_the_window_says(layout: Layout, tmp_path: Path) -> None:
    linux.write(root=layout.root, program=layout.scripts / "fireside", data_home=tmp_path / "share")
    source = (find_layout().root / "app/fireside/ui/shell/application.py").read_text(encoding="utf-8")
    (name,) = re.findall(r'setDesktopFileName\("(.*)"\)', source)
    assert (tmp_path / f"share/applications/{name}.desktop").is_file()
    assert (tmp_path / f"share/icons/hicolor/scalable/apps/{name}.svg").is_file()


def test_the_media_type_is_the_one_of_the_entry(layout: Layout) -> None:
    tree = ElementTree.parse(layout.root / "installer/association/fireside-gguf.xml")
    kind = tree.find(f"{MIME}mime-type")
    assert kind is not None
    entry = desktop_entry(layout.root / "installer/association/fireside.desktop")
    assert f"{kind.get('type')};" == entry["MimeType"]
    assert [glob.get("pattern") for glob in kind.iter(f"{MIME}glob")] == ["*.gguf"]


@pytest.mark.skipif(shutil.which("update-mime-database") is None, reason="there is no such tool here")
def test_the_systems_own_tool_accepts_the_media_type(layout: Layout, tmp_path: Path) -> None:
    linux.write(root=layout.root, program=layout.scripts / "fireside", data_home=tmp_path / "share")
    assert "*.gguf" in (tmp_path / "share/mime/globs2").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="paths there have no such characters")
def test_on_linux_nothing_is_left_behind(layout: Layout, tmp_path: Path) -> None:
    written = linux.write(root=layout.root, program=layout.scripts / "fireside", data_home=tmp_path / "share")
    assert set(linux.remove(data_home=tmp_path / "share")) == set(written)
    assert not any(Path(path).exists() for path in written)
    assert linux.remove(data_home=tmp_path / "share") == ()


@pytest.mark.skipif(sys.platform == "win32", reason="starts a shell script")
def test_the_bundle_starts_the_program_with_its_words(layout: Layout, tmp_path: Path) -> None:
    layout.python.parent.mkdir(parents=True)
    layout.python.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    layout.python.chmod(0o755)
    (bundle,) = macos.write(layout, applications=tmp_path / "Applications")
    properties = plistlib.loads((Path(bundle) / "Contents/Info.plist").read_bytes())
    launcher = Path(bundle) / "Contents/MacOS" / properties["CFBundleExecutable"]
    result = subprocess.run([launcher, "a b.gguf"], capture_output=True, text=True, check=True)
    assert result.stdout == "-P|-m|fireside|a b.gguf|"
    assert macos.remove(applications=tmp_path / "Applications") == (bundle,)
    assert macos.remove(applications=tmp_path / "Applications") == ()


def test_the_bundle_opens_the_type_that_it_declares(layout: Layout) -> None:
    properties = plistlib.loads((layout.root / "installer/association/Info.plist").read_bytes())
    (opened,) = properties["CFBundleDocumentTypes"]
    (declared,) = properties["UTImportedTypeDeclarations"]
    assert opened["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == ["gguf"]


def test_on_windows_the_file_is_one_word_of_the_command(tmp_path: Path) -> None:
    layout = Layout(root=tmp_path / "my own fireside", cache=tmp_path)
    (command,) = (entry.text for entry in windows.entries(layout) if entry.key.endswith("command"))
    assert command.startswith(f'"{layout.scripts / "pythonw.exe"}" -P -m fireside ')
    assert command.endswith(' "%1"')


def test_on_windows_fireside_is_offered_and_takes_no_file_from_another_program(tmp_path: Path) -> None:
    written = windows.entries(Layout(root=tmp_path, cache=tmp_path))
    assert {entry.name for entry in written if ".gguf" in entry.key.split("\\")} == {windows.PROGRAM_ID}
