"""The search bar: text, owner, order, size, licence, access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from fireside.core.discovery import ModelQuery, SortOrder
from fireside.core.i18n import tr, tr_noop
from fireside.ui.discover.discover_text import LICENCES, is_exact_name, is_repository
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.model_text import AUDIO, VIDEO, VISION, format_context_size
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.search_field import SearchField

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController

DEBOUNCE_MS: Final = 400
"""Milliseconds after the last key; each search is a request, and the hub allows a few hundred in five
minutes."""
_NARROW_WIDTH: Final = 620
"""Width in pixels at the normal text size below which the filters need more than two lines."""
_TYPED_WIDTH: Final = 160
_MIN_PASTED: Final = 4
"""Characters; so many at once were pasted."""

_ORDERS: Final = (
    (SortOrder.TRENDING, tr_noop("Trending")),
    (SortOrder.DOWNLOADS, tr_noop("Most downloaded")),
    (SortOrder.LIKES, tr_noop("Most liked")),
    (SortOrder.UPDATED, tr_noop("Newest")),
)
_B: Final = 1_000_000_000
_SIZES: Final[tuple[tuple[tuple[int | None, int | None], str], ...]] = (
    ((None, None), tr_noop("All sizes")),
    ((None, None), tr_noop("Fits this computer")),
    ((None, 3 * _B), tr_noop("Up to 3B")),
    ((3 * _B, 9 * _B), tr_noop("3B to 9B")),
    ((9 * _B, 16 * _B), tr_noop("9B to 16B")),
    ((16 * _B, 36 * _B), tr_noop("16B to 36B")),
    ((36 * _B, 80 * _B), tr_noop("36B to 80B")),
    ((80 * _B, None), tr_noop("Over 80B")),
)
_TASKS: Final = (
    (ModelQuery(), tr_noop("All tasks")),
    (ModelQuery(task="text-generation"), tr_noop("Text")),
    (ModelQuery(task="image-text-to-text"), VISION),
    (ModelQuery(task="audio-text-to-text"), AUDIO),
    (ModelQuery(task="video-text-to-text"), VIDEO),
    (ModelQuery(calls_tools=True), tr_noop("Tool use")),
    (ModelQuery(reasons=True), tr_noop("Reasoning")),
    (ModelQuery(task="feature-extraction"), tr_noop("Embeddings")),
    (ModelQuery(task="text-ranking"), tr_noop("Reranking")),
)
_CONTEXTS: Final = (0, 8192, 32_768, 131_072, 1_000_000)
_FITS: Final = 1
"""Index of the size filter that depends on this computer."""
_ACCESS: Final[tuple[tuple[bool | None, str], ...]] = (
    (None, tr_noop("All access")),
    (False, tr_noop("Not gated")),
    (True, tr_noop("Gated")),
)


class SearchBar(QWidget):
    """A search field with filters below; searches after a pause in typing, or at once on Enter."""

    list_focus_requested = Signal()
    """The results should get the keyboard focus."""

    def __init__(self, actions: DiscoverController) -> None:
        super().__init__()
        self._actions = actions
        self._last_query = ModelQuery()
        self._typed = ""
        self._has_results = False
        self._max_fitting_params: int | None = None
        self._timer = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._timer.timeout.connect(self._emit_query)
        self._choice_line = self._make_choices()
        column(row(stretch(self._make_field()), self._make_toggle()), self._choice_line, on=self)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def query(self) -> ModelQuery:
        """The query of the current state of the controls."""
        index = self.size_choice.currentIndex()
        min_params, max_params = (None, self._max_fitting_params) if index == _FITS else _SIZES[index][0]
        task = _TASKS[self.task.currentIndex()][0]
        return ModelQuery(
            text=" ".join(self.field.text().split()),
            author=self.author.text().strip().lstrip("@"),
            sort=_ORDERS[self.order.currentIndex()][0],
            min_params=min_params,
            max_params=max_params,
            licence=(("", ""), *LICENCES)[self.licence.currentIndex()][0],
            is_gated=_ACCESS[self.access.currentIndex()][0],
            task=task.task,
            calls_tools=task.calls_tools,
            reasons=task.reasons,
            architecture=self.architecture.text().strip(),
            min_ctx_train=_CONTEXTS[self.context.currentIndex()],
        )

    def set_max_fitting_params(self, n_params: int) -> None:
        """Set how many parameters a model may have to fit this computer."""
        self._max_fitting_params = n_params
        if self.size_choice.currentIndex() == _FITS:
            self._emit_query()

    @property
    def is_search_pending(self) -> bool:
        """Whether a search is scheduled but not sent yet."""
        return self._timer.isActive()

    def clear(self) -> None:
        """Clear all controls without sending a search."""
        for widget in (self.field, self.author, self.architecture):
            widget.clear()
        for choice in self._choices:
            choice.setCurrentIndex(0)
        self._timer.stop()
        self._last_query = self.query
        self._show_reset()

    def focus_field(self) -> None:
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def _make_field(self) -> QLineEdit:
        placeholder = tr("Search Hugging Face or paste a URL")
        self.field = SearchField(placeholder, name=tr("Search Hugging Face"))
        self.field.setProperty("wide", "true")
        self.field.setAccessibleDescription(
            tr("Search terms, a URL, or a name like owner/model:Q4_K_M. Arrow down moves to the results.")
        )
        self.field.setMaxLength(2000)
        self.field.textChanged.connect(self._on_text_changed)
        self.field.installEventFilter(self)
        return self.field

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _on_theme_changed(self) -> None:
        for typed in (self.author, self.architecture):
            typed.setFixedWidth(theme().scaled(_TYPED_WIDTH))
        self._fold()

    def _make_toggle(self) -> IconButton:
        self.toggle = IconButton("sliders-horizontal", name=tr("Filters"))
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._fold)
        return self.toggle

    def show_filters(self, *, has_results: bool) -> None:
        """Show the filters where there is something to filter."""
        self._has_results = has_results
        self._fold()

    def _fold(self) -> None:
        """In a narrow window the filters would take half of the page: a button shows them there."""
        is_narrow = self.width() < theme().scaled(_NARROW_WIDTH)
        self.toggle.setVisible(is_narrow and self._has_results)
        self._choice_line.setVisible(self._has_results and (not is_narrow or self.toggle.isChecked()))

    def _make_choices(self) -> QWidget:
        self.author = self._typed_choice(tr("Owner"), tr("All owners"))
        self.architecture = self._typed_choice(tr("Architecture"), tr("All architectures"))
        self.order = self._select(tr("Sort by"), [tr(label) for _, label in _ORDERS])
        self.size_choice = self._select(tr("Model size"), [tr(label) for _, label in _SIZES])
        self.task = self._select(tr("Task"), [tr(label) for _, label in _TASKS])
        self.licence = self._select(tr("Licence"), [tr("All licences"), *(label for _, label in LICENCES)])
        self.access = self._select(tr("Access"), [tr(label) for _, label in _ACCESS])
        contexts = [tr("{n} context or more").format(n=format_context_size(n)) for n in _CONTEXTS[1:]]
        self.context = self._select(tr("Trained context"), [tr("Any context"), *contexts])
        self._choices = (self.order, self.size_choice, self.task, self.context, self.licence, self.access)
        self.reset = Button(tr("Clear"), kind="quiet", icon="x", icon_px=14)
        self.reset.setAccessibleName(tr("Clear search"))
        self.reset.clicked.connect(self._on_reset)
        self.reset.hide()
        parts = (*self._choices, self.author, self.architecture, self.reset)
        return flow_row(*parts, spacing=SPACE_S)[0]

    def _typed_choice(self, name: str, placeholder: str) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(placeholder)
        field.setAccessibleName(name)
        field.setMaxLength(96)
        field.textChanged.connect(self._on_choice_typed)
        field.installEventFilter(self)
        return field

    def _select(self, name: str, labels: Sequence[str]) -> ComboBox:
        combo = ComboBox(name=name)
        combo.addItems(list(labels))
        combo.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        combo.activated.connect(self._emit_query)
        return combo

    def _on_text_changed(self, text: str) -> None:
        n_added = len(text) - len(self._typed)
        self._typed = text
        self._show_reset()
        if n_added >= _MIN_PASTED and is_exact_name(text):
            self._timer.stop()
            self._actions.open_model(text.strip())
            return
        self._timer.start()

    def _on_choice_typed(self, _text: str) -> None:
        self._show_reset()
        self._timer.start()

    def _on_reset(self) -> None:
        self.clear()
        self._actions.search(self._last_query)
        self.focus_field()

    def _emit_query(self) -> None:
        """Send the query, unless it was the last one or names a model that Enter would open."""
        self._timer.stop()
        self._show_reset()
        query = self.query
        if query != self._last_query and not is_exact_name(query.text):
            self._last_query = query
            self._actions.search(query)

    def _on_enter(self) -> None:
        self._timer.stop()
        # Enter on ``owner/name`` opens that model, although it could be a search text too.
        if is_exact_name(self.field.text()) or is_repository(self.field.text()):
            self._actions.open_model(self.field.text().strip())
            return
        self._last_query = self.query
        self._actions.search(self._last_query)

    def _show_reset(self) -> None:
        query = self.query
        self.reset.setVisible(query != ModelQuery())
        is_narrowed = query != ModelQuery(text=query.text)
        self.toggle.set_icon("sliders-horizontal", tint="accent" if is_narrowed else "mute")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            assert isinstance(watched, QLineEdit)
            match event.key():
                case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._on_enter()
                    return True
                case Qt.Key.Key_Down:
                    self.list_focus_requested.emit()
                    return True
                case Qt.Key.Key_Escape if watched.text():
                    watched.clear()
                    self._emit_query()
                    return True
                case Qt.Key.Key_Escape:
                    self._actions.leave_search()
                    return True
        return super().eventFilter(watched, event)
