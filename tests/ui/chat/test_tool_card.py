"""Calls of tools in an answer: arguments, results, and the question whether one may run."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from msgspec.structs import replace
from PIL import Image
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from fakes.stored_messages import Messages
from fakes.visible_text import words_of
from fakes.widgets import child
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.elicitation import (
    Elicitation,
    ElicitationAction,
    ElicitationField,
    ElicitationReply,
    FieldKind,
)
from fireside.core.facts import FactScope
from fireside.core.generation import TextDelta
from fireside.core.message import ImagePart, TextPart, ToolCallPart, ToolResultPart
from fireside.core.tool_calls import ShownCall
from fireside.core.tools import AllowEdited, CallState, ConsentAnswer
from fireside.ui.chat.answer.answer import AnswerFooter, AnswerView
from fireside.ui.chat.answer.elicitation_sheet import ElicitationSheet
from fireside.ui.chat.answer.fold_head import FoldHead
from fireside.ui.chat.answer.inline_notices import NoteCard
from fireside.ui.chat.answer.links import LinkDialog
from fireside.ui.chat.answer.result_pictures import ResultPictures
from fireside.ui.chat.answer.tool_card import EditableText, ToolCard
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.chat.transcript.text_search import displayed_texts
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.widgets.check_box import CheckBox
from tools.screenshots.tool_states import asked_fact, asked_query, done_calls, waiting_call, with_parts

Show = Callable[[StoredMessage], AnswerView]


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    transcript = Transcript(open_url=lambda _url: None)
    qtbot.addWidget(transcript)
    transcript.resize(900, 700)
    transcript.show()
    qtbot.waitExposed(transcript)
    return transcript


@pytest.fixture
def show(transcript: Transcript, messages: Messages) -> Show:
    def show_answer(answer: StoredMessage) -> AnswerView:
        transcript.set_messages([messages.user("Go"), answer])
        view = transcript.live[1]
        assert isinstance(view, AnswerView)
        return view

    return show_answer


def cards(view: AnswerView) -> list[ToolCard]:
    return [card for card in view.findChildren(ToolCard) if not card.isHidden()]


def heads(view: AnswerView) -> list[str]:
    return [card.head.text() for card in cards(view)]


def buttons(card: ToolCard) -> dict[str, QPushButton]:
    return {stop.text(): stop for stop in card.tab_stops if isinstance(stop, QPushButton)}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ('{"city": "Bern", "nights": 3, "near": ["lake"]}', 'city: Bern · nights: 3 · near: ["lake"]'),
        ("{}", ""),
        ('{"city": "Ber', '{"city": "Ber'),
        ("[1, 2]", "[1, 2]"),
        ('{"city": "a\\u202eb"}', "city: a[U+202E]b"),
    ],
)
def test_a_folded_card_summarises_the_arguments(arguments: str, line: str) -> None:
    assert ShownCall(part=ToolCallPart(id="1", name="book", arguments=arguments)).summary == line


def test_a_folded_card_without_arguments_is_one_line(show: Show, messages: Messages) -> None:
    short, long = cards(show(done_calls(messages)))[-1], cards(show(done_calls(messages)))[1]
    assert short.height_for(600) < long.height_for(600)


def test_a_card_shows_tool_state_and_who_allowed_it(show: Show, messages: Messages) -> None:
    view = show(done_calls(messages))
    assert heads(view) == [
        "Calculator · 0.1 s · always allowed",
        "Search chats · 0.1 s · allowed in this chat",
        "Read file · Failed",
        "List folder · Denied",
    ]


def test_an_unfolded_card_shows_arguments_and_result(show: Show, messages: Messages) -> None:
    view = show(done_calls(messages))
    card = cards(view)[0]
    assert card.codes == []
    card.head.setFocus()
    QTest.keyClick(card.head, Qt.Key.Key_Return)
    arguments, result = card.codes
    assert '"expression": "round(1200 * 1.035 ** 7, 2)"' in arguments.source
    assert result.source == "1526.74"
    assert arguments.copy_button in view.tab_stops
    assert view.source_of(1) == arguments.source
    QTest.keyClick(card.head, Qt.Key.Key_Return)
    assert card.codes == []


def test_a_waiting_call_asks_without_taking_the_focus(
    transcript: Transcript, show: Show, messages: Messages, qtbot: QtBot
) -> None:
    answers: list[tuple[str, ConsentAnswer]] = []
    transcript.call_answered.connect(lambda _id, call, answer: answers.append((call, answer)))
    transcript.setFocus()
    before = QApplication.focusWidget()
    waits = waiting_call(messages)
    view = show(waits)
    assert QApplication.focusWidget() is before
    transcript.append_text(waits.id, TextDelta(text="", n_completion=42))
    assert child(view, AnswerFooter).label.text() == "Waiting for you"
    done, waiting = cards(view)
    assert heads(view)[1] == "Search files · Waiting for permission"
    assert "invoice november" in waiting.codes[0].source
    offered = buttons(waiting)
    assert [word for word in offered if "llow" in word or word == "Deny"] == [
        "Allow once",
        "Allow in this chat",
        "Always allow",
        "Deny",
    ]
    for button in offered.values():
        assert button in view.tab_stops
    offered["Allow in this chat"].setFocus()
    QTest.keyClick(offered["Allow in this chat"], Qt.Key.Key_Space)
    assert answers == [('search_files{"words": "invoice november"}', ConsentAnswer.CHAT)]
    assert "Allow once" not in buttons(done)


def test_a_risky_call_can_only_be_allowed_once(show: Show, messages: Messages) -> None:
    _, waiting = cards(show(waiting_call(messages, is_risky=True)))
    assert {"Allow once", "Deny"} <= set(buttons(waiting))
    assert not {"Allow in this chat", "Always allow"} & set(buttons(waiting))


def test_the_question_is_removed_when_answered(
    transcript: Transcript, show: Show, messages: Messages
) -> None:
    answer = waiting_call(messages)
    view = show(answer)
    done = done_calls(messages)
    transcript.replace_message(with_parts(answer, *done.message.parts))
    assert len(cards(view)) == len(done.message.tool_calls)
    assert all("Deny" not in buttons(card) for card in cards(view))


def test_a_call_interrupted_by_a_restart_asks_nothing(show: Show, messages: Messages) -> None:
    view = show(replace(waiting_call(messages), state=MessageState.INTERRUPTED))
    assert heads(view)[1] == "Search files · Interrupted"
    assert all("Deny" not in buttons(card) for card in cards(view))


def test_an_unknown_tool_has_its_own_name(show: Show, messages: Messages) -> None:
    call = ToolCallPart(id="1", name="get_weather", arguments="<b>{")
    view = show(with_parts(messages.answer(""), call))
    assert heads(view) == ["get_weather"]
    cards(view)[0].head.click()
    assert cards(view)[0].codes[0].source == "<b>{"


def test_arguments_hide_nothing(show: Show, messages: Messages) -> None:
    call = ToolCallPart(id="1", name="x", arguments='{"path": "a\u202etxt.exe\u200b"}')
    view = show(with_parts(messages.answer(""), call))
    cards(view)[0].head.click()
    assert "a[U+202E]txt.exe[U+200B]" in cards(view)[0].codes[0].source


def test_text_of_unfolded_cards_is_searched(transcript: Transcript, show: Show, messages: Messages) -> None:
    view = show(done_calls(messages))
    entry = transcript.entries[1]
    assert not any("1526.74" in text for text in displayed_texts(entry)[:-1])
    cards(view)[0].head.click()
    texts = displayed_texts(entry)
    assert len(texts) == len(view.text_views)
    assert texts[2] == "1526.74"
    assert [text_view.toPlainText() for text_view in view.text_views[1:3]] == list(texts[1:3])


def with_calls_between(messages: Messages) -> StoredMessage:
    """Return an answer with a call in its middle and another one at its end."""
    first = ToolCallPart(id="1", name="date_time", arguments="{}")
    last = ToolCallPart(id="2", name="calculator", arguments='{"expression": "6 * 7"}')
    return with_parts(
        messages.answer(""),
        TextPart(text="Let me see.\n\n- One\n- Two"),
        first,
        ToolResultPart(call_id="1", name="date_time", text="It is noon."),
        TextPart(text="\n\nIt is noon. Now the sum.\n"),
        last,
        ToolResultPart(call_id="2", name="calculator", text="42"),
    )


def test_a_card_is_between_the_texts_around_its_call(show: Show, messages: Messages) -> None:
    view = show(with_calls_between(messages))
    noon, sum_ = cards(view)
    texts = [text_view for text_view in view.text_views if "noon" in text_view.toPlainText()]
    before = [text_view for text_view in view.text_views if "Two" in text_view.toPlainText()]

    def top(widget: QWidget) -> int:
        return widget.mapTo(view, QPoint(0, 0)).y()

    assert top(before[0]) < top(noon) < top(texts[0]) < top(sum_)


def test_an_unfolded_card_is_read_searched_and_focused_in_text_order(
    transcript: Transcript, show: Show, messages: Messages
) -> None:
    view = show(with_calls_between(messages))
    for card in cards(view):
        card.head.click()
    read = [text_view.toPlainText() for text_view in view.text_views]
    expected = displayed_texts(transcript.entries[1])
    assert [text.split() for text in read] == [text.split() for text in expected]
    indexes = [
        next(i for i, text in enumerate(read) if text_part in text)
        for text_part in ("Two", "{}", "sum", "6 * 7")
    ]
    assert indexes == sorted(indexes)
    assert [view.source_of(index) for index in indexes][2] == "It is noon. Now the sum."
    stops = list(view.tab_stops)
    noon, sum_ = cards(view)
    assert stops.index(noon.head) < stops.index(noon.codes[0].copy_button) < stops.index(sum_.head)


def test_a_call_by_call_tool_is_shown_as_the_called_tool(show: Show, messages: Messages) -> None:
    call = ToolCallPart(
        id="1", name="call_tool", arguments='{"name": "read_file", "arguments": {"path": "a.txt"}}'
    )
    view = show(with_parts(messages.answer(""), call))
    assert heads(view) == ["Read file"]
    cards(view)[0].head.click()
    assert cards(view)[0].codes[0].source == '{\n  "path": "a.txt"\n}'


@pytest.mark.parametrize("arguments", ["{", '{"name": 1}', "[]", '{"arguments": {}}'])
def test_an_invalid_call_tool_call_is_shown_unchanged(show: Show, messages: Messages, arguments: str) -> None:
    call = ToolCallPart(id="1", name="call_tool", arguments=arguments)
    assert heads(show(with_parts(messages.answer(""), call))) == ["call_tool"]


def test_a_change_is_shown_as_a_diff_and_allowed_once(show: Show, messages: Messages) -> None:
    call = ToolCallPart(id="1", name="edit_file", arguments='{"path": "a", "old": "x", "new": "y"}')
    result = ToolResultPart(
        call_id="1", name="edit_file", text="", state=CallState.WAITING, preview="--- a\n+++ a\n-x\n+y\u202e"
    )
    (card,) = cards(show(with_parts(messages.running(), call, result)))
    assert card.codes[0].source == "--- a\n+++ a\n-x\n+y[U+202E]"
    assert any("make this change" in label.text() for label in card.findChildren(QLabel))
    assert {"Allow once", "Deny"} <= set(buttons(card))
    assert not {"Allow in this chat", "Always allow"} & set(buttons(card))


FORM = Elicitation(
    number=3,
    server="trips",
    message="Where\u202e to?",
    fields=(
        ElicitationField(name="city", label="City", is_required=True, minimum=2),
        ElicitationField(
            name="nights", label="Nights", kind=FieldKind.INTEGER, minimum=1, maximum=9, default=2
        ),
        ElicitationField(
            name="class", label="Class", kind=FieldKind.CHOICE, options=(("a", "First"), ("b", "Second"))
        ),
        ElicitationField(name="quiet", label="Quiet", kind=FieldKind.SWITCH, default=True),
        ElicitationField(
            name="meals", label="Meals", kind=FieldKind.CHOICES, options=(("l", "Lunch"), ("d", "Dinner"))
        ),
    ),
)
PAGE = Elicitation(
    number=4, server="trips", message="Sign.", url="https://trips.example.evil.example/x?id=" + "1" * 400
)


def call_asking(messages: Messages, elicitation: Elicitation | None, *, progress: str = "") -> StoredMessage:
    part = ToolCallPart(id="call_1", name="trips__book", arguments="{}")
    result = ToolResultPart(
        call_id="call_1",
        name=part.name,
        text="",
        state=CallState.RUNNING,
        asked=elicitation,
        progress=progress,
    )
    return with_parts(messages.running(), part, result)


def answers_to(transcript: Transcript) -> list[object]:
    heard: list[object] = []
    transcript.call_answered.connect(lambda _message, _call, answer: heard.append(answer))
    return heard


def test_a_card_says_that_its_result_was_truncated_for_the_model(show: Show, messages: Messages) -> None:
    part = ToolCallPart(id="call_1", name="read_file", arguments="{}")
    result = ToolResultPart(
        call_id="call_1", name=part.name, text="a" * 90, shown="a[88 left out]a", state=CallState.DONE
    )
    view = show(with_parts(messages.answer("Read."), part, result))
    assert heads(view) == ["Read file · truncated for the model"]


def test_a_card_shows_the_progress_of_its_call_in_place_of_the_footer(
    transcript: Transcript, show: Show, messages: Messages
) -> None:
    runs = call_asking(messages, None, progress="50% · halfway")
    view = show(runs)
    assert heads(view) == ["Book · trips · Running… · 50% · halfway"]
    transcript.append_text(runs.id, TextDelta(text="", n_completion=42))
    assert child(view, AnswerFooter).label.text() == ""


def test_a_server_asks_on_the_card_and_the_form_is_filled_in(
    transcript: Transcript, show: Show, messages: Messages
) -> None:
    heard = answers_to(transcript)
    card = cards(show(call_asking(messages, FORM)))[0]
    assert "Waiting for you" in card.head.text()
    question = card.findChild(NoteCard)
    assert isinstance(question, NoteCard)
    assert question.accessibleName() == "trips asks: Where[U+202E] to?"
    assert list(buttons(card))[-3:] == ["Answer…", "Decline", "Cancel"]
    buttons(card)["Answer…"].click()
    sheet = transcript.window().findChild(ElicitationSheet)
    assert isinstance(sheet, ElicitationSheet)
    sheet.accept_button.click()
    assert "needs a value" in sheet.status.text()
    city, nights = sheet.fields["city"].first, sheet.fields["nights"].first
    assert isinstance(city, QLineEdit)
    assert isinstance(nights, QLineEdit)
    QTest.keyClicks(city, "Bern")
    assert nights.text() == "2"
    for typed, problem in (("many", "not a number"), ("12", "at most 9")):
        nights.setText(typed)
        sheet.accept_button.click()
        assert problem in sheet.status.text()
    nights.setText("2")
    box = sheet.fields["meals"].first
    assert isinstance(box, CheckBox)
    box.setChecked(True)
    assert heard == []
    QTest.keyClick(city, Qt.Key.Key_Return)
    assert heard == [
        ElicitationReply(
            number=3,
            action=ElicitationAction.ACCEPT,
            content={"city": "Bern", "nights": 2, "quiet": True, "meals": ("l",)},
        )
    ]


def test_declining_and_cancelling_are_different_replies(
    transcript: Transcript, show: Show, messages: Messages
) -> None:
    heard = answers_to(transcript)
    card = cards(show(call_asking(messages, FORM)))[0]
    for label in ("Decline", "Cancel"):
        buttons(card)[label].click()
    assert [getattr(answer, "action", None) for answer in heard] == [
        ElicitationAction.DECLINE,
        ElicitationAction.CANCEL,
    ]


def test_a_url_is_shown_in_full_and_opened_only_by_a_click(qtbot: QtBot, messages: Messages) -> None:
    opened: list[str] = []
    transcript = Transcript(open_url=opened.append)
    qtbot.addWidget(transcript)
    transcript.resize(900, 700)
    transcript.show()
    qtbot.waitExposed(transcript)
    heard = answers_to(transcript)
    transcript.set_messages([messages.user("Go"), call_asking(messages, PAGE)])
    view = transcript.live[1]
    assert isinstance(view, AnswerView)
    (card,) = cards(view)
    question = card.findChild(NoteCard)
    assert isinstance(question, NoteCard)
    assert PAGE.url in question.accessibleName()
    assert "a page at trips.example.evil.example:" in question.accessibleName()
    assert (opened, heard) == ([], [])
    buttons(card)["Open…"].click()
    dialog = transcript.window().findChild(LinkDialog)
    assert isinstance(dialog, LinkDialog)
    assert (opened, heard) == ([], [])
    dialog.confirm.click()
    assert opened == [PAGE.url]
    assert heard == [ElicitationReply(number=4, action=ElicitationAction.ACCEPT)]


def test_a_query_is_shown_in_full_and_can_be_edited(
    transcript: Transcript, show: Show, messages: Messages
) -> None:
    answers = answers_to(transcript)
    query = "kettle " * 60
    view = show(asked_query(messages, query))
    (card,) = cards(view)
    field = card.findChild(EditableText)
    assert field is not None
    assert field.toPlainText() == query
    assert field.verticalScrollBar().maximum() == 0  # all of it is visible
    assert field in view.tab_stops
    assert "Allow in this chat" not in buttons(card)
    before = field.height()
    field.setPlainText("blue kettle")
    assert field.height() < before
    buttons(card)["Allow once"].click()
    assert answers == [AllowEdited(text="blue kettle")]


def test_the_buttons_of_a_fact_say_where_it_holds(
    transcript: Transcript, show: Show, messages: Messages
) -> None:
    answers = answers_to(transcript)
    (card,) = cards(show(asked_fact(messages, project="House")))
    asked = ["Remember in “House”", "Remember everywhere", "Remember in this chat", "Deny"]
    assert [label for label in buttons(card) if label in asked] == asked
    child(card, EditableText).setPlainText("Lives in Halle.")
    buttons(card)["Remember in this chat"].click()
    assert answers == [AllowEdited(text="Lives in Halle.", scope=FactScope.CHAT)]


def test_the_question_of_a_card_names_the_suspicion(show: Show, messages: Messages) -> None:
    (card,) = cards(show(asked_query(messages, "x", after_untrusted=True)))
    text = " ".join(label.text() for label in card.findChildren(QLabel))
    assert "Send this query to your search provider?" in text
    assert "Text by others in this chat may have suggested it." in text


def test_a_heading_is_elided_to_its_width(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    long, short = FoldHead(around), FoldHead(around)
    long.setText("Book · trips · Running… · 12 of 30 hotels")
    long.resize(long.sizeHint().width() // 2, 40)
    for n_left in range(len(long.text())):
        short.setText(f"{long.text()[:n_left].rstrip()}…")
        short.resize(long.size())
        if short.sizeHint().width() <= long.width() and short.grab().toImage() == long.grab().toImage():
            return
    pytest.fail("cut off without a sign of it")


def picture(width: int, height: int) -> ImagePart:
    png = BytesIO()
    Image.new("RGB", (width, height), "teal").save(png, "PNG")
    return ImagePart(data=png.getvalue(), media_type="image/png", name=f"shot {width}")


def test_images_of_a_result_are_shown_and_open(show: Show, messages: Messages, qtbot: QtBot) -> None:
    call = ToolCallPart(id="1", name="web__shot", arguments="{}")
    result = ToolResultPart(call_id="1", name="web__shot", text="[image]")
    (without,) = cards(show(with_parts(messages.answer(""), call, result)))
    height = without.height_for(600)
    images = (picture(40, 20), picture(4000, 2000), ImagePart(data=b"x", media_type="image/png", name="y"))
    view = show(with_parts(messages.answer(""), call, replace(result, images=images)))
    (card,) = cards(view)
    pictures = child(card, ResultPictures)
    small, large, unreadable = pictures.buttons
    assert card.height_for(600) > height + 150
    assert small.iconSize() == QSize(40, 20)
    assert large.iconSize().width() <= 320
    assert unreadable.text() == "No preview"
    assert large.accessibleName() == "Image 2 of 3, shot 4000"
    assert {small, large, unreadable} <= set(view.tab_stops)
    assert not small.geometry().intersects(large.geometry())
    card.head.click()
    assert child(card, ResultPictures) is pictures
    large.click()
    sheet = child(view.window(), AttachmentSheet)
    qtbot.waitExposed(sheet)
    assert "Image returned by the tool" in words_of(sheet)
    sheet.close()
