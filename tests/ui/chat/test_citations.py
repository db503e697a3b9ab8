"""Citations in answers: links in the text and sources under it, by mouse and keyboard."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from fakes.message_actions import record_actions
from fakes.passages import BELT, OIL, sent, with_passages
from fakes.stored_messages import TranscriptScene
from fireside.core.chat import MessageState
from fireside.core.collection import Citation, WholeReading
from fireside.core.generation import OutputKind, TextDelta
from fireside.core.message import PassagesPart
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.answer import AnswerView
from fireside.ui.chat.answer.sources import SourcesView, runs_text
from fireside.ui.chat.transcript.transcript import Transcript

ANSWER = "It needs oil every spring [1]. Noise comes from the belt [2], as [9] says."


def answer_of(transcript: Transcript) -> AnswerView:
    view = transcript.view_of(1)
    assert isinstance(view, AnswerView)
    return view


def sources_of(transcript: Transcript) -> SourcesView:
    sources = answer_of(transcript).findChild(SourcesView)
    assert isinstance(sources, SourcesView)
    return sources


@pytest.fixture
def cited(scene: TranscriptScene) -> Transcript:
    question = with_passages(scene.user("What does the pump need?"), sent())
    return scene.show([question, scene.answer(ANSWER)])


@pytest.fixture
def read(cited: Transcript) -> list[Citation]:
    """The passages whose links were clicked."""
    requested: list[Citation] = []

    def on_requested(number: int, part: PassagesPart, answer: str) -> None:
        assert answer == ANSWER
        requested.append(next(each for each in part.citations if each.number == number))

    cited.citation_requested.connect(on_requested)
    return requested


def position_of(transcript: Transcript, text: str) -> QPoint:
    """Return the global position of ``text`` in the answer."""
    text_view = answer_of(transcript).text_views[0]
    cursor = QTextCursor(text_view.document())
    cursor.setPosition(text_view.toPlainText().index(text) + 1)
    return text_view.viewport().mapToGlobal(text_view.cursorRect(cursor).center())


def click(transcript: Transcript, at: QPoint) -> None:
    area = transcript.viewport()
    QTest.mouseClick(area, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, area.mapFromGlobal(at))


def test_a_click_on_a_number_opens_its_passage(cited: Transcript, read: list[Citation]) -> None:
    click(cited, position_of(cited, "[2]"))
    assert [(citation.number, citation.passage.text) for citation in read] == [(2, BELT)]


def test_an_unknown_number_opens_nothing_and_is_reported(cited: Transcript, read: list[Citation]) -> None:
    click(cited, position_of(cited, "[9]"))
    assert read == []
    assert sources_of(cited).note.text() == "Unsupported: [9]"


def test_unknown_numbers_that_follow_each_other_are_reported_as_one_run() -> None:
    assert runs_text([4]) == "[4]"
    assert runs_text([4, 5, 8]) == "[4], [5], [8]"
    assert runs_text([3, 5, 6, 7, 176]) == "[3], [5]–[7], [176]"


def test_cited_passages_are_listed_and_a_click_shows_the_others(
    cited: Transcript, read: list[Citation]
) -> None:
    sources = sources_of(cited)
    assert [button.text() for button in sources.buttons] == [
        "[1] manual.pdf, page 3",
        "[2] manual.pdf, page 7",
    ]
    assert sources.more.text() == "1 more sent"
    before = answer_of(cited).height()
    sources.more.click()
    assert sources.buttons[-1].accessibleName() == "Source 3: prices.txt, lines 10–24"
    assert sources.more.isHidden()
    assert answer_of(cited).height() >= before
    sources.buttons[0].click()
    assert read[-1].passage.text == OIL


def test_a_place_is_listed_once_with_all_its_numbers(scene: TranscriptScene) -> None:
    part = sent()
    first, second, third = part.citations
    same = replace(second, passage=replace(second.passage, location=first.passage.location))
    question = with_passages(scene.user("What does it need?"), replace(part, citations=(first, same, third)))
    transcript = scene.show([question, scene.answer("Oil [1]. A belt [2]. It costs 12 [3].")])
    sources = sources_of(transcript)
    assert [button.text() for button in sources.buttons] == [
        "[1] [2] manual.pdf, page 3",
        "[3] prices.txt, lines 10–24",
    ]
    assert sources.buttons[0].accessibleName() == "Source 1, 2: manual.pdf, page 3"


def test_all_lines_of_sources_begin_at_the_same_place(scene: TranscriptScene) -> None:
    part = sent()
    citations = tuple(
        replace(
            part.citations[0],
            number=n,
            passage=replace(part.citations[0].passage, name=f"{'long' * 12}{n}.pdf"),
        )
        for n in range(1, 5)
    )
    question = with_passages(scene.user("What does it need?"), replace(part, citations=citations))
    sources = sources_of(scene.show([question, scene.answer("Oil [1] [2] [3] [4].")]))
    places = [button.mapTo(sources, QPoint(0, 0)) for button in sources.buttons]
    assert len({place.y() for place in places}) > 1
    first_line = min(place.y() for place in places)
    beginnings = {min(p.x() for p in places if p.y() == y) for y in {place.y() for place in places}}
    assert len(beginnings) == 1
    heading = sources.heading.mapTo(sources, QPoint(0, 0))
    assert heading.x() < min(beginnings)
    assert abs(heading.y() - first_line) < sources.buttons[0].height()


@pytest.mark.parametrize("width", [900, 420, 360, 300])
def test_all_lines_of_sources_have_space(scene: TranscriptScene, width: int) -> None:
    part = sent()
    citations = tuple(
        replace(
            part.citations[0], number=n, passage=replace(part.citations[0].passage, name=f"manual{n}.pdf")
        )
        for n in range(1, 8)
    )
    question = with_passages(scene.user("What does it need?"), replace(part, citations=citations))
    transcript = scene.show([])
    transcript.resize(width, 600)
    transcript.hide()
    transcript.set_messages([question, scene.answer("Oil [1] [2] [3] [4] [5].")])
    transcript.show()
    sources = sources_of(transcript)

    def lowest() -> int:
        return max(
            each.mapTo(sources, each.rect().bottomLeft()).y() for each in (*sources.buttons, sources.more)
        )

    scene.wait_until(lambda: sources.width() < width and lowest() < sources.height())
    sources.more.click()
    scene.wait_until(lambda: len(sources.buttons) == 7 and lowest() < sources.height())


def test_all_passages_can_be_read_where_none_is_cited(scene: TranscriptScene) -> None:
    question, answer = with_passages(scene.user("What does the pump need?"), sent()), scene.running()
    transcript = scene.show([question, answer])
    done = scene.answer("Oil, says [9].")
    transcript.replace_message(replace(done, id=answer.id, state=MessageState.COMPLETE))
    more = sources_of(transcript).more
    scene.wait_until(more.isVisible)
    around = more.parentWidget()
    assert around is not None
    assert more.text() == "Show 3 passages sent"
    assert more.height() >= more.sizeHint().height()
    assert around.height() > more.geometry().bottom()
    assert sources_of(transcript).note.y() > around.geometry().bottom()


def test_what_was_not_read_of_a_cited_file_is_said_once(scene: TranscriptScene) -> None:
    part = sent()
    citations = tuple(
        replace(each, passage=replace(each.passage, warnings=("Only a part was read.",), folder="de"))
        for each in part.citations
    )
    question = with_passages(scene.user("What does the pump need?"), replace(part, citations=citations))
    transcript = scene.show([question, scene.answer("Oil [1]. A belt [2].")])
    assert sources_of(transcript).note.text() == "de/manual.pdf: Only a part was read."
    assert sources_of(transcript).buttons[0].text() == "[1] de/manual.pdf, page 3"


def test_tab_reaches_the_sources(cited: Transcript) -> None:
    stops = answer_of(cited).tab_stops
    assert [stop for stop in stops if stop in sources_of(cited).buttons] == sources_of(cited).buttons


def test_an_answer_without_passages_has_no_links(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("Why?"), scene.answer("Because [1].")])
    assert answer_of(transcript).findChild(SourcesView) is None
    assert "<a " not in answer_of(transcript).text_views[0].document().toHtml().partition("<body")[2]


def test_passages_found_later_are_linked(scene: TranscriptScene) -> None:
    question, answer = scene.user("What does the pump need?"), scene.running()
    transcript = scene.show([question, answer])
    requested: list[int] = []
    transcript.citation_requested.connect(lambda number, *_: requested.append(number))
    transcript.replace_message(with_passages(question, sent()))
    transcript.append_text(
        answer.id, TextDelta(text="Oil, as the manual says [1].", kind=OutputKind.ANSWER, n_completion=9)
    )
    click(transcript, position_of(transcript, "[1]"))
    assert requested == [1]
    assert answer_of(transcript).findChild(SourcesView) is None, "they are named once all is written"
    done = scene.answer("Oil, as the manual says [1].")
    transcript.replace_message(replace(done, id=answer.id, state=MessageState.COMPLETE))
    assert [button.text() for button in sources_of(transcript).buttons] == ["[1] manual.pdf, page 3"]


def test_a_quotation_in_no_passage_is_reported(scene: TranscriptScene) -> None:
    question = with_passages(scene.user("What does the pump need?"), sent())
    text = 'It says "the pump needs oil every spring" [1] and "never ever use any thick oil" [1].'
    transcript = scene.show([question, scene.answer(text)])
    assert sources_of(transcript).note.text() == "1 quotation is not word for word"


def test_missing_passages_are_reported(scene: TranscriptScene) -> None:
    question = with_passages(scene.user("What?"), replace(sent(problem="The disk is full."), citations=()))
    transcript = scene.show([question, scene.answer("I do not know.")])
    assert sources_of(transcript).heading.text() == "No passages found for this question"
    assert sources_of(transcript).note.text() == "The disk is full."


def test_a_link_of_a_citation_is_not_copied(cited: Transcript, qtbot: QtBot) -> None:
    menu = cited.menu.build(position_of(cited, "[1]"))
    qtbot.addWidget(menu)
    assert "Copy link address" not in [action.text() for action in menu.actions()]


def steps_of(transcript: Transcript) -> dict[str, MessageAction]:
    """Return the steps under the sources, each with the action that it requests."""
    asked = record_actions(transcript)
    labels = [button.text() for button in sources_of(transcript).steps]
    for button in sources_of(transcript).steps:
        button.click()
    return dict(zip(labels, (action for _, action in asked), strict=True))


def with_reading(reading: WholeReading) -> PassagesPart:
    return replace(sent(), reading=reading)


def test_an_answer_from_some_passages_about_everything_offers_to_read_everything(
    scene: TranscriptScene,
) -> None:
    part = replace(sent(problem="Only the best passages were sent."), is_about_all=True)
    question = with_passages(scene.user("How many pumps are there?"), part)
    transcript = scene.show([question, scene.answer("Two [1].")])
    assert steps_of(transcript) == {"Read everything…": MessageAction.READ_ALL}
    assert sources_of(transcript).steps[0] in answer_of(transcript).tab_stops


@pytest.mark.parametrize(
    ("reading", "note", "steps"),
    [
        (WholeReading(n_chars=10, n_read=10, notes=("a [1]",), is_done=True), "", {}),
        (
            WholeReading(n_chars=10, n_read=4, n_passages=7, notes=("a [1]",)),
            "Only 7 passages read (40% of the text)",
            {
                "Continue reading": MessageAction.REGENERATE,
                "Answer from what was read": MessageAction.ANSWER_NOW,
            },
        ),
        (
            WholeReading(n_chars=10),
            "None of the documents was read",
            {"Continue reading": MessageAction.REGENERATE},
        ),
        (
            WholeReading(n_chars=10_000, n_read=40, n_passages=1),
            "Only 1 passage read (less than 1% of the text)",
            {"Continue reading": MessageAction.REGENERATE},
        ),
        (
            WholeReading(n_chars=10, n_read=4, n_passages=7, notes=("a [1]",), is_enough=True),
            "Only 7 passages read (40% of the text)",
            {"Read everything…": MessageAction.READ_ALL},
        ),
        (
            WholeReading(n_chars=10, notes=("a [1]",), is_done=True, is_condensed=True),
            "Notes were condensed to fit the context: details may be missing",
            {},
        ),
        (WholeReading(n_chars=10, is_done=True), "Nothing about this question was found", {}),
    ],
)
def test_the_extent_read_is_shown_with_the_possible_steps(
    scene: TranscriptScene, reading: WholeReading, note: str, steps: dict[str, MessageAction]
) -> None:
    question = with_passages(scene.user("How many pumps are there?"), with_reading(reading))
    transcript = scene.show([question, scene.answer("Two [1].")])
    assert sources_of(transcript).note.text() == note
    assert steps_of(transcript) == steps
    assert ("everything read" in sources_of(transcript).heading.text()) == reading.is_done
