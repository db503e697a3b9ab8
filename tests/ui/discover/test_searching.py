"""Looking for models: words, choices, pages, and what is shown when there is nothing to show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.hub_client import FakeHubClient
from fakes.hub_models import REPO, found_model
from fakes.model_entries import entry_of, starter_spec
from fireside.core.discovery import FoundModels, ModelQuery, SortOrder
from fireside.core.errors import HubOffline, HubRateLimited, HubUnreachable
from fireside.core.library import ModelOrigin
from fireside.settings.values import AppLayer
from fireside.ui.discover import DiscoverController, DiscoverPage
from fireside.ui.discover.discover_page import View
from fireside.ui.models_view import ModelsView
from fireside.ui.window_context import ACCESS_ROW

UNREACHABLE = HubUnreachable(host="hub.example", reason="the name is not known.")


@pytest.fixture(autouse=True)
def _with_desk(shown_controller: DiscoverController) -> None:
    """Every test here has the page with its controller."""


def searches(hub: FakeHubClient) -> list[tuple[object, ...]]:
    return hub.called("search")


def type_and_enter(page: DiscoverPage, text: str) -> None:
    page.search.field.setText("")
    QTest.keyClicks(page.search.field, text)
    QTest.keyClick(page.search.field, Qt.Key.Key_Return)


def names(page: DiscoverPage) -> list[str]:
    return [found.repo for found in page.results.model.items]


def test_typing_asks_once_when_it_has_stopped(
    qtbot: QtBot, page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    QTest.keyClicks(page.search.field, "qwen 8b", delay=2)  # the event loop turns after each
    assert not searches(hub)
    qtbot.waitUntil(lambda: bool(searches(hub)))
    settled()
    assert searches(hub) == [(ModelQuery(text="qwen 8b"), None)]
    assert page.view is View.RESULTS
    assert names(page) == [REPO, "someone/other-GGUF"]


def test_enter_asks_at_once_and_not_again(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    type_and_enter(page, "qwen")
    assert page.view is View.RESULTS
    settled()
    assert not page.search.is_waiting
    assert len(searches(hub)) == 1


def test_the_same_words_typed_again_ask_nothing(
    qtbot: QtBot, page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    type_and_enter(page, "qwen")
    settled()
    QTest.keyClick(page.search.field, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not page.search.is_waiting)
    assert len(searches(hub)) == 1


def test_every_choice_is_part_of_what_is_asked(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    bar = page.search
    bar.author.setText("@bartowski")
    for choice, words in (
        (bar.order, "Most liked"),
        (bar.size_choice, "3B to 9B"),
        (bar.licence, "Apache 2.0"),
        (bar.access, "Free to download"),
    ):
        choice.setCurrentText(words)
        choice.activated.emit(choice.currentIndex())
    settled()
    assert searches(hub)[-1][0] == ModelQuery(
        author="bartowski",
        sort=SortOrder.LIKES,
        min_params=3_000_000_000,
        max_params=9_000_000_000,
        licence="apache-2.0",
        is_gated=False,
    )


def test_where_it_is_narrow_the_choices_come_on_demand(page: DiscoverPage) -> None:
    assert page.search.order.isVisible()
    assert not page.search.toggle.isVisible()
    page.resize(480, 700)
    assert not page.search.order.isVisible()
    page.search.toggle.click()
    assert page.search.order.isVisible()


def test_clear_takes_everything_back_to_the_start(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    type_and_enter(page, "qwen")
    page.search.author.setText("x")
    settled()
    assert page.search.reset.isVisible()
    page.search.reset.click()
    assert page.search.query == ModelQuery()
    assert page.view is View.START
    assert not page.search.reset.isVisible()
    assert page.search.field.hasFocus()


def test_esc_clears_the_words_and_then_goes_back_to_the_start(
    page: DiscoverPage, settled: Callable[[], None]
) -> None:
    page.search.access.setCurrentIndex(1)
    type_and_enter(page, "qwen")
    settled()
    QTest.keyClick(page.search.field, Qt.Key.Key_Escape)
    settled()
    assert page.search.field.text() == ""
    assert page.results.isVisible(), "a choice is still made"
    QTest.keyClick(page.search.field, Qt.Key.Key_Escape)
    assert page.start.isVisible()
    assert page.search.query == ModelQuery()


def test_what_is_popular_needs_no_words(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    page.start.popular.click()
    settled()
    assert searches(hub) == [(ModelQuery(), None)]
    assert page.view is View.RESULTS


@pytest.mark.parametrize(
    "name", ["https://huggingface.co/bartowski/Qwen3-8B-GGUF", "bartowski/Qwen3-8B-GGUF:Q4_K_M"]
)
def test_a_pasted_name_opens_the_models_page(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None], name: str
) -> None:
    hub.models[name] = hub.models[REPO]
    QApplication.clipboard().setText(f" {name}\n")
    page.search.field.paste()
    settled()
    assert page.view is View.MODEL
    assert hub.called("model") == [(name,)]
    assert not searches(hub)


def test_a_typed_name_waits_for_enter(
    qtbot: QtBot, page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    QTest.keyClicks(page.search.field, "a/b:Q4_K_M")
    qtbot.waitUntil(lambda: not page.search.is_waiting)
    assert not hub.called("model")
    assert not searches(hub)
    QTest.keyClick(page.search.field, Qt.Key.Key_Return)
    settled()
    assert hub.called("model") == [("a/b:Q4_K_M",)]


def test_scrolling_to_the_end_brings_the_next_page(
    qtbot: QtBot, page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    first = tuple(found_model(f"owner/a{n}") for n in range(40))
    hub.pages = {
        None: FoundModels(models=first, next_page="two"),
        # A list that moves between two pages repeats some lines.
        "two": FoundModels(models=(first[-1], *(found_model(f"owner/b{n}") for n in range(40)))),
    }
    type_and_enter(page, "owner")
    settled()
    assert len(names(page)) == 40
    bar = page.results.list.verticalScrollBar()
    bar.setValue(bar.maximum())
    settled()
    assert searches(hub)[-1] == (ModelQuery(text="owner"), "two")
    assert len(names(page)) == 80
    assert page.results.words.text() == "80 models, that is all."
    bar.setValue(bar.maximum())
    settled()
    assert len(searches(hub)) == 2


def test_a_model_that_a_page_has_twice_is_listed_once(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    hub.pages = {None: FoundModels(models=(found_model(), found_model("a/b"), found_model()))}
    type_and_enter(page, "x")
    settled()
    assert names(page) == [REPO, "a/b"]


def test_a_short_page_is_followed_by_the_next_unasked(
    qtbot: QtBot, page: DiscoverPage, hub: FakeHubClient
) -> None:
    hub.pages = {
        None: FoundModels(models=(), next_page="two"),
        "two": FoundModels(models=(found_model(),), next_page="three"),
        "three": FoundModels(models=(found_model("a/c"),)),
    }
    type_and_enter(page, "x")
    qtbot.waitUntil(lambda: names(page) == [REPO, "a/c"])


def test_a_page_that_failed_is_asked_for_again_on_demand(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    hub.pages = {
        None: FoundModels(models=tuple(found_model(f"owner/a{n}") for n in range(40)), next_page="two"),
        "two": FoundModels(models=(found_model("a/c"),)),
    }
    type_and_enter(page, "x")
    settled()
    hub.fail("search", HubRateLimited())
    bar = page.results.list.verticalScrollBar()
    bar.setValue(bar.maximum())
    settled()
    assert "asked too often" in page.results.words.text()
    assert len(names(page)) == 40
    n_asked = len(searches(hub))
    bar.setValue(0)
    bar.setValue(bar.maximum())
    assert len(searches(hub)) == n_asked, "who is asked too often is left in peace"
    page.results.again.click()
    settled()
    assert names(page)[-1] == "a/c"
    assert not page.results.again.isVisible()


def test_nothing_found_names_what_was_looked_for(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    hub.pages = {}
    type_and_enter(page, "xyzzy" * 40)
    settled()
    note = page.results.state.note
    assert note is not None
    assert note.title.startswith("Nothing found for “xyzzyxyzzy")
    assert note.title.endswith("…”")
    assert len(note.title) < 120


def test_a_name_that_is_not_found_can_be_opened_all_the_same(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    hub.pages = {}
    type_and_enter(page, "me/private-model")
    settled()
    [button] = page.results.state.buttons
    assert button.text() == "Open me/private-model"
    button.click()
    settled()
    assert hub.called("model") == [("me/private-model",)]


def test_a_long_name_makes_nothing_wider(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    hub.pages = {}
    page.resize(480, 700)
    type_and_enter(page, f"{'owner' * 18}/{'name' * 20}")
    settled()
    assert page.minimumSizeHint().width() <= 480


def test_a_failure_is_said_and_can_be_tried_again(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    hub.fail("search", UNREACHABLE)
    type_and_enter(page, "qwen")
    settled()
    note = page.results.state.note
    assert note is not None
    assert note.text == UNREACHABLE.sentence()
    [again] = page.results.state.buttons
    again.click()
    settled()
    assert page.results.state.note is None
    assert names(page)


def test_an_answer_that_nobody_waits_for_changes_nothing(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    hub.hold("search")
    type_and_enter(page, "qwen")
    QTest.keyClick(page.search.field, Qt.Key.Key_Escape)
    assert page.view is View.START
    hub.release("search")
    settled()
    assert page.view is View.START
    assert not names(page)


def test_old_results_stay_until_the_new_ones_are_there(
    page: DiscoverPage, hub: FakeHubClient, settled: Callable[[], None]
) -> None:
    type_and_enter(page, "qwen")
    settled()
    hub.hold("search")
    hub.pages[None] = FoundModels(models=(found_model("new/one"),))
    type_and_enter(page, "other")
    assert page.results.state.note is None
    assert names(page)[0] == REPO
    assert page.results.words.text() == "Searching…"
    hub.release("search")
    settled()
    assert names(page) == ["new/one"]


def test_offline_says_so_with_a_way_to_the_settings(
    qtbot: QtBot,
    page: DiscoverPage,
    asked: list[tuple[object, ...]],
    hub: FakeHubClient,
    settled: Callable[[], None],
) -> None:
    hub.fail("search", HubOffline())
    type_and_enter(page, "qwen")
    settled()
    note = page.results.state.note
    assert note is not None
    assert note.title == "Fireside is set to stay offline"
    page.results.state.buttons[0].click()
    assert asked[-1] == ("show_setting", ACCESS_ROW)


async def _go_offline(client: AppClient, *, offline: bool) -> None:
    await client.settings.change(AppLayer(), key="hub.offline", value=offline)


def test_back_online_the_search_is_made_by_itself(
    page: DiscoverPage,
    client: AppClient,
    hub: FakeHubClient,
    shown_controller: DiscoverController,
    settled: Callable[[], None],
) -> None:
    shown_controller._tasks.run(_go_offline(client, offline=True))
    settled()
    assert page.notices.has("offline")
    hub.fail("search", HubOffline())
    type_and_enter(page, "qwen")
    settled()
    shown_controller._tasks.run(_go_offline(client, offline=False))
    settled()
    assert not page.notices.has("offline")
    assert names(page)


def test_models_of_the_library_are_marked_in_any_spelling(
    page: DiscoverPage, models: ModelsView, settled: Callable[[], None], now: datetime
) -> None:

    origin = ModelOrigin(repo=REPO.upper(), commit="a" * 40, path="x", digest="", downloaded_at="")
    models.set_entries([msgspec.structs.replace(entry_of(starter_spec()), origin=origin)])
    type_and_enter(page, "qwen")
    settled()
    model = page.results.model
    assert [model.is_here(found) for found in model.items[:2]] == [True, False]
    assert "in your library" in model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
