"""A home folder in which the program was used: every file that it keeps."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fakes.downloads import download_of
from fakes.tuning import tuning_of
from fireside.core.hub import DownloadState
from fireside.core.ids import DraftId, ModelId
from fireside.core.remote import RemoteEngine, RemoteModel
from fireside.core.tool_servers import ToolServer
from fireside.core.transfer import BackupKind
from fireside.engine.runtimes.runtime_history import RuntimeHistory, write_history
from fireside.engine.tuning.records import TuningRecords
from fireside.hub.download_disk import Disk
from fireside.hub.queue_file import QueueFile
from fireside.library.folder_move import MoveJournal, _journal_file, _Stage
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import StartupContext, load_context
from fireside.services.machine.read_speeds import ReadSpeeds, _Answer
from fireside.settings.api_tokens import USUAL_SCOPES, ApiTokens
from fireside.settings.engines_file import EnginesFile
from fireside.settings.secret import Secret
from fireside.settings.secrets import SecretFile
from fireside.settings.servers_file import ServersFile
from fireside.settings.values import AppLayer
from fireside.settings.window_state import WindowState, save_state

STARTER = ModelId("SmolLM2-135M-Instruct.Q4_1")


def context_of(home: Path) -> StartupContext:
    """Return paths and settings of the program in ``home``, which asks no keyring."""
    return load_context({"FIRESIDE_HOME": str(home)}, command_line={})


def use_program(home: Path) -> None:
    """Use the program in an empty ``home``, so that each of its files has content."""
    asyncio.run(_use(home))
    paths = context_of(home).paths
    data = paths.data_folder
    save_state(paths.state_file, WindowState(geometry=b"here", recent_targets=("new_chat", "settings")))
    engine = RemoteEngine(
        id="e1", name="Cellar", address="http://127.0.0.1:9", models=(RemoteModel(name="big", n_ctx=4096),)
    )
    EnginesFile(data / "engines.json").write((engine,))
    ServersFile(data / "mcp.json").write((ToolServer(name="clock", command=("/bin/clock", "--utc")),))
    ApiTokens(data / "api-tokens.json").add("editor", USUAL_SCOPES)
    SecretFile(paths.secrets_file).store("hub-token", Secret("hf_secret"))
    TuningRecords(data / "tunings.json").put(tuning_of(STARTER))
    write_history(paths.runtimes_folder, RuntimeHistory(crashes={"vulkan": 1}, previous={"": "built-in"}))
    QueueFile(data / "downloads.json", disk=Disk()).save([download_of("llama", state=DownloadState.PAUSED)])
    _journal_file(data / "library-move.json").write(
        MoveJournal(source=str(home / "old"), target=str(home / "new"), stage=_Stage.COPYING)
    )
    speeds = ReadSpeeds(data / "speeds.json", probe=lambda: 1e10)
    speeds._learn("cpu", _Answer(bytes_per_s=9e9, token_bytes=1e9, at=0.0, quietness=1.0))


async def _use(home: Path) -> None:
    app = await build_app(context_of(home), emit=lambda _: None, persistence=Persistence.AS_OWNER)
    try:
        await app.models.rename(STARTER, name="Small one")
        await app.models.set_tags(STARTER, tags=["fast"])
        await app.preferences.change(AppLayer(), key="load.n_ctx", value=2048)
        await app.preferences.change(AppLayer(), key="sampling.top_k", value=7)
        await app.conversations.save_draft(DraftId("new"), text="not yet sent")
        await app.folders.create_folder(name="Work")
        await app.collections.create(name="Manuals")
        await app.backups.back_up(kind=BackupKind.BY_HAND)
    finally:
        await app.close()
