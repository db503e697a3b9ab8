"""Ask the engine on behalf of clients: answers, vectors, tokens, loads."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from fireside.api.access import check_scope
from fireside.api.activity import Activity
from fireside.api.answering import Answering
from fireside.api.asks import Ask
from fireside.api.calls import Call
from fireside.api.figures import numbers_of
from fireside.api.options import ApiOptions
from fireside.api.refusal import Refusal, invalid, refusal_of
from fireside.api.sessions import SessionOwners
from fireside.core.context_length import n_ctx_within
from fireside.core.errors import (
    ChatStaysLocal,
    EngineStopped,
    FiresideError,
    ModelNotFound,
    ModelUnsuited,
    RemoteUnable,
)
from fireside.core.generation import Embedded, Priority
from fireside.core.i18n import tr_noop
from fireside.core.ids import ModelId
from fireside.core.inspection import PromptToken
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.options import PURPOSE_WORDS, LoadOptions, Pooling, Purpose, SamplingParams
from fireside.core.prompt_input import ChatInput, EmbeddingInput, PromptInput, RerankInput, TokenInput
from fireside.core.status import LoadingModel, Ready
from fireside.core.task import GenerationTask
from fireside.engine.planning.buffer_usage import HOST
from fireside.engine.request import GenerationRequest
from fireside.services.answering import AnswerStream
from fireside.services.collections.collection_service import CollectionService
from fireside.services.remote_entries import place_for_options
from fireside.services.request_builder import Resolved, load_options_for, make_task, vector_options, with_seed
from fireside.services.service_context import ServiceContext
from fireside.settings import conversions
from fireside.settings.api_tokens import Client, Scope

_LATEST: Final = ":latest"
_CLIENT: Final = "Local API"
"""Who uses a model, in lists of what is loaded."""
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


class Answers:
    """What the services do for clients. On the engine's loop."""

    def __init__(
        self,
        services: ServiceContext,
        options: ApiOptions,
        *,
        collections: CollectionService,
        owners: SessionOwners,
        activity: Activity,
    ) -> None:
        self.options = options
        self.collections = collections
        self.downloads = services.downloads
        self.activity = activity
        self._engine = services.engine
        self._services = services
        self._engines = services.engines
        self._models = services.models
        self._preferences = services.preferences
        self._next_id = services.next_id
        self._owners = owners

    # Models

    def entries(self) -> tuple[ModelEntry, ...]:
        """Return the models that clients may use: those of this computer, and behind them those of other
        engines where the user offers them."""
        remote = self._engines.entries if self.options.offers_remote else ()
        return tuple(
            entry
            for entry in (*self._models.entries, *remote)
            if entry.spec is not None and self._is_allowed(entry.spec)
        )

    def _is_allowed(self, spec: ModelSpec) -> bool:
        allowed = self.options.models
        return (
            not allowed
            or spec.id in allowed
            or (spec.remote is not None and spec.remote.model.name in allowed)
        )

    def loaded(self, spec: ModelSpec) -> Ready | None:
        """Return how a model is loaded for what it is for; ``None`` where it is not."""
        state = next((each.state for each in self._engine.statuses() if each.model_id == spec.id), None)
        return state if isinstance(state, Ready) and state.options.purpose is spec.purpose else None

    def running(self) -> tuple[RunningEntry, ...]:
        """Return the models that are in memory, of those that clients may use."""
        entries = {entry.spec.id: entry for entry in self.entries() if entry.spec is not None}
        found: dict[ModelId, RunningEntry] = {}
        # One that has a runner for vectors too is one model: its context is that of answers.
        for model in sorted(
            self._engine.running_models(), key=lambda model: model.purpose is Purpose.GENERATE
        ):
            if model.model_id not in entries or not isinstance(model.state, Ready):
                continue
            loaded, other = model.state.loaded, found.get(model.model_id)
            stays_s = _FAR_S if model.expires_in_s is None else model.expires_in_s
            n_bytes, n_gpu_bytes = loaded.n_bytes, loaded.n_bytes - loaded.n_bytes_on(HOST)
            found[model.model_id] = RunningEntry(
                entry=entries[model.model_id],
                n_ctx=loaded.n_ctx,
                n_bytes=n_bytes + (other.n_bytes if other else 0),
                n_gpu_bytes=n_gpu_bytes + (other.n_gpu_bytes if other else 0),
                expires_at=max(time.time() + stays_s, other.expires_at if other else 0.0),
            )
        return tuple(found.values())

    async def n_ctx(self, spec: ModelSpec) -> int:
        """Return the context of one conversation: as it was allocated, or as it would be."""
        ready = self.loaded(spec)
        if ready is not None:
            return ready.loaded.n_ctx
        options = conversions.load_options(await self._resolved(Ask(model=spec.id, prompts=()), spec))
        if spec.remote is not None:
            return place_for_options(spec.remote, options).model.n_ctx or 0
        return n_ctx_within(options, n_ctx_train=spec.n_ctx_train)

    async def defaults(self, spec: ModelSpec) -> tuple[LoadOptions, SamplingParams]:
        """Return how a model is loaded, or would be, and how tokens are chosen by default."""
        resolved = await self._resolved(Ask(model=spec.id, prompts=()), spec)
        return self._options(spec, resolved), conversions.sampling_params(resolved)

    async def find(self, name: str, *, purpose: Purpose = Purpose.GENERATE) -> ModelSpec:
        """Return the model that a client means; without a name, the one in use, which is of this computer.

        So it is with an unknown name where the user wants that. A model of another engine is meant by its id,
        or by its name there where no model of this computer has it. Raises ``Refusal``.
        """
        specs = [entry.spec for entry in self.entries() if entry.spec is not None]
        if not name:
            return self._in_use(specs, purpose)
        try:
            return await self._named(name, specs)
        except Refusal:
            if self.options.takes_any_name:
                return self._in_use(specs, purpose)
            raise

    async def _named(self, name: str, specs: Sequence[ModelSpec]) -> ModelSpec:
        for wanted in (name, name.removesuffix(_LATEST)):
            if (found := next((spec for spec in specs if spec.id == wanted), None)) is not None:
                return found
        try:
            found = await self._models.find(name.removesuffix(_LATEST))
        except FiresideError as exc:
            remote = (spec for spec in specs if spec.remote is not None and spec.remote.model.name == name)
            if (elsewhere := next(remote, None)) is not None:
                return elsewhere
            raise refusal_of(exc) from exc
        if all(found.id != spec.id for spec in specs):
            raise refusal_of(ModelNotFound(name=name))
        return found

    def _in_use(self, specs: Sequence[ModelSpec], purpose: Purpose) -> ModelSpec:
        # Those that chat have vectors too, and say in words what they cannot do.
        fitting = [
            spec for spec in specs if spec.purpose in {purpose, Purpose.GENERATE} and spec.remote is None
        ]
        fitting.sort(
            key=lambda spec: (
                spec.purpose is not purpose,
                self.loaded(spec) is None,
                spec.id != self._models.last_used(),
            )
        )
        if not fitting:
            raise refusal_of(ModelNotFound(name=""))
        return fitting[0]

    async def load(
        self, spec: ModelSpec, client: Client, *, keep_alive_s: float | msgspec.UnsetType | None
    ) -> None:
        """Have a model loaded, as it is if it is; those of other engines are. Raises ``Refusal``."""
        if spec.remote is not None:
            return
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

    async def start(self, ask: Ask, call: Call, *, session: str = "") -> Answering:
        """Ask for answers and return once they are under way. Raises ``Refusal``.

        Args:
            session: what the client calls the conversation; empty where it does not say.
        """
        spec = await self.find(ask.model)
        try:
            if spec.remote is None:
                self._models.chat_spec(spec.id)
        except FiresideError as exc:
            raise refusal_of(exc) from exc
        for prompt in ask.prompts:
            if isinstance(prompt, TokenInput):
                check_tokens(prompt.tokens, spec, param="prompt")
        self._check_may_load(spec, call.client)
        resolved = await self._resolved(ask, spec)
        if spec.remote is not None and conversions.stays_local(resolved):
            raise refusal_of(ChatStaysLocal(host=spec.remote.host))
        keep_alive_s = conversions.keep_alive_s(resolved)
        options = self._options(spec, resolved, n_ctx=ask.n_ctx)
        owner = await self._owners.of(call.client.id, session) if session else None
        tasks = [self._task(ask, prompt, resolved, owner=owner) for prompt in ask.prompts]
        generate: Callable[[GenerationRequest], AnswerStream] = self._services.answer_router.generate
        if ask.own_tools:
            from fireside.api.own_tools import with_own_tools  # few clients want any

            generate = await with_own_tools(
                ask, self._services, client=call.client, spec=spec, resolved=resolved, options=options
            )
        streams = [
            generate(
                GenerationRequest(
                    request_id=self._next_id(),
                    client=_CLIENT,
                    spec=spec,
                    options=options,
                    task=with_seed(task, number=number),
                    keep_alive_s=keep_alive_s if ask.keep_alive_s is msgspec.UNSET else ask.keep_alive_s,
                )
            )
            for task in tasks
            for number in range(ask.n)
        ]
        answering = Answering(
            spec, streams, running=call.running, sampling=tasks[0].sampling, one_call=ask.one_call
        )
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
        _check_local(spec, what=tr_noop("counting tokens"))
        resolved = await self._resolved(ask, spec)
        await self._make_ready(spec, client, resolved)
        prompt = ask.prompts[0]
        if ask.own_tools:
            from fireside.api.own_tools import own_definitions  # few clients want any

            options = self._options(spec, resolved)
            told = await own_definitions(
                ask, self._services, client=client, spec=spec, resolved=resolved, options=options
            )
            prompt = msgspec.structs.replace(prompt, tools=told)
        task = self._task(ask, prompt, resolved, owner=None)
        try:
            seen = await self._engine.preview_prompt(spec.id, task)
        except FiresideError as exc:
            raise refusal_of(exc) from exc
        if seen is None:
            raise refusal_of(EngineStopped())
        return seen.tokens

    async def vectors(
        self, prompt: EmbeddingInput | RerankInput, model: str, call: Call
    ) -> tuple[ModelSpec, list[tuple[array[float], int]]]:
        """Return the model, and a vector with its number of tokens for each text. Raises ``Refusal``."""
        purpose = Purpose.EMBED if isinstance(prompt, EmbeddingInput) else Purpose.RERANK
        spec = await self.find(model, purpose=purpose)
        _check_local(spec, what=tr_noop("embeddings"))
        if (spec.purpose is Purpose.RERANK) != (purpose is Purpose.RERANK):
            wanted = tr_noop("rerank texts") if purpose is Purpose.RERANK else tr_noop("create embeddings")
            raise refusal_of(ModelUnsuited(wanted=wanted, is_for=PURPOSE_WORDS[spec.purpose]))
        self._check_may_load(spec, call.client, purpose=purpose)
        resolved = await self._resolved(Ask(model=model, prompts=()), spec)
        options = vector_options(conversions.load_options(resolved), purpose=purpose, pooling=Pooling.MODEL)
        stream = self._engine.generate(
            GenerationRequest(
                request_id=self._next_id(),
                client=_CLIENT,
                spec=spec,
                options=options,
                task=GenerationTask(prompt=prompt, priority=Priority.API),
                keep_alive_s=conversions.keep_alive_s(resolved),
            )
        )
        found: dict[int, tuple[array[float], int]] = {}
        async for _, event in Answering(spec, (stream,), running=call.running).events():
            if isinstance(event, Embedded):
                found[event.index] = (numbers_of(event.vector), event.n_tokens)
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
        ready = self.loaded(spec)
        if ready is not None:
            return ready.options
        options = load_options_for(spec, resolved)
        if n_ctx is None or n_ctx <= options.n_ctx or not conversions.clients_choose_context(resolved):
            return options
        return msgspec.structs.replace(options, n_ctx=min(n_ctx, spec.n_ctx_train or n_ctx))

    def _check_may_load(
        self, spec: ModelSpec, client: Client, *, purpose: Purpose = Purpose.GENERATE
    ) -> None:
        wanted = (spec.id, purpose)
        is_here = any(
            (model.model_id, model.purpose) == wanted and isinstance(model.state, Ready | LoadingModel)
            for model in self._engine.running_models()
        )
        if spec.remote is None and not is_here:
            check_scope(client, Scope.LOAD)

    async def _make_ready(self, spec: ModelSpec, client: Client, resolved: Resolved) -> None:
        if self.loaded(spec) is None:
            await self.load(spec, client, keep_alive_s=conversions.keep_alive_s(resolved))


def _check_local(spec: ModelSpec, *, what: str) -> None:
    """Refuse what only the engine of this computer can do. Raises ``Refusal``."""
    if spec.remote is not None:
        raise refusal_of(RemoteUnable(host=spec.remote.host, what=what))


def check_tokens(tokens: Sequence[int], spec: ModelSpec, *, param: str) -> None:
    """Refuse token ids that the model does not have. Raises ``Refusal``."""
    _check_local(spec, what=tr_noop("token ids"))
    if not all(0 <= token < spec.n_vocab for token in tokens):
        raise invalid(f"{param}: choose whole numbers from 0 to {spec.n_vocab - 1}.", param=param)
