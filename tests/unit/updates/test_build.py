"""The build information of packages and source checkouts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fakes.release_harness import SigningKey
from fireside.core.about import PackageKind
from fireside.updates.build import BUILD_NAME, read_build_info
from release.published import write_build

CHECKOUT = Path(__file__).resolve().parents[3] / "app" / "fireside"


def test_a_source_checkout_has_no_updates(tmp_path: Path) -> None:
    build = read_build_info(tmp_path, package=CHECKOUT)
    assert build.kind is PackageKind.SOURCE
    assert not build.is_published


def test_the_build_info_of_the_installer_is_read(tmp_path: Path) -> None:
    for kind in (PackageKind.FOLDERS, PackageKind.SYSTEM):
        write_build(tmp_path, kind=kind)
        build = read_build_info(tmp_path, package=tmp_path)
        assert build.kind is kind
        assert not build.is_published, "no address is set yet"


@pytest.mark.parametrize(
    ("address", "is_published"),
    [
        ("https://example.org/releases/", True),
        ("http://127.0.0.1:1/releases/", True),
        ("http://example.org/releases/", False),
        ("https://example.org/releases", False),
        ("file:///releases/", False),
        ("https://[/", False),
        ("", False),
    ],
)
def test_only_encrypted_addresses_are_used(tmp_path: Path, address: str, *, is_published: bool) -> None:
    path = tmp_path / BUILD_NAME
    path.parent.mkdir(parents=True)
    said = {"kind": "folders", "address": address, "keys": [SigningKey().text, "no key"]}
    path.write_text(json.dumps(said))
    build = read_build_info(tmp_path, package=tmp_path)
    assert build.is_published is is_published
    assert len(build.public_keys) == 1


@pytest.mark.parametrize("content", [b"", b"{", b'{"kind": "else"}', b"\xff"])
def test_an_unreadable_build_info_is_an_unknown_package(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / BUILD_NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert read_build_info(tmp_path, package=tmp_path).kind is PackageKind.OTHER
