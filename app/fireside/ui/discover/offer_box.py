"""Buttons and progress of one model on offer: download it, follow its progress, chat with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, assert_never

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from fireside.core.errors import ErrorInfo
from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import tr
from fireside.ui.discover.availability import (
    NOT_IN_LIBRARY,
    Availability,
    BeingDownloaded,
    InLibrary,
    NotInLibrary,
)
from fireside.ui.discover.offer_note import OfferNote
from fireside.ui.downloads.download_text import line_text
from fireside.ui.kit.layout import destroy, row, stretch
from fireside.ui.page import Page
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController

_BAR_WIDTH: Final = 72


class OfferBox(QWidget):
    """Buttons and progress of one model.

    Its buttons are made anew only when another kind of availability is shown: progress takes no focus.
    """

    def __init__(
        self, actions: DiscoverController, *, subject: str, primary: bool, download: Callable[[], None]
    ) -> None:
        """``subject`` names the model for screen readers; ``download`` is called by the download button and
        queues it."""
        super().__init__()
        self._actions = actions
        self._download = download
        self._subject = subject
        self._kind = "primary" if primary else ""
        self._description = ""
        self._displayed_state: tuple[object, ...] = ()
        self._buttons: list[Button] = []
        self.note = OfferNote(actions)
        """Why the model was not downloaded; placed by the owner where there is space for a sentence."""
        self.status_text = ElidedLabel(role="small")
        self.bar = ProgressBar(name=tr("Download of {subject}").format(subject=subject))
        self.bar.setFixedWidth(_BAR_WIDTH)
        self._row = row(stretch(factor=1), self.bar, self.status_text, on=self)
        self.show_availability(NOT_IN_LIBRARY, is_requested=False, problem=None)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The buttons shown, the default one last."""
        return tuple(self._buttons)

    def set_description(self, sentence: str) -> None:
        self._description = sentence
        for button in self._buttons:
            button.setAccessibleDescription(sentence)

    def show_availability(
        self, availability: Availability, *, is_requested: bool, problem: ErrorInfo | None
    ) -> None:
        """Show the availability of the model.

        ``is_requested`` is that the queue has not answered yet, ``problem`` why it was not even queued.
        """
        match availability:
            case NotInLibrary():
                self._show_progress(None)
                self._show_buttons(
                    (tr("not downloaded"), is_requested),
                    lambda: [self._make_download(is_requested=is_requested)],
                )
            case InLibrary():
                self._show_progress(None)
                self.status_text.set_full_text(tr("Downloaded"))
                self.status_text.setVisible(not availability.chats)
                self._show_buttons(
                    (availability, is_requested),
                    lambda: self._make_library_actions(availability, is_requested=is_requested),
                )
            case BeingDownloaded(download=download):
                self._show_progress(download)
                problem = download.error if download.state is DownloadState.FAILED else None
                self._show_buttons(
                    (download.id, download.state), lambda: [self._make_download_action(download)]
                )
            case _:
                assert_never(availability)
        self.note.show_error(problem)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Swallow clicks between the buttons, which would open the row behind."""
        event.accept()

    def _show_progress(self, download: Download | None) -> None:
        self.bar.setVisible(download is not None and download.state is DownloadState.RUNNING)
        self.status_text.setVisible(download is not None)
        if download is None:
            return
        share = download.n_bytes / download.size_bytes if download.size_bytes else 0.0
        self.bar.set_fraction(share)
        self.status_text.set_full_text(_progress_text(download, share=share))

    def _show_buttons(self, state: tuple[object, ...], make: Callable[[], list[Button]]) -> None:
        if state == self._displayed_state:
            return
        self._displayed_state = state
        had_focus = any(button.hasFocus() for button in self._buttons)
        destroy(*self._buttons)
        self._buttons = make()
        for button in self._buttons:
            self._row.addWidget(button)
        if had_focus:
            self._buttons[-1].setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_download(self, *, is_requested: bool) -> Button:
        label = tr("Loading…") if is_requested else tr("Download")
        button = self._button(label, name=tr("Download {subject}"), icon="download", kind=self._kind)
        # Stays enabled, so that it keeps the focus; its label says that the download was requested.
        button.clicked.connect(self._download)
        return button

    def _make_library_actions(self, availability: InLibrary, *, is_requested: bool) -> list[Button]:
        buttons = []
        if availability.outdated:
            label = tr("Loading…") if is_requested else tr("Update")
            update = self._button(label, name=tr("Download update of {subject}"), icon="refresh-cw")
            update.clicked.connect(self._download)
            buttons.append(update)
        if availability.chats:
            chat = self._button(
                tr("Chat"), name=tr("Chat with {subject}"), icon="message-square", kind=self._kind
            )
            chat.clicked.connect(lambda: self._actions.router.use_model(availability.model_id))
            return [*buttons, chat]
        show = self._button(tr("Show"), name=tr("Show in library: {subject}"), kind="quiet")
        show.clicked.connect(lambda: self._actions.router.show_page(Page.MODELS))
        return [*buttons, show]

    def _make_download_action(self, download: Download) -> Button:
        if download.state in {DownloadState.PAUSED, DownloadState.FAILED}:
            is_paused = download.state is DownloadState.PAUSED
            name = tr("Resume: {subject}") if is_paused else tr("Try again: {subject}")
            again = self._button(tr("Resume") if is_paused else tr("Try again"), name=name)
            again.clicked.connect(lambda: self._actions.resume(download.id))
            return again
        show = self._button(tr("Show"), name=tr("Show download of {subject}"), kind="quiet")
        show.clicked.connect(self._actions.open_downloads)
        return show

    def _button(self, text: str, *, name: str, icon: str = "", kind: str = "") -> Button:
        tint = "on_accent" if kind == "primary" else "accent"
        button = Button(text, icon=icon, kind=kind, tint=tint)
        button.setAccessibleName(name.format(subject=self._subject))
        button.setAccessibleDescription(self._description)
        return button


def _progress_text(download: Download, *, share: float) -> str:
    percent = tr("{percent}%").format(percent=int(100 * share))
    match download.state:
        case DownloadState.RUNNING if not download.is_stalled:
            return percent
        case DownloadState.PAUSED:
            return tr("Paused at {percent}").format(percent=percent)
        case DownloadState.CHECKING:
            return tr("Checking")
        case _:
            return line_text(download).state
