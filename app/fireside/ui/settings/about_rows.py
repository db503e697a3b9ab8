"""Rows of the settings page about the program and its updates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fireside.core.about import About, UpdateProgressed
from fireside.core.i18n import tr, tr_noop
from fireside.ui.kit.layout import column
from fireside.ui.settings.about_text import step_text, update_text, version_text
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.theme import SPACE_M, SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel

if TYPE_CHECKING:
    from fireside.ui.settings.about_controller import AboutController


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
