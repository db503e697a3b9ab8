"""PDF files with lines of text at known places, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

SIZE: Final = (420, 595)
"""Of a page, in points."""
LEFT: Final = 40
TOP: Final = 540
LINE: Final = 18
"""Between two lines, in points."""


def pdf_file(pages: Sequence[Sequence[str]], *, rotation: int = 0) -> bytes:
    """Return a file with these lines on its pages, in 12 points, turned by ``rotation`` degrees."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    kids = []
    for lines in pages:
        shown = b"".join(b"(%s) Tj T*\n" % _escaped(line) for line in lines)
        content = b"BT /F1 12 Tf %d TL %d %d Td\n%sET" % (LINE, LEFT, TOP, shown)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Rotate %d /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (*SIZE, rotation, len(objects))
        )
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (listed, len(kids))
    out = b"%PDF-1.7\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, table, len(objects) + 1, len(out))
    )


def pdf_with_content(content: str) -> bytes:
    """Return a file whose one page has this content, with the font ``F1``; its length is put right."""
    plain = pdf_file([()])
    old = plain[plain.index(b"BT") : plain.index(b"\nendstream")]
    made = plain.replace(old, content.encode())
    return made.replace(b"/Length %d" % len(old), b"/Length %d" % len(content))


def _escaped(line: str) -> bytes:
    encoded = line.encode("cp1252")
    return encoded.replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")
