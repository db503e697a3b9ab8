"""A start imports only the modules that it needs before the window is visible."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fireside

APP = Path(fireside.__file__).parents[1]
FOR_LATER = frozenset(
    {
        "PIL",
        "PySide6.QtWebEngineCore",
        "fireside.runner",
        "fireside.tools",
        "fireside.web_host.page_host",
        "httpx2",
        "huggingface_hub",
        "jinja2",
        "keyring",
        "llama_cpp",
        "llguidance",
        "numpy",
        "pydantic",
        "pypdf",
        "pypdfium2",
        "segno",
        "simpleeval",
        "zeroconf",
        "ziamath",
    }
)
"""What is loaded when it is first used, if at all."""
AFTER_THE_FIRST_PAINT = frozenset(
    {
        "fireside.bridge.pdf",
        "fireside.chat.app",
        "fireside.cli.command_line",
        "fireside.engine.engine",
        "fireside.hub",
        "fireside.library",
        "fireside.main.build",
        "fireside.services",
        "fireside.storage",
        "fireside.ui.answer_inspection.probability_sheet",
        "fireside.ui.chat.pane.answer_form",
        "fireside.ui.chat.pane.tree_sheet",
        "fireside.ui.compare.compare_view",
        "fireside.ui.discover",
        "fireside.ui.downloads.downloads_page",
        "fireside.ui.hardware.hardware_page",
        "fireside.ui.library.library_page",
        "fireside.ui.loading.panel",
        "fireside.ui.presets.library_sheet",
        "fireside.ui.preview",
        "fireside.ui.search",
        "fireside.ui.settings.settings_page",
        "fireside.ui.side_panel.panel",
        "fireside.ui.transfer.export_sheet",
        "fireside.ui.tuning",
        "html.entities",
        "markdown_it",
        "pickle",
        "psutil",
        "pygments",
        "xml.etree.ElementTree",
    }
)
"""The engine, loaded once the window is seen; what reads commands, never; pages and sheets,
loaded when they are opened; and what draws messages."""
MOST_MODULES = 620
"""In all, of Python and its libraries too, when the window is painted; a few more than there are."""
AT_THE_FIRST_USE = frozenset(
    {
        "configparser",
        "difflib",
        "email",
        "fireside.engine.runtimes.archive_extraction",
        "fireside.engine.tuning.tuner",
        "fireside.remote.remote_answers",
        "fireside.services.transfer.conversation_export",
        "fireside.services.transfer.conversation_import",
        "fireside.services.transfer.html_page",
        "html.entities",
        "http.cookiejar",
        "importlib.metadata",
        "markdown_it",
        "pickle",
        "pygments",
        "statistics",
        "tarfile",
        "urllib.request",
        "xml.etree.ElementTree",
    }
)
"""What stays out of the window's process while nothing is asked, shown or exported."""
OF_THE_TERMINAL = frozenset(
    {
        "fireside.cli.commands.pull",
        "fireside.cli.commands.run",
        "fireside.cli.commands.verify",
        "fireside.cli.doctor",
        "fireside.cli.one_prompt",
        "fireside.cli.terminal",
    }
)
OF_THE_PROGRAM = frozenset(
    {
        "PySide6",
        "apsw",
        "asyncio",
        "fireside.chat.app",
        "fireside.engine.engine",
        "fireside.library.library",
        "fireside.main.build",
        "fireside.ui",
        "markdown_it",
        "psutil",
        "pygments",
        "ssl",
    }
)

PAINTED = """
import json, linecache, sys
from fireside.cli import run
from fireside.main import import_qt

import_qt()
import fireside.main.window as program
from fireside.core.errors import HubError
from PySide6.QtCore import QEvent, QObject

make_windows = program.make_windows

class Probe(QObject):
    def eventFilter(self, _, event):
        if event.type() == QEvent.Type.Paint and loaded is None:
            note()
            windows.quit()
        return False

def note():
    global loaded
    loaded = sorted(sys.modules)

def watched(*arguments, **named):
    global windows
    windows = make_windows(*arguments, **named)
    windows.front.installEventFilter(probe)
    return windows

loaded = None
probe = Probe()
program.make_windows = watched
status = run([])
assert sys.getswitchinterval() <= 0.001, "the window would wait for threads that compute"
assert not any("fireside" in file for file in linecache.cache), "sources are read and kept"
assert "__init__" not in vars(HubError), "the constructors of errors are written before any is raised"
print(json.dumps(loaded))
sys.exit(status)
"""
RESTING = """
import json, sys
import fireside.main.build
print(json.dumps(sorted(sys.modules)))
"""
HELP = """
import contextlib, io, json, sys
from fireside.cli import run

with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as said:
    run(["--help"])
assert "fireside" in said.getvalue()
print(json.dumps(sorted(sys.modules)))
"""
HELP_OF_COMMANDS = """
import contextlib, io, json, sys
from fireside.cli import run
from fireside.cli.command_line import COMMANDS

for command in COMMANDS:
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as said:
        run([command.name, "--help"])
    assert command.name in said.getvalue()
print(json.dumps(sorted(sys.modules)))
"""
LISTED = """
import contextlib, io, json, sys
from fireside.cli import run

with contextlib.redirect_stdout(io.StringIO()):
    assert run(["list"]) == 0
print(json.dumps(sorted(sys.modules)))
"""


def loaded_by(program: str, *, home: Path) -> frozenset[str]:
    """Return the modules that a fresh interpreter has after ``program``."""
    finished = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={
            **os.environ,
            "FIRESIDE_HOME": str(home),
            "PYTHONPATH": str(APP),
            "QT_QPA_PLATFORM": "offscreen",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return frozenset(json.loads(finished.stdout.splitlines()[-1]))


@pytest.mark.timeout(150)
def test_the_window_is_painted_without_what_is_only_used_later(tmp_path: Path) -> None:
    loaded = loaded_by(PAINTED, home=tmp_path)
    assert "fireside.ui.shell.main_window" in loaded
    assert not loaded & (FOR_LATER | AFTER_THE_FIRST_PAINT | OF_THE_TERMINAL)
    assert len(loaded) < MOST_MODULES


def test_the_engine_is_there_without_what_it_may_never_use(tmp_path: Path) -> None:
    loaded = loaded_by(RESTING, home=tmp_path)
    assert "fireside.chat.app" in loaded
    assert not loaded & (FOR_LATER | AT_THE_FIRST_USE)


def test_help_does_not_load_the_program(tmp_path: Path) -> None:
    assert not loaded_by(HELP, home=tmp_path) & (OF_THE_PROGRAM | OF_THE_TERMINAL | FOR_LATER)


def test_help_of_a_command_does_not_load_the_program(tmp_path: Path) -> None:
    loaded = loaded_by(HELP_OF_COMMANDS, home=tmp_path)
    assert "fireside.cli.commands.run" in loaded
    for_commands = frozenset({"asyncio", "ssl"})
    assert not loaded & (OF_THE_PROGRAM - for_commands | FOR_LATER | {"fireside.main.machine"})


def test_models_are_listed_without_the_window(tmp_path: Path) -> None:
    loaded = loaded_by(LISTED, home=tmp_path)
    assert "fireside.cli.commands.list_models" in loaded
    assert not loaded & (FOR_LATER | {"PySide6", "fireside.ui"})
