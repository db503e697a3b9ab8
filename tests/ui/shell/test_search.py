"""Search in the sidebar: while typing, with filters, opening a message, by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.german import compiled_german, speaking_german
from fakes.model_entries import STARTER_ID
from fireside.core.errors import RecordNotFound, StorageDamaged
from fireside.core.events import SearchIndexed
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import Role
from fireside.core.search import ConversationMatch, SearchHit, SearchQuery, SearchResult, Snippet
from fireside.ui.search.pane import Age, ChatRow, HitRow, MoreRow, SearchPane, hit_count_text, row_text
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.theme import Theme, ThemeChoice

ShowWindow = Callable[..., MainWindow]
NOON = datetime(2026, 11, 21, 12, 0).astimezone()


def chats(client: AppClient) -> list[ConversationId]:
    """Store two chats; a search matches the messages of the first and the title of the second."""
    ids = [client.add_conversation(title, turns=("Q", "A") * 40) for title in ("Bread", "Rope")]
    first, second = (client.summaries[id_] for id_ in ids)
    hits = tuple(hit(client.messages[ids[0]][n].id) for n in (3, 70))
    result = SearchResult(
        matches=(
            ConversationMatch(summary=first, hits=hits, n_hits=5),
            ConversationMatch(summary=second, title_marks=((0, 4),)),
        ),
        n_hits=5,
    )
    client.reply("folders.search", result)
    return ids


def hit(message_id: int, text: str = "the bread", role: Role = Role.ASSISTANT) -> SearchHit:
    snippet = Snippet(text=text, marks=((4, 9),))
    return SearchHit(message_id=MessageId(message_id), role=role, created_at=0.0, snippet=snippet)


def type_query(qtbot: QtBot, window: MainWindow, text: str) -> None:
    window.sidebar.focus_search()
    QTest.keyClicks(window.sidebar.filter, text)


def rows(window: MainWindow) -> list[str]:
    return [row_text(row) for row in window.sidebar.search.model.items]


def queries_of(client: AppClient) -> list[SearchQuery]:
    return [query for (query,) in client.called("folders.search") if isinstance(query, SearchQuery)]


def test_results_are_shown_while_typing(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    chats(client)
    window = show_window()
    type_query(qtbot, window, "bread")
    settled()
    assert queries_of(client)[-1].text == "bread"
    assert rows(window) == [
        "Bread, found in 5 messages",
        "Answer: the bread",
        "Answer: the bread",
        "and 3 more messages",
        "Rope",
    ]
    assert window.sidebar.search.count.text() == "5 messages in 2 chats"
    assert window.sidebar.search.isVisible()


def test_while_a_search_runs_only_the_last_query_is_queued(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    chats(client)
    window = show_window()
    client.hold("folders.search")
    type_query(qtbot, window, "b")
    qtbot.waitUntil(lambda: len(queries_of(client)) == 1)
    type_query(qtbot, window, "bread and butter")
    client.release("folders.search")
    settled()
    assert [query.text for query in queries_of(client)] == ["b", "bread and butter"]


def test_enter_opens_the_best_message(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    bread, _rope = chats(client)
    window = show_window()
    type_query(qtbot, window, "bread")
    QTest.keyClick(window.sidebar.filter, Qt.Key.Key_Return)
    settled()
    assert window.chat.conversation_id == bread
    message = client.messages[bread][3].id
    assert client.called("folders.show_branch") == [(message,)]
    transcript = window.chat.transcript
    qtbot.waitUntil(lambda: transcript.column.index_at(40) == 3)
    assert transcript.finder.is_active, "the words are marked there"
    assert window.sidebar.filter.hasFocus(), "one may go on looking"


def test_enter_before_the_results_opens_the_best_of_them(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    bread, _rope = chats(client)
    window = show_window()
    client.hold("folders.search")
    type_query(qtbot, window, "bread")
    QTest.keyClick(window.sidebar.filter, Qt.Key.Key_Return)
    assert window.chat.conversation_id is None
    client.release("folders.search")
    settled()
    qtbot.waitUntil(lambda: window.chat.conversation_id == bread)


def test_in_the_open_chat_the_next_hit_is_scrolled_to(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    bread, _rope = chats(client)
    window = show_window()
    type_query(qtbot, window, "bread")
    settled()
    results = window.sidebar.search.list
    QTest.keyClick(window.sidebar.filter, Qt.Key.Key_Down)
    assert results.hasFocus()
    for n in (3, 70):
        QTest.keyClick(results, Qt.Key.Key_Down)
        QTest.keyClick(results, Qt.Key.Key_Return)
        settled()
        top = window.chat.transcript.column.index_at(0)
        bottom = window.chat.transcript.column.index_at(window.chat.transcript.viewport().height())
        assert top <= n <= bottom
    assert client.called("conversations.open") == [(bread,)], "it is read once"
    assert results.hasFocus()


def test_the_title_opens_the_chat_without_a_message(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    _bread, rope = chats(client)
    window = show_window()
    type_query(qtbot, window, "rope")
    settled()
    results = window.sidebar.search.list
    at = results.visualRect(window.sidebar.search.model.index(4)).center()
    QTest.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settled()
    assert window.chat.conversation_id == rope
    assert client.called("folders.show_branch") == []


def test_the_row_with_the_number_of_further_hits_opens_nothing(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    chats(client)
    window = show_window()
    type_query(qtbot, window, "bread")
    settled()
    results = window.sidebar.search.list
    at = results.visualRect(window.sidebar.search.model.index(3)).center()
    QTest.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert window.chat.conversation_id is None


def test_arrow_up_focuses_the_field_and_escape_the_list(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    chats(client)
    window = show_window()
    type_query(qtbot, window, "bread")
    settled()
    results = window.sidebar.search.list
    QTest.keyClick(window.sidebar.filter, Qt.Key.Key_Down)
    QTest.keyClick(results, Qt.Key.Key_Up)
    assert window.sidebar.filter.hasFocus()
    QTest.keyClick(window.sidebar.filter, Qt.Key.Key_Down)
    QTest.keyClick(results, Qt.Key.Key_Escape)
    assert window.sidebar.list.isVisible()
    assert window.sidebar.filter.text() == ""


def test_filters_narrow_the_search_and_are_cleared_at_once(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    chats(client)
    work = client.add_folder("Work")
    window = show_window()
    pane = window.sidebar.search
    type_query(qtbot, window, "bread")
    assert not pane.filters.isVisible()
    QTest.mouseClick(pane.filter_button, Qt.MouseButton.LeftButton)
    assert pane.filters.isVisible()
    for select, value in (
        (pane.filters.role, Role.USER),
        (pane.filters.model, STARTER_ID),
        (pane.filters.folder, work),
        (pane.filters.archived, True),
        (pane.filters.age, Age.WEEK),
    ):
        select.setCurrentIndex(select.findData(value))
    settled()
    last = queries_of(client)[-1]
    assert (last.role, last.model_id, last.folder_id, last.archived) == (Role.USER, STARTER_ID, work, True)
    assert last.since is not None
    assert last.before is None
    assert pane.filter_button.accessibleName() == "Filters, 5 active"
    QTest.mouseClick(pane.clear_button, Qt.MouseButton.LeftButton)
    settled()
    assert queries_of(client)[-1] == SearchQuery(text="bread")


def test_ages_count_calendar_days(qtbot: QtBot) -> None:
    pane = SearchPane(now=lambda: NOON)
    qtbot.addWidget(pane)
    midnight = NOON.timestamp() - 12 * 3600
    spans = []
    for age in Age:
        pane.filters.age.setCurrentIndex(pane.filters.age.findData(age))
        query = pane.query
        spans.append((age, query.since, query.before))
    day = 86_400
    assert spans[:3] == [
        (Age.ANY, None, None),
        (Age.TODAY, midnight, None),
        (Age.WEEK, midnight - 7 * day, None),
    ]
    assert spans[-1] == (Age.OLDER, None, midnight - 365 * day)


def test_the_name_of_a_folder_is_not_translated(
    client: AppClient, show_window: ShowWindow, tmp_path: Path
) -> None:
    client.add_folder("Settings")
    with speaking_german(compiled_german(tmp_path)):
        assert show_window().sidebar.search.filters.folder.itemText(1) == "Settings"


def test_a_deleted_folder_no_longer_filters(client: AppClient, show_window: ShowWindow) -> None:
    work = client.add_folder("Work")
    window = show_window()
    folder = window.sidebar.search.filters.folder
    folder.setCurrentIndex(folder.findData(work))
    window.sidebar.folders.delete_folder(work)
    settled()
    assert window.sidebar.search.query.folder_id is None


@pytest.mark.parametrize(
    ("result", "narrowed", "expected"),
    [
        (SearchResult(), False, "No matching chats"),
        (SearchResult(), True, "No results with these filters"),
        (SearchResult(n_not_indexed=7), False, "No results yet; still searching older chats"),
    ],
)
def test_an_empty_result_says_why(
    qtbot: QtBot,
    client: AppClient,
    show_window: ShowWindow,
    result: SearchResult,
    narrowed: bool,
    expected: str,
) -> None:
    client.reply("folders.search", result)
    window = show_window()
    if narrowed:
        window.sidebar.search.filters.role.setCurrentIndex(1)
    type_query(qtbot, window, "zzz")
    settled()
    assert window.sidebar.search.note.isVisible()
    assert window.sidebar.search.note.text() == expected


def test_the_search_repeats_while_older_chats_are_indexed(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    client.reply("folders.search", SearchResult(n_not_indexed=7))
    window = show_window()
    type_query(qtbot, window, "b")
    settled()
    chats(client)
    client.publish(SearchIndexed())
    settled()
    assert rows(window)
    n_queries = len(queries_of(client))
    client.publish(SearchIndexed())
    settled()
    assert len(queries_of(client)) == n_queries, "nothing is left unread"


def test_chats_indexed_during_a_search_are_searched_too(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    client.reply("folders.search", SearchResult(n_not_indexed=7))
    window = show_window()
    client.hold("folders.search")
    type_query(qtbot, window, "b")
    qtbot.waitUntil(lambda: len(queries_of(client)) == 1)
    client.publish(SearchIndexed())
    client.release("folders.search")
    settled()
    assert len(queries_of(client)) >= 2


def test_a_search_that_fails_says_why(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    error = StorageDamaged(path="chats.db", reason="it is torn")
    client.fail("folders.search", error)
    window = show_window()
    type_query(qtbot, window, "b")
    settled()
    assert window.sidebar.search.note.text() == error.info().sentence
    type_query(qtbot, window, "br")
    chats(client)
    type_query(qtbot, window, "bre")
    settled()
    assert not window.sidebar.search.note.isVisible()


def test_opening_a_deleted_message_shows_the_error(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    chats(client)
    window = show_window()
    client.fail("folders.show_branch", RecordNotFound(what="message", id=3))
    type_query(qtbot, window, "bread")
    QTest.keyClick(window.sidebar.filter, Qt.Key.Key_Return)
    settled()
    assert window.chat.conversation_id is None


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (SearchResult(), ""),
        (SearchResult(n_hits=1), "1 message in 1 chat"),
        (SearchResult(n_hits=0), "1 chat"),
        (SearchResult(n_hits=1_000, is_truncated=True), "Best matches of 1,000 messages"),
        (SearchResult(n_hits=2, n_not_indexed=5), "2 messages in 1 chat · still searching"),
    ],
)
def test_the_number_of_results_has_a_text(client: AppClient, result: SearchResult, expected: str) -> None:
    bread, _rope = chats(client)
    matches = (ConversationMatch(summary=client.summaries[bread]),) if expected else ()
    assert hit_count_text(msgspec.structs.replace(result, matches=matches)) == expected


@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_hostile_snippets_are_painted_in_both_themes(
    qtbot: QtBot, theme: Theme, client: AppClient, choice: ThemeChoice
) -> None:
    bread, _rope = chats(client)
    theme.set_choice(choice)
    pane = SearchPane(now=lambda: NOON)
    qtbot.addWidget(pane)
    pane.resize(250, 600)
    texts = ("🦙" * 90, "x" * 300, "<b>bold</b>", "שלום עולם", "\u0301" * 40, "…")
    hits = tuple(hit(n, text, Role.USER if n % 2 else Role.ASSISTANT) for n, text in enumerate(texts))
    pane.set_text("x")
    summary = msgspec.structs.replace(client.summaries[bread], title="\u202eevil\n" + "🦙" * 80)
    pane.show_result(
        SearchResult(matches=(ConversationMatch(summary=summary, title_marks=((2, 200),), hits=hits),))
    )
    pane.show()
    qtbot.waitExposed(pane)
    assert not pane.grab().toImage().isNull()
    kinds = [type(row) for row in pane.model.items]
    assert kinds == [ChatRow, *([HitRow] * len(texts))]
    assert MoreRow not in kinds
