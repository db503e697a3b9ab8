"""A state file in any condition: it is read, nothing is lost, and the user is told."""

from __future__ import annotations

import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fireside.core.errors import FileDamaged
from fireside.files.atomic_replace import replace_file
from fireside.files.json_file import JsonFile, kept_files, read_regular_file, set_aside

LIMIT = 10_000
StateFile = JsonFile[dict[str, str]]
VALUE = {"a": "1"}

needs_pipes = pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "file.json"


def bytes_of(content: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


def folder(path: Path) -> None:
    path.mkdir()
    (path / "mine").write_text("kept")


def pipe(path: Path) -> None:
    getattr(os, "mkfifo")(path)  # noqa: B009  # none on Windows


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def loop(path: Path) -> None:
    path.symlink_to(path)


DAMAGED = {
    "no UTF-8": bytes_of(b'{"a": "\xff"}'),
    "a name that is no UTF-8": bytes_of(b'{"\xff": "1"}'),
    "another type": bytes_of(b'{"a": 1}'),
    "a list": bytes_of(b"[]"),
    "empty": bytes_of(b""),
    "zeros, as a power cut leaves them": bytes_of(b"\0" * 100),
    "cut": bytes_of(b'{"a": "1'),
    "huge": bytes_of(b'{"a": "' + b"x" * LIMIT + b'"}'),
    "deep": bytes_of(b'{"a":' * 100_000),
    "a folder": folder,
}
SPECIAL = {"a pipe": pipe, "a device without end": endless}
every_damage = pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED.keys())
every_special = pytest.mark.parametrize("damage", SPECIAL.values(), ids=SPECIAL.keys())


def state_file(
    path: Path, found: list[FileDamaged], *, loss: str = "It is gone."
) -> JsonFile[dict[str, str]]:
    return JsonFile(path, dict[str, str], limit=LIMIT, loss=loss, on_damaged=found.append)


def check_kept(path: Path, damage: Callable[[Path], None]) -> None:
    path.parent.mkdir()
    damage(path)
    before = path.read_bytes() if path.is_file() else None
    found: list[FileDamaged] = []
    assert state_file(path, found).read() is None
    (aside,) = kept_files(path.parent)
    assert [each.kept_as for each in found] == [str(aside)]
    assert aside.name in found[0].sentence()
    assert "It is gone." in found[0].sentence()
    assert before is None or aside.read_bytes() == before
    state_file(path, found).write(VALUE)
    assert state_file(path, found).read() == VALUE
    assert (kept_files(path.parent), len(found)) == ((aside,), 1)


@every_damage
def test_a_damaged_file_is_set_aside_and_named(path: Path, damage: Callable[[Path], None]) -> None:
    check_kept(path, damage)


@needs_pipes
@every_special
def test_what_is_no_file_is_set_aside_without_waiting(path: Path, damage: Callable[[Path], None]) -> None:
    check_kept(path, damage)
    assert not Path("/dev/zero").is_file()


@every_damage
def test_a_cache_is_made_anew_without_a_word(path: Path, damage: Callable[[Path], None]) -> None:
    path.parent.mkdir()
    damage(path)
    found: list[FileDamaged] = []
    assert state_file(path, found, loss="").read() is None
    state_file(path, found, loss="").write(VALUE)
    assert (state_file(path, found, loss="").read(), found) == (VALUE, [])


def test_two_damaged_files_of_a_day_are_both_kept(path: Path) -> None:
    path.parent.mkdir()
    for content in (b"1", b"2", b"3"):
        path.write_bytes(content)
        state_file(path, []).read()
    assert sorted(each.read_bytes() for each in kept_files(path.parent)) == [b"1", b"2", b"3"]


def test_a_file_that_cannot_be_read_now_is_kept_once_something_is_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be read again a moment later, when a virus scanner has let go of it."""
    replace_file(path, b'{"a": "mine"}')
    found: list[FileDamaged] = []

    def refuse(*_: object, **__: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    file = state_file(path, found)
    with monkeypatch.context() as patch:
        patch.setattr("fireside.files.json_file.read_regular_file", refuse)
        assert file.read() is None
    assert path.read_bytes() == b'{"a": "mine"}'
    assert [each.kept_as for each in found] == [None]
    file.write(VALUE)
    (aside,) = kept_files(path.parent)
    assert (aside.read_bytes(), file.read()) == (b'{"a": "mine"}', VALUE)


def test_nothing_is_overwritten_where_it_cannot_be_renamed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_file(path, b"mine")

    def refuse(path: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("fireside.files.json_file.set_aside", refuse)
    file = state_file(path, [])
    assert file.read() is None
    with pytest.raises(PermissionError):
        file.write(VALUE)
    assert path.read_bytes() == b"mine"


@needs_pipes
def test_links(path: Path, tmp_path: Path) -> None:
    """A link to a file is that file, one to nothing is no file yet, and one to itself is kept."""
    path.parent.mkdir()
    path.symlink_to(tmp_path / "elsewhere.json")
    file = state_file(path, [])
    assert file.read() is None
    file.write(VALUE)
    assert (path.is_symlink(), file.read()) == (True, VALUE)
    path.unlink()
    loop(path)
    assert file.read() is None
    file.write(VALUE)
    assert (file.read(), len(kept_files(path.parent))) == (VALUE, 1)


def test_a_missing_file_is_no_damage(path: Path) -> None:
    found: list[FileDamaged] = []
    file = state_file(path, found)
    assert (file.read(), found) == (None, [])
    file.write(VALUE)
    assert (file.read(), found) == (VALUE, [])


def test_a_byte_order_mark_is_no_damage(path: Path) -> None:
    replace_file(path, b"\xef\xbb\xbf" + msgspec.json.encode(VALUE))
    assert state_file(path, []).read() == VALUE


@needs_pipes
def test_a_private_file_is_closed_to_others(path: Path) -> None:
    replace_file(path, msgspec.json.encode(VALUE))
    path.chmod(0o644)
    assert read_regular_file(path, limit=LIMIT, is_private=True) is not None
    assert path.stat().st_mode & 0o077 == 0


@needs_pipes
def test_a_device_is_never_replaced(tmp_path: Path) -> None:
    target = tmp_path / "pipe"
    getattr(os, "mkfifo")(target)  # noqa: B009  # none on Windows
    (tmp_path / "link").symlink_to(target)
    for path in (target, tmp_path / "link"):
        with pytest.raises(FileExistsError):
            replace_file(path, b"")
    assert target.is_fifo()


def test_a_name_is_never_taken_twice(tmp_path: Path) -> None:
    names = set()
    for _ in range(5):
        (tmp_path / "x").write_bytes(b"")
        names.add(set_aside(tmp_path / "x"))
    assert len(names) == 5


def test_a_small_file_takes_little_memory_whatever_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    path.write_bytes(b"{}")
    tracemalloc.start()
    try:
        assert read_regular_file(path, limit=1 << 40) == b"{}"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000
