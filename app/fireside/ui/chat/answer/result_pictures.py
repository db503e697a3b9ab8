"""The images of a tool's result, under its call; a click opens one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QSize, Qt
from PySide6.QtGui import QIcon, QImage, QPainter
from PySide6.QtWidgets import QToolButton, QWidget

from fireside.core.i18n import tr
from fireside.core.message import ImagePart, MadeFile
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.chat.composer.attachment_chip import scaled_image
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.kit.layout import destroy
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import tool_button

_MAX_SIZE: Final = QSize(320, 200)
_DRAWN_SIZE: Final = QSize(1200, 900)
_FRAME: Final = 2
"""Pixels around an image."""


class ResultPictures(QWidget):
    """Rows of images, scaled down; one that Qt cannot read is named."""

    def __init__(self, images: Sequence[ImagePart], *, parent: QWidget) -> None:
        super().__init__(parent)
        self.images = tuple(images)
        self.buttons: list[QToolButton] = []
        self._make_buttons()

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""
        x = y = row_height = 0
        for button in self.buttons:
            if x and x + button.width() > width:
                x, y, row_height = 0, y + row_height + SPACE_S, 0
            button.move(x, y)
            x, row_height = x + button.width() + SPACE_S, max(row_height, button.height())
        return y + row_height

    def restyle(self, style: TranscriptStyle) -> None:  # noqa: ARG002 - as every part of a message
        """Make the images anew for another scale."""
        destroy(*self.buttons)
        self._make_buttons()

    def _make_buttons(self) -> None:
        self.buttons = [self._button(n, image) for n, image in enumerate(self.images, 1)]

    def _button(self, number: int, image: ImagePart) -> QToolButton:
        name = tr("Image {n} of {count}, {name}").format(n=number, count=len(self.images), name=image.name)
        button = tool_button(name, parent=self, style="resultPicture")
        ratio = self.devicePixelRatioF()
        max_size = QSize(theme().scaled(_MAX_SIZE.width()), theme().scaled(_MAX_SIZE.height()))
        pixmap = scaled_image(image.data, max_size=max_size * ratio)
        if pixmap is None:
            button.setText(tr("No preview"))
            button.adjustSize()
        else:
            pixmap.setDevicePixelRatio(ratio)
            size = pixmap.deviceIndependentSize().toSize()
            button.setIcon(QIcon(pixmap))
            button.setIconSize(size)
            button.setFixedSize(size + QSize(2 * _FRAME, 2 * _FRAME))
        button.clicked.connect(lambda: self._open(image))
        button.show()
        return button

    def _open(self, image: ImagePart) -> None:
        about = tr("Image returned by the tool")
        AttachmentSheet(image, parent=self.window(), about=about).open()


def drawn_image(file: MadeFile) -> ImagePart | None:
    """Return a file in SVG as an image on white, since it is drawn for paper; ``None`` where it cannot be
    drawn. In any thread."""
    from fireside.markup.svg import SvgRefused
    from fireside.ui.widgets.svg_image import svg_image

    try:
        drawing = svg_image(file.data.decode("utf-8", "replace"), within=_DRAWN_SIZE)
    except SvgRefused:
        return None
    image = QImage(drawing.size(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.drawImage(0, 0, drawing)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # its stub wants bytes
    return ImagePart(data=bytes(buffer.data().data()), media_type="image/png", name=file.name)
