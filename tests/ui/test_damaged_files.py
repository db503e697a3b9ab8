"""A window over damaged files and failing services says what is wrong, and shows all the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from fakes.program import running_program, until
from fakes.used_home import use_program
from fireside.files.json_file import DAMAGED_MARK
from fireside.services.engines import EngineService
from fireside.storage.conversations import ConversationRepository as StoredConversations


@pytest.fixture
def home(own_home: Path, starter_model_path: Path) -> Path:
    home = own_home / "fireside"
    use_program(home)
    return home


def shown(
    application: QApplication, home: Path, *, when: Callable[[str], bool]
) -> tuple[str, str, bool, list[str]]:
    """Return the notices of a window, what its sidebar says, whether it has a model, and the buttons."""
    with running_program(application, home=home) as program:
        area = program.window.notices._area
        program.run(lambda: until(lambda: when("\n".join(area.texts))))
        buttons = [button.text() for button in area.findChildren(QPushButton)]
        sidebar = program.window.sidebar._empty_label.text()
        program.run(lambda: asyncio.sleep(0))
        return "\n".join(area.texts), sidebar, bool(program.window.models.local), buttons


def test_damaged_files_are_named_and_models_are_there(qapp: QApplication, home: Path) -> None:
    for name in ("engines.json", "model-ids.json", "library.json"):
        path = home / "data" / name
        path.write_bytes(path.read_bytes().replace(b'"', b'"\xff', 1))
    state = home / "config" / "state.json"
    state.write_bytes(b'{"geometry": "\xff"}')
    texts, _, has_model, _ = shown(qapp, home, when=lambda texts: "library.json" in texts)
    assert has_model
    for name in ("engines.json", "model-ids.json", "library.json"):
        assert f"{name}{DAMAGED_MARK}" in texts
    assert "state.json" not in texts


def test_one_service_that_fails_does_not_silence_the_others(
    qapp: QApplication, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(EngineService, "start", fail)
    texts, _, has_model, _ = shown(qapp, home, when=lambda texts: "KeyError" in texts)
    assert has_model
    assert "Model servers" in texts


def test_chats_that_cannot_be_read_are_not_none(
    qapp: QApplication, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(StoredConversations, "all", fail)
    _, sidebar, has_model, _ = shown(qapp, home, when=lambda texts: "The list of chats" in texts)
    assert (sidebar, has_model) == ("Chats not available", True)


def test_an_engine_that_cannot_be_built_is_said(
    qapp: QApplication, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("fakes.program.build_app", fail)
    texts, sidebar, _, _ = shown(qapp, home, when=lambda texts: "RuntimeError" in texts)
    assert (sidebar, "Nothing was deleted" in texts) == ("Chats not available", True)


def test_a_damaged_database_names_its_backup(qapp: QApplication, home: Path) -> None:
    (home / "data" / "fireside.db").write_bytes(b"this was never a database" * 100)
    _, sidebar, _, buttons = shown(qapp, home, when=lambda texts: "There is a backup of" in texts)
    assert sidebar == "Chats not available"
    assert "Restore backup…" in buttons
