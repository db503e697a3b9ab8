"""Ask for files, a folder or a place to save to. Each dialog is open and returned; the window goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFileDialog, QWidget


def choose_files(
    parent: QWidget, title: str, on_chosen: Callable[[list[str]], object], *, filters: Sequence[str] = ()
) -> QFileDialog:
    """Ask for files that exist; ``filters`` as in “Chats (*.json)”, the first is in force at first."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    if filters:
        dialog.setNameFilters(list(filters))
    dialog.filesSelected.connect(on_chosen)
    return _opened(dialog)


def choose_file(
    parent: QWidget, title: str, on_chosen: Callable[[str], object], *, filters: Sequence[str] = ()
) -> QFileDialog:
    """Ask for one file that exists."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    if filters:
        dialog.setNameFilters(list(filters))
    dialog.fileSelected.connect(on_chosen)
    return _opened(dialog)


def choose_folder(parent: QWidget, title: str, on_chosen: Callable[[str], object]) -> QFileDialog:
    """Ask for a folder."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(on_chosen)
    return _opened(dialog)


def choose_place(
    parent: QWidget,
    title: str,
    on_chosen: Callable[[str], object],
    *,
    name: str,
    filters: Sequence[str] = (),
) -> QFileDialog:
    """Ask where to save a file that is to be called ``name``, whose ending is added where none is typed."""
    dialog = QFileDialog(parent, title)
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


def _opened(dialog: QFileDialog) -> QFileDialog:
    dialog.open()
    # Not by WA_DeleteOnClose: its own signal may still be on its way when it closes.
    dialog.finished.connect(dialog.deleteLater)
    return dialog
