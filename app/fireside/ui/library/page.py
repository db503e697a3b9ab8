"""List the library's files, add to them, and say what could not be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from fireside.core.errors import format_bytes
from fireside.core.model import LibraryFailure, ModelEntry, display_name
from fireside.ui.library.card import ModelCard
from fireside.ui.model_words import matches
from fireside.ui.models_view import ModelsView
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX, PageScroll
from fireside.ui.widgets.text import Label, one_line

_COLUMN: Final = 900
_PORTION: Final = 100
_NAMED_FAILURES: Final = 5


class LibraryPage(QWidget):
    """The model files. Says what is wanted; the window does it."""

    load_wanted = Signal(str)
    unload_wanted = Signal(str)
    use_wanted = Signal(str)
    remove_wanted = Signal(str)
    add_wanted = Signal(object)
    """Carries a list of paths."""
    rescan_wanted = Signal()

    def __init__(
        self,
        *,
        models: ModelsView,
        theme: Theme,
        reveal: Callable[[str], None],
        parent: QWidget | None = None,
    ) -> None:
        """Take ``reveal`` as what shows a file in the system's file manager."""
        super().__init__(parent)
        self.setObjectName("page")
        self._models = models
        self._theme = theme
        self._reveal = reveal
        self._cards: dict[str, ModelCard] = {}
        self._n_shown = _PORTION
        self.notices = BannerArea(theme=theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notices)
        column.addWidget(self._make_tools())
        self._body = QStackedWidget()
        self._body.addWidget(self._make_scroll())
        self._body.addWidget(self._make_empty())
        column.addWidget(self._body, 1)
        models.entries_changed.connect(self._rebuild)
        models.state_changed.connect(self._on_state_changed)
        self._rebuild()

    @property
    def cards(self) -> tuple[ModelCard, ...]:
        """The cards shown, from top to bottom."""
        return tuple(self._cards.values())

    def show_failures(self, failures: Sequence[LibraryFailure]) -> None:
        """Say which files or folders could not be added, and why."""
        if not failures:
            self.notices.remove("failures")
            return
        lines = [
            f"{one_line(PurePath(f.path).name or f.path)}: {f.reason}" for f in failures[:_NAMED_FAILURES]
        ]
        if len(failures) > _NAMED_FAILURES:
            lines.append(f"and {len(failures) - _NAMED_FAILURES} more.")
        self.notices.put("failures", "Not added. " + "\n".join(lines), tone=Tone.WARN)

    def show_problem(self, sentence: str) -> None:
        """Say that something asked for on this page did not work."""
        self.notices.put("problem", sentence, tone=Tone.DANGER)

    def _make_tools(self) -> QWidget:
        self.filter = QLineEdit()
        self.filter.setProperty("role", "search")
        self.filter.setPlaceholderText("Find a model")
        self.filter.setAccessibleName("Find a model")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(320)
        self.filter.textChanged.connect(self._on_filter_changed)
        self._summary = Label(role="small")
        self.rescan = IconButton("refresh-cw", name="Look for new files", theme=self._theme)
        self.rescan.clicked.connect(self.rescan_wanted)
        self.add_folder = Button("Add a folder…", theme=self._theme, icon="folder-plus")
        self.add_folder.clicked.connect(self.choose_folder)
        self.add_file = Button(
            "Add a file…", theme=self._theme, icon="file-plus", kind="primary", tint="on_accent"
        )
        self.add_file.clicked.connect(self.choose_files)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.filter, 1)
        row.addSpacing(SPACE_S)
        row.addWidget(self._summary)
        row.addStretch(0)
        for button in (self.rescan, self.add_folder, self.add_file):
            row.addWidget(button)
        return centred(row, width=_COLUMN, side=SPACE_XL, top=SPACE_XL, bottom=SPACE_M, right=SCROLL_BAR_PX)

    def _make_scroll(self) -> PageScroll:
        self._scroll = PageScroll()
        return self._scroll

    def _make_empty(self) -> EmptyState:
        self.empty = EmptyState(
            "boxes",
            title="No models yet",
            text="Add a GGUF file or a folder of them, or drop it anywhere on this window. "
            "Files stay where they are.",
            theme=self._theme,
        )
        folder = Button("Add a folder…", theme=self._theme, icon="folder-plus")
        folder.clicked.connect(self.choose_folder)
        files = Button("Add a file…", theme=self._theme, icon="file-plus", kind="primary", tint="on_accent")
        files.clicked.connect(self.choose_files)
        self.empty.add_button(folder)
        self.empty.add_button(files)
        return self.empty

    @Slot()
    def choose_files(self) -> QFileDialog:
        """Ask for model files; the window goes on meanwhile."""
        dialog = QFileDialog(self, "Add model files")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters(["Model files (*.gguf)", "All files (*)"])
        return self._open(dialog)

    @Slot()
    def choose_folder(self) -> QFileDialog:
        """Ask for a folder of model files."""
        dialog = QFileDialog(self, "Add a folder of models")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return self._open(dialog)

    def _open(self, dialog: QFileDialog) -> QFileDialog:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda paths: self.add_wanted.emit(list(paths)))
        dialog.open()
        return dialog

    @Slot()
    def _rebuild(self) -> None:
        words = self.filter.text()
        found = [entry for entry in self._models.entries if matches(entry, words=words)]
        found.sort(key=lambda e: (e.spec is None, display_name(e).casefold(), e.path))
        place = self._scroll.verticalScrollBar().value()
        column = QVBoxLayout()
        column.setSpacing(SPACE_S)
        self._cards = {}
        for entry in found[: self._n_shown]:
            card = self._make_card(entry)
            self._cards[entry.path] = card
            column.addWidget(card)
        if len(found) > self._n_shown:
            more = Button(f"Show {len(found) - self._n_shown} more", theme=self._theme)
            more.clicked.connect(self._on_more)
            column.addWidget(more, 0, Qt.AlignmentFlag.AlignHCenter)
        if not found:
            column.addWidget(Label("No model has these words in its name.", role="mute"))
        column.addStretch()
        self._scroll.setWidget(centred(column, width=_COLUMN, side=SPACE_XL, top=0, bottom=SPACE_XL))
        self._scroll.verticalScrollBar().setValue(place)
        self._body.setCurrentIndex(0 if self._models.entries else 1)
        self._show_summary()

    def _make_card(self, entry: ModelEntry) -> ModelCard:
        card = ModelCard(entry, theme=self._theme)
        if entry.spec is not None:
            card.show_state(self._models.state(entry.spec.id))
        card.load_wanted.connect(self.load_wanted)
        card.unload_wanted.connect(self.unload_wanted)
        card.use_wanted.connect(self.use_wanted)
        card.remove_wanted.connect(self.remove_wanted)
        card.show_wanted.connect(self._reveal)
        return card

    def _show_summary(self) -> None:
        entries = self._models.entries
        total = format_bytes(sum(entry.size_bytes for entry in entries))
        self._summary.setText(
            f"{len(entries)} {'file' if len(entries) == 1 else 'files'}, {total}" if entries else ""
        )

    @Slot(str)
    def _on_filter_changed(self, _words: str) -> None:
        self._n_shown = _PORTION
        self._rebuild()

    @Slot(str)
    def _on_state_changed(self, model_id: str) -> None:
        for card in self._cards.values():
            if card.entry.spec is not None and card.entry.spec.id == model_id:
                card.show_state(self._models.state(card.entry.spec.id))

    def _on_more(self) -> None:
        self._n_shown += _PORTION
        self._rebuild()
