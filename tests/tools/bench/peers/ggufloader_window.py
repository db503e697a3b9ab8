"""A peer of the window bench: GGUF Loader. Usage: ggufloader_window.py MODEL N_MESSAGES N_TOKENS"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

from PySide6.QtWidgets import QApplication, QWidget

from tools.bench.peers.window_steps import FirstPaint, steps


class GgufLoader:
    """Its window: a widget for each message, laid out anew with each token."""

    def __init__(self, window: Any) -> None:
        self._window = window
        self._panel = window.chat_panel

    def load(self, path: str) -> None:
        self._window._load_model(path)

    def is_loaded(self) -> bool:
        return self._window.model is not None

    def add(self, text: str, *, is_user: bool) -> None:
        (self._panel.add_user_message if is_user else self._panel.add_ai_message)(text)

    def end(self) -> None:
        pass

    def begin(self) -> None:
        self._panel.begin_streaming()

    def token(self, text: str) -> None:
        self._panel.stream_token(text)


def run(window: QWidget) -> None:
    model, n_messages, n_tokens = ARGUMENTS
    peer = GgufLoader(window)
    steps(peer, window, model=model, n_messages=int(n_messages), n_tokens=int(n_tokens))
    os._exit(0)


class Application(QApplication):
    def exec(self) -> int:  # type: ignore[override]  # Qt's is static and an instance's at once
        self.installEventFilter(first)
        return super().exec()


ARGUMENTS, sys.argv = sys.argv[1:4], sys.argv[:1]
first = FirstPaint(run, main_window="MainWindow")
program: Any = import_module("ggufloader.main")
program.QApplication = Application
sys.exit(program.main())
