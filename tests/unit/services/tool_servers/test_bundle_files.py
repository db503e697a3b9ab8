"""Bundles of MCP servers are unpacked inside their folder, or not at all."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from fireside.core.errors import ToolServerInvalid
from fireside.services.tool_servers import bundle_files
from fireside.services.tool_servers.bundle_files import manifest_of, remove_unused_bundles, unpack_bundle


def packed(folder: Path, *members: tuple[str, bytes, int]) -> Path:
    """Return a bundle with these members: name, content, file mode."""
    path = folder / "a.mcpb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return path


MANIFEST = ("manifest.json", b"{}", stat.S_IFREG | 0o644)


def test_a_bundle_is_unpacked_once_and_dropped_when_unused(tmp_path: Path) -> None:
    source = packed(tmp_path, MANIFEST, ("bin/run", b"#!", stat.S_IFREG | 0o755), ("lib/", b"", 0))
    below = tmp_path / "bundles"
    folder = unpack_bundle(source, below=below)
    assert manifest_of(folder) == b"{}"
    assert (folder / "bin" / "run").stat().st_mode & stat.S_IXUSR
    assert not (folder / "manifest.json").stat().st_mode & stat.S_IXUSR
    assert unpack_bundle(source, below=below) == folder
    assert list(below.iterdir()) == [folder]
    remove_unused_bundles(below, used=[str(folder), ""])
    assert folder.is_dir()
    remove_unused_bundles(below, used=["/elsewhere"])
    assert list(below.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("../escaped", stat.S_IFREG),
        ("a/../../escaped", stat.S_IFREG),
        ("/etc/escaped", stat.S_IFREG),
        ("..\\escaped", stat.S_IFREG),
        ("C:\\escaped", stat.S_IFREG),
        ("C:escaped", stat.S_IFREG),
        ("stream.txt:hidden", stat.S_IFREG),
        ("link", stat.S_IFLNK),
        ("pipe", stat.S_IFIFO),
        ("MANIFEST.JSON", stat.S_IFREG),
    ],
)
def test_members_outside_the_folder_or_no_files_are_refused(tmp_path: Path, name: str, mode: int) -> None:
    source = packed(tmp_path, MANIFEST, (name, b"/etc/passwd", mode | 0o644))
    below = tmp_path / "bundles"
    with pytest.raises(ToolServerInvalid):
        unpack_bundle(source, below=below)
    assert list(below.iterdir()) == []
    assert not list(tmp_path.rglob("escaped"))


def test_a_zip_bomb_is_refused_before_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_files, "MAX_BYTES", 1 << 20)
    source = packed(tmp_path, MANIFEST, ("zeros", bytes(2 << 20), stat.S_IFREG))
    assert source.stat().st_size < 10_000
    with pytest.raises(ToolServerInvalid, match="too much"):
        unpack_bundle(source, below=tmp_path / "bundles")
    monkeypatch.setattr(bundle_files, "MAX_MEMBERS", 3)
    source = packed(tmp_path, *((str(n), b"", stat.S_IFREG) for n in range(4)))
    with pytest.raises(ToolServerInvalid, match="too much"):
        unpack_bundle(source, below=tmp_path / "bundles")


def test_a_zip_bomb_with_a_false_size_is_refused(tmp_path: Path) -> None:
    source = packed(tmp_path, MANIFEST, ("zeros", bytes(1 << 20), stat.S_IFREG))
    content = source.read_bytes()
    size = (1 << 20).to_bytes(4, "little")
    assert content.count(size) >= 1
    source.write_bytes(content.replace(size, (10).to_bytes(4, "little")))
    with pytest.raises(ToolServerInvalid, match="damaged"):
        unpack_bundle(source, below=tmp_path / "bundles")


def test_a_file_without_archive_or_manifest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mcpb").write_bytes(b"PK no archive")
    with pytest.raises(ToolServerInvalid, match="damaged"):
        unpack_bundle(tmp_path / "a.mcpb", below=tmp_path / "bundles")
    with pytest.raises(ToolServerInvalid):
        unpack_bundle(tmp_path / "none.mcpb", below=tmp_path / "bundles")
    with pytest.raises(ToolServerInvalid, match="no manifest"):
        manifest_of(unpack_bundle(packed(tmp_path, ("a", b"", 0)), below=tmp_path / "bundles"))
