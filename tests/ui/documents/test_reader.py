"""The reader: PDF files as rendered pages, other files as text; a part of a text is marked as a part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.passages import sent
from fakes.pdf_files import pdf_file
from fakes.window import window_context
from fireside.core.citations import cited_sentences
from fireside.core.collection import Citation, PageLocation, Passage
from fireside.ui.documents.reader import MarkedPassage, Reader, cited_passages
from fireside.ui.tasks import TaskRunner

PAGES = [
    ["The first page is about roofs."],
    ["The pump needs oil every spring.", "Use the thin one: 0.3 litres are enough."],
    ["The last page is about fences."],
]


class ReaderWindow:
    """A window whose reader is opened at what a search finds."""

    def __init__(self, client: AppClient, *, folder: Path, tasks: TaskRunner) -> None:
        self.client = client
        self.folder = folder
        self.window = QWidget()
        self.window.resize(900, 800)
        self.window.show()
        self._context = window_context(client, tasks=tasks, window=self.window)

    def find(self, query: str) -> Passage:
        collection = self.client.result(
            self.client.collections.create(name="House", roots=[str(self.folder)])
        )

        def is_read() -> bool:
            state = self.client.result(self.client.collections.state(collection.id))
            return bool(state.n_files) and not state.n_waiting

        self.client.wait_until(is_read)
        return self.client.result(
            self.client.collections.search(query, collection_ids=[collection.id])
        ).passages[0]

    def open(self, *passages: Passage, cited: str = "") -> Reader:
        reader = Reader(self._context, parent=self.window)
        reader.resize(500, 700)
        reader.show_passages(
            [
                MarkedPassage(each, cited_sentences(cited, Citation(number=n, passage=each)), n)
                for n, each in enumerate(passages, start=1)
            ]
        )
        reader.show()
        return reader

    def read(self, *passages: Passage, cited: str = "") -> Reader:
        reader = self.open(*passages, cited=cited)
        self.client.wait_until(lambda: bool(reader.text.toPlainText()))
        return reader

    def pages(self, query: str) -> Reader:
        reader = self.read(self.find(query))
        self.client.wait_until(reader.pages.isVisible)
        return reader


@pytest.fixture
def reader_window(
    qtbot: QtBot, client: AppClient, tmp_path: Path, tasks: TaskRunner
) -> Iterator[ReaderWindow]:
    folder = tmp_path / "House"
    folder.mkdir()
    window = ReaderWindow(client, folder=folder, tasks=tasks)
    qtbot.waitExposed(window.window)
    yield window
    shiboken6.delete(window.window)


def test_a_pdf_file_is_shown_as_its_page_with_the_passage_marked(reader_window: ReaderWindow) -> None:
    (reader_window.folder / "manual.pdf").write_bytes(pdf_file(PAGES))
    reader = reader_window.pages("oil every spring")
    pages = reader.pages
    assert reader.position.text() == "[1]"
    assert pages.position.text() == "Page 2 of 3"
    assert reader.place.text() == "", "the page tells its number itself"
    assert pages._canvas.highlight is not None
    assert pages._canvas.highlight.height() > 5
    assert "0.3 litres" in pages._area.accessibleDescription()
    assert pages._area.accessibleName() == "Page 2 of 3"


def test_the_cited_sentence_is_marked_on_its_page(reader_window: ReaderWindow) -> None:
    (reader_window.folder / "manual.pdf").write_bytes(pdf_file(PAGES))
    reader = reader_window.read(reader_window.find("oil every spring"), cited="It takes 0.3 litres [1].")
    reader_window.client.wait_until(reader.pages.isVisible)
    page = reader.pages._canvas._page
    assert page is not None
    (line,) = page.sentence_boxes
    assert line == page.boxes[1]
    highlight = reader.pages._canvas.highlight
    assert highlight is not None
    assert highlight.top() > line.top * reader.pages._canvas.height() - 5


def test_the_cited_sentence_is_marked_in_the_text(reader_window: ReaderWindow) -> None:
    text = "The roof is green. The pump needs oil every spring. The fence 🙂 is old. Use 0.3 litres of oil."
    (reader_window.folder / "notes.txt").write_text(text)
    passage = reader_window.find("oil every spring")
    reader = reader_window.read(passage, cited="The pump is oiled in spring [1]. It takes 0.3 litres [1].")
    assert reader.text.marked == ("The pump needs oil every spring.", "Use 0.3 litres of oil.")
    assert reader.text.textCursor().position() == text.index("The pump")


def test_the_cited_sentence_is_marked_in_markdown_as_it_is_shown(reader_window: ReaderWindow) -> None:
    lines = [f"Paragraph {n} is about **roof {n}** and nothing else.\n" for n in range(60)]
    pump = "1. The `pump` needs [oil](https://example.org/oil) every **spring**.\n2. 🙂 A belt rattles.\n"
    (reader_window.folder / "care.md").write_text("\n".join(["# Care", *lines, "## Pump", "", pump, *lines]))
    reader = reader_window.read(reader_window.find("pump oil spring"), cited="Oil it every spring [1].")
    assert "**" not in reader.text.toPlainText()
    assert "The pump needs oil every spring." in "".join(reader.text.marked)
    assert "Paragraph" not in "".join(reader.text.marked)
    reader_window.client.wait_until(lambda: reader.text.verticalScrollBar().value() > 0)
    top = reader.text.cursorRect(reader.text.textCursor()).top()
    assert 0 < top < reader.text.viewport().height() / 2


def test_marks_stay_in_view_until_the_user_scrolls(reader_window: ReaderWindow) -> None:
    lines = [f"Line {n} of the log says that nothing happened here at all." for n in range(300)]
    lines[150] = "Here the zeppelin landed."
    (reader_window.folder / "log.txt").write_text("\n".join(lines))
    reader = reader_window.read(reader_window.find("zeppelin"), cited="A zeppelin landed [1].")
    for width in (360, 700):
        reader.resize(width, 700)
        reader_window.client.wait_until(
            lambda: 0 < reader.text.cursorRect(reader.text.textCursor()).top() < 400
        )
    reader.text.verticalScrollBar().triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
    reader.resize(360, 700)
    assert reader.text.verticalScrollBar().value() == 0


def test_one_steps_through_the_passages(reader_window: ReaderWindow) -> None:
    (reader_window.folder / "manual.pdf").write_bytes(pdf_file(PAGES))
    (reader_window.folder / "notes.txt").write_text("The roof is green.")
    pump, fence, roof = map(reader_window.find, ("oil every spring", "fences", "roof is green"))
    reader = reader_window.read(pump, fence, roof)
    wait = reader_window.client.wait_until
    wait(lambda: reader.pages.position.text() == "Page 2 of 3")
    assert reader.position.text() == "[1] · 1 of 3"
    assert not reader.previous.isEnabled()
    reader.next.click()
    wait(lambda: reader.pages.position.text() == "Page 3 of 3")
    reader.next.click()
    wait(reader.text.isVisible)
    wait(lambda: reader.text.toPlainText() == "The roof is green.")
    assert reader.name.text() == "notes.txt"
    assert not reader.next.isEnabled()
    assert reader.as_text.isHidden()
    reader.previous.click()
    wait(reader.pages.isVisible)
    assert reader.position.text() == "[2] · 2 of 3"


def test_what_an_answer_cites_is_stepped_through_and_what_was_opened(reader_window: ReaderWindow) -> None:
    passages, index = cited_passages(sent(), "Oil each spring [1].", opened=3)
    assert [each.number for each in passages] == [1, 3]
    assert index == 1
    assert passages[0].sentences == ((0, 32),)


def test_of_a_passage_over_two_pages_the_page_with_the_sentence_is_shown(reader_window: ReaderWindow) -> None:
    (reader_window.folder / "manual.pdf").write_bytes(pdf_file(PAGES))
    pump = reader_window.find("oil every spring")
    text = f"{pump.text} The last page is about fences."
    both = replace(pump, text=text, location=PageLocation(page=2, last=3))
    reader = reader_window.read(both, cited="It is about fences [1].")
    reader_window.client.wait_until(lambda: reader.pages.position.text() == "Page 3 of 3")
    assert reader.pages._canvas.highlight is not None


def test_pages_are_turned_and_enlarged_by_button_and_key(reader_window: ReaderWindow) -> None:
    (reader_window.folder / "manual.pdf").write_bytes(pdf_file(PAGES))
    reader = reader_window.pages("oil every spring")
    pages, wait = reader.pages, reader_window.client.wait_until
    pages.forward.click()
    wait(lambda: pages.position.text() == "Page 3 of 3")
    assert pages._canvas.highlight is None
    assert not pages.forward.isEnabled()
    QTest.keyClick(pages._area, Qt.Key.Key_Left)
    wait(lambda: pages.position.text() == "Page 2 of 3")
    pages.back.click()
    wait(lambda: pages.position.text() == "Page 1 of 3")
    before = pages._canvas.width()
    QTest.keyClick(pages._area, Qt.Key.Key_Plus)
    assert pages._canvas.width() == pytest.approx(1.25 * before, abs=2)
    assert pages.percent.text() == "125%"
    pages.smaller.click()
    QTest.keyClick(pages._area, Qt.Key.Key_0)
    assert pages.percent.text() == "100%"
    QTest.keyClick(pages._area, Qt.Key.Key_End)
    QTest.keyClick(pages._area, Qt.Key.Key_PageDown)
    wait(lambda: pages.position.text() == "Page 2 of 3")


def test_the_text_stays_reachable(reader_window: ReaderWindow) -> None:
    (reader_window.folder / "manual.pdf").write_bytes(pdf_file(PAGES))
    reader = reader_window.pages("oil every spring")
    reader.as_text.click()
    assert reader.text.isVisible()
    assert "0.3 litres" in reader.text.toPlainText()
    assert reader.as_text.accessibleName() == "Show pages"
    reader.as_text.click()
    assert reader.pages.isVisible()


def test_a_pdf_file_that_changed_is_shown_as_the_text_that_was_read(reader_window: ReaderWindow) -> None:
    path = reader_window.folder / "manual.pdf"
    path.write_bytes(pdf_file(PAGES))
    passage = reader_window.find("oil every spring")
    path.write_bytes(pdf_file(PAGES[:1]))
    reader = reader_window.read(passage)
    assert "was changed" in reader.note.text()
    assert reader.open_file.isEnabled()
    assert reader.as_text.isHidden()
    assert reader.text.isVisible()


def test_a_file_that_is_gone_is_not_offered_to_be_opened(reader_window: ReaderWindow) -> None:
    path = reader_window.folder / "notes.md"
    path.write_text("The pump needs oil every spring.")
    passage = reader_window.find("oil every spring")
    path.unlink()
    reader = reader_window.read(passage)
    assert "moved or deleted" in reader.note.text()
    assert "oil every spring" in reader.text.toPlainText()
    assert not reader.open_file.isEnabled()
    assert reader.reveal.isEnabled()


def test_a_part_of_a_long_text_is_said_and_more_is_shown(reader_window: ReaderWindow) -> None:
    lines = [f"Line {n} of the log says that nothing happened." for n in range(3000)]
    lines[1500] = "Here the zeppelin landed."
    (reader_window.folder / "log.txt").write_text("\n".join(lines))
    reader = reader_window.read(reader_window.find("zeppelin"))
    assert reader.more.isVisible()
    shown, _, rest = reader.extent.text().partition(" of ")
    n_all = len("\n".join(lines))
    assert rest == f"{n_all:,} characters"
    assert 15_000 < int(shown.replace(",", "")) < 30_000
    reader.more.click()
    reader_window.client.wait_until(lambda: len(reader.text.toPlainText()) > 80_000)
    reader.more.click()
    reader_window.client.wait_until(lambda: not reader.more.isVisible())
    assert len(reader.text.toPlainText()) == n_all
    (mark,) = reader.text.marked
    assert "zeppelin" in mark


def test_text_that_a_model_read_on_an_image_is_marked_as_such(reader_window: ReaderWindow) -> None:
    (reader_window.folder / "note.md").write_text("The pump needs oil every spring.\n")
    reader = reader_window.read(replace(reader_window.find("pump oil"), read_by="Eyes"))
    assert reader.note.text() == "Eyes read this text on an image. It may have errors."


def test_a_reader_that_is_closed_ends_its_request(reader_window: ReaderWindow, tasks: TaskRunner) -> None:
    (reader_window.folder / "notes.txt").write_text("The roof is green.")
    passage = reader_window.find("roof")
    reader_window.client.hold("collections.text_around")
    reader = reader_window.open(passage)
    assert tasks.n_running == 1
    reader.close_button.click()
    reader_window.client.wait_until(lambda: tasks.n_running == 0)
