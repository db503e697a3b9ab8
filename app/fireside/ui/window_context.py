"""What every window of the program is given: the engine, the look, and ways out to the system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fireside.bridge.client import EngineClient
from fireside.ui.chat.links import OpenUrl
from fireside.ui.sheets.about_sheet import AboutText
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme


@dataclass(frozen=True, kw_only=True)
class WindowContext:
    """Shared by all windows. GUI thread only."""

    client: EngineClient
    tasks: TaskRunner
    theme: Theme
    about: Callable[[], AboutText]
    open_url: OpenUrl
    reveal: Callable[[str], None]
    """Shows a file in the file manager."""
