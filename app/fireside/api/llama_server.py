"""What llama.cpp's server has beside OpenAI's routes: state, tokens, raw completions, gaps, ranks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final

import msgspec

from fireside import __version__
from fireside.api.answering import Answering, Collected
from fireside.api.answers import Answers, check_tokens
from fireside.api.asks import Ask, Choices
from fireside.api.calls import Call, Reply, Stream, event, json_reply
from fireside.api.openai_chat import (
    COMMENT,
    ChatBody,
    Sampling,
    finish_reason,
    put_sampling,
    read_chat,
    stream_failure,
    timings_of,
)
from fireside.api.refusal import invalid
from fireside.api.sessions import keep_alive_of, session_of
from fireside.core.generation import Finished, OutputKind, TextDelta
from fireside.core.options import Purpose
from fireside.core.prompt_input import InfillInput, PromptInput, RerankInput, TextInput
from fireside.core.task import Replay

_STOP_TYPES: Final[Mapping[str, str]] = {"stop": "eos", "length": "limit", "tool_calls": "eos"}


class TokenizeBody(msgspec.Struct, kw_only=True):
    """A text to cut into tokens."""

    content: str = ""
    model: str = ""
    add_special: bool = False
    parse_special: bool = True
    with_pieces: bool = False


class DetokenizeBody(msgspec.Struct, kw_only=True):
    """Tokens to turn into text."""

    tokens: list[int] = []
    model: str = ""


class RawCompletionBody(Sampling, kw_only=True):
    """A text to go on with, or a gap to fill."""

    prompt: str | list[str] = ""
    input_prefix: str = ""
    input_suffix: str = ""
    model: str = ""
    n_predict: int | None = None
    max_tokens: int | None = None
    stream: bool = False
    json_schema: dict[str, Any] | None = None


class RerankBody(msgspec.Struct, kw_only=True):
    """Documents to be judged by how well they answer a query."""

    query: str
    documents: list[str] = []
    texts: list[str] = []
    """What another server calls the documents."""
    model: str = ""
    top_n: int | None = None


async def show_health(answers: Answers, call: Call) -> Reply:
    """Answer ``/health``: the server is there. Models are loaded on demand."""
    del answers, call
    return json_reply({"status": "ok"})


async def show_props(answers: Answers, call: Call) -> Reply:
    """Answer ``/props`` about the model in use. No path is told."""
    del call
    spec = await answers.find("")
    ready = answers.loaded(spec.id)
    return json_reply(
        {
            "default_generation_settings": {"n_ctx": await answers.n_ctx(spec)},
            "total_slots": ready.loaded.n_seq_max if ready is not None else 1,
            "model_alias": spec.id,
            "modalities": {"vision": spec.projector_path is not None, "audio": False},
            "build_info": f"fireside-{__version__}",
        }
    )


async def tokenize(answers: Answers, call: Call, body: TokenizeBody) -> Reply:
    """Answer ``/tokenize``."""
    if not body.content:
        return json_reply({"tokens": []})
    prompt = TextInput(text=body.content, parse_special=body.parse_special)
    tokens = await answers.prompt_tokens(Ask(model=body.model, prompts=(prompt,)), call.client)
    # What the model wants before any text is not part of the text.
    is_added = bool(tokens) and tokens[0].is_special and not body.content.encode().startswith(tokens[0].piece)
    if is_added and not body.add_special:
        tokens = tokens[1:]
    if not body.with_pieces:
        return json_reply({"tokens": [token.token for token in tokens]})
    return json_reply({"tokens": [{"id": token.token, "piece": _piece(token.piece)} for token in tokens]})


def _piece(piece: bytes) -> str | list[int]:
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return list(piece)


async def detokenize(answers: Answers, call: Call, body: DetokenizeBody) -> Reply:
    """Answer ``/detokenize``: the tokens are read as if they had been answered."""
    if not body.tokens:
        return json_reply({"content": ""})
    spec = await answers.find(body.model)
    check_tokens(body.tokens, spec, param="tokens")
    ask = Ask(
        model=spec.id,
        prompts=(TextInput(text="\n"),),
        replay=Replay(tokens=tuple(body.tokens), ends=True),
    )
    text = ""
    answering = await answers.start(ask, call)
    async with aclosing(answering.events()) as events:
        async for _, each in events:
            text += each.text if isinstance(each, TextDelta) else ""
    return json_reply({"content": text})


async def apply_template(answers: Answers, call: Call, body: ChatBody) -> Reply:
    """Answer ``/apply-template``: the conversation as the model is shown it."""
    tokens = await answers.prompt_tokens(read_chat(body), call.client)
    return json_reply({"prompt": b"".join(token.piece for token in tokens).decode("utf-8", "replace")})


async def answer_raw(answers: Answers, call: Call, body: RawCompletionBody) -> Reply | Stream:
    """Answer ``/completion``."""
    text = body.prompt if isinstance(body.prompt, str) else "".join(body.prompt)
    return await _answer(answers, call, body, TextInput(text=text, parse_special=True))


async def answer_infill(answers: Answers, call: Call, body: RawCompletionBody) -> Reply | Stream:
    """Answer ``/infill``."""
    begun = body.prompt if isinstance(body.prompt, str) else "".join(body.prompt)
    prompt = InfillInput(prefix=body.input_prefix + begun, suffix=body.input_suffix)
    return await _answer(answers, call, body, prompt)


async def _answer(
    answers: Answers, call: Call, body: RawCompletionBody, prompt: PromptInput
) -> Reply | Stream:
    choices = Choices()
    put_sampling(choices, body)
    n = body.n_predict if body.n_predict is not None else body.max_tokens
    choices.put_max_tokens(n, name="n_predict")
    choices.put_schema(body.json_schema, name="json_schema")
    ask = Ask(
        model=body.model,
        prompts=(prompt,),
        settings=choices.settings,
        names=choices.names,
        keep_alive_s=keep_alive_of(body.keep_alive),
    )
    session = session_of(call.headers, cache_key=body.prompt_cache_key)
    answering = await answers.start(ask, call, session=session)
    if body.stream:
        return Stream(pieces=_pieces(answering), failure=stream_failure, heartbeat=COMMENT)
    (whole,) = await answering.collect()
    return json_reply(_end(whole, whole.finished, model=answering.spec.id))


async def _pieces(answering: Answering) -> AsyncGenerator[bytes, None]:
    async with aclosing(answering.events()) as events:
        async for index, each in events:
            if isinstance(each, TextDelta) and each.kind is OutputKind.ANSWER and each.text:
                yield event({"index": index, "content": each.text, "stop": False})
            elif isinstance(each, Finished):
                yield event(_end(None, each, model=answering.spec.id))


def _end(whole: Collected | None, end: Finished, *, model: str) -> dict[str, Any]:
    return {
        "index": 0,
        "content": whole.text if whole is not None else "",
        "stop": True,
        "model": model,
        "tokens_predicted": end.usage.n_completion,
        "tokens_evaluated": end.usage.n_prompt,
        "tokens_cached": end.usage.n_cached,
        "truncated": False,
        "stop_type": "word" if end.stop_string else _STOP_TYPES[finish_reason(end)],
        "stopping_word": end.stop_string,
        "timings": timings_of(end),
    }


async def rerank(answers: Answers, call: Call, body: RerankBody) -> Reply:
    """Answer ``/rerank`` and its other names."""
    documents = body.documents or body.texts
    if not documents:
        raise invalid("documents: there are none.", param="documents")
    prompt = RerankInput(query=body.query, documents=tuple(documents))
    spec, vectors = await answers.vectors(prompt, body.model, call)
    scores = [(vector[0], index) for index, (vector, _) in enumerate(vectors)]
    n_tokens = sum(n for _, n in vectors)
    best = sorted(scores, reverse=True)[: body.top_n]
    return json_reply(
        {
            "model": spec.id,
            "object": "list",
            "usage": {"prompt_tokens": n_tokens, "total_tokens": n_tokens},
            "results": [{"index": index, "relevance_score": score} for score, index in best],
        }
    )


async def list_studio_models(answers: Answers, call: Call) -> Reply:
    """Answer LM Studio's ``/api/v0/models``, by which some clients tell what is loaded."""
    del call
    data = []
    for entry in answers.entries():
        spec = entry.spec
        assert spec is not None
        chats = spec.purpose is Purpose.GENERATE
        data.append(
            {
                "id": spec.id,
                "object": "model",
                "type": ("vlm" if spec.sees else "llm") if chats else "embeddings",
                "publisher": "",
                "arch": spec.architecture,
                "compatibility_type": "gguf",
                "quantization": spec.quantization,
                "state": "loaded" if spec.remote or answers.loaded(spec.id) is not None else "not-loaded",
                "max_context_length": spec.n_ctx_train,
                "loaded_context_length": await answers.n_ctx(spec),
            }
        )
    return json_reply({"object": "list", "data": data})
