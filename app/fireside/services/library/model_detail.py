"""Read a model file's metadata, tensors and tokens, with an example of its chat template."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from fireside.core.errors import ModelFileInvalid
from fireside.core.i18n import tr
from fireside.core.library import MetadataLine, ModelDetail, ModelPreset, TensorKindUse, TensorLine
from fireside.core.message import ChatMessage, Role, text_message
from fireside.core.os_errors import render_os_error
from fireside.gguf import (
    FileKind,
    GgufHeader,
    Omitted,
    TensorInfo,
    chat_template,
    file_kind,
    named_templates,
    read_header,
)
from fireside.gguf.token_texts import read_tokens
from fireside.library.lookup import parts_of
from fireside.wire.runner_modes import TEMPLATE_TOKENS, ExampleReply, ExampleRequest

_MAX_VALUE_CHARS: Final = 2_000
_MAX_ITEMS: Final = 64
_MAX_NAMED_TEMPLATES: Final = 20
_BOS: Final = "tokenizer.ggml.bos_token_id"
_EOS: Final = "tokenizer.ggml.eos_token_id"

RenderExample = Callable[[ExampleRequest], ExampleReply]
"""Renders a conversation by a chat template in another process. Blocks; any thread."""

EXAMPLE_CONVERSATION: Final[tuple[ChatMessage, ...]] = (
    text_message(Role.SYSTEM, "You are a helpful assistant."),
    text_message(Role.USER, "What is the capital of France?"),
    text_message(Role.ASSISTANT, "Paris."),
    text_message(Role.USER, "And of Italy?"),
)
"""The conversation that is rendered as the example."""


def read_model_detail(
    path: str,
    *,
    render_example: RenderExample,
    beside: tuple[str, ...] = (),
    preset: ModelPreset | None = None,
    template: str = "",
    template_arguments: str = "",
) -> ModelDetail:
    """Return what the file at ``path`` and its other parts contain. Blocks; for any thread.

    ``beside`` are the model's other files: its projector, its draft heads. The example is rendered by
    ``template``, if not empty, in place of the file's own.

    Raises ``ModelFileInvalid`` or ``ModelFileMissing``.
    """
    parts = parts_of(Path(path))
    headers = [read_header(part) for part in parts]
    first = headers[0]
    tensors = [tensor for header in headers for tensor in header.tensors]
    example, problem = _example(
        first, template=template, arguments=template_arguments, render_example=render_example
    )
    return ModelDetail(
        path=path,
        files=(*map(str, parts), *beside),
        metadata=_metadata(first),
        tensor_kinds=_tensor_kinds(tensors),
        tensors=tuple(
            TensorLine(
                name=_displayable(tensor.name),
                kind=tensor.type.name,
                shape=tensor.shape,
                n_bytes=tensor.n_bytes,
            )
            for tensor in tensors
        ),
        chat_template=chat_template(first) or "",
        named_templates=tuple(
            (_displayable(name), source) for name, source in named_templates(first)[:_MAX_NAMED_TEMPLATES]
        ),
        own_template=template if template.strip() else "",
        rendered_example=example,
        template_problem=problem,
        preset=preset,
    )


def _metadata(header: GgufHeader) -> tuple[MetadataLine, ...]:
    lines: list[MetadataLine] = []
    for key, value in header.metadata.items():
        match value:
            case Omitted():
                text, n_items = "", value.count if header.length(key) is not None else 1
            case tuple():
                ellipsis = "…" if len(value) > _MAX_ITEMS else ""
                text = ", ".join(map(_scalar, value[:_MAX_ITEMS])) + ellipsis
                n_items = len(value)
            case _:
                text, n_items = _scalar(value), 1
        kind = header.kinds.get(key, "")
        lines.append(MetadataLine(key=_displayable(key), kind=kind, value=_truncate(text), n_items=n_items))
    return tuple(lines)


def _scalar(value: bool | int | float | str) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.7g}"
        case _:
            return _displayable(str(value))


def _displayable(text: str) -> str:
    """Replace invisible characters and those that change the text direction: files come from anywhere."""
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_VALUE_CHARS else f"{text[: _MAX_VALUE_CHARS - 1]}…"


def _tensor_kinds(tensors: Iterable[TensorInfo]) -> tuple[TensorKindUse, ...]:
    of_kind: Mapping[str, list[TensorInfo]] = defaultdict(list)
    for tensor in tensors:
        of_kind[tensor.type.name].append(tensor)
    uses = [
        TensorKindUse(
            kind=kind,
            n_tensors=len(members),
            n_elements=sum(tensor.n_elements for tensor in members),
            n_bytes=sum(tensor.n_bytes for tensor in members),
        )
        for kind, members in of_kind.items()
    ]
    return tuple(sorted(uses, key=lambda use: use.n_bytes, reverse=True))


def _example(
    header: GgufHeader, *, template: str, arguments: str, render_example: RenderExample
) -> tuple[str, str]:
    """Return a short conversation as the model sees it, and notes about it."""
    if file_kind(header) is not FileKind.MODEL:
        return "", tr("Not a chat model.")
    source = template if template.strip() else chat_template(header)
    bos_id, eos_id = _id(header, _BOS), _id(header, _EOS)
    try:
        tokens = read_tokens(header, (bos_id, eos_id), also=() if source else TEMPLATE_TOKENS)
    except OSError as exc:
        raise ModelFileInvalid(
            path=header.path, reason=tr("it cannot be read ({reason}).").format(reason=render_os_error(exc))
        ) from exc
    reply = render_example(
        ExampleRequest(
            source=source,
            architecture=header.text("general.architecture"),
            bos_token=tokens.get(bos_id, ""),
            eos_token=tokens.get(eos_id, ""),
            control_tokens=tuple(tokens.values()),
            messages=EXAMPLE_CONVERSATION,
            arguments=arguments,
        )
    )
    problem = _displayable(reply.problem)
    if not problem and reply.fallback:
        problem = tr("The file has no chat template; the one of {fallback} is used.").format(
            fallback=reply.fallback
        )
    return reply.text, problem


def _id(header: GgufHeader, key: str) -> int:
    number = header.integer(key)
    return -1 if number is None else number
