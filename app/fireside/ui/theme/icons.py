"""Draw Lucide's outline icons in any colour, sharp on every screen."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_DISABLED_OPACITY = 0.4


class IconSet:
    """The icons in a folder, read when they are first drawn. GUI thread only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sources: dict[str, str] = {}
        self._drawn: dict[tuple[str, str, int, float, bool], QPixmap] = {}

    def icon(self, name: str, *, colour: str, size: int) -> QIcon:
        """Return an icon of ``size`` logical pixels for every pixel ratio among the screens."""
        icon = QIcon()
        for ratio in sorted({screen.devicePixelRatio() for screen in QGuiApplication.screens()}):
            for mode, faded in ((QIcon.Mode.Normal, False), (QIcon.Mode.Disabled, True)):
                icon.addPixmap(self._draw(name, colour=colour, size=size, ratio=ratio, faded=faded), mode)
        return icon

    def pixmap(self, name: str, *, colour: str, size: int, ratio: float) -> QPixmap:
        """Return the icon drawn at exactly ``ratio``."""
        return self._draw(name, colour=colour, size=size, ratio=ratio, faded=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all icons."""
        return frozenset(path.stem for path in self._folder.glob("*.svg"))

    def _draw(self, name: str, *, colour: str, size: int, ratio: float, faded: bool) -> QPixmap:
        key = (name, colour, size, ratio, faded)
        if key not in self._drawn:
            if faded:
                pixmap = self._draw(name, colour=colour, size=size, ratio=ratio, faded=False)
                self._drawn[key] = _faded(pixmap)
            else:
                self._drawn[key] = self._render(name, colour=colour, size=size, ratio=ratio)
        return self._drawn[key]

    def _render(self, name: str, *, colour: str, size: int, ratio: float) -> QPixmap:
        # Lucide is drawn for 24 pixels; at the sizes used here a stroke of 2 looks heavy beside Inter.
        source = self._source(name).replace("currentColor", colour).replace('width="2"', 'width="1.8"')
        renderer = QSvgRenderer(QByteArray(source.encode()))
        side = round(size * ratio)
        pixmap = QPixmap(side, side)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter, QRectF(0, 0, side, side))
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def _source(self, name: str) -> str:
        if name not in self._sources:
            self._sources[name] = (self._folder / f"{name}.svg").read_text(encoding="utf-8")
        return self._sources[name]


def _faded(enabled: QPixmap) -> QPixmap:
    """Return the icon of a disabled button."""
    pixmap = QPixmap(enabled.size())
    pixmap.setDevicePixelRatio(enabled.devicePixelRatio())
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setOpacity(_DISABLED_OPACITY)
    painter.drawPixmap(0, 0, enabled)
    painter.end()
    return pixmap
