"""The completions of llama.cpp's server: raw texts, token ids and infill, with its response fields."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final

import msgspec

from fireside.api.api_service import MAX_TOKEN_IDS, ApiService
from fireside.api.completion import CollectedAnswer, Completion
from fireside.api.completion_request import (
    MAX_ANSWERS,
    Biases,
    CompletionRequest,
    RequestSettings,
    n_answers,
)
from fireside.api.http_error import invalid
from fireside.api.http_messages import HttpRequest, HttpResponse, StreamingResponse, json_response, sse_event
from fireside.api.openai_chat import COMMENT, stream_error_chunk
from fireside.api.sampling import Sampling, set_sampling
from fireside.api.sessions import parse_keep_alive, session_id
from fireside.api.usage import finish_reason, finite, progress_of, timings_of
from fireside.core.generation import Finished, OutputKind, Overflow, PromptProgress, TextDelta, TokenLogprobs
from fireside.core.inspection import PromptToken, starts_with_bos
from fireside.core.options import BIAS_LIMIT, PARAMETERS, SamplingParams
from fireside.core.prompt_input import InfillFile, InfillInput, PromptInput, TextInput, TokenInput

_STOP_TYPES: Final[Mapping[str, str]] = {"stop": "eos", "length": "limit", "tool_calls": "eos"}
_RANDOM_SEED: Final = 0xFFFFFFFF
_MAX_TEXTS: Final = 256
"""Texts of one request that are turned into tokens one by one."""


class PromptObject(msgspec.Struct, kw_only=True):
    """A prompt as an object, which in llama.cpp's server may contain images too."""

    prompt_string: str
    multimodal_data: Any = None


MixedPrompt = list[int | str]
"""Token ids and texts."""


class ExtraFile(msgspec.Struct, kw_only=True):
    """Another file of the project, which is shown to the model before the text around the gap."""

    filename: str
    text: str


class RawCompletionBody(Sampling, kw_only=True):
    """The body of ``/completion`` and ``/infill``."""

    prompt: str | PromptObject | list[int | str | PromptObject | MixedPrompt] = ""
    input_prefix: str = ""
    input_suffix: str = ""
    input_extra: tuple[ExtraFile, ...] = ()
    model: str = ""
    n_predict: int | None = None
    max_tokens: int | None = None
    n_cmpl: int | None = None
    """Answers to each prompt, as is ``n``."""
    n: int | None = None
    stream: bool = False
    n_probs: int | None = None
    return_tokens: bool = False
    return_progress: bool = False
    response_fields: tuple[str, ...] = ()


async def text_tokens(
    service: ApiService,
    request: HttpRequest,
    text: str,
    *,
    model: str,
    add_special: bool = False,
    parse_special: bool = True,
) -> tuple[PromptToken, ...]:
    """Return the tokens of a text, with the model's BOS token if ``add_special``. Raises ``HttpError``."""
    if not text:
        return ()
    prompt = TextInput(text=text, parse_special=parse_special)
    tokens = await service.prompt_tokens(CompletionRequest(model=model, prompts=(prompt,)), request.client)
    return tokens[1:] if not add_special and starts_with_bos(tokens, text) else tokens


def generation_settings(sampling: SamplingParams, *, seed: int | None = None) -> dict[str, Any]:
    """Return the sampling parameters under llama.cpp's names."""
    fields = {
        row.api_name: msgspec.to_builtins(getattr(sampling, name))
        for name, row in PARAMETERS.items()
        if name != "guard_repetition"  # Fireside's own
    }
    if seed is None:
        seed = sampling.seed
    biases = [
        {"token": token, "bias": None if bias <= -BIAS_LIMIT else bias} for token, bias in sampling.logit_bias
    ]
    return {
        **fields,
        "n_predict": -1 if sampling.max_tokens is None else sampling.max_tokens,
        "n_probs": sampling.top_logprobs or 0,
        "seed": _RANDOM_SEED if seed is None else seed,
        "logit_bias": biases,
    }


async def create_llama_completion(
    service: ApiService, request: HttpRequest, body: RawCompletionBody
) -> HttpResponse | StreamingResponse:
    """Handle ``/completion``."""
    several = _prompt_list(body.prompt)
    prompts = [await _prompt(service, request, each, model=body.model) for each in several or (body.prompt,)]
    return await _answer(service, request, body, prompts, is_list=several is not None)


async def create_infill(
    service: ApiService, request: HttpRequest, body: RawCompletionBody
) -> HttpResponse | StreamingResponse:
    """Handle ``/infill``."""
    if not isinstance(body.prompt, str):
        raise invalid("prompt: send a text.", param="prompt")
    files = tuple(InfillFile(name=each.filename, text=each.text) for each in body.input_extra)
    prompt = InfillInput(prefix=body.input_prefix + body.prompt, suffix=body.input_suffix, files=files)
    # As in llama.cpp's server, other files are cut to what fits, from the beginning of the first.
    overflow = Overflow.DROP_OLDEST if files else Overflow.REFUSE
    return await _answer(service, request, body, [prompt], is_list=False, overflow=overflow)


def _prompt_list(prompt: object) -> list[Any] | None:
    """Return a list of prompts; ``None`` for a single one, as is a list that contains token ids."""
    if not isinstance(prompt, list) or any(isinstance(each, int) for each in prompt):
        return None
    if not prompt or len(prompt) > MAX_ANSWERS:
        raise invalid(f"prompt: send 1 to {MAX_ANSWERS} prompts.", param="prompt")
    return prompt


async def _prompt(service: ApiService, request: HttpRequest, prompt: object, *, model: str) -> PromptInput:
    if isinstance(prompt, list) and len(prompt) > MAX_TOKEN_IDS:
        raise invalid(f"prompt: send at most {MAX_TOKEN_IDS} token ids.", param="prompt")
    match prompt:
        case str():
            return TextInput(text=prompt, parse_special=True)
        case PromptObject(prompt_string=text, multimodal_data=None | []):
            return TextInput(text=text, parse_special=True)
        case list() if all(isinstance(each, int | str) for each in prompt):
            return TokenInput(tokens=tuple(await _token_ids(service, request, prompt, model=model)))
        case _:
            raise invalid("prompt: send pictures with a chat, and each prompt by itself.", param="prompt")


async def _token_ids(
    service: ApiService, request: HttpRequest, prompt: MixedPrompt, *, model: str
) -> list[int]:
    if sum(isinstance(each, str) for each in prompt) > _MAX_TEXTS:
        raise invalid(f"prompt: at most {_MAX_TEXTS} texts between token ids.", param="prompt")
    ids: list[int] = []
    for each in prompt:
        if isinstance(each, int):
            ids.append(each)
        else:
            tokens = await text_tokens(service, request, each, model=model, add_special=not ids)
            ids += [token.token for token in tokens]
    return ids


async def _biases_by_id(
    service: ApiService, request: HttpRequest, biases: Biases | None, *, model: str
) -> Biases:
    """Return biases by token id. As in llama.cpp's server, a text's bias applies to each of its tokens."""
    pairs = list(biases.items() if isinstance(biases, dict) else biases or ())
    if len(pairs) > _MAX_TEXTS:
        raise invalid(f"logit_bias: at most {_MAX_TEXTS} entries.", param="logit_bias")
    by_id: dict[str, float] = {}
    for token_or_text, bias in pairs:
        if isinstance(token_or_text, int) or token_or_text.isdecimal():
            ids: Iterable[int | str] = (token_or_text,)
        else:
            tokens = await text_tokens(service, request, token_or_text, model=model)
            ids = [token.token for token in tokens]
        by_id |= {str(each): -BIAS_LIMIT if bias is False else float(bias) for each in ids}
    return by_id


async def _answer(
    service: ApiService,
    request: HttpRequest,
    body: RawCompletionBody,
    prompts: Sequence[PromptInput],
    *,
    is_list: bool,
    overflow: Overflow = Overflow.REFUSE,
) -> HttpResponse | StreamingResponse:
    settings = RequestSettings()
    biases = await _biases_by_id(service, request, body.logit_bias, model=body.model)
    body = msgspec.structs.replace(body, logit_bias=biases)
    set_sampling(settings, body)
    n_predict = body.n_predict if body.n_predict is not None else body.max_tokens
    settings.set_max_tokens(n_predict, name="n_predict")
    settings.set("sampling.top_logprobs", body.n_probs or None, name="n_probs")
    settings.names |= {"messages": "prompt", "infill": "input_suffix"}
    params = CompletionRequest(
        model=body.model,
        prompts=tuple(prompts),
        n=n_answers(body.n_cmpl if body.n_cmpl is not None else body.n, name="n_cmpl"),
        settings=settings.values,
        names=settings.names,
        reads_only=settings.reads_only,
        stop_tokens=settings.stop_tokens,
        min_tokens=settings.min_tokens,
        shows_stop=settings.shows_stop,
        reuses_cache=settings.reuses_cache,
        keep_alive_s=parse_keep_alive(body.keep_alive),
        overflow=overflow,
    )
    session = session_id(request.headers, cache_key=body.prompt_cache_key)
    completion = await service.start(params, request, session=session)
    writer = _Writer(completion, body, [prompt for prompt in prompts for _ in range(params.n)])
    if body.stream:
        return StreamingResponse(
            chunks=_chunks(completion, writer), error_chunk=stream_error_chunk, heartbeat=COMMENT
        )
    answers = [writer.complete(index, answer) for index, answer in enumerate(await completion.collect())]
    return json_response(answers if is_list or params.n > 1 else answers[0])


async def _chunks(completion: Completion, writer: _Writer) -> AsyncGenerator[bytes, None]:
    async with aclosing(completion.events()) as events:
        async for index, event in events:
            match event:
                case PromptProgress() if writer.with_progress:
                    yield sse_event(writer.progress(index, event))
                case TextDelta(kind=OutputKind.ANSWER) if event.text or event.logprobs:
                    yield sse_event(writer.delta(index, event))
                case Finished():
                    yield sse_event(writer.end(index, event))
                case _:
                    pass


class _Writer:
    """Builds the response objects of llama.cpp's server."""

    def __init__(
        self, completion: Completion, body: RawCompletionBody, prompts: Sequence[PromptInput]
    ) -> None:
        self.with_progress = body.return_progress
        self._model = completion.spec.id
        self._sampling = completion.sampling
        self._body = body
        self._prompts = prompts
        self._has_new_line: set[int] = set()

    def progress(self, index: int, progress: PromptProgress) -> dict[str, Any]:
        """Return the progress of prompt processing."""
        return {
            "index": index,
            "content": "",
            "tokens": [],
            "stop": False,
            "prompt_progress": progress_of(progress),
        }

    def delta(self, index: int, delta: TextDelta) -> dict[str, Any]:
        """Return a chunk of an answer."""
        if "\n" in delta.text:
            self._has_new_line.add(index)
        return {
            "index": index,
            "content": delta.text,
            "tokens": [each.chosen.token for each in delta.logprobs],
            "stop": False,
            **self._probabilities(delta.logprobs),
        }

    def complete(self, index: int, answer: CollectedAnswer) -> dict[str, Any]:
        """Return an answer that is not streamed, with the fields that the client selects."""
        if "\n" in answer.text:
            self._has_new_line.add(index)
        fields = {
            **self.end(index, answer.finished),
            "content": answer.text,
            **self._probabilities(answer.logprobs),
        }
        return _selected(fields, self._body.response_fields)

    def end(self, index: int, end: Finished) -> dict[str, Any]:
        """Return the last chunk."""
        prompt = self._prompts[index]
        return {
            "index": index,
            "content": "",
            "tokens": _ids(end.tokens) if self._body.return_tokens else [],
            "stop": True,
            "model": self._model,
            "tokens_predicted": end.usage.n_completion,
            "tokens_evaluated": end.usage.n_prompt,
            "generation_settings": generation_settings(self._sampling, seed=end.seed),
            "prompt": prompt.text if isinstance(prompt, TextInput) else "",
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
        probabilities = [
            {
                **_probability(each.chosen.token, each.chosen.piece, each.chosen.logprob),
                "top_logprobs": [_probability(top.token, top.piece, top.logprob) for top in each.top],
            }
            for each in tokens
        ]
        return {"completion_probabilities": probabilities}


def _probability(token: int, piece: bytes, logprob: float) -> dict[str, Any]:
    text = piece.decode("utf-8", "replace")
    return {"id": token, "token": text, "bytes": list(piece), "logprob": finite(logprob)}


def _ids(tokens: bytes) -> list[int]:
    return [int.from_bytes(tokens[start : start + 4], "little") for start in range(0, len(tokens), 4)]


def _selected(fields: dict[str, Any], paths: Sequence[str]) -> dict[str, Any]:
    """Return the fields with these names, nested ones as ``outer/inner``; all if there are no names."""
    if not paths:
        return fields
    selected = {}
    for path in paths:
        value: Any = fields
        for name in path.split("/"):
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            selected[path] = value
    return selected
