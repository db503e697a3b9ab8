"""The sources that a release offers are fetched whole, or nothing is said to be complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from release.sources import fetch, sources


@pytest.fixture
def address(tmp_path: Path) -> str:
    """A server that has them all."""
    for name in sources(qt="6.11.3"):
        path = tmp_path / "server" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return f"{(tmp_path / 'server').as_uri()}/"


def test_the_sources_of_all_qt_modules_in_the_tree_are_listed(tmp_path: Path, address: str) -> None:
    there = {path.name: path.read_text() for path in fetch(tmp_path / "to", qt="6.11.3", address=address)}
    assert "qtbase-everywhere-src-6.11.3.tar.xz" in there
    assert there["pyside-setup-everywhere-src-6.11.3.tar.xz"].startswith(
        "QtForPython/pyside6/PySide6-6.11.3-src/"
    )
    assert len(there) == 5


def test_existing_sources_are_not_fetched_again_and_missing_ones_are_errors(
    tmp_path: Path, address: str
) -> None:
    folder, lacking = tmp_path / "to", f"{tmp_path.as_uri()}/no server/"
    with pytest.raises(OSError, match="server"):
        list(fetch(folder, qt="6.11.3", address=lacking))
    assert list(folder.iterdir()) == []
    first = list(fetch(folder, qt="6.11.3", address=address))
    assert list(fetch(folder, qt="6.11.3", address=lacking)) == first
