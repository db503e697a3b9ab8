"""One model in the picker."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.status import LoadingModel, ModelState, Ready, Unloading
from fireside.ui.kit.layout import column, row, space, stretch
from fireside.ui.loading.load_text import loading_words
from fireside.ui.model_text import SEPARATOR, StateWords, context_words, state_words
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.picture import Dot, Picture
from fireside.ui.widgets.text import ElidedLabel, Label, one_line, set_look
from fireside.ui.window_context import WindowContext


class PopupRow(QPushButton):
    """Click takes the model for this chat; the small button loads or unloads it."""

    def __init__(self, context: WindowContext, spec: ModelSpec, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "row")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.model_id: ModelId = spec.id
        self._spec = spec
        self._router, theme = context.router, context.theme
        self._ends = False
        """The small button ends what is loaded, or what is on its way to be."""
        self._dot = Dot(theme=theme, tint="dim")
        self._name = ElidedLabel(spec.name, role="strong")
        self._quantization = Label(one_line(spec.quantization), role="small")
        self._facts = ElidedLabel(role="small")
        self._tick = Picture("check", theme=theme, tint="accent", size=16)
        self._power = IconButton("play", name=tr("Load"), theme=theme, size=16)
        self._power.clicked.connect(self._on_power)
        self._power.installEventFilter(self)
        self._row = self._lay_out()

    def show_state(self, state: ModelState, *, chosen: bool) -> None:
        words = state_words(state)
        if isinstance(state, LoadingModel) and state.waits_for is not None:
            words = StateWords(words.tint, loading_words(state))
        self._dot.set_tint(words.tint)
        n_ctx = tr("up to {n_ctx} context").format(n_ctx=context_words(self._spec.n_ctx_train))
        if isinstance(state, Ready):
            n_ctx = tr("{n_ctx} context").format(n_ctx=context_words(state.loaded.n_ctx))
        self._facts.set_whole(SEPARATOR.join((format_bytes(self._spec.size_bytes), n_ctx, words.text)))
        self._facts.setToolTip("")
        self._tick.setVisible(chosen)
        set_look(self, "chosen", "true" if chosen else "false")
        name = f"{one_line(self._spec.name)} {one_line(self._spec.quantization)}"
        self.setAccessibleName(
            tr("{name}, {state}, chosen").format(name=name, state=words.text)
            if chosen
            else f"{name}, {words.text}"
        )
        self._ends = isinstance(state, Ready | LoadingModel)
        icon, does = "play", tr("Load {name}")
        if isinstance(state, LoadingModel):
            icon, does = "x", tr("Stop loading {name}")
        elif isinstance(state, Ready):
            icon, does = "power", tr("Unload {name}")
        self._power.set_icon(icon)
        self._power.set_name(does.format(name=one_line(self._spec.name)))
        self._power.setEnabled(not isinstance(state, Unloading))

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

    def _lay_out(self) -> QHBoxLayout:
        for child in (self._name, self._quantization, self._facts):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        words = column(row(self._name, self._quantization, stretch()), self._facts, spacing=2)
        return row(
            self._dot,
            stretch(words),
            self._tick,
            space(SPACE_XS),
            self._power,
            spacing=SPACE_M,
            margins=(SPACE_M, SPACE_S, SPACE_S, SPACE_S),
            on=self,
        )

    def _on_power(self) -> None:
        (self._router.unload_model if self._ends else self._router.load_model)(self.model_id)
