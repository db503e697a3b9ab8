"""A library on a disconnected drive differs from one that the user emptied."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fakes.gguf_files import model_file
from fakes.library_harness import LibraryHarness
from fakes.raised import refuses


@pytest.fixture
def mounted(harness: LibraryHarness) -> LibraryHarness:
    """Return a place whose library folder was scanned with a model in it."""
    harness.write("models/acme/tiny-GGUF/tiny-Q4_0.gguf")
    assert harness.library().writable_folder() == harness.models
    (entry,) = harness.library().scan()
    assert entry.spec is not None
    return harness


def unplug(harness: LibraryHarness, *, leaves_mount_point: bool) -> Path:
    elsewhere = harness.root / "drive"
    harness.models.rename(elsewhere)
    if leaves_mount_point:
        harness.models.mkdir()
    return elsewhere


@pytest.mark.parametrize("leaves_mount_point", [True, False])
def test_models_of_a_disconnected_drive_stay_listed(
    mounted: LibraryHarness, *, leaves_mount_point: bool
) -> None:
    drive = unplug(mounted, leaves_mount_point=leaves_mount_point)
    library = mounted.library()
    folder, model = sorted(library.scan(), key=lambda entry: len(entry.path))
    assert folder.path == str(mounted.models)
    assert folder.problem is not None
    assert "Connect its drive" in folder.problem
    assert (model.file_name, model.problem) == ("tiny-Q4_0.gguf", "Its drive is not connected.")
    assert folder.is_disconnected
    assert model.is_disconnected
    with refuses("library_folder_away", match="was not found"):
        library.writable_folder()
    assert not mounted.models.exists() or list(mounted.models.iterdir()) == []

    if leaves_mount_point:
        mounted.models.rmdir()
    drive.rename(mounted.models)
    assert library.has_changed()
    (entry,) = library.scan()
    assert entry.spec is not None
    assert library.writable_folder() == mounted.models


def test_a_drive_disconnected_at_run_time_is_noticed(mounted: LibraryHarness) -> None:
    library = mounted.library()
    library.scan()
    unplug(mounted, leaves_mount_point=True)
    assert library.has_changed()
    assert [entry.problem for entry in library.scan() if entry.size_bytes] == ["Its drive is not connected."]


def test_an_emptied_library_is_not_disconnected(mounted: LibraryHarness) -> None:
    shutil.rmtree(mounted.models / "acme")
    library = mounted.library()
    assert library.scan() == ()
    assert library.writable_folder() == mounted.models


def test_deleted_models_are_not_listed_when_the_drive_is_disconnected(mounted: LibraryHarness) -> None:
    mounted.write("models/acme/other-GGUF/other-Q4_0.gguf")
    mounted.library().scan()
    shutil.rmtree(mounted.models / "acme" / "tiny-GGUF")
    mounted.library().scan()
    unplug(mounted, leaves_mount_point=False)
    names = [entry.file_name for entry in mounted.library().scan()]
    assert sorted(names) == ["models", "other-Q4_0.gguf"]


def test_the_default_folder_is_never_disconnected(harness: LibraryHarness) -> None:
    usual = harness.root / "data" / "models"
    model_file().write(usual / "acme/tiny-GGUF/tiny-Q4_0.gguf")
    library = harness.library()
    library.set_folder(usual)
    assert len(library.scan()) == 1
    shutil.rmtree(usual)
    assert library.scan() == ()
    assert library.writable_folder() == usual


def test_a_missing_added_path_is_disconnected_and_an_unreadable_one_is_not(
    harness: LibraryHarness,
) -> None:
    harness.write("elsewhere/tiny-Q4_0.gguf")
    missing = [harness.root / name for name in ("usb", "usb.gguf")]
    entries = harness.library(*missing, harness.root / "elsewhere").scan()
    assert {entry.file_name: entry.is_disconnected for entry in entries} == {
        "usb": True,
        "usb.gguf": True,
        "tiny-Q4_0.gguf": False,
    }
