"""Buttons with remedies for a download that failed or lacks disk space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import tr
from fireside.ui.theme import SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import FlowLayout
from fireside.ui.window_context import HUB_ACCESS_ROW

if TYPE_CHECKING:
    from fireside.ui.downloads.download_controller import DownloadController


class RecoveryButtons(QWidget):
    """The remedies for a download; hidden while it needs none."""

    def __init__(self, download: Download, *, name: str, actions: DownloadController) -> None:
        super().__init__()
        self._page = ""
        self._setting = ""
        line = FlowLayout(self, spacing=SPACE_S)
        self.page = Button(tr("Licence page"), icon="external-link")
        self.page.setAccessibleName(tr("Open licence page: {name}").format(name=name))
        self.page.clicked.connect(lambda: actions.open_link(self._page))
        self.settings = Button(tr("Settings"), icon="settings")
        self.settings.clicked.connect(lambda: actions.router.show_setting(self._setting))
        self.free_space = Button(tr("Disk usage"), icon="hard-drive")
        self.free_space.clicked.connect(actions.router.show_disk_use)
        self.tokenless = Button(tr("Continue without token"), icon="play")
        self.tokenless.clicked.connect(lambda: actions.resume_without_token(download.id))
        self._name = name
        self.retry = Button("", icon="refresh-cw", on_click=lambda: actions.resume(download.id))
        for button in self.buttons:
            line.addWidget(button)
        self.hide()

    @property
    def buttons(self) -> tuple[Button, ...]:
        """All buttons that can be offered, in their order."""
        return (self.page, self.settings, self.tokenless, self.free_space, self.retry)

    def show_steps(self, download: Download) -> None:
        has_failed = download.state is DownloadState.FAILED
        waits_for_network = download.state is DownloadState.WAITING_FOR_NETWORK
        waits_for_space = download.state is DownloadState.WAITING_FOR_SPACE
        error = download.error if has_failed else None
        self._page = licence_page(error)
        self.page.setVisible(bool(self._page))
        self._setting = setting_of(error)
        self.settings.setVisible(bool(self._setting))
        self.tokenless.setVisible(error is not None and error.code == "hub_token_refused")
        self.free_space.setVisible(
            waits_for_space or (error is not None and error.code == "download_disk_full")
        )
        retry = tr("Retry now") if waits_for_network else tr("Try again")
        self.retry.set_label(retry)
        self.retry.setAccessibleName(f"{retry}: {self._name}")
        self.retry.setVisible(has_failed or waits_for_network)
        self.setVisible(has_failed or waits_for_network or waits_for_space)


def licence_page(error: ErrorInfo | None) -> str:
    """Return the URL at which the terms of a gated model are accepted; empty for other errors."""
    page = error.data.get("page") if error is not None and error.code == "hub_gated" else None
    return page if isinstance(page, str) and page.startswith(("https://", "http://")) else ""


def setting_of(error: ErrorInfo | None) -> str:
    """Return the key of the setting that must be fixed first; empty where none would help."""
    if error is None:
        return ""
    if error.code == "hub_offline":
        return "hub.offline"
    needs_token = error.code in {"hub_not_found", "hub_token_refused"} or (
        error.code == "hub_gated" and not error.data.get("with_token")
    )
    if needs_token or error.next_step is NextStep.OPEN_SETTINGS:
        return HUB_ACCESS_ROW
    return ""
