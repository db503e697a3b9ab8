"""``fireside documents``: read, search and ask collections of documents."""

from __future__ import annotations

import queue
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fireside.cli.command_app import CommandApp, command_app
from fireside.cli.command_parser import CommandParser, UsageError, add_set_option, model_name
from fireside.cli.screen import one_line
from fireside.core.citations import citation_marks, quotations
from fireside.core.collection import COLLECTIONS_KEY, Collection, CollectionState, Passage, Source
from fireside.core.errors import ModelFileMissing, RequestError
from fireside.core.events import CollectionProgressed
from fireside.core.i18n import number
from fireside.core.load_sizes import effective_n_ctx
from fireside.core.message import ChatMessage, PassagesPart, Role, TextPart
from fireside.core.model import ModelSpec
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.core.text_folding import composed, fold
from fireside.core.token_estimate import reading_cost

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

NONE_YET: Final = "No collections yet. Make one with: fireside documents add NAME FOLDER\n"
_POLL_S: Final = 0.2
_MAX_LISTED_PROBLEMS: Final = 20
_MAX_RESULTS: Final = 10
_EXCERPT_CHARS: Final = 240
_MIN_STEM_CHARS: Final = 4


def define(command: CommandParser) -> None:
    """Add what may be typed after ``documents``."""
    command.description = (
        "Collections of files and folders: read them, search them, ask questions that are answered with "
        "citations."
    )
    add = command.add_action(
        "add",
        add_documents,
        help="make a collection, add files and folders to it, and read what has changed in it",
    )
    add.add_argument("name", help="the collection’s name")
    add.add_argument("paths", nargs="*", metavar="path", help="files and folders")
    add.add_argument(
        "--model", type=model_name, metavar="NAME", help="the embedding model, for search by meaning"
    )
    add.add_argument(
        "--vision-model",
        type=model_name,
        metavar="NAME",
        help="the model that reads images and scanned pages",
    )
    list_ = command.add_action("list", list_documents, help="list collections, or the files of one")
    list_.add_argument("name", nargs="*", metavar="word", help="the collection’s name")
    search = command.add_action("search", search_documents, help="find passages")
    search.add_argument("words", nargs="+", metavar="word", help="words to find")
    ask = command.add_action("ask", ask_documents, help="answer a question from documents, with citations")
    ask.add_argument("words", nargs="+", metavar="word", help="the question")
    ask.add_argument("--model", type=model_name, metavar="NAME", help="the model to ask")
    ask.add_argument(
        "--all", dest="reads_all", action="store_true",
        help="read everything part by part, not only the best passages",
    )  # fmt: skip
    for action in (search, ask):
        action.add_argument(
            "--in", dest="collections", action="append", default=[], metavar="NAME",
            help="look in this collection; several are possible, without it all are looked in",
        )  # fmt: skip
    remove = command.add_action("remove", remove_documents, help="remove a collection; its files stay")
    remove.add_argument("name", nargs="+", metavar="word", help="the collection’s name")
    for action in (add, list_, search, ask, remove):
        add_set_option(action)


def add_documents(
    context: StartupContext, *, name: str, paths: Sequence[str], model: str | None, vision_model: str | None
) -> int:
    """Make a collection or add to it, and read what has changed in it."""
    if not name.strip():
        raise UsageError("documents add needs a collection’s name.")
    with command_app(context, needs_data=True) as program:
        return Documents(program).add(name, paths, model=model, vision_model=vision_model)


def list_documents(context: StartupContext, *, name: Sequence[str]) -> int:
    """List the collections, or the files of one."""
    with command_app(context, needs_data=True) as program:
        return Documents(program).show(" ".join(name))


def search_documents(context: StartupContext, *, words: Sequence[str], collections: Sequence[str]) -> int:
    """Print the passages with words, in the collections with these names or in all."""
    if not (text := " ".join(words)).strip():
        raise UsageError("documents search needs words to find.")
    with command_app(context, needs_data=True) as program:
        return Documents(program).search(text, collections)


def ask_documents(
    context: StartupContext,
    *,
    words: Sequence[str],
    collections: Sequence[str],
    model: str | None,
    reads_all: bool,
) -> int:
    """Answer a question from collections, or from all; with ``reads_all`` from all of their text."""
    from fireside.cli.model_names import model_files

    if not (question := " ".join(words)).strip():
        raise UsageError("documents ask needs a question.")
    with command_app(context, shares_as="documents", needs_data=True, added=model_files(model)) as program:
        return Documents(program).ask(question, collections, model=model, reads_all=reads_all)


def remove_documents(context: StartupContext, *, name: Sequence[str]) -> int:
    """Remove a collection."""
    if not (full_name := " ".join(name)).strip():
        raise UsageError("documents remove needs a collection’s name.")
    with command_app(context, needs_data=True) as program:
        return Documents(program).remove(full_name)


class Documents:
    """The collections, as they are shown and asked in the terminal. All raise ``FiresideError``."""

    def __init__(self, program: CommandApp) -> None:
        self._program = program
        self._app = program.app
        self._loop = program.loop
        self._screen = program.screen

    def add(self, name: str, paths: Sequence[str], *, model: str | None, vision_model: str | None) -> int:
        """Add files and folders to a collection, read what has changed in it, and print its state."""
        missing = [path for path in paths if not Path(path).exists()]
        if missing:
            self._screen.say(f"fireside: “{one_line(missing[0])}” does not exist.\n")
            return 2
        collection = self._find(name)
        if collection is None and not paths:
            self._screen.say(f"fireside: no collection “{one_line(name)}”. Name a folder to make it.\n")
            return 2
        if collection is None:
            collection = self._loop.wait(self._app.collections.create(name=name, roots=paths))
        elif paths:
            self._loop.wait(self._app.collections.add_roots(collection.id, paths))
        if model is not None:
            spec = self._library_model(model)
            self._loop.wait(self._app.collections.choose_model(collection.id, model_id=spec.id))
        if vision_model is not None:
            spec = self._library_model(vision_model)
            if not spec.sees_images:
                raise RequestError.of("images_unsupported")
            self._loop.wait(self._app.collections.choose_vision_model(collection.id, model_id=spec.id))
        self._loop.wait(self._app.collections.rescan(collection.id))  # what could not be read is tried again
        if not self._catch_up(collection):
            return 1
        state = self._loop.wait(self._app.collections.state(collection.id))
        self._screen.write(f"{one_line(collection.name)}: {state_text(state)}\n")
        self._report_problems(collection)
        return 0

    def _library_model(self, name: str) -> ModelSpec:
        """Return a model; a file outside the library is added to it, since later commands need it."""
        from fireside.cli.model_names import find_model

        try:
            return find_model(self._app, self._loop, name=name)
        except ModelFileMissing:
            path = Path(name)
            if not path.is_file():
                raise
            self._loop.wait(self._app.models.add([str(path.absolute())]))
            return find_model(self._app, self._loop, name=name)

    def _catch_up(self, collection: Collection) -> bool:
        """Read changed files and show the progress. Return ``False`` after Ctrl+C; what was read stays."""
        reading = self._loop.submit(self._app.collections.catch_up(collection.id))
        try:
            while not reading.done():
                try:
                    event = self._program.events.get(timeout=_POLL_S)
                except queue.Empty:
                    continue
                if isinstance(event, CollectionProgressed):
                    state = event.state
                    self._screen.show_status(f"{state_text(state)} · {state.working_on or state.activity}")
            reading.result()
        except KeyboardInterrupt:
            reading.cancel()
            self._screen.clear_status()
            self._screen.say(f"Stopped. Resume with: fireside documents add {one_line(collection.name)}\n")
            return False
        self._screen.clear_status()
        return True

    def _report_problems(self, collection: Collection) -> None:
        unreadable = self._loop.wait(self._app.collections.sources(collection.id, only_problems=True))
        for source in unreadable[:_MAX_LISTED_PROBLEMS]:
            self._screen.say(f"  {_line(source)}\n")
        if len(unreadable) > _MAX_LISTED_PROBLEMS:
            self._screen.say(f"  and {number(len(unreadable) - _MAX_LISTED_PROBLEMS)} more\n")
        state = self._loop.wait(self._app.collections.state(collection.id))
        skipped = ", ".join(f"{number(each.n_files)} {each.reason}" for each in state.skipped)
        if skipped:
            self._screen.say(f"Skipped: {one_line(skipped)}\n")

    def show(self, name: str) -> int:
        """Print the collections, or the files of one."""
        if not name:
            collections = self._loop.wait(self._app.collections.collections())
            if not collections:
                self._screen.say(NONE_YET)
            for each in collections:
                state = self._loop.wait(self._app.collections.state(each.id))
                self._screen.write(f"{one_line(each.name)}: {state_text(state)}\n")
                for root in each.roots:
                    self._screen.write(f"  {one_line(root)}\n")
            return 0
        collection = self._find(name)
        if collection is None:
            return self._report_unknown(name)
        for source in self._loop.wait(self._app.collections.sources(collection.id)):
            self._screen.write(f"{source.state:<10}  {_line(source)}\n")
        return 0

    def remove(self, name: str) -> int:
        """Remove a collection; its files stay."""
        collection = self._find(name)
        if collection is None:
            return self._report_unknown(name)
        self._loop.wait(self._app.collections.remove(collection.id))
        self._screen.write(f"“{one_line(collection.name)}” removed. Its files were left alone.\n")
        return 0

    def search(self, words: str, names: Sequence[str]) -> int:
        """Print the best passages in collections."""
        collections = self._selected(names)
        if collections is None:
            return 1
        result = self._loop.wait(
            self._app.collections.search(
                words, collection_ids=[each.id for each in collections], limit=_MAX_RESULTS
            )
        )
        if not result.passages:
            self._screen.say("Nothing found.\n")
            return 1
        if result.problem:
            self._screen.say(f"{one_line(result.problem)}\n")
        for passage in result.passages:
            said = (excerpt(passage.text, words), *passage.warnings)
            self._screen.write(f"{_location(passage)}\n{textwrap.indent(chr(10).join(said), '  ')}\n\n")
        return 0

    def ask(self, question: str, names: Sequence[str], *, model: str | None, reads_all: bool) -> int:
        """Print an answer and what it cites."""
        from fireside.cli.model_names import find_model
        from fireside.cli.one_prompt import OnePrompt

        collections = self._selected(names)
        if collections is None:
            return 1
        spec = self._app.models.chat_spec(find_model(self._app, self._loop, name=model).id)
        if reads_all:
            return self._ask_all(question, collections, spec=spec)
        part = self._loop.wait(self._passages(spec, question, collections))
        if not part.citations:
            self._screen.say("Nothing about it was found in the documents.\n")
            return 1
        if part.problem:
            self._screen.say(f"{one_line(part.problem)}\n")
        message = ChatMessage(role=Role.USER, parts=(part, TextPart(text=question)))
        prompt = OnePrompt(loop=self._loop, app=self._app, spec=spec, screen=self._screen, stats=False)
        ended_well = prompt.answer(ChatInput(messages=(message,)))
        self._print_citations(prompt.text, part)
        return 0 if ended_well else 1

    def _ask_all(self, question: str, collections: Sequence[Collection], *, spec: ModelSpec) -> int:
        """Answer a question from all text of the collections, after printing the cost."""
        from fireside.cli.terminal import TerminalChat

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
            loop=self._loop,
            app=self._app,
            events=self._program.events,
            spec=spec,
            screen=self._screen,
            stats=False,
        )
        ended_well = chat.answer(question, settings={COLLECTIONS_KEY: ids}, reads_all=True)
        question_message, answer = chat.last_turn()
        part = question_message.message.passages
        if part is not None and part.reading is not None and part.reading.is_unfinished:
            self._screen.say(f"Stopped: {part.reading.fraction:.0%} was read.\n")
            if not part.reading.notes:
                return 1
            ended_well = chat.answer_from_read(answer)
            question_message, answer = chat.last_turn()
            part = question_message.message.passages
        if part is not None:
            self._print_citations(answer.message.text, part)
        return 0 if ended_well else 1

    async def _context(self, spec: ModelSpec) -> int:
        """Return the context length that a model would be loaded with, in tokens."""
        from fireside.settings.conversions import load_options

        resolved = await self._app.preferences.resolved(model_id=spec.id, conversation_id=None)
        return effective_n_ctx(load_options(resolved), n_ctx_train=spec.n_ctx_train)

    async def _passages(
        self, spec: ModelSpec, question: str, collections: Sequence[Collection]
    ) -> PassagesPart:
        from fireside.chat.context.document_passages import passage_tokens

        task = GenerationTask(prompt=ChatInput(messages=()))
        return await self._app.collections.passages_for(
            question,
            collection_ids=[each.id for each in collections],
            n_tokens=passage_tokens(await self._context(spec), task=task, history=()),
        )

    def _print_citations(self, answer: str, part: PassagesPart) -> None:
        """Print the source of each citation, numbers without a passage, and quotations that are not
        verbatim."""
        marks = {mark.number: mark.citation for mark in citation_marks(answer, part.citations)}
        self._screen.write("\n")
        for n, citation in sorted(marks.items()):
            self._screen.write(
                f"[{n}] {_location(citation.passage) if citation else 'unsupported: no such passage'}\n"
            )
        cited = [citation.passage for citation in marks.values() if citation is not None]
        for label, warnings in {each.label: each.warnings for each in cited}.items():
            self._screen.write("".join(f"{one_line(label)}: {one_line(warning)}\n" for warning in warnings))
        if not any(marks.values()):
            locations = dict.fromkeys(_location(citation.passage) for citation in part.citations)
            self._screen.write("The answer cites no passage that it was given:\n")
            self._screen.write("".join(f"  {one_line(location)}\n" for location in locations))
        for quotation in quotations(answer, part.citations):
            if quotation.citation is None:
                text = answer[quotation.start : quotation.end]
                self._screen.write(f"Not found to the word in any passage: “{one_line(text)}”\n")

    def _selected(self, names: Sequence[str]) -> tuple[Collection, ...] | None:
        """Return the collections with these names, or all; ``None`` after printing that one does not
        exist."""
        if not names:
            collections = self._loop.wait(self._app.collections.collections())
            if not collections:
                self._screen.say(NONE_YET)
            return collections or None
        selected = []
        for name in names:
            collection = self._find(name)
            if collection is None:
                self._report_unknown(name)
                return None
            selected.append(collection)
        return tuple(selected)

    def _find(self, name: str) -> Collection | None:
        collections = self._loop.wait(self._app.collections.collections())
        return next((each for each in collections if each.name.casefold() == name.strip().casefold()), None)

    def _report_unknown(self, name: str) -> int:
        self._screen.say(
            f"fireside: no collection “{one_line(name)}”. “fireside documents list” shows them.\n"
        )
        return 1


def state_text(state: CollectionState) -> str:
    """Return the state of a collection, such as ``412 of 430 files searchable · 18 unreadable``."""
    parts = [f"{number(state.n_searchable)} of {number(state.n_files)} files searchable"]
    for n, label in (
        (state.n_unreadable - state.n_textless - state.n_unheard, "unreadable"),
        (state.n_unheard, "waiting for speech recognition"),
        (state.n_textless, "without text"),
        (state.n_warned, "with warnings"),
        (state.n_waiting, "waiting"),
        (state.n_offline, "offline"),
        (state.n_embedded, "found by meaning"),
    ):
        if n:
            parts.append(f"{number(n)} {label}")
    if state.n_scans_read:
        parts.append(f"{number(state.n_scans_read)} of {number(state.n_scans)} pages read by {state.read_by}")
    return " · ".join(parts)


def _line(source: Source) -> str:
    """Return a file with its error or warnings, on one line whatever its name."""
    problem = source.error or " ".join(source.warnings)
    return one_line(source.path).replace("\n", "\ufffd") + (f": {problem}" if problem else "")


def _location(passage: Passage) -> str:
    return " › ".join((passage.location_text, *passage.headings))


def excerpt(text: str, words: str) -> str:
    """Return the part of a passage with most of the query's ``words``, on one line."""
    from fireside.retrieval.word_search import terms_of

    line = composed(" ".join(text.split()))
    folded = fold(line)
    # Without endings, so that other forms of a word match too.
    stems = {term[: max(_MIN_STEM_CHARS, len(term) - 2)] for term in terms_of(words)}
    matches = sorted(
        (match.start(), stem) for stem in stems for match in re.finditer(re.escape(stem), folded)
    )

    def n_stems(start: int) -> int:
        return len({stem for position, stem in matches if start <= position < start + _EXCERPT_CHARS // 2})

    best = max((position for position, _ in matches), key=n_stems, default=0)
    start = 0 if best < _EXCERPT_CHARS // 2 else line.rfind(" ", 0, max(1, best - _EXCERPT_CHARS // 4)) + 1
    excerpt = textwrap.shorten(line[start:], width=_EXCERPT_CHARS, placeholder=" …")
    return f"… {excerpt}" if start else excerpt
