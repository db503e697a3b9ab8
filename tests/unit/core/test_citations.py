"""What an answer cites is found by its number, never by luck."""

from __future__ import annotations

from fireside.core.citations import citation_marks, quotations
from fireside.core.collection import (
    Citation,
    LineLocation,
    PageLocation,
    Passage,
    RowLocation,
    location_text,
)
from fireside.core.ids import CollectionId, SourceId
from fireside.core.message import PassagesPart


def passage(text: str, *, name: str = "manual.md") -> Passage:
    return Passage(
        collection_id=CollectionId("c"),
        source_id=SourceId(1),
        name=name,
        path=f"/docs/{name}",
        content_hash="00",
        headings=("Care", "Filter"),
        location=LineLocation(first=3, last=9),
        char_from=0,
        char_to=len(text),
        text=text,
    )


CITATIONS = (
    Citation(number=1, passage=passage("Change the filter every six months, or sooner.")),
    Citation(number=2, passage=passage("The pump is\nquiet.", name="pump.md")),
)


def test_citation_numbers_have_their_positions() -> None:
    answer = "Every six months [1]. It is quiet [2, 1]; `a[2]` and [a link [1]](x) [1](http://x)."
    marks = citation_marks(answer, CITATIONS)
    assert [mark.number for mark in marks] == [1, 2, 1, 1]
    assert [answer[mark.start : mark.end] for mark in marks] == ["1", "2", "1", "1"]


def test_an_unknown_number_cites_no_passage() -> None:
    marks = citation_marks("So it is [3], and [12].", CITATIONS)
    assert [(mark.number, mark.citation) for mark in marks] == [(3, None), (12, None)]


def test_numbers_in_code_are_no_citations() -> None:
    assert citation_marks("```\nx[1]\n```\n`y[2]`", CITATIONS) == ()


def test_quotations_are_verified_word_by_word() -> None:
    answer = (
        'It says “change the filter every six months” [1] and "the filter lasts for years" [1], '
        "and “The pump is quiet” [2]; “six months” is short."
    )
    quoted = quotations(answer, CITATIONS)
    assert [answer[each.start : each.end] for each in quoted] == [
        "change the filter every six months",
        "the filter lasts for years",
        "The pump is quiet",
    ]
    assert [each.citation and each.citation.number for each in quoted] == [1, None, 2]


def test_of_two_passages_with_a_quotation_the_cited_one_is_chosen() -> None:
    same = (CITATIONS[0], Citation(number=2, passage=CITATIONS[0].passage))
    (quoted,) = quotations("“change the filter every six months” [2]", same)
    assert quoted.citation is not None
    assert quoted.citation.number == 2


def test_the_prompt_has_passages_with_numbers_and_locations() -> None:
    prompt = PassagesPart(question="filter?", citations=CITATIONS).prompt_text
    assert "[1] manual.md, lines 3–9 › Care › Filter\nChange the filter" in prompt
    assert "[2] pump.md" in prompt
    assert prompt.endswith("say so.\n\n")


def test_location_texts_are_short() -> None:
    assert location_text(PageLocation(page=3)) == "page 3"
    assert location_text(PageLocation(page=2, is_slide=True)) == "slide 2"
    assert location_text(LineLocation(first=4, last=4)) == "line 4"
    assert location_text(RowLocation(sheet="Costs", first=2, last=40)) == "Costs, rows 2–40"
