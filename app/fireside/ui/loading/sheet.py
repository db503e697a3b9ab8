"""“How it loads” over whatever page is in front."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.model import ModelSpec
from fireside.core.status import ModelState
from fireside.ui.kit.layout import column, scrolled, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.loading.panel import LoadPanel
from fireside.ui.theme import SPACE_L, SPACE_S, SPACE_XL, Theme
from fireside.ui.widgets.text import ElidedLabel


class LoadSheet(Sheet):
    """The panel of a model's page, for a model that is in use."""

    def __init__(self, spec: ModelSpec, *, state: ModelState, theme: Theme, parent: QWidget) -> None:
        super().__init__(tr("How it loads"), theme=theme, parent=parent, size=(700, 760))
        self.panel = LoadPanel(theme=theme)
        self.panel.show_model(spec, state)
        self.lay_out(
            stretch(scrolled(column(self.panel, stretch(factor=1), margins=(0, 0, SPACE_S, 0)))),
            heading=ElidedLabel(tr("How {name} loads").format(name=spec.name), role="title"),
            buttons=(self.make_close(),),
            margins=(SPACE_XL, SPACE_L, SPACE_L, SPACE_L),
        )
