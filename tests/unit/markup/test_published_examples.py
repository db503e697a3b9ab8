"""The examples of CommonMark, GFM and the CJK-friendly amendments: same text, same structure, everywhere.

Where Fireside shows something else, the reason stands here.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from markdown_it import MarkdownIt

from fireside.markup import markdown, rich_text
from fireside.markup.block_stream import BlockKind, split_blocks
from fireside.services.transfer.markdown_html import FormulaHtml, MarkdownHtml
from unit.markup.outlines import Outline

_PUBLISHED: Final = Path(__file__).parent / "published"

_DEFINITION: Final = "A definition that no link uses is shown, and a second one of the same label."
_EMPTY: Final = "A heading or a quotation without content is text: it may be the whole answer."
_IMAGE: Final = "The description of an image is shown as it was written."
_SCHEME: Final = "Only web and mail addresses become links."
_BARE: Final = "An address without angle brackets is a link, as in GFM."
_INFO: Final = "The whole line above a code block is shown, not only its language."
_WWW: Final = "A www address becomes an https link, where GFM says http."
_TILDE: Final = "A single tilde means “about”; of three and more, two strike."
_SURPLUS: Final = "Surplus cells are joined to the last one, where GFM drops them."

KNOWN: Final = {
    "commonmark": {
        "12": r"\[ and \] delimit formulas.",
        **dict.fromkeys(("79", "239", "240"), _EMPTY),
        **dict.fromkeys(("143", "146"), _INFO),
        **dict.fromkeys(("204", "207", "208", "210", "317", "537", "538", "544", "545", "563"), _DEFINITION),
        **dict.fromkeys(("565", "567", "571", "592"), _DEFINITION),
        **dict.fromkeys(("520", "573", "574", "575", "576", "577", "585", "589"), _IMAGE),
        "484": "A link without text shows its address.",
        **dict.fromkeys(("602", "606", "608", "611", "612"), _BARE),
    },
    "gfm": {
        **dict.fromkeys(("spec 204", "extensions 8"), _SURPLUS),
        **dict.fromkeys([f"spec {number}" for number in range(621, 628)], _WWW),
        **dict.fromkeys(("extensions 19", "extensions 24", "extensions 25"), _WWW),
        "spec 628": _SCHEME,
        "spec 631": "A top-level domain has two letters at least.",
        **dict.fromkeys(("extensions 17", "extensions 18"), _TILDE),
        "extensions 20": "Its expected text is “ignore”.",
        "extensions 23": "A footnote stands where it was written, with its label.",
    },
    "cjk_friendly": {},
}
"""Why an example is shown differently, by its number."""

ONLY_IN_PAGE: Final = {"143", "146", "606"}
IN_WINDOW: Final = {"61": "A rule within a list is three asterisks."}


@cache
def _examples(suite: str) -> dict[str, tuple[str, str]]:
    document = json.loads((_PUBLISHED / f"{suite}.json").read_text(encoding="utf-8"))
    return {number: (source, expected) for number, source, expected in document["examples"]}


ALL: Final = [(suite, number) for suite in KNOWN for number in _examples(suite)]


@cache
def _has_html(example: tuple[str, str]) -> bool:
    suite, number = example
    source, _ = _examples(suite)[number]
    tokens = MarkdownIt("commonmark").enable("table").parse(source)
    kinds = {token.type for block in tokens for token in (block, *(block.children or ()))}
    return bool(kinds & {"html_block", "html_inline"})


@cache
def _renderer() -> MarkdownHtml:
    return MarkdownHtml(formulas=FormulaHtml())


def _window(source: str) -> str:
    return "".join(
        f'<p class="language">{html.escape(block.info)}</p><pre>{html.escape(block.body)}</pre>'
        if block.kind is BlockKind.CODE
        else block.body
        for block in split_blocks(source)
    ).replace(f"<li>{rich_text.NO_TEXT}", "<li>")


@pytest.fixture(autouse=True)
def any_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any address be a link: most examples have addresses like ``/url``, which Fireside does not link."""
    for module in (markdown, rich_text):
        monkeypatch.setattr(module, "safe_link", lambda url: True)  # noqa: ARG005


@pytest.mark.parametrize(("suite", "number"), [each for each in ALL if not _has_html(each)])
def test_an_example_is_shown_as_published(suite: str, number: str) -> None:
    source, expected = _examples(suite)[number]
    published = Outline(expected, as_shown=True)
    page, window = Outline(_renderer().render(source)), Outline(_window(source))
    if number in KNOWN[suite]:
        assert page.text != published.text, "this difference is gone: take it from the list"
        assert number in ONLY_IN_PAGE or window.inline != published.inline
        return
    assert page.text == published.text
    if number not in IN_WINDOW:
        assert window.inline == published.inline


@pytest.mark.parametrize(("suite", "number"), [each for each in ALL if _has_html(each)])
def test_html_is_shown_as_it_was_written(suite: str, number: str) -> None:
    source, _ = _examples(suite)[number]
    written = Counter(re.findall(r"[^\W_]+", html.unescape(source)))
    written -= Counter({"br": 1, "ref": 2})  # a break that is drawn, the label of a definition that is used
    written -= Counter(re.findall(r"</?(strong|em|del)>", source))  # tags that are drawn
    for shown in (_renderer().render(source), _window(source)):
        assert not written - Outline(shown).words
