"""Pages and images without text are read once by the chosen vision model, and marked."""

from __future__ import annotations

import asyncio
import io
import os

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from fakes.collections_harness import CollectionsHarness
from fakes.pdf_files import pdf_file
from fireside.core.collection import Activity, Collection, Passage
from fireside.core.errors import RunnerCrashed
from fireside.core.ids import ModelId
from fireside.core.message import PassagesPart

EYES, OTHER = ModelId("eyes"), ModelId("other")


def image(colour: str = "teal") -> Image.Image:
    return Image.new("RGB", (60, 40), colour)


def scanned(n_pages: int) -> bytes:
    """Return a PDF file with this many scanned pages."""
    first, *others = (image(f"#{n:02}{n:02}90") for n in range(10, 10 + n_pages))
    written = io.BytesIO()
    first.save(written, "PDF", save_all=True, append_images=others)
    return written.getvalue()


def mixed() -> bytes:
    """Return a PDF file of three pages: text, an image, an empty page."""
    writer = PdfWriter()
    for file in (pdf_file([["The walrus sleeps."]]), scanned(1)):
        writer.append(PdfReader(io.BytesIO(file)))
    writer.add_blank_page(100, 100)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


async def new_collection(harness: CollectionsHarness, *, by: ModelId | None = EYES) -> Collection:
    collection = await harness.collection()
    await harness.service.choose_vision_model(collection.id, model_id=by)
    await harness.service.catch_up(collection.id)
    return collection


async def passages(harness: CollectionsHarness, words: str, collection: Collection) -> tuple[Passage, ...]:
    return (await harness.service.search(words, collection_ids=[collection.id])).passages


async def test_without_a_vision_model_scans_need_ocr(harness: CollectionsHarness) -> None:
    image().save(harness.docs / "photo.png")
    (harness.docs / "scan.pdf").write_bytes(scanned(2))
    (harness.docs / "mixed.pdf").write_bytes(mixed())
    collection = await harness.collection()
    state = await harness.service.state(collection.id)
    assert (state.n_searchable, state.n_unreadable) == (1, 2)
    assert (state.n_scans, state.n_scans_read) == (4, 0), "a blank page has nothing to read"
    unreadable = await harness.service.sources(collection.id, only_problems=True)
    assert {each.error for each in unreadable} == {"No text: it needs OCR."}
    await harness.service.rescan(collection.id)
    os.utime(harness.docs / "photo.png", (1, 1))
    await harness.service.catch_up(collection.id)
    assert (await harness.service.state(collection.id)).n_unreadable == 2
    assert not harness.seen


async def test_a_vision_model_reads_each_page_once_and_its_text_is_marked(
    harness: CollectionsHarness,
) -> None:
    image().save(harness.docs / "photo.jpg")
    (harness.docs / "scan.pdf").write_bytes(scanned(2))
    (harness.docs / "mixed.pdf").write_bytes(mixed())
    collection = await new_collection(harness)
    state = await harness.service.state(collection.id)
    assert (state.n_searchable, state.n_unreadable) == (3, 0)
    assert (state.n_scans, state.n_scans_read, state.read_by) == (4, 4, "eyes")
    assert len(harness.seen) == 4
    assert {kind for _, _, kind in harness.seen} == {"image/jpeg", "image/png"}
    found = {passage.location_text: passage for passage in await passages(harness, "quokka", collection)}
    assert set(found) == {
        "photo.jpg, page 1",
        "scan.pdf, page 1",
        "scan.pdf, page 2",
        "mixed.pdf, page 2",
    }
    assert {passage.read_by for passage in found.values()} == {"eyes"}
    (words,) = await passages(harness, "walrus", collection)
    assert (words.location_text, words.read_by) == ("mixed.pdf, page 1", "")
    part = await harness.service.passages_for("quokka", collection_ids=[collection.id], n_tokens=500)
    assert isinstance(part, PassagesPart)
    assert "page 2 › text read from an image by a model" in part.prompt_text
    around = await harness.service.text_around(found["mixed.pdf, page 2"])
    assert around.text[around.mark_from : around.mark_to] == found["mixed.pdf, page 2"].text
    assert "walrus" in around.text
    page = await harness.service.page(found["photo.jpg, page 1"], page=1, width=200)
    assert page.image.startswith(b"\xff\xd8")
    await harness.service.catch_up(collection.id)
    assert len(harness.seen) == 4


async def test_text_of_scans_has_its_page_and_older_citations_are_found(harness: CollectionsHarness) -> None:
    writer = PdfWriter()
    for file in (pdf_file([["The walrus sleeps."]]), scanned(2), pdf_file([["The heron flies."]])):
        writer.append(PdfReader(io.BytesIO(file)))
    writer.write(harness.docs / "mixed.pdf")
    collection = await new_collection(harness, by=None)
    (cited,) = await passages(harness, "heron", collection)
    for model in (EYES, OTHER):  # what the second reads takes the place of what the first one read
        await harness.service.choose_vision_model(collection.id, model_id=model)
        await harness.service.catch_up(collection.id)
        around = await harness.service.text_around(cited)
        assert around.text[around.mark_from : around.mark_to] == cited.text
        words = ("walrus", f"Picture {len(harness.seen) - 1} by {model}", f"{len(harness.seen)} by", "heron")
        assert sorted(words, key=around.text.index) == list(words)
        assert around.text.count("quokka") == 2
        assert around.n_chars == len(around.text)
        whole = await harness.service.read_on([collection.id], path="", char_to=0, limit=9)
        assert "".join(each.text for each in whole) == around.text


async def test_text_of_scans_is_embedded_and_kept_for_moved_or_copied_files(
    harness: CollectionsHarness,
) -> None:
    path = harness.docs / "scan.pdf"
    path.write_bytes(scanned(2))
    collection = await new_collection(harness)
    await harness.service.choose_model(collection.id, model_id=OTHER)
    await harness.service.catch_up(collection.id)
    assert (await harness.service.state(collection.id)).n_embedded == 1
    (harness.docs / "copy.pdf").write_bytes(path.read_bytes())
    path.rename(harness.docs / "moved.pdf")
    await harness.service.catch_up(collection.id)
    assert {each.name for each in await passages(harness, "quokka", collection)} == {"copy.pdf", "moved.pdf"}
    assert len(harness.seen) == 2
    (harness.docs / "moved.pdf").touch()
    await harness.service.catch_up(collection.id)
    assert len(await passages(harness, "quokka", collection)) == 4
    assert len(harness.seen) == 2


async def test_another_model_reads_again_and_no_model_keeps_the_text(harness: CollectionsHarness) -> None:
    (harness.docs / "scan.pdf").write_bytes(scanned(2))
    collection = await new_collection(harness)
    await harness.service.choose_vision_model(collection.id, model_id=None)
    await harness.service.catch_up(collection.id)
    assert len(await passages(harness, "quokka", collection)) == 2
    await harness.service.choose_vision_model(collection.id, model_id=OTHER)
    await harness.service.catch_up(collection.id)
    found = await passages(harness, "quokka", collection)
    assert [each.read_by for each in found] == ["other", "other"]
    assert not await passages(harness, "eyes", collection)
    assert (await harness.service.state(collection.id)).n_passages == 2


async def test_text_of_scans_is_deleted_with_its_file(harness: CollectionsHarness) -> None:
    path = harness.docs / "scan.pdf"
    path.write_bytes(scanned(1))
    collection = await new_collection(harness)
    assert await passages(harness, "quokka", collection)
    path.unlink()
    await harness.service.catch_up(collection.id)
    kept = b"".join(path.read_bytes() for path in sorted((harness.database.parent).iterdir()))
    assert b"quokka" not in kept


async def test_a_failing_model_is_reported_and_its_page_comes_last(harness: CollectionsHarness) -> None:
    (harness.docs / "scan.pdf").write_bytes(scanned(3))
    collection = await harness.collection()
    harness.refusal = RunnerCrashed(model="eyes", cause="killed")
    await harness.service.choose_vision_model(collection.id, model_id=EYES)
    with pytest.raises(RunnerCrashed):
        await harness.service.catch_up(collection.id)
    harness.refusal = None
    with pytest.raises(RunnerCrashed):
        await harness.service.catch_up(collection.id)  # not at once
    harness.service._scans._failed.clear()
    await harness.service.catch_up(collection.id)
    state = await harness.service.state(collection.id)
    assert (state.n_searchable, state.n_scans_read) == (1, 2)
    await harness.service.rescan(collection.id)
    await harness.service.catch_up(collection.id)
    assert (await harness.service.state(collection.id)).n_scans_read == 3


async def test_long_work_yields_to_changes(harness: CollectionsHarness) -> None:
    (harness.docs / "scan.pdf").write_bytes(scanned(5))
    collection = await harness.collection()
    by_then: list[list[str]] = []

    async def see(picture: bytes, *, media_type: str, model_id: ModelId) -> str:
        if len(harness.seen) == 2:
            harness.put("new.md", "The walrus sleeps.")
            harness.service._indexing._yield_at_s = 0.0  # as after some seconds
        if len(harness.seen) == 3:
            by_then.append(await harness.found("walrus", collection))
        return await harness.see(picture, media_type=media_type, model_id=model_id)

    async def is_through() -> bool:
        return (await harness.service.state(collection.id)).n_scans_read == 5

    harness.service._scans._read_picture = see
    await harness.service.choose_vision_model(collection.id, model_id=EYES)
    await harness.until(is_through)
    assert by_then == [["new.md, line 1"]]


async def test_the_next_start_resumes_reading(harness: CollectionsHarness) -> None:
    (harness.docs / "scan.pdf").write_bytes(scanned(4))
    collection = await harness.collection()
    at_third = asyncio.Event()

    async def see(picture: bytes, *, media_type: str, model_id: ModelId) -> str:
        if len(harness.seen) == 2:
            at_third.set()
            await asyncio.Event().wait()
        return await harness.see(picture, media_type=media_type, model_id=model_id)

    harness.service._scans._read_picture = see
    await harness.service.choose_vision_model(collection.id, model_id=EYES)
    await at_third.wait()
    state = await harness.service.state(collection.id)
    assert (state.n_searchable, state.n_scans_read) == (1, 2)
    assert state.activity is Activity.READING_SCANS
    assert state.working_on == "scan.pdf, page 3"
    await harness.service.close()
    harness = CollectionsHarness(harness.folder)
    (collection,) = await harness.service.collections()
    await harness.service.catch_up(collection.id)
    assert (await harness.service.state(collection.id)).n_scans_read == 4
    assert len(harness.seen) == 2
    await harness.service.close()


async def test_a_chat_interrupts_a_page_which_is_read_again(harness: CollectionsHarness) -> None:
    (harness.docs / "scan.pdf").write_bytes(scanned(1))
    collection = await harness.collection()
    begun, is_cancelled = asyncio.Event(), asyncio.Event()

    async def see(picture: bytes, *, media_type: str, model_id: ModelId) -> str:
        if is_cancelled.is_set():
            return await harness.see(picture, media_type=media_type, model_id=model_id)
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            is_cancelled.set()
        raise AssertionError

    harness.service._scans._read_picture = see
    await harness.service.choose_vision_model(collection.id, model_id=EYES)
    working = asyncio.create_task(harness.service.catch_up(collection.id))
    await begun.wait()
    harness.is_answering = True
    await is_cancelled.wait()
    assert (await harness.service.state(collection.id)).n_scans_read == 0
    harness.is_answering = False
    await working
    assert (await harness.service.state(collection.id)).n_scans_read == 1
