"""Ask what to export, and as what; then show how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId
from fireside.core.transfer import FILE_ENDINGS, ExportFormat
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS, Theme
from fireside.ui.transfer.transfer_text import FORMATS, chats, progress_words
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.segmented_control import Segments
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel, literal, one_line

_WIDTH: Final = 520
_HEIGHT: Final = 470
_THESE: Final = "these"
_ALL: Final = "all"
_LONGEST_NAME: Final = 60
_UNUSABLE: Final = frozenset('<>:"/\\|?*')


class Exportable(msgspec.Struct, frozen=True, kw_only=True):
    """What may be exported: the chats that a person means, and how many there are in all."""

    ids: tuple[ConversationId, ...] = ()
    title: str = ""
    """Of the one chat that is meant."""
    n_all: int = 0


class ExportSheet(QDialog):
    """Open it with ``open()``."""

    export_wanted = Signal(object, object, str)
    """Carries the ids, ``None`` for all; the ``ExportFormat``; and the path."""
    stop_wanted = Signal()

    def __init__(self, what: Exportable, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._what = what
        self._theme = theme
        self.is_busy = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Export"))
        self.resize(theme.scaled(_WIDTH), theme.scaled(_HEIGHT))
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(WrappedLabel(tr("Export chats"), role="title"))
        self.scope = Segments(_scopes(what), name=tr("Export"), theme=theme)
        column.addWidget(self.scope, 0, Qt.AlignmentFlag.AlignLeft)
        self._title = ElidedLabel(role="mute")
        self._title.setVisible(bool(what.title))
        self._title.set_whole(tr("“{title}”").format(title=one_line(what.title)))
        column.addWidget(self._title)
        self.scope.chosen.connect(lambda key: self._title.setVisible(bool(what.title) and key == _THESE))
        column.addWidget(self._make_formats())
        self.progress = ProgressBar(name=tr("Export"), theme=theme)
        self.progress.hide()
        self.words = WrappedLabel(role="small")
        self.words.hide()
        column.addWidget(self.progress)
        column.addWidget(self.words)
        column.addStretch()
        column.addLayout(self._make_buttons())

    @property
    def form(self) -> ExportFormat:
        return next(form for form, button in self.forms.items() if button.isChecked())

    @property
    def ids(self) -> tuple[ConversationId, ...] | None:
        """The chats that are meant; ``None`` is all."""
        return self._what.ids if self.scope.taken == _THESE else None

    def show_progress(self, n_done: int, n_total: int | None) -> None:
        """Say how far it is."""
        if self.is_busy:
            self.progress.setValue(1000 * n_done // max(1, n_total or 1))
            self._say(progress_words(n_done, n_total), role="small")

    def show_error(self, sentence: str) -> None:
        """Say what went wrong; it can be tried again."""
        self._set_busy(busy=False)
        self._say(sentence, role="error")

    @Slot()
    def choose_place(self) -> QFileDialog:
        """Ask where it goes: a file, or a folder for a file each."""
        n = self._what.n_all if self.ids is None else len(self.ids)
        as_one = n == 1 or self.form is ExportFormat.JSON
        dialog = QFileDialog(self, tr("Export to a file") if as_one else tr("Export into a folder"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if as_one:
            ending = FILE_ENDINGS[self.form]
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setFileMode(QFileDialog.FileMode.AnyFile)
            dialog.setDefaultSuffix(ending.removeprefix("."))
            dialog.selectFile(_suggested(self._what.title if n == 1 else "") + ending)
        else:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
            dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._on_place)
        dialog.open()
        return dialog

    def reject(self) -> None:
        if self.is_busy:
            self.stop_wanted.emit()
            self._set_busy(busy=False)
            self._say(tr("Stopped. Files that were whole already stay."), role="small")
        else:
            super().reject()

    def _make_formats(self) -> QFrame:
        card = QFrame()
        card.setObjectName("card")
        column = QVBoxLayout(card)
        column.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        column.setSpacing(SPACE_M)
        group = QButtonGroup(self)
        self.forms: dict[ExportFormat, QRadioButton] = {}
        for form, name, words in FORMATS:
            button = QRadioButton(literal(tr(name)))
            button.setAccessibleDescription(tr(words))
            group.addButton(button)
            self.forms[form] = button
            line = QVBoxLayout()
            line.setSpacing(SPACE_XS)
            line.addWidget(button)
            about = WrappedLabel(tr(words), role="small")
            about.setContentsMargins(SPACE_XL, 0, 0, 0)
            line.addWidget(about)
            column.addLayout(line)
        self.forms[ExportFormat.MARKDOWN].setChecked(True)
        return card

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addStretch()
        self.cancel = Button(tr("Cancel"), theme=self._theme)
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self.reject)
        row.addWidget(self.cancel)
        self.export = Button(tr("Export…"), theme=self._theme, kind="primary")
        self.export.setDefault(True)
        self.export.clicked.connect(self.choose_place)
        row.addWidget(self.export)
        return row

    @Slot(str)
    def _on_place(self, path: str) -> None:
        self._set_busy(busy=True)
        self.export_wanted.emit(self.ids, self.form, path)

    def _set_busy(self, *, busy: bool) -> None:
        self.is_busy = busy
        self.progress.setVisible(busy)
        self.progress.setValue(0)
        self.words.setVisible(busy)
        self.words.setText("")
        self.cancel.set_words(tr("Stop") if busy else tr("Cancel"))
        for part in (self.scope, self.export, *self.forms.values()):
            part.setEnabled(not busy)

    def _say(self, words: str, *, role: str) -> None:
        self.words.set_role(role)
        self.words.setText(words)
        self.words.show()


def _scopes(what: Exportable) -> Sequence[tuple[str, str]]:
    all_chats = (
        _ALL,
        tr("All %n chat|All %n chats", "", what.n_all) if what.n_all != 1 else tr("The only chat"),
    )
    if not what.ids:
        return (all_chats,)
    these = tr("This chat") if len(what.ids) == 1 else chats(len(what.ids))
    return ((_THESE, these), all_chats)


def _suggested(title: str) -> str:
    """Return a name for the file; the person may change it."""
    kept = "".join(" " if letter in _UNUSABLE or not letter.isprintable() else letter for letter in title)
    return " ".join(kept.split())[:_LONGEST_NAME].strip(" .") or tr("Fireside chats")
