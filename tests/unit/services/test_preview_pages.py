"""Pages of what a model wrote: whole, under a policy, and nothing of the source leaves its place."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest

from fireside.core.web_preview import PreviewSource
from fireside.services.web_previews import page_of, standalone_page


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


NASTY = '"><script src=http://a/></script></iframe></script><!-- </pre> &quot; \u2028'


@pytest.mark.parametrize("kind", ["html", "svg", "mermaid"])
def test_a_standalone_page_has_its_policy_first_and_the_source_in_one_attribute(kind: str) -> None:
    page = standalone_page(PreviewSource(kind=kind, text=NASTY), title=NASTY, library="let a")
    tags = Tags(page).tags
    assert [tag for tag, _ in tags] == [
        "html",
        "head",
        "meta",
        "meta",
        "meta",
        "meta",
        "title",
        "style",
        "body",
        "iframe",
    ]
    (_, policy), (_, frame) = tags[2], tags[-1]
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert str(policy["content"]).startswith("default-src 'none'; script-src 'unsafe-inline'")
    assert frame["sandbox"] == "allow-scripts"
    assert frame["srcdoc"] == page_of(PreviewSource(kind=kind, text=NASTY), library="let a")


def test_the_lines_of_a_page_are_those_of_its_source() -> None:
    text = "<h1>a</h1>\n<script>\nfail()</script>"
    page = page_of(PreviewSource(kind="html", text=text))
    assert page.splitlines()[1:] == text.splitlines()[1:]
    assert page.splitlines()[0].endswith("<h1>a</h1>")


def test_the_text_of_a_diagram_is_never_markup() -> None:
    page = page_of(PreviewSource(kind="mermaid", text=NASTY), library="a</script>b")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 3
    assert scripts[1] == "a<\\/script>b"
    assert "http://a/" in scripts[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<link rel="preconnect" href="https://a">', '<link rel="no-preconnect" href="https://a">'),
        ("<LINK REL='Stylesheet DNS-prefetch'>", "<LINK REL='Stylesheet no-DNS-prefetch'>"),
        ("link.rel = 'preconnect'", "link.rel = 'no-preconnect'"),
        ("<p>What preconnect does</p>", "<p>What preconnect does</p>"),
    ],
)
def test_hints_that_no_policy_covers_are_taken_out_for_browsers(text: str, expected: str) -> None:
    assert expected in html.unescape(standalone_page(PreviewSource(kind="html", text=text), title=""))


def test_a_colour_that_is_none_is_not_written() -> None:
    page = page_of(PreviewSource(kind="svg", text="<svg/>", background="red;}</style>"))
    assert "background:#ffffff" in page
