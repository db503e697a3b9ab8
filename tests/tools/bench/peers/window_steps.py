"""What each window of the window bench goes through, in a process and an environment of its own.

It prints a line of JSON at each step, and waits for a line on its input before the next, so that the program
that started it can look at its memory in between.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

TOKENS_PER_S = 200


class Window(Protocol):
    """One program's window, as far as the bench drives it."""

    def load(self, path: str) -> None:
        """Load a model as its own button does."""

    def is_loaded(self) -> bool: ...

    def add(self, text: str, *, is_user: bool) -> None:
        """Show one more message that is complete."""

    def end(self) -> None:
        """The conversation has no more messages."""

    def begin(self) -> None:
        """An answer begins."""

    def token(self, text: str) -> None: ...


class FirstPaint(QObject):
    """Says when a main window was painted first, and begins the steps."""

    def __init__(self, began: Callable[[QWidget], None], *, main_window: str) -> None:
        super().__init__()
        self._began, self._name = began, main_window
        self._seen = False

    def eventFilter(self, item: QObject, event: QEvent) -> bool:
        is_paint = not self._seen and event.type() == QEvent.Type.Paint
        if is_paint and isinstance(item, QWidget) and type(item).__name__ == self._name:
            self._seen = True
            say(painted_at=time.time())
            QTimer.singleShot(2_000, lambda: self._began(item))
        return False


def say(**facts: Any) -> None:
    assert sys.__stdout__ is not None
    sys.__stdout__.write(json.dumps(facts) + "\n")
    sys.__stdout__.flush()


def pause() -> None:
    """Wait for the program that measures."""
    sys.stdin.readline()


def texts(n_messages: int) -> Iterator[tuple[str, bool]]:
    """The conversation that every window shows: text, and whether it is the user's."""
    for number in range(n_messages):
        if number % 2 == 0:
            yield f"Question {number}: how does this work, and why?", True
        else:
            yield (
                f"Answer {number}. " + "These are **words** of an answer, some `code` in it too. " * 12,
                False,
            )


def steps(window: Window, page: QWidget, *, model: str, n_messages: int, n_tokens: int) -> None:
    """Rest, load a model, open a long conversation, stream an answer at its end."""
    say(step="rest")
    pause()
    window.load(model)
    until = time.monotonic() + 60
    while not window.is_loaded() and time.monotonic() < until:
        turn()
    say(step="loaded", ok=window.is_loaded())
    pause()
    began, used = time.perf_counter(), time.thread_time()
    for text, is_user in texts(n_messages):
        window.add(text, is_user=is_user)
    window.end()
    turn()
    page.grab()
    say(step="opened", wall=time.perf_counter() - began, cpu=time.thread_time() - used)
    pause()
    say(step="streamed", **streamed(window, n_tokens))
    pause()


def streamed(window: Window, n_tokens: int) -> dict[str, float]:
    """Feed an answer at the pace of a model, or as fast as the window takes it."""
    window.begin()
    began, used, sent, longest = time.perf_counter(), time.thread_time(), 0, 0.0
    while sent < n_tokens:
        at = time.perf_counter()
        if (at - began) * TOKENS_PER_S > sent:
            window.token("word " if sent % 9 else "**bold**, ")
            sent += 1
        turn()
        longest = max(longest, time.perf_counter() - at)
    wall = time.perf_counter() - began
    return {
        "tokens_per_s": n_tokens / wall,
        "cpu_ms": 1000 * (time.thread_time() - used) / n_tokens,
        "longest": longest,
    }


def turn() -> None:
    QApplication.processEvents()
    time.sleep(0.0005)
