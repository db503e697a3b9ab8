"""The sheet that shows what the model is sent of an attached file."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QScrollArea, QWidget

from fireside.core.i18n import number, tr
from fireside.core.message import AttachedPart, AudioPart, DocumentPart, ImagePart, VideoPart
from fireside.ui.chat.composer.attachment_chip import scaled_image
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import theme
from fireside.ui.widgets.text import Label

MAX_PREVIEW_CHARS: Final = 200_000
"""More would block the GUI thread while Qt lays it out."""
_FEW_CHARS: Final = 600
"""A text that a low sheet has room for."""
_MAX_LINE_CHARS: Final = 4_000
_MAX_PICTURE_SIZE: Final = QSize(1024, 768)


class AttachmentSheet(Sheet):
    """Open it with ``open()``."""

    def __init__(self, part: AttachedPart, *, parent: QWidget, about: str = "") -> None:
        """``about`` says where it is from; by default, that it was sent."""
        title = part.name or tr("Image")
        is_long = not isinstance(part, DocumentPart) or len(part.text) > _FEW_CHARS
        super().__init__(title, parent=parent, size=SheetSize.LARGE, fills=is_long)
        self.set_content(
            stretch(_content(part)),
            about=about or _about(part),
            buttons=(self.make_close(),),
        )


def _content(part: AttachedPart) -> QWidget:
    match part:
        case DocumentPart():
            return _text(part.text)
        case ImagePart():
            return _picture(part)
        case VideoPart(frames=(first, *_)):
            return _picture(ImagePart(data=first.data, media_type="image/jpeg", name=part.name))
        case _:
            return Label(tr("No preview"), role="body")


def _about(part: AttachedPart) -> str:
    match part:
        case ImagePart():
            return tr("Image sent to the model")
        case AudioPart():
            return tr("Sound sent to the model")
        case VideoPart():
            return tr("Video sent to the model, as images")
        case DocumentPart():
            return _about_text(part)


def _about_text(part: DocumentPart) -> str:
    if not part.text:
        return tr("No text found; the model is told so.")
    if len(part.text) > MAX_PREVIEW_CHARS:
        return tr(
            "Text sent to the model, %n character (first {shown} shown)|Text sent to the model, "
            "%n characters (first {shown} shown)",
            "",
            len(part.text),
        ).format(shown=number(MAX_PREVIEW_CHARS))
    return tr("Text sent to the model")


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
    pixmap = scaled_image(part.data, max_size=_MAX_PICTURE_SIZE)
    if pixmap is None:
        return Label(tr("No preview"), role="body")
    picture = QLabel()
    picture.setPixmap(pixmap)
    picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
    picture.setAccessibleName(part.name or tr("Image"))
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setWidget(picture)
    return scroll
