"""Log unexpected errors and continue."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

log = logging.getLogger("fireside.failures")

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


@contextlib.contextmanager
def failures_logged(logs_folder: Path) -> Iterator[None]:
    """Send uncaught exceptions and Qt's messages to the log, and the stacks of a native crash to a file.

    A slot that raises does not end the program.
    """
    old_hook, old_thread_hook = sys.excepthook, threading.excepthook
    sys.excepthook = _on_exception
    threading.excepthook = _on_thread_exception
    old_handler = qInstallMessageHandler(_on_qt_message)
    with _crash_file(logs_folder):
        try:
            yield
        finally:
            qInstallMessageHandler(old_handler)
            sys.excepthook, threading.excepthook = old_hook, old_thread_hook


@contextlib.contextmanager
def _crash_file(logs_folder: Path) -> Iterator[None]:
    try:
        file = (logs_folder / "crash.txt").open("a", encoding="utf-8")
    except OSError:
        yield  # without a writable folder a native crash leaves no stacks
        return
    with file:
        faulthandler.enable(file)
        try:
            yield
        finally:
            faulthandler.disable()


def _on_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    log.critical("uncaught", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)


def _on_thread_exception(arguments: threading.ExceptHookArgs) -> None:
    name = arguments.thread.name if arguments.thread is not None else "?"
    if arguments.exc_value is not None:
        log.critical("uncaught in thread %s", name, exc_info=arguments.exc_value)


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    log.log(_LEVELS.get(kind, logging.WARNING), "Qt: %s (%s)", message, context.category)
