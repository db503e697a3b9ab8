"""What belongs to a collection: documents within its roots, and nothing that is hidden or secret."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fireside.retrieval import folder_scan
from fireside.retrieval.folder_scan import FolderScan, IgnoreRules, scan_root


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def names_in(folder: Path, scan: FolderScan) -> list[str]:
    return [Path(file.path).relative_to(folder).as_posix() for file in scan.files]


def reasons(scan: FolderScan) -> dict[str, int]:
    return {each.reason: each.n_files for each in scan.skipped}


def test_documents_are_found_and_the_rest_is_counted(tmp_path: Path) -> None:
    put(
        tmp_path,
        "a.md",
        "deep/er/b.txt",
        ".hidden.md",
        ".git/config",
        "key.pem",
        "id_rsa",
        "film.mp4",
        "c.py",
    )
    scan = scan_root(str(tmp_path))
    assert names_in(tmp_path, scan) == ["a.md", "c.py", "deep/er/b.txt"]
    assert reasons(scan) == {folder_scan.HIDDEN: 2, folder_scan.KEYS: 2, folder_scan.NO_DOCUMENT: 1}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "outside/secret.txt", "inside/a.txt")
    (tmp_path / "inside/link.txt").symlink_to(tmp_path / "outside/secret.txt")
    (tmp_path / "inside/folder").symlink_to(tmp_path / "outside")
    scan = scan_root(str(tmp_path / "inside"))
    assert names_in(tmp_path / "inside", scan) == ["a.txt"]
    assert reasons(scan)[folder_scan.LINK] == 2


def test_gitignore_holds(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "build/x.md", "notes.log", "sub/keep.log", "sub/drop.log", "sub/deep/drop.log")
    (tmp_path / ".gitignore").write_text("build/\n*.log\n")
    (tmp_path / "sub/.gitignore").write_text("!keep.log\n")
    assert names_in(tmp_path, scan_root(str(tmp_path))) == ["a.md", "sub/keep.log"]


@pytest.mark.parametrize(
    ("rule", "path", "is_folder", "is_ignored"),
    [
        ("*.log", "a/b/x.log", False, True),
        ("/x.log", "a/x.log", False, False),
        ("a/*.log", "a/x.log", False, True),
        ("a/*.log", "b/a/x.log", False, False),
        ("a/**/z", "a/b/c/z", False, True),
        ("a/**/z", "a/z", False, True),
        ("**/z", "b/z", False, True),
        ("a/**", "a/b/c", False, True),
        ("build/", "build", False, False),
        ("build/", "x/build", True, True),
        ("x[0-9]?", "x12", False, True),
        ("x[!0-9]", "x1", False, False),
        ("# no rule", "# no rule", False, False),
        (r"\#name", "#name", False, True),
        ("[", "[", False, True),
        ("!#name\n", "#name", False, False),
        ("*\n!#name", "#name", False, False),
        ("/**", "a/b", False, True),
        ("[[:digit:]]x", "1x", False, True),
        ("a[!b]c", "a/c", False, False),
        ("*" * 40 + "b", "a" * 60, False, False),
        ("a*" * 8 + "b", "a" * 200, False, False),
        ("**/a/" * 8 + "b", "a/" * 40 + "a", False, False),
    ],
)
def test_rules_of_gitignore(rule: str, path: str, *, is_folder: bool, is_ignored: bool) -> None:
    assert IgnoreRules(rule, folder="").ignores(path, is_folder=is_folder) is is_ignored


def test_no_more_files_than_the_limit(tmp_path: Path) -> None:
    put(tmp_path, *(f"{n}.txt" for n in range(5)))
    scan = scan_root(str(tmp_path), max_files=3)
    assert len(scan.files) == 3
    assert reasons(scan) == {folder_scan.TOO_MANY: 2}


def test_a_large_file_is_left_alone(tmp_path: Path) -> None:
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(60_000_000)
    assert reasons(scan_root(str(tmp_path))) == {folder_scan.TOO_LARGE: 1}
    assert reasons(scan_root(str(tmp_path / "large.txt"))) == {folder_scan.TOO_LARGE: 1}


def test_a_root_may_be_a_single_file(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "b.md")
    assert [file.path for file in scan_root(str(tmp_path / "a.md")).files] == [str(tmp_path / "a.md")]


def test_a_missing_root_and_a_cancelled_scan_are_not_there(tmp_path: Path) -> None:
    assert not scan_root(str(tmp_path / "gone")).is_there
    assert not scan_root(str(tmp_path), should_continue=lambda: False).is_there


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs a folder that is closed")
def test_a_closed_folder_is_known_as_such(tmp_path: Path) -> None:
    put(tmp_path, "a/x.md", "b/y.md")
    (tmp_path / "a").chmod(0)
    scan = scan_root(str(tmp_path))
    (tmp_path / "a").chmod(0o700)
    assert names_in(tmp_path, scan) == ["b/y.md"]
    assert scan.is_below_failed(str(tmp_path / "a/x.md"))
    assert not scan.is_below_failed(str(tmp_path / "b/y.md"))
