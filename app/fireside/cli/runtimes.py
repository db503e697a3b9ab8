"""Builds of llama.cpp in the terminal: list, find, install, add, test, use, go back, remove."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, assert_never

import msgspec

from fireside.cli.columns import columns
from fireside.cli.screen import Screen, printable
from fireside.core.errors import format_bytes
from fireside.core.events import AppEvent
from fireside.core.ids import ModelId
from fireside.core.runtime import (
    Runtime,
    RuntimeChoice,
    RuntimeProgressed,
    RuntimeState,
    RuntimeStep,
)

if TYPE_CHECKING:  # what can be typed is known without the program that carries it out
    from fireside.services.machine.runtime_service import RuntimeService

RUNTIME_COMMAND: Final = "runtime"

_WORDS: Final = """\
Manage runtimes: builds of llama.cpp, the engine that runs models. A runtime is tested with the starter
model when it is added. Nothing downloads automatically. Add only builds from sources you trust.
"""
_EPILOG: Final = """\
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

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)


class RuntimeAction(StrEnum):
    """What is to be done, as it is typed."""

    LIST = "list"
    FIND = "find"
    INSTALL = "install"
    ADD = "add"
    TEST = "test"
    USE = "use"
    ROLL_BACK = "rollback"
    REMOVE = "remove"


class RuntimeArguments(msgspec.Struct, frozen=True, kw_only=True):
    """What was typed after ``fireside runtime``."""

    action: RuntimeAction = RuntimeAction.LIST
    target: str = ""
    """A runtime's name, or the path to add."""
    model: str | None = None
    as_json: bool = False


def add_runtime_command(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the command that is about builds of llama.cpp."""
    runtime = commands.add_parser(
        RUNTIME_COMMAND,
        help="builds of llama.cpp: list, find, install, add, test, use, rollback, remove",
        description=_WORDS,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    runtime.add_argument(
        "action", choices=[action.value for action in RuntimeAction], help="what to do; see the examples"
    )
    runtime.add_argument("target", nargs="?", default="", metavar="name", help="its name, or the path to add")
    runtime.add_argument("--model", metavar="NAME", help="only for this model; with use and rollback")
    runtime.add_argument("--json", dest="as_json", action="store_true", help="print as JSON")


def read_runtime_arguments(found: argparse.Namespace) -> RuntimeArguments:
    """Return what was typed, of a command line that has been parsed."""
    action = RuntimeAction(found.action)
    is_path = action is RuntimeAction.ADD and found.target
    return RuntimeArguments(
        action=action,
        target=str(Path(found.target).absolute()) if is_path else found.target,
        model=found.model,
        as_json=found.as_json,
    )


def runtime_usage_error(words: RuntimeArguments) -> str | None:
    """Say what is missing or too much, if anything."""
    takes_name = words.action not in (RuntimeAction.LIST, RuntimeAction.FIND, RuntimeAction.ROLL_BACK)
    if takes_name and not words.target:
        what = "the path of a folder or archive" if words.action is RuntimeAction.ADD else "a runtime’s name"
        return f"runtime {words.action} needs {what}."
    if not takes_name and words.target:
        return f"runtime {words.action} takes no name."
    if words.model is not None and words.action not in (RuntimeAction.USE, RuntimeAction.ROLL_BACK):
        return f"runtime {words.action} is for all models; --model goes with use and rollback."
    if words.as_json and words.action not in (RuntimeAction.LIST, RuntimeAction.FIND):
        return "--json goes with runtime list and find."
    return None


async def run_action(
    runtimes: RuntimeService,
    words: RuntimeArguments,
    *,
    find_model: Callable[[str], ModelId],
    screen: Screen,
) -> int:
    """Do what was typed and return the exit status. Raises ``FiresideError``."""
    model_id = find_model(words.model) if words.model is not None else None
    match words.action:
        case RuntimeAction.LIST:
            choice = await runtimes.choice()
            screen.write(_as_json(choice) if words.as_json else _table(choice))
            if choice.note and not words.as_json:
                screen.say(f"{choice.note}\n")
        case RuntimeAction.FIND | RuntimeAction.INSTALL if not (await runtimes.choice()).is_published:
            screen.say(f"{NO_ADDRESS}\n")
            return 1
        case RuntimeAction.FIND:
            choice = await runtimes.check_for_updates()
            screen.write(_as_json(choice) if words.as_json else _offers(choice))
        case RuntimeAction.INSTALL:
            return _say_result(await runtimes.install(words.target), screen=screen)
        case RuntimeAction.ADD:
            return _say_result(await runtimes.add(words.target), screen=screen)
        case RuntimeAction.TEST:
            return _say_result(await runtimes.test(words.target), screen=screen)
        case RuntimeAction.USE:
            await runtimes.use(words.target, model_id=model_id)
            _say_used(words.target, model=model_id, screen=screen)
        case RuntimeAction.ROLL_BACK:
            _say_used(await runtimes.roll_back(model_id=model_id), model=model_id, screen=screen)
        case RuntimeAction.REMOVE:
            await runtimes.remove(words.target)
            screen.say(f"“{words.target}” removed.\n")
        case _:
            assert_never(words.action)
    return 0


def show_step(screen: Screen) -> Callable[[AppEvent], None]:
    """Return what says on ``screen`` how far an addition or a test is: a line a step."""
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
        screen.say(f"“{runtime.name}” failed on this computer. {printable(reason)}\n")
        return 1
    screen.say(f"“{runtime.name}” works: {printable(', '.join(test.devices))}.\n")
    if not runtime.is_built_in:
        screen.say(f"Use it with: fireside runtime use {runtime.name}\n")
    return 0


def _say_used(name: str, *, model: ModelId | None, screen: Screen) -> None:
    whose = "Models run" if model is None else f"{model} runs"
    screen.say(f"{whose} with “{name}” from the next load. Undo with: fireside runtime rollback")
    screen.say(f" --model {model}\n" if model is not None else "\n")


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
            printable(offer.llama_cpp),
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
        printable(runtime.llama_cpp),
        format_bytes(runtime.n_bytes),
        printable(runtime.test.reason) if failed and runtime.test is not None else "",
    )


def _as_json(choice: RuntimeChoice) -> str:
    return msgspec.json.format(msgspec.json.encode(choice), indent=2).decode() + "\n"
