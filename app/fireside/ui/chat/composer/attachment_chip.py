"""The chip of an attached file: thumbnail or icon, name, facts, remove button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFontMetrics,
    QImage,
    QImageReader,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.attachment import clock_time
from fireside.core.i18n import tr
from fireside.core.message import AttachedPart, AudioPart, ImagePart, VideoPart
from fireside.ui.chat.composer.attachment_text import kind_of, spoken_facts
from fireside.ui.chat.composer.sound_controls import SoundControls
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.text import ElidedLabel, plain_tooltip

CHIP_HEIGHT = 48
_SOUND_HEIGHT = 70
_MIN_WIDTH = 150
_MIN_SOUND_WIDTH = 260
_MAX_WIDTH = 300
_LABEL_MARGINS = 58
"""Pixels that tile, margins and gaps take beside name and line."""
_BUTTON_WIDTH = 44
_TILE = 34
_RADIUS = 7
_ICON = 18


class ChipFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a chip shows."""

    name: str
    line: str
    tone: str = ""
    """``danger`` for a file that cannot be sent, ``warn`` for one with a flaw."""
    tooltip: str = ""
    """More than the line has space for."""
    image: bytes | None = None
    can_open: bool = False
    icon: str = "file-text"
    sound: AudioPart | None = None
    """Shown as a waveform, and played."""
    spoken: str = ""
    """``line`` for screen readers, where that differs."""


_ICONS: Final[dict[type[AttachedPart], str]] = {AudioPart: "audio-lines", VideoPart: "film"}


def facts_of_part(part: AttachedPart, line: str) -> ChipFacts:
    """Return what a chip shows of a file with this second line."""
    sound = part.sound if isinstance(part, VideoPart) else part
    return ChipFacts(
        name=part.name or kind_of(part),
        line=line,
        image=picture_of(part),
        can_open=True,
        icon=_ICONS.get(type(part), "file-text"),
        sound=sound if isinstance(sound, AudioPart) else None,
        spoken=spoken_facts(part, line),
    )


def picture_of(part: AttachedPart) -> bytes | None:
    """Return an image, or the first picture of a video; ``None`` for other files."""
    match part:
        case ImagePart():
            return part.data
        case VideoPart(frames=(first, *_)):
            return first.data
        case _:
            return None


class AttachmentChip(QFrame):
    """Shows ``ChipFacts``; a click asks for a preview of what the model is sent."""

    opened = Signal()

    def __init__(
        self, facts: ChipFacts, *, can_remove: bool, can_save: bool = False, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("attachmentChip")
        height = CHIP_HEIGHT if facts.sound is None else _SOUND_HEIGHT
        self.setFixedHeight(theme().scaled(height))
        self._natural_width = _width_of(facts, has_button=can_remove or can_save)
        self.resize(self._natural_width, self.height())
        self.facts = facts
        if facts.tone:
            self.setProperty("tone", facts.tone)
        name = ElidedLabel(facts.name, mode=Qt.TextElideMode.ElideMiddle, parent=self)
        name.setObjectName("attachmentName")
        self.line = ElidedLabel(facts.line, parent=self)
        self.line.setObjectName("attachmentFacts")
        self.remove_button: IconButton | None = None
        if can_remove:
            self.remove_button = IconButton(
                "x", name=tr("Remove {name}").format(name=facts.name), size=15, parent=self
            )
        self.save_button: IconButton | None = None
        if can_save:
            self.save_button = IconButton(
                "download", name=tr("Save {name} as…").format(name=facts.name), size=15, parent=self
            )
        self.controls: SoundControls | None = None
        if facts.sound is not None:
            self.controls = SoundControls(facts.sound, name=facts.name, parent=self)
            self.controls.moved.connect(self._show_position)
            self._show_position(self.controls.position_text)
        waveform = None if self.controls is None else self.controls.waveform
        play = None if self.controls is None else self.controls.button
        labels = column(stretch(), name, waveform, self.line, stretch(), spacing=0 if waveform is None else 2)
        tile = _Tile(facts, parent=self) if play is None or facts.image else None
        parts = (tile, play, stretch(labels), self.remove_button, self.save_button)
        row(*parts, spacing=9, margins=(7, 5, 5, 5), on=self)
        tip = "\n\n".join(part for part in (f"{facts.name}\n{facts.line}", facts.tooltip) if part)
        for widget in (self, name, self.line):
            widget.setToolTip(plain_tooltip(tip))
        self.setAccessibleName(f"{facts.name}, {facts.spoken or facts.line}")
        self.setAccessibleDescription(facts.tooltip)
        if facts.can_open:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        """The chip and its controls, in the order of Tab."""
        sound = () if self.controls is None else (self.controls.button, self.controls.waveform)
        return tuple(
            stop for stop in (self, *sound, self.remove_button, self.save_button) if stop is not None
        )

    @Slot(str)
    def _show_position(self, text: str) -> None:
        """Show the position in the place of the duration."""
        sound = self.facts.sound
        if sound is not None:
            line = self.facts.line
            self.line.set_full_text(line.replace(clock_time(sound.seconds), text) if text else line)

    def sizeHint(self) -> QSize:
        return QSize(self._natural_width, self.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space open it, Delete removes it."""
        key = Qt.Key(event.key())
        if self.facts.can_open and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        elif self.remove_button is not None and key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_button.click()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open on a click that is released over the chip."""
        is_left = event.button() is Qt.MouseButton.LeftButton
        if self.facts.can_open and is_left and self.rect().contains(event.position().toPoint()):
            self.opened.emit()


def _width_of(facts: ChipFacts, *, has_button: bool) -> int:
    """Return the width in pixels for name and line, between a minimum and a maximum."""
    name = QFontMetrics(theme().ui_font(13)).horizontalAdvance(facts.name[:80])
    line = QFontMetrics(theme().ui_font(12)).horizontalAdvance(facts.line[:80])
    natural_width = max(name, line) + theme().scaled_up(_LABEL_MARGINS + (_BUTTON_WIDTH if has_button else 0))
    min_width = _MIN_WIDTH if facts.sound is None else theme().scaled(_MIN_SOUND_WIDTH)
    return max(min_width, min(theme().scaled(_MAX_WIDTH), natural_width))


class _Tile(QWidget):
    """The thumbnail of an image, or an icon."""

    def __init__(self, facts: ChipFacts, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._tint = facts.tone or "mute"
        self._icon = "circle-alert" if facts.tone == "danger" else facts.icon
        side = theme().scaled_up(_TILE)
        self._pixmap = square_thumbnail(facts.image, edge=side, ratio=self.devicePixelRatioF())
        self.setFixedSize(side, side)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), _RADIUS, _RADIUS)
        painter.setClipPath(shape)
        painter.fillRect(self.rect(), theme().colour("hover"))
        if self._pixmap is not None:
            painter.drawPixmap(self.rect(), self._pixmap)
        else:
            ratio = self.devicePixelRatio()
            offset = (self.width() - theme().scaled_up(_ICON)) // 2
            painter.drawPixmap(offset, offset, theme().pixmap(self._icon, self._tint, _ICON, ratio=ratio))
        painter.end()


def square_thumbnail(data: bytes | None, *, edge: int, ratio: float) -> QPixmap | None:
    """Return the middle of an image as a square of ``edge`` pixels; ``None`` where Qt cannot read it."""
    pixels = max(1, round(edge * ratio))
    square = QSize(pixels, pixels)
    # A JPEG is decoded at an eighth of its size at once where that is enough.
    image = _read(
        data or b"", lambda size: size.scaled(square, Qt.AspectRatioMode.KeepAspectRatioByExpanding)
    )
    if image.isNull():
        return None
    left, top = (image.width() - pixels) // 2, (image.height() - pixels) // 2
    return QPixmap.fromImage(image.copy(max(0, left), max(0, top), pixels, pixels))


def scaled_image(data: bytes, *, max_size: QSize) -> QPixmap | None:
    """Return an image scaled down to fit into ``max_size`` pixels; ``None`` where Qt cannot read it."""

    def fit(size: QSize) -> QSize:
        if size.width() <= max_size.width() and size.height() <= max_size.height():
            return size
        return size.scaled(max_size, Qt.AspectRatioMode.KeepAspectRatio)

    image = _read(data, fit)
    return None if image.isNull() else QPixmap.fromImage(image)


def _read(data: bytes, scaled: Callable[[QSize], QSize]) -> QImage:
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    if not reader.size().isEmpty():
        reader.setScaledSize(scaled(reader.size()))
    return reader.read()
