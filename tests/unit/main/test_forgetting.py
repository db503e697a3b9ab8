"""Cached prompt states are deleted with their conversation."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec.structs import replace

from fireside.chat.app import App
from fireside.core.chat import GenerationRecord, MessageState
from fireside.core.ids import ModelId
from fireside.core.message import Role, text_message
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import StartupContext, load_context
from fireside.settings.values import AppLayer
from fireside.wire.cache_files import CacheFileName, hash_part, owner_part


def ground_in(home: Path) -> StartupContext:
    return load_context({"FIRESIDE_HOME": str(home)}, command_line={})


async def build(context: StartupContext, persistence: Persistence) -> App:
    return await build_app(context, emit=lambda _event: None, persistence=persistence)


async def a_deleted_chat(app: App, folder: Path) -> Path:
    """Store a conversation, delete it, and return the file that a runner would have kept of it."""
    record = GenerationRecord(model_id=ModelId("m"), model_name="M")
    turn = await app._store.messages.add_turn(
        None, title="x", message=text_message(Role.USER, "x"), generation=record
    )
    await app._store.messages.finish(replace(turn.answer, state=MessageState.COMPLETE))
    await app.folders.delete_conversations((turn.summary.id,))
    return a_state_of(app._store.name_of(turn.summary.id), folder)


def a_state_of(owner: str, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    parts = [hash_part(part) for part in (b"model", b"options", b"content")]
    path = folder / str(CacheFileName(owner_part(owner), *parts))
    path.touch()
    return path


def test_a_deleted_conversation_takes_its_states_along_when_the_window_starts_again(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async def run() -> tuple[bool, bool]:
        context = ground_in(tmp_path)
        app = await build(context, Persistence.AS_OWNER)
        path = await a_deleted_chat(app, context.paths.states_folder)
        await app.close()
        await (await build(context, Persistence.AS_GUEST)).close()
        after_guest = path.exists()
        await (await build(context, Persistence.AS_OWNER)).close()
        return after_guest, path.exists()

    assert asyncio.run(run()) == (True, False)


def test_turning_the_disk_off_deletes_what_is_kept_there(tmp_path: Path, starter_model_path: Path) -> None:
    async def run() -> bool:
        context = ground_in(tmp_path)
        app = await build(context, Persistence.AS_OWNER)
        path = await a_deleted_chat(app, context.paths.states_folder)
        await app.preferences.change(AppLayer(), key="engine.cache_disk_gb", value=2)
        assert path.exists()
        await app.preferences.change(AppLayer(), key="engine.cache_disk_gb", value=0)
        await app.close()
        return path.exists()

    assert not asyncio.run(run())
