"""The model picker that opens under the pill: filter, models, links to the model pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QScrollArea, QSizePolicy, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.status import LoadingModel, ModelState, OnRemoteEngine, Ready, Unloading
from fireside.ui.kit.layout import boxed, column, row, space, stretch
from fireside.ui.loading.load_text import loading_text
from fireside.ui.model_text import (
    MEDIA_ICONS,
    SEPARATOR,
    StateLabel,
    format_context_size,
    matches_query,
    media_of,
    remote_summary,
    state_label,
)
from fireside.ui.page import Page
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.picture import Dot, Picture
from fireside.ui.widgets.popup import Popup
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import ElidedLabel, Label, one_line, set_style_property
from fireside.ui.window_context import WindowContext

_WIDTH: Final = 460
_MAX_HEIGHT: Final = 380
_MAX_ROWS: Final = 60
"""Each row is a widget; further models are found by typing."""


class ModelPopup(Popup):
    """Selects, loads and unloads models. Closes on Escape or a click elsewhere."""

    def __init__(self, context: WindowContext, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._models, self._router = context.models, context.router
        self._selected: ModelId | None = None
        self._rows: list[PopupRow] = []
        self.local_only = False
        """Models of other engines are disabled: the current chat stays on this computer."""
        self.setAccessibleName(tr("Models"))
        self.column.addWidget(self._make_filter())
        self.column.addWidget(self._make_scroll())
        self._note = Label(role="small")
        self._note.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        self.column.addWidget(self._note)
        self.column.addLayout(self._make_links())
        self._models.entries_changed.connect(self._on_entries_changed)
        self._models.state_changed.connect(self._on_state_changed)

    def open_at(self, corner: QPoint, *, selected: ModelId | None, query: str = "") -> None:
        """Show the models that match ``query``, the upper left at ``corner`` (global), further left where the
        screen ends."""
        self._selected = selected
        is_local = selected is not None and not isinstance(self._models.state(selected), OnRemoteEngine)
        self.details.setVisible(is_local)
        self.filter.setText(query)
        self._rebuild()
        screen = (QGuiApplication.screenAt(corner) or self.screen()).availableGeometry()
        left = max(screen.left(), min(corner.x(), screen.right() + 1 - self.width()))
        self.move(left, corner.y())
        self.show()
        self.filter.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def rows(self) -> tuple[PopupRow, ...]:
        return tuple(self._rows)

    def _make_links(self) -> QHBoxLayout:
        self.library = Button(tr("All models…"), icon="boxes", kind="quiet")
        self.library.clicked.connect(lambda: self._leave(partial(self._router.show_page, Page.MODELS)))
        self.discover = Button(tr("Find models…"), icon="compass", kind="quiet")
        self.discover.clicked.connect(lambda: self._leave(partial(self._router.show_page, Page.DISCOVER)))
        self.details = Button(tr("Load settings…"), icon="zap", kind="quiet")
        self.details.clicked.connect(self._show_details)
        return row(self.library, self.details, stretch(), self.discover)

    def _make_filter(self) -> QLineEdit:
        self.filter = SearchField(tr("Search your models"))
        self.filter.textChanged.connect(lambda _text: self._rebuild())
        self.filter.installEventFilter(self)
        return self.filter

    def _make_scroll(self) -> QScrollArea:
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return self._scroll

    def _rebuild(self) -> None:
        query = self.filter.text()
        matches = [entry for entry in self._models.usable if matches_query(entry, query=query)]
        self._rows = []
        for entry in matches[:_MAX_ROWS]:
            if entry.spec is not None:
                line = PopupRow(self._context, entry.spec)
                line.clicked.connect(lambda _checked=False, key=entry.spec.id: self._on_row(key))
                line.installEventFilter(self)
                self._rows.append(line)
        body = boxed(column(*self._rows, stretch(), spacing=2, margins=(0, 0, SPACE_XS, 0)))
        self._show_states()
        self._scroll.setWidget(body)
        self._scroll.setVisible(bool(self._rows))
        self._note.show_text(self._note_for(n_matches=len(matches)))
        self._update_sizes(body)

    def _note_for(self, *, n_matches: int) -> str:
        if n_matches > _MAX_ROWS:
            return tr("{count} more; type to filter").format(count=n_matches - _MAX_ROWS)
        if n_matches:
            return ""
        return tr("No matching models") if self._models.usable else tr("No models yet")

    def _update_sizes(self, body: QWidget) -> None:
        self._scroll.setFixedHeight(min(body.sizeHint().height(), theme().scaled(_MAX_HEIGHT)))
        # The labels of the links below are longer in some languages.
        self.setFixedWidth(max(theme().scaled(_WIDTH), self.column.totalMinimumSize().width()))

    def _show_states(self) -> None:
        for line in self._rows:
            line.setEnabled(not (self.local_only and line.is_remote))
            line.show_state(self._models.state(line.model_id), is_selected=line.model_id == self._selected)

    def _on_row(self, model_id: ModelId) -> None:
        if not all(line.isEnabled() for line in self._rows if line.model_id == model_id):
            return
        self.hide()
        self._router.choose_model(model_id)

    def _leave(self, go: Callable[[], None]) -> None:
        self.hide()
        go()

    def _show_details(self) -> None:
        if (selected := self._selected) is not None:
            self._leave(lambda: self._router.show_load_details(selected))

    def _on_entries_changed(self) -> None:
        if self.isVisible():
            self._rebuild()

    def _on_state_changed(self, _model_id: str) -> None:
        if self.isVisible():
            self._show_states()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and self._rows:
            fields: list[QWidget] = [self.filter, *self._rows]
            index = fields.index(watched) if isinstance(watched, QWidget) and watched in fields else -1
            index = index or self._start_index()
            match event.key():
                case Qt.Key.Key_Down | Qt.Key.Key_Up if index >= 0:
                    step = 1 if event.key() == Qt.Key.Key_Down else -1
                    field = fields[max(0, min(len(fields) - 1, index + step))]
                    field.setFocus(Qt.FocusReason.TabFocusReason)
                    self._scroll.ensureWidgetVisible(field, 0, 0)
                    return True
                case Qt.Key.Key_Return | Qt.Key.Key_Enter if index >= 0:
                    self._on_row(self._rows[max(0, index - 1)].model_id)
                    return True
        return super().eventFilter(watched, event)

    def _start_index(self) -> int:
        """Return where arrow keys start from the filter field: at the row of the selected model, or with 0 at
        the field itself once something is typed."""
        indexes = [n for n, line in enumerate(self._rows, start=1) if line.model_id == self._selected]
        return indexes[0] if indexes and not self.filter.text() else 0


class PopupRow(QPushButton):
    """One model: a click selects it for this chat, the small button loads or unloads it."""

    def __init__(self, context: WindowContext, spec: ModelSpec) -> None:
        super().__init__()
        self.setProperty("kind", "row")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.model_id: ModelId = spec.id
        self._spec = spec
        self.is_remote = spec.remote is not None
        self._router = context.router
        self._unloads = False
        """The small button unloads the model or cancels its loading."""
        self._dot = Dot(tint="dim")
        remote = spec.remote
        self._name = ElidedLabel(spec.name if remote is None else remote.model.name, role="strong")
        self._quantization = Label(
            one_line(spec.quantization if remote is None else f"@ {remote.host}"), role="small"
        )
        self._media = () if remote is not None else media_of(spec)
        self._facts = ElidedLabel(role="small")
        self._tick = Picture("check", tint="accent", size=16)
        self._power = IconButton("play", name=tr("Load"), size=16, on_click=self._on_power)
        self._power.installEventFilter(self)
        self._row = self._build()

    def show_state(self, state: ModelState, *, is_selected: bool) -> None:
        label = state_label(state)
        if isinstance(state, LoadingModel) and state.waits_for is not None:
            label = StateLabel(label.tint, loading_text(state))
        self._dot.set_tint(label.tint)
        self._facts.set_full_text(self._facts_text(state, state_text=label.text))
        self._facts.setToolTip("")
        self._tick.setVisible(is_selected)
        set_style_property(self, "chosen", "true" if is_selected else "false")
        name = f"{one_line(self._spec.name)} {one_line(self._spec.quantization)}"
        name = ", ".join((name, *map(tr, self._media)))
        self.setAccessibleDescription("" if self.isEnabled() else self._facts.text())
        self.setAccessibleName(
            tr("{name}, {state}, chosen").format(name=name, state=label.text)
            if is_selected
            else f"{name}, {label.text}"
        )
        self._unloads = isinstance(state, Ready | LoadingModel)
        icon, action_name = "play", tr("Load {name}")
        if isinstance(state, LoadingModel):
            icon, action_name = "x", tr("Cancel loading {name}")
        elif isinstance(state, Ready):
            icon, action_name = "power", tr("Unload {name}")
        self._power.set_icon(icon)
        self._power.set_name(action_name.format(name=one_line(self._spec.name)))
        self._power.setEnabled(not isinstance(state, Unloading))
        self._power.setVisible(not isinstance(state, OnRemoteEngine))

    def _facts_text(self, state: ModelState, *, state_text: str) -> str:
        if self._spec.remote is not None:
            return (
                remote_summary(self._spec.remote)
                if self.isEnabled()
                else tr("This chat stays on this computer")
            )
        n_ctx = tr("up to {n_ctx} context").format(n_ctx=format_context_size(self._spec.n_ctx_train))
        if isinstance(state, Ready):
            n_ctx = tr("{n_ctx} context").format(n_ctx=format_context_size(state.loaded.n_ctx))
        return SEPARATOR.join((format_bytes(self._spec.size_bytes), n_ctx, state_text))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A double click on Load is not meant to stop it with the second click.
        if watched is self._power and event.type() is QEvent.Type.MouseButtonDblClick:
            return True
        return super().eventFilter(watched, event)

    @property
    def power(self) -> IconButton:
        return self._power

    def sizeHint(self) -> QSize:
        return self._row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._row.minimumSize()

    def _build(self) -> QHBoxLayout:
        for child in (self._name, self._quantization, self._facts):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        media = [Picture(MEDIA_ICONS[label], size=14) for label in self._media]
        for label, icon in zip(self._media, media, strict=True):
            icon.setToolTip(tr(label))
        texts = column(row(self._name, self._quantization, *media, stretch()), self._facts, spacing=2)
        return row(
            self._dot,
            stretch(texts),
            self._tick,
            space(SPACE_XS),
            self._power,
            spacing=SPACE_M,
            margins=(SPACE_M, SPACE_S, SPACE_S, SPACE_S),
            on=self,
        )

    def _on_power(self) -> None:
        (self._router.unload_model if self._unloads else self._router.load_model)(self.model_id)
