"""“How it loads” over whatever page is in front."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.core.model import ModelSpec
from fireside.core.status import ModelState
from fireside.ui.loading.panel import LoadPanel
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import ElidedLabel

_WIDTH: Final = 700
_HEIGHT: Final = 760
_AROUND: Final = 40


class LoadSheet(QDialog):
    """Open it with ``open()``."""

    def __init__(self, spec: ModelSpec, *, state: ModelState, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("How it loads"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.panel = LoadPanel(theme=theme)
        self.panel.show_model(spec, state)
        scroll = PageScroll()
        inner = QWidget()
        body = QVBoxLayout(inner)
        body.setContentsMargins(0, 0, SPACE_S, 0)
        body.addWidget(self.panel)
        body.addStretch(1)
        scroll.setWidget(inner)
        self.close_button = Button(tr("Close"), theme=theme)
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(ElidedLabel(tr("How {name} loads").format(name=spec.name), role="title"))
        column.addWidget(scroll, 1)
        column.addLayout(foot)
        self.resize(
            min(theme.scaled(_WIDTH), parent.width() - _AROUND),
            min(theme.scaled(_HEIGHT), parent.height() - _AROUND),
        )
