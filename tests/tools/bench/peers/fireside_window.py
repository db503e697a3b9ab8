"""Our own part in the window bench. Usage: fireside_window.py MODEL N_MESSAGES N_TOKENS

The program is started as it is, and loads the model of set-up by itself. The conversation is shown by
a transcript of its own, in a window as large; it is not stored, as the peers store none.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import psutil
from PySide6.QtWidgets import QApplication, QWidget

import fireside.main.window as program
from fireside.cli import run as run_program
from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.generation import TextDelta
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.message import Role, text_message
from fireside.ui.chat.transcript.transcript import Transcript
from tools.bench.peers.window_steps import FirstPaint, steps

_RUNNER_BYTES = 100e6
"""A child process with a model in it is larger."""


class Fireside:
    """A transcript, and the program around it."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._messages: list[StoredMessage] = []
        self._n_tokens = 0

    def load(self, path: str) -> None:
        """It has been loading since its window was there."""

    def is_loaded(self) -> bool:
        return any(child.memory_info().rss > _RUNNER_BYTES for child in psutil.Process().children())

    def add(self, text: str, *, is_user: bool) -> None:
        self._messages.append(self._message(text, Role.USER if is_user else Role.ASSISTANT))

    def end(self) -> None:
        self._transcript.set_messages(self._messages)

    def begin(self) -> None:
        self._transcript.add_message(self._message("", Role.ASSISTANT, MessageState.STREAMING))

    def token(self, text: str) -> None:
        self._n_tokens += 1
        answer = MessageId(len(self._messages) + 1)
        self._transcript.append_text(answer, TextDelta(text=text, n_completion=self._n_tokens))

    def _message(self, text: str, role: Role, state: MessageState = MessageState.COMPLETE) -> StoredMessage:
        return StoredMessage(
            id=MessageId(len(self._messages) + 1),
            conversation_id=ConversationId(1),
            parent_id=None,
            message=text_message(role, text),
            state=state,
            created_at=0.0,
            generation=GenerationRecord(model_id=ModelId("bench"), model_name="Bench"),
        )


def run(window: QWidget) -> None:
    model, n_messages, n_tokens = ARGUMENTS
    transcript = Transcript(open_url=lambda _url: None)
    transcript.resize(window.size())
    transcript.show()
    ours = Fireside(transcript)
    steps(ours, transcript, model=model, n_messages=int(n_messages), n_tokens=int(n_tokens))
    transcript.close()
    window.close()


def watched(*arguments: Any, **named: Any) -> Any:
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(first)
    return make_windows(*arguments, **named)


ARGUMENTS, sys.argv = sys.argv[1:4], sys.argv[:1]
first = FirstPaint(run, main_window="MainWindow")
make_windows = program.make_windows
vars(program).update(make_windows=watched)
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.exit(run_program([]))
