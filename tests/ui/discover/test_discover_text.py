"""Texts about hub models."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.hub_models import catalogue_model, found_model, hub_model
from fireside.core.discovery import Access, HubSearchHit
from fireside.core.options import Purpose
from fireside.ui.discover.discover_text import (
    ago_text,
    badges,
    catalogue_accessible_text,
    is_exact_name,
    is_repository,
    licence_text,
    model_facts,
    name_of,
    owner_of,
    result_accessible_text,
    result_facts,
)

NOW = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(seconds=-500), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(days=3, hours=2), "3 days ago"),
        (timedelta(days=20), "2 weeks ago"),
        (timedelta(days=40), "1 month ago"),
        (timedelta(days=800), "2 years ago"),
    ],
)
def test_a_time_is_shown_relative_to_now(ago: timedelta, words: str) -> None:
    assert ago_text((NOW - ago).isoformat(), now=NOW) == words


@pytest.mark.parametrize("moment", ["", "yesterday", "2026-13-45", "\u0000"])
def test_an_invalid_time_is_left_out(moment: str) -> None:
    assert ago_text(moment, now=NOW) == ""


def test_the_hubs_time_format_is_read() -> None:
    assert ago_text("2026-11-18T10:00:00.000Z", now=NOW) == "3 days ago"
    assert ago_text("2026-11-18T10:00:00", now=NOW) == "3 days ago"


@pytest.mark.parametrize(
    "text",
    [
        "https://huggingface.co/bartowski/Qwen3-8B-GGUF",
        "http://127.0.0.1:8000/a/b",
        "hf.co/a/b",
        "www.huggingface.co/a/b/blob/main/c.gguf",
        "bartowski/Qwen3-8B-GGUF:Q4_K_M",
        "  bartowski/Qwen3-8B-GGUF:Q4_K_M ",
        "bartowski/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf",
    ],
)
def test_an_address_or_a_name_with_a_quant_is_exact(text: str) -> None:
    assert is_exact_name(text)


@pytest.mark.parametrize("text", ["", "qwen", "qwen 8b", "a/b", "https://", "a:b", "a b/c:d", "owner/"])
def test_other_text_is_a_search(text: str) -> None:
    assert not is_exact_name(text)


def test_a_repository_is_recognized_by_its_form() -> None:
    assert is_repository("a/b")
    assert not is_repository("a/b/c")
    assert not is_repository("a b")


def test_the_gguf_suffix_is_removed_from_names() -> None:
    assert name_of("bartowski/Qwen3-8B-GGUF") == "Qwen3-8B"
    assert name_of("a/gguf") == "gguf"
    assert name_of("alone") == "alone"
    assert owner_of("bartowski/Qwen3-8B-GGUF") == "bartowski"


def test_a_licence_has_its_name_or_identifier() -> None:
    assert licence_text("apache-2.0") == "Apache 2.0"
    assert licence_text("some-own-licence") == "some-own-licence"
    assert licence_text("unknown") == ""


def test_a_row_has_the_important_facts() -> None:
    gated = found_model(access=Access.GATED, sees_images=True)
    assert badges(gated) == ("Vision", "Gated")
    assert badges(HubSearchHit(repo="a/b", hears_audio=True)) == ("Audio",)
    assert badges(HubSearchHit(repo="a/b", sees_images=True, hears_audio=True)) == (
        "Vision",
        "Audio",
        "Video",
    )
    assert badges(msgspec.structs.replace(gated, purpose=Purpose.EMBED))[0] == "Embedding"
    assert badges(msgspec.structs.replace(gated, purpose=Purpose.RERANK))[0] == "Reranking"
    assert badges(found_model(access=Access.PRIVATE)) == ("Private",)


def test_unknown_facts_are_left_out() -> None:
    assert result_facts(HubSearchHit(repo="a/b"), now=NOW) == ("a",)
    assert dict(model_facts(hub_model(), now=NOW))["Trained context"] == "40k tokens"


def test_a_row_has_one_accessible_sentence() -> None:
    sentence = result_accessible_text(found_model(access=Access.GATED), in_library=True, now=NOW)
    assert sentence == (
        "Qwen3-8B by bartowski, 8.19B parameters, licence Apache 2.0, 1,234,567 downloads this "
        "month, 842 likes, updated 3 days ago, gated, downloaded."
    )


def test_a_card_has_accessible_sentences() -> None:
    sentence = catalogue_accessible_text(catalogue_model(sees_images=True, hears_audio=True))
    assert sentence == (
        "Qwen3 8B by Alibaba. A good all-rounder that can think before it answers. Supports "
        "images. Supports audio. 8.19B parameters, 5.0 GB, Apache 2.0."
    )


def test_bidirectional_controls_are_removed() -> None:
    turned = HubSearchHit(repo="own\u202eer/na\u2066me", licence="lic\u202eence")
    assert "\u202e" not in "".join(result_facts(turned, now=NOW))
    assert owner_of(turned.repo) == "own er"
    assert name_of(turned.repo) == "na me"


@given(
    repo=st.text(max_size=40),
    updated=st.text(max_size=30),
    licence=st.text(max_size=20),
    n=st.integers(0, 10**15),
)
def test_any_text_of_the_hub_becomes_one_line(repo: str, updated: str, licence: str, n: int) -> None:
    found = HubSearchHit(repo=repo, updated_at=updated, licence=licence, n_params=n, n_downloads=n, n_likes=n)
    sentence = result_accessible_text(found, in_library=False, now=NOW)
    assert "\n" not in sentence
    assert "\u202e" not in "".join((sentence, *result_facts(found, now=NOW)))
