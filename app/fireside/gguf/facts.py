"""Interpret a header: the kind of file and, for a model, its properties."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from pathlib import PurePath
from typing import assert_never

from fireside.core.errors import ModelFileInvalid
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec, template_calls_tools
from fireside.core.options import Purpose
from fireside.gguf.cursor import damaged
from fireside.gguf.file_names import model_name_in
from fireside.gguf.format_constants import FILE_TYPE_GUESSED, FILE_TYPES
from fireside.gguf.header import GgufHeader, Omitted, TensorInfo, printable
from fireside.gguf.memory_layout import model_layout

CHAT_TEMPLATE_KEY = "tokenizer.chat_template"
TOOL_TEMPLATE_KEY = f"{CHAT_TEMPLATE_KEY}.tool_use"
"""The template for chats with tools, if a model has two. It may be the only one."""
_SAMPLING = "general.sampling."
MAX_CONTEXT = 2**31 - 1
MAX_LAYERS = 512
"""llama.cpp's ``LLAMA_MAX_LAYERS``; it aborts above."""

_REASONING = re.compile(
    r"</?think|enable_thinking|thinking_budget|reasoning_content|reasoning_effort|<\|channel\|>|\[THINK\]"
)
_PROJECTOR_ARCHITECTURES = frozenset({"clip", "mmproj"})
_POOLING_RANK = 4
"""llama.cpp's number of the pooling type that returns one score."""
EMBEDDING_ARCHITECTURES = frozenset(
    {
        "bert",
        "eurobert",
        "gemma-embedding",
        "jina-bert-v2",
        "jina-bert-v3",
        "modern-bert",
        "neo-bert",
        "nomic-bert",
        "nomic-bert-moe",
        "t5encoder",
    }
)
PICTURE_ARCHITECTURES = frozenset(
    {
        "aura",
        "cosmos",
        "flux",
        "hidream",
        "hyvid",
        "ltxv",
        "lumina2",
        "qwen_image",
        "sd1",
        "sd3",
        "sdxl",
        "wan",
    }
)


_RUNS_HEADS = frozenset(
    {
        "bailingmoe3",
        "cohere2moe",
        "deepseek2",
        "deepseek32",
        "deepseek4",
        "glm-dsa",
        "glm4moe",
        "glm5-next",
        "hy_v3",
        "mimo2",
        "nemotron_h_moe",
        "qwen35",
        "qwen35moe",
        "qwen3next",
        "step35",
    }
)
"""Architectures whose heads for multi-token prediction llama.cpp runs; of others it only loads them."""
_RUNS_SEVERAL_HEADS = frozenset({"hy_v3", "mimo2", "step35"})
"""With more than one head the others abort."""


class FileKind(StrEnum):
    """What a GGUF file is for."""

    MODEL = "model"
    PROJECTOR = "projector"
    EMBEDDING = "embedding"
    ADAPTER = "adapter"
    PICTURES = "pictures"
    HEADS = "heads"
    """Prediction heads alone, for a model in another file."""
    IMPORTANCE_MATRIX = "importance_matrix"
    VOCABULARY = "vocabulary"


def file_kind(header: GgufHeader) -> FileKind:
    """Return the kind of a file by its architecture and type. A later part of a split is a ``MODEL``."""
    architecture = header.text("general.architecture")
    match header.text("general.type"):
        case "adapter":
            return FileKind.ADAPTER
        case "mmproj":
            return FileKind.PROJECTOR
        case "imatrix":
            return FileKind.IMPORTANCE_MATRIX
        case _:
            pass
    if architecture in _PROJECTOR_ARCHITECTURES:
        return FileKind.PROJECTOR
    if architecture in EMBEDDING_ARCHITECTURES or header.integer(f"{architecture}.pooling_type"):
        return FileKind.EMBEDDING
    if architecture in PICTURE_ARCHITECTURES:
        return FileKind.PICTURES
    if not header.tensors and n_parts(header) == 1:
        return FileKind.VOCABULARY
    # As llama.cpp tells: such a file lacks the layers of the model, of which the first has this tensor.
    has_layers = any(tensor.name == "blk.0.attn_norm.weight" for tensor in header.tensors)
    if not has_layers and n_parts(header) == 1 and _n_heads(header, tensors=header.tensors):
        return FileKind.HEADS
    return FileKind.MODEL


def n_parts(header: GgufHeader) -> int:
    """Return how many files the model is split into; 1 for a model in one file."""
    return max(1, header.integer("split.count") or 1)


def has_chat_template(header: GgufHeader) -> bool:
    """Whether the file contains a chat template, of any length."""
    templates = (header.metadata.get(key) for key in (CHAT_TEMPLATE_KEY, TOOL_TEMPLATE_KEY))
    return any(bool(template) and isinstance(template, str | Omitted) for template in templates)


def reasons(header: GgufHeader) -> bool:
    """Whether the template supports reasoning: by its tags, or a variable that turns it on and off."""
    return template_reasons(chat_template(header) or "")


def template_reasons(template: str) -> bool:
    """Whether a template supports reasoning; see ``reasons``."""
    return _REASONING.search(template) is not None


def calls_tools(header: GgufHeader) -> bool | None:
    """Whether the template has a place for tools; ``None`` if it is too long to be read."""
    if header.text(TOOL_TEMPLATE_KEY):
        return True
    template = chat_template(header)
    return (
        (None if has_chat_template(header) else False) if template is None else template_calls_tools(template)
    )


def chat_template(header: GgufHeader) -> str | None:
    """Return the template's text; ``None`` if there is none or it is longer than 256 KiB."""
    return header.text(CHAT_TEMPLATE_KEY) or header.text(TOOL_TEMPLATE_KEY) or None


def named_templates(header: GgufHeader) -> tuple[tuple[str, str], ...]:
    """Return name and source of the file's named templates."""
    prefix = f"{CHAT_TEMPLATE_KEY}."
    templates = (
        (key.removeprefix(prefix), value) for key, value in header.metadata.items() if key.startswith(prefix)
    )
    return tuple((name, value) for name, value in templates if isinstance(value, str) and value and name)


def sampling_defaults(header: GgufHeader) -> tuple[tuple[str, float | str], ...]:
    """Return the sampling parameters that the header recommends, by its own names."""
    return tuple(
        # In single precision, 0.6 is 0.60000002.
        (key.removeprefix(_SAMPLING), float(f"{value:.6g}") if isinstance(value, float) else value)
        for key, value in header.metadata.items()
        if key.startswith(_SAMPLING) and isinstance(value, int | float | str) and not isinstance(value, bool)
    )


def quantization(header: GgufHeader, *, tensors: Iterable[TensorInfo]) -> str:
    """Return the name of the quantization mix: as in the header, else the type of most weights."""
    file_type = header.integer("general.file_type")
    if file_type is not None and file_type & ~FILE_TYPE_GUESSED in FILE_TYPES:
        return FILE_TYPES[file_type & ~FILE_TYPE_GUESSED]
    n_elements: Counter[str] = Counter()
    for tensor in tensors:
        n_elements[tensor.type.name] += tensor.n_elements
    return n_elements.most_common(1)[0][0] if n_elements else ""


def n_usable_heads(architecture: str, n_heads: int) -> int:
    """Return how many of a model's ``n_heads`` llama.cpp runs: all or none."""
    if architecture not in _RUNS_HEADS or n_heads < 1:
        return 0
    return n_heads if n_heads == 1 or architecture in _RUNS_SEVERAL_HEADS else 0


def _n_heads(header: GgufHeader, *, tensors: Iterable[TensorInfo]) -> int:
    """Return the heads that can draft: the header may name some whose tensors were left out."""
    architecture = header.text("general.architecture")
    n_named = header.integer(f"{architecture}.nextn_predict_layers") or 0
    n_there = sum(tensor.name.endswith(".nextn.eh_proj.weight") for tensor in tensors)
    return n_usable_heads(architecture, n_named) if n_there >= n_named else 0


def model_spec(
    header: GgufHeader,
    *,
    path: str,
    id: ModelId,  # noqa: A002
    parts: tuple[GgufHeader, ...] = (),
    is_draft: bool = False,
) -> ModelSpec:
    """Return the properties of a model for generation or embeddings.

    Args:
        header: of the file, or of the first part of a split one.
        parts: headers of the other parts.
        is_draft: whether the draft heads of a model in another file are accepted too.

    Raises:
        ModelFileInvalid: the file is of another kind, or lacks a property that llama.cpp needs.
    """
    facts = _ModelFacts(header, path=path)
    facts.require_model(is_draft=is_draft)
    tensors = [tensor for piece in (header, *parts) for tensor in piece.tensors]
    architecture = header.text("general.architecture")
    n_embd = facts.count("embedding_length")
    n_layers = facts.count("block_count", limit=MAX_LAYERS)
    n_head = header.integer(f"{architecture}.attention.head_count") or 0
    n_head_kv = header.integer(f"{architecture}.attention.head_count_kv")
    head_dim = header.integer(f"{architecture}.attention.key_length")
    if head_dim is None:
        head_dim = n_embd // n_head if n_head > 0 else 0
    n_vocab = header.length("tokenizer.ggml.tokens")
    if n_vocab is None:
        n_vocab = header.integer(f"{architecture}.vocab_size") or 0
    return ModelSpec(
        id=id,
        name=_name(header, path=path),
        path=path,
        size_bytes=header.size_bytes + sum(part.size_bytes for part in parts),
        architecture=architecture,
        quantization=quantization(header, tensors=tensors),
        n_params=sum(tensor.n_elements for tensor in tensors),
        n_ctx_train=facts.count("context_length", limit=MAX_CONTEXT),
        n_layers=n_layers,
        n_embd=n_embd,
        n_vocab=max(0, n_vocab),
        has_chat_template=has_chat_template(header),
        reasons=reasons(header),
        calls_tools=calls_tools(header),
        n_head_kv=max(0, n_head if n_head_kv is None else n_head_kv),
        head_dim=max(0, head_dim),
        licence=_licence(header),
        purpose=_purpose(header),
        layout=model_layout(header, tensors=tensors, n_layers=n_layers),
        sampling=sampling_defaults(header),
        tokenizer=header.text("tokenizer.ggml.model"),
        n_heads=_n_heads(header, tensors=tensors),
    )


class _ModelFacts:
    """Reads the required properties of a model, or rejects the file."""

    def __init__(self, header: GgufHeader, *, path: str) -> None:
        self._header = header
        self._path = path

    def require_model(self, *, is_draft: bool) -> None:
        if not self._header.text("general.architecture"):
            raise self._invalid(tr_noop("it does not say which architecture the model has."))
        kind = file_kind(self._header)
        reason = _reason_not_a_model(kind)
        if reason is not None and not (is_draft and kind is FileKind.HEADS):
            raise self._invalid(reason)

    def count(self, name: str, *, limit: int = 2**31 - 1) -> int:
        key = f"{self._header.text('general.architecture')}.{name}"
        value = self._header.integer(key)
        if value is None:
            raise self._invalid(
                Phrase(
                    tr_noop("it lacks the property “{key}”, which every model needs."),
                    {"key": printable(key)},
                )
            )
        if not 1 <= value <= limit:
            raise self._invalid(damaged(f"its property “{printable(key)}” is {value}"))
        return value

    def _invalid(self, reason: Translatable) -> ModelFileInvalid:
        return ModelFileInvalid(path=self._path, reason=reason)


def _reason_not_a_model(kind: FileKind) -> str | None:
    match kind:
        case FileKind.MODEL | FileKind.EMBEDDING:
            return None
        case FileKind.PROJECTOR:
            return tr_noop("it is the projector of a vision or audio model. It cannot chat on its own.")
        case FileKind.ADAPTER:
            return tr_noop("it is a LoRA adapter for another model. It cannot chat on its own.")
        case FileKind.HEADS:
            return tr_noop("it has only the draft heads (MTP) of a model. They work beside its file.")
        case FileKind.PICTURES:
            return tr_noop("it is an image or video model. It cannot chat.")
        case FileKind.IMPORTANCE_MATRIX:
            return tr_noop("it is an importance matrix (imatrix), not a model.")
        case FileKind.VOCABULARY:
            return tr_noop("it contains only a vocabulary, no model.")
        case _:
            assert_never(kind)


def _purpose(header: GgufHeader) -> Purpose:
    if file_kind(header) is not FileKind.EMBEDDING:
        return Purpose.GENERATE
    architecture = header.text("general.architecture")
    is_ranking = header.integer(f"{architecture}.pooling_type") == _POOLING_RANK
    return Purpose.RERANK if is_ranking else Purpose.EMBED


def _name(header: GgufHeader, *, path: str) -> str:
    """Return the name by the file's name if it is meaningful: ``general.name`` is often a folder name."""
    file_name = PurePath(path).name
    name = model_name_in(file_name) or header.text("general.name").strip() or file_name
    return printable(name, limit=120)


def _licence(header: GgufHeader) -> str:
    return printable(header.text("general.license").strip(), limit=120)
