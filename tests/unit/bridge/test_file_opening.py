"""The system's requests to open files in the running program."""

from __future__ import annotations

import os
import subprocess
import sys

from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from pytestqt.qtbot import QtBot

from fireside.bridge.file_opening import FileOpening

PROGRAM = """
from PySide6.QtCore import QUrl, QTimer
from PySide6.QtGui import QFileOpenEvent
from fireside.bridge.file_opening import FiresideApplication
app = FiresideApplication([])
app.sendEvent(app, QFileOpenEvent(QUrl.fromLocalFile("/models/a.gguf")))
app.opening.opened.connect(lambda paths: (print(paths, flush=True), app.quit()))
app.opening.start()
app.exec()
"""


def opened(path: str) -> QFileOpenEvent:
    return QFileOpenEvent(QUrl.fromLocalFile(path))


def test_files_opened_together_are_emitted_together(qtbot: QtBot) -> None:
    opening = FileOpening()
    opening.start()
    with qtbot.waitSignal(opening.opened) as received:
        opening.record(opened("/models/a.gguf"))
        opening.record(opened("/models/b ü.gguf"))
    assert received.args == [("/models/a.gguf", "/models/b ü.gguf")]


def test_a_file_opened_before_the_start_is_emitted_at_the_start(qtbot: QtBot) -> None:
    opening = FileOpening()
    opening.record(opened("/models/a.gguf"))
    with qtbot.assertNotEmitted(opening.opened, wait=300):
        pass
    with qtbot.waitSignal(opening.opened) as received:
        opening.start()
    assert received.args == [("/models/a.gguf",)]


def test_each_file_is_emitted_once(qtbot: QtBot) -> None:
    opening = FileOpening()
    opening.start()
    for name in ("/models/a.gguf", "/models/b.gguf"):
        with qtbot.waitSignal(opening.opened) as received:
            opening.record(opened(name))
        assert received.args == [(name,)]


def test_an_address_of_the_web_is_no_file(qtbot: QtBot) -> None:
    opening = FileOpening()
    opening.start()
    with qtbot.assertNotEmitted(opening.opened, wait=300):
        opening.record(QFileOpenEvent(QUrl("https://example.org/a.gguf")))


def test_the_application_hears_what_the_system_wants_opened() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.stdout == "('/models/a.gguf',)\n", ended.stderr
