"""A conversation as PDF: numbered pages, nothing cut off, nothing fetched."""

from __future__ import annotations

import re
from io import BytesIO
from itertools import groupby
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from fakes.client import AppClient
from fakes.local_app import done
from fakes.raised import refuses
from fakes.sounds import sound
from fakes.stores import names
from fakes.transcripts import asked, damaged, said, transcript
from fireside.bridge.pdf.paging import pages
from fireside.bridge.pdf.pdf_file import PdfTarget, PrintLayout, paint_slice, write_pdf
from fireside.bridge.pdf.pieces import CODE as CODE_GROUND
from fireside.bridge.pdf.pieces import EDGE, INK, LINE, MUTE, USER, PicturePiece
from fireside.core.ids import ConversationId
from fireside.core.message import (
    DocumentPart,
    ImagePart,
    ReasoningPart,
    Role,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.transfer import ExportFormat, TransferProgressed
from fireside.services.transfer.export_text import printable_conversation
from fireside.storage.transcripts import TranscriptMessage
from fireside.ui.theme import Theme, ThemeChoice

pytestmark = pytest.mark.usefixtures("theme")

WIDTH, HEIGHT = 640, 900


WORDS = "Ein Absatz mit einigen Wörtern, der sich über mehrere Zeilen zieht. "
CODE = "\n".join(f"value_{n} = compute({n})  # line {n}" for n in range(90))
TABLE = "| Number | Square |\n|--:|---|\n" + "\n".join(f"| N{n} | S{n * n} |" for n in range(80))


def n_pages(path: Path) -> int:
    return len(PdfReader(path).pages)


def n_pictures(path: Path) -> int:
    return path.read_bytes().count(b"/Subtype /Image")


def texts(path: Path) -> list[str]:
    """Return what can be selected on each page, with one space between words."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]


def printed(*messages: TranscriptMessage, tmp_path: Path) -> Path:
    """Return the file that a conversation was written to."""
    path = tmp_path / "x.pdf"
    write_pdf(printable_conversation(transcript(*messages)), path)
    return path


def painted(*messages: TranscriptMessage, page: int = 0) -> QImage:
    """Return the picture of one page, laid out and painted as for a file."""
    layout = PrintLayout(width=WIDTH)
    pages_drawn = list(pages(layout.pieces(printable_conversation(transcript(*messages))), height=HEIGHT))
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    for part in pages_drawn[page]:
        paint_slice(painter, part, width=WIDTH)
    painter.end()
    return image


def page_code(path: Path) -> bytes:
    """Return the drawing commands of the first page."""
    contents = PdfReader(path).pages[0].get_contents()
    assert contents is not None
    return contents.get_data()


def colours(image: QImage, *, x: int) -> list[str]:
    """Return the colours of a column, each once where they follow each other."""
    column = [image.pixelColor(x, y).name() for y in range(image.height())]
    return [colour for colour, _ in groupby(column)]


def test_a_long_conversation_has_several_pages(tmp_path: Path) -> None:
    write_pdf(printable_conversation(transcript(said("A paragraph.\n\n" * 300))), tmp_path / "x.pdf")
    assert n_pages(tmp_path / "x.pdf") > 3
    assert names(tmp_path) == ["x.pdf"]


def test_a_long_line_of_code_is_wrapped_and_not_cut_off(tmp_path: Path) -> None:
    for length in (50, 20_000):
        code = " ".join(["word"] * (length // 5))
        write_pdf(
            printable_conversation(transcript(said(f"```python\n{code}\n```"))), tmp_path / f"{length}.pdf"
        )
    # One line that is not wrapped takes no more room than a short one.
    assert n_pages(tmp_path / "20000.pdf") > n_pages(tmp_path / "50.pdf")


def test_a_picture_is_on_the_page(tmp_path: Path) -> None:
    png = BytesIO()
    Image.new("RGB", (3000, 5000), (90, 120, 200)).save(png, "PNG")
    page = printable_conversation(
        transcript(said(ImagePart(data=png.getvalue(), media_type="image/png"), "Look", role=Role.USER))
    )
    write_pdf(page, tmp_path / "x.pdf")
    assert n_pictures(tmp_path / "x.pdf") > 0
    assert n_pages(tmp_path / "x.pdf") == 1


def test_a_sound_is_on_the_page_by_its_name_and_length(tmp_path: Path) -> None:
    page = printable_conversation(transcript(said(sound("memo.wav"), "Listen", role=Role.USER)))
    write_pdf(page, tmp_path / "x.pdf")
    text = " ".join(PdfReader(tmp_path / "x.pdf").pages[0].extract_text().split())
    assert "memo.wav" in text
    assert "0:07 · 1.2 MB" in text


def test_an_image_of_a_result_is_at_the_left() -> None:
    png = BytesIO()
    Image.new("RGB", (20, 10), (90, 120, 200)).save(png, "PNG")
    image = ImagePart(data=png.getvalue(), media_type="image/png")
    result = ToolResultPart(call_id="1", name="look", text="A roof", images=(image,))
    pieces = list(
        PrintLayout(width=WIDTH).pieces(
            printable_conversation(transcript(said(result), said(image, parent=0)))
        )
    )
    left, right = (piece for piece in pieces if isinstance(piece, PicturePiece))
    drawn = [QImage(WIDTH, 10, QImage.Format.Format_RGB32) for _ in range(2)]
    for piece, page in zip((left, right), drawn, strict=True):
        page.fill(Qt.GlobalColor.white)
        painter = QPainter(page)
        piece.paint(painter, top=0, bottom=10)
        painter.end()
    assert [page.pixelColor(10, 5) == Qt.GlobalColor.white for page in drawn] == [False, True]


def test_the_ink_is_dark_whatever_the_windows_colours_are(theme: Theme) -> None:
    theme.set_choice(ThemeChoice.DARK)
    image = painted(asked("HHHHHHHH"))
    assert any(INK in colours(image, x=x) for x in range(WIDTH - 80, WIDTH))


def test_every_word_can_be_selected_and_is_there_once(tmp_path: Path) -> None:
    words = [f"Wort{n:04}" for n in range(1_500)]
    paragraphs = [" ".join(words[n : n + 70]) for n in range(0, len(words), 70)]
    path = printed(asked("Frage"), said("\n\n".join(paragraphs), parent=0), tmp_path=tmp_path)
    assert n_pages(path) > 2
    text = " ".join(texts(path))
    assert re.findall(r"Wort\d{4}", text) == words
    assert text.count("Frage") == 1


def test_what_was_said_is_text_whatever_it_looks_like(tmp_path: Path) -> None:
    hostile = (
        '<script>alert(1)</script> <img src="http://evil.example/x.png"> ![z](http://evil.example/y.png)'
    )
    call = ToolCallPart(id="1", name=hostile, arguments=hostile)
    path = printed(
        asked(hostile), said(ReasoningPart(text=hostile), hostile, call, parent=0), tmp_path=tmp_path
    )
    assert n_pictures(path) == 0
    assert "".join(texts(path)).count("<script>alert(1)</script>") >= 4


def test_formulas_are_drawn_and_those_that_cannot_be_stay_as_they_were_written(tmp_path: Path) -> None:
    text = "With $x^2$ for $5 or $6:\n\n$$\\frac{a}{b}$$\n\n> and \\(y_1\\)\n\n$\\unknowncommand{x}$"
    (text,) = texts(printed(said(text), tmp_path=tmp_path))
    assert "for $5 or $6" in text
    assert "unknowncommand" in text
    assert not any(raw in text for raw in ("x^2", "frac", "y_1"))
    assert n_pictures(tmp_path / "x.pdf") == 0, "drawn as lines, sharp in any size"
    # Two lines, one above and one below the bar of the fraction.
    image = painted(said("$$\\frac{a}{b}$$"))
    rows = [y for y in range(HEIGHT) if image.pixelColor(WIDTH // 2, y).name() != "#ffffff"]
    assert len(rows) > 10


def test_the_signs_of_a_formula_are_as_thin_as_they_are_drawn(tmp_path: Path) -> None:
    """Qt fills an outline around each sign of a drawing whose lines have no width."""
    drawn = page_code(printed(said("$$x$$"), tmp_path=tmp_path))
    assert drawn.count(b"f\n") < 5


def test_footnotes_are_numbered_as_they_come(tmp_path: Path) -> None:
    text = "One[^note] two[^3].\n\n[^note]: The first text.\n[^3]: The second text."
    (text,) = texts(printed(said(text), tmp_path=tmp_path))
    assert "One1two2." in text.replace(" ", "")
    assert "1 The first text." in text
    assert "2 The second text." in text
    assert "note" not in text


def test_code_stands_on_one_ground_from_page_to_page(tmp_path: Path) -> None:
    code = said(f"```python\n{CODE}\n```")
    assert n_pages(printed(code, tmp_path=tmp_path)) > 1
    for page in (0, 1):
        image = painted(code, page=page)
        colours_at_edge = [
            colour for colour in colours(image, x=WIDTH - 14) if colour not in {LINE, "#ffffff"}
        ]
        grounds = {colour for colour in colours_at_edge if colour == CODE_GROUND}
        assert grounds == {CODE_GROUND}
        column = [image.pixelColor(WIDTH - 14, y).name() for y in range(HEIGHT)]
        inside = column[column.index(CODE_GROUND) : HEIGHT - column[::-1].index(CODE_GROUND)]
        assert "#ffffff" not in inside
    assert len(set(colours(painted(code), x=30))) > 6, "its words have colours"


@pytest.mark.parametrize("number", ["99.", "100.", "1986.", "123456789."])
def test_numbers_of_lists_are_within_the_page(number: str, tmp_path: Path) -> None:
    for text, edge in (("one", 0), ("واحد", WIDTH - 1)):
        narrow, wide = said(f"1. {text}"), said(f"{number} {text}\n\n{' ' * (len(number) + 1)}{text}")
        assert colours(painted(wide), x=edge) == colours(painted(narrow), x=edge)
    assert number in texts(printed(said(f"{number} one"), tmp_path=tmp_path))[0]


@pytest.mark.parametrize(
    ("source", "colour"),
    [
        ("> اقتباس", EDGE),
        ("> | أ | b |\n> |---|---|\n> | ت | x |", EDGE),
        ("| الاسم | x |\n|---|---|\n| أ | y |", MUTE),
    ],
)
def test_text_from_right_to_left_is_mirrored(source: str, colour: str) -> None:
    image = painted(said(source))
    assert any(colour in colours(image, x=x) for x in range(WIDTH - 6, WIDTH))


def test_a_table_has_lines_and_its_head_on_each_page(tmp_path: Path) -> None:
    path = printed(said(TABLE), tmp_path=tmp_path)
    assert n_pages(path) > 1
    for text in texts(path):
        assert text.count("Number") == 1
    everything = " ".join(texts(path))
    assert [everything.count(f"N{n} ") for n in range(80)] == [1] * 80
    lines = [colour for colour in colours(painted(said(TABLE)), x=WIDTH - 20) if colour != "#ffffff"]
    assert len(lines) > 20


def test_a_table_in_a_list_or_quotation_stands_within_it() -> None:
    table = ("| a | b |", "|---|---|", "| 1 | 2 |")
    quoted = painted(said("\n".join(f"> {line}" for line in table)))
    assert EDGE in colours(quoted, x=1)
    assert LINE not in colours(quoted, x=8)
    listed = painted(said("- x\n\n" + "\n".join(f"  {line}" for line in table)))
    assert LINE not in colours(listed, x=8)
    assert LINE in colours(listed, x=WIDTH - 20)


def test_a_wide_table_is_not_cut_off(tmp_path: Path) -> None:
    head = " | ".join(f"Column{n}" for n in range(14))
    cells = " | ".join(f"Cell{n}" for n in range(14))
    table = said(f"| {head} |\n|{'---|' * 14}\n| {cells} |")
    path = printed(table, tmp_path=tmp_path)
    assert "Cell13" in texts(path)[0]
    image = painted(table)
    assert any(image.pixelColor(x, y).name() != "#ffffff" for x in range(560, 639) for y in range(60, 200))
    assert {image.pixelColor(WIDTH - 1, y).name() for y in range(80, 90)} <= {"#ffffff", LINE}


def test_the_users_words_are_in_a_bubble_at_the_right() -> None:
    image = painted(asked("Hello there"))
    assert USER in colours(image, x=WIDTH - 20)
    assert USER not in colours(image, x=WIDTH // 2)


def test_a_document_is_shown_by_its_name(tmp_path: Path) -> None:
    document = DocumentPart(
        name="report.txt", media_type="text/plain", text="secret words " * 5_000, size_bytes=65_000
    )
    path = printed(said(document, "Sum it up", role=Role.USER), tmp_path=tmp_path)
    assert n_pages(path) == 1
    assert "report.txt" in texts(path)[0]
    assert "65 kB" in texts(path)[0]


def test_no_heading_stands_alone_at_the_foot_of_a_page(tmp_path: Path) -> None:
    for n_lines in range(34, 44):
        markdown = "\n\n".join(["Line."] * n_lines) + f"\n\n## The heading\n\n{WORDS * 6}"
        for page_text in texts(printed(said(markdown), tmp_path=tmp_path)):
            if "The heading" in page_text:
                assert "Ein Absatz" in page_text


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with refuses("export_unwritable"):
        write_pdf(printable_conversation(transcript(asked("x"))), tmp_path / "nowhere" / "x.pdf")
    with refuses("export_unwritable"):
        PdfTarget(tmp_path / "x.pdf", n_files=0)


def test_several_conversations_become_a_file_each_away_from_the_gui_thread(
    tmp_path: Path, client: AppClient
) -> None:
    for id_ in (1, 2):
        done(client.store.conversations.delete((ConversationId(id_),)))
        chat = transcript(asked("x"), damaged(parent=0), title=f"Chat {id_}", origin=f"test:{id_}")
        done(client.store.transcripts.add(chat))
    target = tmp_path / "all"
    report = client.result(client.transfer.export(None, form=ExportFormat.PDF, target=str(target)))
    assert names(target) == ["Chat 1.pdf", "Chat 2.pdf"]
    assert report.n_unreadable == 2
    assert client.seen[-2:] == [TransferProgressed(n_done=n, n_total=2) for n in (1, 2)]
