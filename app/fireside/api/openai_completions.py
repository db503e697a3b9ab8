"""OpenAI's legacy completions, its embeddings, and the list of models for several dialects."""

from __future__ import annotations

import base64
import sys
import time
from array import array
from asyncio import gather
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from itertools import accumulate
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from fireside.api.api_service import MAX_TEXTS, MAX_TOKEN_IDS, ApiService
from fireside.api.completion import Completion
from fireside.api.completion_request import CompletionRequest, RequestSettings, check_count, n_answers
from fireside.api.http_error import http_error_of, invalid
from fireside.api.http_messages import HttpRequest, HttpResponse, StreamingResponse, json_response, sse_event
from fireside.api.openai_chat import (
    COMMENT,
    DONE,
    CompletionHead,
    ResponseFormat,
    StreamOptions,
    set_format,
    stream_error_chunk,
)
from fireside.api.openapi import items
from fireside.api.sampling import Sampling, set_sampling
from fireside.api.sessions import parse_keep_alive, session_id
from fireside.api.usage import finish_reason, finite, timings_of, usage_of
from fireside.core.errors import ContextLengthExceeded
from fireside.core.generation import Finished, OutputKind, TextDelta, TokenLogprobs
from fireside.core.inspection import starts_with_bos
from fireside.core.model import ModelEntry
from fireside.core.options import Purpose
from fireside.core.prompt_input import EmbeddingInput, InfillInput, PromptInput, TextInput, TokenInput
from fireside.core.task import Replay

_DEFAULT_MAX_TOKENS: Final = 16
"""OpenAI's default on this route."""
_VOCAB_TYPES: Final[Mapping[str, int]] = {
    "no_vocab": 0,
    "none": 0,
    "llama": 1,
    "gpt2": 2,
    "bert": 3,
    "t5": 4,
    "rwkv": 5,
    "plamo2": 6,
}
"""llama.cpp's numbers of the kinds of tokenizers."""

TextOrTokens = str | list[str | int | list[int]]


class CompletionBody(Sampling, kw_only=True):
    """The body of ``/v1/completions``: texts or token ids to continue."""

    prompt: TextOrTokens = ""
    model: str = ""
    suffix: str | None = None
    max_tokens: int | None = None
    n: int | None = None
    echo: bool | None = None
    logprobs: int | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    response_format: ResponseFormat | None = None


class EmbeddingBody(msgspec.Struct, kw_only=True):
    """The body of ``/v1/embeddings``."""

    input: Annotated[TextOrTokens, items(at_least=1, at_most=MAX_TEXTS)]
    model: str = ""
    encoding_format: str | None = None
    dimensions: int | None = None


class LlamaEmbeddingBody(msgspec.Struct, kw_only=True):
    """The body of ``/embedding``, llama.cpp's own route."""

    content: Annotated[TextOrTokens, items(at_least=1, at_most=MAX_TEXTS)]
    model: str = ""


def _as_list(value: TextOrTokens, *, param: str) -> list[str | list[int]]:
    """Return the items of ``value``: one text, one list of token ids, or several of either."""
    if isinstance(value, str):
        return [value]
    if len(value) > MAX_TOKEN_IDS:
        raise invalid(f"{param}: send at most {MAX_TOKEN_IDS} token ids.", param=param)
    ids = [each for each in value if isinstance(each, int)]
    items = [each for each in value if not isinstance(each, int)]
    if ids and items:
        raise invalid(f"{param}: send texts or token ids, not both.", param=param)
    items = items or [ids]
    if not value or len(items) > MAX_TEXTS:
        raise invalid(f"{param}: send 1 to {MAX_TEXTS} texts.", param=param)
    return items


def _prompt(prompt: str | list[int], *, suffix: str | None) -> PromptInput:
    if not suffix:
        if isinstance(prompt, list):
            return TokenInput(tokens=tuple(prompt))
        return TextInput(text=prompt, parse_special=True)
    if isinstance(prompt, list):
        raise invalid("prompt: with a suffix, send the text.", param="prompt")
    return InfillInput(prefix=prompt, suffix=suffix)


def read_completion(body: CompletionBody) -> CompletionRequest:
    """Return the request that a body describes. Raises ``HttpError``."""
    settings = RequestSettings()
    set_sampling(settings, body)
    settings.set_max_tokens(
        _DEFAULT_MAX_TOKENS if body.max_tokens is None else body.max_tokens, name="max_tokens"
    )
    set_format(settings, body.response_format)
    settings.set("sampling.top_logprobs", body.logprobs, name="logprobs")
    settings.names |= {"messages": "prompt", "infill": "suffix"}
    prompts = _as_list(body.prompt, param="prompt")
    if body.echo and body.logprobs is not None and body.suffix:
        raise invalid("echo: with a suffix, not together with logprobs.", param="echo")
    return CompletionRequest(
        model=body.model,
        prompts=tuple(_prompt(each, suffix=body.suffix) for each in prompts),
        n=n_answers(body.n),
        settings=settings.values,
        names=settings.names,
        reads_only=settings.reads_only,
        stop_tokens=settings.stop_tokens,
        min_tokens=settings.min_tokens,
        shows_stop=settings.shows_stop,
        reuses_cache=settings.reuses_cache,
        keep_alive_s=parse_keep_alive(body.keep_alive if body.keep_alive is not None else body.ttl),
    )


class _Echo(NamedTuple):
    """What the answers to a prompt begin with: the prompt, if ``echo`` is set."""

    text: str = ""
    logprobs: dict[str, Any] | None = None


async def _echo(
    service: ApiService, request: HttpRequest, body: CompletionBody, params: CompletionRequest, number: int
) -> _Echo:
    prompt = params.prompts[number]
    if not body.echo:
        return _Echo()
    if isinstance(prompt, InfillInput):
        return _Echo(prompt.prefix)
    text = prompt.text if isinstance(prompt, TextInput) else ""
    if text and body.logprobs is None:
        return _Echo(text)
    asked = msgspec.structs.replace(params, prompts=(prompt,))
    tokens = await service.prompt_tokens(asked, request.client)
    text = text or b"".join(token.piece for token in tokens).decode("utf-8", "replace")
    if body.logprobs is None:
        return _Echo(text)
    scores = await _scores(service, request, asked, tuple(token.token for token in tokens))
    has_bos = isinstance(prompt, TextInput) and starts_with_bos(tokens, text)
    first = [] if has_bos else [_text(tokens[0].piece)]
    told = _logprobs(scores, offset=sum(map(len, first)))
    return _Echo(text, _joined(_first_logprobs(first), told))


async def _scores(
    service: ApiService, request: HttpRequest, params: CompletionRequest, tokens: tuple[int, ...]
) -> list[TokenLogprobs]:
    """Return the log probabilities of all tokens but the first, each after those before it."""
    n_ctx = await service.n_ctx(await service.find(params.model))
    if len(tokens) > n_ctx:
        raise http_error_of(ContextLengthExceeded(n_prompt=len(tokens), n_ctx=n_ctx), names=params.names)
    first, others = tokens[:1], tokens[1:]
    if not others:
        return []
    replay = Replay(tokens=others, ends=True)
    scored = msgspec.structs.replace(params, prompts=(TokenInput(tokens=first),), n=1, replay=replay)
    (answer,) = await (await service.start(scored, request)).collect()
    return answer.logprobs


def _first_logprobs(texts: list[str]) -> dict[str, list[Any]]:
    """Return the legacy form of a first token, which has no probability."""
    return {
        "tokens": texts,
        "token_logprobs": [None for _ in texts],
        "top_logprobs": [None for _ in texts],
        "text_offset": [0 for _ in texts],
    }


def _joined(first: Mapping[str, list[Any]] | None, second: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    return {name: [*(first or {}).get(name, ()), *values] for name, values in second.items()}


async def create_completion(
    service: ApiService, request: HttpRequest, body: CompletionBody
) -> HttpResponse | StreamingResponse:
    """Handle ``/v1/completions``."""
    params = read_completion(body)
    check_count(params)
    numbers = range(len(params.prompts))
    echoed = await gather(*(_echo(service, request, body, params, number) for number in numbers))
    echoes = [echo for echo in echoed for _ in range(params.n)]
    session = session_id(request.headers, cache_key=body.prompt_cache_key)
    completion = await service.start(params, request, session=session)
    head = CompletionHead("text_completion", prefix="cmpl-", model=completion.spec.id)
    if body.stream:
        with_usage = body.stream_options is not None and body.stream_options.include_usage
        chunks = _chunks(
            completion,
            head,
            echoes,
            n=params.n,
            with_usage=with_usage,
            with_logprobs=body.logprobs is not None,
        )
        return StreamingResponse(chunks=chunks, error_chunk=stream_error_chunk, heartbeat=COMMENT)
    answers = await completion.collect()
    choices = [
        {
            "index": index,
            "text": echoes[index].text + answer.text,
            "logprobs": None
            if body.logprobs is None
            else _joined(echoes[index].logprobs, _logprobs(answer.logprobs, offset=len(echoes[index].text))),
            "finish_reason": finish_reason(answer.finished),
        }
        for index, answer in enumerate(answers)
    ]
    ends = [answer.finished for answer in answers]
    usage = _usage(ends, n=params.n)
    return json_response(head.with_choices(choices, usage=usage, timings=timings_of(ends[0])))


async def _chunks(
    completion: Completion,
    head: CompletionHead,
    echoes: Sequence[_Echo],
    *,
    n: int,
    with_usage: bool,
    with_logprobs: bool,
) -> AsyncGenerator[bytes, None]:
    ends: dict[int, Finished] = {}
    offsets = [len(echo.text) for echo in echoes]

    def chunk(
        index: int,
        text: str,
        *,
        logprobs: Mapping[str, list[Any]] | None = None,
        tokens: Sequence[TokenLogprobs] = (),
        reason: str | None = None,
    ) -> bytes:
        if with_logprobs and tokens:
            logprobs = _logprobs(tokens, offset=offsets[index])
            offsets[index] += sum(map(len, logprobs["tokens"]))
        choice = {"index": index, "text": text, "logprobs": logprobs, "finish_reason": reason}
        return sse_event(head.with_choices([choice]))

    for index, echo in enumerate(echoes):
        if echo.text:
            yield chunk(index, echo.text, logprobs=echo.logprobs)
    async with aclosing(completion.events()) as events:
        async for index, event in events:
            if isinstance(event, TextDelta) and event.kind is OutputKind.ANSWER:
                if event.text or (with_logprobs and event.logprobs):
                    yield chunk(index, event.text, tokens=event.logprobs)
            elif isinstance(event, Finished):
                ends[index] = event
                yield chunk(index, "", reason=finish_reason(event))
    if with_usage:
        usage = _usage([ends[index] for index in sorted(ends)], n=n)
        yield sse_event(head.with_choices([], usage=usage, timings=timings_of(ends[0])))
    yield DONE


def _usage(ends: Sequence[Finished], *, n: int) -> dict[str, Any]:
    """Return the token usage of all answers; each prompt counts once for its ``n`` answers."""
    usage = usage_of(ends)
    usage["prompt_tokens"] = sum(end.usage.n_prompt for end in ends[::n])
    usage["total_tokens"] = usage["prompt_tokens"] + usage["completion_tokens"]
    return usage


def _logprobs(tokens: Sequence[TokenLogprobs], *, offset: int) -> dict[str, list[Any]]:
    """Return the legacy form of logprobs; ``offset`` is the length of the text before the tokens."""
    texts = [_text(token.chosen.piece) for token in tokens]
    return {
        "tokens": texts,
        "token_logprobs": [finite(token.chosen.logprob) for token in tokens],
        "top_logprobs": [{_text(top.piece): finite(top.logprob) for top in token.top} for token in tokens],
        "text_offset": list(accumulate(map(len, texts[:-1]), initial=offset)) if texts else [],
    }


def _text(piece: bytes) -> str:
    return piece.decode("utf-8", "replace")


async def create_embeddings(service: ApiService, request: HttpRequest, body: EmbeddingBody) -> HttpResponse:
    """Handle ``/v1/embeddings``."""
    if body.encoding_format not in (None, "float", "base64"):
        raise invalid("encoding_format: choose float or base64.", param="encoding_format")
    prompt = EmbeddingInput(texts=_texts(body.input, param="input"), dimensions=body.dimensions)
    spec, vectors = await service.vectors(prompt, body.model, request, param="input")
    n_tokens = sum(n for _, n in vectors)
    encode = _to_base64 if body.encoding_format == "base64" else list
    return json_response(
        {
            "object": "list",
            "data": [
                {"object": "embedding", "index": index, "embedding": encode(vector)}
                for index, (vector, _) in enumerate(vectors)
            ],
            "model": spec.id,
            "usage": {"prompt_tokens": n_tokens, "total_tokens": n_tokens},
        }
    )


async def create_llama_embedding(
    service: ApiService, request: HttpRequest, body: LlamaEmbeddingBody
) -> HttpResponse:
    """Handle ``/embedding``: as in llama.cpp's server, each text has a list of vectors, here of one."""
    prompt = EmbeddingInput(texts=_texts(body.content, param="content"))
    _, vectors = await service.vectors(prompt, body.model, request, param="content")
    return json_response(
        [{"index": index, "embedding": [list(vector)]} for index, (vector, _) in enumerate(vectors)]
    )


def _texts(value: TextOrTokens, *, param: str) -> tuple[str, ...]:
    texts = _as_list(value, param=param)
    if not all(isinstance(text, str) for text in texts):
        # Clients send ids of OpenAI's tokenizer, which are other texts in this model's.
        raise invalid(
            f"{param}: token ids are not taken, since they differ from model to model. With LangChain, set "
            "check_embedding_ctx_length=False.",
            param=param,
        )
    return tuple(map(str, texts))


def _to_base64(vector: array[float]) -> str:
    numbers = array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return base64.b64encode(numbers.tobytes()).decode()


async def list_models(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/v1/models``, with the fields of OpenAI, Anthropic, vLLM and llama.cpp together."""
    del request
    data = [await _model_object(service, entry) for entry in service.entries()]
    ids = [each["id"] for each in data]
    return json_response(
        {
            "object": "list",
            "data": data,
            "has_more": False,
            "first_id": ids[0] if ids else None,
            "last_id": ids[-1] if ids else None,
        }
    )


async def get_model(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/v1/models/ID``."""
    spec = await service.find(request.path.partition("/models/")[2])
    entry = next(entry for entry in service.entries() if entry.spec is not None and entry.spec.id == spec.id)
    return json_response(await _model_object(service, entry))


async def _model_object(service: ApiService, entry: ModelEntry) -> dict[str, Any]:
    spec = entry.spec
    assert spec is not None
    n_ctx = await service.n_ctx(spec)
    created = int(entry.user_metadata.last_used_s or 0)
    is_loaded = spec.remote is not None or service.loaded(spec) is not None
    return {
        "id": spec.id,
        "object": "model",
        "created": created,
        "owned_by": "fireside",
        "type": "model",
        "display_name": spec.name,
        "created_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(created)),
        "max_model_len": n_ctx,
        "meta": {
            "n_ctx": n_ctx,
            "n_ctx_train": spec.n_ctx_train,
            "n_params": spec.n_params,
            "n_embd": spec.n_embd,
            "n_vocab": spec.n_vocab,
            "vocab_type": _VOCAB_TYPES.get(spec.tokenizer),
            "size": spec.size_bytes,
        },
        "architecture": {
            "input_modalities": [
                "text",
                *(("image", "video") if spec.sees_images else ()),
                *(("audio",) if spec.hears_audio else ()),
            ],
            "output_modalities": ["text"] if spec.purpose is Purpose.GENERATE else ["embeddings"],
        },
        "status": {"value": "loaded" if is_loaded else "unloaded"},
    }
