"""The services as the API's dialects use them: models, answers, vectors, token counts, loads."""

from __future__ import annotations

import logging
import time
from array import array
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec

from fireside.api.access import check_scope
from fireside.api.activity import ApiActivity
from fireside.api.completion import Completion
from fireside.api.completion_request import CompletionRequest, check_count
from fireside.api.http_error import HttpError, http_error_of, invalid
from fireside.api.http_messages import HttpRequest
from fireside.api.kept_responses import KeptResponses
from fireside.api.media import read_media
from fireside.api.options import ApiOptions
from fireside.api.sessions import SessionOwners
from fireside.api.usage import vector_floats
from fireside.core.errors import (
    ContextLengthExceeded,
    EngineStopped,
    FiresideError,
    ModelNotFound,
    PromptTooLarge,
    RemoteError,
    RemoteUnable,
    RequestError,
    error_from_info,
)
from fireside.core.generation import Embedded, Failed, GenerationEvent, Overflow, Priority, PromptProgress
from fireside.core.i18n import tr_noop
from fireside.core.ids import ModelId, RequestId
from fireside.core.inspection import PromptToken
from fireside.core.load_sizes import effective_n_ctx
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.options import PURPOSE_TEXTS, AutoAdjustable, LoadOptions, Pooling, Purpose, SamplingParams
from fireside.core.prompt_input import (
    MAX_INPUTS,
    ChatInput,
    EmbeddingInput,
    PromptInput,
    RerankInput,
    TokenInput,
)
from fireside.core.prompt_query import PromptPreviewRequest
from fireside.core.status import LoadingModel, Ready, RunningModel
from fireside.core.task import GenerationTask
from fireside.engine.planning.buffer_usage import HOST
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.services.answer_router import AnswerStream
from fireside.services.collections.collection_service import CollectionService
from fireside.services.remote_entries import location_for_options
from fireside.services.request_builder import Resolved, load_options_for, make_task, vector_options, with_seed
from fireside.services.service_context import ServiceContext
from fireside.settings import conversions
from fireside.settings.api_tokens import Client, TokenScope

_NEVER_S: Final = 10 * 365 * 86_400.0
"""Stands for a model that is never unloaded, since clients expect a date."""


class RunningEntry(NamedTuple):
    """A loaded model. Sizes in bytes."""

    entry: ModelEntry
    n_ctx: int
    n_bytes: int
    n_gpu_bytes: int
    expires_at: float
    """When it is unloaded if it is not used; seconds since 1970."""


def running_entries(
    entries: Iterable[ModelEntry], models: Iterable[RunningModel]
) -> tuple[RunningEntry, ...]:
    """Return those of ``models`` that are loaded and among ``entries``."""
    by_id = {entry.spec.id: entry for entry in entries if entry.spec is not None}
    by_model: dict[ModelId, RunningEntry] = {}
    # A model with instances for answers and vectors is one entry, with the context of the former.
    for model in sorted(models, key=lambda model: model.purpose is Purpose.GENERATE):
        if model.model_id not in by_id or not isinstance(model.state, Ready):
            continue
        loaded, other = model.state.loaded, by_model.get(model.model_id)
        expires_in_s = _NEVER_S if model.expires_in_s is None else model.expires_in_s
        n_bytes, n_gpu_bytes = loaded.n_bytes, loaded.n_bytes - loaded.n_bytes_on(HOST)
        by_model[model.model_id] = RunningEntry(
            entry=by_id[model.model_id],
            n_ctx=loaded.n_ctx,
            n_bytes=n_bytes + (other.n_bytes if other else 0),
            n_gpu_bytes=n_gpu_bytes + (other.n_gpu_bytes if other else 0),
            expires_at=max(time.time() + expires_in_s, other.expires_at if other else 0.0),
        )
    return tuple(by_model.values())


_LATEST: Final = ":latest"
MAX_TOKEN_IDS: Final = 2**18
"""In one prompt or text. Millions would be worked on for minutes, and no context is as long."""
MAX_TEXTS: Final = 2048
"""Of one request for vectors or scores."""
_CLIENT: Final = "Local API"
"""Name of the client in the list of running models."""
_NO_PARAMS: Final = CompletionRequest(model="", prompts=())


class ApiService:
    """Serves the dialects, and enforces which models and scopes clients may use. On the engine's loop."""

    def __init__(
        self,
        services: ServiceContext,
        options: ApiOptions,
        *,
        collections: CollectionService,
        owners: SessionOwners,
        activity: ApiActivity,
    ) -> None:
        self.options = options
        self.collections = collections
        self.downloads = services.downloads
        self.activity = activity
        self.responses = KeptResponses(max_running=options.max_requests_per_client)
        self.page_text = services.web.page_text
        self.speech = services.speech
        self._engine = services.engine
        self._services = services
        self._engines = services.engines
        self._models = services.models
        self._preferences = services.preferences
        self._next_id = services.next_id
        self._owners = owners

    # Models

    def entries(self) -> tuple[ModelEntry, ...]:
        """Return the models that clients may use: local ones, and then those of other engines if the user
        allows them."""
        remote = self._engines.entries if self.options.includes_remote else ()
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
        """Return the state of a model that is loaded for its purpose; ``None`` if it is not."""
        state = next((each.state for each in self._engine.statuses() if each.model_id == spec.id), None)
        return state if isinstance(state, Ready) and state.options.purpose is spec.purpose else None

    def running(self) -> tuple[RunningEntry, ...]:
        """Return the loaded models that clients may use."""
        return running_entries(self.entries(), self._engine.running_models())

    async def n_ctx(self, spec: ModelSpec) -> int:
        """Return the context length of one sequence: as allocated, or as a load would."""
        ready = self.loaded(spec)
        if ready is not None:
            return ready.loaded.n_ctx
        options = conversions.load_options(await self._resolved(spec))
        if spec.remote is not None:
            return location_for_options(spec.remote, options).model.n_ctx or 0
        return effective_n_ctx(options, n_ctx_train=spec.n_ctx_train)

    async def defaults(self, spec: ModelSpec) -> tuple[LoadOptions, SamplingParams]:
        """Return the load options and sampling parameters that apply if a client sends none."""
        resolved = await self._resolved(spec)
        return self._options(spec, resolved), conversions.sampling_params(resolved)

    async def find(self, name: str, *, purpose: Purpose = Purpose.GENERATE) -> ModelSpec:
        """Return the model with the name that a client sends; without one, the local model in use.

        With the setting “any model name”, an unknown name stands for the model in use too. A model of another
        engine is found by its id, or by its name there if no local model has it. Raises ``HttpError``.
        """
        specs = [entry.spec for entry in self.entries() if entry.spec is not None]
        if not name:
            return self._in_use(specs, purpose)
        try:
            return await self._named(name, specs)
        except HttpError:
            if self.options.accepts_any_model_name:
                return self._in_use(specs, purpose)
            raise

    async def _named(self, name: str, specs: Sequence[ModelSpec]) -> ModelSpec:
        for model_id in (name, name.removesuffix(_LATEST)):
            if (match := next((spec for spec in specs if spec.id == model_id), None)) is not None:
                return match
        try:
            match = await self._models.find(name.removesuffix(_LATEST))
        except FiresideError as exc:
            for spec in specs:
                if spec.remote is not None and spec.remote.model.name == name:
                    return spec
            raise http_error_of(exc) from exc
        if all(match.id != spec.id for spec in specs):
            raise http_error_of(ModelNotFound(name=name))
        return match

    def _in_use(self, specs: Sequence[ModelSpec], purpose: Purpose) -> ModelSpec:
        # Chat models make vectors too, or fail with an error that says why not.
        candidates = [
            spec for spec in specs if spec.purpose in {purpose, Purpose.GENERATE} and spec.remote is None
        ]
        if not candidates:
            raise http_error_of(ModelNotFound(name=""))
        return min(
            candidates,
            key=lambda spec: (
                spec.purpose is not purpose,
                self.loaded(spec) is None,
                spec.id != self._models.last_used(),
            ),
        )

    async def load(
        self,
        spec: ModelSpec,
        client: Client,
        *,
        keep_alive_s: float | msgspec.UnsetType | None,
        n_ctx: int | None = None,
    ) -> None:
        """Load a local model, if it is not loaded with the context that the client requests, as far as it
        may. Raises ``HttpError``."""
        if spec.remote is not None:
            return
        resolved = await self._resolved(spec)
        self._check_may_load(spec, client)
        keep_alive_s = _keep_alive_s(keep_alive_s, resolved)
        try:
            await self._engine.load(
                LoadRequest(
                    spec=spec,
                    options=self._options(spec, resolved),
                    keep_alive_s=keep_alive_s,
                    n_ctx=min(n_ctx or 0, largest_context(spec, resolved, client)),
                )
            )
        except FiresideError as exc:
            raise http_error_of(exc) from exc

    async def unload(self, spec: ModelSpec, client: Client) -> None:
        """Unload a model. Raises ``HttpError``."""
        check_scope(client, TokenScope.LOAD)
        await self._engine.unload(spec.id)

    # Answers

    async def start(
        self, params: CompletionRequest, request: HttpRequest, *, session: str = ""
    ) -> Completion:
        """Start the answers, and wait briefly for an error of the first. Raises ``HttpError``.

        ``session`` is the client's id of the conversation; empty if it sends none.
        """
        check_count(params)
        spec = await self.find(params.model)
        try:
            if spec.remote is None:
                self._models.chat_spec(spec.id)
        except FiresideError as exc:
            raise http_error_of(exc) from exc
        _check_ids(params, spec)
        self._check_may_load(spec, request.client)
        resolved = await self._resolved(spec, params)
        if spec.remote is not None and conversions.stays_local(resolved):
            raise http_error_of(RemoteError.of("chat_stays_local", host=spec.remote.host))
        keep_alive_s = _keep_alive_s(params.keep_alive_s, resolved)
        options = self._options(spec, resolved)
        owner = await self._owners.owner_of(request.client.id, session) if session else None
        prompts = [await read_media(each, self._services.read_files, spec) for each in params.prompts]
        tasks = [self._task(params, prompt, resolved, owner=owner) for prompt in prompts]
        largest = largest_context(spec, resolved, request.client)
        generate: Callable[[GenerationRequest], AnswerStream] = increasing(
            self._services, limit=largest, ready=partial(self.loaded, spec)
        )
        if params.user_tools:
            from fireside.api.user_tools import ToolAnswer, user_toolbox  # few clients use any

            toolbox = await user_toolbox(
                params, self._services, client=request.client, spec=spec, resolved=resolved, options=options
            )
            generate = partial(ToolAnswer, toolbox=toolbox, services=self._services, generate=generate)
        streams = [
            generate(
                GenerationRequest(
                    request_id=self._next_id(),
                    client=_CLIENT,
                    spec=spec,
                    options=options,
                    task=with_seed(task, number=number),
                    keep_alive_s=keep_alive_s,
                    n_ctx=min(params.n_ctx or 0, largest),
                )
            )
            for task in tasks
            for number in range(params.n)
        ]
        completion = Completion(
            spec, streams, running=request.running, sampling=tasks[0].sampling, params=params
        )
        try:
            await completion.wait_for_first_event()
        except BaseException:
            await completion.aclose()
            raise
        return completion

    async def count(self, params: CompletionRequest, client: Client) -> int:
        """Return the number of prompt tokens of a request with one prompt, even if it exceeds the context.

        Raises ``HttpError``.
        """
        try:
            return len(await self.prompt_tokens(params, client))
        except HttpError as http_error:
            if (n_prompt := http_error.facts.get("n_prompt_tokens")) is not None:
                return n_prompt
            raise

    async def prompt_tokens(self, params: CompletionRequest, client: Client) -> tuple[PromptToken, ...]:
        """Return the prompt tokens of a request with one prompt. Raises ``HttpError``."""
        spec = await self.find(params.model)
        _check_local(spec, what=tr_noop("counting tokens"))
        resolved = await self._resolved(spec, params)
        if self.loaded(spec) is None:
            await self.load(spec, client, keep_alive_s=msgspec.UNSET)
        prompt = await read_media(params.prompts[0], self._services.read_files, spec)
        if params.user_tools:
            from fireside.api.user_tools import definitions_of, user_toolbox  # few clients use any

            options = self._options(spec, resolved)
            toolbox = await user_toolbox(
                params, self._services, client=client, spec=spec, resolved=resolved, options=options
            )
            assert isinstance(prompt, ChatInput)  # only chats have tools
            prompt = msgspec.structs.replace(prompt, tools=definitions_of(toolbox))
        task = self._task(params, prompt, resolved, owner=None)
        try:
            preview = await self._engine.ask(spec.id, PromptPreviewRequest(task=task))
        except FiresideError as exc:
            raise http_error_of(exc) from exc
        if preview is None:
            raise http_error_of(EngineStopped())
        return preview.tokens

    async def vectors(
        self, prompt: EmbeddingInput | RerankInput, model: str, request: HttpRequest, *, param: str
    ) -> tuple[ModelSpec, list[tuple[array[float], int]]]:
        """Return the model, and for each text its vector and number of tokens; ``param`` is the field of the
        texts. Raises ``HttpError``."""
        if isinstance(prompt, EmbeddingInput) and "" in prompt.texts:
            param = f"{param}[{prompt.texts.index('')}]"
            raise invalid(f"{param}: the text is empty.", param=param)
        if len(prompt.texts if isinstance(prompt, EmbeddingInput) else prompt.documents) > MAX_INPUTS:
            raise invalid(f"{param}: send at most {MAX_INPUTS} texts.", param=param)
        purpose = Purpose.EMBED if isinstance(prompt, EmbeddingInput) else Purpose.RERANK
        spec = await self.find(model, purpose=purpose)
        _check_local(spec, what=tr_noop("embeddings"))
        if (spec.purpose is Purpose.RERANK) != (purpose is Purpose.RERANK):
            task = tr_noop("rerank texts") if purpose is Purpose.RERANK else tr_noop("create embeddings")
            raise http_error_of(
                RequestError.of("model_unsuited", wanted=task, is_for=PURPOSE_TEXTS[spec.purpose])
            )
        self._check_may_load(spec, request.client, purpose=purpose)
        resolved = await self._resolved(spec)
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
        by_index: dict[int, tuple[array[float], int]] = {}
        params = CompletionRequest(model=model, prompts=(), names={"messages": param, "texts": param})
        async for _, event in Completion(spec, (stream,), running=request.running, params=params).events():
            if isinstance(event, Embedded):
                by_index[event.index] = (vector_floats(event.vector), event.n_tokens)
        return spec, [by_index[index] for index in sorted(by_index)]

    # Shared by the above

    async def _resolved(self, spec: ModelSpec, params: CompletionRequest = _NO_PARAMS) -> Resolved:
        try:
            return await self._preferences.resolved(
                model_id=spec.id, conversation_id=None, run=params.settings
            )
        except FiresideError as exc:
            raise http_error_of(exc, names=params.names) from exc

    def _task(
        self, params: CompletionRequest, prompt: PromptInput, resolved: Resolved, *, owner: str | None
    ) -> GenerationTask:
        try:
            if isinstance(prompt, ChatInput):
                prompt = msgspec.structs.replace(
                    prompt,
                    reasoning=conversions.reasoning(resolved),
                    template=conversions.template(resolved),
                    template_arguments=conversions.template_arguments(resolved),
                )
            return params.applied_to(make_task(resolved, prompt, owner=owner))
        except FiresideError as exc:
            raise http_error_of(exc, names=params.names) from exc

    def _options(self, spec: ModelSpec, resolved: Resolved) -> LoadOptions:
        """Return the options of the loaded model, as a client never changes them, or those to load with."""
        ready = self.loaded(spec)
        return load_options_for(spec, resolved) if ready is None else ready.options

    def _check_may_load(
        self, spec: ModelSpec, client: Client, *, purpose: Purpose = Purpose.GENERATE
    ) -> None:
        """Reject a client without the scope ``load`` if the model is not loaded. Raises ``HttpError``."""
        is_loaded = any(
            (model.model_id, model.purpose) == (spec.id, purpose)
            and isinstance(model.state, Ready | LoadingModel)
            for model in self._engine.running_models()
        )
        if spec.remote is None and not is_loaded:
            check_scope(client, TokenScope.LOAD)


def _keep_alive_s(requested: float | msgspec.UnsetType | None, resolved: Resolved) -> float | None:
    return conversions.keep_alive_s(resolved) if requested is msgspec.UNSET else requested


def _check_ids(params: CompletionRequest, spec: ModelSpec) -> None:
    """Reject token ids that the model does not have, and what no other engine does. Raises ``HttpError``."""
    if params.min_tokens or params.shows_stop:
        _check_local(spec, what="min_tokens" if params.min_tokens else "include_stop_str_in_output")
    for prompt in params.prompts:
        if isinstance(prompt, TokenInput):
            check_tokens(prompt.tokens, spec, param="prompt")
    if params.stop_tokens:
        check_tokens(params.stop_tokens, spec, param="stop_token_ids")


def _check_local(spec: ModelSpec, *, what: str) -> None:
    """Reject a model of another engine. Raises ``HttpError``."""
    if spec.remote is not None:
        raise http_error_of(RemoteUnable(host=spec.remote.host, what=what))


def check_tokens(tokens: Sequence[int], spec: ModelSpec, *, param: str) -> None:
    """Reject token ids that the model does not have. Raises ``HttpError``."""
    _check_local(spec, what=tr_noop("token ids"))
    if len(tokens) > MAX_TOKEN_IDS:
        raise invalid(f"{param}: send at most {MAX_TOKEN_IDS} token ids.", param=param)
    if tokens and not (min(tokens) >= 0 and max(tokens) < spec.n_vocab):
        raise invalid(f"{param}: choose whole numbers from 0 to {spec.n_vocab - 1}.", param=param)


# Answers to prompts that need a larger context than their model is loaded with


log = logging.getLogger(__name__)

Generate = Callable[[GenerationRequest], AnswerStream]
"""Starts an answer."""
_GROWTH: Final = 2
"""The context is made so many times as long as the prompt, since the next prompts of an agent are longer."""
_BYTES_PER_TOKEN: Final = 4
"""An estimate, for prompts that are too large to be counted."""
_REPLY_RESERVE: Final = 256


def largest_context(spec: ModelSpec, resolved: Resolved, client: Client) -> int:
    """Return the context length up to which requests of a client may increase it; 0 if they may not."""
    may_increase = (
        spec.remote is None
        and TokenScope.LOAD in client.scopes
        and conversions.clients_choose_context(resolved)
        and AutoAdjustable.CONTEXT in conversions.auto_adjustable(resolved)
    )
    return spec.n_ctx_train if may_increase else 0


def increasing(services: ServiceContext, *, limit: int, ready: Callable[[], Ready | None]) -> Generate:
    """Return what starts an answer, and increases the context up to ``limit`` where the prompt needs it.

    ``ready`` returns the state of the model if it is loaded.
    """
    generate = services.answer_router.generate
    if not limit:
        return generate
    return lambda request: LargerContextAnswer(
        request, generate=generate, limit=limit, ready=ready, next_id=services.next_id
    )


class LargerContextAnswer:
    """The stream of one answer. If the prompt, with room for the answer, does not fit the context, it is
    requested again with a larger one.

    Args:
        generate: starts an answer.
        limit: the largest context length to request.
        ready: returns the state of the model if it is loaded.
        next_id: returns the id of the next request.
    """

    def __init__(
        self,
        request: GenerationRequest,
        *,
        generate: Generate,
        limit: int,
        ready: Callable[[], Ready | None],
        next_id: Callable[[], RequestId],
    ) -> None:
        self._request = request
        self._generate = generate
        self._limit = limit
        self._ready = ready
        self._next_id = next_id
        self._stream = generate(request)

    @property
    def request_id(self) -> RequestId:
        """The id of the request that runs now."""
        return self._stream.request_id

    def __aiter__(self) -> AsyncIterator[GenerationEvent]:
        return self

    async def __anext__(self) -> GenerationEvent:
        while True:
            event = await anext(self._stream)
            n_ctx = min(self._limit, _context_for(self._n_prompt_too_long(event)))
            if n_ctx <= max(self._request.n_ctx, self._n_ctx()):
                return event
            log.info(
                "%s: a prompt needs more than its context of %d tokens; it is loaded with %d once it is "
                "idle, if there is memory",
                self._request.spec.name,
                self._n_ctx(),
                n_ctx,
            )
            await self._stream.aclose()
            self._request = msgspec.structs.replace(self._request, request_id=self._next_id(), n_ctx=n_ctx)
            self._stream = self._generate(self._request)

    async def aclose(self) -> None:
        """Cancel the answer if it has not ended. Returns at once."""
        await self._stream.aclose()

    def _n_ctx(self) -> int:
        ready = self._ready()
        return 0 if ready is None else ready.loaded.n_ctx

    def _n_prompt_too_long(self, event: GenerationEvent) -> int:
        """Return the length of a prompt that does not fit as it should; 0 if it fits, or never will."""
        match event:
            case Failed(error=info):
                match error_from_info(info):
                    case ContextLengthExceeded(n_prompt=n_prompt) if n_prompt < self._limit:
                        return n_prompt
                    case PromptTooLarge(n_bytes=n_bytes):
                        return n_bytes // _BYTES_PER_TOKEN
            case PromptProgress(n_total=n_prompt) if self._request.task.overflow is Overflow.REFUSE:
                n_ctx = self._n_ctx()
                n_reserve = self._request.task.sampling.max_tokens or self._request.task.n_reserve
                n_room = min(n_reserve or _REPLY_RESERVE, n_ctx // 4)
                return n_prompt if n_prompt + n_room > n_ctx else 0
        return 0


def _context_for(n_prompt: int) -> int:
    """Return the context length for a prompt: a power of two, so that it seldom changes."""
    return 1 << (_GROWTH * n_prompt - 1).bit_length() if n_prompt else 0
