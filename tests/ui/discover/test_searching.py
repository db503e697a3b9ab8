"""Search: text, filters, pages, and notes in place of results."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_hub import FakeHub, Fault, Where
from fakes.hub_models import OTHER, REPO, hub_repo
from fakes.model_entries import entry_of, starter_spec
from fireside.core.discovery import ModelQuery, SortOrder
from fireside.core.errors import HubTokenRefused
from fireside.core.library import ModelOrigin
from fireside.core.secret_location import SecretLocation
from fireside.settings.values import AppLayer
from fireside.ui.discover import DiscoverController, DiscoverPage
from fireside.ui.discover.discover_page import View
from fireside.ui.discover.discover_text import outlook_text
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.window_context import HUB_ACCESS_ROW


@pytest.fixture(autouse=True)
def _with_controller(visible_controller: DiscoverController) -> None:
    """Every test needs the page with its controller."""


def searches(client: AppClient) -> list[tuple[object, ...]]:
    return client.called("hub.search")


def fill(hub: FakeHub, n_models: int) -> None:
    """Put models of one owner on the hub; ``owner/m000-GGUF`` is listed first."""
    hub.repos.clear()
    for number in range(n_models):
        hub.repos[f"owner/m{number:03}-GGUF"] = hub_repo(sizes={}, tags=("gguf",), trending=n_models - number)


def type_and_enter(page: DiscoverPage, text: str) -> None:
    page.search.field.setText("")
    QTest.keyClicks(page.search.field, text)
    QTest.keyClick(page.search.field, Qt.Key.Key_Return)


def names(page: DiscoverPage) -> list[str]:
    return [found.repo for found in page.results.model.items]


def test_typing_searches_once_after_a_pause(qtbot: QtBot, page: DiscoverPage, client: AppClient) -> None:
    QTest.keyClicks(page.search.field, "qwen 8b", delay=2)  # the event loop turns after each
    assert not searches(client)
    qtbot.waitUntil(lambda: bool(searches(client)))
    settled()
    assert searches(client) == [(ModelQuery(text="qwen 8b"),)]
    assert page.view is View.RESULTS
    assert names(page) == [REPO, OTHER]


def test_enter_searches_at_once(page: DiscoverPage, client: AppClient) -> None:
    type_and_enter(page, "qwen")
    assert page.view is View.RESULTS
    settled()
    assert not page.search.is_search_pending
    assert len(searches(client)) == 1


def test_the_same_text_typed_again_sends_no_search(
    qtbot: QtBot, page: DiscoverPage, client: AppClient
) -> None:
    type_and_enter(page, "qwen")
    settled()
    QTest.keyClick(page.search.field, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not page.search.is_search_pending)
    assert len(searches(client)) == 1


def test_every_filter_is_part_of_the_query(page: DiscoverPage, client: AppClient) -> None:
    bar = page.search
    bar.author.setText("@bartowski")
    bar.architecture.setText("Qwen3")
    for choice, words in (
        (bar.order, "Most liked"),
        (bar.size_choice, "3B to 9B"),
        (bar.task, "Vision"),
        (bar.context, "32k context or more"),
        (bar.licence, "Apache 2.0"),
        (bar.access, "Not gated"),
    ):
        choice.setCurrentText(words)
        choice.activated.emit(choice.currentIndex())
    settled()
    assert searches(client)[-1][0] == ModelQuery(
        author="bartowski",
        sort=SortOrder.LIKES,
        min_params=3_000_000_000,
        max_params=9_000_000_000,
        licence="apache-2.0",
        is_gated=False,
        task="image-text-to-text",
        architecture="Qwen3",
        min_ctx_train=32_768,
    )


@pytest.mark.parametrize(
    ("words", "wanted"),
    [("Tool use", ModelQuery(calls_tools=True)), ("Reasoning", ModelQuery(reasons=True))],
)
def test_abilities_of_the_template_can_be_filtered(
    page: DiscoverPage, client: AppClient, words: str, wanted: ModelQuery
) -> None:
    page.search.task.setCurrentText(words)
    page.search.task.activated.emit(page.search.task.currentIndex())
    settled()
    assert searches(client)[-1][0] == wanted


def test_empty_pages_are_followed_a_few_times(page: DiscoverPage, client: AppClient, hub: FakeHub) -> None:
    fill(hub, 300)
    page.search.architecture.setText("nothing-has-this")
    page.search.task.activated.emit(0)
    settled()
    assert page.results.state.note is not None
    assert 2 <= len(searches(client)) <= 7
    n_before = len(searches(client))
    (more,) = page.results.state.buttons
    assert more.text() == "Load more"
    more.click()
    settled()
    assert n_before < len(searches(client)) <= n_before + 7


def test_a_narrow_window_shows_the_filters_on_demand(page: DiscoverPage) -> None:
    page.show_view(View.RESULTS)
    assert page.search.order.isVisible()
    assert not page.search.toggle.isVisible()
    page.resize(480, 700)
    assert not page.search.order.isVisible()
    page.search.toggle.click()
    assert page.search.order.isVisible()


def test_filters_appear_once_something_is_searched(page: DiscoverPage) -> None:
    assert not page.search.order.isVisible()
    page.resize(480, 700)
    assert not page.search.toggle.isVisible()
    page.resize(1040, 800)
    type_and_enter(page, "qwen")
    settled()
    assert page.search.order.isVisible()
    page.search.reset.click()
    assert not page.search.order.isVisible()


def test_clear_resets_everything(page: DiscoverPage) -> None:
    type_and_enter(page, "qwen")
    page.search.author.setText("x")
    settled()
    assert page.search.reset.isVisible()
    page.search.reset.click()
    assert page.search.query == ModelQuery()
    assert page.view is View.START
    assert not page.search.reset.isVisible()
    assert page.search.field.hasFocus()


def test_esc_clears_the_text_and_then_shows_the_start_page(page: DiscoverPage) -> None:
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


def test_trending_models_need_no_search_text(page: DiscoverPage, client: AppClient) -> None:
    page.start.popular.click()
    settled()
    assert searches(client) == [(ModelQuery(),)]
    assert page.view is View.RESULTS


@pytest.mark.parametrize(
    "name", ["https://huggingface.co/bartowski/Qwen3-8B-GGUF", "bartowski/Qwen3-8B-GGUF:Q4_K_M"]
)
def test_a_pasted_name_opens_the_models_page(page: DiscoverPage, client: AppClient, name: str) -> None:
    QApplication.clipboard().setText(f" {name}\n")
    page.search.field.paste()
    settled()
    assert page.view is View.MODEL
    assert client.called("hub.model") == [(name,)]
    assert not searches(client)


def test_a_typed_name_waits_for_enter(qtbot: QtBot, page: DiscoverPage, client: AppClient) -> None:
    QTest.keyClicks(page.search.field, "a/b:Q4_K_M")
    qtbot.waitUntil(lambda: not page.search.is_search_pending)
    assert not client.called("hub.model")
    assert not searches(client)
    QTest.keyClick(page.search.field, Qt.Key.Key_Return)
    settled()
    assert client.called("hub.model") == [("a/b:Q4_K_M",)]


def test_scrolling_to_the_end_brings_the_next_page(
    page: DiscoverPage, hub: FakeHub, client: AppClient
) -> None:
    fill(hub, 59)
    type_and_enter(page, "owner")
    settled()
    assert len(names(page)) == 30
    # A list that moves between two pages repeats some lines.
    hub.repos["owner/new-GGUF"] = hub_repo(trending=99)
    bar = page.results.list.verticalScrollBar()
    bar.setValue(bar.maximum())
    settled()
    query, next_page = searches(client)[-1]
    assert (query, bool(next_page)) == (ModelQuery(text="owner"), True)
    assert len(names(page)) == len(set(names(page))) == 59
    assert page.results.footer_text.text() == "59 models"
    bar.setValue(bar.maximum())
    settled()
    assert len(searches(client)) == 2


def test_a_duplicate_result_is_listed_once(page: DiscoverPage, hub: FakeHub) -> None:
    answer = json.dumps([{"id": REPO}, {"id": "a/b"}, {"id": REPO}]).encode()
    hub.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=answer)
    type_and_enter(page, "x")
    settled()
    assert names(page) == [REPO, "a/b"]


def test_a_short_page_requests_the_next(qtbot: QtBot, page: DiscoverPage, hub: FakeHub) -> None:
    hub.page_size = 1
    hub.repos["acme/qwen-image-GGUF"] = hub_repo(pipeline_tag="text-to-image", trending=9)
    type_and_enter(page, "qwen")
    qtbot.waitUntil(lambda: names(page) == [REPO, OTHER])


def test_a_failed_page_can_be_requested_again(page: DiscoverPage, hub: FakeHub, client: AppClient) -> None:
    fill(hub, 31)
    type_and_enter(page, "owner")
    settled()
    hub.plan(Fault.STATUS, where=Where.API, status=429)
    bar = page.results.list.verticalScrollBar()
    bar.setValue(bar.maximum())
    settled()
    assert "Too many requests" in page.results.footer_text.text()
    assert len(names(page)) == 30
    n_asked = len(searches(client))
    bar.setValue(0)
    bar.setValue(bar.maximum())
    assert len(searches(client)) == n_asked, "who is Too many requests is left in peace"
    page.results.retry.click()
    settled()
    assert len(names(page)) == 31
    assert not page.results.retry.isVisible()


def test_an_empty_result_names_the_search_text(page: DiscoverPage) -> None:
    type_and_enter(page, "xyzzy" * 40)
    settled()
    note = page.results.state.note
    assert note is not None
    assert note.title.startswith("No results for “xyzzyxyzzy")
    assert note.title.endswith("…”")
    assert len(note.title) < 120


def test_a_repository_name_without_results_can_be_opened(
    qtbot: QtBot, page: DiscoverPage, client: AppClient
) -> None:
    QTest.keyClicks(page.search.field, "me/private-model")
    qtbot.waitUntil(lambda: not page.search.is_search_pending)
    settled()
    [button] = page.results.state.buttons
    assert button.text() == "Open me/private-model"
    button.click()
    settled()
    assert client.called("hub.model") == [("me/private-model",)]


def test_a_long_name_makes_nothing_wider(page: DiscoverPage) -> None:
    page.resize(480, 700)
    type_and_enter(page, f"{'owner' * 18}/{'name' * 20}")
    settled()
    assert page.minimumSizeHint().width() <= 480


def test_a_failed_search_is_shown_and_can_be_repeated(page: DiscoverPage, hub: FakeHub) -> None:
    hub.plan(Fault.RESET, where=Where.API)
    type_and_enter(page, "qwen")
    settled()
    note = page.results.state.note
    assert note is not None
    assert note.text.startswith("Couldn't reach 127.0.0.1")
    again, add = page.results.state.buttons
    assert add.text() == "Add a file you have…"
    again.click()
    settled()
    assert page.results.state.note is None
    assert names(page)


def test_a_reply_to_an_old_search_is_dropped(page: DiscoverPage, client: AppClient) -> None:
    client.hold("hub.search")
    type_and_enter(page, "qwen")
    QTest.keyClick(page.search.field, Qt.Key.Key_Escape)
    assert page.view is View.START
    client.release("hub.search")
    settled()
    assert page.view is View.START
    assert not names(page)


def test_old_results_stay_until_the_new_ones_arrive(page: DiscoverPage, client: AppClient) -> None:
    type_and_enter(page, "qwen")
    settled()
    client.hold("hub.search")
    type_and_enter(page, "other")
    assert page.results.state.note is None
    assert names(page)[0] == REPO
    assert page.results.footer_text.text() == "Searching…"
    client.release("hub.search")
    settled()
    assert names(page) == [OTHER]


def test_offline_is_shown_with_a_link_to_the_settings(
    page: DiscoverPage, router_calls: list[tuple[object, ...]], client: AppClient
) -> None:
    client.wait_until(asyncio.ensure_future(_go_offline(client, offline=True)).done)
    type_and_enter(page, "qwen")
    settled()
    note = page.results.state.note
    assert note is not None
    assert note.title == "Offline mode is on"
    page.results.state.buttons[0].click()
    assert router_calls[-1] == ("show_setting", HUB_ACCESS_ROW)


def test_each_result_shows_its_fit(page: DiscoverPage) -> None:
    type_and_enter(page, "qwen")
    settled()
    found = page.results.model.items[0]
    assert " tokens/s" in outlook_text(page.results.model.outlook(found))
    assert " tokens/s" in page.results.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_enter_on_owner_and_model_opens_it(page: DiscoverPage, client: AppClient) -> None:
    type_and_enter(page, REPO)
    settled()
    assert client.called("hub.model") == [(REPO,)]
    assert not searches(client)


def test_esc_on_the_start_page_leaves_for_the_chat(
    page: DiscoverPage, router_calls: list[tuple[object, ...]]
) -> None:
    QTest.keyClick(page.search.field, Qt.Key.Key_Escape)
    assert router_calls[-1] == ("show_page", Page.CHAT)


def test_results_can_be_limited_to_what_fits(page: DiscoverPage) -> None:
    settled()
    place = page.search.size_choice.findText("Fits this computer")
    page.search.size_choice.setCurrentIndex(place)
    most = page.search.query.max_params
    assert most is not None
    assert 5 * 10**9 < most < 15 * 10**9, "8 GiB are free"


def test_a_search_can_be_repeated_without_a_refused_token(
    page: DiscoverPage, hub: FakeHub, client: AppClient
) -> None:
    client.wait_until(
        asyncio.ensure_future(client.token.store("hf_old", location=SecretLocation.SESSION)).done
    )
    type_and_enter(page, "qwen")
    settled()
    note = page.results.state.note
    assert note is not None
    assert note.text == HubTokenRefused().sentence()
    without = next(b for b in page.results.state.buttons if b.text() == "Continue without token")
    without.click()
    settled()
    assert page.results.state.note is None
    assert names(page)
    assert hub.seen[-1].authorization is None


async def _go_offline(client: AppClient, *, offline: bool) -> None:
    await client.settings.change(AppLayer(), key="hub.offline", value=offline)


def test_a_failed_search_is_repeated_when_back_online(
    page: DiscoverPage, client: AppClient, visible_controller: DiscoverController
) -> None:
    visible_controller._tasks.run(_go_offline(client, offline=True))
    settled()
    assert page.notices.has("offline")
    type_and_enter(page, "qwen")
    settled()
    visible_controller._tasks.run(_go_offline(client, offline=False))
    settled()
    assert not page.notices.has("offline")
    assert names(page)


def test_models_of_the_library_are_marked_in_any_spelling(
    page: DiscoverPage, models: ModelsView, now: datetime
) -> None:

    origin = ModelOrigin(repo=REPO.upper(), commit="a" * 40, path="x", digest="", downloaded_at="")
    models.set_entries([msgspec.structs.replace(entry_of(starter_spec()), origin=origin)])
    type_and_enter(page, "qwen")
    settled()
    model = page.results.model
    assert [model.is_in_library(found) for found in model.items[:2]] == [True, False]
    assert "downloaded" in model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)


def looked_at(client: AppClient) -> list[str]:
    return [found.repo for (found,) in client.called("hub.detailed_outlook")]  # type: ignore[attr-defined]


def test_headers_of_visible_results_are_read_after_a_search(
    qtbot: QtBot, page: DiscoverPage, client: AppClient, hub: FakeHub
) -> None:
    fill(hub, 60)
    assert looked_at(client) == []
    type_and_enter(page, "m0")
    settled()
    in_view = [found.repo for found in page.results.list.in_view()]
    assert 0 < len(in_view) < 20 < page.results.model.rowCount()
    qtbot.waitUntil(lambda: looked_at(client) == in_view)
    page.results.list.scrollToBottom()
    below = [found.repo for found in page.results.list.in_view()]
    qtbot.waitUntil(lambda: set(below) <= set(looked_at(client)))
    assert len(looked_at(client)) == len(set(looked_at(client))) <= len(in_view) + len(below)


def test_reading_headers_continues_after_a_visit_to_a_model(
    qtbot: QtBot, page: DiscoverPage, client: AppClient, hub: FakeHub, visible_controller: DiscoverController
) -> None:
    fill(hub, 60)
    client.hold("hub.detailed_outlook")
    type_and_enter(page, "m0")
    qtbot.waitUntil(lambda: len(looked_at(client)) == 1)
    in_view = [found.repo for found in page.results.list.in_view()]
    visible_controller.open_model(in_view[0])
    client.release("hub.detailed_outlook")
    settled()
    assert len(looked_at(client)) == 1, "what is not seen is not asked for"
    page.go_back()
    qtbot.waitUntil(lambda: looked_at(client) == in_view)


def test_a_row_shows_the_outlook_from_the_header(qtbot: QtBot, page: DiscoverPage) -> None:
    type_and_enter(page, "qwen")
    settled()
    found = page.results.model.items[0]
    qtbot.waitUntil(lambda: "Q4_K_M" in outlook_text(page.results.model.outlook(found)))


def test_no_header_is_read_where_that_is_switched_off(
    page: DiscoverPage, client: AppClient, visible_controller: DiscoverController
) -> None:
    async def switch_off() -> None:
        await client.settings.change(AppLayer(), key="hub.read_ahead", value=False)

    visible_controller._tasks.run(switch_off())
    settled()
    type_and_enter(page, "qwen")
    settled()
    page.results.list.scrolled.emit()
    assert not visible_controller._read_ahead._timer.isActive()
    settled()
    assert looked_at(client) == []
