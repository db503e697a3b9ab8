"""The memory page: facts by place, found, changed, deleted, and suggestions answered there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QApplication

from fakes.client import AppClient, settled
from fireside.core.facts import EVERYWHERE, FactPlace, FactScope, ProposedFact
from fireside.core.ids import ConversationId, MessageId
from fireside.core.tools import AllowEdited, ConsentAnswer
from fireside.ui.memory.fact_sheet import FactSheet
from fireside.ui.memory.memory_page import MemoryPage
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.widgets.buttons import Button

T = TypeVar("T")


def done(client: AppClient, work: Awaitable[T]) -> T:
    task = asyncio.ensure_future(work)
    client.wait_until(task.done)
    return task.result()


@pytest.fixture
def page(window: MainWindow, client: AppClient) -> MemoryPage:
    """The page with a fact of each kind."""
    folder = done(client, client.app.folders.create_folder(name="House"))
    chat = client.add_conversation("Moving", turns=("Where?", "There."))
    place = FactPlace(folder_id=folder.id)
    done(client, client.app.facts.add("Speaks Danish.", place=EVERYWHERE))
    done(client, client.app.facts.add("Has a garden.", place=place))
    answer_id = client.opened(chat).messages[-1].id
    done(
        client,
        client.store.facts.add(
            "Lives in Leipzig.",
            conversation_id=chat,
            message_id=answer_id,
            scope=FactScope.CHAT,
            max_characters=2000,
        ),
    )
    window.show_page(Page.MEMORY)
    settled()
    return window.pages.memory


def listed(page: MemoryPage) -> list[str]:
    return [button.accessibleDescription() for button in page.deletes]


def button(page: MemoryPage, label: str) -> Button:
    return next(each for each in page.findChildren(Button) if each.accessibleName() == label)


def sheet_of(window: MainWindow) -> FactSheet:
    return window.findChildren(FactSheet)[-1]


def test_what_changes_nothing_leaves_the_list_as_it_is(page: MemoryPage) -> None:
    """Made anew, it would be blank for a moment, and the keyboard's focus would be lost."""
    before = page.deletes
    page.controller.refresh()
    settled()
    assert page.deletes is before


def test_facts_are_listed_by_place_and_found(page: MemoryPage) -> None:
    assert listed(page) == ["Speaks Danish.", "Has a garden.", "Lives in Leipzig."]
    page.search.setText("moving leip")
    assert listed(page) == ["Lives in Leipzig."]
    page.search.setText("nothing")
    assert listed(page) == []
    assert page.nothing.isVisible()
    page.search.clear()
    page.filter.setCurrentIndex(page.filter.findData(FactScope.PROJECT))
    assert listed(page) == ["Has a garden."]


def test_what_is_above_the_facts_takes_no_more_height_than_its_lines(page: MemoryPage) -> None:
    page.window().resize(1200, 1600)
    QApplication.processEvents()
    assert page.about.height() == page.about.heightForWidth(page.about.width())


def test_a_fact_is_deleted_and_comes_back(window: MainWindow, page: MemoryPage) -> None:
    page.deletes[0].click()
    settled()
    assert listed(page) == ["Has a garden.", "Lives in Leipzig."]
    window.toast.trigger_action()
    settled()
    assert listed(page) == ["Speaks Danish.", "Has a garden.", "Lives in Leipzig."]


def test_a_fact_is_changed_and_moved(client: AppClient, window: MainWindow, page: MemoryPage) -> None:
    page.controller.edit(page.listed[0])
    sheet = sheet_of(window)
    sheet.field.setPlainText("a" * 301)
    sheet.save.click()
    settled()
    assert "300" in sheet.status.text()
    sheet.field.setPlainText("Speaks  Norwegian.")
    sheet.place.setCurrentText("Project “House”")
    sheet.save.click()
    settled()
    changed = next(each for each in done(client, client.app.facts.facts()) if "Norw" in each.text)
    assert changed.text == "Speaks Norwegian."
    assert changed.place.name == "House"
    assert window.findChildren(FactSheet) == [] or not sheet_of(window).isVisible()


def test_its_source_opens_the_message(window: MainWindow, page: MemoryPage) -> None:
    button(page, "Open chat “Moving”").click()
    settled()
    assert window.page is Page.CHAT
    assert window.chat.transcript.entries[-1].message.message.text == "There."


@pytest.mark.parametrize(
    ("label", "answer"),
    [
        ("Remember in “House”", AllowEdited(text="Likes tea.", scope=FactScope.PROJECT)),
        ("Deny", ConsentAnswer.DENY),
    ],
)
def test_a_suggestion_is_answered_here(
    client: AppClient, page: MemoryPage, label: str, answer: object
) -> None:
    page.show_proposed(
        [
            ProposedFact(
                message_id=MessageId(7),
                call_id="c",
                conversation_id=ConversationId(1),
                text="Likes tea.",
                scope=FactScope.PROJECT,
                project="House",
                after_untrusted=True,
            )
        ]
    )
    assert page.suggested.isVisible()
    button(page, label).click()
    settled()
    assert client.called("tools.answer_call") == [(7, "c", answer)]


def test_what_goes_with_a_chat_or_folder_is_said_and_comes_back(
    client: AppClient, window: MainWindow, page: MemoryPage
) -> None:
    (folder,) = client.folders_kept
    (chat,) = client.summaries
    window.sidebar.folders.delete((chat,))
    settled()
    assert window.toast.text.endswith("1 remembered fact went with it")
    window.toast.trigger_action()
    settled()
    window.show_page(Page.MEMORY)
    window.sidebar.folders.delete_folder(folder.id)
    settled()
    assert window.toast.text.endswith("1 remembered fact went with it")
    assert listed(page) == ["Speaks Danish.", "Lives in Leipzig."]
    window.toast.trigger_action()
    settled()
    assert listed(page) == ["Speaks Danish.", "Has a garden.", "Lives in Leipzig."]
