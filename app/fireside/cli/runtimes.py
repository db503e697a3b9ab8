"""``fireside runtime``: list, find, install, add, test, use, roll back and remove builds of llama.cpp."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, assert_never

import msgspec

from fireside.cli.action_parsers import ActionParsers
from fireside.cli.columns import columns
from fireside.cli.screen import Screen, json_text, one_line
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

if TYPE_CHECKING:  # parsing a command line does not import the services
    from fireside.services.machine.runtime_service import RuntimeService

RUNTIME_COMMAND: Final = "runtime"

_DESCRIPTION: Final = """\
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


class RuntimeAction(StrEnum):
    """The action, as it is typed."""

    LIST = "list"
    FIND = "find"
    INSTALL = "install"
    ADD = "add"
    TEST = "test"
    USE = "use"
    ROLL_BACK = "rollback"
    REMOVE = "remove"


_WITHOUT_NAME: Final = frozenset([RuntimeAction.LIST, RuntimeAction.FIND, RuntimeAction.ROLL_BACK])
_ACTIONS: Final = {
    RuntimeAction.LIST: "list runtimes",
    RuntimeAction.FIND: "show what Fireside’s releases have for this computer",
    RuntimeAction.INSTALL: "download one, check its signature, and test it",
    RuntimeAction.ADD: "add one from a folder or an archive, and test it",
    RuntimeAction.TEST: "test one with the starter model",
    RuntimeAction.USE: "use one from the next load on",
    RuntimeAction.ROLL_BACK: "switch back to the previous one",
    RuntimeAction.REMOVE: "remove one",
}


class RuntimeArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of ``fireside runtime``."""

    action: RuntimeAction = RuntimeAction.LIST
    target: str = ""
    """A runtime's name, or the path to add."""
    model: str | None = None
    as_json: bool = False


def add_runtime_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``runtime`` to the commands."""
    runtime = commands.add_parser(
        RUNTIME_COMMAND,
        help="builds of llama.cpp: list, find, install, add, test, use, rollback, remove",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = ActionParsers(runtime, _ACTIONS)
    actions.add(
        "target", of=set(RuntimeAction) - _WITHOUT_NAME, nargs="?", default="", metavar="name",
        help="its name, or the path to add",
    )  # fmt: skip
    actions.add(
        "--model", of=(RuntimeAction.USE, RuntimeAction.ROLL_BACK), metavar="NAME", help="only for this model"
    )
    actions.add(
        "--json",
        of=(RuntimeAction.LIST, RuntimeAction.FIND),
        dest="as_json",
        action="store_true",
        help="print as JSON",
    )


def read_runtime_arguments(parsed: argparse.Namespace) -> RuntimeArguments:
    """Return the arguments of ``runtime`` in a parsed command line."""
    action = RuntimeAction(parsed.action)
    is_path = action is RuntimeAction.ADD and parsed.target
    return RuntimeArguments(
        action=action,
        target=str(Path(parsed.target).absolute()) if is_path else parsed.target,
        model=parsed.model,
        as_json=parsed.as_json,
    )


def runtime_usage_error(arguments: RuntimeArguments) -> str | None:
    """Return which argument is missing or not allowed, if any."""
    takes_name = arguments.action not in _WITHOUT_NAME
    if takes_name and not arguments.target:
        missing = (
            "the path of a folder or archive" if arguments.action is RuntimeAction.ADD else "a runtime’s name"
        )
        return f"runtime {arguments.action} needs {missing}."
    if not takes_name and arguments.target:
        return f"runtime {arguments.action} takes no name."
    if arguments.model is not None and arguments.action not in (RuntimeAction.USE, RuntimeAction.ROLL_BACK):
        return f"runtime {arguments.action} is for all models; --model goes with use and rollback."
    if arguments.as_json and arguments.action not in (RuntimeAction.LIST, RuntimeAction.FIND):
        return "--json goes with runtime list and find."
    return None


async def run_action(
    runtimes: RuntimeService,
    arguments: RuntimeArguments,
    *,
    find_model: Callable[[str], ModelId],
    screen: Screen,
) -> int:
    """Execute the action and return the exit status. Raises ``FiresideError``."""
    model_id = find_model(arguments.model) if arguments.model is not None else None
    match arguments.action:
        case RuntimeAction.LIST:
            choice = await runtimes.choice()
            screen.write(json_text(choice) if arguments.as_json else _table(choice))
            if choice.note and not arguments.as_json:
                screen.say(f"{one_line(choice.note)}\n")
        case RuntimeAction.FIND | RuntimeAction.INSTALL if not (await runtimes.choice()).is_published:
            screen.say(f"{NO_ADDRESS}\n")
            return 1
        case RuntimeAction.FIND:
            choice = await runtimes.check_for_updates()
            screen.write(json_text(choice) if arguments.as_json else _offers(choice))
        case RuntimeAction.INSTALL:
            return _say_result(await runtimes.install(arguments.target), screen=screen)
        case RuntimeAction.ADD:
            return _say_result(await runtimes.add(arguments.target), screen=screen)
        case RuntimeAction.TEST:
            return _say_result(await runtimes.test(arguments.target), screen=screen)
        case RuntimeAction.USE:
            await runtimes.use(arguments.target, model_id=model_id)
            _say_used(arguments.target, model=model_id, screen=screen)
        case RuntimeAction.ROLL_BACK:
            _say_used(await runtimes.roll_back(model_id=model_id), model=model_id, screen=screen)
        case RuntimeAction.REMOVE:
            await runtimes.remove(arguments.target)
            screen.say(f"“{one_line(arguments.target)}” removed.\n")
        case _:
            assert_never(arguments.action)
    return 0


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
