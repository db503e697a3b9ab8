"""Read, search and ask collections of documents in the terminal."""

from __future__ import annotations

import queue
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fireside.chat.app import App
from fireside.chat.context.document_passages import passage_tokens
from fireside.cli.document_arguments import DocumentArguments
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.one_prompt import OnePrompt
from fireside.cli.screen import Screen, printable
from fireside.cli.terminal import TerminalChat, find_model
from fireside.core.citations import citation_marks, quotations
from fireside.core.collection import COLLECTIONS_KEY, Collection, CollectionState, Passage, Source
from fireside.core.context_length import effective_n_ctx
from fireside.core.errors import ImagesUnsupported, ModelFileMissing
from fireside.core.events import AppEvent, CollectionProgressed
from fireside.core.i18n import number
from fireside.core.message import ChatMessage, PassagesPart, Role, TextPart
from fireside.core.model import ModelSpec
from fireside.core.prompt_input import ChatInput
from fireside.core.reading_cost import reading_cost
from fireside.core.task import GenerationTask
from fireside.core.text_folding import composed, fold
from fireside.retrieval.word_search import terms_of
from fireside.settings.conversions import load_options

NONE_YET: Final = "No collections yet. Make one with: fireside documents add NAME FOLDER\n"
_WAIT_S: Final = 0.2
_SHOWN_UNREADABLE: Final = 20
_FOUND: Final = 10
_EXCERPT: Final = 240
_STEM: Final = 4


class Documents:
    """Carries out one command. All methods return the exit status and raise ``FiresideError``."""

    def __init__(
        self, app: App, loop: EngineLoop, events: queue.SimpleQueue[AppEvent], *, screen: Screen
    ) -> None:
        self._app = app
        self._loop = loop
        self._events = events
        self._screen = screen

    def run(self, words: DocumentArguments, *, model: str | None) -> int:
        """Do what was typed."""
        match words.action:
            case "add":
                return self._add(words, model=model)
            case "list":
                return self._list(words.name)
            case "remove":
                return self._remove(words.name)
            case "search":
                return self._search(words)
            case _:
                return self._ask(words, model=model)

    def _add(self, words: DocumentArguments, *, model: str | None) -> int:
        name, paths = words.name, words.paths
        missing = [path for path in paths if not Path(path).exists()]
        if missing:
            self._screen.say(f"fireside: “{printable(missing[0])}” does not exist.\n")
            return 2
        found = self._named(name)
        if found is None and not paths:
            self._screen.say(f"fireside: no collection “{printable(name)}”. Name a folder to make it.\n")
            return 2
        if found is None:
            found = self._loop.wait(self._app.collections.create(name=name, roots=paths))
        elif paths:
            self._loop.wait(self._app.collections.add_roots(found.id, paths))
        if model is not None:
            spec = self._model_that_stays(model)
            self._loop.wait(self._app.collections.choose_model(found.id, model_id=spec.id))
        if words.vision_model:
            spec = self._model_that_stays(words.vision_model)
            if not spec.sees_images:
                raise ImagesUnsupported
            self._loop.wait(self._app.collections.choose_vision_model(found.id, model_id=spec.id))
        if not self._catch_up(found):
            return 1
        state = self._loop.wait(self._app.collections.state(found.id))
        self._screen.write(f"{found.name}: {state_words(state)}\n")
        self._say_unreadable(found)
        return 0

    def _model_that_stays(self, name: str) -> ModelSpec:
        """Return a model for a collection; a file elsewhere joins the library, as later commands need it."""
        try:
            return find_model(self._app, self._loop, name=name)
        except ModelFileMissing:
            path = Path(name)
            if not path.is_file():
                raise
            self._loop.wait(self._app.models.add([str(path.absolute())]))
            return find_model(self._app, self._loop, name=name)

    def _catch_up(self, collection: Collection) -> bool:
        """Read what has changed, saying how far that is. Ctrl+C ends it; what was read stays."""
        reading = self._loop.submit(self._app.collections.catch_up(collection.id))
        try:
            while not reading.done():
                try:
                    event = self._events.get(timeout=_WAIT_S)
                except queue.Empty:
                    continue
                if isinstance(event, CollectionProgressed):
                    state = event.state
                    self._screen.show_status(f"{state_words(state)} · {state.working_on or state.activity}")
            reading.result()
        except KeyboardInterrupt:
            reading.cancel()
            self._screen.clear_status()
            self._screen.say(f"Stopped. Resume with: fireside documents add {collection.name}\n")
            return False
        self._screen.clear_status()
        return True

    def _say_unreadable(self, collection: Collection) -> None:
        unreadable = self._loop.wait(self._app.collections.sources(collection.id, only_problems=True))
        for source in unreadable[:_SHOWN_UNREADABLE]:
            self._screen.say(f"  {_line(source)}\n")
        if len(unreadable) > _SHOWN_UNREADABLE:
            self._screen.say(f"  and {number(len(unreadable) - _SHOWN_UNREADABLE)} more\n")
        state = self._loop.wait(self._app.collections.state(collection.id))
        skipped = ", ".join(f"{number(each.n_files)} {each.reason}" for each in state.skipped)
        if skipped:
            self._screen.say(f"Skipped: {skipped}\n")

    def _list(self, name: str) -> int:
        if not name:
            collections = self._loop.wait(self._app.collections.collections())
            if not collections:
                self._screen.say(NONE_YET)
            for each in collections:
                state = self._loop.wait(self._app.collections.state(each.id))
                self._screen.write(f"{each.name}: {state_words(state)}\n")
                for root in each.roots:
                    self._screen.write(f"  {root}\n")
            return 0
        found = self._named(name)
        if found is None:
            return self._say_unknown(name)
        for source in self._loop.wait(self._app.collections.sources(found.id)):
            self._screen.write(f"{source.state:<10}  {_line(source)}\n")
        return 0

    def _remove(self, name: str) -> int:
        found = self._named(name)
        if found is None:
            return self._say_unknown(name)
        self._loop.wait(self._app.collections.remove(found.id))
        self._screen.write(f"“{found.name}” removed. Its files were left alone.\n")
        return 0

    def _search(self, words: DocumentArguments) -> int:
        collections = self._meant(words.collections)
        if collections is None:
            return 1
        result = self._loop.wait(
            self._app.collections.search(
                words.words, collection_ids=[each.id for each in collections], limit=_FOUND
            )
        )
        if not result.passages:
            self._screen.say("Nothing found.\n")
            return 1
        if result.problem:
            self._screen.say(f"{result.problem}\n")
        for passage in result.passages:
            self._screen.write(
                f"{_place(passage)}\n{textwrap.indent(excerpt(passage.text, words.words), '  ')}\n\n"
            )
        return 0

    def _ask(self, words: DocumentArguments, *, model: str | None) -> int:
        collections = self._meant(words.collections)
        if collections is None:
            return 1
        spec = self._app.models.chat_spec(find_model(self._app, self._loop, name=model).id)
        if words.reads_all:
            return self._ask_all(words.words, collections, spec=spec)
        part = self._loop.wait(self._passages(spec, words.words, collections))
        if not part.citations:
            self._screen.say("Nothing about it was found in the documents.\n")
            return 1
        if part.problem:
            self._screen.say(f"{part.problem}\n")
        message = ChatMessage(role=Role.USER, parts=(part, TextPart(text=words.words)))
        one = OnePrompt(loop=self._loop, app=self._app, spec=spec, screen=self._screen, stats=False)
        ended_well = one.answer(ChatInput(messages=(message,)))
        self._print_citations(one.text, part)
        return 0 if ended_well else 1

    def _ask_all(self, question: str, collections: Sequence[Collection], *, spec: ModelSpec) -> int:
        """Have everything read for a question, saying what it costs and how far it is."""
        ids = tuple(each.id for each in collections)
        extent = self._loop.wait(self._app.collections.extent(ids))
        if not extent.n_chars:
            self._screen.say("Nothing is searchable yet.\n")
            return 1
        cost = reading_cost(extent, n_ctx=self._loop.wait(self._context(spec)), speed=None)
        self._screen.say(
            f"Reading {number(extent.n_files)} files: about {number(round(cost.n_tokens, -2))} tokens in "
            f"{number(cost.n_parts)} parts. Ctrl+C answers from what was read by then.\n"
        )
        chat = TerminalChat(
            loop=self._loop, app=self._app, events=self._events, spec=spec, screen=self._screen, stats=False
        )
        ended_well = chat.answer(question, settings={COLLECTIONS_KEY: ids}, reads_all=True)
        asked, answer = chat.last_turn()
        part = asked.message.passages
        if part is not None and part.reading is not None and part.reading.is_unfinished:
            self._screen.say(f"Stopped: {part.reading.fraction:.0%} was read.\n")
            if not part.reading.notes:
                return 1
            ended_well = chat.answer_from_read(answer)
            asked, answer = chat.last_turn()
            part = asked.message.passages
        if part is not None:
            self._print_citations(answer.message.text, part)
        return 0 if ended_well else 1

    async def _context(self, spec: ModelSpec) -> int:
        """Return the context that a model will have."""
        resolved = await self._app.preferences.resolved(model_id=spec.id, conversation_id=None)
        return effective_n_ctx(load_options(resolved), n_ctx_train=spec.n_ctx_train)

    async def _passages(
        self, spec: ModelSpec, question: str, collections: Sequence[Collection]
    ) -> PassagesPart:
        asked = GenerationTask(prompt=ChatInput(messages=()))
        return await self._app.collections.passages_for(
            question,
            collection_ids=[each.id for each in collections],
            n_tokens=passage_tokens(await self._context(spec), task=asked, history=()),
        )

    def _print_citations(self, answer: str, part: PassagesPart) -> None:
        """Print where each number of the answer stands, those that stand nowhere, and false quotations."""
        marks = {mark.number: mark.citation for mark in citation_marks(answer, part.citations)}
        self._screen.write("\n")
        for n, citation in sorted(marks.items()):
            self._screen.write(
                f"[{n}] {_place(citation.passage) if citation else 'unsupported: no such passage'}\n"
            )
        if not any(marks.values()):
            places = dict.fromkeys(_place(citation.passage) for citation in part.citations)
            self._screen.write("The answer cites no passage that it was given:\n")
            self._screen.write("".join(f"  {place}\n" for place in places))
        for quotation in quotations(answer, part.citations):
            if quotation.citation is None:
                words = answer[quotation.start : quotation.end]
                self._screen.write(f"Not found to the word in any passage: “{words}”\n")

    def _meant(self, names: Sequence[str]) -> tuple[Collection, ...] | None:
        """Return the collections that are meant; ``None`` once it was said that there are none."""
        if not names:
            collections = self._loop.wait(self._app.collections.collections())
            if not collections:
                self._screen.say(NONE_YET)
            return collections or None
        found = []
        for name in names:
            named = self._named(name)
            if named is None:
                self._say_unknown(name)
                return None
            found.append(named)
        return tuple(found)

    def _named(self, name: str) -> Collection | None:
        collections = self._loop.wait(self._app.collections.collections())
        return next((each for each in collections if each.name.casefold() == name.strip().casefold()), None)

    def _say_unknown(self, name: str) -> int:
        self._screen.say(
            f"fireside: no collection “{printable(name)}”. “fireside documents list” shows them.\n"
        )
        return 1


def state_words(state: CollectionState) -> str:
    """Return how far a collection is read: ``412 of 430 files searchable · 18 unreadable``."""
    words = [f"{number(state.n_searchable)} of {number(state.n_files)} files searchable"]
    for n, what in (
        (state.n_unreadable, "unreadable"),
        (state.n_warned, "with warnings"),
        (state.n_waiting, "waiting"),
        (state.n_offline, "offline"),
        (state.n_embedded, "found by meaning"),
    ):
        if n:
            words.append(f"{number(n)} {what}")
    if state.n_scans_read:
        words.append(f"{number(state.n_scans_read)} of {number(state.n_scans)} pages read by {state.read_by}")
    elif state.n_scans:
        words.append(f"{number(state.n_scans)} pages without text")
    return " · ".join(words)


def _line(source: Source) -> str:
    """Return a file and what there is to say of it, in one line whatever its name."""
    said = source.error or " ".join(source.warnings)
    return printable(source.path).replace("\n", "\ufffd") + (f": {said}" if said else "")


def _place(passage: Passage) -> str:
    return " › ".join((passage.location_text, *passage.headings))


def excerpt(text: str, words: str) -> str:
    """Return the stretch of a passage that has most of the words that were looked for, on one line."""
    shown = composed(" ".join(text.split()))
    folded = fold(shown)
    # Without their endings: other forms of a word are found too.
    stems = {term[: max(_STEM, len(term) - 2)] for term in terms_of(words)}
    places = sorted((match.start(), stem) for stem in stems for match in re.finditer(re.escape(stem), folded))

    def n_words(start: int) -> int:
        return len({stem for place, stem in places if start <= place < start + _EXCERPT // 2})

    best = max((place for place, _ in places), key=n_words, default=0)
    start = 0 if best < _EXCERPT // 2 else shown.rfind(" ", 0, max(1, best - _EXCERPT // 4)) + 1
    excerpt = textwrap.shorten(shown[start:], width=_EXCERPT, placeholder=" …")
    return f"… {excerpt}" if start else excerpt
