"""Composition root: the one place that constructs the program, for the window and for commands."""

from __future__ import annotations

import builtins
import gc
import os
import sys
from typing import TYPE_CHECKING

import msgspec

from fireside.bridge.display import missing_display
from fireside.cli.arguments import Arguments, parse
from fireside.cli.ask_window import ASK_WINDOW_COMMAND
from fireside.cli.doctor import DOCTOR_COMMAND
from fireside.cli.document_arguments import DOCUMENTS_COMMAND
from fireside.cli.hub_arguments import HUB_COMMANDS
from fireside.cli.loaded_models import RUNNING_COMMANDS
from fireside.cli.remove import REMOVE_COMMAND
from fireside.cli.runtimes import RUNTIME_COMMAND
from fireside.cli.serve import SERVE_COMMAND, TOKEN_COMMAND
from fireside.cli.transfer import TRANSFER_COMMANDS
from fireside.core.about import SELF_TEST
from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.i18n import render

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext


def run(argv: list[str]) -> int:
    """Run the command line ``argv`` and return the exit status."""
    if argv == [SELF_TEST]:
        from fireside.main.self_test import run_self_test

        return run_self_test()
    arguments = parse(argv)
    # Help and the version were given above, without the settings.
    from fireside.main.startup_context import load_context
    from fireside.settings.parse import parse_assignments

    try:
        command_line = parse_assignments(f"{key}={value}" for key, value in arguments.settings.items())
    except SettingInvalid as exc:
        typed_as = arguments.typed_as.get(render(exc.key))
        sys.stderr.write(f"fireside: {f'{typed_as}: {render(exc.reason)}' if typed_as else exc}\n")
        return 2
    context = load_context(os.environ, command_line=command_line)
    try:
        if arguments.command in ("window", ASK_WINDOW_COMMAND):
            return _run_window_or_say_why_not(context, arguments)
        return _run_command(context, arguments)
    except FiresideError as exc:
        from fireside.cli.screen import Screen, hint

        screen = Screen(output=sys.stdout, status=sys.stderr)
        screen.say(f"fireside: {exc} {hint(exc)}".rstrip() + "\n")
        return 1


def _run_command(context: StartupContext, arguments: Arguments) -> int:
    # Each one brings in what it needs when it is wanted: help is there at once, and the window does not load
    # what belongs to the terminal.
    if arguments.command in HUB_COMMANDS:
        from fireside.main.hub_commands import run_hub_command

        return run_hub_command(context, arguments)
    if arguments.command == DOCTOR_COMMAND:
        from fireside.main.doctor import run_doctor

        return run_doctor(context, as_json=arguments.as_json)
    if arguments.command == DOCUMENTS_COMMAND:
        from fireside.main.document_commands import run_documents

        return run_documents(context, arguments)
    if arguments.command == REMOVE_COMMAND:
        from fireside.main.library_commands import run_remove

        return run_remove(context, arguments)
    if arguments.command == RUNTIME_COMMAND:
        from fireside.main.runtime_commands import run_runtime_command

        return run_runtime_command(context, arguments)
    if arguments.command in RUNNING_COMMANDS:
        from fireside.main.running_commands import run_running_command

        return run_running_command(context, arguments)
    if arguments.command == SERVE_COMMAND:
        from fireside.main.serve import run_serve

        return run_serve(context, arguments)
    if arguments.command == TOKEN_COMMAND:
        from fireside.main.api_tokens import run_api_token

        return run_api_token(context, arguments)
    if arguments.command in TRANSFER_COMMANDS:
        from fireside.main.transfer_commands import run_transfer_command

        return run_transfer_command(context, arguments)
    from fireside.main.terminal import run_terminal

    return run_terminal(context, arguments)


def _run_window_or_say_why_not(context: StartupContext, arguments: Arguments) -> int:
    why = missing_display(os.environ)
    if why is None:
        # Only here is Qt imported: the commands work where its libraries are missing.
        import_qt()
        from fireside.main.window import run_window

        return run_window(context, files=arguments.files, asks=arguments.command == ASK_WINDOW_COMMAND)
    sys.stderr.write(f"{why} Chat in the terminal with “fireside run”.\n")
    model = arguments.files[0] if arguments.files else None
    return _run_command(context, msgspec.structs.replace(arguments, command="run", model=model))


def import_qt() -> None:
    """Import Qt so that what is imported behind it costs no more than it would without Qt."""
    gc.disable()  # what is imported lives to the end; the window collects by itself
    import PySide6.QtCore  # noqa: F401

    # PySide6 has the source of each further module read, in search of switches of its own that are not used
    # here, and Python keeps what was read.
    builtins.__import__ = vars(builtins).get("__orig_import__", builtins.__import__)
