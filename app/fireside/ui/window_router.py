"""The ways between a window's pages: what is wanted on one of them and done on another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QMainWindow

from fireside.core.errors import NextStep
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.status import Broken, Unloaded
from fireside.ui.command_controller import CommandController
from fireside.ui.controllers import Controllers
from fireside.ui.drop_overlay import DropOverlay
from fireside.ui.page import Page
from fireside.ui.settings.scope import Scope
from fireside.ui.views import Views


class WindowWays:
    """Goes to pages on behalf of each other, and takes the model that a person chose. GUI thread only."""

    def __init__(self, panes: Views) -> None:
        self._panes = panes

    def connect(
        self, desks: Controllers, *, commands: CommandController, drop: DropOverlay, window: QMainWindow
    ) -> None:
        """Follow from now on what is wanted anywhere in ``window``."""
        self._desks = desks
        self._window = window
        self._connect_models(commands)
        self._connect_chat(commands)
        desks.desk.subject_changed.connect(self._on_subject_changed)
        drop.dropped.connect(self.open_files)
        drop.chats_dropped.connect(desks.transfers.take_files)
        self._panes.navigation.page_shown.connect(self._on_page_shown)

    # What is wanted

    def show_page(self, page: Page) -> None:
        """Bring a page to the front."""
        self._panes.navigation.show(page)

    def use_model(self, model_id: str) -> None:
        """Go on in the chat with this model."""
        self.show_page(Page.CHAT)
        self.choose_model(model_id)

    def choose_model(self, model_id: str) -> None:
        """Answer with this model from now on."""
        chosen = ModelId(model_id)
        self._desks.desk.choose_model(chosen)
        # Loading while the message is being written makes the first answer come sooner.
        if isinstance(self._panes.models.state(chosen), Unloaded | Broken):
            self._desks.model_desk.load(chosen)
        self._panes.chat.focus_composer()

    def show_setting(self, key: str) -> None:
        """Show one setting where it holds everywhere."""
        self.show_page(Page.SETTINGS)
        self._panes.settings.show_scope(Scope.EVERYWHERE)
        self._panes.settings.show_setting(key)

    def open_files(self, paths: Sequence[str]) -> None:
        """Add files and folders to the library, and show it."""
        self.show_page(Page.MODELS)
        self._desks.library_desk.add(paths)

    # Inside

    def _connect_models(self, commands: CommandController) -> None:
        panes = self._panes
        panes.header.model_chosen.connect(self.choose_model)
        panes.header.library_wanted.connect(self._page(Page.MODELS))
        panes.library.use_wanted.connect(self.use_model)
        panes.library.settings_wanted.connect(commands.show_model_settings)
        panes.supply.page_wanted.connect(self.show_page)
        panes.supply.chat_wanted.connect(self.use_model)
        panes.supply.setting_wanted.connect(self.show_setting)
        panes.supply.room_wanted.connect(self._show_disk_use)
        self._desks.library_desk.downloads_wanted.connect(self._page(Page.DOWNLOADS))
        ways = (
            panes.header.discover_wanted,
            panes.chat.empty.find_model.clicked,
            panes.library.discover_wanted,
        )
        for discover_wanted in ways:
            discover_wanted.connect(self._page(Page.DISCOVER))

    def _connect_chat(self, commands: CommandController) -> None:
        panes, desks = self._panes, self._desks
        panes.header.export_wanted.connect(commands.export_chat)
        panes.header.parameters_wanted.connect(commands.show_chat_settings)
        desks.desk.chat_shown.connect(self._page(Page.CHAT))
        panes.chat.step_requested.connect(self._on_step)
        panes.chat.steering.set_models(lambda: panes.models.usable)
        panes.chat.steering.chat_wanted.connect(desks.desk.open)
        panes.chat.steering.note_wanted.connect(self._on_note_wanted)

    def _page(self, page: Page) -> Callable[[], None]:
        return lambda: self.show_page(page)

    def _show_disk_use(self) -> None:
        self.show_page(Page.MODELS)
        self._panes.library.wishes.disk_use.emit()

    def _on_page_shown(self) -> None:
        panes = self._panes
        if panes.navigation.page is Page.SETTINGS:
            panes.settings.set_subject(self._desks.desk.subject)
            panes.settings.refresh()
            panes.settings.filter.setFocus(Qt.FocusReason.OtherFocusReason)
        # Once the page in front has been laid out.
        QTimer.singleShot(0, panes.toast, panes.toast.place)

    def _on_subject_changed(self) -> None:
        panes, subject = self._panes, self._desks.desk.subject
        self._desks.presets.follow()
        panes.header.set_model(subject.model_id)
        self._window.setWindowTitle(
            tr("{title} – Fireside").format(title=subject.title) if subject.title else "Fireside"
        )
        if panes.navigation.page is Page.SETTINGS:
            panes.settings.set_subject(subject)

    def _on_note_wanted(self, words: str, action: str, on_action: Callable[[], None] | None) -> None:
        self._panes.toast.show_note(words, action=action, on_action=on_action)

    def _on_step(self, step: NextStep) -> None:
        match step:
            case NextStep.CHOOSE_MODEL:
                self._panes.header.open_picker()
            case NextStep.OPEN_MODEL_SETTINGS:
                self.show_page(Page.SETTINGS)
                self._panes.settings.show_scope(Scope.MODEL)
            case NextStep.OPEN_SETTINGS:
                self.show_page(Page.SETTINGS)
            case NextStep.NEW_CHAT:
                self._desks.desk.new_chat()
            case NextStep.CHOOSE_DATA_FOLDER:
                self._panes.notices.choose_data_folder()
            case NextStep.RETRY | NextStep.NONE:
                pass
            case _:
                assert_never(step)
