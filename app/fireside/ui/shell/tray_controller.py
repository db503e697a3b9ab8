"""Connects the tray icon to its setting, to the running generations and to the windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Slot

from fireside.core.chat import MessageState
from fireside.core.events import AppEvent, MessageAdded, MessageReplaced, ModelStatusChanged
from fireside.core.i18n import tr
from fireside.core.ids import MessageId, ModelId
from fireside.core.model import display_name
from fireside.core.status import Ready
from fireside.settings.conversions import keeps_in_tray
from fireside.settings.values import ResolvedSetting
from fireside.ui.app_settings import AppSettings
from fireside.ui.shell.tray import Tray
from fireside.ui.shell.windows import Windows
from fireside.ui.widgets.text import one_line


class TrayController(QObject):
    """Shows the tray icon as the setting says, what runs in its tooltip, and runs its menu. GUI thread
    only."""

    def __init__(self, windows: Windows, *, tray: Tray, open_quick_question: Callable[[], None]) -> None:
        """``open_quick_question`` is called when that is chosen in the menu."""
        super().__init__(windows)
        self._windows = windows
        self._tray = tray
        self._running: set[MessageId] = set()
        self._ready: set[ModelId] = set()
        windows.hides_on_close = lambda: tray.is_visible
        tray.show_requested.connect(self._on_show)
        tray.chat_requested.connect(self._on_chat)
        tray.quick_question_requested.connect(open_quick_question)
        tray.quit_requested.connect(windows.request_quit)
        program = windows.program
        self._settings = AppSettings(client=program.client, tasks=program.tasks, parent=self)
        self._settings.changed.connect(self._on_settings_changed)
        program.client.frame.connect(self._on_frame)

    def refresh(self) -> None:
        """Read the setting and apply it."""
        self._settings.read()

    @Slot(object)
    def _on_settings_changed(self, resolved: Sequence[ResolvedSetting]) -> None:
        self._tray.set_persistent(is_persistent=keeps_in_tray(resolved))

    @Slot()
    def _on_show(self) -> None:
        self._windows.raise_front()

    @Slot()
    def _on_chat(self) -> None:
        self._windows.raise_front().router.new_chat()

    @Slot(object)
    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        before = (set(self._running), set(self._ready))
        for event in events:
            self._settings.handle(event)
            match event:
                case MessageAdded(message=message) if message.state is MessageState.STREAMING:
                    self._running.add(message.id)
                case MessageReplaced(message=message):
                    self._running.discard(message.id)
                case ModelStatusChanged(status=status) if isinstance(status.state, Ready):
                    self._ready.add(status.model_id)
                case ModelStatusChanged(status=status):
                    self._ready.discard(status.model_id)
                case _:
                    pass
        # The models end last, when every window has closed.
        if before != (self._running, self._ready) and self._windows.all:
            self._tray.set_tooltip(self._tooltip())

    def _tooltip(self) -> str:
        if self._running:
            return tr(
                "Fireside: generating %n answer|Fireside: generating %n answers",
                "",
                len(self._running),
            )
        entries = (self._windows.front.models.entry(model_id) for model_id in sorted(self._ready))
        names = ", ".join(one_line(display_name(entry)) for entry in entries if entry is not None)
        return tr("Fireside: {models} loaded").format(models=names) if names else "Fireside"
