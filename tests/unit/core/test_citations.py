"""What an answer cites is found by its number, never by luck."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.citations import citation_marks, cited_sentences, matching_sentences, quotations
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


CONNECTIONS = """max_connections (integer)

Determines the maximum number of concurrent connections to the database server. The default is typically 100
connections, but might be less if your kernel settings will not support it. This parameter can only be set at
server start.

- On a standby server it must have the same or a higher value than on the primary.
- Otherwise, queries will not be allowed.
"""


def cited(answer: str, text: str, *, rows: bool = False) -> list[str]:
    """Return the first and last words of each sentence of a passage that is marked for an answer."""
    found = passage(text)
    if rows:
        found = msgspec.structs.replace(found, location=RowLocation(first=1, last=9))
    ends = cited_sentences(answer, Citation(number=1, passage=found))
    return [text[start:end] for start, end in ends]


def starts(sentences: list[str]) -> list[str]:
    return [" ".join(sentence.split()[:3]) for sentence in sentences]


def test_the_sentence_that_a_statement_rests_on_is_found() -> None:
    assert starts(cited("PostgreSQL allows 100 connections by default [1].", CONNECTIONS)) == [
        "The default is"
    ]
    assert starts(cited("It has effect at the next start of the server. [1]", CONNECTIONS)) == [
        "This parameter can"
    ]
    assert starts(cited("By default 100 [1]. The standby needs a higher value [2][1].", CONNECTIONS)) == [
        "The default is",
        "- On a",
    ]
    assert starts(cited("Queries are not allowed otherwise [2]. It is 100 by default [1].", CONNECTIONS)) == [
        "The default is"
    ]
    assert cited("Das hat nichts gemein [1].", CONNECTIONS) == []
    assert cited("A sentence without a citation. Default: 100.", CONNECTIONS) == []


def test_one_word_in_common_is_no_reason_to_mark_a_sentence() -> None:
    cited = Citation(
        number=1, passage=passage("# Care of the pump\n\nIt is green. Pour in 0.3 litres of oil.")
    )
    assert cited_sentences("A rattle is the belt, which has to be tightened by hand [1].", cited) == ()
    (span,) = cited_sentences("Pour 0.3 litres of oil in [1]. A rattle is the belt, by hand [1].", cited)
    assert cited.passage.text[slice(*span)] == "Pour in 0.3 litres of oil."
    assert matching_sentences(cited.passage, "oil"), "a word that is searched for is enough"


def test_a_row_of_a_table_is_a_sentence() -> None:
    table = (
        "Limit | Value\n---|---\ncolumns per table | 1,600\nfield size | 1 GB\nidentifier length | 63 bytes\n"
    )
    assert cited("A field may have 1 GB [1].", table) == ["field size | 1 GB"]
    assert cited("Oslo has 700 bicycles [1].", "city,bicycles\nBergen,300\nOslo,700\n", rows=True) == [
        "Oslo,700"
    ]


def test_sentences_without_spaces_are_found() -> None:
    text = "泵每年春天需要油。过滤器每六个月更换一次。屋顶是绿色的。"
    assert cited("过滤器要每六个月更换[1]。", text) == ["过滤器每六个月更换一次。"]


@given(st.text(max_size=300), st.text(max_size=200))
def test_marked_sentences_are_ranges_of_the_passage_in_order(text: str, statement: str) -> None:
    end = 0
    for start, next_end in matching_sentences(passage(text), statement):
        assert end <= start < next_end <= len(text)
        end = next_end


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
