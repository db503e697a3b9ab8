"""Completions as llama.cpp's server has them: raw texts, tokens, gaps, and all that it tells of an answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final

import msgspec

from fireside.api.api_service import ApiService
from fireside.api.completion import CollectedAnswer, Completion
from fireside.api.completion_request import Biases, CompletionRequest, RequestSettings
from fireside.api.http_error import invalid
from fireside.api.http_messages import HttpRequest, HttpResponse, StreamingResponse, json_response, sse_event
from fireside.api.openai_chat import COMMENT, Sampling, set_sampling, stream_error_chunk
from fireside.api.sessions import parse_keep_alive, session_id
from fireside.api.usage import finish_reason, finite, progress_of, timings_of
from fireside.core.generation import Finished, OutputKind, PromptProgress, TextDelta, TokenLogprobs
from fireside.core.inspection import PromptToken
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import InfillInput, PromptInput, TextInput, TokenInput
from fireside.settings.token_biases import BIAS_LIMIT

_STOP_TYPES: Final[Mapping[str, str]] = {"stop": "eos", "length": "limit", "tool_calls": "eos"}
_SAMPLERS: Final = (
    "repeat_last_n",
    "dynatemp_range",
    "dynatemp_exponent",
    "top_n_sigma",
    "xtc_probability",
    "xtc_threshold",
    "dry_multiplier",
    "dry_base",
    "dry_allowed_length",
    "dry_penalty_last_n",
    "mirostat_tau",
    "mirostat_eta",
)
_RANDOM_SEED: Final = 0xFFFFFFFF


class WrittenPrompt(msgspec.Struct, kw_only=True):
    """A prompt in an object, in which llama.cpp's server takes pictures beside the text."""

    prompt_string: str
    multimodal_data: Any = None


Mixed = list[int | str]
"""Token ids, with texts between them."""


class ExtraFile(msgspec.Struct, kw_only=True):
    """Another file of the project in which a gap is filled. It is checked and not used."""

    filename: str
    text: str


class RawCompletionBody(Sampling, kw_only=True):
    """A text to go on with, or a gap to fill."""

    prompt: str | WrittenPrompt | list[int | str | WrittenPrompt | Mixed] = ""
    input_prefix: str = ""
    input_suffix: str = ""
    input_extra: tuple[ExtraFile, ...] = ()
    model: str = ""
    n_predict: int | None = None
    max_tokens: int | None = None
    stream: bool = False
    n_probs: int | None = None
    return_tokens: bool = False
    return_progress: bool = False
    response_fields: tuple[str, ...] = ()
    repeat_last_n: int | None = None
    dynatemp_range: float | None = None
    dynatemp_exponent: float | None = None
    top_n_sigma: float | None = None
    xtc_probability: float | None = None
    xtc_threshold: float | None = None
    dry_multiplier: float | None = None
    dry_base: float | None = None
    dry_allowed_length: int | None = None
    dry_penalty_last_n: int | None = None
    mirostat_tau: float | None = None
    mirostat_eta: float | None = None


async def text_tokens(
    service: ApiService,
    request: HttpRequest,
    text: str,
    *,
    model: str,
    add_special: bool = False,
    parse_special: bool = True,
) -> tuple[PromptToken, ...]:
    """Return the tokens of a text, with what the model wants before any if ``add_special``.

    Raises ``HttpError``.
    """
    if not text:
        return ()
    prompt = TextInput(text=text, parse_special=parse_special)
    tokens = await service.prompt_tokens(CompletionRequest(model=model, prompts=(prompt,)), request.client)
    is_added = bool(tokens) and tokens[0].is_special and not text.encode().startswith(tokens[0].piece)
    return tokens[1:] if is_added and not add_special else tokens


def generation_settings(sampling: SamplingParams, *, seed: int | None = None) -> dict[str, Any]:
    """Return how tokens are chosen, under llama.cpp's names."""
    told = msgspec.to_builtins(sampling)
    for own, name in (
        ("max_tokens", "n_predict"),
        ("adaptive_p_target", "adaptive_target"),
        ("adaptive_p_decay", "adaptive_decay"),
        ("top_logprobs", "n_probs"),
    ):
        told[name] = told.pop(own)
    del told["guard_repetition"]
    chosen = sampling.seed if seed is None else seed
    biases = [
        {"token": token, "bias": None if bias <= -BIAS_LIMIT else bias} for token, bias in sampling.logit_bias
    ]
    return {
        **told,
        "n_predict": -1 if sampling.max_tokens is None else sampling.max_tokens,
        "n_probs": sampling.top_logprobs or 0,
        "seed": _RANDOM_SEED if chosen is None else chosen,
        "logit_bias": biases,
    }


async def create_llama_completion(
    service: ApiService, request: HttpRequest, body: RawCompletionBody
) -> HttpResponse | StreamingResponse:
    """Answer ``/completion``."""
    given = _each(body.prompt)
    prompts = [await _prompt(service, request, each, model=body.model) for each in given or (body.prompt,)]
    return await _answer(service, request, body, prompts, is_list=given is not None)


async def create_infill(
    service: ApiService, request: HttpRequest, body: RawCompletionBody
) -> HttpResponse | StreamingResponse:
    """Answer ``/infill``."""
    if not isinstance(body.prompt, str):
        raise invalid("prompt: send a text.", param="prompt")
    prompt = InfillInput(prefix=body.input_prefix + body.prompt, suffix=body.input_suffix)
    return await _answer(service, request, body, [prompt], is_list=False)


def _each(prompt: object) -> list[Any] | None:
    """Return several prompts; ``None`` where there is one: with a token id among them, a list is one."""
    if not isinstance(prompt, list) or any(isinstance(each, int) for each in prompt):
        return None
    if not prompt:
        raise invalid("prompt: the list is empty.", param="prompt")
    return prompt


async def _prompt(service: ApiService, request: HttpRequest, given: object, *, model: str) -> PromptInput:
    match given:
        case str():
            return TextInput(text=given, parse_special=True)
        case WrittenPrompt(prompt_string=text, multimodal_data=None | []):
            return TextInput(text=text, parse_special=True)
        case list() if all(isinstance(each, int | str) for each in given):
            return TokenInput(tokens=tuple(await _mixed(service, request, given, model=model)))
        case _:
            raise invalid("prompt: send pictures with a chat, and each prompt by itself.", param="prompt")


async def _mixed(service: ApiService, request: HttpRequest, given: Mixed, *, model: str) -> list[int]:
    found: list[int] = []
    for each in given:
        if isinstance(each, int):
            found.append(each)
        else:
            tokens = await text_tokens(service, request, each, model=model, add_special=not found)
            found += [token.token for token in tokens]
    return found


async def _with_ids(
    service: ApiService, request: HttpRequest, biases: Biases | None, *, model: str
) -> Biases | None:
    """Return biases by the ids of tokens: of texts, as llama.cpp's server takes them, each token is meant."""
    pairs = list(biases.items() if isinstance(biases, dict) else biases or ())
    found: dict[str, float] = {}
    for word, bias in pairs:
        if isinstance(word, int) or word.isdecimal():
            ids: Iterable[int | str] = (word,)
        else:
            ids = [token.token for token in await text_tokens(service, request, word, model=model)]
        found |= {str(each): -BIAS_LIMIT if bias is False else float(bias) for each in ids}
    return found


async def _answer(
    service: ApiService,
    request: HttpRequest,
    body: RawCompletionBody,
    prompts: Sequence[PromptInput],
    *,
    is_list: bool,
) -> HttpResponse | StreamingResponse:
    settings = RequestSettings()
    biases = await _with_ids(service, request, body.logit_bias, model=body.model)
    body = msgspec.structs.replace(body, logit_bias=biases)
    set_sampling(settings, body)
    settings.set_samplers(body, _SAMPLERS)
    n = body.n_predict if body.n_predict is not None else body.max_tokens
    settings.set_max_tokens(n, name="n_predict")
    settings.set("sampling.top_logprobs", body.n_probs or None, name="n_probs")
    params = CompletionRequest(
        model=body.model,
        prompts=tuple(prompts),
        settings=settings.values,
        names=settings.names,
        keep_alive_s=parse_keep_alive(body.keep_alive),
    )
    session = session_id(request.headers, cache_key=body.prompt_cache_key)
    completion = await service.start(params, request, session=session)
    words = _Words(completion, body, prompts)
    if body.stream:
        return StreamingResponse(
            chunks=_chunks(completion, words), error_chunk=stream_error_chunk, heartbeat=COMMENT
        )
    found = [words.whole(index, each) for index, each in enumerate(await completion.collect())]
    return json_response(found if is_list else found[0])


async def _chunks(completion: Completion, words: _Words) -> AsyncGenerator[bytes, None]:
    async with aclosing(completion.events()) as events:
        async for index, each in events:
            match each:
                case PromptProgress() if words.tells_progress:
                    yield sse_event(words.progress(index, each))
                case TextDelta(kind=OutputKind.ANSWER) if each.text or each.logprobs:
                    yield sse_event(words.delta(index, each))
                case Finished():
                    yield sse_event(words.end(index, each))
                case _:
                    pass


class _Words:
    """Words what happens as llama.cpp's server does."""

    def __init__(
        self, completion: Completion, body: RawCompletionBody, prompts: Sequence[PromptInput]
    ) -> None:
        self.tells_progress = body.return_progress
        self._model = completion.spec.id
        self._sampling = completion.sampling
        self._body = body
        self._prompts = prompts
        self._has_new_line: set[int] = set()

    def progress(self, index: int, progress: PromptProgress) -> dict[str, Any]:
        """Return how far a prompt is read."""
        return {
            "index": index,
            "content": "",
            "tokens": [],
            "stop": False,
            "prompt_progress": progress_of(progress),
        }

    def delta(self, index: int, delta: TextDelta) -> dict[str, Any]:
        """Return a piece of an answer."""
        if "\n" in delta.text:
            self._has_new_line.add(index)
        return {
            "index": index,
            "content": delta.text,
            "tokens": [each.chosen.token for each in delta.logprobs],
            "stop": False,
            **self._probabilities(delta.logprobs),
        }

    def whole(self, index: int, each: CollectedAnswer) -> dict[str, Any]:
        """Return an answer that is not streamed, or the fields of it that are wanted."""
        if "\n" in each.text:
            self._has_new_line.add(index)
        found = {**self.end(index, each.finished), "content": each.text, **self._probabilities(each.logprobs)}
        return _picked(found, self._body.response_fields)

    def end(self, index: int, end: Finished) -> dict[str, Any]:
        """Return the last piece."""
        return {
            "index": index,
            "content": "",
            "tokens": _ids(end.tokens) if self._body.return_tokens else [],
            "stop": True,
            "model": self._model,
            "tokens_predicted": end.usage.n_completion,
            "tokens_evaluated": end.usage.n_prompt,
            "generation_settings": generation_settings(self._sampling, seed=end.seed),
            "prompt": _shown(self._prompts[index]),
            "has_new_line": index in self._has_new_line,
            "truncated": end.truncation is not None or end.context_full,
            "stop_type": "word" if end.stop_string else _STOP_TYPES[finish_reason(end)],
            "stopping_word": end.stop_string,
            "tokens_cached": end.usage.n_cached,
            "timings": timings_of(end),
        }

    def _probabilities(self, tokens: Iterable[TokenLogprobs]) -> dict[str, Any]:
        if not self._body.n_probs:
            return {}
        told = [
            {
                **_probability(each.chosen.token, each.chosen.piece, each.chosen.logprob),
                "top_logprobs": [_probability(top.token, top.piece, top.logprob) for top in each.top],
            }
            for each in tokens
        ]
        return {"completion_probabilities": told}


def _probability(token: int, piece: bytes, logprob: float) -> dict[str, Any]:
    text = piece.decode("utf-8", "replace")
    return {"id": token, "token": text, "bytes": list(piece), "logprob": finite(logprob)}


def _ids(tokens: bytes) -> list[int]:
    return [int.from_bytes(tokens[at : at + 4], "little") for at in range(0, len(tokens), 4)]


def _shown(prompt: PromptInput) -> str:
    return prompt.text if isinstance(prompt, TextInput) else ""


def _picked(whole: dict[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    """Return the named fields, those within others as ``outer/inner``; all if none is named."""
    if not fields:
        return whole
    found = {}
    for field in fields:
        value: Any = whole
        for part in field.split("/"):
            value = value.get(part) if isinstance(value, dict) else None
        if value is not None:
            found[field] = value
    return found
