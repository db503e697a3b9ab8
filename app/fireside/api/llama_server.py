"""What llama.cpp's server has beside OpenAI's routes: state, tokens, ranks. Its completions have a module."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import msgspec

from fireside.api.answers import Answers, check_tokens
from fireside.api.asks import Ask
from fireside.api.calls import Call, Reply, json_reply
from fireside.api.llama_completion import generation_settings, text_tokens
from fireside.api.openai_chat import BUILD, ChatBody, read_chat
from fireside.api.refusal import invalid
from fireside.core.generation import TextDelta
from fireside.core.options import Purpose
from fireside.core.prompt_input import RerankInput, TextInput
from fireside.core.task import Replay


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


class RerankBody(msgspec.Struct, kw_only=True):
    """Documents to be judged by how well they answer a query."""

    query: str
    documents: list[str] = []
    texts: list[str] = []
    """What another server calls the documents; it is answered in that one's words."""
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
    ready = answers.loaded(spec)
    options, sampling = await answers.defaults(spec)
    return json_reply(
        {
            "default_generation_settings": {
                "n_ctx": await answers.n_ctx(spec),
                "params": generation_settings(sampling),
            },
            "total_slots": ready.loaded.n_seq_max if ready is not None else options.n_seq_max,
            "model_alias": spec.id,
            "model_path": Path(spec.path).name,
            "modalities": {"vision": spec.projector_path is not None, "audio": False},
            "build_info": BUILD,
            "is_sleeping": ready is None,
        }
    )


async def tokenize(answers: Answers, call: Call, body: TokenizeBody) -> Reply:
    """Answer ``/tokenize``."""
    tokens = await text_tokens(
        answers,
        call,
        body.content,
        model=body.model,
        add_special=body.add_special,
        parse_special=body.parse_special,
    )
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
    if body.texts:
        return json_reply([{"index": index, "score": score} for score, index in best])
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
                "state": "loaded" if spec.remote or answers.loaded(spec) is not None else "not-loaded",
                "max_context_length": spec.n_ctx_train,
                "loaded_context_length": await answers.n_ctx(spec),
            }
        )
    return json_reply({"object": "list", "data": data})
