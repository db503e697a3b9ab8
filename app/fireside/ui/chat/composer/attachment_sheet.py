"""The sheet that shows what the model is sent of an attached file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QScrollArea, QWidget

from fireside.core.attachment import clock_time
from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.message import (
    SAMPLE_RATE,
    AttachedPart,
    AudioPart,
    DocumentPart,
    ImagePart,
    VideoPart,
)
from fireside.ui.chat.composer.attachment_chip import scaled_image
from fireside.ui.chat.composer.attachment_text import kind_of
from fireside.ui.chat.composer.sound_controls import SoundControls
from fireside.ui.kit.fact_grid import FactGrid
from fireside.ui.kit.layout import Part, boxed, column, row, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import SPACE_M, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import Label

MAX_PREVIEW_CHARS: Final = 200_000
"""More would block the GUI thread while Qt lays it out."""
_FEW_CHARS: Final = 600
"""A text that a low sheet has room for."""
_MAX_LINE_CHARS: Final = 4_000
_MAX_PICTURE_SIZE: Final = QSize(1024, 768)
_MAX_FRAMES: Final = 16
"""More images of a video would take a moment to be drawn."""
_FRAME_SIZE: Final = QSize(190, 140)
_WAVEFORM_PX: Final = 96


class AttachmentSheet(Sheet):
    """Open it with ``open()``."""

    def __init__(
        self,
        part: AttachedPart,
        *,
        parent: QWidget,
        about: str = "",
        save: Callable[[ImagePart | AudioPart], object] | None = None,
    ) -> None:
        """``about`` says where it is from; by default, that it was sent. ``save`` asks where to save it."""
        is_sound = isinstance(part, AudioPart)
        is_long = not is_sound and not (isinstance(part, DocumentPart) and len(part.text) <= _FEW_CHARS)
        size = SheetSize.MEDIUM if is_sound else SheetSize.LARGE
        super().__init__(part.name or kind_of(part), parent=parent, size=size, fills=is_long)
        buttons: list[QWidget] = [self.make_close()]
        if save is not None and isinstance(part, ImagePart | AudioPart):
            buttons.insert(0, Button(tr("Save as…"), on_click=lambda: save(part)))
        self.set_content(*self._contents(part), about=about or _about(part), buttons=buttons)

    def _contents(self, part: AttachedPart) -> Sequence[Part]:
        match part:
            case ImagePart():
                return (stretch(_picture(part)),)
            case AudioPart():
                return (self._player(part, part.name), FactGrid(_facts(part, part)))
            case VideoPart():
                player = None if part.sound is None else self._player(part.sound, part.name)
                return (stretch(_frames(part)), player, FactGrid(_facts(part, part.sound)))
            case DocumentPart():
                return (stretch(_text(part.text)),)

    def _player(self, sound: AudioPart, name: str) -> QHBoxLayout:
        controls = SoundControls(sound, name=name, height=_WAVEFORM_PX, parent=self)
        time = Label(controls.position_text, role="mute")
        controls.moved.connect(time.setText)
        return row(controls.button, stretch(controls.waveform), time)


def _about(part: AttachedPart) -> str:
    match part:
        case ImagePart():
            return tr("Image sent to the model")
        case AudioPart():
            return tr("Audio sent to the model, as one channel at {rate} kHz").format(
                rate=number(SAMPLE_RATE / 1000)
            )
        case VideoPart():
            return tr(
                "Video sent to the model, as %n image|Video sent to the model, as %n images",
                "",
                len(part.frames),
            )
        case DocumentPart():
            return _about_text(part.text)


def _about_text(text: str) -> str:
    if not text:
        return tr("No text found; the model is told so.")
    if len(text) > MAX_PREVIEW_CHARS:
        return tr(
            "Text sent to the model, %n character (first {shown} shown)|Text sent to the model, "
            "%n characters (first {shown} shown)",
            "",
            len(text),
        ).format(shown=number(MAX_PREVIEW_CHARS))
    return tr("Text sent to the model")


def _facts(part: AudioPart | VideoPart, sound: AudioPart | None) -> Sequence[tuple[str, str]]:
    facts = [
        (tr("Duration"), clock_time(part.seconds)),
        (tr("Size"), format_bytes(part.size_bytes) if part.size_bytes else ""),
    ]
    if isinstance(part, VideoPart) and part.width:
        facts.append((tr("Resolution"), f"{part.width} × {part.height}"))
    if sound is not None and sound.sample_rate:
        rate = tr("{rate} kHz").format(rate=number(sound.sample_rate / 1000, decimals=1))
        facts += ((tr("Sample rate"), rate), (tr("Channels"), number(sound.n_channels)))
    return facts


def _frames(part: VideoPart) -> QWidget:
    """Return some of a video's images, evenly spaced, each over its time."""
    step = max(1, ceil(len(part.frames) / _MAX_FRAMES))
    frames = [
        boxed(column(_image(frame.data, max_size=_FRAME_SIZE), Label(clock_time(frame.at_s), role="mute")))
        for frame in part.frames[::step]
    ]
    return flow_row(*frames, spacing=SPACE_M)[0]


def _text(text: str) -> QPlainTextEdit:
    editor = QPlainTextEdit()
    editor.setReadOnly(True)
    editor.setAccessibleName(tr("Extracted text"))
    editor.setFont(theme().mono_font(12.5))
    editor.setTabChangesFocus(True)
    editor.setPlainText(preview_text(text))
    return editor


def preview_text(text: str) -> str:
    """Return as much of a text as can be laid out at once, with long lines wrapped."""
    lines = text[:MAX_PREVIEW_CHARS].split("\n")
    return "\n".join(
        "\n".join(line[at : at + _MAX_LINE_CHARS] for at in range(0, len(line), _MAX_LINE_CHARS))
        for line in lines
    )


def _picture(part: ImagePart) -> QWidget:
    picture = _image(part.data, max_size=_MAX_PICTURE_SIZE)
    picture.setAccessibleName(part.name or tr("Image"))
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setWidget(picture)
    return scroll


def _image(data: bytes, *, max_size: QSize) -> QLabel:
    pixmap = scaled_image(data, max_size=max_size)
    if pixmap is None:
        return Label(tr("No preview"), role="body")
    picture = QLabel()
    picture.setPixmap(pixmap)
    picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return picture
