"""Head of a model's page: back button, editable name, and the most frequent actions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.status import LoadingModel, Ready, Unloading
from fireside.ui.kit.layout import column, row, stacked, stretch
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.menu import model_menu
from fireside.ui.library.rows import NAME_LIMIT, ModelRow, name_of, problem_of, state_badge
from fireside.ui.theme import SPACE_XS, theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.picture import Dot
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

_EDIT_WIDTH = 420


class _NameEdit(QLineEdit):
    """Emits ``committed`` on Enter and ``cancelled`` on Escape."""

    committed = Signal(str)
    cancelled = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.committed.emit(self.text())
            case Qt.Key.Key_Escape:
                self.cancelled.emit()
            case _:
                super().keyPressEvent(event)


class DetailHead(QWidget):
    """Shows name, state and buttons of one model."""

    def __init__(self, back: IconButton, *, library: LibraryController) -> None:
        super().__init__()
        self.back = back
        self._library = library
        self._row: ModelRow | None = None
        self._has_load_below = False
        self.problem = WrappedLabel(role="error")
        column(self._make_top(), self._make_state(), self.problem, spacing=SPACE_XS, on=self)

    def show_row(self, row: ModelRow) -> None:
        """Show a model and its current state."""
        self._row = row
        entry = row.entry
        name = name_of(row)
        self.name.set_full_text(name)
        is_usable = entry.spec is not None
        for button in (self.pencil, self.star):
            button.setVisible(is_usable)
        is_favourite = entry.user_metadata.favourite
        self.star.set_icon(
            "star-filled" if is_favourite else "star", tint="accent" if is_favourite else "mute"
        )
        self.star.set_name(tr("Remove from favourites") if is_favourite else tr("Add to favourites"))
        is_loaded = isinstance(row.state, Ready)
        self.use.setVisible(entry.can_chat)
        self.power.setVisible(entry.can_chat and (is_loaded or not self._has_load_below))
        self.power.set_label(tr("Unload") if is_loaded else tr("Load"))
        self.power.setEnabled(not isinstance(row.state, LoadingModel | Unloading))
        badge = state_badge(row)
        self._dot.setVisible(badge is not None)
        self._state.setText(badge.text if badge is not None else "")
        if badge is not None:
            self._dot.set_tint(badge.tint)
        original_name = one_line(entry.own_name)
        self._own_name.set_full_text(
            tr("Original name: {own}").format(own=original_name)
            if original_name and original_name != name
            else ""
        )
        self._state.setVisible(bool(self._state.text()))
        self._own_name.setVisible(bool(self._own_name.text()))
        self.problem.set_role("mute" if entry.is_disconnected else "error")
        self.problem.show_text(problem_of(row))

    def set_load_below(self, *, has_load_below: bool) -> None:
        """Set whether the tab shown below has a button to load the model, so that there is one."""
        self._has_load_below = has_load_below
        if self._row is not None:
            self.show_row(self._row)

    def rename(self) -> None:
        """Edit the name in place."""
        if self._row is None or self._row.entry.spec is None:
            return
        self.edit.setText(name_of(self._row))
        self.edit.setPlaceholderText(one_line(self._row.entry.own_name) or tr("Original name"))
        self._names.setCurrentWidget(self.edit)
        self._names.setMinimumWidth(min(theme().scaled(_EDIT_WIDTH), self.width() // 2))
        self.edit.selectAll()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_menu(self) -> QMenu | None:
        """Open the menu of all other actions."""
        if self._row is None:
            return None
        menu = model_menu(self._row, library=self._library, rename=self.rename, parent=self, is_on_page=True)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))
        return menu

    def _make_top(self) -> QHBoxLayout:
        library, router = self._library, self._library.router
        self.name = ElidedLabel(role="title")
        self.edit = _NameEdit()
        self.edit.setObjectName("nameEdit")
        self.edit.setAccessibleName(tr("Model name"))
        self.edit.setMaxLength(NAME_LIMIT)
        # Otherwise the name's label would be as wide as the editor, far from its pencil button.
        self.edit.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.edit.committed.connect(self._on_name_committed)
        self.edit.cancelled.connect(self._stop_editing)
        self.edit.editingFinished.connect(self._stop_editing)
        self._names = stacked(self.name, self.edit)
        self.pencil = IconButton("pencil", name=tr("Rename"), size=16)
        self.pencil.clicked.connect(self.rename)
        self.star = IconButton("star", name=tr("Add to favourites"))
        self.star.clicked.connect(
            self._with_model(
                lambda row, model: library.mark_favourite(model, not row.entry.user_metadata.favourite)
            )
        )
        self.power = Button(tr("Load"))
        self.power.clicked.connect(
            self._with_model(
                lambda row, model: (
                    router.unload_model if isinstance(row.state, Ready) else router.load_model
                )(model)
            )
        )
        self.use = Button(tr("Use in chat"), kind="primary")
        self.use.clicked.connect(self._with_model(lambda _row, model: router.use_model(model)))
        self.more = IconButton("ellipsis", name=tr("More"))
        self.more.clicked.connect(self.open_menu)
        return row(self.back, self._names, self.pencil, self.star, stretch(factor=1), self.more)

    def _make_state(self) -> QHBoxLayout:
        self._dot = Dot(tint="dim")
        self._state = Label(role="small")
        self._own_name = ElidedLabel(role="small")
        return row(
            self._dot,
            self._state,
            self._own_name,
            stretch(factor=1),
            self.power,
            self.use,
            spacing=6,
        )

    def _on_name_committed(self, text: str) -> None:
        row = self._row
        self._stop_editing()
        name = " ".join(text.split())
        if row is not None and row.entry.spec is not None and name != name_of(row):
            self._library.rename(row.entry.spec.id, name)

    def _stop_editing(self) -> None:
        if self._names.currentWidget() is self.edit:
            had_focus = self.edit.hasFocus()
            self._names.setCurrentWidget(self.name)
            self._names.setMinimumWidth(0)
            if had_focus:
                self.pencil.setFocus(Qt.FocusReason.OtherFocusReason)

    def _with_model(self, act: Callable[[ModelRow, ModelId], object]) -> Callable[[], None]:
        """Return a function that calls ``act`` with the id of the model shown, if the model is usable."""

        def run() -> None:
            if self._row is not None and self._row.entry.spec is not None:
                act(self._row, self._row.entry.spec.id)

        return run
