"""Fit prompts into the context: tokenize, drop the oldest turns, refuse what is too long, count tokens."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate, takewhile
from typing import Final, NamedTuple, Protocol

import msgspec
import numpy as np

from fireside.core.errors import (
    ContextLengthExceeded,
    InvalidParameter,
    InvalidText,
    PromptTooLarge,
    RequestError,
)
from fireside.core.generation import Overflow, Truncation
from fireside.core.i18n import tr_noop
from fireside.core.message import DocumentPart, PassagesPart, PerceivedPart, Role, TextPart
from fireside.core.prompt_input import (
    ChatInput,
    EmbeddingInput,
    InfillFile,
    InfillInput,
    PromptInput,
    RerankInput,
    TextInput,
    TokenInput,
)
from fireside.core.prompt_query import MessageTokens, PromptMeasure, PromptMeasureRequest
from fireside.core.task import GenerationTask
from fireside.runner.prompt.conversation_turns import Messages, Turns, n_text_bytes, split_turns
from fireside.runner.prompt.infill import Gap, InfillTokens
from fireside.runner.prompt.segments import Prompt, PromptSegment, prompt_of
from fireside.runner.prompt.text_checks import check_text
from fireside.runner.prompt.tools import n_tool_bytes
from fireside.runner.tokens import NO_TOKENS, Tokens

# A prompt as tokens, with the positions of its messages and images, and how to cut it.


class TokenSpan(NamedTuple):
    """The half-open token range from ``start`` to ``end``."""

    start: int
    end: int

    @property
    def n_tokens(self) -> int:
        """Length of the range."""
        return self.end - self.start


class TokenizedPrompt(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The tokens of a prompt, with the spans of its messages and images."""

    tokens: Tokens
    n_bos: int = 0
    """Number of BOS tokens."""
    system_end: int = 0
    """Where the text of the system prompt ends; 0 without one."""
    message_ends: tuple[int, ...] = ()
    messages: tuple[TokenSpan, ...] = ()
    pictures: tuple[TokenSpan, ...] = ()
    images: tuple[PerceivedPart, ...] = ()
    generation_prompt: str = ""

    def without(self, cut: TokenSpan) -> TokenizedPrompt:
        """Return this without the tokens of ``cut``, which contains each image wholly or not at all."""

        def shifted(position: int) -> int:
            return position if position <= cut.start else max(cut.start, position - cut.n_tokens)

        remaining = [index for index, picture in enumerate(self.pictures) if not _is_within(picture, cut)]
        return TokenizedPrompt(
            tokens=np.concatenate([self.tokens[: cut.start], self.tokens[cut.end :]]),
            n_bos=self.n_bos,
            system_end=shifted(self.system_end),
            message_ends=tuple(
                shifted(message_end)
                for message_end in self.message_ends
                if message_end <= cut.start or message_end > cut.end
            ),
            messages=tuple(TokenSpan(shifted(span.start), shifted(span.end)) for span in self.messages),
            pictures=tuple(
                TokenSpan(shifted(self.pictures[index].start), shifted(self.pictures[index].end))
                for index in remaining
            ),
            images=tuple(self.images[index] for index in remaining),
            generation_prompt=self.generation_prompt,
        )

    def middle_cut(self, *, n_available: int) -> TokenSpan:
        """Return the span to cut so that ``n_available`` tokens are left: the oldest after the beginning.

        The beginning is the system prompt, or at most half of the space. An image is cut as a whole.
        """
        n_keep = min(max(self.system_end, self.n_bos), n_available // 2)
        start, end = n_keep, n_keep + len(self.tokens) - n_available
        for picture in self.pictures:
            if picture.start < start < picture.end:
                start = picture.start
            if picture.start < end < picture.end:
                end = picture.end
        return TokenSpan(start, end)

    def n_messages_within(self, cut: TokenSpan) -> int:
        """Return how many messages lie completely in ``cut``."""
        return sum(_is_within(message, cut) for message in self.messages)


def tokenized_prompt(prompt: Prompt, parts: Sequence[Tokens]) -> TokenizedPrompt:
    """Return ``prompt`` as tokens.

    Args:
        parts: the BOS tokens, and then the tokens of each segment.
    """
    ends = np.cumsum([len(part) for part in parts]).tolist()
    located = [
        (segment, TokenSpan(ends[index], ends[index + 1])) for index, segment in enumerate(prompt.segments)
    ]
    messages = _messages(located)
    system = [span for _, span in takewhile(lambda item: item[0] is Role.SYSTEM, messages)]
    message_ends = {span.end for role, span in messages if role in (Role.SYSTEM, Role.USER)}
    return TokenizedPrompt(
        tokens=np.concatenate(parts),
        n_bos=len(parts[0]),
        system_end=system[-1].end if system else 0,
        message_ends=tuple(sorted(message_ends)),
        messages=tuple(span for _, span in messages),
        pictures=tuple(span for segment, span in located if segment.image is not None),
        images=prompt.images,
        generation_prompt=prompt.generation_prompt,
    )


def _messages(located: Sequence[tuple[PromptSegment, TokenSpan]]) -> list[tuple[Role, TokenSpan]]:
    """Return the role and the span of each message, in order."""
    by_index: dict[int, tuple[Role, TokenSpan]] = {}
    for segment, span in located:
        if segment.message is None or segment.role is None:
            continue
        previous = by_index.get(segment.message)
        start = previous[1].start if previous else span.start
        by_index[segment.message] = (segment.role, TokenSpan(start, span.end))
    return [by_index[index] for index in sorted(by_index)]


def _is_within(span: TokenSpan, cut: TokenSpan) -> bool:
    return span.start >= cut.start and span.end <= cut.end


BYTES_PER_TOKEN: Final = 16
"""Upper bound: prose has four to five bytes a token, indented code up to ten."""
_TYPICAL_BYTES_PER_TOKEN: Final = 4
_EXTRA_BYTES: Final = 64 * 1024
_REPLY_RESERVE: Final = 256
_PROJECT: Final = "project\n"
_THIS_FILE: Final = InfillFile(name="file", text="")
"""What programs do not tell: the names of the project and of the file with the gap."""


class Template(Protocol):
    def render(self, chat: ChatInput) -> Prompt:
        """Return the prompt of a conversation; see ``ChatTemplate.render``."""
        ...


class Tokenizer(Protocol):
    def tokenize_segments(self, prompt: Prompt) -> Sequence[Tokens]:
        """Return the BOS tokens (possibly none), then the tokens of each segment."""
        ...


class FittedPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens of a prompt that fits, and what was left out of it.

    The token count of turns that were dropped for their size alone is an estimate; all others are exact.
    """

    tokens: Tokens
    truncation: Truncation | None
    message_ends: tuple[int, ...] = ()
    """Token counts up to the end of the system prompt and of each user message, ascending."""
    images: tuple[PerceivedPart, ...] = ()
    """The images in ``tokens``, in order."""
    generation_prompt: str = ""
    """The template's text at the end of the prompt; it may open reasoning."""


class PromptFitter:
    """Turns prompts into tokens that fit a context of ``n_ctx`` tokens.

    Args:
        infill: ``None`` for a model without fill-in-the-middle.
    """

    def __init__(
        self, *, template: Template, tokenizer: Tokenizer, n_ctx: int, infill: InfillTokens | None = None
    ) -> None:
        self._template = template
        self._tokenizer = tokenizer
        self._n_ctx = n_ctx
        self._infill = infill
        self._limit_bytes = BYTES_PER_TOKEN * n_ctx + _EXTRA_BYTES

    def fit_task(self, task: GenerationTask) -> FittedPrompt:
        """Return the prompt of ``task``; see ``fit``."""
        return self.fit(
            task.prompt,
            overflow=task.overflow,
            max_tokens=task.sampling.max_tokens or task.n_reserve,
            drop_to=task.drop_to,
        )

    def fit(
        self,
        prompt: PromptInput,
        *,
        overflow: Overflow,
        max_tokens: int | None = None,
        drop_to: float = 1.0,
    ) -> FittedPrompt:
        """Return the tokens of ``prompt``, leaving space in the context for the answer.

        Space is reserved for ``max_tokens`` (256 if unset), or a quarter of the context if that is less.

        * ``DROP_OLDEST`` drops as few of the oldest turns as necessary, or with ``drop_to`` so many at once
          that the rest takes only that fraction of the space; of an infill prompt it drops what is farthest
          from the gap. A raw text is not cut. When only the system prompt and the last turn are left, it is
          enough that the prompt alone fits.
        * ``SHIFT`` keeps the system prompt, or the beginning of the prompt, and the newest tokens.
        * ``REFUSE`` drops nothing.

        Raises:
            PromptTooLarge: what may not be dropped has more bytes than any text that fits; it is not
                tokenized, which would take long.
            ContextLengthExceeded: what may not be dropped has too many tokens.
            InvalidText: the prompt is empty, or a text contains NUL or a lone surrogate.
            InvalidParameter: an infill prompt for a model without fill-in-the-middle; or as
                ``ChatTemplate.render``.
            images_unsupported, invalid_image: an image cannot be shown to the model.
            model_unsuited: the task is not text generation.
            TemplateFailed: as ``ChatTemplate.render``.
        """
        n_available = self._n_available(max_tokens)
        match prompt:
            case ChatInput():
                return self._fit_chat(prompt, overflow=overflow, n_available=n_available, drop_to=drop_to)
            case TextInput():
                return self._fit_text(prompt, overflow=overflow, n_available=n_available)
            case TokenInput():
                return self._fit_tokens(prompt, overflow=overflow, n_available=n_available)
            case InfillInput():
                return self._fit_infill(prompt, overflow=overflow, n_available=n_available)
            case EmbeddingInput():
                raise RequestError.of(
                    "model_unsuited", wanted=tr_noop("create embeddings"), is_for=tr_noop("text generation")
                )
            case RerankInput():
                raise RequestError.of(
                    "model_unsuited", wanted=tr_noop("rerank texts"), is_for=tr_noop("text generation")
                )

    def measure(self, request: PromptMeasureRequest) -> PromptMeasure:
        """Return how the prompt would be fitted, message by message; also of a prompt that does not fit.

        Raises as ``fit`` does, except ``ContextLengthExceeded``; ``PromptTooLarge`` where it may not be cut.
        """
        chat, conversation = request.prompt, split_turns(request.prompt.messages)
        n_available = self._n_available(request.n_reserve)
        conversation_messages = chat.messages[len(conversation.system) :]
        fits = True
        truncation: Truncation | None = None
        try:
            fitted = self._fit_chat(
                chat, overflow=request.overflow, n_available=n_available, drop_to=request.drop_to
            )
            n_prompt, truncation = len(fitted.tokens), fitted.truncation
        except ContextLengthExceeded as exc:
            n_prompt, fits = exc.n_prompt, False
        n_dropped = truncation.n_messages if truncation is not None else 0
        n_oversized = self._n_oversized(chat, conversation, n_messages=n_dropped, drop_to=request.drop_to)
        tokenized = self._tokenize(conversation.chat_without(chat, n_oversized))
        n_before = sum(map(len, conversation.turns[:n_oversized]))
        remaining = (*conversation.system, *conversation_messages[n_before:])
        measured = message_tokens(remaining, tokenized, count=self._count_text)
        n_system = len(conversation.system)
        dropped = tuple(
            MessageTokens(n_text_bytes((message,)) // _TYPICAL_BYTES_PER_TOKEN, 0)
            for message in conversation_messages[:n_before]
        )
        return PromptMeasure(
            n_prompt=n_prompt,
            n_system=sum(message.n_tokens for message in measured[:n_system]),
            messages=(*dropped, *measured[n_system:]),
            n_dropped=n_dropped,
            n_cut=truncation.n_shifted if truncation is not None else 0,
            fits=fits and n_prompt < self._n_ctx,
        )

    # Conversations

    def _n_available(self, max_tokens: int | None) -> int:
        return self._n_ctx - min(max_tokens or _REPLY_RESERVE, self._n_ctx // 4)

    def _n_oversized(self, chat: ChatInput, conversation: Turns, *, n_messages: int, drop_to: float) -> int:
        """Return how many turns were dropped for their size alone, of those with ``n_messages`` messages."""
        if not n_messages:
            return 0
        n_oversized, _ = self._drop_by_size(
            conversation,
            n_extra_bytes=n_tool_bytes(chat),
            n_droppable=max(0, len(conversation.turns) - 1),
            drop_to=drop_to,
        )
        return n_oversized

    def _fit_chat(
        self, chat: ChatInput, *, overflow: Overflow, n_available: int, drop_to: float
    ) -> FittedPrompt:
        conversation = split_turns(chat.messages)
        n_droppable = max(0, len(conversation.turns) - 1) if overflow is not Overflow.REFUSE else 0
        n_oversized, n_bytes_dropped = self._drop_by_size(
            conversation, n_extra_bytes=n_tool_bytes(chat), n_droppable=n_droppable, drop_to=drop_to
        )
        tokenized = self._tokenize(conversation.chat_without(chat, n_oversized))
        n_all, n_drop = len(tokenized.tokens), n_oversized
        if overflow is Overflow.DROP_OLDEST and drop_to < 1:
            rest = Turns(system=conversation.system, turns=conversation.turns[n_oversized:])
            n_fixed, sizes = turn_sizes(rest, tokenized, count=self._count_text)
            n_steps = n_dropped(
                sizes, n_fixed=n_fixed, n_available=n_available, n_target=int(n_available * drop_to)
            )
            if n_steps:
                n_drop = n_oversized + n_steps
                tokenized = self._tokenize(conversation.chat_without(chat, n_drop))
        n_messages_dropped = sum(map(len, conversation.turns[:n_oversized]))
        n_tokens_dropped = n_bytes_dropped // _TYPICAL_BYTES_PER_TOKEN
        if overflow is Overflow.SHIFT and n_all > n_available:
            return self._shifted(
                tokenized,
                n_available=n_available,
                n_messages_dropped=n_messages_dropped,
                n_tokens_dropped=n_tokens_dropped,
            )
        if overflow is Overflow.DROP_OLDEST and len(tokenized.tokens) > n_available and n_droppable > n_drop:
            n_drop, tokenized = self._drop_turns(
                chat, conversation, candidates=range(n_drop + 1, n_droppable + 1), n_available=n_available
            )
        self._check(tokenized)
        if not n_drop:
            return _fitted(tokenized, None)
        n_messages = sum(map(len, conversation.turns[:n_drop]))
        n_tokens = n_all - len(tokenized.tokens) + n_tokens_dropped
        return _fitted(tokenized, Truncation(n_messages=n_messages, n_tokens=n_tokens))

    def _count_text(self, text: str) -> int:
        return len(self._plain_tokens(text)[1]) if text else 0

    def _drop_turns(
        self, chat: ChatInput, conversation: Turns, *, candidates: range, n_available: int
    ) -> tuple[int, TokenizedPrompt]:
        """Return the smallest of ``candidates`` turns to drop so that the rest fits, and that prompt."""
        tokenized: dict[int, TokenizedPrompt] = {}

        def fits(n: int) -> bool:
            tokenized[n] = self._tokenize(conversation.chat_without(chat, n))
            return len(tokenized[n].tokens) <= n_available

        # The prompt only gets shorter, so bisection finds the first that fits; if none does, drop all.
        index = bisect.bisect_left(candidates, True, key=fits)
        n_drop = candidates[min(index, len(candidates) - 1)]
        if n_drop not in tokenized:
            fits(n_drop)
        return n_drop, tokenized[n_drop]

    def _drop_by_size(
        self, conversation: Turns, *, n_extra_bytes: int, n_droppable: int, drop_to: float = 1.0
    ) -> tuple[int, int]:
        """Return how many turns must be dropped for their size alone, and how many bytes those have.

        Raises:
            PromptTooLarge: the rest is still too large without ``n_droppable`` turns.
        """
        n_bytes = n_text_bytes(conversation.without_oldest(0)) + n_extra_bytes
        n_removed = n_bytes_removed = 0
        if drop_to < 1 and n_droppable and n_bytes > self._limit_bytes:
            n_removed, n_bytes_removed = self._size_in_steps(conversation, n_bytes=n_bytes, drop_to=drop_to)
            n_bytes -= n_bytes_removed
        while n_bytes > self._limit_bytes:
            if n_removed == n_droppable:
                raise PromptTooLarge(n_bytes=n_bytes, limit_bytes=self._limit_bytes)
            n_turn_bytes = n_text_bytes(conversation.turns[n_removed])
            n_bytes -= n_turn_bytes
            n_bytes_removed += n_turn_bytes
            n_removed += 1
        return n_removed, n_bytes_removed

    def _size_in_steps(self, conversation: Turns, *, n_bytes: int, drop_to: float) -> tuple[int, int]:
        """Return how many turns to drop for their size when dropping many at once, and their bytes."""
        sizes = [
            TurnSize(question=n_text_bytes(turn[:1]), whole=n_text_bytes(turn)) for turn in conversation.turns
        ]
        n_removed = n_dropped(
            sizes,
            n_fixed=n_bytes - sum(size.whole for size in sizes),
            n_available=self._limit_bytes,
            n_target=int(self._limit_bytes * drop_to),
        )
        return n_removed, sum(size.whole for size in sizes[:n_removed])

    # Raw text, tokens and infill

    def _fit_text(self, prompt: TextInput, *, overflow: Overflow, n_available: int) -> FittedPrompt:
        check_text(prompt.text)
        n_bytes = len(prompt.text.encode())
        if n_bytes > self._limit_bytes:
            raise PromptTooLarge(n_bytes=n_bytes, limit_bytes=self._limit_bytes)
        if not prompt.text:
            raise InvalidText(reason=tr_noop("it is empty."))
        tokenized = self._tokenize_prompt(
            prompt_of([PromptSegment(text=prompt.text, special=prompt.parse_special)])
        )
        return self._fit_whole(tokenized, overflow=overflow, n_available=n_available)

    def _fit_tokens(self, prompt: TokenInput, *, overflow: Overflow, n_available: int) -> FittedPrompt:
        if not prompt.tokens:
            raise InvalidText(reason=tr_noop("it is empty."))
        tokens = np.array(prompt.tokens, np.int32)
        return self._fit_whole(TokenizedPrompt(tokens=tokens), overflow=overflow, n_available=n_available)

    def _fit_whole(self, tokenized: TokenizedPrompt, *, overflow: Overflow, n_available: int) -> FittedPrompt:
        if overflow is Overflow.SHIFT and len(tokenized.tokens) > n_available:
            return self._shifted(tokenized, n_available=n_available, n_messages_dropped=0, n_tokens_dropped=0)
        self._check(tokenized)
        return _fitted(tokenized, None)

    def _fit_infill(self, prompt: InfillInput, *, overflow: Overflow, n_available: int) -> FittedPrompt:
        """Fit a fill-in-the-middle prompt."""
        if self._infill is None:
            raise InvalidParameter(
                name="infill", reason=tr_noop("this model was not taught to fill gaps in a text.")
            )
        if not self._infill.has_files:
            shown = "".join(f"--- {each.name} ---\n\n{each.text}\n\n" for each in prompt.files)
            prompt = InfillInput(prefix=shown + prompt.prefix, suffix=prompt.suffix)
        check_text(prompt.prefix)
        check_text(prompt.suffix)
        if not prompt.prefix and not prompt.suffix:
            raise InvalidText(reason=tr_noop("it is empty."))
        before, after, n_oversized = self._near_gap(prompt, overflow=overflow)
        bos, before_tokens = self._plain_tokens(before)
        _, after_tokens = self._plain_tokens(after)
        files, n_left_bytes = self._file_tokens(prompt.files, self._infill)
        n_oversized += n_left_bytes
        gap = whole = Gap(bos=bos, before=before_tokens, after=after_tokens, files=files)
        if whole.n_tokens > n_available and overflow is not Overflow.REFUSE:
            gap = whole.truncated(n_available)
        tokenized = TokenizedPrompt(tokens=gap.to_tokens(self._infill), n_bos=len(bos))
        self._check(tokenized)
        n_left_out = whole.n_tokens - gap.n_tokens + n_oversized // _TYPICAL_BYTES_PER_TOKEN
        if not n_left_out:
            return _fitted(tokenized, None)
        return _fitted(tokenized, Truncation(n_messages=0, n_tokens=n_left_out, n_shifted=n_left_out))

    def _file_tokens(self, files: Sequence[InfillFile], special: InfillTokens) -> tuple[Tokens, int]:
        """Return other files as the model knows them, and how many bytes of the first ones were cut."""
        if not files:
            return NO_TOKENS, 0
        parts: list[Tokens] = []
        n_chars = self._limit_bytes // 8  # as in _near_gap
        n_cut = 0
        for each in reversed((*files, _THIS_FILE)):
            text = f"{each.name}\n{each.text}\n" if each.text else f"{each.name}\n"
            check_text(text)
            kept = text[-n_chars:] if n_chars else ""
            n_chars -= len(kept)
            n_cut += len(text.encode()) - len(kept.encode())
            if kept:
                parts += [self._plain_tokens(kept)[1], np.array([special.file], np.int32)]
        project = [self._plain_tokens(_PROJECT)[1], np.array([special.project], np.int32)]
        return np.concatenate([*reversed(parts + project)]), n_cut

    def _near_gap(self, prompt: InfillInput, *, overflow: Overflow) -> tuple[str, str, int]:
        """Return the text near the gap that is worth tokenizing, and how many bytes were cut."""
        before, after = prompt.prefix, prompt.suffix
        n_bytes = len(before.encode()) + len(after.encode())
        if n_bytes <= self._limit_bytes:
            return before, after, 0
        if overflow is Overflow.REFUSE:
            raise PromptTooLarge(n_bytes=n_bytes, limit_bytes=self._limit_bytes)
        n_chars = self._limit_bytes // 8  # a character has at most four bytes
        before, after = before[-n_chars:], after[:n_chars]
        return before, after, n_bytes - len(before.encode()) - len(after.encode())

    def _plain_tokens(self, text: str) -> tuple[Tokens, Tokens]:
        """Return the BOS tokens, and the tokens of ``text``."""
        parts = self._tokenizer.tokenize_segments(prompt_of([PromptSegment(text=text, special=False)]))
        return parts[0], np.concatenate([NO_TOKENS, *parts[1:]])

    # All kinds

    def _tokenize(self, chat: ChatInput) -> TokenizedPrompt:
        return self._tokenize_prompt(self._template.render(chat))

    def _tokenize_prompt(self, prompt: Prompt) -> TokenizedPrompt:
        return tokenized_prompt(prompt, self._tokenizer.tokenize_segments(prompt))

    def _shifted(
        self, tokenized: TokenizedPrompt, *, n_available: int, n_messages_dropped: int, n_tokens_dropped: int
    ) -> FittedPrompt:
        cut = tokenized.middle_cut(n_available=n_available)
        shifted = tokenized.without(cut)
        self._check(shifted)
        truncation = Truncation(
            n_messages=n_messages_dropped + tokenized.n_messages_within(cut),
            n_tokens=n_tokens_dropped + cut.n_tokens,
            n_shifted=cut.n_tokens,
        )
        return _fitted(shifted, truncation)

    def _check(self, tokenized: TokenizedPrompt) -> None:
        if len(tokenized.tokens) >= self._n_ctx:
            raise ContextLengthExceeded(n_prompt=len(tokenized.tokens), n_ctx=self._n_ctx)
        if not len(tokenized.tokens):
            raise InvalidText(reason=tr_noop("it is empty."))


def _fitted(tokenized: TokenizedPrompt, truncation: Truncation | None) -> FittedPrompt:
    return FittedPrompt(
        tokens=tokenized.tokens,
        truncation=truncation,
        message_ends=tokenized.message_ends,
        images=tokenized.images,
        generation_prompt=tokenized.generation_prompt,
    )


_TEMPLATE_TOKENS: Final = 6
"""Estimated tokens of the template around a message, where the prompt does not show them."""

_FILES: Final = (DocumentPart, PassagesPart)

CountText = Callable[[str], int]
"""Returns the tokens of a text by itself; cached."""


def message_tokens(
    messages: Messages, tokenized: TokenizedPrompt, *, count: CountText
) -> tuple[MessageTokens, ...]:
    """Return the token count of each of ``messages``, whose prompt is ``tokenized``.

    Where the template joined messages, each counts its own text by itself.
    """
    spans: Sequence[TokenSpan | None]
    spans = tokenized.messages if len(tokenized.messages) == len(messages) else [None] * len(messages)
    results: list[MessageTokens] = []
    for message, span in zip(messages, spans, strict=True):
        text = "".join(part.text for part in message.parts if isinstance(part, TextPart)).strip()
        files = "".join(part.prompt_text for part in message.parts if isinstance(part, _FILES))
        n_files = count(files + text) - count(text) if files else 0
        n_pictures = 0 if span is None else _n_picture_tokens(tokenized.pictures, span)
        n_tokens = count(files + text) if span is None else span.n_tokens
        has_files = any(isinstance(part, (PerceivedPart, *_FILES)) for part in message.parts)
        n_attached = min(n_tokens, n_files + n_pictures) if has_files else 0
        results.append(MessageTokens(n_tokens, n_attached))
    return tuple(results)


def turn_sizes(
    conversation: Turns, tokenized: TokenizedPrompt, *, count: CountText
) -> tuple[int, list[TurnSize]]:
    """Return the token count before all turns, and of each turn with the template's text around it.

    A turn has the same size in every prompt of a conversation in which it is not the last.
    """
    messages = conversation.without_oldest(0)
    n_all, n_system = len(tokenized.tokens), len(conversation.system)
    if len(tokenized.messages) == len(messages) and conversation.turns:
        starts = [*(span.start for span in tokenized.messages[n_system:]), n_all]
    else:
        message_sizes = message_tokens(messages, tokenized, count=count)[n_system:]
        following = accumulate(
            (size.n_tokens + _TEMPLATE_TOKENS for size in reversed(message_sizes)), initial=0
        )
        starts = [max(0, n_all - n) for n in following][::-1]
    sizes: list[TurnSize] = []
    index = 0
    for turn in conversation.turns:
        end = index + len(turn)
        question = starts[index + 1] - starts[index]
        sizes.append(TurnSize(question=question, whole=starts[end] - starts[index]))
        index = end
    return starts[0], sizes


def _n_picture_tokens(pictures: Sequence[TokenSpan], message: TokenSpan) -> int:
    return sum(picture.n_tokens for picture in pictures if message.start <= picture.start < message.end)


# Decide how many of the oldest turns to drop, so that drops are rare and large.
#
# Previous drops are not stored: they follow from the sizes of the turns, by replaying the conversation. So
# the result is the same for each request of a branch until the next drop, whatever was requested in between,
# and each prompt keeps the prefix of the one before it.


class TurnSize(NamedTuple):
    """The size of a turn, in any unit."""

    question: int
    whole: int
    """The question and its answers."""


def n_dropped(turns: Sequence[TurnSize], *, n_fixed: int, n_available: int, n_target: int) -> int:
    """Return how many turns have been dropped when the last question is answered.

    Whenever a question did not fit into ``n_available`` with ``n_fixed`` and the turns before it, the oldest
    turns were dropped until at most ``n_target`` was left; never the question itself.
    """
    n_removed = 0
    n_all = n_fixed
    for index, turn in enumerate(turns):
        if n_all + turn.question > n_available:
            while n_removed < index and n_all + turn.question > n_target:
                n_all -= turns[n_removed].whole
                n_removed += 1
        n_all += turn.whole
    if n_all > n_available:  # the next question would not fit, whatever it is
        while n_removed < len(turns) - 1 and n_all > n_target:
            n_all -= turns[n_removed].whole
            n_removed += 1
    return n_removed
