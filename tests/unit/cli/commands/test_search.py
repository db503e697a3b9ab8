"""``fireside search``: what can be typed, and the table of what was found."""

from __future__ import annotations

import pytest

from fireside.cli.command_line import parse
from fireside.cli.commands.search import search_table
from fireside.core.discovery import Access, HubSearchHit, HubSearchPage
from fireside.core.options import Purpose


def lines(*models: HubSearchHit) -> list[str]:
    return search_table(HubSearchPage(models=models)).splitlines()


def test_a_model_is_one_line_with_its_facts() -> None:
    model = HubSearchHit(
        repo="acme/chatty-GGUF",
        n_downloads=12345,
        updated_at="2026-03-04T05:06:07+00:00",
        licence="mit",
        n_params=8_190_000_000,
    )
    head, line = lines(model)
    assert head.split() == ["MODEL", "PARAMETERS", "LICENCE", "DOWNLOADS", "UPDATED", "NOTES"]
    assert line.split() == ["acme/chatty-GGUF", "8.19B", "mit", "12,345", "2026-03-04"]


def test_numbers_end_below_each_other() -> None:
    _, short, long = lines(
        HubSearchHit(repo="a/b", n_downloads=7), HubSearchHit(repo="a/b", n_downloads=1_000_000)
    )
    assert short.index("7") == long.index("1,000,000") + len("1,000,000") - 1


@pytest.mark.parametrize(
    ("model", "notes"),
    [
        (HubSearchHit(repo="a/b", sees_images=True), "vision"),
        (HubSearchHit(repo="a/b", sees_images=True, hears_audio=True), "vision, audio"),
        (HubSearchHit(repo="a/b", purpose=Purpose.EMBED), "embeddings"),
        (HubSearchHit(repo="a/b", purpose=Purpose.RERANK), "reranking"),
        (HubSearchHit(repo="a/b", access=Access.PRIVATE), "private"),
        (
            HubSearchHit(repo="a/b", sees_images=True, access=Access.GATED),
            "vision, gated",
        ),
    ],
)
def test_media_access_and_purpose_are_noted(model: HubSearchHit, notes: str) -> None:
    assert lines(model)[1].endswith(notes)


def test_unknown_values_are_dashes() -> None:
    assert lines(HubSearchHit(repo="a/b"))[1].split() == ["a/b", "–", "–", "0", "–"]


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in search_table(HubSearchPage(models=(HubSearchHit(repo="a/b", licence="\x1b[2Jx"),)))


def test_search_takes_words_and_filters() -> None:
    typed = ["search", "small", "--sort", "likes", "qwen", "--author", "acme", "--licence", "mit"]
    assert parse(typed).arguments == {
        "words": ["small", "qwen"],
        "sort": "likes",
        "author": "acme",
        "licence": "mit",
        "no_token": False,
    }


def test_a_search_may_be_for_anything() -> None:
    assert parse(["search"]).arguments["words"] == []
