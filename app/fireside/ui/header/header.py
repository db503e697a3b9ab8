"""The header: model pill, facts about the model, retry and cancel, chat settings, export, menu."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QSizePolicy, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry, ModelSpec, display_name
from fireside.core.status import Broken, LoadingModel, ModelState, Ready, Unloaded, Unloading
from fireside.ui.commands import Command
from fireside.ui.header.popup import ModelPopup
from fireside.ui.kit.layout import boxed, row, stacked, stretch
from fireside.ui.loading.load_text import loading_text
from fireside.ui.model_text import SEPARATOR, file_summary, loaded_summary, state_label
from fireside.ui.page import Page
from fireside.ui.theme import RADIUS_M, SPACE_L, SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import PAGE_SIDE
from fireside.ui.widgets.folding_button import FoldingButton
from fireside.ui.widgets.picture import Dot, Picture
from fireside.ui.widgets.text import ElidedLabel, Label, one_line, plain_tooltip
from fireside.ui.window_context import WindowContext

_PILL_HEIGHT: Final = 36
_BAR: Final = 3
_MAX_WIDTH: Final = 420


class ModelPill(QPushButton):
    """Dot, name, quantization and an arrow; a bar along its foot while the model loads."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pill")
        self._fraction: float | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.dot = Dot(tint="dim")
        self.name = ElidedLabel(role="strong")
        self.quantization = ElidedLabel(role="small")
        arrow = Picture("chevron-down", size=15)
        parts = (self.dot, stretch(self.name), self.quantization, arrow)
        self._row = row(*parts, margins=(SPACE_M, 0, SPACE_S + 1, 0), on=self)
        for child in (self.name, self.quantization):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.show_model(None, state=None)

    def show_model(self, entry: ModelEntry | None, *, state: ModelState | None) -> None:
        """Show a model and its state; ``None`` where no model is selected."""
        self._fraction = (
            state.fraction if isinstance(state, LoadingModel) and state.waits_for is None else None
        )
        if entry is None or state is None:
            self.name.set_full_text(tr("Choose model"))
            self.quantization.hide()
            self.dot.set_tint("dim")
            self.setAccessibleName(tr("No model selected"))
            self.setToolTip("")
            return
        label = state_label(state)
        self.name.set_full_text(display_name(entry))
        detail_text = "" if entry.spec is None else entry.spec.quantization
        if entry.spec is not None and (remote := entry.spec.remote) is not None:
            # Separate from the name, which is elided where space is short: the host never is.
            self.name.set_full_text(remote.model.name)
            detail_text = f"@ {remote.host}"
        self.quantization.set_full_text(detail_text)
        self.quantization.setVisible(bool(detail_text))
        self.dot.set_tint(label.tint)
        self.setAccessibleName(
            tr("Model: {name}. {state}").format(name=one_line(display_name(entry)), state=label.text)
        )
        detail = state.error.sentence if isinstance(state, Broken) else label.text
        self.setToolTip(plain_tooltip(f"{display_name(entry)}\n{detail}"))
        self.updateGeometry()
        self.update()

    @property
    def fraction(self) -> float | None:
        """Progress of loading, 0 to 1; ``None`` while nothing loads."""
        return self._fraction

    def sizeHint(self) -> QSize:
        natural_width = self._row.sizeHint().width()
        return QSize(min(natural_width, theme().scaled(_MAX_WIDTH)), theme().scaled(_PILL_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().scaled(120), theme().scaled(_PILL_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._fraction is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS_M - 1, RADIUS_M - 1)
        painter.setClipPath(outline)
        # A sliver shows that loading has begun before progress is first reported.
        width = self.width() * max(0.04, min(1.0, self._fraction))
        painter.fillRect(QRectF(0, self.height() - _BAR - 1, width, _BAR), theme().colour("accent"))
        painter.end()


class TemporaryMark(QFrame):
    """Says that the open chat is temporary."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("temporaryMark")
        text = tr("Temporary")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(tr("Temporary chat"))
        self.setToolTip(plain_tooltip(tr("Stored nowhere, gone once it is closed")))
        self._label = Label(text, role="small")
        row(
            Picture("message-circle-dashed", size=16),
            self._label,
            spacing=SPACE_S,
            margins=(SPACE_M, SPACE_XS, SPACE_M, SPACE_XS),
            on=self,
        )

    def fold(self, *, is_folded: bool) -> None:
        """Show the icon alone, or the word too."""
        self._label.setVisible(not is_folded)


_HEIGHT: Final = 58
_FOLD_BELOW: Final = 480
"""Width in pixels at the normal text size below which buttons show only their icons."""
_LEFT: Final = SPACE_L + 2


class Header(QFrame):
    """The bar above the window's page: model controls of a chat, or a page's title. GUI thread only."""

    def __init__(self, context: WindowContext, *, menu: QMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self._models, self._router = context.models, context.router
        actions = context.commands.actions
        self._model_id: ModelId | None = None
        self.sidebar_button = IconButton("panel-left", name=tr("Show sidebar"))
        self.sidebar_button.clicked.connect(actions[Command.SIDEBAR].trigger)
        self.sidebar_button.follow_shortcut(actions[Command.SIDEBAR])
        self.sidebar_button.hide()
        self.pill = ModelPill()
        self.pill.hide()  # until it is known which model there is
        self.pill.clicked.connect(self._on_pill)
        self.facts = ElidedLabel(role="small", separator=SEPARATOR)
        self.retry = FoldingButton(tr("Try again"), icon="refresh-cw")
        self.retry.clicked.connect(self._on_retry)
        self.details = Button(tr("Details"), kind="quiet", on_click=self.show_details)
        self.details.setAccessibleDescription(tr("Shows the load settings"))
        self.cancel = FoldingButton(tr("Cancel"), icon="x")
        self.cancel.clicked.connect(self._on_cancel)
        self.cancel.setAccessibleDescription(tr("Cancels loading"))
        temporary, keep = actions[Command.TEMPORARY_CHAT], actions[Command.KEEP_CHAT]
        self.temporary = IconButton("message-circle-dashed", name=tr("Temporary chat"))
        self.temporary.clicked.connect(temporary.trigger)
        self.temporary.follow_shortcut(temporary)
        self.temporary_mark = TemporaryMark()
        self.keep = FoldingButton(tr("Keep this chat"), icon="check")
        self.keep.clicked.connect(keep.trigger)
        self.keep.setAccessibleDescription(tr("Stores this temporary chat among the others"))
        self.keep.hide()
        self.show_chat(is_new=False, is_temporary=False)
        self.parameters = IconButton("sliders-horizontal", name=tr("Chat settings"))
        self.parameters.setCheckable(True)
        self.parameters.clicked.connect(actions[Command.CHAT_SETTINGS].trigger)
        self.parameters.follow_shortcut(actions[Command.CHAT_SETTINGS])
        self.artifacts = IconButton("boxes", name=tr("Artifacts of this chat"))
        self.artifacts.clicked.connect(actions[Command.ARTIFACTS].trigger)
        self.artifacts.follow_shortcut(actions[Command.ARTIFACTS])
        self.export = IconButton("export", name=tr("Export chat"))
        self.export.clicked.connect(actions[Command.EXPORT_CHAT].trigger)
        self.export.follow_shortcut(actions[Command.EXPORT_CHAT])
        self.more = IconButton("ellipsis", name=tr("More"))
        self.more.clicked.connect(lambda: menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height()))))
        self.title = Label(role="heading")
        self.crumb = Button("", kind="crumb", on_click=self._on_crumb)
        self._parent_page: Page | None = None
        self._content_width = 0
        self._indent = QWidget()
        self.popup = ModelPopup(context, parent=self)
        self._build()
        self._models.entries_changed.connect(self._show_model)
        self._models.state_changed.connect(self._on_state_changed)
        theme().changed.connect(self._update_sizes)
        self._update_sizes()
        self._show_model()

    def set_model(self, model_id: ModelId | None) -> None:
        """Show the model that answers in the open conversation."""
        self._model_id = model_id
        self.pill.show()
        self._show_model()

    def show_chat(self, *, is_new: bool, is_temporary: bool) -> None:
        """Offer a temporary chat where a new one is open, or mark the open one as temporary.

        ``keep`` is shown by the window, as soon as there is something to keep.
        """
        self.temporary.setVisible(is_new)
        self.temporary_mark.setVisible(is_temporary)

    def show_title(
        self, title: str, *, content_width: int = 0, parent: tuple[Page, str] | None = None
    ) -> None:
        """Show a page's name in place of the model; empty shows the model again.

        ``content_width`` is the width in pixels of the page's content, which is centred; 0 for all of it.
        ``parent`` is the page above this one, with its name.
        """
        self.title.setText(title)
        self._parent_page, name = parent or (None, "")
        self._content_width = content_width
        self.crumb.setVisible(parent is not None)
        self.crumb.setText(f"{name}  ›")
        self.crumb.setAccessibleName(name)
        self._stack.setCurrentIndex(1 if title else 0)
        self._update_sizes()

    def _on_crumb(self) -> None:
        if self._parent_page is not None:
            self._router.show_page(self._parent_page)

    @Slot()
    def _on_pill(self) -> None:
        self.open_picker()

    def open_picker(self, query: str = "") -> None:
        """Open the list of models; ``query`` is typed into its filter."""
        corner = self.pill.mapToGlobal(QPoint(0, self.pill.height() + 6))
        self.popup.open_at(corner, selected=self._model_id, query=query)

    def _build(self) -> None:
        chat = row(
            self.pill,
            stretch(self.facts),
            self.retry,
            self.details,
            self.cancel,
            stretch(factor=0),
            self.temporary_mark,
            self.keep,
            self.temporary,
            self.parameters,
            self.artifacts,
            self.export,
            spacing=SPACE_M,
        )
        self._stack = stacked(
            boxed(chat), boxed(row(self._indent, self.crumb, stretch(self.title), spacing=0))
        )
        margins = (_LEFT, 0, SPACE_M, 0)
        row(self.sidebar_button, stretch(self._stack), self.more, margins=margins, on=self)

    def _show_model(self) -> None:
        entry = self._models.entry(self._model_id)
        if entry is None or entry.spec is None or self._model_id is None:
            self.pill.show_model(None, state=None)
            self.facts.set_full_text("")
            for button in (self.retry, self.details, self.cancel):
                button.hide()
            return
        state = self._models.state(self._model_id)
        self.pill.show_model(entry, state=state)
        self._show_facts(entry.spec, state)

    def _show_facts(self, spec: ModelSpec, state: ModelState) -> None:
        broken = isinstance(state, Broken)
        self.facts.set_role("error" if broken else "small")
        self.retry.setVisible(broken)
        self.details.setVisible(broken or (isinstance(state, Ready) and state.is_memory_short))
        self.cancel.setVisible(isinstance(state, LoadingModel))
        match state:
            case Ready(note=note) | Unloaded(note=note) if note:
                self.facts.set_full_text(note)
            case Ready():
                self.facts.set_full_text(loaded_summary(state.loaded))
                devices = "\n".join((loaded_summary(state.loaded), *state.loaded.devices))
                self.facts.setToolTip(plain_tooltip(devices))
            case LoadingModel():
                self.facts.set_full_text(loading_text(state))
            case Unloading():
                self.facts.set_full_text(state_label(state).text)
            case Broken():
                self.facts.set_full_text(state.error.sentence)
            case _:
                self.facts.set_full_text(file_summary(spec))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_sizes()

    @Slot()
    def _update_sizes(self) -> None:
        self.setFixedHeight(theme().scaled(_HEIGHT))
        free_px = self.width() - self._content_width if self._content_width else 0
        before_px = 0 if self.sidebar_button.isHidden() else self.sidebar_button.sizeHint().width() + SPACE_S
        self._indent.setFixedWidth(max(0, max(PAGE_SIDE, free_px // 2) - _LEFT - before_px))
        is_narrow = self.width() < theme().scaled(_FOLD_BELOW)
        self.temporary_mark.fold(is_folded=is_narrow)
        for button in (self.retry, self.cancel, self.keep):
            button.fold(is_folded=is_narrow)

    def _on_state_changed(self, model_id: str) -> None:
        if model_id == self._model_id:
            self._show_model()

    def _on_retry(self) -> None:
        if self._model_id is not None:
            self._router.load_model(self._model_id)

    def show_details(self) -> None:
        """Show the load settings of the selected model, if there is one."""
        if self._model_id is not None:
            self._router.show_load_details(self._model_id)

    def _on_cancel(self) -> None:
        if self._model_id is not None:
            self._router.unload_model(self._model_id)
