"""The text of a README, and the address of a licence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.hub.model_page import MAX_CARD_BYTES, card_text, licence_address

PAGE = "https://hub.example/acme/x"
COMMIT = "c" * 40


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"# Hello\n", "# Hello"),
        (b"---\nlicense: mit\n---\n\n# Hello", "# Hello"),
        (b"\xef\xbb\xbf---\r\nlicense: mit\r\n---\r\n# Hello\r\nyou", "# Hello\nyou"),
        (b"---\nlicense: mit\n---", ""),
        (b"---\nnever ends\n# Hello", "---\nnever ends\n# Hello"),
        (b"# Hello\n---\nx: y\n---\n", "# Hello\n---\nx: y\n---"),
        (b"--- x\nlicense: mit\n---\nHello", "--- x\nlicense: mit\n---\nHello"),
        (b"a\x00b\x07c\td", "abc\td"),
        (b"a\xffb", "a\ufffdb"),
        ("a\u202efgg.exe\u2067b\u200f".encode(), "a\ufffdfgg.exe\ufffdb\u200f"),
    ],
)
def test_a_readme_is_read_without_its_front_matter(content: bytes, text: str) -> None:
    assert card_text(content) == text


@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_readme_becomes_text_without_control_characters(content: bytes) -> None:
    assert not {character for character in card_text(content) if character < " "} - {"\n", "\t"}


def test_a_readme_of_horizontal_rules_is_read_in_linear_time() -> None:
    assert card_text(b"---\n" + b"a: b\n" * MAX_CARD_BYTES).startswith("---")


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("https://acme.example/licence", "https://acme.example/licence"),
        ("LICENSE", f"{PAGE}/blob/{COMMIT}/LICENSE"),
        ("docs/My Licence.md", f"{PAGE}/blob/{COMMIT}/docs/My%20Licence.md"),
        ("", ""),
        ("javascript:alert(1)", ""),
        ("file:///etc/passwd", ""),
        ("//elsewhere.example/x", ""),
        ("../../elsewhere", ""),
        ("https://hub.example@elsewhere.example/", ""),
        ("https://", ""),
        ("http://[", ""),
        ("https://acme.example/a b", ""),
    ],
)
def test_a_licence_address_is_a_web_page_or_empty(link: str, address: str) -> None:
    assert licence_address(link, page=PAGE, commit=COMMIT) == address
