"""What the tree says of the works of others: every text once, and no work without a licence."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import apsw
import pytest

from provision.failure import SetupFailure
from provision.layout import find_layout
from provision.lock_files import RUN, read_pins
from release.components import (
    SYSTEM_LIBRARIES,
    TEXTS,
    Component,
    fonts_and_icons_in,
    model_of,
    packages_in,
    system_library,
)
from release.notices import NOTICES, SBOM, notices, sbom, write_notices

PACKAGES = Path("lib/python3.11/dist-packages")


def package(folder: Path, name: str, *, licence: str | None = "All may be done.", header: str = "") -> Path:
    notes = folder / f"{name}-1.0.dist-info"
    (notes / "licenses").mkdir(parents=True)
    (notes / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{header}\n\ntext")
    if licence is not None:
        (notes / "licenses" / "LICENSE").write_text(licence)
    return notes


def test_a_package_without_a_licence_text_stops_the_build(tmp_path: Path) -> None:
    package(tmp_path, "good")
    package(tmp_path, "Bad.Name", licence=None, header="License: MIT")
    with pytest.raises(SetupFailure, match=r"bad-name 1\.0"):
        list(packages_in(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="packages are built there")
def test_every_package_that_is_locked_has_its_licence(tmp_path: Path) -> None:
    """A new one without is found here, and not when a release is built."""
    layout = find_layout()
    names = {pin.name for pin in read_pins((layout.root / RUN).read_text(encoding="utf-8"))}
    for notes in layout.site_packages.glob("*.dist-info"):
        if re.sub(r"[_.]", "-", notes.name.partition("-")[0]).lower() in names:
            (tmp_path / notes.name).symlink_to(notes)
    packages = {package.name: package for package in packages_in(tmp_path)}
    assert len(packages) > 40
    # What is compiled into a package that does not say so itself stays listed as it is.
    pdfium = json.loads((layout.site_packages / "pypdfium2_raw" / "version.json").read_text())
    versions = {part["name"]: part.get("version") for part in packages["pypdfium2"].parts}
    assert versions["pdfium"] == str(pdfium["build"])
    assert "freetype" in versions
    sqlite, ciphers = packages["apsw-sqlite3mc"].parts
    assert packages["apsw-sqlite3mc"].version.startswith(f"{sqlite['version']}.")
    assert vars(apsw)["mc_version"].endswith(f" {ciphers['version']}")


def test_an_empty_text_is_none(tmp_path: Path) -> None:
    package(tmp_path, "hollow", licence=" \n")
    with pytest.raises(SetupFailure, match="hollow"):
        list(packages_in(tmp_path))


def test_the_model_needs_its_licence(tmp_path: Path) -> None:
    with pytest.raises(SetupFailure, match=r"model\.gguf"):
        model_of(tmp_path / "model.gguf", licence=tmp_path / "model.LICENSE")


def test_a_package_without_a_text_of_its_own_gets_ours(tmp_path: Path) -> None:
    package(tmp_path, "pyside6_essentials", licence=None, header="License: LGPL-3.0-only OR GPL-3.0-only")
    (qt,) = packages_in(tmp_path)
    text = "\n".join(qt.texts)
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "FreeType" in text
    assert "UNICODE LICENSE" in text
    assert {"harfbuzz-ng", "pcre2", "libwebp", "xsvg"} <= {part["name"] for part in qt.parts}


def test_fonts_in_packages_have_their_own_texts(tmp_path: Path) -> None:
    package(tmp_path, "ziafont")
    package(tmp_path, "ziamath")
    dejavu, stix = packages_in(tmp_path)
    assert "Bitstream" in dejavu.texts[-1]
    assert "SIL OPEN FONT LICENSE" in stix.texts[-1]


def test_what_a_package_says_is_in_it_is_listed_within_it(tmp_path: Path) -> None:
    notes = package(tmp_path, "rusty", header="License-Expression: MIT")
    (notes / "sboms").mkdir()
    part = {"type": "library", "name": "crate", "version": "2", "bom-ref": "file:///home/builder"}
    (notes / "sboms" / "a.json").write_text(json.dumps({"components": [part, {**part, "name": "rusty"}]}))
    listed = json.loads(sbom(packages_in(tmp_path), version="1"))["components"]
    assert listed[0]["licenses"] == [{"expression": "MIT"}]
    assert listed[0]["components"] == [{"type": "library", "name": "crate", "version": "2"}]


def test_every_text_stands_once_under_all_that_it_belongs_to(tmp_path: Path) -> None:
    package(tmp_path, "one")
    package(tmp_path, "two")
    package(tmp_path, "three", licence="Nothing may be done.")
    text = notices(packages_in(tmp_path), version="7", packages=PACKAGES)
    assert text.count("All may be done.") == 1
    assert "\none 1.0, two 1.0\n" in text
    assert "Nothing may be done." in text


def test_the_source_of_qt_is_offered_and_how_it_is_replaced(tmp_path: Path) -> None:
    package(tmp_path, "pyside6_essentials", licence=None)
    text = notices(packages_in(tmp_path), version="7", packages=PACKAGES)
    assert "https://download.qt.io/official_releases/qt/1/1.0/" in text
    assert "lib/python3.11/dist-packages/PySide6" in text


def test_the_files_tell_nothing_of_where_they_were_made(tmp_path: Path) -> None:
    written = []
    for name in ("here", "there"):
        tree = tmp_path / name
        package(tree, "one")
        write_notices(tree, list(packages_in(tree)), version="1", packages=PACKAGES)
        written.append([(tree / file).read_bytes() for file in (NOTICES, SBOM)])
    assert written[0] == written[1]


def test_what_the_system_and_the_resources_bring_has_texts() -> None:
    components: list[Component] = [system_library(name) for name in SYSTEM_LIBRARIES]
    components += fonts_and_icons_in(find_layout().root / "resources")
    assert {"Inter", "JetBrainsMono", "lucide", "libgomp.so.1"} <= {each.name for each in components}
    assert all(len(text) > 500 for each in components for text in each.texts)


def test_the_lists_of_what_is_in_packages_are_of_the_locked_versions() -> None:
    """The wheels do not say all of it, so the lists have to be looked at again with each version."""
    pins = read_pins((find_layout().root / RUN).read_text(encoding="utf-8"))
    assert next(pin.version for pin in pins if pin.name == "llguidance") == "1.9.1"
    assert next(pin.version for pin in pins if pin.name == "pyside6-essentials") == "6.11.3"
    listed = json.loads((TEXTS / "llguidance.cdx.json").read_text(encoding="utf-8"))["components"]
    assert {"tokenizers", "regex-syntax"} <= {part["name"] for part in listed}
