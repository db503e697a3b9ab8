"""Run Fireside in a terminal: chats, single prompts, vectors, lists."""

from __future__ import annotations

import contextlib
import importlib
import queue
import sys
from typing import Final

import msgspec

from fireside.chat.app import App
from fireside.chat.user_message import check_text
from fireside.cli.arguments import OWN_COMMANDS, Arguments
from fireside.cli.bench import BENCH_COMMAND, run_bench
from fireside.cli.embed import print_ranking, print_vectors
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.files import has_path_form, model_files
from fireside.cli.model_tables import print_models
from fireside.cli.one_prompt import OnePrompt
from fireside.cli.plan_table import PLAN_COMMAND, print_plan
from fireside.cli.screen import Screen, one_line
from fireside.cli.terminal import TerminalChat, find_model
from fireside.cli.tool_arguments import TOOLS_COMMAND
from fireside.core.errors import ModelNotFound
from fireside.core.events import AppEvent
from fireside.core.ids import ModelId
from fireside.core.message import ChatMessage, Role, TextPart
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.main.app_setup import Persistence, build_app
from fireside.main.engine_sharing import EngineSharing, ProgramLifetime
from fireside.main.found_problems import print_problems
from fireside.main.library_setup import build_library
from fireside.main.startup_context import StartupContext
from fireside.main.tool_commands import run_tools_command
from fireside.settings.log import LogFile
from fireside.settings.redaction import Redaction

_ENDS_OF_SENTENCES: Final = (".", "!", "?", "…")
_LOG: Final = "commands"
"""The name of the log file, which differs from the window's so that each has one writer."""


def run_terminal(context: StartupContext, arguments: Arguments) -> int:
    """Chat in the terminal, answer one prompt, or list the models. Raises ``FiresideError``."""
    events: queue.SimpleQueue[AppEvent] = queue.SimpleQueue()
    is_interactive = sys.stdin is not None and sys.stdin.isatty()
    is_for_vectors = arguments.command in ("embed", "rerank")
    arguments = _with_prompt(context, arguments)
    takes_text = arguments.command == "run" and arguments.prompt_replacement is None
    piped = _read_all() if (takes_text or is_for_vectors) and not is_interactive else ""
    if takes_text and (problem := _missing(arguments, is_interactive=is_interactive, piped=piped)):
        sys.stderr.write(f"fireside: {problem}\n")
        return 2
    is_stored = takes_text and is_interactive and arguments.prompt is None
    redaction = Redaction()
    # Without a file of its own, the log would be mixed with the output.
    with LogFile(context.paths.logs_folder, redaction=redaction, name=_LOG), EngineLoop() as loop:
        app = loop.wait(
            build_app(
                context,
                emit=events.put,
                persistence=Persistence.AS_GUEST if is_stored else Persistence.NOTHING,
                added=model_files(arguments.model, *arguments.bench.models),
                redaction=redaction,
                with_engines=arguments.command in ("run", "list"),
                sharing=_sharing(
                    arguments,
                    lifetime=ProgramLifetime.FOR_A_CHAT if is_stored else ProgramLifetime.FOR_A_COMMAND,
                ),
            )
        )
        print_problems(context)
        try:
            return _run(app, loop, events, arguments, piped=piped)
        finally:
            loop.wait(app.close())


def _with_prompt(context: StartupContext, arguments: Arguments) -> Arguments:
    """Return the arguments with the one text of ``fireside run TEXT`` as its prompt, if it can only be that:
    it has spaces, and no model has this name or a similar one."""
    text = arguments.model
    if arguments.command != "run" or text is None or arguments.prompt is not None or " " not in text.strip():
        return arguments
    if arguments.prompt_replacement is not None or has_path_form(text) or model_files(text):
        return arguments
    try:
        build_library(context).find(text)
    except ModelNotFound as exc:
        if not exc.near or text.rstrip().endswith(_ENDS_OF_SENTENCES):
            return msgspec.structs.replace(arguments, model=None, prompt=text)
    return arguments


def _sharing(arguments: Arguments, *, lifetime: ProgramLifetime) -> EngineSharing | None:
    """Return how a command shares an engine; ``None`` for an engine of its own."""
    if arguments.own or arguments.command not in OWN_COMMANDS:
        return None
    return EngineSharing(name=f"fireside {arguments.command}", lifetime=lifetime, warn=sys.stderr.write)


def _run(
    app: App,
    loop: EngineLoop,
    events: queue.SimpleQueue[AppEvent],
    arguments: Arguments,
    *,
    piped: str,
) -> int:
    if arguments.command == TOOLS_COMMAND:
        return run_tools_command(app, loop, arguments=arguments.tool_arguments)
    if arguments.command == "list":
        print_models((*app.models.entries, *app.engines.entries), output=sys.stdout)
        return 0
    if arguments.command == BENCH_COMMAND:
        specs = [find_model(app, loop, name=name) for name in arguments.bench.models]
        screen = Screen(output=sys.stdout, status=sys.stderr)
        return run_bench(app, loop, events, arguments=arguments.bench, specs=specs, screen=screen)
    spec = find_model(app, loop, name=arguments.model)
    if arguments.command == PLAN_COMMAND:
        plan = loop.wait(app.load_plans.plan(spec.id, conversation_id=None, changes={}))
        print_plan(plan, as_json=arguments.as_json, output=sys.stdout)
        return 0
    if arguments.command in ("embed", "rerank"):
        return _print_vectors(app, loop, arguments, model_id=spec.id, piped=piped)
    spec = app.models.answering_spec(spec.id)
    screen = Screen(output=sys.stdout, status=sys.stderr)
    prompt = _prompt(arguments, piped=piped)
    if prompt is None or arguments.tools:
        if (problem := loop.wait(app.snapshot()).problem) is not None:
            screen.say(f"{one_line(problem.sentence)}\n")
        chat = TerminalChat(
            loop=loop, app=app, events=events, spec=spec, screen=screen, stats=arguments.stats
        )
        chat.calls.ask = input if sys.stdin is not None and sys.stdin.isatty() else None
        if isinstance(prompt, ChatInput):  # an answer with tools takes several requests
            return 0 if chat.answer(prompt.messages[-1].text) else 1
        with contextlib.suppress(ImportError):  # the console of Windows edits lines itself
            # Once imported, input() supports arrow keys and a history.
            importlib.import_module("readline")
        chat.converse(input)
        return 0
    one_prompt = OnePrompt(loop=loop, app=app, spec=spec, screen=screen, stats=arguments.stats)
    return 0 if one_prompt.answer(prompt, n_answers=arguments.n_answers) else 1


def _print_vectors(app: App, loop: EngineLoop, arguments: Arguments, *, model_id: ModelId, piped: str) -> int:
    texts = (*arguments.texts, *(line for line in piped.splitlines() if line.strip()))
    if not texts:
        sys.stderr.write("fireside: no text given or piped in.\n")
        return 2
    if arguments.command == "embed":
        print_vectors(app, loop, texts=texts, model_id=model_id, arguments=arguments, output=sys.stdout)
    else:
        print_ranking(app, loop, query=arguments.query, texts=texts, model_id=model_id, output=sys.stdout)
    return 0


def _missing(arguments: Arguments, *, is_interactive: bool, piped: str) -> str | None:
    """Return what is missing to answer one prompt; ``None`` if nothing is, or a chat begins."""
    if arguments.prompt or piped:
        return None
    if not is_interactive:
        if arguments.model is None:
            return "no prompt given or piped in."
        model = one_line(arguments.model)
        return (
            f"no prompt: “{model}” is taken as a model, and nothing was piped in.\n"
            "For a one-word prompt, name the model first: fireside run MODEL PROMPT"
        )
    if arguments.images or arguments.n_answers > 1:
        return "--image and --n need a prompt."
    return None


def _prompt(arguments: Arguments, *, piped: str) -> PromptInput | None:
    """Return the prompt of a single answer; ``None`` for a chat."""
    if arguments.prompt_replacement is not None:
        return arguments.prompt_replacement
    text = "\n\n".join(part for part in (arguments.prompt, piped) if part)
    if not text:
        return None
    check_text(text)
    message = ChatMessage(role=Role.USER, parts=(*arguments.images, TextPart(text=text)))
    return ChatInput(messages=(message,))


def _read_all() -> str:
    """Return the piped input; invalid UTF-8 is replaced."""
    return "" if sys.stdin is None else sys.stdin.buffer.read().decode("utf-8", errors="replace")
