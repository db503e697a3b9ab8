"""Collections of documents over a real database, for tests: files in a folder, and models that are played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from pathlib import Path

import msgspec

from fakes.model_entries import starter_spec
from fireside.core.collection import Collection
from fireside.core.errors import FiresideError, RequestError
from fireside.core.events import AppEvent
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.speech import Segment, TranscriptionProgressed
from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest
from fireside.documents.page_rendering import render
from fireside.services.collections.collection_service import CollectionModels, CollectionService


def no_speech(_: str, /) -> AsyncGenerator[Segment | TranscriptionProgressed, None]:
    """Stand for speech recognition that is not here."""
    raise RequestError.of("recognizer_missing")


class CollectionsHarness:
    """A service over a database in a folder, and the files that a collection is made of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.docs = folder / "docs"
        self.docs.mkdir(exist_ok=True)
        self.database = folder / "data" / "collections.db"
        self.events: list[AppEvent] = []
        self.happened = asyncio.Event()
        self.n_read = 0
        self.failure: ReadReply | None = None
        """What a file's reading ends with, instead of its content."""
        self.is_answering = False
        self.embedded: list[tuple[ModelId, str]] = []
        self.refusal: FiresideError | None = None
        self.seen: list[tuple[ModelId, bytes, str]] = []
        """What a vision model was shown: model, picture, kind of file."""
        self.deafness: FiresideError | None = None
        """Why nothing can be transcribed."""
        self.pause = asyncio.Event()
        """Whether transcription goes on."""
        self.pause.set()
        self.most_whole = 0
        self.service = CollectionService(
            database_path=self.database,
            read=self._read,
            is_answering=lambda: self.is_answering,
            limits=lambda: (4, self.most_whole),
            models=CollectionModels(self._embed, self.see, self._transcribe, self._spec),
            render=render,
            emit=self.emit,
        )

    def emit(self, event: AppEvent) -> None:
        self.events.append(event)
        self.happened.set()

    async def until(self, is_so: Callable[[], Awaitable[bool]]) -> None:
        """Return when ``is_so``; it is looked at after each event."""
        self.happened.clear()
        while not await is_so():
            await self.happened.wait()
            self.happened.clear()

    def _read(self, requests: Sequence[ReadRequest]) -> tuple[ReadReply, ...]:
        self.n_read += len(requests)
        return tuple(self.failure or read(request) for request in requests)

    async def _embed(self, texts: Sequence[str], *, model_id: ModelId) -> list[list[float]]:
        """Stand for a model that knows what is alike: words with the same first letter."""
        if self.refusal is not None:
            raise self.refusal
        self.embedded += [(model_id, text) for text in texts]
        made = []
        for text in texts:
            counts = [0.001] * 26
            for letter in (
                word[0] for word in text.lower().split() if word[0].isascii() and word[0].isalpha()
            ):
                counts[ord(letter) - ord("a")] += 1
            length = sum(count * count for count in counts) ** 0.5
            made.append([count / length for count in counts])
        return made

    async def see(self, picture: bytes, *, media_type: str, model_id: ModelId) -> str:
        """Stand for a vision model that reads a number on each picture: how many it has seen."""
        if self.refusal is not None:
            raise self.refusal
        self.seen.append((model_id, picture, media_type))
        return f"Picture {len(self.seen)} by {model_id}: the quokka hops."

    async def _transcribe(self, source: str, /) -> AsyncGenerator[Segment | TranscriptionProgressed, None]:
        """Stand for speech recognition: a recording says what its file does after its first line."""
        if self.deafness is not None:
            raise self.deafness
        lines = (await asyncio.to_thread(Path(source).read_text)).splitlines()[1:]
        for n, line in enumerate(lines):
            yield TranscriptionProgressed(job=1, position_s=60.0 * n, duration_s=240.0)
            await self.pause.wait()
            yield Segment(start_s=60.0 * n, end_s=60.0 * n + 5, text=line)

    def _spec(self, model_id: ModelId) -> ModelSpec:
        path = self.folder / f"{model_id}.gguf"
        if not path.exists():
            path.write_text(model_id)
        return msgspec.structs.replace(starter_spec(), id=model_id, name=str(model_id), path=str(path))

    def put(self, name: str, text: str) -> Path:
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    async def collection(self) -> Collection:
        made = await self.service.create(name="  My\n manuals ", roots=[str(self.docs)])
        await self.service.catch_up(made.id)
        return made

    async def found(self, words: str, *collections: Collection) -> list[str]:
        result = await self.service.search(words, collection_ids=[each.id for each in collections])
        return [passage.location_text for passage in result.passages]
