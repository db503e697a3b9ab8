"""Run Fireside in a terminal: build it, talk, end it."""

from __future__ import annotations

import queue
import sys
from pathlib import Path

from fireside.chat.app import App
from fireside.cli.arguments import Arguments
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.terminal import TerminalChat, describe_models, find_model, hint
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent
from fireside.main.build import Ground, Keep, build_app


def run_terminal(ground: Ground, arguments: Arguments) -> int:
    """Chat in the terminal, answer one prompt, or list the models."""
    events: queue.SimpleQueue[AppEvent] = queue.SimpleQueue()
    is_interactive = sys.stdin is not None and sys.stdin.isatty()
    piped = _read_all() if arguments.command == "run" and not is_interactive else ""
    if arguments.command == "run" and not (is_interactive or piped or arguments.prompt):
        sys.stderr.write("fireside: there is nothing to answer: no prompt was given and nothing piped in.\n")
        return 2
    is_kept = is_interactive and arguments.command == "run" and arguments.prompt is None
    with EngineLoop() as loop:
        app = loop.wait(
            build_app(
                ground,
                emit=events.put,
                keep=Keep.AS_GUEST if is_kept else Keep.NOTHING,
                added=_model_files(arguments),
            )
        )
        try:
            return _in_terminal(app, loop, events, arguments, piped=piped)
        except FiresideError as exc:
            sys.stderr.write(f"fireside: {exc} {hint(exc)}\n")
            return 1
        except KeyboardInterrupt:
            return 130
        finally:
            loop.wait(app.close())


def _in_terminal(
    app: App,
    loop: EngineLoop,
    events: queue.SimpleQueue[AppEvent],
    arguments: Arguments,
    *,
    piped: str,
) -> int:
    if arguments.command == "list":
        describe_models(app, output=sys.stdout)
        return 0
    spec = find_model(app, loop, name=arguments.model)
    chat = TerminalChat(
        loop=loop,
        app=app,
        events=events,
        spec=spec,
        output=sys.stdout,
        status=sys.stderr,
        stats=arguments.stats,
    )
    prompt = "\n\n".join(part for part in (arguments.prompt, piped) if part)
    if not prompt:
        chat.converse(input)
        return 0
    return 0 if chat.answer(prompt) else 1


def _read_all() -> str:
    """Return what was piped in; bytes that are no UTF-8 are replaced rather than refused."""
    return "" if sys.stdin is None else sys.stdin.buffer.read().decode("utf-8", errors="replace")


def _model_files(arguments: Arguments) -> tuple[str, ...]:
    """Return the model named on the command line if it is a file."""
    if arguments.model is not None and Path(arguments.model).is_file():
        return (str(Path(arguments.model).absolute()),)
    return ()
