"""Stores for tests: a clock that a test turns, and what is often said in a conversation."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from fireside.core.chat import GenerationRecord, StoredMessage
from fireside.core.ids import ConversationId, DraftId, ModelId
from fireside.core.message import ChatMessage, Role, text_message
from fireside.storage.store import Store, StoredTurn

RECORD = GenerationRecord(model_id=ModelId("maker/model:Q4"), model_name="Model")
Dump = tuple[tuple[str, tuple[tuple[object, ...], ...]], ...]
"""Every table with every row."""


def question(text: str = "Why is the sky blue?") -> ChatMessage:
    return text_message(Role.USER, text)


def answer(text: str) -> ChatMessage:
    return text_message(Role.ASSISTANT, text)


async def send(
    store: Store, text: str = "hello", *, to: ConversationId | None = None, draft_id: DraftId | None = None
) -> StoredTurn:
    return await store.messages.add_turn(
        to, title="A title", message=question(text), generation=RECORD, draft_id=draft_id
    )


def texts(messages: tuple[StoredMessage, ...]) -> list[str]:
    return [stored.message.text for stored in messages]


def dump(connection: apsw.Connection) -> Dump:
    """Return the version and all contents, whatever the layout of the pages and however far the index is."""
    version = connection.execute("PRAGMA user_version").fetchall()
    tables = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
        "AND name NOT LIKE 'search_%' ORDER BY name"
    ).fetchall()
    return (
        ("user_version", tuple(version)),
        *(
            (str(name), tuple(connection.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2').fetchall()))
            for (name,) in tables
        ),
    )


def dump_file(path: Path) -> Dump:
    """Return the contents of a database that no process has open; it must be sound."""
    connection = apsw.Connection(str(path))
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return dump(connection)
    finally:
        connection.close()


def names(folder: Path) -> list[str]:
    """Return the names of all files and folders in ``folder``, sorted."""
    return sorted(entry.name for entry in folder.iterdir())


def modes(folder: Path) -> dict[str, int]:
    """Return the mode of each file in ``folder`` and, as ``.``, its own."""
    return {
        ".": folder.stat().st_mode & 0o777,
        **{file.name: file.stat().st_mode & 0o777 for file in folder.iterdir() if file.is_file()},
    }


def set_mode(path: Path, mode: int) -> None:
    path.chmod(mode)


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Give a folder in memory where the system has one: for tests whose own disk is simulated."""
    in_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=in_memory if in_memory.is_dir() else None) as folder:
        yield Path(folder)
