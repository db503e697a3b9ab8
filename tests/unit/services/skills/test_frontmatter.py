"""Frontmatter as it is found in public skills, and as someone hostile would write it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.services.skills.frontmatter import read_skill_text

# Each is written like a file of a public repository; what is odd about it comes first.
ODD = {
    "a colon without quotes": (
        "name: django\ndescription: Verification for Django: migrations, tests",
        {"name": "django", "description": "Verification for Django: migrations, tests"},
    ),
    "a colon in a value that goes on": (
        'name: grill\ndescription:\n  Asks "is it done". Pairs with the design skill: grill\n  first',
        {"name": "grill", "description": 'Asks "is it done". Pairs with the design skill: grill first'},
    ),
    "a colon in quotes within": (
        "name: mama\ndescription: Triggers on: '/pua:mama', '/pua mama'",
        {"name": "mama", "description": "Triggers on: '/pua:mama', '/pua mama'"},
    ),
    "a folded text": (
        "name: a\ndescription: >-\n  Two\n  lines: one text\nlicense: MIT",
        {"name": "a", "description": "Two lines: one text", "license": "MIT"},
    ),
    "a folded text beside an invalid line": (
        "name: a\ndescription: >\n  Two\n  lines\nversion: see: there",
        {"name": "a", "description": "Two lines", "version": "see: there"},
    ),
    "lists and mappings": (
        "name: a\nallowed-tools: [Read, Bash]\nmetadata:\n  author: Ann\n  tags: [x, y]",
        {"name": "a", "allowed-tools": "Read, Bash", "metadata": "author: Ann, tags: x, y"},
    ),
    "what looks like another type": (
        "name: on\nversion: 1.10\ndescription: 2024-01-01\nmetadata: ~",
        {"name": "on", "version": "1.10", "description": "2024-01-01", "metadata": "~"},
    ),
    "a tab": ("name: a\n\tdescription: x", {"name": "a description: x"}),
    "a template's braces": (
        "name: {{name}}\ndescription: Does {{what}}",
        {"name": "{{name}}", "description": "Does {{what}}"},
    ),
    "an at sign": ("name: a\ndescription: @you asks", {"name": "a", "description": "@you asks"}),
    "a quote that ends too early": (
        'name: a\ndescription: "Says" what it does',
        {"name": "a", "description": '"Says" what it does'},
    ),
    "a key twice": ("name: a\nname: b", {"name": "b"}),
    "an asterisk": ("name: a\ndescription: *all* tables", {"name": "a", "description": "*all* tables"}),
    "comments and empty lines": (
        "# by me\nname: a\n\ndescription: x # no",
        {"name": "a", "description": "x"},
    ),
}


@pytest.mark.parametrize("odd", ODD)
def test_what_is_found_in_the_wild_is_read(odd: str) -> None:
    header, fields = ODD[odd]
    parts = read_skill_text(f"---\n{header}\n---\n\n# Do it\n\nSo.\n")
    assert (parts.fields, parts.body) == (fields, "# Do it\n\nSo.")


@pytest.mark.parametrize(
    ("text", "fields", "body"),
    [
        ("\ufeff---\r\nname: a\r\n---\r\nText\r\n", {"name": "a"}, "Text"),
        ("\n\n---\nname: a\n---   \nText", {"name": "a"}, "Text"),
        ("---\nname: a\n...\nText", {"name": "a"}, "Text"),
        ("# Only text\n\n---\nname: a\n---", {}, "# Only text\n\n---\nname: a\n---"),
        ("---\nname: a\nwithout an end", {}, "---\nname: a\nwithout an end"),
        ("---\n---\nText", {}, "Text"),
        ("", {}, ""),
    ],
)
def test_where_the_frontmatter_ends(text: str, fields: dict[str, str], body: str) -> None:
    parts = read_skill_text(text)
    assert (parts.fields, parts.body) == (fields, body)


BOMBS = {
    "aliases": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nname: *c",
    "depth": "name: " + "[" * 50_000,
    "depth of mappings": "name: " + "{a: " * 20_000,
    "blocks": "name:\n" + "\n".join(" " * n + "-" for n in range(1, 300)),
    "values": "name: [" + "x, " * 20_000 + "]",
    "an object": "name: !!python/object/apply:os.system [echo]",
    "a key without end": "? " * 10_000,
    "a text without end": 'name: "' + "x" * 60_000,
    "merged": "base: &base {a: b}\nname: {<<: *base}",
    "many keys": "\n".join(f"a{n}: b" for n in range(20_000)),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_takes_no_time_and_no_memory(bomb: str) -> None:
    started = time.process_time()
    parts = read_skill_text(f"---\n{BOMBS[bomb]}\n---\nText")
    assert time.process_time() - started < 5
    assert sum(map(len, parts.fields.values())) <= 100_000
    assert parts.body == "Text"


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for each in (text, f"---\n{text}\n---\nrest", f"---\nname: {text}"):
        parts = read_skill_text(each)
        assert all(isinstance(value, str) for value in parts.fields.values())
