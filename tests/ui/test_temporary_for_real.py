"""A temporary chat leaves nothing on the disk: real window, engine, runner and model, every file read."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program, until
from fireside.core.ids import ModelId, is_temporary
from fireside.runner.prompt_cache.file_format import read_header
from fireside.settings.paths import locate

NAME: Final = "quibbleworth-ledger"
NOTE: Final = "The zanderfloot of the harbour counts its wrumbling barrels twice each morning."
MESSAGE: Final = "What does the zyxomat of Krummelbach drink with its vorpinal breakfast on Tuesdays?"
DRAFT: Final = "an unsent thought about the mulgravian plumtrifle"
QUEUED: Final = "and which frondelume would it have instead?"
SEARCHED: Final = ("quibbleworth", "zanderfloot", "zyxomat", "vorpinal", "plumtrifle", "frondelume")
SETTINGS: Final = ("sampling.max_tokens=120", "sampling.temperature=0")


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files of the program and its processes."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    for variable in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(variable, str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


async def chat(program: Program, note: Path) -> str:
    """Attach, ask, queue another question meanwhile, leave a draft; return the first answer."""
    pane = program.window.chat
    pane.attachments.add_files([str(note)])
    await until(lambda: bool(pane.attachments.parts))
    program.type(MESSAGE)
    pane.send_controller.send(pane.composer.text())
    await until(lambda: pane.is_running)
    await program.client.generations.send(pane.conversation_id, text=QUEUED, model_id=model_of(program))
    await until(lambda: len(pane.transcript.entries) == 4 and not pane.is_running)
    program.type(DRAFT)
    pane.flush_drafts()
    await program.window.context.tasks.wait_until_idle()
    return pane.transcript.entries[1].message.message.text


def model_of(program: Program) -> ModelId:
    model_id = program.window.conversations.model_id
    assert model_id is not None
    return model_id


def contents(*folders: Path) -> dict[Path, bytes]:
    """Return what is in every file of these folders."""
    files = (path for folder in folders for path in folder.rglob("*"))
    return {path: path.read_bytes().lower() for path in files if path.is_file() and not path.is_symlink()}


def found(texts: tuple[str, ...], files: dict[Path, bytes]) -> dict[str, list[str]]:
    """Return the names of the files in which each text is, in either encoding."""
    return {
        text: [
            path.name
            for path, data in files.items()
            if any(text.lower().encode(encoding) in data for encoding in ("utf-8", "utf-16-le"))
        ]
        for text in texts
    }


def test_a_temporary_chat_is_in_no_file(
    qapp: QApplication, own_home: Path, tmp_path: Path, scratch: Path
) -> None:
    home, note = own_home / "fireside", tmp_path / f"{NAME}.txt"
    note.write_text(NOTE * 4)
    texts: list[str] = []
    while_open: dict[Path, bytes] = {}
    with running_program(qapp, home=home, settings=SETTINGS) as program:

        async def temporarily() -> None:
            await program.ready()
            program.window.conversations.temporary_chat()
            await until(lambda: is_temporary(program.window.conversations.conversation_id))
            answer = await chat(program, note)
            texts.extend((*SEARCHED, answer[:40], answer[-40:]))
            while_open.update(contents(home, scratch))
            program.window.conversations.leave(lambda: None)
            program.window.conversations.sheet.close_chat.click()
            await until(lambda: program.window.conversations.conversation_id is None)

        program.run(temporarily)
    after = contents(home, scratch)
    assert {text: files for text, files in found(tuple(texts), while_open | after).items() if files} == {}
    assert not [path for path in after if path.suffix == ".state"]
    with running_program(qapp, home=home, settings=SETTINGS) as program:

        async def as_usual() -> None:
            await program.ready()
            answer = await chat(program, note)
            assert [answer[:40], answer[-40:]] == texts[-2:]

        program.run(as_usual)
    # The same search finds the same texts of any other chat, and its tokens.
    usual = contents(home, scratch)
    assert all(found(tuple(texts), usual).values())
    states = list(locate({"FIRESIDE_HOME": str(home)}).states_folder.glob("*.state"))
    assert states
    for path in states:
        with path.open("rb") as stream:
            tokens = read_header(stream, n_file_bytes=path.stat().st_size).token_array
        middle = tokens[len(tokens) // 3 :][:12].astype("<i4").tobytes()
        assert any(middle in data for data in (p.read_bytes() for p in states))
        assert not any(middle.lower() in data for data in (while_open | after).values())
