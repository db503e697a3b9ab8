"""The sheet that exports a project as one file: with or without its documents, which can be large."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from fireside.core.chat import Folder
from fireside.core.errors import format_bytes
from fireside.core.i18n import tr
from fireside.core.project import ProjectSize
from fireside.ui.kit.file_dialogs import choose_save_path
from fireside.ui.kit.layout import boxed, row, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import Label, WrappedLabel, one_line

_NAME_CHARACTERS = 60
_ENDING = ".zip"


class ProjectExportSheet(Sheet):
    """Stays open during the export; Escape then cancels it."""

    export_requested = Signal(str, bool)
    """Carries the path, and whether to write the documents too."""
    stop_requested = Signal()

    def __init__(self, folder: Folder, size: ProjectSize, *, parent: QWidget) -> None:
        super().__init__(tr("Export project"), parent=parent, size=SheetSize.SMALL)
        self._name = folder.name
        self.is_busy = False
        about = tr(
            "One file with %n chat, the instructions and settings. It can be imported again.|"
            "One file with %n chats, the instructions and settings. It can be imported again.",
            "",
            size.n_chats,
        )
        label = tr("With %n document ({size})|With %n documents ({size})", "", size.n_documents).format(
            size=format_bytes(size.documents_bytes)
        )
        self.documents = Switch(name=label)
        self.documents.setAccessibleDescription(tr("The files of the project’s collections, as they are now"))
        choice = boxed(row(stretch(Label(label)), self.documents))
        choice.setVisible(bool(size.n_documents))
        self.progress = ProgressBar(name=tr("Export project"))
        self.progress.setRange(0, 0)
        self.progress.hide()
        self.close_button = self.make_cancel()
        self.export = self.make_button(tr("Export…"), self.choose_path, kind="primary", is_default=True)
        self.set_content(
            WrappedLabel(about, role="body"),
            choice,
            self.progress,
            heading=tr("Export “{name}”").format(name=one_line(folder.name)),
            buttons=(self.close_button, self.export),
        )
        self.export.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def choose_path(self) -> QFileDialog:
        """Let the user choose the file, and export to it."""
        return choose_save_path(
            self,
            tr("Export project"),
            self._start,
            name=_file_name(self._name),
            filters=(tr("Projects (*.zip)"),),
        )

    def show_progress(self, n_done: int, n_total: int | None) -> None:
        """Show how many chats are written."""
        if self.is_busy and n_total:
            self.progress.setRange(0, n_total)
            self.progress.setValue(n_done)

    def show_error(self, sentence: str) -> None:
        """Show why nothing was written; another file can be chosen."""
        self._set_busy(is_busy=False)
        self.show_status(sentence)

    def reject(self) -> None:
        if self.is_busy:
            self.stop_requested.emit()
            self._set_busy(is_busy=False)
        else:
            super().reject()

    def _start(self, path: str) -> None:
        self._set_busy(is_busy=True)
        self.export_requested.emit(path, self.documents.isChecked())

    def _set_busy(self, *, is_busy: bool) -> None:
        self.is_busy = is_busy
        self.show_status("")
        self.progress.setVisible(is_busy)
        self.export.setEnabled(not is_busy)
        self.documents.setEnabled(not is_busy)
        self.close_button.set_label(tr("Stop") if is_busy else tr("Cancel"))


def _file_name(name: str) -> str:
    """Return what the file of a project is called, on any system."""
    stem = "".join(c if c.isalnum() or c in " -_" else "_" for c in one_line(name))
    return (stem[:_NAME_CHARACTERS].strip() or "project") + _ENDING
