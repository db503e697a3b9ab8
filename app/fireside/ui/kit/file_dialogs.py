"""Dialogs for files, a folder or a path to save to. Each function opens its dialog and returns it at once.

A dialog begins in the folder that was used last, the first time in the user's documents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

_LAST_FOLDER = "folderUsedLast"


def choose_files(
    parent: QWidget, title: str, on_chosen: Callable[[list[str]], object], *, filters: Sequence[str] = ()
) -> QFileDialog:
    """Ask for files that exist; ``filters`` are like “Chats (*.json)”, the first is preselected."""
    dialog = _make_dialog(parent, title, filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(on_chosen)
    return _open(dialog)


def choose_file(
    parent: QWidget, title: str, on_chosen: Callable[[str], object], *, filters: Sequence[str] = ()
) -> QFileDialog:
    """Ask for one file that exists."""
    dialog = _make_dialog(parent, title, filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(on_chosen)
    return _open(dialog)


def choose_folder(parent: QWidget, title: str, on_chosen: Callable[[str], object]) -> QFileDialog:
    """Ask for a folder."""
    dialog = _make_dialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(on_chosen)
    return _open(dialog)


def choose_save_path(
    parent: QWidget,
    title: str,
    on_chosen: Callable[[str], object],
    *,
    name: str,
    filters: Sequence[str] = (),
) -> QFileDialog:
    """Ask where to save a file; ``name`` is suggested, and its suffix added where none is typed."""
    dialog = _make_dialog(parent, title, filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    _, dot, suffix = name.rpartition(".")
    if dot:
        dialog.setDefaultSuffix(suffix)
    dialog.selectFile(name)
    dialog.fileSelected.connect(on_chosen)
    return _open(dialog)


def _make_dialog(parent: QWidget, title: str, filters: Sequence[str] = ()) -> QFileDialog:
    application = QApplication.instance()
    assert application is not None
    # By default Qt begins in the working directory, which is no folder of the user's.
    folder = application.property(_LAST_FOLDER) or QStandardPaths.writableLocation(
        QStandardPaths.StandardLocation.DocumentsLocation
    )
    dialog = QFileDialog(parent, title, folder if Path(folder).is_dir() else str(Path.home()))
    if filters:
        dialog.setNameFilters(list(filters))
    dialog.accepted.connect(lambda: application.setProperty(_LAST_FOLDER, dialog.directory().absolutePath()))
    return dialog


def _open(dialog: QFileDialog) -> QFileDialog:
    dialog.open()
    # Not WA_DeleteOnClose: the dialog's own signal may still be queued when it closes.
    dialog.finished.connect(dialog.deleteLater)
    return dialog
