"""Ask for files, a folder or a place to save to. Each dialog is open and returned; the window goes on.

It begins in the folder that was used last, at first among the user's documents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

_USED_LAST = "folderUsedLast"


def choose_files(
    parent: QWidget, title: str, on_chosen: Callable[[list[str]], object], *, filters: Sequence[str] = ()
) -> QFileDialog:
    """Ask for files that exist; ``filters`` as in “Chats (*.json)”, the first is in force at first."""
    dialog = _made(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    if filters:
        dialog.setNameFilters(list(filters))
    dialog.filesSelected.connect(on_chosen)
    return _opened(dialog)


def choose_file(
    parent: QWidget, title: str, on_chosen: Callable[[str], object], *, filters: Sequence[str] = ()
) -> QFileDialog:
    """Ask for one file that exists."""
    dialog = _made(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    if filters:
        dialog.setNameFilters(list(filters))
    dialog.fileSelected.connect(on_chosen)
    return _opened(dialog)


def choose_folder(parent: QWidget, title: str, on_chosen: Callable[[str], object]) -> QFileDialog:
    """Ask for a folder."""
    dialog = _made(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(on_chosen)
    return _opened(dialog)


def choose_save_path(
    parent: QWidget,
    title: str,
    on_chosen: Callable[[str], object],
    *,
    name: str,
    filters: Sequence[str] = (),
) -> QFileDialog:
    """Ask where to save a file that is to be called ``name``, whose ending is added where none is typed."""
    dialog = _made(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    if filters:
        dialog.setNameFilters(list(filters))
    _, dot, ending = name.rpartition(".")
    if dot:
        dialog.setDefaultSuffix(ending)
    dialog.selectFile(name)
    dialog.fileSelected.connect(on_chosen)
    return _opened(dialog)


def _made(parent: QWidget, title: str) -> QFileDialog:
    application = QApplication.instance()
    assert application is not None
    # Left alone, Qt begins where the program was started: in no folder of the user's.
    folder = application.property(_USED_LAST) or QStandardPaths.writableLocation(
        QStandardPaths.StandardLocation.DocumentsLocation
    )
    dialog = QFileDialog(parent, title, folder if Path(folder).is_dir() else str(Path.home()))
    dialog.accepted.connect(lambda: application.setProperty(_USED_LAST, dialog.directory().absolutePath()))
    return dialog


def _opened(dialog: QFileDialog) -> QFileDialog:
    dialog.open()
    # Not by WA_DeleteOnClose: its own signal may still be on its way when it closes.
    dialog.finished.connect(dialog.deleteLater)
    return dialog
