"""The settings of the program, for the parts of the window that follow some of them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from fireside.bridge.client import EngineClient
from fireside.core.events import AppEvent, SettingsChanged
from fireside.ui.tasks import TaskRunner


class AppSettings(QObject):
    """Reads what holds without a model and a conversation, and reads it again after each change."""

    changed = Signal(object)
    """Carries all of them, a tuple of ``ResolvedSetting``; also after the first reading."""

    def __init__(self, *, client: EngineClient, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks

    def read(self) -> None:
        """Ask for the settings."""
        asked = self._client.settings.resolved(model_id=None, conversation_id=None)
        self._tasks.run(asked, on_done=self.changed.emit)

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        if isinstance(event, SettingsChanged):
            self.read()
