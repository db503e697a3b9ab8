"""Build requests to the engine from the settings in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from fireside.core.context import STEP_SHARE
from fireside.core.inspection import N_ALTERNATIVES
from fireside.core.message import (
    AudioPart,
    ChatMessage,
    ImagePart,
    MediaPart,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolResultPart,
    VideoPart,
    text_message,
    to_model_messages,
)
from fireside.core.model import ModelSpec, Senses
from fireside.core.options import LoadOptions, Pooling, Purpose, SamplingParams, Speculation
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.core.task import GenerationTask
from fireside.settings import conversions
from fireside.settings.values import ResolvedSetting

Resolved = tuple[ResolvedSetting, ...]

VECTOR_N_CTX_MAX = 8192
"""A text is embedded in one batch, whose memory grows with the longest text allowed."""
VECTOR_N_SEQ_MAX = 8

FACTS_INTRODUCTION: Final = "What the user wants you to know:"
ARTIFACT_INSTRUCTION: Final = (
    "When you make a thing of its own, such as a web page, an SVG, a document, a table, a diagram or a "
    "longer program, put the whole of it into one fenced code block, with its language and a title or file "
    'name in the first line: ```html title="Budget planner". When you change it, give the whole of it again '
    "under the same name."
)
"""What a model is told of artifacts, where a chat allows it."""
SUMMARY_INTRODUCTION: Final = "Summary of the earlier part of this conversation:\n"


def load_options_for(spec: ModelSpec, resolved: Resolved) -> LoadOptions:
    """Return the load options of ``spec``. Raises ``SettingInvalid`` where settings contradict each other."""
    return with_files_beside(conversions.load_options(resolved), spec)


def with_files_beside(options: LoadOptions, spec: ModelSpec) -> LoadOptions:
    """Return ``options`` with the projector of ``spec``, and the file of its draft heads if that is used."""
    is_automatic = options.speculation is Speculation.AUTO
    draft_path = spec.heads_path if is_automatic and not spec.n_heads else options.draft_path
    return msgspec.structs.replace(options, projector_path=spec.projector_path, draft_path=draft_path)


def vector_options(options: LoadOptions, *, purpose: Purpose, pooling: Pooling) -> LoadOptions:
    """Return the options to load a model for vectors, given its options for chats."""
    return msgspec.structs.replace(
        options,
        purpose=purpose,
        pooling=pooling,
        n_ctx=min(options.n_ctx, VECTOR_N_CTX_MAX),
        n_seq_max=VECTOR_N_SEQ_MAX,
        speculation=Speculation.OFF,
    )


def chat_input(
    resolved: Resolved, messages: Iterable[ChatMessage], *, facts: Sequence[str] = (), summary: str = ""
) -> ChatInput:
    """Return a conversation for the model: the system prompt in force, then all messages with content.

    ``facts``, which the user asked to remember, and ``summary``, of earlier messages, are appended to the
    system prompt, as one message: few templates accept two.

    Reasoning of earlier answers stays in: the model's template decides whether it is rendered.
    """
    prompt = conversions.system_prompt(resolved)
    remembered = FACTS_INTRODUCTION + "".join(f"\n- {fact}" for fact in facts) if facts else ""
    summarised = SUMMARY_INTRODUCTION + summary if summary else ""
    artifacts = ARTIFACT_INSTRUCTION if conversions.tells_of_artifacts(resolved) else ""
    if artifacts or remembered or summarised:
        prompt = "\n\n".join(filter(None, (prompt.strip(), artifacts, remembered, summarised)))
    system = (text_message(Role.SYSTEM, prompt),) if prompt.strip() else ()
    with_content = tuple(message for message in messages if has_content(message))
    return ChatInput(
        messages=system + with_content,
        reasoning=conversions.reasoning(resolved),
        template=conversions.template(resolved),
        template_arguments=conversions.template_arguments(resolved),
    )


def perceived(messages: Iterable[ChatMessage], senses: Senses) -> tuple[ChatMessage, ...]:
    """Return ``messages`` for a model with these ``senses``: videos as pictures and sound, a note in place of
    each image, also of a tool's result, video or sound that it does not take."""
    return tuple(
        msgspec.structs.replace(
            message, parts=tuple(shown for part in message.parts for shown in _perceived(part, senses))
        )
        for message in messages
    )


def with_videos_in_parts(message: ChatMessage, senses: Senses) -> ChatMessage:
    """Return ``message`` with its videos as pictures and sound, and all else as it is."""
    parts = (
        part.parts(hears=senses.hears) if isinstance(part, VideoPart) else (part,) for part in message.parts
    )
    return msgspec.structs.replace(message, parts=tuple(each for shown in parts for each in shown))


def with_latest_pictures(message: ChatMessage, *, most: int) -> ChatMessage:
    """Return ``message`` with the last ``most`` images of its tool results; a note replaces earlier ones.

    An answer that looks at one screenshot after the other would fill the context: its own turn is never
    left out.
    """
    parts: list[MessagePart] = []
    for part in reversed(message.parts):
        if isinstance(part, ToolResultPart) and len(part.images) > most:
            n_earlier = len(part.images) - most
            notes = (_note_of(image, "is no longer shown") for image in part.images[:n_earlier])
            text = "\n".join((part.prompt_text, *notes))
            parts.append(msgspec.structs.replace(part, images=part.images[n_earlier:], shown=text))
        else:
            parts.append(part)
        most = max(0, most - len(part.images)) if isinstance(part, ToolResultPart) else most
    return msgspec.structs.replace(message, parts=tuple(reversed(parts)))


def _perceived(part: MessagePart, senses: Senses) -> tuple[MessagePart, ...]:
    match part:
        case ImagePart() if not senses.sees:
            return (TextPart(text=f"{_note_of(part)}\n\n"),)
        case AudioPart() if not senses.hears:
            return (TextPart(text=f"{_note_of(part, 'you cannot hear', kind='An audio file')}\n\n"),)
        case VideoPart() if not senses.sees:
            note = TextPart(text=f"{_note_of(part, kind='A video')}\n\n")
            return (note,) if part.sound is None else (note, *_perceived(part.sound, senses))
        case VideoPart():
            return part.parts(hears=senses.hears)
        case ToolResultPart(images=images) if images and not senses.sees:
            text = "\n".join((part.prompt_text, *map(_note_of, images)))
            return (msgspec.structs.replace(part, images=(), shown=text),)
        case _:
            return (part,)


def _note_of(part: MediaPart, what: str = "you cannot see", *, kind: str = "An image") -> str:
    name = f" “{part.name}”" if part.name else ""
    return f"[{kind}{name}, which {what}]"


def with_continuation(prompt: ChatInput, answer: ChatMessage) -> ChatInput:
    """Return ``prompt`` with the text of ``answer``, to be continued; unchanged if ``answer`` is empty."""
    if not (answer.text or answer.reasoning or answer.tool_calls):
        return prompt
    answer_messages = to_model_messages(answer)
    is_unfinished = answer_messages[-1].role is Role.ASSISTANT
    return msgspec.structs.replace(
        prompt, messages=(*prompt.messages, *answer_messages), continue_final=is_unfinished
    )


def make_task(
    resolved: Resolved, prompt: PromptInput, *, owner: str | None, stays_in_memory: bool = False
) -> GenerationTask:
    """Return a task for one answer. Raises ``SettingInvalid`` where settings contradict each other."""
    sampling = _sampling(resolved)
    return GenerationTask(
        prompt=prompt,
        sampling=sampling,
        chosen=conversions.chosen_sampling(resolved),
        is_repeatable=sampling.temperature == 0 or sampling.seed is not None,
        constraint=conversions.constraint(resolved),
        thinking_budget=conversions.thinking_budget(resolved),
        overflow=conversions.overflow(resolved),
        when_full=conversions.when_full(resolved),
        drop_to=STEP_SHARE,
        n_reserve=conversions.reply_reserve(resolved),
        owner=owner,
        stays_in_memory=stays_in_memory,
    )


def _sampling(resolved: Resolved) -> SamplingParams:
    sampling = conversions.sampling_params(resolved)
    if not conversions.keeps_probabilities(resolved):
        return sampling
    return msgspec.structs.replace(sampling, top_logprobs=max(N_ALTERNATIVES, sampling.top_logprobs or 0))


def reserved_reply_tokens(resolved: Resolved) -> int:
    """Return how many tokens of the context are reserved for the reply."""
    return conversions.sampling_params(resolved).max_tokens or conversions.reply_reserve(resolved)


def with_seed(task: GenerationTask, *, number: int) -> GenerationTask:
    """Return ``task`` as one of several answers, numbered from 0: a fixed seed differs in each."""
    seed = task.sampling.seed
    if seed is None or number == 0:
        return task
    sampling = msgspec.structs.replace(task.sampling, seed=(seed + number) % 0xFFFFFFFF)
    return msgspec.structs.replace(task, sampling=sampling)


def has_content(message: ChatMessage) -> bool:
    """Return whether a message has more than reasoning: an answer with that alone was stopped early."""
    return any(
        bool(part.text) if isinstance(part, TextPart) else not isinstance(part, ReasoningPart)
        for part in message.parts
    )
