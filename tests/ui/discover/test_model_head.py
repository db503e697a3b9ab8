"""What a model's page says above its sizes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from fakes.hub_client import FakeHubClient
from fakes.hub_models import REPO, hub_model
from fakes.screen_words import words_of
from fireside.core.discovery import Access
from fireside.core.options import Purpose
from fireside.ui.chat.links import LinkDialog
from fireside.ui.discover import DiscoverPage
from fireside.ui.window_context import ACCESS_ROW

OpenModel = Callable[..., None]


def test_the_head_tells_the_facts(page: DiscoverPage, open_model: OpenModel) -> None:
    open_model()
    words = words_of(page.model_page.head)
    for fact in ("Qwen3-8B", "by bartowski", "8.19B", "40k tokens", "qwen3", "Qwen/Qwen3-8B", "3 days ago"):
        assert fact in words
    assert "Asks for consent" not in words


def test_links_show_their_true_host_before_they_open(
    page: DiscoverPage, open_model: OpenModel, opened: list[str]
) -> None:
    open_model()
    head = page.model_page.head
    assert head is not None
    assert isinstance(head.licence, QPushButton)
    head.licence.click()
    dialog = page.findChild(LinkDialog)
    assert dialog is not None
    assert not opened
    assert "licence.example" in words_of(dialog)
    dialog.accept()
    dialog.accepted.emit()
    dialog.close()


def test_a_gated_model_says_what_to_do(
    qtbot: QtBot,
    page: DiscoverPage,
    asked: list[tuple[object, ...]],
    hub: FakeHubClient,
    open_model: OpenModel,
) -> None:
    hub.models[REPO] = hub_model(access=Access.GATED, has_access=False)
    open_model()
    head = page.model_page.head
    assert head is not None
    assert "bartowski asks for your consent" in words_of(head)
    head.token.click()
    assert asked[-1] == ("show_setting", ACCESS_ROW)
    head.accept.click()
    dialog = page.findChild(LinkDialog)
    assert dialog is not None
    assert "hub.example" in words_of(dialog)
    dialog.close()


def test_a_gated_model_that_was_granted_asks_for_nothing(
    page: DiscoverPage, hub: FakeHubClient, open_model: OpenModel
) -> None:
    hub.models[REPO] = hub_model(access=Access.GATED, has_access=True)
    open_model()
    assert "you have given it" in words_of(page.model_page.head)


@pytest.mark.parametrize(("purpose", "word"), [(Purpose.EMBED, "Embedding"), (Purpose.RERANK, "Reranking")])
def test_what_cannot_chat_says_what_it_is_for(
    page: DiscoverPage, hub: FakeHubClient, open_model: OpenModel, purpose: Purpose, word: str
) -> None:
    model = hub_model()
    hub.models[REPO] = msgspec.structs.replace(
        model, found=msgspec.structs.replace(model.found, purpose=purpose)
    )
    open_model()
    assert word in words_of(page.model_page.head)
    assert "It cannot chat." in words_of(page.model_page.head)
