"""``fireside ps`` lists the loaded models of the running engine, ``fireside stop`` unloads one."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, assert_never

import msgspec

from fireside.cli.command_parser import CommandParser, RunCommand
from fireside.cli.screen import Screen, columns, json_text, one_line
from fireside.core.errors import FiresideError, format_bytes
from fireside.core.options import Purpose
from fireside.core.status import (
    Broken,
    LoadingModel,
    OnRemoteEngine,
    Ready,
    RunningModel,
    Unloaded,
    Unloading,
)

if TYPE_CHECKING:
    from fireside.engine.sharing.joined_engine import JoinedEngine
    from fireside.main.startup_context import StartupContext

NOT_RUNNING: Final = "Fireside is not running, so no model is loaded."
NOTHING_LOADED: Final = "Fireside is running; no model is loaded."

_HEAD: Final = ("NAME", "SIZE", "DEVICE", "CONTEXT", "STATE", "USED BY", "UNLOADED")
_NUMBERS: Final = (1, 3)
_UNKNOWN: Final = "–"
_MINUTE_S: Final = 60
_HOUR_S: Final = 3600
_KINDS: Final[Mapping[str, str]] = {Purpose.EMBED: "embeddings", Purpose.RERANK: "reranking"}


class RunningRow(msgspec.Struct, frozen=True, kw_only=True):
    """A loaded model in the JSON output. Sizes in bytes, times in seconds."""

    model: str
    name: str
    state: str
    purpose: str
    """What it is loaded for: ``generate``, ``embed`` or ``rerank``."""
    pid: int | None = None
    size_bytes: int | None = None
    """Memory on all devices together."""
    devices: tuple[str, ...] = ()
    """The CPU first."""
    n_layers: int | None = None
    n_gpu_layers: int | None = None
    n_ctx: int | None = None
    """Of one answer."""
    n_seq_max: int | None = None
    """Most answers at once."""
    n_active: int = 0
    """Answers that are being generated."""
    clients: tuple[str, ...] = ()
    """Who uses it: names, and process ids of other programs."""
    loaded_part: float | None = None
    """While loading, the fraction of the file, 0 to 1."""
    note: str = ""
    """What is unusual about its load."""
    expires_in_s: float | None = None
    """Until it is unloaded if idle; ``None`` while in use, or if it stays loaded."""


def define_ps(command: CommandParser) -> None:
    """Add what may be typed after ``ps``."""
    command.description = (
        "List the models that are loaded, and who uses them: in the window, “fireside serve” or a chat in a "
        "terminal, whose models “fireside run” uses too. Those loaded with --own are not listed."
    )
    command.does(_with_engines(list_loaded, client="fireside ps"))
    command.add_argument("--json", action="store_true", dest="as_json", help="print as JSON")


def define_stop(command: CommandParser) -> None:
    """Add what may be typed after ``stop``."""
    command.description = "Unload a model now, even if another program uses it. A running answer is stopped."
    command.does(_with_engines(stop, client="fireside stop"))
    command.add_argument("name", metavar="model", help="a name from “fireside ps”")


async def list_loaded(engines: Sequence[JoinedEngine], screen: Screen, *, as_json: bool) -> int:
    """Print the models that running engines have loaded."""
    models = [model for engine in engines for model in engine.running_models()]
    if as_json:
        screen.write(running_json(models, is_running=bool(engines)))
    elif not engines:
        screen.say(f"{NOT_RUNNING}\n")
    elif not models:
        screen.say(f"{NOTHING_LOADED}\n")
    else:
        screen.write(running_table(models))
    return 0


async def stop(engines: Sequence[JoinedEngine], screen: Screen, *, name: str) -> int:
    """Unload a model in running engines. Returns 1 if it is not loaded, or several have this name."""
    if not engines:
        screen.say(f"{NOT_RUNNING}\n")
        return 1
    matches = {model.model_id for engine in engines for model in find_running(engine.running_models(), name)}
    if len(matches) != 1:
        names = ", ".join(f"“{one_line(model_id)}”" for model_id in sorted(matches))
        reason = (
            f"“{one_line(name)}” may be {names}. Type more of the name."
            if matches
            else (f"“{one_line(name)}” is not loaded. “fireside ps” lists loaded models.")
        )
        screen.say(f"fireside: {one_line(reason)}\n")
        return 1
    (model_id,) = matches
    for engine in engines:
        await engine.unload(model_id)
    screen.write(f"“{one_line(model_id)}” unloaded.\n")
    return 0


def _with_engines(work: Callable[..., Coroutine[Any, Any, int]], *, client: str) -> RunCommand:
    """Return a command that runs ``work`` with the engines that run, which know it as ``client``."""

    @functools.wraps(work)
    def run(context: StartupContext, **arguments: Any) -> int:
        from fireside.bridge.runtime_folder import chats_endpoint, engine_endpoint
        from fireside.engine.sharing.joined_engine import EngineUnresponsive, VersionMismatch

        folder, screen = context.paths.data_folder, Screen(output=sys.stdout, status=sys.stderr)

        async def join_and_work() -> int:
            # Both exist where a window was opened while chats ran in terminals.
            async with (
                _joined(engine_endpoint(folder), client=client) as main_engine,
                _joined(chats_endpoint(folder), client=client) as chats_engine,
            ):
                engines = [each for each in (main_engine, chats_engine) if each is not None]
                return await work(engines, screen, **arguments)

        try:
            return asyncio.run(join_and_work())
        except (VersionMismatch, EngineUnresponsive) as exc:
            screen.say(f"fireside: {exc}\n")
        except FiresideError as exc:
            screen.say(f"fireside: {one_line(exc.sentence())}\n")
        return 1

    return run


@contextlib.asynccontextmanager
async def _joined(endpoint: Path, *, client: str) -> AsyncIterator[JoinedEngine | None]:
    from fireside.engine.sharing.joined_engine import join
    from fireside.engine.sharing.local_endpoint import local_endpoint

    engine = await join(local_endpoint(endpoint), client=client)
    if engine is None:
        yield None
        return
    task = asyncio.create_task(engine.run())
    try:
        yield engine
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def running_table(models: Sequence[RunningModel]) -> str:
    """Return a table of the loaded models, and what is unusual about their loads."""
    rows = map(_running_row, models)
    notes = "".join(f"{one_line(row.model)}: {one_line(row.note)}\n" for row in rows if row.note)
    return columns([_HEAD, *map(_row, models)], numbers=_NUMBERS) + notes


def running_json(models: Sequence[RunningModel], *, is_running: bool) -> str:
    """Return whether Fireside runs and the loaded models, as JSON."""
    return json_text({"running": is_running, "models": [_running_row(model) for model in models]})


def find_running(models: Sequence[RunningModel], name: str) -> tuple[RunningModel, ...]:
    """Return the loaded models with a name, or those whose name starts with it."""
    query = _normalised(name)
    names = [(model, _normalised(model.model_id), _normalised(model.name)) for model in models]
    exact = tuple(model for model, *own in names if query in own)
    return exact or tuple(model for model, *own in names if query and any(n.startswith(query) for n in own))


def _normalised(name: str) -> str:
    return name.strip().lower().removesuffix(".gguf").replace(" ", "-")


def _row(model: RunningModel) -> tuple[str, ...]:
    row = _running_row(model)
    size = format_bytes(row.size_bytes) if row.size_bytes is not None else _UNKNOWN
    context = f"{row.n_ctx:,}" if row.n_ctx is not None else _UNKNOWN
    return (
        one_line(model.model_id),
        size,
        one_line(_devices(row)),
        context,
        _state(row),
        _users(row),
        _until(row),
    )


def _devices(row: RunningRow) -> str:
    if not row.devices:
        return _UNKNOWN
    cpu, *gpus = row.devices
    if not gpus or row.n_layers is None or row.n_gpu_layers is None:
        return cpu
    names = ", ".join(gpus)
    if row.n_gpu_layers > row.n_layers:
        return names
    return f"{names} ({row.n_gpu_layers} of {row.n_layers + 1} layers), {cpu}"


def _state(row: RunningRow) -> str:
    kind = _KINDS.get(row.purpose)
    return _doing(row) if kind is None else f"{_doing(row)} ({kind})"


def _doing(row: RunningRow) -> str:
    if row.n_active:
        return "1 answer" if row.n_active == 1 else f"{row.n_active} answers"
    if row.loaded_part is not None:
        return f"loading {row.loaded_part:.0%}"
    return row.state


def _users(row: RunningRow) -> str:
    if not row.clients:
        return _UNKNOWN
    counted = Counter(row.clients)
    return one_line(", ".join(name if n == 1 else f"{name} ×{n}" for name, n in counted.items()))


def _until(row: RunningRow) -> str:
    if row.state != "ready":
        return _UNKNOWN
    if row.expires_in_s is None:
        return "while answering" if row.n_active else "when memory is needed"
    if row.expires_in_s < _MINUTE_S:
        return f"in {row.expires_in_s:.0f} s"
    if row.expires_in_s < _HOUR_S:
        return f"in {row.expires_in_s / _MINUTE_S:.0f} min"
    return f"in {row.expires_in_s / _HOUR_S:.1f} h"


def _running_row(model: RunningModel) -> RunningRow:
    row = RunningRow(
        model=model.model_id,
        name=model.name,
        state="ready",
        purpose=model.purpose,
        pid=model.pid,
        expires_in_s=model.expires_in_s,
        clients=model.clients,
    )
    match model.state:
        case Ready(loaded=loaded, n_active=n_active, note=note):
            return msgspec.structs.replace(
                row,
                size_bytes=loaded.n_bytes,
                devices=loaded.devices,
                n_layers=loaded.n_layers,
                n_gpu_layers=loaded.n_gpu_layers,
                n_ctx=loaded.n_ctx,
                n_seq_max=loaded.n_seq_max,
                n_active=n_active,
                note=note,
            )
        case LoadingModel(fraction=fraction):
            return msgspec.structs.replace(row, state="loading", loaded_part=fraction)
        case Unloading() | Unloaded() | OnRemoteEngine():
            return msgspec.structs.replace(row, state="unloading")
        case Broken():
            return msgspec.structs.replace(row, state="broken")
        case _:
            assert_never(model.state)
