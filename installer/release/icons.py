"""Render the program's icon in the sizes that desktops use, with the Qt of the environment."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)

_DRAW = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
source, folder, *sizes = sys.argv[1:]
picture = QSvgRenderer(source)
assert picture.isValid()
for size in map(int, sizes):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    picture.render(painter)
    painter.end()
    assert image.save(f"{folder}/{size}.png")
"""


def draw_icons(svg: Path, *, folder: Path, python: Path) -> dict[int, Path]:
    """Render ``svg`` into ``folder``; return the PNG file of each size in pixels."""
    folder.mkdir(parents=True, exist_ok=True)
    command = (str(python), "-P", "-c", _DRAW, str(svg), str(folder), *map(str, SIZES))
    subprocess.run(command, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, check=True)
    return {size: folder / f"{size}.png" for size in SIZES}
