"""Hostile archives are rejected before anything in them runs."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fireside.core.errors import RuntimeNotAdded
from fireside.core.i18n import render
from fireside.engine.runtimes import archive_extraction
from fireside.engine.runtimes.archive_extraction import unpack

FILES = {"libllama.so": b"llama", "libggml.so": b"ggml", "LICENSE": b"MIT"}


def ignore(_done: int, _total: int) -> None:
    """Progress is not watched."""


def tar(path: Path, members: dict[str, bytes | str], *, mode: str = "w:gz") -> Path:
    """Write an archive; a text is the target of a symbolic link."""
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return path


def zipped(path: Path, members: dict[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name)
            if isinstance(content, str):
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
                content = content.encode()
            archive.writestr(info, content)
    return path


def tar_xz(path: Path, members: dict[str, bytes | str]) -> Path:
    return tar(path, members, mode="w:xz")


WRITERS = (("a.tar.gz", tar), ("a.tar.xz", tar_xz), ("a.zip", zipped))
Writer = Callable[[Path, dict[str, bytes | str]], Path]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def refused(source: Path, target: Path) -> str:
    with pytest.raises(RuntimeNotAdded) as caught:
        unpack(source, target=target, on_progress=ignore)
    return render(caught.value.reason)


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_the_folder_with_the_library_is_extracted_without_subfolders(
    tmp_path: Path, target: Path, name: str, write: Writer
) -> None:
    members: dict[str, bytes | str] = {f"build/bin/{file}": content for file, content in FILES.items()}
    members |= {"README.md": b"read me", "build/bin/llama-server": b"a program", "include/llama.h": b"h"}
    members["build/bin/libllama.so.0"] = "libllama.so"

    unpack(write(tmp_path / name, members), target=target, on_progress=ignore)

    assert {file.name for file in target.iterdir()} == {*FILES, "libllama.so.0"}
    assert (target / "libllama.so.0").read_bytes() == b"llama"
    assert not any(file.is_symlink() for file in target.iterdir())


@pytest.mark.parametrize(("name", "write"), WRITERS)
@pytest.mark.parametrize(
    "path", ["../libevil.so", "a/../../libevil.so", "/etc/libevil.so", "..\\libevil.so", "C:\\libevil.so"]
)
def test_a_path_outside_the_root_rejects_the_archive(
    tmp_path: Path, target: Path, name: str, write: Writer, path: str
) -> None:
    source = write(tmp_path / name, {**FILES, path: b"evil"})

    assert "point outside its folder" in refused(source, target)
    assert not list(target.iterdir())
    assert not list(tmp_path.rglob("libevil.so"))


@pytest.mark.parametrize(("name", "write"), WRITERS)
@pytest.mark.parametrize("link", ["/etc/passwd", "../../secret", "sub/libggml.so"])
def test_a_link_outside_its_folder_rejects_the_archive(
    tmp_path: Path, target: Path, name: str, write: Writer, link: str
) -> None:
    assert "point outside its folder" in refused(
        write(tmp_path / name, {**FILES, "libmtmd.so": link}), target
    )


def test_cyclic_links_are_rejected(tmp_path: Path, target: Path) -> None:
    links: dict[str, bytes | str] = {"libmtmd.so": "libmtmd.so.0", "libmtmd.so.0": "libmtmd.so"}
    assert "leads nowhere" in refused(tar(tmp_path / "a.tar.gz", {**FILES, **links}), target)


def test_a_device_in_an_archive_is_refused(tmp_path: Path, target: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("libllama.so")
        info.type = tarfile.CHRTYPE
        archive.addfile(info)
    assert "neither a file nor a folder" in refused(tmp_path / "a.tar.gz", target)


def test_a_link_outside_of_a_source_folder_is_rejected(tmp_path: Path, target: Path) -> None:
    source = tmp_path / "runtime"
    source.mkdir()
    (source / "libllama.so").symlink_to("/etc/hostname")
    assert "outside of it" in refused(source, target)


def test_an_archive_larger_than_any_runtime_is_rejected(tmp_path: Path, target: Path) -> None:
    source = zipped(tmp_path / "bomb.zip", {**FILES, "libggml-cpu.so": bytes(1 << 20)})
    with pytest.raises(RuntimeNotAdded, match="holds more than"):
        unpack(source, target=target, on_progress=ignore, max_bytes=1 << 10)
    assert not list(target.iterdir())


def test_too_many_files_are_rejected(tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_extraction, "MAX_MEMBERS", 8)
    many: dict[str, bytes | str] = {f"f{number}": b"" for number in range(9)}
    assert "too much" in refused(tar(tmp_path / "a.tar.gz", {**FILES, **many}), target)


def test_a_full_disk_is_reported_before_anything_is_written(
    tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_extraction, "RESERVED_BYTES", 1 << 60)
    assert "disk space" in refused(tar(tmp_path / "a.tar.gz", dict(FILES)), target)
    assert not list(target.iterdir())


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tar.xz", "a.zip"])
def test_a_file_that_is_no_archive_is_reported_as_damaged(tmp_path: Path, target: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"not an archive at all" * 50)
    assert "damaged" in refused(tmp_path / name, target)


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_a_truncated_archive_is_reported_as_damaged(
    tmp_path: Path, target: Path, name: str, write: Writer
) -> None:
    source = write(tmp_path / name, {**FILES, "libggml-cpu.so": bytes(range(256)) * 400})
    source.write_bytes(source.read_bytes()[: source.stat().st_size // 2])
    assert "damaged" in refused(source, target)


def test_a_duplicate_name_is_rejected(tmp_path: Path, target: Path) -> None:
    source = tar(tmp_path / "a.tar.gz", {**FILES, "LIBLLAMA.so": b"again", "./libllama.so": b"again"})
    assert "twice" in refused(source, target)


def test_another_kind_of_file_is_rejected(tmp_path: Path, target: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    assert "neither a folder nor an archive" in refused(tmp_path / "notes.txt", target)
    assert "is not there" in refused(tmp_path / "gone.zip", target)


def test_progress_is_reported_per_block_and_can_abort(tmp_path: Path, target: Path) -> None:
    seen: list[tuple[int, int]] = []

    def look(done: int, total: int) -> None:
        seen.append((done, total))
        if done == total:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        unpack(tar(tmp_path / "a.tar.gz", dict(FILES)), target=target, on_progress=look)
    assert seen[-1][0] == seen[-1][1] == sum(map(len, FILES.values()))
