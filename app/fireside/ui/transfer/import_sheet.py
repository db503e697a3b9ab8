"""Ask what to import, show how far it is, and say what came in and what did not."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.transfer import ImportReport
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.transfer.transfer_text import imported_words, progress_words, skipped_words
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel

_WIDTH: Final = 520
_HEIGHT: Final = 260
_HEIGHT_WITH_LIST: Final = 400
_ABOUT: Final = tr_noop(
    "Chats that Fireside has exported, and those of ChatGPT, LM Studio, Jan and Open "
    "WebUI: a file, a ZIP archive or a folder. Chats that are here already are left as "
    "they are."
)


class ImportSheet(QDialog):
    """Open it with ``open()``."""

    import_wanted = Signal(object)
    """Carries a list of paths."""
    stop_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.is_busy = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Import"))
        self.resize(theme.scaled(_WIDTH), theme.scaled(_HEIGHT))
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(WrappedLabel(tr("Import chats"), role="title"))
        column.addWidget(WrappedLabel(tr(_ABOUT), role="body"))
        self.progress = ProgressBar(name=tr("Import"), theme=theme)
        self.progress.setRange(0, 0)
        self.progress.hide()
        self.words = WrappedLabel(role="body")
        self.words.hide()
        self.skipped = QPlainTextEdit()
        self.skipped.setReadOnly(True)
        self.skipped.setTabChangesFocus(True)
        self.skipped.setAccessibleName(tr("What could not be imported"))
        self.skipped.setMinimumHeight(theme.scaled(120))
        self.skipped.hide()
        for part in (self.progress, self.words, self.skipped):
            column.addWidget(part)
        column.addStretch()
        column.addLayout(self._make_buttons())
        self.files.setFocus(Qt.FocusReason.OtherFocusReason)  # what Return does is what has the frame

    def start(self, paths: list[str]) -> None:
        """Import these, as if a person had chosen them here."""
        self._set_busy(busy=True)
        self._say(tr("Reading…"), role="body")
        self.import_wanted.emit(paths)

    def show_progress(self, n_done: int) -> None:
        """Say how far it is."""
        if self.is_busy:
            self._say(progress_words(n_done, None), role="body")

    def show_report(self, report: ImportReport) -> None:
        """Say what came in and what did not."""
        self._set_busy(busy=False)
        self._say(imported_words(report), role="body")
        self.skipped.setPlainText(skipped_words(report))
        self.skipped.setVisible(bool(report.skipped))
        if report.skipped:
            self.resize(self.width(), max(self.height(), self._theme.scaled(_HEIGHT_WITH_LIST)))
        self.close_button.set_words(tr("Close"))
        self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_error(self, sentence: str) -> None:
        """Say what went wrong; something else can be chosen."""
        self._set_busy(busy=False)
        self._say(sentence, role="error")

    @Slot()
    def choose_files(self) -> QFileDialog:
        """Ask for files."""
        dialog = QFileDialog(self, tr("Import chats"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([tr("Chats (*.json *.zip)"), tr("All files (*)")])
        return self._open(dialog)

    @Slot()
    def choose_folder(self) -> QFileDialog:
        """Ask for a folder."""
        dialog = QFileDialog(self, tr("Import a folder of chats"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return self._open(dialog)

    def reject(self) -> None:
        if self.is_busy:
            self.stop_wanted.emit()
            self._set_busy(busy=False)
            self._say(tr("Stopped. What has come in stays."), role="body")
        else:
            super().reject()

    def _open(self, dialog: QFileDialog) -> QFileDialog:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self.start)
        dialog.open()
        return dialog

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addStretch()
        self.close_button = Button(tr("Cancel"), theme=self._theme)
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.reject)
        self.folder = Button(tr("Choose a folder…"), theme=self._theme)
        self.folder.setAutoDefault(False)
        self.folder.clicked.connect(self.choose_folder)
        self.files = Button(tr("Choose files…"), theme=self._theme, kind="primary")
        self.files.setDefault(True)
        self.files.clicked.connect(self.choose_files)
        for button in (self.close_button, self.folder, self.files):
            row.addWidget(button)
        return row

    def _set_busy(self, *, busy: bool) -> None:
        self.is_busy = busy
        self.progress.setVisible(busy)
        self.skipped.hide()
        self.close_button.set_words(tr("Stop") if busy else tr("Cancel"))
        for button in (self.folder, self.files):
            button.setEnabled(not busy)

    def _say(self, words: str, *, role: str) -> None:
        self.words.set_role(role)
        self.words.setText(words)
        self.words.show()
