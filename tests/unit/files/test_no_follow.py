"""Files below a folder are changed without following links, with descriptors of folders and without."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fireside.files import no_follow

WRITE = os.O_RDWR | os.O_CREAT


@pytest.fixture(params=["handles", "looking"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways hold on every system that tests run on; Windows has the second alone."""
    if request.param == "looking":
        monkeypatch.setattr(no_follow, "_HAS_DIR_FD", False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with a link ``out`` to another one, which holds ``theirs``."""
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    (outside / "theirs").write_bytes(b"theirs")
    (outside / "empty").mkdir()
    root.mkdir()
    (root / "out").symlink_to(outside)
    (root / "one").symlink_to(outside / "theirs")
    return root


def test_files_below_the_root_are_created_renamed_and_removed(root: Path) -> None:
    no_follow.make_folder(root / "a" / "b", root=root)
    os.close(no_follow.open_file(root / "a" / "b" / "x", WRITE, root=root))
    no_follow.replace_file(root / "a" / "b" / "x", root / "a" / "b" / "y", root=root)
    assert (root / "a" / "b" / "y").is_file()
    no_follow.remove_file(root / "a" / "b" / "y", root=root)
    no_follow.remove_file(root / "a" / "b" / "y", root=root)
    no_follow.remove_folder(root / "a" / "b", root=root)
    assert list((root / "a").iterdir()) == []


def test_links_are_not_followed(root: Path) -> None:
    for change in (
        lambda: no_follow.open_file(root / "out" / "theirs", WRITE, root=root),
        lambda: no_follow.open_file(root / "out" / "new", WRITE, root=root),
        lambda: no_follow.open_file(root / "one", WRITE, root=root),
        lambda: no_follow.make_folder(root / "out" / "new", root=root),
        lambda: no_follow.make_folder(root / "out", root=root),
        lambda: no_follow.replace_file(root / "one", root / "two", root=root),
        lambda: no_follow.replace_file(root / "out" / "theirs", root / "out" / "ours", root=root),
        lambda: no_follow.remove_file(root / "out" / "theirs", root=root),
        lambda: no_follow.remove_folder(root / "out" / "empty", root=root),
    ):
        with pytest.raises(OSError, match=no_follow.LINK_IN_THE_WAY):
            change()
    outside = root.parent / "outside"
    assert sorted(path.name for path in outside.iterdir()) == ["empty", "theirs"]
    assert (outside / "theirs").read_bytes() == b"theirs"


def test_a_link_itself_can_be_removed(root: Path) -> None:
    no_follow.remove_file(root / "one", root=root)
    assert not (root / "one").is_symlink()
    assert (root.parent / "outside" / "theirs").is_file()
