"""Pages of PDF files: drawn with boxes over the passage, bounded, and ended in words."""

from __future__ import annotations

import asyncio
import io
import random
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image
from pypdf import PdfWriter

from fakes.children import child_environment
from fakes.collections_harness import CollectionsHarness
from fakes.passages import passage
from fakes.pdf_files import LEFT, LINE, SIZE, TOP, pdf_file, pdf_with_content
from fakes.raised import refuses
from fireside.core.collection import PageLocation
from fireside.core.i18n import render as words_of
from fireside.documents.page_messages import MAX_PIXELS, PageReply, PageRequest
from fireside.documents.page_rendering import render
from fireside.engine.processes.guarded_process import ProcessLimits
from fireside.services.collections.page_renderer import PageRenderer, render_passage_page

PAGES = (
    ("The first page is about roofs.", "It has red tiles."),
    ("The pump needs oil every spring.", "Use the thin one: 0.3 litres are enough.", "A rattle is the belt."),
    ("Nothing of the kind.",),
)
OIL = "The pump needs oil every\nspring. Use the thin one: 0.3 litres are enough."


def drawn(data: bytes, *, page: int = 2, width: int = 840, passage: str = OIL) -> PageReply:
    reply = render(PageRequest(data=data, page=page, width=width, passage=passage))
    assert not reply.problem, words_of(reply.problem)
    return reply


def ink_outside(reply: PageReply) -> int:
    """Return how many dark pixels of a page no box covers, and leave none that a box has."""
    picture = Image.open(io.BytesIO(reply.image)).convert("L")
    width, height = picture.size
    for box in reply.boxes:
        left, top = round(box.left * width), round(box.top * height)
        picture.paste(255, (left, top, round(box.right * width + 1), round(box.bottom * height + 1)))
    return sum(picture.histogram()[:128])


def test_boxes_lie_over_the_passage_line_by_line() -> None:
    reply = drawn(pdf_file(PAGES))
    assert (reply.page, reply.n_pages) == (2, 3)
    assert "A rattle is the belt." in reply.text
    first, second = reply.boxes
    assert first.left == pytest.approx(LEFT / SIZE[0], abs=0.01)
    assert first.bottom == pytest.approx(1 - TOP / SIZE[1], abs=0.01)
    assert second.bottom == pytest.approx(1 - (TOP - LINE) / SIZE[1], abs=0.01)
    assert 0.0 < first.top < first.bottom < second.bottom < 1.0
    without_stop = drawn(pdf_file([[PAGES[1][0], PAGES[1][1].rstrip(".")]]), page=1)
    assert second.right > without_stop.boxes[1].right
    of_rest = drawn(pdf_file([PAGES[1][2:]]), page=1, passage="")
    assert ink_outside(reply) == pytest.approx(ink_outside(of_rest), rel=0.1)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_cover_all_ink_of_the_passage_however_the_page_is_turned(rotation: int) -> None:
    reply = drawn(pdf_file([PAGES[1][:2]], rotation=rotation), page=1)
    assert ink_outside(drawn(pdf_file([PAGES[1][:2]], rotation=rotation), page=1, passage="")) > 500
    assert ink_outside(reply) < 30


def test_a_passage_with_values_of_a_form_is_marked_around_them() -> None:
    data = pdf_file([("Name of the owner", "Country of birth")])
    reply = drawn(data, page=1, passage="Name of the owner [name: Zoë]\nCountry of birth [x] France")
    assert len(reply.boxes) == 2
    assert ink_outside(reply) < 30


def test_letters_that_are_printed_twice_are_marked() -> None:
    data = pdf_with_content(
        "BT /F1 12 Tf 1 0 0 1 40 500 Tm (Maintenance) Tj 1 0 0 1 40.4 500 Tm (Maintenance) Tj ET"
    )
    assert len(drawn(data, page=1, passage="Maintenance").boxes) == 1


def by_letters(*lines: tuple[str, int, int], turn: str = "1 0 0 1") -> bytes:
    """Return a page where each letter is a run of its own, as Qt and others write kerned text: each line with
    the position of its first letter."""
    runs = []
    for text, left, top in lines:
        for index, letter in enumerate(text):
            along = 7 * index
            x, y = (left, top + along) if turn == "0 1 -1 0" else (left + along, top + index % 2)
            runs.append(f"{turn} {x} {y} Tm ({letter}) Tj")
    return pdf_with_content(f"BT /F1 12 Tf {' '.join(runs)} ET")


@pytest.mark.parametrize("turn", ["1 0 0 1", "0 1 -1 0"])
def test_runs_of_one_letter_are_marked_as_one_line(turn: str) -> None:
    lines = (("Pumps need oil", 40, 100), ("each spring.", 60, 80))
    reply = drawn(by_letters(*lines, turn=turn), page=1, passage="Pumps need oil each spring.")
    assert len(reply.boxes) == 2
    long_sides = [max(box.right - box.left, box.bottom - box.top) for box in reply.boxes]
    assert min(long_sides) > 0.1
    assert ink_outside(reply) < 30


def test_lines_of_two_columns_are_marked_apart() -> None:
    left, right = (
        (("Pumps need", 40, 500), ("oil each", 40, 480)),
        (("spring, then", 240, 500), ("a belt.", 240, 480)),
    )
    reply = drawn(by_letters(*left, *right), page=1, passage="Pumps need oil each spring, then a belt.")
    assert len(reply.boxes) == 4
    assert all(box.right < 0.5 or box.left > 0.5 for box in reply.boxes)


def test_a_passage_over_two_pages_is_marked_on_the_first() -> None:
    reply = drawn(pdf_file(PAGES), page=3, passage=f"{OIL}\nNothing of the kind.")
    assert len(reply.boxes) == 1
    assert drawn(pdf_file(PAGES), page=1).boxes == ()


def test_pixels_are_bounded_and_the_page_number_is_clamped() -> None:
    reply = drawn(pdf_file(PAGES), page=99, width=10**9)
    assert reply.page == 3
    width, height = Image.open(io.BytesIO(reply.image)).size
    assert width * height <= MAX_PIXELS * 1.01


def test_locked_and_damaged_files_give_a_reason() -> None:
    writer = PdfWriter(io.BytesIO(pdf_file(PAGES)))
    writer.encrypt("secret")
    locked = io.BytesIO()
    writer.write(locked)
    reply = render(PageRequest(data=locked.getvalue(), page=1, width=100))
    assert words_of(reply.problem) == "it is protected by a password."
    for data in (b"", b"%PDF-1.7\nnothing", b"no PDF at all"):
        assert render(PageRequest(data=data, page=1, width=100)).problem


def test_a_timeout_and_a_crash_give_a_reason() -> None:
    def of(script: str, **limits: float) -> str:
        rendering = PageRenderer(
            environment=child_environment(),
            command=(sys.executable, "-c", script),
            limits=ProcessLimits(time_s=limits.get("time_s", 20.0), reply_bytes=1000),
        )
        return words_of(rendering(PageRequest(data=b"x", page=1, width=1)).problem)

    assert of("import threading; threading.Event().wait()", time_s=0.2) == "showing it takes too long."
    assert of("import os; os.abort()") == "it is damaged, or too complex to be shown."
    assert of("print('x' * 5000)") == "showing it takes too much memory."


def test_the_process_that_the_program_ships_draws_a_page() -> None:
    rendering = PageRenderer(environment=child_environment())
    reply = rendering(PageRequest(data=pdf_file(PAGES), page=2, width=420, passage=OIL))
    assert reply.boxes
    assert Image.open(io.BytesIO(reply.image)).size[0] == 420


def test_a_changed_or_missing_file_is_not_shown_for_a_citation(tmp_path: Path) -> None:
    path = tmp_path / "pump.pdf"
    cited = replace(passage(OIL), path=str(path))

    def reason() -> str:
        with refuses("page_unreadable") as caught:
            asyncio.run(render_passage_page(cited, page=1, width=100, sentences=(), render=render))
        return caught.value.sentence().partition(": ")[2]

    assert reason()
    path.write_bytes(pdf_file(PAGES))
    assert reason() == "it has changed since."


def test_every_citation_of_two_hundred_pages_is_marked_on_its_page(tmp_path: Path) -> None:
    async def scenario() -> None:
        harness = CollectionsHarness(tmp_path)
        for n in range(20):
            pages = [
                [f"Part {n}-{page} of the catalogue.", f"It weighs {n * 100 + page} grams and costs nothing."]
                for page in range(10)
            ]
            (harness.docs / f"catalogue {n}.pdf").write_bytes(pdf_file(pages))
        collection = await harness.collection()
        n_right = 0
        for n in range(20):
            for page in range(10):
                text = f"Part {n}-{page} weighs {n * 100 + page} grams"
                result = await harness.service.search(text, collection_ids=[collection.id], limit=50)
                best = next(each for each in result.passages if f"weighs {n * 100 + page} grams" in each.text)
                location = best.location
                assert isinstance(location, PageLocation)
                rendered = await harness.service.page(best, page=page + 1, width=100)
                stands = location.page <= page + 1 <= (location.last or location.page)
                n_right += stands and rendered.number == page + 1 and len(rendered.boxes) >= 2
        await harness.service.close()
        assert n_right == 200

    asyncio.run(scenario())


_ALL_OF_THEM = """
import sys
from fireside.documents.page_messages import PageRequest, decode_request
from fireside.documents.page_rendering import render
data = sys.stdin.buffer.read()
import msgspec
for n, mutant in enumerate(msgspec.msgpack.decode(data)):
    reply = render(PageRequest(data=mutant, page=2, width=200, passage="The pump needs oil"))
    assert bool(reply.problem) != bool(reply.image)
    print(n, flush=True)
"""


def test_three_hundred_mutants_stall_and_crash_nothing() -> None:
    import msgspec

    whole, chance = pdf_file(PAGES), random.Random(19)
    mutants = []
    for _ in range(300):
        mutant = bytearray(whole)
        for _ in range(chance.randint(1, 20)):
            mutant[chance.randrange(len(mutant))] = chance.randrange(256)
        mutants.append(bytes(mutant[: chance.randint(len(mutant) // 2, len(mutant))]))
    ended = subprocess.run(
        [sys.executable, "-c", _ALL_OF_THEM],
        input=msgspec.msgpack.encode(mutants),
        env=child_environment(),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr.decode()[-500:]
    assert len(ended.stdout.splitlines()) == 300
