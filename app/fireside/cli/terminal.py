"""Chat in the terminal: one answer, or a conversation."""

from __future__ import annotations

import os
import queue
import re
import sys
from collections.abc import Callable, Coroutine, Mapping
from typing import Final, assert_never

from fireside.chat.app import App
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.screen import Screen, figures, finish_note, one_line, waiting_text
from fireside.cli.tool_calls import ToolCalls
from fireside.core.attachment import attachment_limit_problem
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.elicitation import ElicitationReply
from fireside.core.errors import FiresideError, format_bytes
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
from fireside.core.ids import ConversationId, FolderId, MessageId
from fireside.core.message import AttachedPart, Role
from fireside.core.model import ModelSpec
from fireside.core.options import NO_SETTINGS, SettingValue
from fireside.core.runtime import RuntimesChanged
from fireside.core.tool_calls import calls_ended_text
from fireside.core.tools import AllowEdited, ConsentAnswer
from fireside.settings.values import Origin

HELP = """\
  /new          start a new chat
  /attach FILE  send a file with the next message: text, a document, an image, audio
  /detach       send none of the attached files
  /help         show this list
  /bye          leave (also Ctrl+D)
  \"\"\"           begin and end a message of several lines
  Ctrl+C        stop the answer, or clear the line; twice leaves
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
        is_temporary: bool = False,
    ) -> None:
        """``is_temporary``: its chats are in memory alone, see ``ConversationService.begin_temporary``."""
        self._loop = loop
        self._app = app
        self._events = events
        self._spec = spec
        self._screen = screen
        self._stats = stats
        self._is_temporary = is_temporary
        self.folder_id: FolderId | None = None
        """The folder of its chats."""
        self._conversation: ConversationId | None = None
        self._attached: list[AttachedPart] = []
        """Files of the next message."""
        self.calls = ToolCalls(screen, answer=self._answer_call)

    def answer(
        self, prompt: str, *, settings: Mapping[str, SettingValue] = NO_SETTINGS, reads_all: bool = False
    ) -> bool:
        """Print the answer to ``prompt`` as it is generated. Return whether it succeeded.

        ``settings`` apply to a new chat; with ``reads_all`` all documents of the chat are read.
        """
        try:
            if self._conversation is None and self._is_temporary:
                beginning = self._app.conversations.begin_temporary(model_id=self._spec.id)
                self._conversation = self._loop.wait(beginning).summary.id
            sending = self._app.generations.send(
                self._conversation,
                text=prompt,
                model_id=self._spec.id,
                attached=tuple(self._attached),
                settings=settings,
                folder_id=self.folder_id,
                reads_all=reads_all,
            )
            self._send(sending)
        except FiresideError as exc:
            self._screen.say(f"{one_line(str(exc))}\n")
            return False
        self._attached.clear()
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
        kind = " · temporary: nothing of this chat is stored" if self._is_temporary else ""
        self._screen.say(
            f"{one_line(self._spec.name)}{kind} · /help for help, /bye to leave\n{self._model_defaults()}"
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
            match text.strip().split(maxsplit=1):
                case []:
                    continue
                case ["/bye" | "/exit" | "/quit"]:
                    return
                case ["/new"]:
                    self._leave()
                    self._screen.say("New chat\n")
                case ["/help" | "/?"]:
                    self._screen.say(HELP)
                case ["/attach"]:
                    self._screen.say("/attach needs the path of a file.\n")
                case ["/attach", path]:
                    self._attach(_typed_path(path))
                case ["/detach"]:
                    self._attached.clear()
                    self._screen.say("No file attached\n")
                case _:
                    self.answer(text)

    def _leave(self) -> None:
        if self._conversation is not None and self._is_temporary:
            self._loop.wait(self._app.conversations.close_temporary(self._conversation))
        self._conversation = None

    def _attach(self, path: str) -> None:
        """Read a file for the next message, and tell what it costs."""
        try:
            read = self._loop.wait(self._app.attachments.read_file(path))
            parts = (*self._attached, read.part)
            if problem := attachment_limit_problem(parts):
                self._screen.say(f"{problem}\n")
                return
            cost = self._loop.wait(self._app.attachments.count(read.part, model_id=self._spec.id))
        except FiresideError as exc:
            self._screen.say(f"{one_line(str(exc))}\n")
            return
        except KeyboardInterrupt:
            self._screen.say("\nNot attached\n")
            return
        self._attached.append(read.part)
        n_tokens = f"{'' if cost.is_exact else 'about '}{cost.n_tokens:,} tokens"
        self._screen.say(f"Attached: {one_line(read.name)}, {format_bytes(read.size_bytes)}, {n_tokens}\n")
        self._screen.say("".join(f"{one_line(warning)}\n" for warning in read.warnings))

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
        self, message_id: MessageId, call_id: str, answer: ConsentAnswer | AllowEdited | ElicitationReply
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


def _typed_path(text: str) -> str:
    """Return a path as it was typed, or as a terminal writes it for a file that is dropped on it: in quotes,
    or with a backslash before each space."""
    if text[0] in "'\"" and text[-1] == text[0] and len(text) > 1:
        text = text[1:-1]
    elif sys.platform != "win32":
        text = re.sub(r"\\(.)", r"\1", text)
    return os.path.expanduser(text)  # noqa: PTH111 - Path raises for a user that there is not


def _read_message(read_line: Callable[[str], str]) -> str:
    line = read_line(">>> ")
    if not line.lstrip().startswith('"""'):
        return line
    lines = [line.lstrip()[3:]]
    while not lines[-1].rstrip().endswith('"""'):
        lines.append(read_line("... "))
    lines[-1] = lines[-1].rstrip()[:-3]
    return "\n".join(lines).strip("\n")
