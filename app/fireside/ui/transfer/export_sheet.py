"""Choose what to export and in which format; then show the progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QFrame, QRadioButton, QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId
from fireside.core.transfer import FILE_ENDINGS, ExportFormat
from fireside.ui.kit.file_dialogs import choose_folder, choose_save_path
from fireside.ui.kit.layout import at_left, card, column
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_M, SPACE_XL, SPACE_XS
from fireside.ui.transfer.transfer_text import FORMATS, chat_count, progress_text
from fireside.ui.widgets.choice_group import ChoiceGroup
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel, escape_mnemonic, one_line

_THESE: Final = "these"
_ALL: Final = "all"
_MAX_NAME_LENGTH: Final = 60
_INVALID_CHARACTERS: Final = frozenset('<>:"/\\|?*')


class Exportable(msgspec.Struct, frozen=True, kw_only=True):
    """What can be exported: the selected chats, and the number of all; or one answer."""

    ids: tuple[ConversationId, ...] = ()
    title: str = ""
    """The title, where a single chat is selected."""
    n_all: int = 0
    is_answer: bool = False
    """An answer of the chat alone is exported."""


class ExportSheet(Sheet):
    """Stays open during the export; Escape then cancels it."""

    export_requested = Signal(object, object, str)
    """Carries the ids (``None`` for all), the ``ExportFormat`` and the path."""
    stop_requested = Signal()

    def __init__(self, exportable: Exportable, *, parent: QWidget) -> None:
        super().__init__(tr("Save as") if exportable.is_answer else tr("Export"), parent=parent)
        self._exportable = exportable
        self.is_busy = False
        self.scope = SegmentedControl(_scopes(exportable), name=tr("Export"))
        title = ElidedLabel(role="mute")
        title.setVisible(bool(exportable.title))
        title.set_full_text(tr("“{title}”").format(title=one_line(exportable.title)))
        self.scope.key_selected.connect(
            lambda key: title.setVisible(bool(exportable.title) and key == _THESE)
        )
        self.progress = ProgressBar(name=tr("Export"))
        self.progress.hide()
        self.cancel = self.make_cancel()
        label = tr("Save as…") if exportable.is_answer else tr("Export…")
        self.export = self.make_button(label, self.choose_path, kind="primary", is_default=True)
        self.set_content(
            at_left(self.scope),
            title,
            self._make_formats(),
            self.progress,
            heading=tr("Save answer") if exportable.is_answer else tr("Export chats"),
            buttons=(self.cancel, self.export),
        )

    @property
    def form(self) -> ExportFormat:
        return next(form for form, button in self.forms.items() if button.isChecked())

    @property
    def ids(self) -> tuple[ConversationId, ...] | None:
        """The chats to export; ``None`` for all."""
        return self._exportable.ids if self.scope.selected_key == _THESE else None

    def show_progress(self, n_done: int, n_total: int | None) -> None:
        """Show the progress."""
        if self.is_busy:
            self.progress.setValue(1000 * n_done // max(1, n_total or 1))
            self.show_status(progress_text(n_done, n_total), role="small")

    def show_error(self, sentence: str) -> None:
        """Show an error; the export can be retried."""
        self._set_busy(busy=False)
        self.show_status(sentence)

    @Slot()
    def choose_path(self) -> QFileDialog:
        """Let the user select the target: a file, or a folder for formats with a file per chat."""
        n = self._exportable.n_all if self.ids is None else len(self.ids)
        is_single_file = n == 1 or self.form is ExportFormat.JSON
        if not is_single_file:
            return choose_folder(self, tr("Export to folder"), self._on_path_chosen)
        name = _suggested_name(self._exportable.title if n == 1 else "") + FILE_ENDINGS[self.form]
        return choose_save_path(self, tr("Export to file"), self._on_path_chosen, name=name)

    def reject(self) -> None:
        if self.is_busy:
            self.stop_requested.emit()
            self._set_busy(busy=False)
            self.show_status(tr("Cancelled; finished files stay."), role="small")
        else:
            super().reject()

    def _make_formats(self) -> QFrame:
        group = ChoiceGroup(self)
        self.forms: dict[ExportFormat, QRadioButton] = {}
        lines: list[QVBoxLayout] = []
        for form, name, explanation in FORMATS:
            if form is ExportFormat.JSON and self._exportable.is_answer:
                continue
            button = QRadioButton(escape_mnemonic(tr(name)))
            button.setAccessibleDescription(tr(explanation))
            group.add(button)
            self.forms[form] = button
            about = WrappedLabel(tr(explanation), role="small")
            about.setContentsMargins(SPACE_XL + 3, 0, 0, 0)  # aligned with the text of the radio button
            lines.append(column(button, about, spacing=SPACE_XS))
        self.forms[ExportFormat.MARKDOWN].setChecked(True)
        return card(*lines, spacing=SPACE_M, margins=SPACE_M)

    @Slot(str)
    def _on_path_chosen(self, path: str) -> None:
        self._set_busy(busy=True)
        self.export_requested.emit(self.ids, self.form, path)

    def _set_busy(self, *, busy: bool) -> None:
        self.is_busy = busy
        self.progress.setVisible(busy)
        self.progress.setValue(0)
        self.show_status("")
        self.cancel.set_label(tr("Stop") if busy else tr("Cancel"))
        for part in (self.scope, self.export, *self.forms.values()):
            part.setEnabled(not busy)


def _scopes(exportable: Exportable) -> Sequence[tuple[str, str]]:
    if exportable.is_answer:
        return ((_THESE, tr("This answer")),)
    all_chats = (
        _ALL,
        tr("All %n chat|All %n chats", "", exportable.n_all)
        if exportable.n_all != 1
        else tr("All chats (1)"),
    )
    if not exportable.ids:
        return (all_chats,)
    these = tr("This chat") if len(exportable.ids) == 1 else chat_count(len(exportable.ids))
    return ((_THESE, these), all_chats)


def _suggested_name(title: str) -> str:
    """Return a suggested file name."""
    valid = "".join(
        " " if letter in _INVALID_CHARACTERS or not letter.isprintable() else letter for letter in title
    )
    return " ".join(valid.split())[:_MAX_NAME_LENGTH].strip(" .") or tr("Fireside chats")
