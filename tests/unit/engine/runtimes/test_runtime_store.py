"""Added runtimes, their history, and which one a runner uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.raised import refuses
from fakes.runtimes import runtime_folder
from fireside.core.errors import RuntimeNotAdded
from fireside.core.runtime import BUILT_IN, RuntimeState, RuntimeTest
from fireside.engine.runtimes.runner_spawner import with_runtime
from fireside.engine.runtimes.runtime_history import CRASH_LIMIT, HISTORY_NAME
from fireside.engine.runtimes.runtime_store import RuntimeStore

WORKS = RuntimeTest(works=True, tested_at_s=1.0)
FAILS = RuntimeTest(works=False, reason="It crashed.", tested_at_s=1.0)


@pytest.fixture
def store(tmp_path: Path) -> RuntimeStore:
    return RuntimeStore(tmp_path / "runtimes")


def added(store: RuntimeStore, source: Path) -> str:
    with store.unpacked(source, on_progress=lambda _done, _total: None) as new:
        return store.add(new, source=source, llama_cpp="0.5.0-dev", binding="0.3.36").name


def test_an_added_runtime_is_listed_as_untested_and_not_used(store: RuntimeStore, tmp_path: Path) -> None:
    name = added(store, runtime_folder(tmp_path / "My Build"))

    (runtime,) = store.runtimes()
    assert (runtime.name, runtime.state, runtime.backends) == (name, RuntimeState.UNTESTED, ("CPU",))
    assert name == "my-build"
    assert store.usable_folder(name) is None


def test_only_a_tested_runtime_is_used(store: RuntimeStore, tmp_path: Path) -> None:
    name = added(store, runtime_folder(tmp_path / "one"))
    store.note_test(name, WORKS)
    assert store.usable_folder(name) == store.folder / "one"
    store.note_test(name, FAILS)
    assert store.usable_folder(name) is None


def test_a_second_runtime_with_the_same_name_gets_another_name(store: RuntimeStore, tmp_path: Path) -> None:
    assert [added(store, runtime_folder(tmp_path / str(n) / "one")) for n in range(2)] == ["one", "one-2"]
    assert added(store, runtime_folder(tmp_path / BUILT_IN)) != BUILT_IN


def test_a_folder_with_a_common_name_is_named_by_its_parent(store: RuntimeStore, tmp_path: Path) -> None:
    assert added(store, runtime_folder(tmp_path / "llama-b9999" / "bin")) == "llama-b9999"


def test_a_runtime_that_is_not_added_leaves_no_files(store: RuntimeStore, tmp_path: Path) -> None:
    with store.unpacked(runtime_folder(tmp_path / "one"), on_progress=lambda _done, _total: None) as new:
        assert new.is_dir()
    assert not list(store.folder.iterdir())


def test_a_library_that_is_missing_is_named(store: RuntimeStore, tmp_path: Path) -> None:
    source = runtime_folder(tmp_path / "one")
    for file in source.glob("libmtmd*"):
        file.unlink()
    with pytest.raises(RuntimeNotAdded, match="mtmd"):
        added(store, source)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"MZ".ljust(60, b"\0") + b"\x40\0\0\0" + b"PE\0\0\x64\x86", "Windows"),
        (b"\xcf\xfa\xed\xfe\x0c\0\0\x01", "macOS"),
        (b"\x7fELF\x02\x01".ljust(18, b"\0") + b"\xf3\x00", "riscv64"),
        (b"#!/bin/sh", "is not a library"),
    ],
)
def test_libraries_of_another_system_are_refused(
    store: RuntimeStore, tmp_path: Path, head: bytes, words: str
) -> None:
    source = runtime_folder(tmp_path / "one")
    (source / "libggml-cpu.so").unlink()
    (source / "libggml-cpu.so").write_bytes(head)
    with pytest.raises(RuntimeNotAdded, match=words):
        added(store, source)


def test_a_manifest_with_other_digests_is_refused(store: RuntimeStore, tmp_path: Path) -> None:
    name = added(store, runtime_folder(tmp_path / "one"))
    exported = runtime_folder(tmp_path / "two")
    (exported / "runtime.json").write_bytes((store.folder / name / "runtime.json").read_bytes())
    (exported / "LICENSE").write_text("another text")
    with pytest.raises(RuntimeNotAdded, match="damaged"):
        added(store, exported)


def test_a_file_that_changed_later_is_found(store: RuntimeStore, tmp_path: Path) -> None:
    name = added(store, runtime_folder(tmp_path / "one"))
    assert store.changed_file(name) is None
    (store.folder / name / "libmtmd.so").unlink()
    (store.folder / name / "libmtmd.so").write_bytes(b"other")
    assert store.changed_file(name) == "libmtmd.so"


def test_the_built_in_runtime_cannot_be_removed(store: RuntimeStore) -> None:
    with refuses("runtime_refused"):
        store.remove(BUILT_IN)


def test_a_removed_runtime_is_deleted_with_its_history(store: RuntimeStore, tmp_path: Path) -> None:
    name = added(store, runtime_folder(tmp_path / "one"))
    store.note_test(name, WORKS)
    store.remove(name)
    assert store.runtimes() == ()
    assert name not in store.history().tests
    with refuses("runtime_not_found"):
        store.find(name)


def test_a_runtime_that_always_crashes_at_start_is_disabled(store: RuntimeStore, tmp_path: Path) -> None:
    name = added(store, runtime_folder(tmp_path / "one"))
    store.note_test(name, WORKS)
    for _ in range(CRASH_LIMIT - 1):
        store.update_history(lambda history: history.with_crash(name))
    assert store.usable_folder(name) is not None
    marks = store.update_history(lambda history: history.with_crash(name))
    assert store.usable_folder(name) is None
    assert name in marks.note


def test_a_successful_start_clears_earlier_crashes(store: RuntimeStore, tmp_path: Path) -> None:
    name = added(store, runtime_folder(tmp_path / "one"))
    store.note_test(name, WORKS)
    for _ in range(CRASH_LIMIT):
        store.update_history(lambda history: history.with_crash(name))
        store.update_history(lambda history: history.with_start(name))
    assert store.usable_folder(name) is not None


@pytest.mark.parametrize("name", ["../elsewhere", "/etc", "a/b", ".", "..", ""])
def test_a_name_never_leads_outside_the_folder(store: RuntimeStore, tmp_path: Path, name: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    store.folder.mkdir()
    store.update_history(lambda history: history.with_test(name, WORKS))
    assert store.usable_folder(name) is None


def test_a_damaged_history_counts_as_empty(store: RuntimeStore, tmp_path: Path) -> None:
    name = added(store, runtime_folder(tmp_path / "one"))
    (store.folder / HISTORY_NAME).write_bytes(b"{")
    assert store.find(name).state is RuntimeState.UNTESTED


def test_both_libraries_are_loaded_from_the_runtimes_folder() -> None:
    environment = with_runtime({"PATH": "/bin"}, folder=Path("/data/one"))
    assert environment["LLAMA_CPP_LIB_PATH"] == environment["MTMD_CPP_LIB"] == str(Path("/data/one"))
    assert with_runtime({"PATH": "/bin"}, folder=None) == {"PATH": "/bin"}
