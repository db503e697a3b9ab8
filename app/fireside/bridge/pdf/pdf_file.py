"""Write a conversation as PDF with numbered pages. Any thread."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPageLayout, QPageSize, QPainter, QPdfWriter

from fireside.bridge.pdf.paging import Slice, pages
from fireside.bridge.pdf.pieces import Printed
from fireside.bridge.pdf.print_layout import PrintLayout
from fireside.bridge.pdf.print_style import LABEL_PX, MUTE, text_font
from fireside.core.errors import FiresideError
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.transfer import FILE_ENDINGS, ExportFormat, PrintedPage
from fireside.files.atomic_replace import rename_over
from fireside.files.private_files import make_private_file
from fireside.services.transfer.conversation_export import (
    file_name,
    is_no_file,
    name_room,
    prepare_folder,
)

_DPI: Final = 96
_MARGIN_MM: Final = 18.0
_FOOT_PX: Final = 30.0
_MAX_PAGES: Final = 20_000


class PdfTarget:
    """The destination of an export: one file, or a folder with a file for each conversation."""

    def __init__(self, target: Path, *, n_files: int) -> None:
        """Create the folder if needed. Blocks. Raises ``export_unwritable``."""
        if n_files == 0:
            raise FiresideError.of(
                "export_unwritable", path=str(target), reason=tr_noop("there is no chat to export.")
            )
        self._target = target
        try:
            self._is_folder = n_files > 1 or target.is_dir()
            self._used_names = prepare_folder(target) if self._is_folder else set()
        except OSError as exc:
            raise FiresideError.of(
                "export_unwritable", path=str(target), reason=f"{render_os_error(exc)}."
            ) from exc

    def path_for(self, title: str) -> Path:
        """Return the path of the next conversation."""
        if not self._is_folder:
            return self._target
        ending, room = FILE_ENDINGS[ExportFormat.PDF], name_room(self._target)
        name = file_name(title, suffix=ending, used=self._used_names, room=room)
        return self._target / name


def write_pdf(page: PrintedPage, target: Path) -> None:
    """Write one conversation; the file gets its name once it is complete. A link is followed. Blocks.

    Raises:
        export_unwritable: the disk or its folder does not allow it, it is not a regular file, or it
            has too many pages.
    """
    if is_no_file(target):
        raise FiresideError.of(
            "export_unwritable", path=str(target), reason=tr_noop("it is not a regular file.")
        )
    target = Path(os.path.realpath(target))
    partial = target.with_name(f".{os.urandom(6).hex()}.part")
    try:
        make_private_file(partial)
        _paint(page, partial, target=target)
        rename_over(partial, target)
    except OSError as exc:
        raise FiresideError.of(
            "export_unwritable", path=str(target), reason=f"{render_os_error(exc)}."
        ) from exc
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


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
    layout = PrintLayout(width=width)
    # Laid out twice, first to count the pages, so that a long conversation is never in memory as a whole.
    n_pages = sum(1 for _ in pages(layout.pieces(page), height=height))
    if n_pages > _MAX_PAGES:
        raise FiresideError.of(
            "export_unwritable",
            path=str(target),
            reason=tr("it would have more than {most} pages.").format(most=number(_MAX_PAGES)),
        )
    painter = QPainter()
    if not painter.begin(writer):
        raise FiresideError.of(
            "export_unwritable", path=str(target), reason=tr_noop("the file cannot be written.")
        )
    size = QSizeF(width, height)
    try:
        for page_number, slices in enumerate(pages(layout.pieces(page), height=height), start=1):
            if page_number > 1 and not writer.newPage():
                raise FiresideError.of(
                    "export_unwritable", path=str(target), reason=tr_noop("the file cannot be written.")
                )
            for part in slices:
                paint_slice(painter, part, width=width)
            _paint_foot(painter, page.title, page_label=f"{page_number} / {n_pages}", size=size)
    finally:
        painter.end()


def paint_slice(painter: QPainter, part: Slice[Printed], *, width: float) -> None:
    """Paint a part of a piece at its position on a page ``width`` wide."""
    painter.save()
    painter.translate(0, part.y)
    if part.scale != 1:
        # Scaled down with the right edge in place.
        painter.translate(width * (1 - part.scale), 0)
        painter.scale(part.scale, part.scale)
    painter.translate(0, -part.top)
    painter.setClipRect(QRectF(-1, part.top, width + 2, part.bottom - part.top))
    part.piece.paint(painter, top=part.top, bottom=part.bottom)
    painter.restore()


def _paint_foot(painter: QPainter, title: str, *, page_label: str, size: QSizeF) -> None:
    foot = QRectF(0, size.height() + 8, size.width(), _FOOT_PX - 8)
    painter.save()
    painter.setFont(text_font(LABEL_PX))
    painter.setPen(QColor(MUTE))
    bottom = Qt.AlignmentFlag.AlignBottom
    name = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(size.width() * 0.75))
    painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | bottom | Qt.TextFlag.TextSingleLine, name)
    painter.drawText(foot, Qt.AlignmentFlag.AlignRight | bottom, page_label)
    painter.restore()
