"""What leads out of an archive is refused, in whatever way."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from fireside.files.archive import ArchiveRefused, open_archive

FILE, FOLDER, LINK, HARD_LINK = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE
Member = tuple[str, bytes, str]


def tar(path: Path, *members: Member) -> Path:
    """Write an archive of names with the kinds of members, and what links refer to."""
    with tarfile.open(path, "w:gz") as archive:
        for name, kind, target in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            archive.addfile(info, io.BytesIO())
    return path


def listed(source: Path) -> list[tuple[str, str]]:
    with open_archive(source, is_zip=False, max_files=5, max_bytes=100) as files:
        return [(str(file.path), file.link) for file in files]


def test_links_within_the_archive_are_read_from_their_own_folder(tmp_path: Path) -> None:
    source = tar(
        tmp_path / "a.tar.gz",
        ("lib", FOLDER, ""),
        ("lib/a.so.1", FILE, ""),
        ("lib/a.so", LINK, "a.so.1"),
        ("lib/b.so", HARD_LINK, "lib/a.so.1"),
        ("bin/a", LINK, "../lib/a.so"),
    )
    assert listed(source) == [
        ("lib/a.so.1", ""),
        ("lib/a.so", "a.so.1"),
        ("lib/b.so", "a.so.1"),
        ("bin/a", "../lib/a.so"),
    ]


@pytest.mark.parametrize(
    "members",
    [
        (("a/up", LINK, ".."), ("a/up/out", LINK, "../..")),
        (("a/up", LINK, ".."), ("a/up/file", FILE, "")),
        (("a", LINK, ".."),),
        (("a", LINK, "C:b"),),
        (("a", HARD_LINK, "../b"),),
        (("a/b", HARD_LINK, "c"),),
    ],
)
def test_links_out_of_it_and_names_through_links_are_refused(
    tmp_path: Path, members: tuple[Member, ...]
) -> None:
    with pytest.raises(ArchiveRefused, match="outside its folder"):
        listed(tar(tmp_path / "a.tar.gz", *members))


def test_folders_count_too(tmp_path: Path) -> None:
    with pytest.raises(ArchiveRefused, match="too much"):
        listed(tar(tmp_path / "a.tar.gz", *((str(n), FOLDER, "") for n in range(6))))
