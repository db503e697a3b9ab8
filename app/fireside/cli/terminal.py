"""Chat in the terminal: one answer, or a conversation."""

from __future__ import annotations

import queue
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Final, assert_never

from fireside.chat.app import App
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.files import has_path_form, model_files, no_model_at
from fireside.cli.model_tables import remote_name
from fireside.cli.screen import Screen, figures, finish_note, one_line, waiting_text
from fireside.cli.tools import ToolCalls
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.elicitation import ElicitationReply
from fireside.core.errors import (
    FiresideError,
    ModelFileInvalid,
    ModelFileMissing,
    ModelNotFound,
)
from fireside.core.events import AnswerProgressed, AppEvent, MessageReplaced, StorageFailed, TextAppended
from fireside.core.generation import (
    Loading,
    Progress,
    PromptProgress,
    Queued,
    ReadingDocuments,
    Retrying,
    Stopping,
    Summarising,
)
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import Role
from fireside.core.model import ModelSpec
from fireside.core.options import NO_SETTINGS, SettingValue
from fireside.core.remote import is_remote
from fireside.core.runtime import RuntimesChanged
from fireside.core.tool_calls import calls_ended_text
from fireside.core.tools import ConsentAnswer
from fireside.library.walk import readable_path
from fireside.settings.values import Origin

HELP = """\
  /new     start a new chat
  /help    show this list
  /bye     leave (also Ctrl+D)
  \"\"\"      begin and end a message of several lines
  Ctrl+C   stop the answer, or clear the line; twice leaves
"""

_RECOMMENDING: Final = {Origin.MODEL_FILE: "Model default", Origin.MAKERS: "Recommended by its makers"}


class TerminalChat:
    """A chat with one model. ``events`` is filled from the engine's thread."""

    def __init__(
        self,
        *,
        loop: EngineLoop,
        app: App,
        events: queue.SimpleQueue[AppEvent],
        spec: ModelSpec,
        screen: Screen,
        stats: bool,
    ) -> None:
        self._loop = loop
        self._app = app
        self._events = events
        self._spec = spec
        self._screen = screen
        self._stats = stats
        self._conversation: ConversationId | None = None
        self.calls = ToolCalls(screen, answer=self._answer_call)

    def answer(
        self, prompt: str, *, settings: Mapping[str, SettingValue] = NO_SETTINGS, reads_all: bool = False
    ) -> bool:
        """Print the answer to ``prompt`` as it is generated. Return whether it succeeded.

        ``settings`` apply to a new chat; with ``reads_all`` all documents of the chat are read.
        """
        sending = self._app.generations.send(
            self._conversation, text=prompt, model_id=self._spec.id, settings=settings, reads_all=reads_all
        )
        try:
            self._send(sending)
        except FiresideError as exc:
            self._screen.say(f"{one_line(str(exc))}\n")
            return False
        return self._finish()

    def last_turn(self) -> tuple[StoredMessage, StoredMessage]:
        """Return the last question and its answer, as stored."""
        assert self._conversation is not None
        question, answer = self._loop.wait(self._app.conversations.open(self._conversation)).messages[-2:]
        return question, answer

    def answer_from_read(self, answer: StoredMessage) -> bool:
        """Print an answer from the part of the documents that was read. Return whether it succeeded."""
        self._loop.wait(self._app.branches.answer_from_read(answer.id, model_id=self._spec.id))
        return self._finish()

    def _finish(self) -> bool:
        message = self._follow()
        if message.state is MessageState.FAILED and message.error is not None:
            self._screen.say(f"{one_line(message.error.sentence)}\n")
            return False
        self._print_end_notes(message)
        return True

    def converse(self, read_line: Callable[[str], str]) -> None:
        """Answer messages until the user leaves. ``read_line`` is ``input``, or a stand-in."""
        self._screen.say(
            f"{one_line(self._spec.name)} · /help for help, /bye to leave\n{self._model_defaults()}"
        )
        is_leaving = False
        while True:
            try:
                text = _read_message(read_line)
            except EOFError:
                self._screen.say("\n")
                return
            except KeyboardInterrupt:
                self._screen.say("\n")
                if is_leaving:
                    return
                # The first clears the line, as in a shell; often it was meant for an answer that has just
                # ended.
                is_leaving = True
                self._screen.say("Press Ctrl+C again to quit (or Ctrl+D, /bye).\n")
                continue
            is_leaving = False
            match text.strip():
                case "":
                    continue
                case "/bye" | "/exit" | "/quit":
                    return
                case "/new":
                    self._conversation = None
                    self._screen.say("New chat\n")
                case "/help" | "/?":
                    self._screen.say(HELP)
                case _:
                    self.answer(text)

    def _model_defaults(self) -> str:
        """Return lines with the settings that come from the model's file or its makers, or an empty text."""
        resolving = self._app.preferences.resolved(model_id=self._spec.id, conversation_id=self._conversation)
        resolved = self._loop.submit(resolving).result()
        text = ""
        for origin, name in _RECOMMENDING.items():
            settings = [f"{each.definition.label} {each.value}" for each in resolved if each.origin is origin]
            text += f"{name}: {', '.join(settings)}\n" if settings else ""
        return text

    def _send(self, message: Coroutine[object, object, ConversationId]) -> None:
        """Store the message and start the answer; Ctrl+C meanwhile stops the answer, as it does later."""
        sending = self._loop.submit(message)
        interrupted = False
        while True:
            try:
                self._conversation = sending.result()
                break
            except KeyboardInterrupt:
                interrupted = True
        if interrupted:
            self._stop()

    def _answer_call(
        self, message_id: MessageId, call_id: str, answer: ConsentAnswer | ElicitationReply
    ) -> None:
        self._loop.submit(self._app.tools.answer_call(message_id, call_id, answer))

    def _stop(self) -> None:
        assert self._conversation is not None
        self._loop.submit(self._app.generations.stop(self._conversation))

    def _follow(self) -> StoredMessage:
        if self._spec.remote is not None:
            self._screen.show_status(f"Waiting for {one_line(self._spec.remote.host)}…")
        while True:
            try:
                event = self._events.get()
                done = self._show(event)
            except KeyboardInterrupt:
                self._stop()
                continue
            if done is not None:
                return done

    def _show_progress(self, progress: Progress) -> None:
        match progress:
            case Loading():
                what = "Preparing the engine" if progress.is_preparing else f"Loading {self._spec.name}"
                self._screen.show_status(f"{what}… {progress.fraction:.0%}")
            case PromptProgress() if progress.n_done < progress.n_total:
                self._screen.show_status(
                    f"Processing prompt… {progress.n_done:,} of {progress.n_total:,} tokens"
                )
            case Summarising():
                self._screen.show_status(
                    f"Summarising {progress.n_messages:,} earlier messages… {progress.fraction:.0%}"
                )
            case ReadingDocuments():
                self._screen.show_status(f"Reading everything… {progress.fraction:.0%}")
            case Queued():
                self._screen.show_status(waiting_text(progress.model, n_ahead=progress.position))
            case Stopping():
                self._screen.show_status("Stopping…")
            case Retrying():
                self._screen.show_status(f"{progress.host} is not ready. Retrying…")
            case PromptProgress():
                pass
            case _:
                assert_never(progress)

    def _show(self, event: AppEvent) -> StoredMessage | None:
        match event:
            case TextAppended():
                self._screen.show(event.delta.text, kind=event.delta.kind)
            case AnswerProgressed():
                self._show_progress(event.progress)
            case MessageReplaced(message=message) if message.message.role is Role.ASSISTANT:
                self._screen.end()
                self.calls.show(message)
                return None if message.state is MessageState.STREAMING else message
            case RuntimesChanged():
                if event.note:
                    self._screen.say(f"{event.note}\n")
            case StorageFailed():
                self._screen.say(f"{one_line(event.error.sentence)}\n")
            case _:
                pass
        return None

    def _print_end_notes(self, message: StoredMessage) -> None:
        record = message.generation
        if record is None:
            return
        note = finish_note(
            record.finish_reason, context_full=record.context_full, truncation=record.truncation
        )
        self._screen.say(note)
        if record.calls_ended is not None:
            self._screen.say(f"({calls_ended_text(record.calls_ended)})\n")
        if record.summary_problem:
            self._screen.say(f"({one_line(record.summary_problem)})\n")
        if record.n_not_understood:
            self._screen.say(f"({record.n_not_understood} parts of the response not understood, left out)\n")
        if self._stats and record.usage is not None and record.timings is not None:
            self._screen.say(figures(record.usage, record.timings))


def _read_message(read_line: Callable[[str], str]) -> str:
    line = read_line(">>> ")
    if not line.lstrip().startswith('"""'):
        return line
    lines = [line.lstrip()[3:]]
    while not lines[-1].rstrip().endswith('"""'):
        lines.append(read_line("... "))
    lines[-1] = lines[-1].rstrip()[:-3]
    return "\n".join(lines).strip("\n")


def find_model(app: App, loop: EngineLoop, *, name: str | None) -> ModelSpec:
    """Return the model with a name, the model of a file, or without a name the model used last.

    A model of another engine has to be named, as “fireside list” shows it, or by its own name alone where no
    other model has that: nothing leaves this computer by default.

    Raises ``ModelNotFound``, ``ModelFileInvalid`` for a file that is no usable model, or ``ModelFileMissing``
    for a path where nothing is.
    """
    if name is None:
        default = loop.wait(app.snapshot()).default_model
        if default is not None and is_remote(default):
            default = app.models.default_model()
        if default is None:
            raise ModelNotFound(name="")
        return app.models.spec(default)
    path = Path(name)
    for entry in app.models.entries if model_files(name) else ():
        if _is_same(path, entry.path):
            if entry.spec is None:
                raise ModelFileInvalid(path=entry.path, reason=entry.problem or "")
            return entry.spec
    try:
        return loop.wait(app.models.find(name))
    except ModelNotFound as exc:
        if (elsewhere := _find_remote(app, name)) is not None:
            return elsewhere
        if reason := no_model_at(name):
            raise ModelFileInvalid(path=name, reason=reason) from exc
        if has_path_form(name):
            raise ModelFileMissing(path=name) from exc
        raise


def _find_remote(app: App, name: str) -> ModelSpec | None:
    """Return the model of another engine with a name; raises ``ModelNotFound`` where several have it."""
    specs = [entry.spec for entry in app.engines.entries if entry.spec is not None]
    locations = [(spec, spec.remote) for spec in specs if spec.remote is not None]
    named = [spec for spec, location in locations if name in (spec.id, remote_name(location))]
    named = named or [spec for spec, location in locations if name == location.model.name]
    if len(named) > 1 and named[0].remote is not None:
        raise ModelNotFound(name=name, near=remote_name(named[0].remote))
    return named[0] if named else None


def _is_same(path: Path, other: str) -> bool:
    """Whether a file is the one at ``other``, a path in which bytes that are no text are replaced."""
    try:
        return path.samefile(other)
    except OSError:
        return readable_path(str(path.absolute())) == other
