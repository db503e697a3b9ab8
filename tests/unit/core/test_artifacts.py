"""What is a thing of its own is told by its form, and what is a version of what by name and likeness."""

from __future__ import annotations

import time

import pytest

from fireside.core.artifacts import (
    Artifact,
    ArtifactKind,
    ArtifactNotes,
    ArtifactPlace,
    FoundArtifact,
    WrittenVersion,
    artifact_kind,
    artifacts_of,
    file_name_of,
    language_of,
)
from fireside.core.ids import MessageId

PAGE = "<!DOCTYPE html>\n<html><head><title>Budget</title></head><body></body></html>"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
CHART = '{"mark": "bar", "data": {"url": "x.csv"}, "encoding": {"x": {"field": "a"}}}'
TABLE = "day,city,rain\n1,Bonn,3\n2,Bonn,0\n3,Trier,7"
LONG = "\n".join(f"def step_{n}(): return {n}" for n in range(20))


@pytest.mark.parametrize(
    ("info", "text", "kind"),
    [
        ("html", PAGE, ArtifactKind.HTML),
        ("", PAGE, ArtifactKind.HTML),
        ("html", "<b>bold</b>", None),
        ("xml", f"<?xml version='1.0'?>\n<!-- drawn -->\n{PICTURE}", ArtifactKind.SVG),
        ("html", PICTURE, ArtifactKind.SVG),
        ("svg", PICTURE[:60], None),
        ("json", CHART, ArtifactKind.VEGA_LITE),
        ("json", '{"$schema": "https://vega.github.io/schema/vega-lite/v5.json"}', ArtifactKind.VEGA_LITE),
        ("json", '{"mark": 1, "other": {"encoding": 2}}', None),
        ("csv", TABLE, ArtifactKind.CSV),
        ("", TABLE, ArtifactKind.CSV),
        ("", "Well, this is, I think,\nno table, but\nprose, of, commas\nand lines", None),
        ("csv", "a,b", None),
        ("mermaid", "flowchart LR\n  a --> b", ArtifactKind.MERMAID),
        ("text", "sequenceDiagram\n  A->>B: hello", ArtifactKind.MERMAID),
        ("", "graph of the function\nand more", None),
        ("markdown", "# Plan\n\n1. a\n2. b\n3. c\n4. d\n5. e", ArtifactKind.MARKDOWN),
        ("python", LONG, ArtifactKind.CODE),
        ("python", LONG[:100], None),
        ("python app.py", "\n".join(LONG.split("\n")[:5]), ArtifactKind.CODE),
        ("console", LONG, None),
        ("", LONG, None),
        ("diff", LONG, None),
        ("html", " \n", None),
    ],
)
def test_an_artifact_is_told_by_its_form(info: str, text: str, kind: ArtifactKind | None) -> None:
    assert artifact_kind(info, text) is kind


@pytest.mark.parametrize(
    ("info", "text", "above", "name"),
    [
        ('html title="My budget"', PAGE, "", "My budget"),
        ("python filename=src/app.py", "x", "", "src/app.py"),
        ("python:src/app.py", "x", "", "src/app.py"),
        ("src/app.py", "x", "", "src/app.py"),
        ("js", "x", "**`server/index.js`**:", "server/index.js"),
        ("js", "x", "### 2. index.js", ""),
        ("js", "x", "1. index.js", "index.js"),
        ("js", "x", "Then look at index.js and change it", ""),
        ("py", "#!/usr/bin/env python\n# app.py\nx", "", "app.py"),
        ("css", "/* style.css */\nx", "", "style.css"),
        ("js", "// Both 0.x and 1.x\nx", "", ""),
        ("js", "// works since 1.x\nx", "", ""),
    ],
)
def test_an_artifact_is_called_what_its_answer_calls_it(info: str, text: str, above: str, name: str) -> None:
    assert file_name_of(info, text, line_above=above) == name


@pytest.mark.parametrize(
    ("info", "language"),
    [("Python", "python"), ("python:src/app.py", "python"), ("app.py", "py"), ("{.r echo=F}", ""), ("", "")],
)
def test_the_language_of_a_fence(info: str, language: str) -> None:
    assert language_of(info) == language


def found(
    text: str, *, name: str = "", kind: ArtifactKind = ArtifactKind.CODE, start: int = 0
) -> FoundArtifact:
    return FoundArtifact(kind=kind, language="python", name=name, text=text, start=start)


def versions(*answers: list[FoundArtifact]) -> list[list[int]]:
    """Return for each artifact the numbers of the answers that have its versions."""
    artifacts = artifacts_of((MessageId(n), float(n), found) for n, found in enumerate(answers, 1))
    return [[version.place.message_id for version in artifact.versions] for artifact in artifacts]


OTHER = "\n".join(f"class Form{n}: pass" for n in range(20))
CHANGED = LONG.replace("step_3()", "third_step()") + "\nprint(step_1())"


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([[found(LONG)], [found(CHANGED)]], [[1, 2]]),
        ([[found(LONG)], [found(OTHER)]], [[1], [2]]),
        ([[found(LONG, name="a.py")], [found(OTHER, name="A.py")]], [[1, 2]]),
        ([[found(LONG, name="a.py")], [found(CHANGED, name="b.py")]], [[1], [2]]),
        ([[found(LONG, name="a.py")], [found(CHANGED)], [found(CHANGED, name="a.py")]], [[1, 2, 3]]),
        ([[found(LONG), found(CHANGED, start=900)]], [[1], [1]]),
        ([[found(LONG, name="a.py"), found(OTHER, name="a.py", start=900)]], [[1, 1]]),
        ([[found(LONG)], [found(LONG, kind=ArtifactKind.MARKDOWN)]], [[1], [2]]),
        (
            [[found(LONG), found(OTHER, start=900)], [found(OTHER), found(CHANGED, start=900)]],
            [[1, 2], [1, 2]],
        ),
        (
            [
                [found("# Plan\n\nWe shall see.", kind=ArtifactKind.MARKDOWN)],
                [found("# Plan\n\nAll is written anew here.", kind=ArtifactKind.MARKDOWN)],
            ],
            [[1, 2]],
        ),
    ],
)
def test_what_is_a_version_of_what(answers: list[list[FoundArtifact]], expected: list[list[int]]) -> None:
    assert versions(*answers) == expected


def test_a_change_within_one_line_of_tags_is_a_version() -> None:
    changed = PICTURE.replace("<rect", '<circle r="3" cx="4" cy="4"/><rect')
    assert versions([found(PICTURE, kind=ArtifactKind.SVG)], [found(changed, kind=ArtifactKind.SVG)]) == [
        [1, 2]
    ]


def test_edits_of_the_user_are_versions_in_the_order_of_time() -> None:
    place = ArtifactPlace(message_id=MessageId(1), start=0)
    edits = (WrittenVersion(text="mine", created_at=1.5), WrittenVersion(text="mine again", created_at=9.0))
    notes = {MessageId(1): [ArtifactNotes(start=0, title="Steps", draft="not done", edits=edits)]}
    answers = [(MessageId(1), 1.0, [found(LONG)]), (MessageId(2), 2.0, [found(CHANGED)])]
    (artifact,) = artifacts_of(answers, notes)
    assert [version.text for version in artifact.versions] == [LONG, "mine", CHANGED, "mine again"]
    assert (artifact.title, artifact.place, artifact.index_of(place)) == ("Steps", place, 0)
    assert (artifact.draft, artifact.draft_place) == ("not done", place)


@pytest.mark.parametrize(
    ("kind", "language", "title", "name", "expected"),
    [
        (ArtifactKind.CODE, "python", "", "src/app.py", "app.py"),
        (ArtifactKind.CODE, "python", "", "", "code.py"),
        (ArtifactKind.HTML, "html", "My <budget>: 2026?", "", "My budget 2026.html"),
        (ArtifactKind.VEGA_LITE, "json", "../../etc", "", "etc.vl.json"),
        (ArtifactKind.CSV, "tsv", "", "", "csv.tsv"),
    ],
)
def test_the_name_of_its_file(
    kind: ArtifactKind, language: str, title: str, name: str, expected: str
) -> None:
    (one,) = artifacts_of([(MessageId(1), 1.0, [found("x")])])
    artifact = Artifact(kind=kind, language=language, title=title, name=name, versions=one.versions)
    assert artifact.file_name == expected


@pytest.mark.parametrize(
    "text",
    [
        "<!-- a -->\n" * 50_000,
        "\n" * 200_000 + "x",
        "%%\n" * 60_000,
        "<?xml " * 50_000,
        "-,|;\t" * 40_000,
        "<title>" * 40_000,
    ],
)
def test_hostile_text_costs_no_time(text: str) -> None:
    began = time.process_time()
    for info in ("", "html", "json", "csv", "mermaid"):
        artifact_kind(info, text)
        file_name_of(info, text, line_above=text[:100])
    artifacts_of([(MessageId(1), 1.0, [found(text, kind=kind) for kind in ArtifactKind])])
    assert time.process_time() - began < 2
