"""Whatever happens to the settings file, nothing in it is lost and the program starts."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.errors import SettingsUnwritable
from fireside.core.ids import ModelId
from fireside.files.atomic_replace import replace_file
from fireside.files.json_file import kept_files
from fireside.settings.document import (
    SIZE_LIMIT,
    Document,
    DocumentDamaged,
    Edit,
    app_values,
    decode,
    encode,
    model_values,
)
from fireside.settings.file import SettingsFile

N_CTX = Edit(key="load.n_ctx", value=4096)
TOP_K = Edit(key="sampling.top_k", value=5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def _loaded(path: Path) -> SettingsFile:
    file = SettingsFile(path)
    assert file.load() is None
    return file


def _with_two_changes(path: Path) -> None:
    """Leave a file with two values and a backup with the first."""
    file = _loaded(path)
    file.change(N_CTX)
    file.change(TOP_K)


class FailingWriter:
    """Writes until told that the disk is full."""

    def __init__(self) -> None:
        self.is_full = False

    def __call__(self, path: Path, content: bytes, /) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace_file(path, content)


def test_a_missing_file_is_a_first_start(path: Path) -> None:
    assert (app_values(_loaded(path).document), path.exists()) == ({}, False)


def test_values_come_back(path: Path) -> None:
    _with_two_changes(path)
    assert app_values(_loaded(path).document) == {"load.n_ctx": 4096, "sampling.top_k": 5}


def test_the_backup_holds_what_was_before_the_last_change(path: Path) -> None:
    _with_two_changes(path)
    backup = path.with_name("settings.json.backup")
    assert app_values(decode(backup.read_bytes())) == {"load.n_ctx": 4096}


def test_unknown_entries_are_preserved_at_every_level(path: Path) -> None:
    path.write_text(
        '{"version": 7, "new": [1, {"a": null}], "settings": {"future.key": 1e5},'
        ' "models": {"m": {"future.key": "x"}, "other": {}}}',
        encoding="utf-8",
    )
    file = _loaded(path)
    file.change(N_CTX)
    file.change(Edit(key="load.n_ctx", value=512, model_id=ModelId("m")))
    file.change(Edit(key="load.n_ctx", model_id=ModelId("m")))
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "version": 7,
        "new": [1, {"a": None}],
        "settings": {"future.key": 1e5, "load.n_ctx": 4096},
        "models": {"m": {"future.key": "x"}, "other": {}},
    }


DAMAGE = {
    "empty": b"",
    "only spaces": b"  \n",
    "truncated": b'{"version": 1, "settings": {"load.n_c',
    "NUL bytes, as after a power cut": bytes(64),
    "not text": b"\xff\xfe\x80",
    "half a character": b'{"settings": {"a": "\\ud800"}}',
    "a list": b"[]",
    "settings of the wrong type": b'{"settings": []}',
    "models of the wrong type": b'{"models": {"m": 1}}',
    "a version that is no number": b'{"version": true}',
    "a version before the first": b'{"version": 0}',
    "nested deeper than it can be written": b'{"x": ' + b"[" * 60 + b"]" * 60 + b"}",
    "nested beyond all bounds": b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a number beyond all bounds": b'{"x": 1e999}',
    "an endless whole number": b'{"x": ' + b"9" * 10_000 + b"}",
    "far too large": b'{"x": "' + b"a" * SIZE_LIMIT + b'"}',
}


def kept(path: Path) -> tuple[Path, ...]:
    """The files that were set aside beside ``path``."""
    return kept_files(path.parent)


every_damage = pytest.mark.parametrize("content", DAMAGE.values(), ids=DAMAGE.keys())


@every_damage
def test_a_damaged_file_is_replaced_by_the_backup(path: Path, content: bytes) -> None:
    _with_two_changes(path)
    path.write_bytes(content)
    file = SettingsFile(path)
    problem = file.load()
    assert problem is not None
    assert (app_values(file.document), problem.restored) == ({"load.n_ctx": 4096}, f"{path}.backup")


@every_damage
def test_a_damaged_file_is_kept_as_it_was(path: Path, content: bytes) -> None:
    _with_two_changes(path)
    path.write_bytes(content)
    problem = SettingsFile(path).load()
    assert problem is not None
    assert problem.kept_as is not None
    assert Path(problem.kept_as).read_bytes() == content


def test_restored_values_are_there_at_the_next_start(path: Path) -> None:
    _with_two_changes(path)
    path.write_bytes(b"{")
    SettingsFile(path).load()
    assert app_values(_loaded(path).document) == {"load.n_ctx": 4096}


def test_without_a_backup_the_defaults_are_in_use(path: Path) -> None:
    path.write_bytes(b"{")
    file = SettingsFile(path)
    problem = file.load()
    assert problem is not None
    assert (app_values(file.document), str(problem)) == (
        {},
        "The settings file could not be read (it is not valid JSON). Defaults are used; "
        f"nothing was deleted: {kept(path)[0]}",
    )


def test_a_damaged_backup_is_no_backup(path: Path) -> None:
    _with_two_changes(path)
    path.write_bytes(b"{")
    path.with_name("settings.json.backup").write_bytes(b"{")
    problem = SettingsFile(path).load()
    assert problem is not None
    assert problem.restored is None


def test_damaged_files_do_not_replace_each_other(path: Path) -> None:
    for content in (b"{1", b"{2"):
        path.write_bytes(content)
        SettingsFile(path).load()
    assert sorted(each.read_bytes() for each in kept(path)) == [b"{1", b"{2"]


def test_a_file_damaged_while_running_is_kept_and_replaced(path: Path) -> None:
    file = _loaded(path)
    file.change(N_CTX)
    path.write_bytes(b"{")
    file.change(TOP_K)
    assert (
        app_values(_loaded(path).document),
        kept(path)[0].read_bytes(),
    ) == ({"load.n_ctx": 4096, "sampling.top_k": 5}, b"{")


def test_restoring_on_a_full_disk_leaves_the_damaged_file(path: Path) -> None:
    _with_two_changes(path)
    path.write_bytes(b"{")
    writer = FailingWriter()
    writer.is_full = True
    file = SettingsFile(path, write=writer)
    problem = file.load()
    assert problem is not None
    assert (app_values(file.document), path.read_bytes(), sorted(p.name for p in path.parent.iterdir())) == (
        {"load.n_ctx": 4096},
        b"{",
        ["settings.json", "settings.json.backup"],
    )


def test_a_byte_order_mark_is_ignored(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{"settings": {"load.n_ctx": 512}}')
    assert app_values(_loaded(path).document) == {"load.n_ctx": 512}


def test_a_full_disk_is_told(path: Path) -> None:
    writer = FailingWriter()
    writer.is_full = True
    with pytest.raises(SettingsUnwritable) as caught:
        SettingsFile(path, write=writer).change(N_CTX)
    assert str(caught.value) == f"Saving the settings to {path} failed: No space left on device"


def test_what_a_full_disk_refused_is_written_with_the_next_change(path: Path) -> None:
    writer = FailingWriter()
    file = SettingsFile(path, write=writer)
    file.change(Edit(key="load.n_batch", value=64))
    writer.is_full = True
    with pytest.raises(SettingsUnwritable):
        file.change(N_CTX)
    writer.is_full = False
    file.change(TOP_K)
    assert app_values(_loaded(path).document) == {
        "load.n_batch": 64,
        "load.n_ctx": 4096,
        "sampling.top_k": 5,
    }


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    file = SettingsFile(tmp_path / "file" / "settings.json")
    file.load()
    with pytest.raises(SettingsUnwritable):
        file.change(N_CTX)


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="needs permissions, which this user is above"
)
def test_a_read_only_folder_is_reported(path: Path) -> None:
    file = _loaded(path)
    path.parent.chmod(0o500)
    try:
        with pytest.raises(SettingsUnwritable):
            file.change(N_CTX)
    finally:
        path.parent.chmod(0o700)


def test_a_file_that_cannot_be_read_is_never_overwritten(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    path.write_bytes(b"mine")
    monkeypatch.setattr("fireside.settings.file.read_regular_file", refuse)
    file = SettingsFile(path)
    assert file.load() is not None
    with pytest.raises(SettingsUnwritable):
        file.change(N_CTX)
    assert path.read_bytes() == b"mine"


def test_what_is_no_file_is_set_aside(path: Path) -> None:
    """A folder in its place; the same holds for pipes and devices, which are never waited for."""
    path.mkdir()
    (path / "mine").write_bytes(b"mine")
    file = SettingsFile(path)
    assert file.load() is not None
    file.change(N_CTX)
    assert (app_values(_loaded(path).document), kept(path)[0].joinpath("mine").read_bytes()) == (
        {"load.n_ctx": 4096},
        b"mine",
    )


def test_a_link_to_a_device_does_not_replace_the_device(path: Path) -> None:
    _with_two_changes(path)
    path.unlink()
    path.symlink_to(os.devnull)
    file = SettingsFile(path)
    assert file.load() is not None
    assert (app_values(file.document), Path(os.devnull).is_file()) == ({"load.n_ctx": 4096}, False)


def test_two_programs_do_not_lose_each_others_changes(path: Path) -> None:
    one, two = _loaded(path), _loaded(path)
    one.change(N_CTX)
    two.change(TOP_K)
    assert app_values(_loaded(path).document) == {"load.n_ctx": 4096, "sampling.top_k": 5}


def test_the_later_of_two_programs_wins_a_key(path: Path) -> None:
    one, two = _loaded(path), _loaded(path)
    one.change(N_CTX)
    two.change(Edit(key="load.n_ctx", value=512))
    one.change(TOP_K)
    assert app_values(_loaded(path).document)["load.n_ctx"] == 512


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.json"
    SettingsFile(path).change(N_CTX)
    assert [oct(p.stat().st_mode & 0o777) for p in (path, path.parent)] == ["0o600", "0o700"]


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a privilege there")
def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "fireside.json"
    real.parent.mkdir()
    real.write_text("{}", encoding="utf-8")
    path.symlink_to(real)
    SettingsFile(path).change(N_CTX)
    assert (path.is_symlink(), app_values(decode(real.read_bytes()))) == (True, {"load.n_ctx": 4096})


def test_leftovers_of_killed_writers_are_swept(path: Path) -> None:
    old, new = (path.with_name(f".settings.json.{name}.tmp") for name in ("old", "new"))
    for leftover in (old, new):
        leftover.write_bytes(b"{")
    os.utime(old, (0, 0))
    _loaded(path)
    assert (old.exists(), new.exists()) == (False, True)


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_process_killed_at_any_step_leaves_the_old_file_whole(
    path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = _loaded(path)
    file.change(N_CTX)
    before = path.read_bytes()

    def killed(*args: object) -> None:
        raise Killed

    monkeypatch.setattr(os if step == "fsync" else Path, step, killed)
    with pytest.raises(Killed):
        file.change(TOP_K)
    monkeypatch.undo()
    assert path.read_bytes() == before


WRITER = """
import sys
from pathlib import Path
from fireside.settings.document import Edit
from fireside.settings.file import SettingsFile

file = SettingsFile(Path(sys.argv[1]))
file.load()
n = 0
while True:
    n += 1
    file.change(Edit(key="chat.system_prompt", value=f"{n} " * 20_000))
    print(n, flush=True)
"""


def test_a_process_killed_at_a_random_moment_leaves_a_whole_file(path: Path) -> None:
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            for _ in range(3):
                child.stdout.readline()
            child.kill()
        prompt = app_values(_loaded(path).document)["chat.system_prompt"]
        assert isinstance(prompt, str)
        assert prompt == f"{prompt.split()[0]} " * 20_000


def _renamed(document: Document) -> Document:
    values = dict(app_values(document))
    values["load.n_ctx"] = values.pop("context")
    return {**document, "settings": values}


def _doubled(document: Document) -> Document:
    n_ctx = app_values(document)["load.n_ctx"]
    assert isinstance(n_ctx, int)
    return {**document, "settings": {"load.n_ctx": n_ctx * 2}}


MIGRATIONS = (_renamed, _doubled)


@pytest.mark.parametrize(
    ("content", "n_ctx"),
    [
        (b'{"settings": {"context": 512}}', 1024),
        (b'{"version": 1, "settings": {"context": 512}}', 1024),
        (b'{"version": 2, "settings": {"load.n_ctx": 512}}', 1024),
        (b'{"version": 3, "settings": {"load.n_ctx": 512}}', 512),
        (b'{"version": 4, "settings": {"load.n_ctx": 512}}', 512),
    ],
)
def test_a_document_is_migrated_from_its_version_on(content: bytes, n_ctx: int) -> None:
    assert app_values(decode(content, migrations=MIGRATIONS)) == {"load.n_ctx": n_ctx}


def test_a_migrated_document_is_written_with_its_new_version(path: Path) -> None:
    path.write_bytes(b'{"settings": {"context": 512}}')
    file = SettingsFile(path, migrations=MIGRATIONS)
    file.load()
    file.change(TOP_K)
    assert json.loads(path.read_bytes()) == {
        "version": 3,
        "settings": {"load.n_ctx": 1024, "sampling.top_k": 5},
    }


def test_a_models_last_value_leaves_no_trace(path: Path) -> None:
    file = _loaded(path)
    file.change(Edit(key="load.n_ctx", value=512, model_id=ModelId("m")))
    file.change(Edit(key="load.n_ctx", model_id=ModelId("m")))
    assert json.loads(path.read_bytes()) == {"version": 1, "models": {}}


def test_a_newer_version_keeps_its_number(path: Path) -> None:
    path.write_bytes(b'{"version": 9}')
    file = _loaded(path)
    file.change(N_CTX)
    assert json.loads(path.read_bytes())["version"] == 9


def test_a_migration_that_fails_is_damage() -> None:
    with pytest.raises(DocumentDamaged, match="could not be updated"):
        decode(b'{"settings": {}}', migrations=MIGRATIONS)


@given(
    content=st.binary(max_size=200)
    | st.text(alphabet='{}[]":,\\u0d8eE+-.1tfn settingsmodelv', max_size=60).map(str.encode)
)
def test_any_bytes_are_a_document_that_can_be_written_back_or_damage(content: bytes) -> None:
    try:
        document = decode(content)
    except DocumentDamaged:
        return
    assert decode(encode(document)) == document


@given(
    edits=st.lists(
        st.tuples(
            st.sampled_from(["a", "b"]),
            st.none() | st.sampled_from(["m", "n"]),
            st.none() | st.integers() | st.text() | st.lists(st.text()).map(tuple),
        )
    )
)
def test_edits_hold_across_text(
    edits: list[tuple[str, str | None, int | str | tuple[str, ...] | None]],
) -> None:
    from fireside.settings.document import apply, empty

    document = empty()
    expected: dict[tuple[str | None, str], object] = {}
    for key, model, value in edits:
        document = apply(
            document, Edit(key=key, value=value, model_id=None if model is None else ModelId(model))
        )
        expected[model, key] = list(value) if isinstance(value, tuple) else value
    again = decode(encode(document))
    outcome = {
        (model, key): value
        for model in (None, "m", "n")
        for key, value in (
            app_values(again) if model is None else model_values(again, ModelId(model))
        ).items()
    }
    assert outcome == expected
