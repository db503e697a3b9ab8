"""Dependencies that all windows of the program share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fireside.bridge.client import EngineClient
from fireside.ui.shell.about_sheet import AboutText
from fireside.ui.tasks import OnError, TaskRunner


@dataclass(frozen=True, kw_only=True)
class ProgramContext:
    """Dependencies that all windows of the program share. GUI thread only."""

    client: EngineClient
    tasks: TaskRunner
    """For requests that belong to no window."""
    make_tasks: Callable[[OnError], TaskRunner]
    """Makes the runner of a window's own requests; errors that no part handles go to the argument."""
    open_url: Callable[[str], None]
    """Opens an address in the user's browser."""
    reveal: Callable[[str], None]
    """Shows a file in the file manager."""
    about: Callable[[], AboutText]
    """Returns the texts of the “About” sheet."""
