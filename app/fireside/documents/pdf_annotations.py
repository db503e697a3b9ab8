"""What was added to the pages of a PDF file: values of forms, text boxes, comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import pypdfium2
from pypdfium2 import raw

from fireside.documents.extracted_text import mark_hidden, strip_marks, tidy
from fireside.documents.pdf_page_text import Box, PageText, char_box

_MAX_ANNOTATIONS: Final = 5_000
"""Of a page."""
_MAX_STRING_BYTES: Final = 200_000
_MAX_LABEL: Final = 100
"""Characters; some forms have instructions in its place."""
_TOKEN: Final = re.compile(r"[^\s\ufffe]+")
_FIELD_NAME: Final = re.compile(r"(?:^|.*\.)([^.]*?)(?:\[\d+\])?$", re.DOTALL)
"""The last part of a name such as ``form1[0].page1[0].street[0]``."""
_UNNAMED: Final = frozenset(("", "yes", "on", "1", "true", "x"))
"""Values of a button that say no more than that it is chosen."""


class Insertion(NamedTuple):
    """A text that stands before ``text[at]`` of a page."""

    at: int
    text: str


class _Token(NamedTuple):
    start: int
    end: int
    box: Box


def insertions(
    document: pypdfium2.PdfDocument,
    page: pypdfium2.PdfPage,
    text_page: pypdfium2.PdfTextPage,
    text: PageText,
) -> list[Insertion]:
    """Return the texts of a page's form fields and comments, where readers see them, in order.

    A field's value has its label: ``[Street: Main St]``, ``[x] Married``, ``[ ] Single``. The forms of the
    document are initialized (``init_forms``).
    """
    found: list[tuple[int, float, float, str]] = []
    tokens: list[_Token] | None = None
    for annotation, content in _contents(document, page):
        if tokens is None:
            tokens = _tokens(text_page, text)
        box = _box_of(annotation)
        found.append((_place(box, tokens, text.text), -box.high, box.start, content))
    return [Insertion(at, content) for at, _, _, content in sorted(found)]


def with_insertions(text: str, inserted: list[Insertion]) -> str:
    """Return the text of a page with all insertions, each separated from the words around it."""
    out = ""
    done = 0
    for at, content in inserted:
        out += text[done:at]
        if out and not out[-1].isspace():
            out += " "
        out += content
        done = at
        if text[at : at + 1].strip():
            out += " "
    return out + text[done:]


def _contents(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage) -> Iterator[tuple[Any, str]]:
    """Yield each annotation that says something, open, with its text."""
    without_text = (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_FILEATTACHMENT)
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_WIDGET:
                content = _field_text(document, annotation) if document.formenv else ""
            elif kind in without_text:
                content = ""
            else:
                content = _comment(annotation, is_text_box=kind == raw.FPDF_ANNOT_FREETEXT)
            if content:
                flags = raw.FPDFAnnot_GetFlags(annotation)
                is_hidden = flags & (raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW)
                yield annotation, mark_hidden(content) if is_hidden else content
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def _comment(annotation: Any, *, is_text_box: bool) -> str:
    contents = _key(annotation, b"Contents")
    if not contents:
        return ""
    author = "" if is_text_box else _key(annotation, b"T")
    return f"[{author}: {contents}]" if author else f"[{contents}]"


def _field_text(document: pypdfium2.PdfDocument, annotation: Any) -> str:
    """Return the label and the value of a field; nothing for one without a value."""
    form = document.formenv
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        return _button_text(form, annotation)
    if kind not in (
        raw.FPDF_FORMFIELD_TEXTFIELD,
        raw.FPDF_FORMFIELD_COMBOBOX,
        raw.FPDF_FORMFIELD_LISTBOX,
    ):
        return ""
    if raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & raw.FPDF_FORMFLAG_TEXT_PASSWORD and (
        kind == raw.FPDF_FORMFIELD_TEXTFIELD
    ):
        return ""
    chosen = [
        _string(raw.FPDFAnnot_GetOptionLabel, form, annotation, option)
        for option in range(min(max(0, raw.FPDFAnnot_GetOptionCount(form, annotation)), _MAX_ANNOTATIONS))
        if raw.FPDFAnnot_IsOptionSelected(form, annotation, option)
    ]
    value = ", ".join(filter(None, chosen)) or _string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
    label = _label(form, annotation)
    return (f"[{label}: {value}]" if label else f"[{value}]") if value else ""


def _button_text(form: Any, annotation: Any) -> str:
    """Return ``[x]`` with what a chosen button stands for, ``[ ]`` with the name of one that is not."""
    if not raw.FPDFAnnot_IsChecked(form, annotation):
        return f"[ ] {_readable_name(form, annotation)}".rstrip()
    label = _label(form, annotation)
    choice = _string(raw.FPDFAnnot_GetFormFieldExportValue, form, annotation)
    if choice.casefold() in _UNNAMED or choice == label:
        choice = ""
    return f"[x] {': '.join(filter(None, (label, choice)))}".rstrip()


def _label(form: Any, annotation: Any) -> str:
    """Return the name of a field for its readers, or else the last part of its own."""
    if label := _readable_name(form, annotation):
        return label
    name = _FIELD_NAME.match(_string(raw.FPDFAnnot_GetFormFieldName, form, annotation))
    return name[1].strip() if name else ""


def _readable_name(form: Any, annotation: Any) -> str:
    name = _string(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
    return " ".join(name.split())[:_MAX_LABEL].rstrip(": ")


def _key(annotation: Any, key: bytes) -> str:
    return _string(raw.FPDFAnnot_GetStringValue, annotation, key)


def _string(get: Callable[..., int], *arguments: Any) -> str:
    """Return a string that pdfium writes into a buffer, as UTF-16."""
    n_bytes = get(*arguments, None, 0)
    if not 2 < n_bytes <= _MAX_STRING_BYTES:
        return ""
    buffer = (raw.FPDF_WCHAR * (n_bytes // 2 + 1))()
    get(*arguments, buffer, n_bytes)
    text = bytes(buffer)[: n_bytes - 2].decode("utf-16-le", errors="replace")
    return tidy(strip_marks(text)).strip()


def _box_of(annotation: Any) -> Box:
    rect = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, rect)
    return Box(
        min(rect.left, rect.right),
        max(rect.left, rect.right),
        min(rect.bottom, rect.top),
        max(rect.bottom, rect.top),
    )


def _tokens(text_page: pypdfium2.PdfTextPage, text: PageText) -> list[_Token]:
    tokens = []
    for match in _TOKEN.finditer(text.text):
        start, end = match.span()
        first, last = text.indices[start], text.indices[end - 1]
        if first < 0 or last < 0:
            continue
        left, right = char_box(text_page.raw, first), char_box(text_page.raw, last)
        box = Box(left.start, right.end, min(left.low, right.low), max(left.high, right.high))
        tokens.append(_Token(start, end, box))
    return tokens


def _place(box: Box, tokens: list[_Token], text: str) -> int:
    """Return where a text in a box stands among the words of a page: behind the nearest on its left, before
    the nearest on its right, or below the line above it."""
    beside = [token for token in tokens if _is_beside(box, token.box)]
    left = [token for token in beside if token.box.start <= box.start]
    if left:
        return max(left, key=lambda token: (token.box.end, token.box.high)).end
    if beside:
        return min(beside, key=lambda token: (token.box.start, -token.box.high)).start
    above = [token for token in tokens if token.box.low >= box.high - token.box.height / 2]
    if not above:
        return 0
    nearest = min(above, key=lambda token: (token.box.low - box.high, abs(token.box.start - box.start)))
    end = text.find("\n", nearest.end)
    return end if end >= 0 else len(text)


def _is_beside(box: Box, token: Box) -> bool:
    middle = (token.low + token.high) / 2
    return box.low <= middle <= box.high or token.low <= (box.low + box.high) / 2 <= token.high
