"""What makes the window comfortable, held together: look, shortcuts, palette, notes of finished answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtWidgets import QWidget

from fireside.bridge.client import EngineClient
from fireside.core.chat import ConversationSummary
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.ids import ConversationId
from fireside.ui.answer_notes import AnswerNotes
from fireside.ui.appearance import Appearance
from fireside.ui.commands import Commands
from fireside.ui.models_view import ModelsView
from fireside.ui.notifier import Notifier
from fireside.ui.palette import PaletteController
from fireside.ui.shortcuts import ShortcutController
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.theme import Theme


class Ease:
    """Makes the parts and passes on what happens. GUI thread only."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        commands: Commands,
        models: ModelsView,
        theme: Theme,
        notifier: Notifier,
        open_chat: Callable[[ConversationId], None],
        use_model: Callable[[str], None],
        show_setting: Callable[[str], None],
        on_error: OnError,
        window: QWidget,
    ) -> None:
        self.appearance = Appearance(client=client, tasks=tasks, look=theme, on_error=on_error, parent=window)
        self.shortcuts = ShortcutController(
            client=client, tasks=tasks, commands=commands, on_error=on_error, parent=window
        )
        self.palette = PaletteController(
            commands=commands,
            models=models,
            theme=theme,
            open_chat=open_chat,
            use_model=use_model,
            show_setting=show_setting,
            window=window,
        )
        self.answer_notes = AnswerNotes(
            client=client,
            tasks=tasks,
            notifier=notifier,
            title_of=self.palette.title_of,
            on_error=on_error,
            window=window,
        )

    def read(self) -> None:
        """Ask for the settings and follow them."""
        self.appearance.read()
        self.shortcuts.read()
        self.answer_notes.read()

    def start(self, conversations: Iterable[ConversationSummary], *, recent: Sequence[str]) -> None:
        """Know the conversations there are, and what was taken from the palette before."""
        self.palette.start(conversations, recent=recent)

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        self.palette.handle(event)
        self.answer_notes.handle(event)
        if isinstance(event, SettingsChanged):
            self.appearance.settings_changed(event.keys)
            self.shortcuts.settings_changed(event.keys)
            self.answer_notes.settings_changed(event.keys)
