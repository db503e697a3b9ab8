"""The program's settings, for the parts of the window that depend on some of them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from fireside.bridge.client import EngineClient
from fireside.core.events import AppEvent, SettingsChanged
from fireside.settings.values import ResolvedSetting
from fireside.ui.tasks import TaskRunner


class AppSettings(QObject):
    """Reads the settings that apply without a model or a conversation, again after each change."""

    changed = Signal(object)
    """Carries a tuple of every ``ResolvedSetting``; also emitted after the first read."""

    def __init__(self, *, client: EngineClient, tasks: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self.latest: tuple[ResolvedSetting, ...] = ()
        """What was read last; empty until the first read."""
        self.changed.connect(self._on_changed)

    def read(self) -> None:
        """Request the settings and emit ``changed``."""
        request = self._client.settings.resolved(model_id=None, conversation_id=None)
        self._tasks.run(request, on_done=self.changed.emit)

    @Slot(object)
    def _on_changed(self, settings: tuple[ResolvedSetting, ...]) -> None:
        self.latest = settings

    def handle(self, event: AppEvent) -> None:
        """Apply an event from the engine thread."""
        if isinstance(event, SettingsChanged):
            self.read()
