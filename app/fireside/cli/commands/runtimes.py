"""``fireside runtime``: list, find, install, add, test, use, roll back and remove builds of llama.cpp."""

from __future__ import annotations

import asyncio
import functools
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fireside.cli.command_parser import CommandParser, RunCommand, model_name, not_blank
from fireside.cli.exit_handling import INTERRUPTED
from fireside.cli.screen import Screen, columns, json_text, one_line
from fireside.core.errors import ModelNotFound, format_bytes
from fireside.core.events import AppEvent
from fireside.core.ids import ModelId
from fireside.core.options import SettingValue
from fireside.core.runtime import (
    Runtime,
    RuntimeChoice,
    RuntimeProgressed,
    RuntimeState,
    RuntimeStep,
)
from fireside.settings.values import AppLayer, Layer, ModelLayer

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext
    from fireside.services.machine.runtime_service import RuntimeService

_DESCRIPTION: Final = """\
Manage runtimes: builds of llama.cpp, the engine that runs models. A runtime is tested with the starter
model when it is added. Nothing downloads automatically. Add only builds from sources you trust.
"""
_EXAMPLES: Final = """\
examples:
  fireside runtime list
  fireside runtime find                     what Fireside's releases have for this computer
  fireside runtime install vulkan           download it, check its signature, test it
  fireside runtime add portable.tar.xz      a folder or an archive
  fireside runtime use portable             from the next load
  fireside runtime use portable --model SmolLM2-135M-Instruct.Q4_1
  fireside runtime rollback                 switch back to the previous one
"""
NO_ADDRESS: Final = (
    "This copy of Fireside knows no address of releases. Build a runtime yourself, or add one."
)
_STATES: Final = {
    RuntimeState.UNTESTED: "not tested",
    RuntimeState.WORKS: "tested",
    RuntimeState.FAILED: "failed",
}
_STEPS: Final = {
    RuntimeStep.DOWNLOADING: "Downloading",
    RuntimeStep.UNPACKING: "Unpacking",
    RuntimeStep.CHECKING: "Checking libraries",
    RuntimeStep.TESTING: "Testing with the starter model",
}


def define(command: CommandParser) -> None:
    """Add what may be typed after ``runtime``."""
    command.description = _DESCRIPTION
    command.epilog = _EXAMPLES

    def action(name: str, work: Callable[..., Coroutine[Any, Any, int]], text: str) -> CommandParser:
        return command.add_action(name, _with_runtimes(work), help=text)

    list_ = action("list", list_runtimes, "list runtimes")
    find = action("find", find_runtimes, "show what Fireside’s releases have for this computer")
    install = action("install", install_runtime, "download one, check its signature, and test it")
    add = action("add", add_runtime, "add one from a folder or an archive, and test it")
    test = action("test", try_runtime, "test one with the starter model")
    use = action("use", use_runtime, "use one from the next load on")
    roll_back = action("rollback", roll_back_runtime, "switch back to the previous one")
    remove = action("remove", remove_runtime, "remove one")
    for each in (list_, find):
        each.add_argument("--json", dest="as_json", action="store_true", help="print as JSON")
    add.add_argument("path", type=_absolute, help="a folder or an archive")
    for each in (install, test, use, remove):
        each.add_argument("name", type=not_blank, help="a runtime’s name")
    for each in (use, roll_back):
        each.add_argument("--model", type=model_name, metavar="NAME", help="only for this model")


def _absolute(path: str) -> str:
    return str(Path(not_blank(path)).absolute())


@dataclass(frozen=True, kw_only=True)
class Runtimes:
    """The runtimes of this computer, and the terminal."""

    service: RuntimeService
    screen: Screen
    find_model: Callable[[str], ModelId]
    """Raises ``ModelNotFound``."""

    def model_id(self, name: str | None) -> ModelId | None:
        """Return the id of a model, or ``None`` for all models."""
        return None if name is None else self.find_model(name)


async def list_runtimes(runtimes: Runtimes, *, as_json: bool) -> int:
    """Print the runtimes and which is used."""
    choice = await runtimes.service.choice()
    runtimes.screen.write(json_text(choice) if as_json else _table(choice))
    if choice.note and not as_json:
        runtimes.screen.say(f"{one_line(choice.note)}\n")
    return 0


async def find_runtimes(runtimes: Runtimes, *, as_json: bool) -> int:
    """Print what the releases of Fireside have. Raises ``FiresideError``."""
    if not await _is_published(runtimes):
        return 1
    choice = await runtimes.service.check_for_updates()
    runtimes.screen.write(json_text(choice) if as_json else _offers(choice))
    return 0


async def install_runtime(runtimes: Runtimes, *, name: str) -> int:
    """Download a runtime and test it. Raises ``FiresideError``."""
    if not await _is_published(runtimes):
        return 1
    return _say_result(await runtimes.service.install(name), screen=runtimes.screen)


async def add_runtime(runtimes: Runtimes, *, path: str) -> int:
    """Add a runtime from a folder or an archive and test it. Raises ``FiresideError``."""
    return _say_result(await runtimes.service.add(path), screen=runtimes.screen)


async def try_runtime(runtimes: Runtimes, *, name: str) -> int:
    """Test a runtime with the starter model. Raises ``FiresideError``."""
    return _say_result(await runtimes.service.test(name), screen=runtimes.screen)


async def use_runtime(runtimes: Runtimes, *, name: str, model: str | None) -> int:
    """Use a runtime from the next load on, for all models or one. Raises ``FiresideError``."""
    model_id = runtimes.model_id(model)
    await runtimes.service.use(name, model_id=model_id)
    _say_used(name, model=model_id, screen=runtimes.screen)
    return 0


async def roll_back_runtime(runtimes: Runtimes, *, model: str | None) -> int:
    """Use the runtime before this one again, for all models or one. Raises ``FiresideError``."""
    model_id = runtimes.model_id(model)
    name = await runtimes.service.roll_back(model_id=model_id)
    _say_used(name, model=model_id, screen=runtimes.screen)
    return 0


async def remove_runtime(runtimes: Runtimes, *, name: str) -> int:
    """Remove a runtime. Raises ``FiresideError``."""
    await runtimes.service.remove(name)
    runtimes.screen.say(f"“{one_line(name)}” removed.\n")
    return 0


def _with_runtimes(work: Callable[..., Coroutine[Any, Any, int]]) -> RunCommand:
    """Return a command that runs ``work`` with the runtimes alone."""

    @functools.wraps(work)
    def run(context: StartupContext, **arguments: Any) -> int:
        screen = Screen(output=sys.stdout, status=sys.stderr)

        async def build_and_work() -> int:
            return await work(_runtimes(context, screen), **arguments)

        try:
            return asyncio.run(build_and_work())
        except KeyboardInterrupt:
            screen.say("\nCancelled; nothing was added.\n")
            return INTERRUPTED

    return run


def _runtimes(context: StartupContext, screen: Screen) -> Runtimes:
    from fireside.hub.connection_log import ConnectionLog
    from fireside.main.library import build_library
    from fireside.main.machine import build_runtime_parts
    from fireside.main.network import build_access, build_runtime_downloads, build_secrets
    from fireside.services.machine.runtime_service import RuntimeService
    from fireside.settings.redaction import Redaction

    async def change(layer: Layer, /, *, key: str, value: SettingValue) -> None:
        assert isinstance(layer, AppLayer | ModelLayer), "runtimes are not set per chat"
        await asyncio.to_thread(context.settings.change, layer, key=key, value=value)

    def find_model(name: str) -> ModelId:
        spec = build_library(context).find(name).spec
        if spec is None:
            raise ModelNotFound(name=name)
        return spec.id

    log = ConnectionLog()
    access = build_access(context, build_secrets(context, redaction=Redaction()), log=log)
    downloads = build_runtime_downloads(context, access, log=log)
    service = RuntimeService(
        build_runtime_parts(context.paths, downloads=downloads),
        settings=context.settings,
        change=change,
        emit=show_step(screen),
    )
    return Runtimes(service=service, screen=screen, find_model=find_model)


async def _is_published(runtimes: Runtimes) -> bool:
    is_published = (await runtimes.service.choice()).is_published
    if not is_published:
        runtimes.screen.say(f"{NO_ADDRESS}\n")
    return is_published


def show_step(screen: Screen) -> Callable[[AppEvent], None]:
    """Return a listener that prints each step of an addition or a test as a line."""
    last: RuntimeStep | None = None

    def show(event: AppEvent) -> None:
        nonlocal last
        if isinstance(event, RuntimeProgressed) and event.step is not last:
            last = event.step
            screen.say(f"{_STEPS[event.step]} …\n")

    return show


def _say_result(runtime: Runtime, *, screen: Screen) -> int:
    test = runtime.test
    if test is None or not test.works:
        reason = test.reason if test is not None else ""
        screen.say(f"“{one_line(runtime.name)}” failed on this computer. {one_line(reason)}\n")
        return 1
    screen.say(f"“{one_line(runtime.name)}” works: {one_line(', '.join(test.devices))}.\n")
    if not runtime.is_built_in:
        screen.say(f"Use it with: fireside runtime use {one_line(runtime.name)}\n")
    return 0


def _say_used(name: str, *, model: ModelId | None, screen: Screen) -> None:
    whose = "Models run" if model is None else f"{model} runs"
    screen.say(f"{whose} with “{one_line(name)}” from the next load. Undo with: fireside runtime rollback")
    screen.say(f" --model {one_line(model)}\n" if model is not None else "\n")


def _table(choice: RuntimeChoice) -> str:
    head = ("", "NAME", "STATE", "BACKENDS", "LLAMA.CPP", "SIZE", "")
    rows = [_row(runtime, in_use=runtime.name == choice.in_use) for runtime in choice.runtimes]
    return columns([head, *rows], numbers=(5,))


def _offers(choice: RuntimeChoice) -> str:
    if not choice.offers:
        return "No further runtime for this computer.\n"
    rows = [
        (
            offer.name,
            ", ".join(offer.backends),
            one_line(offer.llama_cpp),
            format_bytes(offer.n_bytes),
            "" if offer.fits else "for another version of Fireside",
        )
        for offer in choice.offers
    ]
    return columns([("NAME", "BACKENDS", "LLAMA.CPP", "DOWNLOAD", ""), *rows], numbers=(3,))


def _row(runtime: Runtime, *, in_use: bool) -> tuple[str, ...]:
    failed = runtime.state is RuntimeState.FAILED and runtime.test is not None
    return (
        "*" if in_use else "",
        runtime.name,
        _STATES[runtime.state],
        ", ".join(runtime.backends),
        one_line(runtime.llama_cpp),
        format_bytes(runtime.n_bytes),
        one_line(runtime.test.reason) if failed and runtime.test is not None else "",
    )
