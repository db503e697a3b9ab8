"""Write a conversation as PDF: laid out by Qt's rich text, with numbers on its pages. Any thread."""

from __future__ import annotations

import base64
import binascii
import contextlib
import os
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextDocument,
)

from fireside.core.errors import ExportUnwritable
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.transfer import FILE_ENDINGS, ExportFormat, PrintedPage
from fireside.files.atomic_replace import in_words, rename_over
from fireside.files.private_files import make_private_file
from fireside.services.transfer.conversation_export import file_name, names_in

_DPI: Final = 96
_MARGIN_MM: Final = 18.0
_FOOT_PX: Final = 30.0
_MOST_PAGES: Final = 20_000
_INK: Final = "#1c1c22"
_MUTE: Final = "#5d5d6b"


class PdfTarget:
    """Where PDFs go: one file, or a folder with a file for each."""

    def __init__(self, target: Path, *, n_files: int) -> None:
        """Make the folder if need be; blocks. Raises ``ExportUnwritable``."""
        if n_files == 0:
            raise ExportUnwritable(path=str(target), reason=tr_noop("there is no chat to export."))
        self._target = target
        try:
            self._is_folder = n_files > 1 or target.is_dir()
            self._taken = names_in(target) if self._is_folder else set()
        except OSError as exc:
            raise ExportUnwritable(path=str(target), reason=f"{in_words(exc)}.") from exc

    def path_for(self, title: str) -> Path:
        """Return where the next one goes."""
        if not self._is_folder:
            return self._target
        name = file_name(title, ending=FILE_ENDINGS[ExportFormat.PDF], taken=self._taken)
        return self._target / name


def write_pdf(page: PrintedPage, target: Path) -> None:
    """Write one conversation; the file takes its name once it is whole. Blocks.

    Raises:
        ExportUnwritable: the disk or its folder does not allow it, or it has too many pages.
    """
    partial = target.with_name(f".{os.urandom(6).hex()}.part")
    try:
        make_private_file(partial)
        _paint(page, partial, target=target)
        rename_over(partial, target)
    except OSError as exc:
        raise ExportUnwritable(path=str(target), reason=f"{in_words(exc)}.") from exc
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


class _Document(QTextDocument):
    """A document that loads nothing but the pictures in it, each as large as fits on a page."""

    def __init__(self, most: QSizeF) -> None:
        super().__init__()
        self._most = most

    def loadResource(self, _kind: int, name: QUrl | str) -> object:
        url = name.toString() if isinstance(name, QUrl) else name
        head, separator, data = url.partition(";base64,")
        if not separator or not head.startswith("data:image/"):
            return QImage()
        try:
            image = QImage.fromData(base64.b64decode(data, validate=True))
        except (binascii.Error, ValueError):
            return QImage()
        size = QSizeF(image.size())
        shown = size.scaled(self._most, Qt.AspectRatioMode.KeepAspectRatio)
        if shown.width() < size.width():
            # All of its points are kept, only nearer to each other.
            image.setDevicePixelRatio(size.width() / shown.width())
        return image


def _paint(page: PrintedPage, path: Path, *, target: Path) -> None:
    writer = QPdfWriter(str(path))
    writer.setResolution(_DPI)
    writer.setTitle(page.title)
    writer.setCreator("Fireside")
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4),
            QPageLayout.Orientation.Portrait,
            margins,
            QPageLayout.Unit.Millimeter,
        )
    )
    width, height = float(writer.width()), float(writer.height()) - _FOOT_PX
    document = _Document(QSizeF(width - 8, height - 40))
    # Without a parent it belongs to this thread, as all that it makes.
    document.setUndoRedoEnabled(False)
    document.setUseDesignMetrics(True)
    document.setDocumentMargin(0)
    document.setDefaultFont(QFont("Inter", 10))
    document.documentLayout().setPaintDevice(writer)
    document.setPageSize(QSizeF(width, height))
    document.setHtml(page.html)
    n_pages = document.pageCount()
    if n_pages > _MOST_PAGES:
        raise ExportUnwritable(
            path=str(target),
            reason=tr("it would have more than {most} pages.").format(most=number(_MOST_PAGES)),
        )
    painter = QPainter()
    if not painter.begin(writer):
        raise ExportUnwritable(path=str(target), reason=tr_noop("the file cannot be written."))
    try:
        for page_number in range(n_pages):
            if page_number and not writer.newPage():
                raise ExportUnwritable(path=str(target), reason=tr_noop("the file cannot be written."))
            _paint_page(painter, document, page_number=page_number, size=QSizeF(width, height))
            _paint_foot(
                painter, page.title, page_number=page_number, n_pages=n_pages, size=QSizeF(width, height)
            )
    finally:
        painter.end()


def _paint_page(painter: QPainter, document: QTextDocument, *, page_number: int, size: QSizeF) -> None:
    part = QRectF(0, page_number * size.height(), size.width(), size.height())
    context = QAbstractTextDocumentLayout.PaintContext()
    # Paper is white, whatever the window's colours are.
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Text, QColor(_INK))
    context.palette = palette
    context.clip = part
    painter.save()
    painter.translate(0, -part.top())
    painter.setClipRect(part)
    document.documentLayout().draw(painter, context)
    painter.restore()


def _paint_foot(painter: QPainter, title: str, *, page_number: int, n_pages: int, size: QSizeF) -> None:
    foot = QRectF(0, size.height() + 8, size.width(), _FOOT_PX - 8)
    painter.save()
    font = QFont("Inter", 8)
    painter.setFont(font)
    painter.setPen(QColor(_MUTE))
    bottom = Qt.AlignmentFlag.AlignBottom
    name = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(size.width() * 0.75))
    painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | bottom | Qt.TextFlag.TextSingleLine, name)
    painter.drawText(foot, Qt.AlignmentFlag.AlignRight | bottom, f"{page_number + 1} / {n_pages}")
    painter.restore()
