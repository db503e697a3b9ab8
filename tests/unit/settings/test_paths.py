"""Everything lives where the system wants it, or where the user said."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.settings.paths import Paths, locate, resources_folder


def _all(paths: Paths) -> list[Path]:
    return [getattr(paths, name) for name in Paths.__struct_fields__]


def test_the_home_variable_moves_everything(tmp_path: Path) -> None:
    paths = _all(locate({"FIRESIDE_HOME": str(tmp_path / "portable")}))
    assert all(path.is_relative_to(tmp_path / "portable") for path in paths)


def test_by_default_everything_is_in_the_users_home(own_home: Path) -> None:
    assert all(path.is_relative_to(own_home) for path in _all(locate({})))


def test_every_path_is_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert all(path.is_absolute() for path in _all(locate({"FIRESIDE_HOME": "here"})))


def test_nothing_is_created(own_home: Path) -> None:
    locate({})
    assert list(own_home.iterdir()) == []


def test_a_data_folder_takes_the_data_along_and_leaves_the_settings(tmp_path: Path) -> None:
    usual, moved = locate({}), locate({}, data=str(tmp_path))
    assert (moved.database_file, moved.models_folder, moved.settings_file) == (
        tmp_path / "fireside.db",
        tmp_path / "models",
        usual.settings_file,
    )


def test_a_model_folder_moves_alone(tmp_path: Path) -> None:
    usual, moved = locate({}), locate({}, models=str(tmp_path))
    assert (moved.models_folder, moved.database_file) == (tmp_path, usual.database_file)


def test_a_checkout_has_its_resources_beside_the_code(tmp_path: Path) -> None:
    (tmp_path / "resources").mkdir()
    assert resources_folder(tmp_path / "app" / "fireside") == tmp_path / "resources"


def test_an_installed_package_holds_its_resources(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "fireside"
    (tmp_path / "resources").mkdir()
    assert resources_folder(package) == package / "_resources"
