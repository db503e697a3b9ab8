"""The program starts with any damaged or newer file, and reports the problem."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from fireside.chat.app import App
from fireside.core.errors import NextStep
from fireside.core.events import AppEvent, Snapshot
from fireside.core.ids import DraftId
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context


def started(
    home: Path,
    scenario: Callable[[App], Awaitable[None]] | None = None,
    *,
    database: Path,
    persistence: Persistence = Persistence.AS_OWNER,
) -> Snapshot:
    """Build the program with ``database``, do ``scenario``, and return what a window would be shown."""

    async def run() -> Snapshot:
        events: list[AppEvent] = []
        context = load_context({"FIRESIDE_HOME": str(home)}, command_line={})
        paths = replace(context.paths, database_file=database)
        app = await build_app(replace(context, paths=paths), emit=events.append, persistence=persistence)
        try:
            if scenario is not None:
                await scenario(app)
            return await app.snapshot()
        finally:
            await app.close()

    return asyncio.run(run())


async def keep_a_draft(app: App) -> None:
    await app.conversations.save_draft(DraftId("new"), text="kept")


def test_a_first_start_has_the_starter_model_and_no_problem(tmp_path: Path, starter_model_path: Path) -> None:
    snapshot = started(tmp_path, database=tmp_path / "data" / "fireside.db")
    assert snapshot.problem is None
    assert snapshot.default_model == "SmolLM2-135M-Instruct.Q4_1"


def test_a_data_folder_that_cannot_be_made_gives_a_session_in_memory(
    tmp_path: Path, starter_model_path: Path
) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    snapshot = started(tmp_path, keep_a_draft, database=tmp_path / "data" / "fireside.db")
    assert snapshot.problem is not None
    assert snapshot.problem.next_step is NextStep.CHOOSE_DATA_FOLDER
    assert [draft.text for draft in snapshot.new_drafts] == ["kept"]


def test_a_damaged_database_is_not_changed(tmp_path: Path, starter_model_path: Path) -> None:
    database = tmp_path / "fireside.db"
    database.write_bytes(b"this was never a database" * 100)
    before = database.read_bytes()
    snapshot = started(tmp_path, keep_a_draft, database=database)
    assert snapshot.problem is not None
    assert snapshot.problem.code == "storage_damaged"
    assert database.read_bytes() == before


def test_a_newer_database_is_read_and_not_changed(tmp_path: Path, starter_model_path: Path) -> None:
    database = tmp_path / "fireside.db"
    started(tmp_path, keep_a_draft, database=database)
    connection = apsw.Connection(str(database))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    snapshot = started(tmp_path, database=database)
    assert snapshot.problem is not None
    assert snapshot.problem.code == "storage_read_only"
    assert len(snapshot.new_drafts) == 1


@pytest.mark.parametrize(
    ("persistence", "n_drafts"),
    [(Persistence.AS_OWNER, 1), (Persistence.AS_GUEST, 0)],
    ids=["window", "chat"],
)
def test_a_database_that_cannot_be_written_is_read_by_the_window(
    tmp_path: Path,
    starter_model_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    persistence: Persistence,
    n_drafts: int,
) -> None:
    database = tmp_path / "fireside.db"
    started(tmp_path, keep_a_draft, database=database)

    def refuse(_path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("fireside.storage.database_opening.make_private_file", refuse)
    snapshot = started(tmp_path, database=database, persistence=persistence)
    assert snapshot.problem is not None
    assert snapshot.problem.code == "storage_write_protected"
    # A chat in the terminal goes on in memory.
    assert len(snapshot.new_drafts) == n_drafts


def test_a_database_that_another_program_holds_gives_a_session_in_memory(
    tmp_path: Path, starter_model_path: Path
) -> None:
    database = tmp_path / "fireside.db"
    started(tmp_path, keep_a_draft, database=database)
    holder = apsw.Connection(str(database))
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    snapshot = started(tmp_path, database=database)
    holder.close()
    assert snapshot.problem is not None
    assert snapshot.problem.code == "storage_locked"
    (draft,) = started(tmp_path, database=database).new_drafts
    assert draft.text == "kept"


@pytest.mark.parametrize("content", [b"", b"\x00" * 500, b"{", b'{"version": 1, "app": []}', b"[1, 2]"])
def test_a_broken_settings_file_does_not_stop_the_start(
    content: bytes, tmp_path: Path, starter_model_path: Path
) -> None:
    settings = tmp_path / "config" / "settings.json"
    settings.parent.mkdir()
    settings.write_bytes(content)
    assert started(tmp_path, database=tmp_path / "fireside.db").default_model is not None


def test_a_damaged_settings_file_is_reported(tmp_path: Path, starter_model_path: Path) -> None:
    settings = tmp_path / "config" / "settings.json"
    settings.parent.mkdir()
    settings.write_bytes(b"\x00" * 500)
    warnings = started(tmp_path, database=tmp_path / "fireside.db").warnings
    assert [warning.code for warning in warnings] == ["settings_damaged"]
