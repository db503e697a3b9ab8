"""``fireside run``: chat in the terminal, or answer one prompt."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from fireside.cli import inputs
from fireside.cli.command_app import CommandApp, command_app
from fireside.cli.command_parser import (
    CommandParser,
    UsageError,
    add_own_option,
    add_set_option,
    add_setting,
    model_name,
    override,
)
from fireside.cli.screen import one_line
from fireside.core.errors import ModelNotFound
from fireside.core.message import ChatMessage, ImagePart, MediaPart, Role, TextPart
from fireside.core.prompt_input import ChatInput, InfillInput, PromptInput, TextInput
from fireside.core.tool_servers import SERVER_NAME

if TYPE_CHECKING:
    from fireside.cli.terminal import TerminalChat
    from fireside.core.chat import Folder
    from fireside.core.model import ModelSpec
    from fireside.main.startup_context import StartupContext

_EXAMPLES: Final = """\
examples:
  fireside run "Why is the sky blue?" --stats
  fireside run --json-schema person.json "Ada Lovelace, as JSON"
  fireside run --image cat.jpg "What is this?"
  fireside run --audio memo.mp3 "What is said?"
  fireside run --raw "Once upon a time" --max-tokens 50 --n 3
  fireside run --fill "def add(a, b):" "    return total" --temperature 0
  fireside run --set sampling.xtc_probability=0.5 "Tell me a story"
"""
_NAMES: Final = (
    "calculator", "date_time", "chat_search", "files", "file_changes", "web_search", "web_pages", "memory",
)  # fmt: skip
"""Values of ``--tool``: the keys of the settings that turn tools on, without “tools.”."""
MAX_ANSWERS: Final = 64
_ENDS_OF_SENTENCES: Final = (".", "!", "?", "…")


def define(command: CommandParser) -> None:
    """Add what may be typed after ``run``."""
    command.description = "Chat in the terminal. With a prompt or piped text, prints one answer."
    command.epilog = _EXAMPLES
    command.does(run)
    command.add_argument(
        "model", nargs="?", type=model_name, help="a name from “fireside list”, MODEL@HOST, or a .gguf file"
    )
    command.add_argument("prompt", nargs="*", help="the prompt; piped text is appended")
    command.add_argument(
        "--project", metavar="NAME",
        help="with the instructions, model and settings of a project; a chat is stored in it",
    )  # fmt: skip
    prompt = command.add_argument_group("prompt")
    add_setting(prompt, "--system", key="chat.system_prompt", metavar="TEXT", help="system prompt")
    prompt.add_argument(
        "--image", metavar="FILE", dest="images", action="append", default=[], type=inputs.image,
        help="PNG or JPEG image; repeatable",
    )  # fmt: skip
    prompt.add_argument(
        "--audio", metavar="FILE", dest="media", action="append", default=[],
        help="audio: WAV, MP3, FLAC, Ogg, AIFF; repeatable",
    )  # fmt: skip
    prompt.add_argument(
        "--video", metavar="FILE", dest="media", action="append", default=[],
        help="a video, or audio in M4A, with the component “Media formats”; repeatable",
    )  # fmt: skip
    prompt.add_argument("--raw", metavar="TEXT", help="continue this raw text, without the chat template")
    prompt.add_argument(
        "--fill", metavar=("BEFORE", "AFTER"), nargs=2, help="fill in the middle between two texts"
    )
    _add_response(command.add_argument_group("response"))
    output = command.add_argument_group("output")
    add_setting(
        output, "--logprobs", key="sampling.top_logprobs", metavar="N", type=_n_alternatives,
        help="token probabilities with N alternatives (0 to 20)",
    )  # fmt: skip
    output.add_argument("--stats", action="store_true", help="print tokens/s, TTFT and token counts")
    loading = command.add_argument_group("model loading")
    add_setting(loading, "--ctx", key="load.n_ctx", metavar="N", help="context length, in tokens")
    add_setting(
        loading, "--keep-alive", key="engine.keep_alive_minutes", metavar="MINUTES",
        help="unload after idle, in minutes, or always; 0 unloads immediately",
    )  # fmt: skip
    add_setting(
        loading, "--gpu-layers", key="load.n_gpu_layers", metavar="N",
        help="GPU offload (layers): auto, all or a number",
    )  # fmt: skip
    add_set_option(loading)
    command.add_argument(
        "--temporary", action="store_true",
        help="a chat that is in memory alone: nothing of it is stored, the prompt cache stays in memory",
    )  # fmt: skip
    add_own_option(command)


def _add_response(group: argparse._ArgumentGroup) -> None:
    for option, key, placeholder, text in (
        ("--reasoning", "answer.reasoning", "HOW", "thinking: on, off, low, medium or high"),
        ("--thinking-budget", "answer.thinking_budget", "N", "thinking budget, in tokens"),
        ("--temperature", "sampling.temperature", "N", "0 always picks the most likely token"),
        ("--seed", "sampling.seed", "N", "same seed, same answer"),
        ("--max-tokens", "sampling.max_tokens", "N", "max response tokens"),
        ("--when-full", "answer.when_full", "WHAT", "context overflow: stop or shift"),
    ):
        add_setting(group, option, key=key, metavar=placeholder, help=text)
    group.add_argument(
        "--n", metavar="N", dest="n_answers", type=_n_answers, default=1,
        help="number of answers to one prompt",
    )  # fmt: skip
    group.add_argument(
        "--tool", metavar="NAME", dest="tools", action=_ToolAction, default=(), type=_tool,
        help="let the model use a tool, an MCP server or one of its tools (server__tool), see "
        "“fireside tools list”; repeatable",
    )  # fmt: skip
    group.add_argument(
        "--skill", metavar="NAME", dest="skills", action=_SkillAction, default=(),
        help="let the model use a skill, see “fireside skills list”; repeatable",
    )  # fmt: skip
    form = group.add_mutually_exclusive_group()
    for option, placeholder, read, text in (
        ("--json-schema", "FILE|TEXT", inputs.json_schema, "JSON Schema to match"),
        ("--regex", "PATTERN", inputs.regex, "regular expression to match"),
        ("--grammar", "FILE", inputs.grammar, "Lark or GBNF grammar"),
    ):
        add_setting(form, option, metavar=placeholder, type=read, help=text)


class _ToolAction(argparse.Action):
    """Adds a tool to those of the run, and turns it on by its setting."""

    def __call__(self, _parser: object, namespace: argparse.Namespace, values: Any, *_: object) -> None:
        tools = (*getattr(namespace, self.dest), values)
        setattr(namespace, self.dest, tools)
        if values in _NAMES:
            override(namespace, f"tools.{values}", "true", option="--tool")
        else:
            servers = "\n".join(name for name in tools if name not in _NAMES)
            override(namespace, "tools.servers", servers, option="--tool")


class _SkillAction(argparse.Action):
    """Adds a skill to those of the run."""

    def __call__(self, _parser: object, namespace: argparse.Namespace, values: Any, *_: object) -> None:
        skills = (*getattr(namespace, self.dest), values)
        setattr(namespace, self.dest, skills)
        override(namespace, "tools.skills", "\n".join(skills), option="--skill")


def _tool(text: str) -> str:
    server = text.partition("__")[0]
    if text not in _NAMES and SERVER_NAME.fullmatch(server) is None:
        raise argparse.ArgumentTypeError(f"“{text}” is no tool. “fireside tools list” shows them.")
    return text


def _n_answers(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:4]) <= MAX_ANSWERS or len(text) > 4:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number from 1 to {MAX_ANSWERS}")
    return int(text)


def _n_alternatives(text: str) -> str:
    if text.startswith("-"):  # the setting takes -1 as “off”
        raise argparse.ArgumentTypeError(f"“{text}” is not a number from 0 to 20")
    return text


def run(
    context: StartupContext,
    *,
    model: str | None = None,
    prompt: Sequence[str] = (),
    images: Sequence[ImagePart] = (),
    media: Sequence[str] = (),
    raw: str | None = None,
    fill: Sequence[str] | None = None,
    n_answers: int = 1,
    tools: Sequence[str] = (),
    skills: Sequence[str] = (),
    stats: bool = False,
    temporary: bool = False,
    project: str | None = None,
    own: bool = False,
) -> int:
    """Answer a prompt, or chat in the terminal where none is typed or piped in."""
    from fireside.cli.model_names import find_model, model_files

    folder = None if project is None else use_project(context, project)
    text: str | None = " ".join(prompt) or None
    replacement = replacement_of(raw, fill)
    if replacement is not None:
        _check_replacement(context, raw=raw, fill=fill, text=text, has_files=bool(images or media))
    tools = (*tools, *skills)
    if tools and (images or media or n_answers > 1 or replacement is not None):
        option = "--skill" if skills else "--tool"
        raise UsageError(f"{option} cannot be combined with --image, --audio, --video, --n, --raw or --fill.")
    if text is None and replacement is None:
        model, text = model_or_prompt(context, model)
    takes_text, is_interactive = replacement is None, inputs.is_interactive()
    piped = inputs.piped_text() if takes_text else ""
    if takes_text and not (text or piped):
        _check_chat(model, needs_prompt=bool(images or media) or n_answers > 1, is_interactive=is_interactive)
    is_chat = takes_text and is_interactive and text is None
    if model is None and folder is not None:
        model = folder.model_id
    with command_app(
        context,
        shares_as="" if own else "run",
        is_chat=is_chat,
        is_stored=is_chat and not temporary,
        added=model_files(model),
        with_engines=True,
    ) as program:
        spec = program.app.models.answering_spec(find_model(program.app, program.loop, name=model).id)
        if is_chat:
            chat = _terminal_chat(program, spec, stats=stats, temporary=temporary)
            chat.folder_id = None if folder is None else folder.id
            return _chat(chat)
        heard = [program.wait(program.app.attachments.read_file(path)).part for path in media]
        parts = (*images, *(part for part in heard if isinstance(part, MediaPart)))
        whole = replacement or _chat_input(text, piped=piped, parts=parts, spec=spec)
        if isinstance(whole, ChatInput) and tools:  # an answer with tools takes several requests
            chat = _terminal_chat(program, spec, stats=stats, temporary=temporary)
            return 0 if chat.answer(whole.messages[-1].text) else 1
        return _answer(program, spec, whole, n_answers=n_answers, stats=stats)


def replacement_of(raw: str | None, fill: Sequence[str] | None) -> TextInput | InfillInput | None:
    """Return the raw text to continue, or the gap to fill, if one was given in place of a prompt."""
    if fill is not None:
        before, after = fill
        return InfillInput(prefix=before, suffix=after)
    # A raw prompt contains its own control tokens.
    return None if raw is None else TextInput(text=raw, parse_special=True)


def _check_replacement(
    context: StartupContext,
    *,
    raw: str | None,
    fill: Sequence[str] | None,
    text: str | None,
    has_files: bool,
) -> None:
    """Raise ``UsageError`` if something was typed that --raw or --fill does not take."""
    from fireside.settings.values import Origin

    option = "--raw" if fill is None else "--fill"
    if raw is not None and fill is not None:
        raise UsageError("--raw and --fill cannot be combined.")
    if text is not None:
        raise UsageError(f"{option} replaces the prompt, but one was given: “{text}”.")
    if has_files:
        raise UsageError(f"{option} takes no images, audio or videos.")
    typed = {
        each.definition.key: each.value
        for each in context.settings.resolved()
        if each.origin is Origin.COMMAND_LINE
    }
    if typed.get("chat.system_prompt"):
        raise UsageError(f"{option} takes no system prompt.")


def model_or_prompt(context: StartupContext, text: str | None) -> tuple[str | None, str | None]:
    """Return the model and the prompt of ``fireside run TEXT``: a text is the prompt if it can only be that,
    as it has spaces, and no model has this name or a similar one."""
    from fireside.cli.model_names import has_path_form, model_files
    from fireside.main.library import build_library

    if text is None or " " not in text.strip() or has_path_form(text) or model_files(text):
        return text, None
    try:
        build_library(context).find(text)
    except ModelNotFound as exc:
        if not exc.near or text.rstrip().endswith(_ENDS_OF_SENTENCES):
            return None, text
    return text, None


def _check_chat(model: str | None, *, needs_prompt: bool, is_interactive: bool) -> None:
    """Raise ``UsageError`` if no chat can begin, where there is no prompt."""
    if not is_interactive and model is None:
        raise UsageError("no prompt given or piped in.")
    if not is_interactive:
        raise UsageError(
            f"no prompt: “{one_line(model or '')}” is taken as a model, and nothing was piped in.\n"
            "For a one-word prompt, name the model first: fireside run MODEL PROMPT"
        )
    if needs_prompt:
        raise UsageError("--image, --audio, --video and --n need a prompt.")


def _chat_input(text: str | None, *, piped: str, parts: Sequence[MediaPart], spec: ModelSpec) -> ChatInput:
    from fireside.chat.user_message import check_text
    from fireside.services.request_builder import with_videos_in_parts

    prompt = "\n\n".join(part for part in (text, piped) if part)
    check_text(prompt)
    message = ChatMessage(role=Role.USER, parts=(*parts, TextPart(text=prompt)))
    return ChatInput(messages=(with_videos_in_parts(message, spec.senses),))


def use_project(context: StartupContext, name: str) -> Folder:
    """Return the project called ``name``, whose settings hold from now on. Raises ``UsageError``."""
    from fireside.cli.commands.transfer import project_called
    from fireside.settings.layers import check_stored, project_settings
    from fireside.storage.store import Store

    async def found() -> Folder | None:
        async with await Store.join(context.paths.database_file, clock=time.time) as store:
            return await project_called(store, name)

    if (folder := asyncio.run(found())) is None:
        raise UsageError(f"“{one_line(name)}” is no project. The sidebar of the window lists them.")
    context.settings.add_command_line(check_stored(project_settings(folder)).values)
    return folder


def _chat(chat: TerminalChat) -> int:
    with contextlib.suppress(ImportError):  # the console of Windows edits lines itself
        # Once imported, input() supports arrow keys and a history.
        importlib.import_module("readline")
    chat.converse(input)
    return 0


def _terminal_chat(program: CommandApp, spec: ModelSpec, *, stats: bool, temporary: bool) -> TerminalChat:
    from fireside.cli.terminal import TerminalChat

    if (problem := program.wait(program.app.snapshot()).problem) is not None:
        program.screen.say(f"{one_line(problem.sentence)}\n")
    chat = TerminalChat(
        loop=program.loop,
        app=program.app,
        events=program.events,
        spec=spec,
        screen=program.screen,
        stats=stats,
        is_temporary=temporary,
    )
    chat.calls.ask = input if inputs.is_interactive() else None
    return chat


def _answer(program: CommandApp, spec: ModelSpec, prompt: PromptInput, *, n_answers: int, stats: bool) -> int:
    from fireside.cli.one_prompt import OnePrompt

    one = OnePrompt(loop=program.loop, app=program.app, spec=spec, screen=program.screen, stats=stats)
    return 0 if one.answer(prompt, n_answers=n_answers) else 1
