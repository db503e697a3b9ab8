"""What works behind a window's panes, put together by subject: chats, models, the computer, comfort."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMainWindow

from fireside.core.events import AppEvent
from fireside.core.ids import ConversationId
from fireside.core.snapshot import Snapshot
from fireside.settings.window_state import WindowState
from fireside.ui.answer_tools import AnswerDesks
from fireside.ui.conversation_controller import ConversationController
from fireside.ui.ease import Ease
from fireside.ui.folder_controller import FolderController
from fireside.ui.hardware import HardwareController, show_runtimes
from fireside.ui.library import LibraryController
from fireside.ui.model_controller import ModelController
from fireside.ui.notifier import Notifier
from fireside.ui.slash.slash_factory import make_writing_desks
from fireside.ui.speech import ReadAloud, make_speaker
from fireside.ui.transfer import TransferController
from fireside.ui.tuning import TuningController
from fireside.ui.views import Views
from fireside.ui.window_context import WindowContext


class Controllers:
    """Makes the desks of one window and passes on to them what happens. GUI thread only."""

    def __init__(
        self,
        around: WindowContext,
        *,
        panes: Views,
        notifier: Notifier,
        use_model: Callable[[str], None],
        show_setting: Callable[[str], None],
        window: QMainWindow,
    ) -> None:
        """Take ``use_model`` as what goes on in the chat with a model, ``show_setting`` as what leads to a
        setting."""
        self._around = around
        self._panes = panes
        self._window = window
        self._use_model = use_model
        self._on_error = panes.notices.show_error
        self._make_for_chats()
        self._make_for_models()
        self._make_for_the_computer()
        self.ease = Ease(
            client=around.client,
            tasks=around.tasks,
            commands=panes.commands,
            models=panes.models,
            theme=around.theme,
            notifier=notifier,
            open_chat=self.desk.open,
            use_model=use_model,
            show_setting=show_setting,
            on_error=self._on_error,
            window=window,
        )
        self._make_for_writing()
        speaker = make_speaker(parent=window)
        self.reading = (
            None if speaker is None else ReadAloud(speaker, transcript=panes.chat.transcript, parent=window)
        )

    def close(self) -> None:
        """Leave nothing running that belongs to the window."""
        if self.reading is not None:
            self.reading.stop()

    def start(self) -> None:
        """Ask for what is known before the conversations are."""
        self.ease.read()
        self.presets.start()

    def show(self, snapshot: Snapshot, state: WindowState) -> None:
        """Take over all there is, and show what was open last."""
        self.desk.start(snapshot, last=state.last_conversation)
        self._panes.supply.start(snapshot.downloads)
        self.ease.start(snapshot.conversations, recent=state.recent_targets)

    def show_anew(self, snapshot: Snapshot) -> None:
        """Take over conversations that have come in the place of all others."""
        self.desk.start(snapshot, last=None)

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        self._panes.chat.handle(event)
        self.desk.handle(event)
        self.ease.handle(event)
        self.library_desk.handle(event)
        self._panes.supply.handle(event)
        self.runtimes_desk.handle(event)
        self.tuning_desk.handle(event)
        self.transfers.handle(event)
        self.presets.handle(event)

    @property
    def conversation_id(self) -> ConversationId | None:
        """Which conversation is in front."""
        return self.desk.conversation_id

    def _make_for_chats(self) -> None:
        around, panes = self._around, self._panes
        self.desk = ConversationController(
            client=around.client,
            tasks=around.tasks,
            sidebar=panes.sidebar,
            chat=panes.chat,
            models=panes.models,
            toast=panes.toast,
            on_error=self._on_error,
            parent=self._window,
        )
        self.answers = AnswerDesks(
            panes,
            client=around.client,
            tasks=around.tasks,
            theme=around.theme,
            open_url=around.open_url,
        )
        self.keeping_desk = FolderController(
            client=around.client,
            tasks=around.tasks,
            sidebar=panes.sidebar,
            desk=self.desk,
            models=panes.models,
            toast=panes.toast,
            on_error=self._on_error,
            parent=self._window,
        )

    def _make_for_models(self) -> None:
        around, panes = self._around, self._panes
        self.model_desk = ModelController(
            client=around.client,
            tasks=around.tasks,
            theme=around.theme,
            models=panes.models,
            desk=self.desk,
            header=panes.header,
            library=panes.library,
            settings=panes.settings,
            chat=panes.chat,
            on_error=self._on_error,
            window=self._window,
        )
        self.library_desk = LibraryController(
            client=around.client,
            tasks=around.tasks,
            page=panes.library,
            models=panes.models,
            toast=panes.toast,
            parent=self._window,
        )

    def _make_for_the_computer(self) -> None:
        around, panes = self._around, self._panes
        self.tuning_desk = TuningController(
            client=around.client.tuning,
            tasks=around.tasks,
            theme=around.theme,
            models=panes.models,
            library=panes.library,
            window=self._window,
        )
        self.hardware_desk = HardwareController(
            client=around.client.hardware,
            tasks=around.tasks,
            page=panes.hardware,
            toast=panes.toast,
            parent=self._window,
        )
        self.runtimes_desk = show_runtimes(
            panes.hardware,
            client=around.client.runtimes,
            tasks=around.tasks,
            look_at_devices=self.hardware_desk.look,
            theme=around.theme,
            toast=panes.toast,
        )
        self.transfers = TransferController(
            client=around.client,
            tasks=around.tasks,
            theme=around.theme,
            row=panes.settings.backups,
            toast=panes.toast,
            reveal=around.reveal,
            on_error=self._on_error,
            window=self._window,
        )

    def _make_for_writing(self) -> None:
        around, panes = self._around, self._panes
        self.presets, self.slash = make_writing_desks(
            client=around.client,
            tasks=around.tasks,
            chat=panes.chat,
            desk=self.desk,
            models=panes.models,
            commands=panes.commands,
            palette=self.ease.palette,
            use_model=self._use_model,
            toast=panes.toast,
            theme=around.theme,
            on_error=self._on_error,
            window=self._window,
        )
