"""``fireside search``: find models on Hugging Face."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fireside.cli.command_parser import CommandParser
from fireside.cli.screen import Screen, columns, one_line
from fireside.core.discovery import Access, HubSearchHit, HubSearchPage, ModelQuery, SortOrder
from fireside.core.options import Purpose

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

_HEAD: Final = ("MODEL", "PARAMETERS", "LICENCE", "DOWNLOADS", "UPDATED", "NOTES")
_NUMBERS: Final = (1, 3)
_UNKNOWN: Final = "–"
_PURPOSES: Final = {Purpose.EMBED: "embeddings", Purpose.RERANK: "reranking"}


def define(command: CommandParser) -> None:
    """Add what may be typed after ``search``."""
    command.description = "Search for GGUF models on Hugging Face. Without words, lists all."
    command.epilog = "example:\n  fireside search qwen coder --sort downloads --licence apache-2.0\n"
    command.does(search_hub)
    command.add_argument("words", nargs="*", metavar="word", help="part of a model's name")
    command.add_argument("--author", default="", help="the owner")
    command.add_argument("--licence", default="", metavar="CODE", help="such as apache-2.0 or mit")
    command.add_argument(
        "--sort",
        choices=[order.value for order in SortOrder],
        default=SortOrder.TRENDING.value,
        help="sort order; trending by default",
    )
    command.add_argument("--no-token", action="store_true", help="do not send the access token")


def search_hub(
    context: StartupContext, *, words: Sequence[str], author: str, licence: str, sort: str, no_token: bool
) -> int:
    """Print a table of models. Returns 1 if there is none; raises ``FiresideError``."""
    from fireside.cli.engine_loop import EngineLoop
    from fireside.cli.exit_handling import SingleInterrupt
    from fireside.hub.model_search import search
    from fireside.main.network import build_access, build_secrets
    from fireside.settings.redaction import Redaction

    screen = Screen(output=sys.stdout, status=sys.stderr)
    query = ModelQuery(text=" ".join(words), author=author, licence=licence, sort=SortOrder(sort))
    with SingleInterrupt():
        access = build_access(context, build_secrets(context, redaction=Redaction()))
        with EngineLoop() as loop:
            if no_token:
                loop.wait(access.token.suspend())
            loop.wait(access.token.load())
        try:
            page = search(access.session, query)
        finally:
            access.close()
    if not page.models:
        screen.say("No results on Hugging Face. Try fewer words.\n")
        return 1
    screen.write(search_table(page))
    if page.next_page is not None:
        screen.say("There are more. Narrow the search with more words, --author or --licence.\n")
    screen.say(f"Download with: fireside pull {page.models[0].repo}\n")
    return 0


def search_table(page: HubSearchPage) -> str:
    """Return a table of search results."""
    return columns([_HEAD, *map(_search_row, page.models)], numbers=_NUMBERS)


def _search_row(model: HubSearchHit) -> tuple[str, ...]:
    notes = [
        *(["vision"] if model.sees_images else []),
        *(["audio"] if model.hears_audio else []),
        *([_PURPOSES[model.purpose]] if model.purpose in _PURPOSES else []),
        *(["gated"] if model.access is Access.GATED else []),
        *(["private"] if model.access is Access.PRIVATE else []),
    ]
    return (
        one_line(model.repo),
        _abbreviated(model.n_params),
        one_line(model.licence) or _UNKNOWN,
        f"{model.n_downloads:,}",
        model.updated_at.partition("T")[0] or _UNKNOWN,
        ", ".join(notes),
    )


def _abbreviated(n: int) -> str:
    """Return a number of parameters in the usual form: ``8.2B``, ``137M``."""
    for unit, scale in (("T", 10**12), ("B", 10**9), ("M", 10**6), ("K", 10**3)):
        if n >= scale:
            return f"{n / scale:.3g}{unit}"
    return str(n) if n else _UNKNOWN
