"""A list of folders or files: each is added by a dialog and removed by its button."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.file_dialogs import choose_file, choose_folder
from fireside.ui.kit.layout import at_left, boxed, clear, column, row, stretch
from fireside.ui.theme import SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import ElidedLabel


class PathList(QWidget):
    """Shows paths, one a line; nothing is typed."""

    changed = Signal(tuple)
    """Carries the paths after the user added or removed one."""

    def __init__(self, name: str, *, of_folders: bool) -> None:
        """``name`` is the accessible name, and the title of the dialog."""
        super().__init__()
        self.setAccessibleName(name)
        self._name = name
        self._of_folders = of_folders
        self.paths: tuple[str, ...] = ()
        self.removals: list[IconButton] = []
        self._rows = column(spacing=0)
        label = tr("Add folder…") if of_folders else tr("Add file…")
        self.add = Button(label, icon="folder-plus" if of_folders else "file-plus", on_click=self.choose)
        self.add.setAccessibleName(f"{name}: {label}")
        column(boxed(self._rows), at_left(self.add), spacing=SPACE_XS, on=self)

    def show_paths(self, paths: tuple[str, ...]) -> None:
        """Show these paths."""
        if paths == self.paths:
            return
        had_focus = self.window().focusWidget() in self.removals
        self.paths, self.removals = paths, []
        clear(self._rows)
        for path in paths:
            self._rows.addWidget(self._row(path))
        if had_focus:
            self.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def choose(self) -> QWidget:
        """Ask for a path, without waiting."""
        choose: Callable[..., QWidget] = choose_folder if self._of_folders else choose_file
        return choose(self, self._name, self._add)

    def _add(self, path: str) -> None:
        if path not in self.paths:
            self._change((*self.paths, path))

    def _change(self, paths: tuple[str, ...]) -> None:
        self.show_paths(paths)
        self.changed.emit(paths)

    def _remove(self, path: str) -> None:
        self._change(tuple(other for other in self.paths if other != path))

    def _row(self, path: str) -> QWidget:
        remove = IconButton(
            "x", name=tr("Remove {path}").format(path=path), size=14, on_click=partial(self._remove, path)
        )
        self.removals.append(remove)
        icon = Picture("folder" if self._of_folders else "file-text", tint="mute", size=16)
        label = ElidedLabel(path, mode=Qt.TextElideMode.ElideMiddle)
        return boxed(row(icon, stretch(label), remove, spacing=SPACE_S))
