"""Select files to import, show the progress, and report what was imported and what was skipped."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.transfer import ImportReport
from fireside.ui.kit.file_dialogs import choose_files, choose_folder
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import theme
from fireside.ui.transfer.transfer_text import import_summary, progress_text, skipped_summary
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel

_ABOUT: Final = tr_noop(
    "Chats and projects exported from Fireside, ChatGPT, Claude, LM Studio, Jan or Open WebUI: a file, a ZIP "
    "archive or a folder. What is here already gets what is new in it."
)


class ImportSheet(Sheet):
    """Stays open during the import; Escape then cancels it."""

    import_requested = Signal(object)
    """Carries a list of paths."""
    stop_requested = Signal()

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(tr("Import"), parent=parent)
        self.is_busy = False
        self.progress = ProgressBar(name=tr("Import"))
        self.progress.setRange(0, 0)
        self.progress.hide()
        self.message = WrappedLabel(role="body")
        self.message.hide()
        self.skipped = QPlainTextEdit()
        self.skipped.setReadOnly(True)
        self.skipped.setTabChangesFocus(True)
        self.skipped.setAccessibleName(tr("Not imported"))
        self.skipped.setMinimumHeight(theme().scaled(120))
        self.skipped.hide()
        self.close_button = self.make_cancel()
        self.folder = self.make_button(tr("Choose folder…"), self.choose_folder)
        self.files = self.make_button(tr("Choose files…"), self.choose_files, kind="primary", is_default=True)
        self.set_content(
            WrappedLabel(tr(_ABOUT), role="body"),
            self.progress,
            self.message,
            self.skipped,
            heading=tr("Import chats"),
            buttons=(self.close_button, self.folder, self.files),
        )
        # Return presses the button that has the focus frame.
        self.files.setFocus(Qt.FocusReason.OtherFocusReason)

    def start(self, paths: list[str]) -> None:
        """Import these paths, as if they had been selected here."""
        self._set_busy(busy=True)
        self._show_message(tr("Reading…"), role="body")
        self.import_requested.emit(paths)

    def show_progress(self, n_done: int) -> None:
        """Show the progress."""
        if self.is_busy:
            self._show_message(progress_text(n_done, None), role="body")

    def show_report(self, report: ImportReport) -> None:
        """Report what was imported and what was skipped."""
        self._set_busy(busy=False)
        self._show_message(import_summary(report), role="body")
        problems = skipped_summary(report)
        self.skipped.setPlainText(problems)
        self.skipped.setVisible(bool(problems))
        self.close_button.set_label(tr("Close"))
        self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_error(self, sentence: str) -> None:
        """Show an error; something else can be selected."""
        self._set_busy(busy=False)
        self._show_message(sentence, role="error")

    @Slot()
    def choose_files(self) -> QFileDialog:
        """Let the user select files."""
        filters = (tr("Chats (*.json *.zip)"), tr("All files (*)"))
        return choose_files(self, tr("Import chats"), self.start, filters=filters)

    @Slot()
    def choose_folder(self) -> QFileDialog:
        """Let the user select a folder."""
        return choose_folder(self, tr("Import chat folder"), lambda path: self.start([path]))

    def reject(self) -> None:
        if self.is_busy:
            self.stop_requested.emit()
            self._set_busy(busy=False)
            self._show_message(tr("Cancelled; imported chats stay."), role="body")
        else:
            super().reject()

    def _set_busy(self, *, busy: bool) -> None:
        self.is_busy = busy
        self.progress.setVisible(busy)
        self.skipped.hide()
        self.close_button.set_label(tr("Stop") if busy else tr("Cancel"))
        for button in (self.folder, self.files):
            button.setEnabled(not busy)

    def _show_message(self, text: str, *, role: str) -> None:
        self.message.set_role(role)
        self.message.setText(text)
        self.message.show()
