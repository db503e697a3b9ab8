"""Passages that were sent along with a question, for tests and pictures of answers that cite."""

from __future__ import annotations

from msgspec.structs import replace

from fireside.core.chat import StoredMessage
from fireside.core.collection import Citation, LineLocation, Location, PageLocation, Passage, Scores
from fireside.core.ids import CollectionId, SourceId
from fireside.core.message import PassagesPart

OIL = "The pump needs oil every spring. Use the thin one."
BELT = "A rattle is the belt: it has to be tightened by hand."
PRICE = "A new belt costs 12 euros."


def passage(text: str, *, name: str = "manual.pdf", location: Location | None = None) -> Passage:
    """Return a passage as a search finds it."""
    return Passage(
        collection_id=CollectionId("c"),
        source_id=SourceId(1),
        name=name,
        path=f"/home/user/House/{name}",
        content_hash="0" * 64,
        headings=("The pump", "Care"),
        location=location or PageLocation(page=3),
        char_from=0,
        char_to=len(text),
        text=text,
        scores=Scores(fused=0.03, words=4.2),
    )


def sent(*, problem: str = "") -> PassagesPart:
    """Return what was sent along with a question: three passages of two files."""
    found = (
        passage(OIL),
        passage(BELT, location=PageLocation(page=7)),
        passage(PRICE, name="prices.txt", location=LineLocation(first=10, last=24)),
    )
    citations = tuple(Citation(number=n, passage=each) for n, each in enumerate(found, start=1))
    return PassagesPart(question="What does the pump need?", citations=citations, problem=problem)


def with_passages(question: StoredMessage, part: PassagesPart) -> StoredMessage:
    """Return a question as it is stored once ``part`` was found for it."""
    message = question.message
    return replace(question, message=replace(message, parts=(part, *message.parts)))
