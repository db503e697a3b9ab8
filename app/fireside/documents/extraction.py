"""Read a file of any format; its content decides which. The name only tells Markdown from other text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fireside.core.i18n import Phrase, tr_noop
from fireside.documents.archive import Archive, open_archive
from fireside.documents.docx import BODY, read_docx
from fireside.documents.epub import CONTAINER, read_epub
from fireside.documents.extracted_text import (
    FileRefused,
    KeepReading,
    locate_marks,
    strip_marks,
    tidy,
    truncate,
)
from fireside.documents.html import is_html, read_html
from fireside.documents.mail import is_mail, read_mail
from fireside.documents.markdown import is_markdown, mark_markdown
from fireside.documents.media_signatures import N_BYTES, is_media, is_sound
from fireside.documents.messages import MAX_FILE_BYTES, MAX_MEDIA_BYTES, ReadReply, ReadRequest
from fireside.documents.notebook import read_notebook
from fireside.documents.odf import CONTENT, read_odf
from fireside.documents.picture import is_picture, read_picture
from fireside.documents.plain_text import decode
from fireside.documents.pptx import PRESENTATION, read_pptx
from fireside.documents.rtf import BEGINNING, read_rtf
from fireside.documents.xls import BEGINNINGS as OLD_WORKBOOKS
from fireside.documents.xls import read_xls
from fireside.documents.xlsx import WORKBOOK, read_xlsx

TOO_LARGE: Final = Phrase(tr_noop("it is larger than {n} MB."), {"n": MAX_FILE_BYTES // 10**6})
MEDIA_TOO_LARGE: Final = Phrase(tr_noop("it is larger than {n} MB."), {"n": MAX_MEDIA_BYTES // 10**6})
NO_DOCUMENT: Final = tr_noop("it is audio or a video. Add the file itself to have it transcribed.")
EMPTY: Final = tr_noop("it is empty.")
TOO_COMPLEX: Final = tr_noop("it is too complex to be read.")
TOO_MUCH_MEMORY: Final = tr_noop("reading it takes too much memory.")
_PDF: Final = b"%PDF-"
_SNIFF_BYTES: Final = 1024
_ARCHIVES: Final = (b"PK\x03\x04", b"PK\x05\x06")
_OFFICE_READERS: Final[dict[str, Callable[[Archive, str], ReadReply]]] = {
    "word": read_docx,
    "xl": read_xlsx,
    "ppt": read_pptx,
}
"""By the folder of the main part, whose name the archive's own relations tell."""
_READERS: Final[tuple[tuple[str, Callable[[Archive], ReadReply]], ...]] = (
    (BODY, read_docx),
    (WORKBOOK, read_xlsx),
    (PRESENTATION, read_pptx),
    (CONTAINER, read_epub),
    (CONTENT, read_odf),
)
"""Where they do not: by a part that only archives of the format have."""
_REFUSED: Final = (
    (b"GGUF", tr_noop("it is a model. Add it to your models instead.")),
    (b"\x7fELF", tr_noop("it is a program.")),
    (b"MZ\x90", tr_noop("it is a program.")),
)

_COMPOUND: Final = b"\xd0\xcf\x11\xe0"
"""The signature of OLE compound files: old Office documents, encrypted new ones, Outlook messages."""
_COMPOUND_REASONS: Final = (
    # By the name of a stream within; the last fits all.
    ("EncryptedPackage", tr_noop("it is protected by a password.")),
    ("__substg1.0_", tr_noop("it is a message in Outlook's own format. Save as EML or PDF and attach that.")),
    ("WordDocument", tr_noop("it is in an old format of Word. Save as DOCX or PDF and attach that.")),
    (
        "PowerPoint Document",
        tr_noop("it is in an old format of PowerPoint. Save as PPTX or PDF and attach that."),
    ),
    ("VisioDocument", tr_noop("it is a drawing of Visio. Save as PDF and attach that.")),
    ("", tr_noop("it is in an old Office format. Save as PDF and attach that.")),
)
_N_CERTAIN: Final = 2
"""How many of the reasons hold even with a workbook within; the streams of others may be within one."""
_WORKBOOK_STREAM: Final = "book"
"""``Workbook`` or ``Book``."""
_BINARY_WORKBOOK: Final = "xl/workbook.bin"


def read(request: ReadRequest, *, keep: KeepReading = lambda _so_far: None) -> ReadReply:
    """Return the content of a file, or a reply with a ``problem``. Never raises.

    ``keep`` is given a function that returns what was read so far, which does not raise either, where the
    file's format allows that.
    """
    return _finished(lambda: _extract(request, keep=lambda so_far: keep(lambda: _finished(so_far))))


def _finished(read_file: Callable[[], ReadReply]) -> ReadReply:
    try:
        return truncate(locate_marks(read_file()))
    except FileRefused as exc:
        return ReadReply(problem=exc.reason, needs_component=exc.needs_component)
    except RecursionError:
        return ReadReply(problem=TOO_COMPLEX)
    except MemoryError:
        return ReadReply(problem=TOO_MUCH_MEMORY)


def _extract(request: ReadRequest, *, keep: KeepReading) -> ReadReply:
    data, name = request.data, request.name
    if not data:
        raise FileRefused(EMPTY)
    if is_media(data[:N_BYTES]):
        return _read_media(request)
    if len(data) > MAX_FILE_BYTES:
        raise FileRefused(TOO_LARGE)
    for signature, reason in _REFUSED:
        if data.startswith(signature):
            raise FileRefused(reason)
    if data.startswith(_COMPOUND):
        return _read_compound(data)
    if data.startswith(OLD_WORKBOOKS) and (workbook := read_xls(data)):
        return workbook
    if is_picture(data):
        return read_picture(data)
    if data.startswith(_ARCHIVES):
        with open_archive(data) as archive:
            return _read_archive(archive)
    if _PDF in data[:_SNIFF_BYTES]:  # some bytes may precede it
        from fireside.documents.pdf import read_pdf  # native, only with the first such file

        return read_pdf(data, keep=keep)
    if data.startswith(BEGINNING):
        return read_rtf(data)
    if is_html(data):
        return read_html(data)
    if is_mail(data):
        return read_mail(data)
    if notebook := read_notebook(data):
        return notebook
    text, warnings = decode(data)
    text = tidy(strip_marks(text))
    if is_markdown(name):
        return ReadReply(media_type="text/markdown", text=mark_markdown(text), warnings=warnings)
    return ReadReply(media_type="text/plain", text=text, warnings=warnings)


def _read_media(request: ReadRequest) -> ReadReply:
    if not request.takes_media:
        raise FileRefused(NO_DOCUMENT)
    if len(request.data) > MAX_MEDIA_BYTES:
        raise FileRefused(MEDIA_TOO_LARGE)
    from fireside.documents.sound import read_sound  # native, only with the first such file
    from fireside.documents.video import read_video

    reader = read_sound if is_sound(request.data[:N_BYTES]) else read_video
    media = reader(request.data, name=request.name)
    return ReadReply(media_type=media.media_type, media=media)


def _read_compound(data: bytes) -> ReadReply:
    """Read an old workbook. Raises ``FileRefused`` with what each other file should be saved as."""
    names = data.lower()

    def has(stream: str) -> bool:
        return stream.lower().encode("utf-16-le") in names

    reasons = [each for each in _COMPOUND_REASONS if has(each[0])]
    may_be_workbook = reasons[0] not in _COMPOUND_REASONS[:_N_CERTAIN] and has(_WORKBOOK_STREAM)
    if may_be_workbook and (reply := read_xls(data)):
        return reply
    raise FileRefused(reasons[0][1])


def _read_archive(archive: Archive) -> ReadReply:
    for part in archive.related("", "officeDocument"):
        read_office = _OFFICE_READERS.get(part.partition("/")[0])
        if read_office is not None and part in archive and part.endswith(".xml"):
            return read_office(archive, part)
    for part, read_format in _READERS:
        if part in archive:
            return read_format(archive)
    if _BINARY_WORKBOOK in archive:
        raise FileRefused(tr_noop("it is a workbook in Excel's binary format. Save as XLSX and attach that."))
    raise FileRefused(tr_noop("it is an archive. Extract it and attach its files."))
