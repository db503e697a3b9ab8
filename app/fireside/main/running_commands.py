"""Run the commands that are about what is loaded in the Fireside that runs: ask it, and build nothing."""

from __future__ import annotations

import sys

from PySide6.QtCore import QCoreApplication

from fireside.bridge.ipc import ListRunning, StopModel
from fireside.bridge.single_instance import SingleInstance
from fireside.cli.arguments import Arguments
from fireside.cli.loaded_models import (
    NOT_RUNNING,
    NOTHING_LOADED,
    PS_COMMAND,
    meant,
    running_json,
    running_table,
)
from fireside.cli.screen import Screen, printable
from fireside.main.startup_context import StartupContext


def run_running_command(context: StartupContext, arguments: Arguments) -> int:
    """List what is loaded, or unload a model. Returns the exit status."""
    screen = Screen(output=sys.stdout, status=sys.stderr)
    # Sockets want one; nothing runs in it.
    application = QCoreApplication.instance() or QCoreApplication(sys.argv[:1])
    instance = SingleInstance(data_folder=context.paths.data_folder)
    try:
        if arguments.command == PS_COMMAND:
            return _list(instance, screen=screen, as_json=arguments.as_json)
        return _stop(instance, arguments.name, screen=screen)
    except TimeoutError:
        screen.say(
            "fireside: Fireside is running but not responding. If it is an older version, restart it.\n"
        )
        return 1
    finally:
        instance.release()
        del application


def _list(instance: SingleInstance, *, screen: Screen, as_json: bool) -> int:
    answer = instance.ask(ListRunning())
    if as_json:
        models = answer.models if answer is not None else ()
        screen.write(running_json(models, is_running=answer is not None))
    elif answer is None:
        screen.say(f"{NOT_RUNNING}\n")
    elif not answer.models:
        screen.say(f"{NOTHING_LOADED}\n")
    else:
        screen.write(running_table(answer.models))
    return 0


def _stop(instance: SingleInstance, name: str, *, screen: Screen) -> int:
    answer = instance.ask(ListRunning())
    if answer is None:
        screen.say(f"{NOT_RUNNING}\n")
        return 1
    found = meant(answer.models, name)
    if len(found) != 1:
        names = ", ".join(f"“{printable(model.model_id)}”" for model in found)
        why = (
            f"“{printable(name)}” may be {names}. Type more of the name."
            if found
            else (f"“{printable(name)}” is not loaded. “fireside ps” lists loaded models.")
        )
        screen.say(f"fireside: {why}\n")
        return 1
    (model,) = found
    done = instance.ask(StopModel(model_id=model.model_id))
    if done is None:
        screen.say(f"{NOT_RUNNING}\n")
        return 1
    if done.problem:
        screen.say(f"fireside: {printable(done.problem)}\n")
        return 1
    screen.write(f"“{printable(model.model_id)}” unloaded.\n")
    return 0
