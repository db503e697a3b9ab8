"""One model file on the library page."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.model import ModelEntry, ModelSpec, display_name
from fireside.core.options import Purpose
from fireside.core.status import Broken, LoadingModel, ModelState, Ready, Unloaded, Unloading
from fireside.ui.model_words import SEPARATOR, context_words, count_words, state_words
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.picture import Dot
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

OWN_FOLDER: Final = "Library"
"""``ModelEntry.source`` of files in the library's own folder: only those go to the trash."""


_PURPOSE_BADGES: Final = {Purpose.EMBED: "Embedding", Purpose.RERANK: "Reranking"}


class ModelCard(QFrame):
    """Facts and actions of one file; a broken one says why."""

    load_wanted = Signal(str)
    unload_wanted = Signal(str)
    use_wanted = Signal(str)
    remove_wanted = Signal(str)
    """Carries the path, after the person has confirmed."""
    show_wanted = Signal(str)

    def __init__(self, entry: ModelEntry, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.entry = entry
        self._theme = theme
        self._loaded = False
        self._name = one_line(display_name(entry))
        self.setAccessibleName(self._name)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SPACE_L, SPACE_M, SPACE_M, SPACE_M)
        self._column.setSpacing(SPACE_XS)
        self._dot = Dot(theme=theme, tint="danger" if entry.spec is None else "dim")
        self._state = Label(role="small")
        self._column.addLayout(self._make_top())
        self._facts = ElidedLabel(role="small")
        self._column.addLayout(self._make_facts())
        self._problem = WrappedLabel(role="error")
        self._column.addWidget(self._problem)
        self._path = ElidedLabel(entry.path, role="small", mode=Qt.TextElideMode.ElideMiddle)
        # Where the starter model lies is of no use to a person: it cannot be moved or removed.
        self._path.setVisible(entry.removable or entry.problem is not None)
        self._column.addWidget(self._path)
        self._column.addWidget(self._make_question())
        self._show_facts()

    def show_state(self, state: ModelState) -> None:
        """Show where the model stands."""
        words = state_words(state)
        self._dot.set_tint(words.tint)
        self._loaded = isinstance(state, Ready)
        self._state.setText("" if isinstance(state, Unloaded) else words.text)
        self._problem.setVisible(isinstance(state, Broken))
        if isinstance(state, Broken):
            self._problem.setText(state.error.sentence)
        self.power.set_words("Unload" if self._loaded else "Load")
        self.power.setAccessibleName(f"{'Unload' if self._loaded else 'Load'} {self._name}")
        self.power.setEnabled(not isinstance(state, LoadingModel | Unloading))

    def _make_top(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self._dot)
        row.addSpacing(2)
        row.addWidget(ElidedLabel(display_name(self.entry), role="strong"))
        spec = self.entry.spec
        row.addStretch(1)
        row.addWidget(self._state)
        row.addSpacing(SPACE_S)
        self.use = Button("Use in chat", theme=self._theme)
        self.use.setAccessibleName(f"Use {self._name} in the chat")
        self.power = Button("Load", theme=self._theme, kind="quiet")
        self.more = IconButton("ellipsis", name=f"More for {self._name}", theme=self._theme)
        self.more.clicked.connect(
            lambda: self.open_menu(self.more.mapToGlobal(QPoint(0, self.more.height())))
        )
        if spec is not None:
            self.use.clicked.connect(lambda: self.use_wanted.emit(spec.id))
            self.power.clicked.connect(
                lambda: (self.unload_wanted if self._loaded else self.load_wanted).emit(spec.id)
            )
            if self.entry.chats:
                row.addWidget(self.power)
                row.addWidget(self.use)
        row.addWidget(self.more)
        return row

    def _make_facts(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        if self.entry.spec is not None:
            for badge in self._badges(self.entry.spec):
                row.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._facts, 1)
        return row

    def _badges(self, spec: ModelSpec) -> list[Label]:
        made = [Label(one_line(spec.quantization), role="badge")] if spec.quantization else []
        if spec.n_params > 0:
            made.append(Label(count_words(spec.n_params), role="badge"))
        if not self.entry.chats:
            made.append(Label(_PURPOSE_BADGES[spec.purpose], role="badge"))
            made[-1].setToolTip("It turns texts into numbers and cannot chat.")
        elif not spec.has_chat_template:
            made.append(Label("No chat template", role="badge"))
            made[-1].setProperty("tone", "warn")
            made[-1].setToolTip(
                "The file does not say how a conversation is written for it; a common form is used."
            )
        return made

    def _make_question(self) -> QWidget:
        self._question = QWidget()
        row = QHBoxLayout(self._question)
        row.setContentsMargins(0, SPACE_S, 0, 0)
        row.setSpacing(SPACE_S)
        own = self.entry.source == OWN_FOLDER
        words = (
            f"Move “{self._name}” ({format_bytes(self.entry.size_bytes)}) to the trash?"
            if own
            else f"Take “{self._name}” off the list? The file stays where it is."
        )
        row.addWidget(WrappedLabel(words, role="body"), 1)
        self.confirm = Button(
            "Move to the trash" if own else "Take off the list", theme=self._theme, kind="danger"
        )
        self.confirm.clicked.connect(self._on_confirmed)
        self.keep = Button("Keep", theme=self._theme)
        self.keep.clicked.connect(self._question.hide)
        row.addWidget(self.keep)
        row.addWidget(self.confirm)
        self._question.hide()
        return self._question

    def _show_facts(self) -> None:
        spec = self.entry.spec
        if spec is None:
            self._facts.set_whole(SEPARATOR.join((format_bytes(self.entry.size_bytes), self.entry.source)))
            self._problem.setText(self.entry.problem or "")
            self._state.setText("Cannot be used")
            return
        self._problem.hide()
        parts = [
            format_bytes(spec.size_bytes),
            spec.architecture,
            f"trained for {context_words(spec.n_ctx_train)} context",
            f"{spec.n_layers} layers",
            "chat template" if spec.has_chat_template else "",
            spec.licence,
            self.entry.source,
        ]
        self._facts.set_whole(SEPARATOR.join(part for part in parts if part))

    def ask_to_remove(self) -> None:
        """Ask in the card itself; nothing else waits for the answer."""
        self._question.show()
        self.keep.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_menu(self, at: QPoint) -> QMenu:
        """Open the menu of this file; ``at`` is global."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        show = QAction(self._theme.icon("folder-open", "mute", 16), "Show in folder", menu)
        show.triggered.connect(lambda: self.show_wanted.emit(self.entry.path))
        menu.addAction(show)
        if self.entry.removable:
            words = "Move to the trash…" if self.entry.source == OWN_FOLDER else "Take off the list…"
            remove = QAction(self._theme.icon("trash-2", "mute", 16), words, menu)
            remove.triggered.connect(self.ask_to_remove)
            menu.addAction(remove)
        menu.popup(at)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.open_menu(event.globalPos())

    def _on_confirmed(self) -> None:
        self._question.hide()
        self.remove_wanted.emit(self.entry.path)
