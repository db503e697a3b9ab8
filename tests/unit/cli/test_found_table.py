"""What a search found, in the terminal."""

from __future__ import annotations

import pytest

from fireside.cli.model_tables import found_table
from fireside.core.discovery import Access, FoundModel, FoundModels
from fireside.core.options import Purpose


def lines(*models: FoundModel) -> list[str]:
    return found_table(FoundModels(models=models)).splitlines()


def test_a_model_is_one_line_with_its_facts() -> None:
    model = FoundModel(
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
        FoundModel(repo="a/b", n_downloads=7), FoundModel(repo="a/b", n_downloads=1_000_000)
    )
    assert short.index("7") == long.index("1,000,000") + len("1,000,000") - 1


@pytest.mark.parametrize(
    ("model", "notes"),
    [
        (FoundModel(repo="a/b", sees_images=True), "vision"),
        (FoundModel(repo="a/b", purpose=Purpose.EMBED), "embeddings"),
        (FoundModel(repo="a/b", purpose=Purpose.RERANK), "reranking"),
        (FoundModel(repo="a/b", access=Access.PRIVATE), "private"),
        (
            FoundModel(repo="a/b", sees_images=True, access=Access.GATED),
            "vision, gated",
        ),
    ],
)
def test_what_is_special_is_noted(model: FoundModel, notes: str) -> None:
    assert lines(model)[1].endswith(notes)


def test_what_is_not_known_is_a_dash() -> None:
    assert lines(FoundModel(repo="a/b"))[1].split() == ["a/b", "–", "–", "0", "–"]


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in found_table(FoundModels(models=(FoundModel(repo="a/b", licence="\x1b[2Jx"),)))
