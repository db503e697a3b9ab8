"""The head of a model's page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QPushButton

from fakes.client import AppClient
from fakes.fake_hub import TOKEN, FakeHub
from fakes.hub_models import REPO, hub_repo
from fakes.visible_text import words_of
from fireside.core.secret_location import SecretLocation
from fireside.ui.chat.answer.links import LinkDialog
from fireside.ui.discover import DiscoverPage
from fireside.ui.window_context import HUB_ACCESS_ROW

OpenModel = Callable[..., None]


def test_the_head_shows_the_facts(page: DiscoverPage, open_model: OpenModel) -> None:
    open_model()
    text = words_of(page.model_page.head)
    for fact in ("Qwen3-8B", "by bartowski", "8.19B", "40k tokens", "qwen3", "Qwen/Qwen3-8B", "3 days ago"):
        assert fact in text
    assert "Gated" not in text


def test_links_show_their_true_host_before_they_open(
    page: DiscoverPage, open_model: OpenModel, opened: list[str]
) -> None:
    open_model()
    head = page.model_page.head
    assert head is not None
    assert isinstance(head.licence, QPushButton)
    head.licence.click()
    dialog = page.window().findChild(LinkDialog)
    assert dialog is not None
    assert not opened
    assert "licence.example" in words_of(dialog)
    dialog.accept()
    dialog.accepted.emit()
    dialog.close()


def test_a_gated_model_shows_what_to_do(
    page: DiscoverPage, router_calls: list[tuple[object, ...]], hub: FakeHub, open_model: OpenModel
) -> None:
    hub.repos[REPO] = hub_repo(is_gated=True)
    open_model()
    head = page.model_page.head
    assert head is not None
    assert "accept bartowski’s terms" in words_of(head)
    head.token.click()
    assert router_calls[-1] == ("show_setting", HUB_ACCESS_ROW)
    head.accept.click()
    dialog = page.window().findChild(LinkDialog)
    assert dialog is not None
    assert "127.0.0.1" in words_of(dialog)
    dialog.close()


def test_a_gated_model_with_access_needs_nothing(
    page: DiscoverPage, client: AppClient, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.repos[REPO] = hub_repo(is_gated=True)
    client.wait_until(asyncio.ensure_future(client.token.store(TOKEN, location=SecretLocation.SESSION)).done)
    open_model()
    assert "you have access" in words_of(page.model_page.head)


@pytest.mark.parametrize(
    ("task", "word"), [("sentence-similarity", "Embedding"), ("text-ranking", "Reranking")]
)
def test_a_model_that_cannot_chat_shows_its_purpose(
    page: DiscoverPage, hub: FakeHub, open_model: OpenModel, task: str, word: str
) -> None:
    hub.repos[REPO] = hub_repo(pipeline_tag=task)
    open_model()
    assert word in words_of(page.model_page.head)
    assert "Cannot chat." in words_of(page.model_page.head)
