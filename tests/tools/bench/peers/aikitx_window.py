"""A peer of the window bench: aikitx. Usage: aikitx_window.py MODEL N_MESSAGES N_TOKENS

It shows no answer before it is complete. What is measured as streaming is its bubble taking each token.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - its log, which holds whole vocabularies
from llama_cpp import Llama  # noqa: E402
from llmtoolkit.app.core.universal_format_detector import ModelFormat  # noqa: E402
from llmtoolkit.app.main import run_application  # noqa: E402
from llmtoolkit.app.ui.chat_bubble import ChatBubble  # noqa: E402
from llmtoolkit.app.ui.chat_tab import ChatMessage  # noqa: E402
from PySide6 import QtWidgets  # noqa: E402
from PySide6.QtWidgets import QWidget  # noqa: E402

from tools.bench.peers.window_steps import FirstPaint, steps  # noqa: E402


class Aikitx:
    """Its window: a widget for each message."""

    def __init__(self, window: Any) -> None:
        self._window = window
        self._tab = window.chat_tab
        self._text = ""

    def load(self, path: str) -> None:
        self._window._load_model_universal(path, ModelFormat.GGUF)

    def is_loaded(self) -> bool:
        return bool(LOADED)

    def add(self, text: str, *, is_user: bool) -> None:
        self._tab._display_message(ChatMessage("user" if is_user else "assistant", text))

    def end(self) -> None:
        pass

    def begin(self) -> None:
        self._text = ""
        self.add("", is_user=False)
        self._bubble = self._tab.chat_container.findChildren(ChatBubble)[-1]

    def token(self, text: str) -> None:
        self._text += text
        self._bubble.update_text(self._text)


def run(window: QWidget) -> None:
    model, n_messages, n_tokens = ARGUMENTS
    peer = Aikitx(window)
    steps(peer, window, model=model, n_messages=int(n_messages), n_tokens=int(n_tokens))
    os._exit(0)


class Application(QtWidgets.QApplication):
    def exec(self) -> int:  # type: ignore[override]  # Qt's is static and an instance's at once
        self.installEventFilter(first)
        return super().exec()


LOADED: list[Llama] = []
make_llama = Llama.__init__


def make_and_say(llama: Llama, *arguments: Any, **named: Any) -> None:
    make_llama(llama, *arguments, **named)
    LOADED.append(llama)


def clicked_away(*_: Any) -> int:
    """A user would read what the dialog says, and click."""
    return int(QtWidgets.QDialog.DialogCode.Accepted)


Llama.__init__ = make_and_say  # type: ignore[method-assign, assignment]
for dialog in (QtWidgets.QMessageBox, QtWidgets.QDialog):
    dialog.exec = clicked_away  # type: ignore[method-assign]
for name in ("information", "warning", "critical", "question"):
    setattr(QtWidgets.QMessageBox, name, clicked_away)
ARGUMENTS, sys.argv = sys.argv[1:4], sys.argv[:1]
first = FirstPaint(run, main_window="MainWindow")
vars(QtWidgets)["QApplication"] = Application
sys.exit(run_application())
