"""Rows of the settings page about the program and its updates."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Final

from PySide6.QtCore import QObject

from fireside.core.about import About, PackageKind, UpdateProgressed, UpdateStep
from fireside.core.errors import FiresideError, format_bytes
from fireside.core.i18n import number, tr, tr_noop
from fireside.settings.definitions import DAILY_KEY
from fireside.ui.commands import Command
from fireside.ui.kit.layout import column
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.theme import SPACE_M, SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext

_KINDS: Final = {
    PackageKind.SOURCE: tr_noop("Source checkout"),
    PackageKind.SYSTEM: tr_noop("System package"),
    PackageKind.FOLDERS: tr_noop("Installed for you alone"),
    PackageKind.OTHER: tr_noop("Installed by other means"),
}
_UPDATE_HINTS: Final = {
    PackageKind.SOURCE: tr_noop("A source checkout is updated with “git pull” and “make run”."),
    PackageKind.SYSTEM: tr_noop("Your system’s package manager updates Fireside."),
    PackageKind.FOLDERS: tr_noop(
        "This build names no address for updates. Install an update over it; chats and settings stay."
    ),
    PackageKind.OTHER: tr_noop("Update Fireside the way you installed it."),
}
_STEPS: Final = {
    UpdateStep.DOWNLOADING: tr_noop("Downloading…"),
    UpdateStep.UNPACKING: tr_noop("Unpacking…"),
    UpdateStep.TESTING: tr_noop("Testing the new version…"),
}


def version_text(about: About) -> str:
    """Return the version and how it was installed."""
    version = tr("Version {version}").format(version=about.version)
    return f"{version} · {tr(_KINDS[about.kind])}"


def update_text(about: About) -> str:
    """Return the state of updates."""
    if about.pending_version:
        return tr("Version {version} starts the next time you open Fireside.").format(
            version=about.pending_version
        )
    if about.release is not None:
        return tr("Version {version} is available ({size}, {day}).").format(
            version=about.release.version,
            size=format_bytes(about.release.n_bytes),
            day=about.release.released,
        )
    if about.checked_at is not None:
        return tr("Fireside is up to date.")
    if about.failed_version:
        return tr("Version {failed} did not start twice, so version {version} is used again.").format(
            failed=about.failed_version, version=about.version
        )
    return tr("Nothing is asked until you click.") if about.is_published else tr(_UPDATE_HINTS[about.kind])


def step_text(progress: UpdateProgressed) -> str:
    """Return the current step of an update and its progress."""
    text = tr(_STEPS[progress.step])
    if progress.fraction is None:
        return text
    percent = tr("{percent}%").format(percent=number(progress.fraction * 100))
    return f"{text} {percent}"


class VersionRow(ExtraRow):
    """Shows version, data folder and licences."""

    label = tr_noop("Fireside")
    search_terms = tr_noop("fireside about version build licences licenses changelog data folder location")

    def __init__(self, actions: AboutController) -> None:
        super().__init__()
        self.version = WrappedLabel(tr("Loading…"), role="small")
        self.data = WrappedLabel(role="small")
        self.licences = Button(tr("What’s new and licences…"), on_click=actions.show_licences)
        self.reveal = Button(tr("Show data folder"), on_click=actions.show_data)
        buttons, _ = flow_row(self.licences, self.reveal, spacing=SPACE_S)
        column(self.titled(self.version, self.data), buttons, spacing=SPACE_M, margins=INSIDE, on=self)

    def show_about(self, about: About) -> None:
        """Show version and data folder."""
        self.version.setText(version_text(about))
        self.data.setText(tr("Data folder: {path}").format(path=about.data_folder))


class UpdateRow(ExtraRow):
    """Checks for, installs and rolls back updates."""

    label = tr_noop("Updates")
    search_terms = tr_noop("updates upgrade new version look check release install go back downgrade")

    def __init__(self, actions: AboutController) -> None:
        super().__init__()
        self.state = WrappedLabel(tr("Loading…"), role="small")
        self.notes = WrappedLabel(role="small")
        self.notes.hide()
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.bar = ProgressBar(name=tr("Update progress"))
        self.bar.hide()
        self.check = Button(tr("Check for updates"), on_click=actions.check_for_update)
        self.install = Button(tr("Install"), kind="primary", on_click=actions.install)
        self.install.setAccessibleName(tr("Install the update"))
        self.cancel = Button(tr("Cancel"), on_click=actions.cancel)
        self.cancel.setAccessibleName(tr("Cancel the update"))
        self.back = Button("", on_click=actions.roll_back)
        self.quit = Button(tr("Quit now"), on_click=actions.quit)
        self._buttons, _ = flow_row(
            self.check, self.install, self.cancel, self.quit, self.back, spacing=SPACE_S
        )
        titled = self.titled(self.state, self.notes, self.error)
        column(titled, self.bar, self._buttons, spacing=SPACE_M, margins=INSIDE, on=self)
        self._about: About | None = None
        self._offer(None, is_busy=False)

    def show_about(self, about: About) -> None:
        """Show the state of updates, and the buttons that apply to it."""
        self._about = about
        self.state.setText(update_text(about))
        release = about.release if not about.pending_version else None
        self.notes.show_text(release.notes if release is not None else "")
        self.error.show_text("")
        self.back.set_label(tr("Back to version {version}").format(version=about.previous_version))
        self._offer(about, is_busy=False)

    def show_busy(self, text: str) -> None:
        """Show that an operation runs, which can be cancelled."""
        self.error.show_text("")
        self.state.setText(text)
        self._offer(self._about, is_busy=True)

    def show_progress(self, progress: UpdateProgressed) -> None:
        """Show the progress of the update."""
        self.state.setText(step_text(progress))
        self.bar.setVisible(progress.fraction is not None)
        self.bar.set_fraction(progress.fraction or 0.0)

    def show_error(self, sentence: str) -> None:
        """Show an error."""
        if self._about is not None:
            self.show_about(self._about)
        self.error.show_text(sentence)

    def _offer(self, about: About | None, *, is_busy: bool) -> None:
        had_focus = any(button.hasFocus() for button in (self.check, self.install, self.cancel, self.back))
        is_free = about is not None and about.is_published and not is_busy
        has_release = (
            is_free and about is not None and about.release is not None and not about.pending_version
        )
        offered = {
            self.check: is_free and not has_release and about is not None and not about.pending_version,
            self.install: has_release,
            self.cancel: is_busy,
            self.quit: is_free and about is not None and bool(about.pending_version),
            self.back: is_free and about is not None and bool(about.previous_version),
        }
        for button, is_offered in offered.items():
            button.setVisible(is_offered)
        self._buttons.setVisible(any(offered.values()))
        if not is_busy:
            self.bar.hide()
        if had_focus and (first := next((button for button, is_so in offered.items() if is_so), None)):
            first.setFocus()


class AboutController(QObject):
    """Owns both rows. GUI thread only."""

    def __init__(
        self, context: WindowContext, *, on_first_known: Callable[[], None], parent: QObject
    ) -> None:
        """``on_first_known`` is called once it is known whether this installation can update
        itself."""
        super().__init__(parent)
        self._context = context
        self._client = context.client.about
        self._tasks = context.tasks
        self._on_first_known = on_first_known
        self._about: About | None = None
        self._running: asyncio.Task[About] | None = None
        self.version = VersionRow(self)
        self.update = UpdateRow(self)
        self.version.shown.connect(self.refresh)

    def hides(self, key: str) -> bool:
        """Return whether a setting does not apply to this installation."""
        return key == DAILY_KEY and not (self._about is not None and self._about.is_published)

    def handle(self, progress: UpdateProgressed) -> None:
        """Show the progress of the update that this window started."""
        if self._running is not None:
            self.update.show_progress(progress)

    def refresh(self) -> None:
        """Request version and state of updates."""
        if self._running is None:
            self._tasks.run(self._client.about(), on_done=self._show)

    def check_for_update(self) -> None:
        self._run(self._client.check_for_updates(), text=tr("Checking for updates…"))

    def install(self) -> None:
        self._run(self._client.install(), text=tr("Downloading…"))

    def roll_back(self) -> None:
        self._run(self._client.roll_back(), text=tr("Going back…"))

    def cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def quit(self) -> None:
        self._context.router.quit()

    def show_licences(self) -> None:
        self._context.commands.actions[Command.ABOUT].trigger()

    def show_data(self) -> None:
        if self._about is not None:
            self._context.reveal(self._about.data_folder)

    def _run(self, work: Coroutine[object, object, About], *, text: str) -> None:
        if self._running is not None:
            work.close()
            return
        self.update.show_busy(text)
        self._running = self._tasks.run(work, on_done=self._show, on_error=self._on_error)
        if self._running is not None:
            self._running.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[About]) -> None:
        self._running = None
        if task.cancelled():
            self.refresh()

    def _show(self, about: About) -> None:
        was_known, self._about = self._about is not None, about
        self.version.show_about(about)
        self.update.show_about(about)
        if not was_known:
            self._on_first_known()

    def _on_error(self, error: FiresideError) -> None:
        self.update.show_error(error.sentence())
