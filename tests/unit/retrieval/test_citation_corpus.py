"""Two hundred files of all formats: each citation opens the page, slide, row or line of its words."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from fakes.collections_harness import no_speech
from fakes.model_entries import starter_spec
from fireside.core.collection import Location, PageLocation, Passage, RowLocation
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.documents.extraction import read
from fireside.documents.page_rendering import render
from fireside.services.collections.collection_service import CollectionModels, CollectionService
from unit.documents.test_extraction import paragraph, pdf, word
from unit.documents.test_office import archived, relations, slide, workbook

N_EACH: Final = 20
"""Files of each format, ten formats."""
SEED: Final = 41
_WORDS: Final = [
    "the",
    "pump",
    "was",
    "opened",
    "and",
    "its",
    "seal",
    "changed",
    "before",
    "water",
    "ran",
    "again",
    "to",
    "every",
    "filter",
    "of",
    "a",
    "plant",
]


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A word that stands in one place of one file."""

    word: str
    position: int
    """Number of its page, slide, row or line, from 1."""


class Corpus:
    """Makes files; the words that are looked for are those of no other place."""

    def __init__(self) -> None:
        self.rng = random.Random(SEED)
        self.known: dict[str, list[Known]] = {}
        self._n = 0

    def sentence(self) -> str:
        return " ".join(self.rng.choices(_WORDS, k=self.rng.randrange(6, 14))).capitalize() + "."

    def prose(self, n: int) -> str:
        return " ".join(self.sentence() for _ in range(n))

    def marked(self, name: str, position: int) -> str:
        """Return a sentence with a word of its own, which stands at ``place``."""
        self._n += 1
        known = Known(word=f"zq{self._n}mark", position=position)
        self.known.setdefault(name, []).append(known)
        return f"{self.sentence()[:-1]} {known.word} {self.sentence()}"

    def places(self, n: int) -> set[int]:
        """Return which of the places from 1 to ``n`` have a word: the first, the last and some between."""
        return {1, n, *self.rng.sample(range(1, n + 1), k=min(n, 3))}

    def lines(self, name: str, n: int, *, form: Callable[[str], str] = str, before: int = 0) -> str:
        """Return lines of prose; those of ``before`` stand above them in the file."""
        places = self.places(n)
        return "\n".join(
            form(self.marked(name, line + before) if line in places else self.prose(self.rng.randrange(1, 5)))
            for line in range(1, n + 1)
        )


def text(corpus: Corpus, name: str) -> bytes:
    return corpus.lines(name, 90).encode()


def markdown(corpus: Corpus, name: str) -> bytes:
    parts: list[str] = []
    n_above = 0
    for number in range(1, 6):
        head = f"{'#' * corpus.rng.randrange(1, 4)} Part {number}\n\n"
        body = corpus.lines(name, corpus.rng.randrange(4, 30), before=n_above + 2) + "\n\n"
        parts.append(head + body)
        n_above += (head + body).count("\n")
    return "".join(parts).encode()


def code(corpus: Corpus, name: str) -> bytes:
    lines = []
    for number in range(1, 160):
        if number % 9 == 1:
            lines.append(f"def work_{number}(value):")
        else:
            lines.append(
                f"    # {corpus.marked(name, number) if number in (5, 86, 159) else corpus.sentence()}"
            )
    return "\n".join(lines).encode()


def table(corpus: Corpus, name: str) -> bytes:
    places = corpus.places(120)
    rows = [
        f"{row},{corpus.marked(name, row + 1) if row in places else corpus.sentence()},{row * 3}"
        for row in range(1, 121)
    ]
    return "\n".join(("number,what,sum", *rows)).encode()


def web_page(corpus: Corpus, name: str) -> bytes:
    return f"<html><body>{corpus.lines(name, 40, form='<p>{}</p>'.format)}</body></html>".encode()


def word_file(corpus: Corpus, name: str) -> bytes:
    return word(corpus.lines(name, 40, form=paragraph))


def chapters(corpus: Corpus, name: str) -> bytes:
    names = [f"c{number}.xhtml" for number in range(3)]
    return archived(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="a.opf"/></container>',
            "a.opf": "<package><manifest>"
            + "".join(f'<item id="{each}" href="{each}"/>' for each in names)
            + "</manifest><spine>"
            + "".join(f'<itemref idref="{each}"/>' for each in names)
            + "</spine></package>",
            **{
                each: f"<html><body>{corpus.lines(name, 12, form='<p>{}</p>'.format)}</body></html>"
                for each in names
            },
        }
    )


def pages(corpus: Corpus, name: str) -> bytes:
    n = corpus.rng.randrange(3, 12)
    places = corpus.places(n)
    return pdf(
        *(corpus.marked(name, page) if page in places else corpus.prose(3) for page in range(1, n + 1))
    )


def slides(corpus: Corpus, name: str) -> bytes:
    n = corpus.rng.randrange(3, 12)
    places = corpus.places(n)
    ids = [f"r{number}" for number in range(1, n + 1)]
    return archived(
        {
            "ppt/presentation.xml": '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>'
            + "".join(f'<p:sldId r:id="{each}"/>' for each in ids)
            + "</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(
                **{each: f"slides/slide{number}.xml" for number, each in enumerate(ids, start=1)}
            ),
            **{
                f"ppt/slides/slide{number}.xml": slide(
                    f"Slide {number}", corpus.marked(name, number) if number in places else corpus.prose(2)
                )
                for number in range(1, n + 1)
            },
        }
    )


def sheets(corpus: Corpus, name: str) -> bytes:
    def rows(first: int) -> Iterator[str]:
        yield '<row r="1"><c r="A1" t="inlineStr"><is><t>What</t></is></c></row>'
        for row in (2, 3, first, *range(first + 1, first + 40)):
            text = corpus.marked(name, row) if row in (2, first, first + 39) else corpus.sentence()
            yield f'<row r="{row}"><c r="A{row}" t="inlineStr"><is><t>{text}</t></is></c></row>'

    return workbook(Costs="".join(rows(5)), Stock="".join(rows(400)))


FORMATS: Final[Mapping[str, Callable[[Corpus, str], bytes]]] = {
    "txt": text, "md": markdown, "py": code, "csv": table, "html": web_page, "docx": word_file,
    "epub": chapters, "pdf": pages, "pptx": slides, "xlsx": sheets,
}  # fmt: skip
FLOWING: Final = ("html", "docx", "epub")
"""Their lines are those of the text that is found in them."""


async def no_model(texts: object, *, model_id: ModelId) -> list[list[float]]:
    raise AssertionError("no model was chosen")


async def no_vision_model(picture: bytes, *, media_type: str, model_id: ModelId) -> str:
    raise AssertionError("no model was chosen")


def spec_of(_: ModelId) -> ModelSpec:
    return starter_spec()


def holds(location: Location, position: int) -> bool:
    if isinstance(location, PageLocation):
        return location.page <= position <= (location.last or location.page)
    return location.first <= position <= location.last


def test_each_citation_opens_at_its_text(tmp_path: Path) -> None:
    corpus = Corpus()
    for ending, make in FORMATS.items():
        for number in range(N_EACH):
            path = tmp_path / "docs" / ending / f"{number}.{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(make(corpus, path.name))

    async def scenario() -> None:
        service = CollectionService(
            database_path=tmp_path / "collections.db",
            read=lambda requests: map(read, requests),
            is_answering=lambda: False,
            limits=lambda: (4, 0),
            models=CollectionModels(no_model, no_vision_model, no_speech, spec_of),
            render=render,
            emit=lambda _: None,
        )
        collection = await service.create(name="All", roots=[str(tmp_path / "docs")])
        await service.catch_up(collection.id)
        assert (await service.state(collection.id)).n_searchable == N_EACH * len(FORMATS)
        wrong = []
        for name, text in corpus.known.items():
            for known in text:
                matches = await service.search(known.word, collection_ids=[collection.id])
                wrong += [
                    f"{name}: {known}: {what}"
                    for what in await problems(service, matches.passages, name, known)
                ]
        assert not wrong
        await service.close()

    asyncio.run(scenario())


async def problems(
    service: CollectionService, passages: tuple[Passage, ...], name: str, known: Known
) -> list[str]:
    """Return what is not as it should be of the passages that have a known word."""
    matches = []
    if not passages:
        return ["not found"]
    for passage in passages:
        opened = await service.text_around(passage)
        marked = opened.text[opened.mark_from : opened.mark_to]
        line = opened.first_line + opened.text[: opened.text.find(known.word)].count("\n")
        position = passage.location
        if passage.name != name or known.word not in marked or opened.has_changed:
            matches.append(f"opens {passage.location_text}: {marked[:80]!r}")
        elif isinstance(position, PageLocation | RowLocation) and not holds(position, known.position):
            matches.append(f"stands in {passage.location_text}")
        elif not isinstance(position, PageLocation | RowLocation) and not (
            holds(position, line) and (name.endswith(FLOWING) or line == known.position)
        ):
            matches.append(f"stands in {passage.location_text}, shown in line {line}")
    return matches
