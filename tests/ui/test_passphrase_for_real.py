"""With a passphrase nothing of what a user wrote can be read in the data folder: the real program, whole."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program, until
from fakes.unsent_draft_program import PAUSE_S
from fireside.files.sealed_file import MAGIC
from fireside.main.startup_context import load_context
from fireside.services.data_lock import DataLock

SETTINGS = ("sampling.max_tokens=12", "load.n_ctx=1024", "load.n_seq_max=1")
WORD = "correct horse"
CHAT, TITLE, ATTACHED, DOCUMENT, DRAFT, ATTACHED_TO_DRAFT = TEXTS = (
    "zanzibarmarmalade",
    "quaggatitle",
    "axolotlattachment",
    "wombatdocument",
    "narwhaldraft",
    "okapiunsent",
)


def found(home: Path) -> dict[str, set[str]]:
    """Return the texts, and the files where each can be read."""
    places: dict[str, set[str]] = {}
    for path in home.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for text in TEXTS:
                if any(each in content for each in (text.encode(), text.encode("utf-16-le"))):
                    places.setdefault(text, set()).add(path.name)
    return places


@pytest.mark.parametrize("passphrase", ["", WORD], ids=["plain", "encrypted"])
def test_what_can_be_read_in_the_data_folder(
    qapp: QApplication, own_home: Path, tmp_path: Path, starter_model_path: Path, passphrase: str
) -> None:
    """The first of the two shows that the search finds what is there."""
    assert starter_model_path.exists()
    home = own_home / "fireside"
    if passphrase:
        lock = load_context({"FIRESIDE_HOME": str(home)}, command_line={}).lock
        DataLock(lock._places, cost=2**14).set_up(passphrase)
        lock.unlock(passphrase)
        lock.finish()
    for name in (ATTACHED, DOCUMENT, ATTACHED_TO_DRAFT):
        (tmp_path / f"{name}.txt").write_text(f"This is about {name}.\n" * 30)
    while_running: dict[str, set[str]] = {}
    with running_program(qapp, home=home, settings=SETTINGS, passphrase=passphrase) as program:
        program.run(lambda: use(program, tmp_path, while_running, home))
    after = found(home)
    states = [path.read_bytes()[:8] for path in (home / "cache" / "states").glob("*.state")]
    assert states
    assert all((start == MAGIC) is bool(passphrase) for start in states)
    if passphrase:
        assert while_running == after == {}
        return
    assert set(while_running) | set(after) == set(TEXTS)
    assert {"fireside.db", "collections.db"} <= set().union(*after.values())
    assert any(name.endswith("by-hand.db") for name in set().union(*after.values()))


async def use(program: Program, folder: Path, places: dict[str, set[str]], home: Path) -> None:
    """Chat with an attachment, name the chat, index a document, back up, and leave a draft."""
    client, chat = program.client, program.window.chat
    await program.ready()
    collection = await client.collections.create(name=DOCUMENT, roots=(str(folder / f"{DOCUMENT}.txt"),))
    program.type(CHAT)
    chat.attachments.add_files([str(folder / f"{ATTACHED}.txt")])
    while True:
        if any(draft.attached for draft in (await client.snapshot()).new_drafts):
            break
        await asyncio.sleep(PAUSE_S)
    await program.send()
    await until(lambda: not chat.is_running)
    conversation_id = chat.conversation_id
    assert conversation_id is not None
    await client.conversations.rename(conversation_id, title=TITLE)
    await client.backups.back_up()
    program.type(DRAFT)
    chat.attachments.add_files([str(folder / f"{ATTACHED_TO_DRAFT}.txt")])
    while True:
        state = await client.collections.state(collection.id)
        stored = await client.conversations.open(conversation_id)
        if state.n_searchable == 1 and stored.draft == DRAFT and stored.attached:
            break
        await asyncio.sleep(PAUSE_S)
    places.update(found(home))
