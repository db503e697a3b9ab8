"""Artifacts are found in answers: fenced, indented, in lists, or standing in the text."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from fireside.core.artifacts import ArtifactKind
from fireside.markup.artifact_blocks import find_artifacts
from fireside.markup.block_stream import BlockKind, split_blocks

PUBLISHED = json.loads((Path(__file__).parent / "published" / "artifacts.json").read_text(encoding="utf-8"))
"""Blocks of the documents of npm packages (axios, express, fastify, htmx.org, jspdf, lodash, marked, mermaid,
papaparse, svgo, three, vega-lite; MIT, BSD and Apache licences), each with what a reader calls it."""
PICTURE = "<svg viewBox='0 0 9 9'>\n\n    <rect width='9' height='9'/>\n\n</svg>"
CODE = "\n".join(f"line_{n} = {n}" for n in range(20))


def test_blocks_of_published_documents_are_told_apart() -> None:
    text = "\n\n".join(f"````{row['info']}\n{row['text'].rstrip()}\n````" for row in PUBLISHED)
    kinds = Counter(artifact.kind.value for artifact in find_artifacts(text))
    assert kinds == Counter(row["kind"] for row in PUBLISHED if row["kind"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Here:\n\n```python\n{CODE}\n```\n\nDone.", [(ArtifactKind.CODE, CODE)]),
        (
            "1. First\n\n   ```python\n" + "".join(f"   {line}\n" for line in CODE.split("\n")) + "   ```\n",
            [(ArtifactKind.CODE, CODE)],
        ),
        (f"As asked:\n{PICTURE}\nThat is all.", [(ArtifactKind.SVG, PICTURE)]),
        (f"<?xml version='1.0'?>\n{PICTURE}\n```", [(ArtifactKind.SVG, f"<?xml version='1.0'?>\n{PICTURE}")]),
        ("The page:\n<html>\n<body>\n\n# x", [(ArtifactKind.HTML, "<html>\n<body>\n\n# x")]),
        ("<html> is the root of a page.\n\n# Next", []),
        ("- item\n\n  <html>\n  </html>\n\nAfter", [(ArtifactKind.HTML, "<html>\n</html>")]),
        (f"As asked:\n\n{PICTURE}\n\nThat is all.", [(ArtifactKind.SVG, PICTURE)]),
        (
            "<!DOCTYPE html>\n<html>\n\n<body>x</body>\n</html>",
            [(ArtifactKind.HTML, "<!DOCTYPE html>\n<html>\n\n<body>x</body>\n</html>")],
        ),
        ("<svg is an element.", []),
        (f"~~~python\r\n{CODE}", [(ArtifactKind.CODE, CODE)]),
        ('{"mark": "bar", "encoding": {}}', [(ArtifactKind.VEGA_LITE, '{"mark": "bar", "encoding": {}}')]),
        ("No code at all.", []),
    ],
)
def test_what_is_found_where(text: str, expected: list[tuple[ArtifactKind, str]]) -> None:
    assert [(each.kind, each.text) for each in find_artifacts(text)] == expected


PLAN = "# Plan\n\n## Template\n\n```text\nDONE: ...\nNOW: ...\n```\n\n## Notes\n\nx"
"""As models write it, from a report of another program (DEEIX-Chat #735)."""


@pytest.mark.parametrize("language", ["markdown", "md", "Markdown title=x"])
def test_a_document_with_code_within_marks_of_one_length_is_whole(language: str) -> None:
    (found,) = find_artifacts(f"Here:\n\n```{language}\n{PLAN}\n```\n\nDone.")
    assert (found.kind, found.text) == (ArtifactKind.MARKDOWN, PLAN)
    longer = f"````{language}\n{PLAN.replace('```text', '```')}\n````\n\nDone."
    assert [each.text for each in find_artifacts(longer)] == [PLAN.replace("```text", "```")]


def test_a_document_without_a_language_is_told_by_its_headings() -> None:
    # As Qwen2.5-Coder 0.5B has written it.
    text = "---\ntitle: birdwatch\n---\n\n## Structure\n\n- `birdwatch.py`\n\n## Features\n\n- Search\n- List"
    assert [each.kind for each in find_artifacts(f"```\n{text}\n```")] == [ArtifactKind.MARKDOWN]
    assert find_artifacts("```\n# Install\npip install x\n# Run\nx --all\n\n# Stop\nx end\n```") == ()


def test_a_block_begins_where_the_window_has_it() -> None:
    indented = CODE.replace("\n", "\n  ")
    item = f"- item\n\n  ```python\n  {indented}\n  ```"
    text = f"Intro\r\n\r\n> quoted\n\n{item}\n\n```js\n{CODE}\n```\n"
    shown = [block.start for block in split_blocks(text) if block.kind is BlockKind.CODE]
    assert [each.start for each in find_artifacts(text)] == shown


def test_what_the_user_worked_on_stays_whatever_its_form() -> None:
    text = "Short:\n\n```python\nx = 1\n```\n"
    assert find_artifacts(text) == ()
    assert [each.kind for each in find_artifacts(text, kept={8})] == [ArtifactKind.CODE]
