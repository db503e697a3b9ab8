"""What can be typed after ``search``, ``pull`` and ``verify``."""

from __future__ import annotations

import pytest

from fireside.cli.arguments import parse
from fireside.core.discovery import ModelQuery, SortOrder


def test_search_takes_words_and_filters() -> None:
    arguments = parse(["search", "small", "--sort", "likes", "qwen", "--author", "acme", "--licence", "mit"])
    assert arguments.command == "search"
    assert arguments.hub_query == ModelQuery(
        text="small qwen", sort=SortOrder.LIKES, author="acme", licence="mit"
    )


def test_a_search_may_be_for_anything() -> None:
    assert parse(["search"]).hub_query == ModelQuery()


def test_pull_takes_a_name() -> None:
    arguments = parse(["pull", "acme/tiny:Q4_K_M"])
    assert (arguments.command, arguments.name) == ("pull", "acme/tiny:Q4_K_M")


def test_verify_repairs_only_on_request() -> None:
    assert not parse(["verify", "tiny"]).repair
    assert parse(["verify", "tiny", "--repair"]).repair


def test_overrides_apply_to_one_download() -> None:
    assert parse(["--set", "hub.speed_limit_kb=100", "pull", "a/b"]).settings == {"hub.speed_limit_kb": "100"}


@pytest.mark.parametrize("command", ["pull", "verify"])
def test_a_name_is_needed(command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        parse([command])
    assert ended.value.code == 2
