"""The button that shows the selected model and its state, and opens the model picker."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from fireside.core.i18n import tr
from fireside.core.model import ModelEntry, display_name
from fireside.core.status import Broken, LoadingModel, ModelState
from fireside.ui.kit.layout import row, stretch
from fireside.ui.model_text import short_host, state_label
from fireside.ui.theme import RADIUS_M, SPACE_M, SPACE_S, theme
from fireside.ui.widgets.picture import Dot, Picture
from fireside.ui.widgets.text import ElidedLabel, one_line, plain_tooltip

_HEIGHT: Final = 36
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
            detail_text = f"@ {short_host(remote)}"
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
        return QSize(min(natural_width, theme().scaled(_MAX_WIDTH)), theme().scaled(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().scaled(120), theme().scaled(_HEIGHT))

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
