"""Ask the engine on behalf of clients: answers, vectors, tokens, loads."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import time
from array import array
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from fireside.api.access import check_scope
from fireside.api.asks import Ask
from fireside.api.refusal import Refusal, refusal_of, refusal_of_info
from fireside.core.errors import EngineStopped, FiresideError, ModelNotFound, ModelUnsuited
from fireside.core.generation import (
    Embedded,
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    OutputKind,
    Priority,
    TextDelta,
    TokenLogprobs,
)
from fireside.core.i18n import tr_noop
from fireside.core.ids import ModelId
from fireside.core.inspection import PromptToken
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.options import PURPOSE_WORDS, LoadOptions, Pooling, Purpose
from fireside.core.prompt_input import ChatInput, EmbeddingInput, PromptInput, RerankInput
from fireside.core.status import LoadingModel, Ready
from fireside.core.task import GenerationTask
from fireside.engine.engine import GenerationStream
from fireside.engine.request import GenerationRequest
from fireside.services.request_builder import Resolved, make_task, options_for, vector_options, with_seed_of
from fireside.services.service_context import ServiceContext
from fireside.settings import conversions
from fireside.settings.api_tokens import Client, Scope

FIRST_WORD_S: Final = 2.0
"""So long an error is waited for before a stream begins: a prompt that is too long is known by then."""
_LATEST: Final = ":latest"
_FAR_S: Final = 10 * 365 * 86_400.0
"""For ever, as a date."""


class RunningEntry(NamedTuple):
    """A model in memory. Sizes in bytes."""

    entry: ModelEntry
    n_ctx: int
    n_bytes: int
    n_gpu_bytes: int
    expires_at: float
    """When it is unloaded if nothing uses it; seconds since 1970."""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks, and in which conversation."""

    client: Client
    name: str = ""
    """What the client calls the conversation; empty where it does not say."""


class Collected:
    """One answer, whole."""

    def __init__(self) -> None:
        self._texts: dict[OutputKind, list[str]] = {kind: [] for kind in OutputKind}
        self.logprobs: list[TokenLogprobs] = []
        self.end: Finished | None = None

    def add(self, event: GenerationEvent) -> None:
        """Take the next event."""
        if isinstance(event, TextDelta):
            self._texts[event.kind].append(event.text)
            self.logprobs += event.logprobs
        elif isinstance(event, Finished):
            self.end = event

    @property
    def text(self) -> str:
        """The answer itself."""
        return "".join(self._texts[OutputKind.ANSWER])

    @property
    def reasoning(self) -> str:
        """What was thought before."""
        return "".join(self._texts[OutputKind.REASONING])

    @property
    def finished(self) -> Finished:
        """How it ended. Only once it has."""
        assert self.end is not None
        return self.end


class Answering:
    """The answers to one ``Ask`` while they are written. Close it, or read it to its end."""

    def __init__(self, spec: ModelSpec, streams: Sequence[GenerationStream], *, one_call: bool) -> None:
        self.spec = spec
        self._streams = streams
        self._one_call = one_call
        self._first = asyncio.ensure_future(anext(streams[0]))

    async def begin(self) -> None:
        """Wait for a first event, if it comes soon. Raises ``Refusal`` where that is an error already."""
        done, _ = await asyncio.wait({self._first}, timeout=FIRST_WORD_S)
        if done and isinstance(failed := self._first.result(), Failed):
            raise refusal_of_info(failed.error)

    async def events(self) -> AsyncGenerator[tuple[int, GenerationEvent], None]:
        """Yield what happens to each answer, by its number. Raises ``Refusal`` at the first that fails."""
        try:
            if len(self._streams) == 1:
                async for event in self._events_of(0):
                    yield 0, event
            else:
                async for numbered in self._merged():
                    yield numbered
        finally:
            await self.aclose()

    async def collect(self) -> tuple[Collected, ...]:
        """Return the answers once all are whole. Raises ``Refusal``."""
        found = tuple(Collected() for _ in self._streams)
        async for number, event in self.events():
            found[number].add(event)
        return found

    async def aclose(self) -> None:
        """Cancel what is not done. Returns at once."""
        self._first.cancel()
        for stream in self._streams:
            await stream.aclose()

    async def _events_of(self, number: int) -> AsyncGenerator[GenerationEvent, None]:
        if number == 0:
            yield self._checked(await self._first)
            if isinstance(self._first.result(), Finished):
                return
        async for event in self._streams[number]:
            yield self._checked(event)

    async def _merged(self) -> AsyncGenerator[tuple[int, GenerationEvent], None]:
        heard: asyncio.Queue[tuple[int, GenerationEvent | Refusal]] = asyncio.Queue(maxsize=64)

        async def listen(number: int) -> None:
            try:
                async for event in self._events_of(number):
                    await heard.put((number, event))
            except Refusal as refusal:
                await heard.put((number, refusal))

        tasks = [asyncio.create_task(listen(number)) for number in range(len(self._streams))]
        n_left = len(tasks)
        try:
            while n_left:
                number, event = await heard.get()
                if isinstance(event, Refusal):
                    raise event
                n_left -= isinstance(event, Finished)
                yield number, event
        finally:
            for task in tasks:
                task.cancel()

    def _checked(self, event: GenerationEvent) -> GenerationEvent:
        match event:
            case Failed():
                raise refusal_of_info(event.error)
            case Finished(reason=FinishReason.CANCELLED):
                raise refusal_of(EngineStopped())
            case Finished() if self._one_call:
                return msgspec.structs.replace(event, tool_calls=event.tool_calls[:1])
            case _:
                return event


class Answers:
    """What the services do for clients. On the engine's loop.

    Args:
        run: a word that no other run of the program has; it keeps what is cached for sessions apart.
        allowed: ids of the models that clients may use; empty is all.
    """

    def __init__(self, services: ServiceContext, *, run: str, allowed: Callable[[], frozenset[str]]) -> None:
        self._engine = services.engine
        self._models = services.models
        self._preferences = services.preferences
        self._next_id = services.next_id
        self._run = run
        self._allowed = allowed
        self.owners: set[str] = set()
        """Under these names prompts of sessions are cached."""

    # Models

    def entries(self) -> tuple[ModelEntry, ...]:
        """Return the models that clients may use."""
        allowed = self._allowed()
        return tuple(
            entry
            for entry in self._models.entries
            if entry.spec is not None and (not allowed or entry.spec.id in allowed)
        )

    def loaded(self, model_id: ModelId) -> Ready | None:
        """Return how a model is loaded; ``None`` where it is not."""
        state = next((each.state for each in self._engine.statuses() if each.model_id == model_id), None)
        return state if isinstance(state, Ready) else None

    def running(self) -> tuple[RunningEntry, ...]:
        """Return the models that are in memory, of those that clients may use."""
        entries = {entry.spec.id: entry for entry in self.entries() if entry.spec is not None}
        found = []
        for model in self._engine.running():
            if model.model_id not in entries or not isinstance(model.state, Ready):
                continue
            loaded = model.state.loaded
            sizes = [
                (each.buffer, each.weights_bytes + each.kv_bytes + each.compute_bytes)
                for each in loaded.memory
            ]
            found.append(
                RunningEntry(
                    entry=entries[model.model_id],
                    n_ctx=loaded.n_ctx,
                    n_bytes=sum(n for _, n in sizes),
                    n_gpu_bytes=sum(n for buffer, n in sizes if not buffer.startswith("CPU")),
                    expires_at=time.time() + (_FAR_S if model.expires_in_s is None else model.expires_in_s),
                )
            )
        return tuple(found)

    async def n_ctx(self, spec: ModelSpec) -> int:
        """Return the context of one conversation: as it was allocated, or as it would be."""
        ready = self.loaded(spec.id)
        if ready is not None:
            return ready.loaded.n_ctx
        resolved = await self._resolved(Ask(model=spec.id, prompts=()), spec)
        return min(conversions.load_options(resolved).n_ctx, spec.n_ctx_train or sys.maxsize)

    async def find(self, name: str) -> ModelSpec:
        """Return the model that a client means; without a name, the one in use. Raises ``Refusal``."""
        specs = [entry.spec for entry in self.entries() if entry.spec is not None]
        if not name:
            return self._in_use(specs)
        for wanted in (name, name.removesuffix(_LATEST)):
            if (found := next((spec for spec in specs if spec.id == wanted), None)) is not None:
                return found
        try:
            found = await self._models.find(name.removesuffix(_LATEST))
        except FiresideError as exc:
            raise refusal_of(exc) from exc
        if all(found.id != spec.id for spec in specs):
            raise refusal_of(ModelNotFound(name=name))
        return found

    def _in_use(self, specs: Sequence[ModelSpec]) -> ModelSpec:
        chatting = [spec for spec in specs if spec.purpose is Purpose.GENERATE]
        chatting.sort(key=lambda spec: (self.loaded(spec.id) is None, spec.id != self._models.used_last()))
        if not chatting:
            raise refusal_of(ModelNotFound(name=""))
        return chatting[0]

    async def load(
        self, spec: ModelSpec, client: Client, *, keep_alive_s: float | msgspec.UnsetType | None
    ) -> None:
        """Have a model loaded, as it is if it is. Raises ``Refusal``."""
        resolved = await self._resolved(Ask(model=spec.id, prompts=()), spec)
        self._check_may_load(spec, client)
        stays = conversions.keep_alive_s(resolved) if keep_alive_s is msgspec.UNSET else keep_alive_s
        try:
            await self._engine.load(spec, self._options(spec, resolved), keep_alive_s=stays)
        except FiresideError as exc:
            raise refusal_of(exc) from exc

    async def unload(self, spec: ModelSpec, client: Client) -> None:
        """Have a model unloaded. Raises ``Refusal``."""
        check_scope(client, Scope.LOAD)
        await self._engine.unload(spec.id)

    # Answers

    async def start(self, ask: Ask, session: Session) -> Answering:
        """Ask for answers and return once they are under way. Raises ``Refusal``."""
        spec = await self.find(ask.model)
        try:
            self._models.chat_spec(spec.id)
        except FiresideError as exc:
            raise refusal_of(exc) from exc
        self._check_may_load(spec, session.client)
        resolved = await self._resolved(ask, spec)
        keep_alive_s = conversions.keep_alive_s(resolved)
        options, owner = self._options(spec, resolved, n_ctx=ask.n_ctx), self._owner_of(session)
        tasks = [self._task(ask, prompt, resolved, owner=owner) for prompt in ask.prompts]
        streams = [
            self._engine.generate(
                GenerationRequest(
                    request_id=self._next_id(),
                    spec=spec,
                    options=options,
                    task=with_seed_of(task, number=number),
                    keep_alive_s=keep_alive_s if ask.keep_alive_s is msgspec.UNSET else ask.keep_alive_s,
                )
            )
            for task in tasks
            for number in range(ask.n)
        ]
        answering = Answering(spec, streams, one_call=ask.one_call)
        try:
            await answering.begin()
        except BaseException:
            await answering.aclose()
            raise
        return answering

    async def count(self, ask: Ask, client: Client) -> int:
        """Return how many tokens the one prompt of ``ask`` has, also if they are too many.

        Raises ``Refusal``.
        """
        try:
            return len(await self.prompt_tokens(ask, client))
        except Refusal as refusal:
            if (n_prompt := refusal.facts.get("n_prompt_tokens")) is not None:
                return n_prompt
            raise

    async def prompt_tokens(self, ask: Ask, client: Client) -> tuple[PromptToken, ...]:
        """Return the tokens of the one prompt of ``ask``, as an answer would begin. Raises ``Refusal``."""
        spec = await self.find(ask.model)
        resolved = await self._resolved(ask, spec)
        await self._make_ready(spec, client, resolved)
        task = self._task(ask, ask.prompts[0], resolved, owner=None)
        try:
            seen = await self._engine.show_prompt(spec.id, task)
        except FiresideError as exc:
            raise refusal_of(exc) from exc
        if seen is None:
            raise refusal_of(EngineStopped())
        return seen.tokens

    async def vectors(
        self, prompt: EmbeddingInput | RerankInput, model: str, client: Client
    ) -> tuple[ModelSpec, list[tuple[array[float], int]]]:
        """Return the model, and a vector with its number of tokens for each text. Raises ``Refusal``."""
        spec = await self.find(model)
        purpose = Purpose.EMBED if isinstance(prompt, EmbeddingInput) else Purpose.RERANK
        if (spec.purpose is Purpose.RERANK) != (purpose is Purpose.RERANK):
            wanted = tr_noop("rerank texts") if purpose is Purpose.RERANK else tr_noop("create embeddings")
            raise refusal_of(ModelUnsuited(wanted=wanted, is_for=PURPOSE_WORDS[spec.purpose]))
        self._check_may_load(spec, client)
        resolved = await self._resolved(Ask(model=model, prompts=()), spec)
        options = vector_options(conversions.load_options(resolved), purpose=purpose, pooling=Pooling.MODEL)
        stream = self._engine.generate(
            GenerationRequest(
                request_id=self._next_id(),
                spec=spec,
                options=options,
                task=GenerationTask(prompt=prompt, priority=Priority.API),
                keep_alive_s=conversions.keep_alive_s(resolved),
            )
        )
        found: dict[int, tuple[array[float], int]] = {}
        async for _, event in Answering(spec, (stream,), one_call=False).events():
            if isinstance(event, Embedded):
                found[event.index] = (_numbers(event.vector), event.n_tokens)
        return spec, [found[index] for index in sorted(found)]

    # What they have in common

    async def _resolved(self, ask: Ask, spec: ModelSpec) -> Resolved:
        try:
            return await self._preferences.resolved(model_id=spec.id, conversation_id=None, run=ask.settings)
        except FiresideError as exc:
            raise refusal_of(exc, names=ask.names) from exc

    def _task(
        self, ask: Ask, prompt: PromptInput, resolved: Resolved, *, owner: str | None
    ) -> GenerationTask:
        try:
            if isinstance(prompt, ChatInput):
                prompt = msgspec.structs.replace(
                    prompt,
                    reasoning=conversions.reasoning(resolved),
                    template=conversions.template(resolved),
                    template_arguments=conversions.template_arguments(resolved),
                )
            task = make_task(resolved, prompt, owner=owner)
        except FiresideError as exc:
            raise refusal_of(exc, names=ask.names) from exc
        return msgspec.structs.replace(task, overflow=ask.overflow, priority=Priority.API, replay=ask.replay)

    def _options(self, spec: ModelSpec, resolved: Resolved, *, n_ctx: int | None = None) -> LoadOptions:
        """Return how the model is loaded already: a client never has one loaded anew.

        One that is not gets a larger context than in the settings if ``n_ctx`` asks for it and the user
        lets clients do so.
        """
        ready = self.loaded(spec.id)
        if ready is not None and ready.options.purpose is Purpose.GENERATE:
            return ready.options
        options = options_for(spec, resolved)
        if n_ctx is None or n_ctx <= options.n_ctx or not conversions.clients_choose_context(resolved):
            return options
        return msgspec.structs.replace(options, n_ctx=min(n_ctx, spec.n_ctx_train or n_ctx))

    def _check_may_load(self, spec: ModelSpec, client: Client) -> None:
        states = {status.model_id: status.state for status in self._engine.statuses()}
        if not isinstance(states.get(spec.id), Ready | LoadingModel):
            check_scope(client, Scope.LOAD)

    def _owner_of(self, session: Session) -> str | None:
        if not session.name:
            return None
        digest = hashlib.sha256(f"{session.client.id}\n{session.name}".encode("utf-8", "replace")).hexdigest()
        owner = f"api-{self._run}-{digest[:32]}"
        self.owners.add(owner)
        return owner

    async def _make_ready(self, spec: ModelSpec, client: Client, resolved: Resolved) -> None:
        if self.loaded(spec.id) is None:
            await self.load(spec, client, keep_alive_s=conversions.keep_alive_s(resolved))


def _numbers(vector: bytes) -> array[float]:
    numbers = array("f")
    numbers.frombytes(vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
