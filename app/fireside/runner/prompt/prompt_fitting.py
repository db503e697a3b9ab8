"""Make a prompt fit: refuse what is far too long, drop the oldest turns, count tokens."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Final, Protocol

import msgspec
import numpy as np

from fireside.core.context import MessageTokens, PromptMeasure, PromptQuestion
from fireside.core.errors import (
    ContextLengthExceeded,
    InvalidParameter,
    InvalidText,
    ModelUnsuited,
    PromptTooLarge,
)
from fireside.core.generation import Overflow, Truncation
from fireside.core.i18n import tr_noop
from fireside.core.message import ImagePart, Role, text_message
from fireside.core.prompt_input import (
    ChatInput,
    EmbeddingInput,
    InfillInput,
    PromptInput,
    RerankInput,
    TextInput,
    TokenInput,
)
from fireside.core.task import GenerationTask
from fireside.runner.prompt.conversation_turns import Messages, Turns, size_of, split_turns
from fireside.runner.prompt.infill import Gap, InfillTokens
from fireside.runner.prompt.segments import Prompt, Segment, prompt_of
from fireside.runner.prompt.text_checks import check_text
from fireside.runner.prompt.token_accounting import message_tokens, turn_sizes
from fireside.runner.prompt.tokenized_prompt import TokenizedPrompt, tokenized_prompt
from fireside.runner.prompt.tools import n_tool_bytes
from fireside.runner.prompt.truncation import TurnSize, n_dropped
from fireside.runner.tokens import Tokens

BYTES_PER_TOKEN: Final = 16
"""Prose has four to five bytes a token, indented code up to ten."""
_TYPICAL_BYTES_PER_TOKEN: Final = 4
_BYTES_BESIDE: Final = 64 * 1024
_REPLY_RESERVE: Final = 256


class Template(Protocol):
    def render(self, chat: ChatInput) -> Prompt:
        """Return the prompt of a conversation; see ``ChatTemplate.render``."""
        ...


class Tokenizer(Protocol):
    def tokenize_segments(self, prompt: Prompt) -> Sequence[Tokens]:
        """Return what stands in front of all segments, if only nothing, and then the tokens of each."""
        ...


class FittedPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens of a prompt that fits, and what was left out for it.

    Tokens of turns that were dropped for their bytes alone are an estimate; all others are counted.
    """

    tokens: Tokens
    truncation: Truncation | None
    marks: tuple[int, ...] = ()
    """Numbers of tokens, ascending, up to the end of the system prompt and of each user message."""
    images: tuple[ImagePart, ...] = ()
    """The pictures that stand in ``tokens``, in order."""
    opening: str = ""
    """The template's words that end the prompt: they may open a stretch of reasoning."""


class PromptFitter:
    """Turns prompts into tokens that fit a context of ``n_ctx`` tokens.

    Args:
        infill: ``None`` for a model that was not taught to fill a gap.
    """

    def __init__(
        self, *, template: Template, tokenizer: Tokenizer, n_ctx: int, infill: InfillTokens | None = None
    ) -> None:
        self._template = template
        self._tokenizer = tokenizer
        self._n_ctx = n_ctx
        self._infill = infill
        self._limit_bytes = BYTES_PER_TOKEN * n_ctx + _BYTES_BESIDE

    def fit_task(self, task: GenerationTask) -> FittedPrompt:
        """Return the tokens that the answer to ``task`` begins with; see ``fit``."""
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
        """Return the tokens to begin the answer with, and room behind them for a reply.

        Room is kept for ``max_tokens`` (256 if open), or a quarter of the context if that is less.

        * ``DROP_OLDEST`` leaves out the fewest oldest turns of a conversation that make the rest fit, or with
          ``drop_to`` so many at once that the rest takes only that part of the room; and
          from the text around a gap what is farthest from it. A raw text is not cut. When only the system
          prompt and the last turn are left, it is enough that the prompt alone fits.
        * ``SHIFT`` keeps the system prompt, or whatever begins the prompt, and the newest tokens.
        * ``REFUSE`` leaves out nothing.

        Raises:
            PromptTooLarge: what may not be dropped has more bytes than any text that fits. It is not
                tokenized only to be refused, which would take long.
            ContextLengthExceeded: what may not be dropped has too many tokens.
            InvalidText: there is nothing to read, or a text holds NUL or half a character.
            InvalidParameter: there is a gap to fill, and the model was not taught to; or as
                ``ChatTemplate.render``.
            ImagesUnsupported, InvalidImage: a picture cannot be shown to the model.
            ModelUnsuited: the model is asked for something else than text.
            TemplateFailed: as ``ChatTemplate.render``.
        """
        n_room = self._room(max_tokens)
        match prompt:
            case ChatInput():
                return self._fit_chat(prompt, overflow=overflow, n_room=n_room, drop_to=drop_to)
            case TextInput():
                return self._fit_text(prompt, overflow=overflow, n_room=n_room)
            case TokenInput():
                return self._fit_tokens(prompt, overflow=overflow, n_room=n_room)
            case InfillInput():
                return self._fit_infill(prompt, overflow=overflow, n_room=n_room)
            case EmbeddingInput():
                raise ModelUnsuited(wanted=tr_noop("create embeddings"), is_for=tr_noop("text generation"))
            case RerankInput():
                raise ModelUnsuited(wanted=tr_noop("rerank texts"), is_for=tr_noop("text generation"))

    def count(self, messages: Messages, *, draft: str) -> tuple[int, int]:
        """Return the tokens of the rendered prompt of ``messages`` and how many ``draft`` would add.

        Raises:
            PromptTooLarge, InvalidText, ImagesUnsupported, InvalidImage, TemplateFailed: as ``fit``.
        """
        check_text(draft)
        with_draft = (*messages, text_message(Role.USER, draft)) if draft else messages
        self._drop_by_size(split_turns(with_draft), n_beside=0, n_droppable=0)
        n_history = len(self._read(ChatInput(messages=messages)).tokens) if messages else 0
        n_all = len(self._read(ChatInput(messages=with_draft)).tokens) if draft else n_history
        return n_history, max(0, n_all - n_history)

    def measure(self, question: PromptQuestion) -> PromptMeasure:
        """Return how the prompt would be fitted now. What does not fit at all is measured too.

        Raises as ``fit`` does, but for ``ContextLengthExceeded``; ``PromptTooLarge`` where it may not be cut.
        """
        chat, conversation = question.prompt, split_turns(question.prompt.messages)
        n_room = self._room(question.n_reserve)
        said = chat.messages[len(conversation.system) :]
        fits = True
        truncation: Truncation | None = None
        try:
            fitted = self._fit_chat(chat, overflow=question.overflow, n_room=n_room, drop_to=question.drop_to)
            n_prompt, truncation = len(fitted.tokens), fitted.truncation
        except ContextLengthExceeded as exc:
            n_prompt, fits = exc.n_prompt, False
        n_dropped = truncation.n_messages if truncation is not None else 0
        n_unread = self._n_unread(chat, conversation, n_messages=n_dropped, drop_to=question.drop_to)
        whole = self._read(conversation.chat_without(chat, n_unread))
        n_before = sum(map(len, conversation.turns[:n_unread]))
        read_now = (*conversation.system, *said[n_before:])
        known = message_tokens(read_now, whole, count=self._count_text)
        n_system = len(conversation.system)
        unread = tuple(
            MessageTokens(size_of((message,)) // _TYPICAL_BYTES_PER_TOKEN, 0) for message in said[:n_before]
        )
        return PromptMeasure(
            n_prompt=n_prompt,
            n_system=sum(each.n_tokens for each in known[:n_system]),
            messages=(*unread, *known[n_system:]),
            n_dropped=n_dropped,
            n_cut=truncation.n_shifted if truncation is not None else 0,
            fits=fits and n_prompt < self._n_ctx,
        )

    # Conversations

    def _room(self, max_tokens: int | None) -> int:
        return self._n_ctx - min(max_tokens or _REPLY_RESERVE, self._n_ctx // 4)

    def _n_unread(self, chat: ChatInput, conversation: Turns, *, n_messages: int, drop_to: float) -> int:
        """Return how many turns are not even read, of which ``n_messages`` messages are left out."""
        if not n_messages:
            return 0
        n_unread, _ = self._drop_by_size(
            conversation,
            n_beside=n_tool_bytes(chat),
            n_droppable=max(0, len(conversation.turns) - 1),
            drop_to=drop_to,
        )
        return n_unread

    def _fit_chat(
        self, chat: ChatInput, *, overflow: Overflow, n_room: int, drop_to: float = 1.0
    ) -> FittedPrompt:
        conversation = split_turns(chat.messages)
        n_droppable = max(0, len(conversation.turns) - 1) if overflow is not Overflow.REFUSE else 0
        n_unread, n_bytes_unread = self._drop_by_size(
            conversation, n_beside=n_tool_bytes(chat), n_droppable=n_droppable, drop_to=drop_to
        )
        tokenized = self._read(conversation.chat_without(chat, n_unread))
        n_all, n_drop = len(tokenized.tokens), n_unread
        if overflow is Overflow.DROP_OLDEST and drop_to < 1:
            rest = Turns(system=conversation.system, turns=conversation.turns[n_unread:])
            n_fixed, sizes = turn_sizes(rest, tokenized, count=self._count_text)
            n_steps = n_dropped(sizes, n_fixed=n_fixed, n_room=n_room, n_target=int(n_room * drop_to))
            if n_steps:
                n_drop = n_unread + n_steps
                tokenized = self._read(conversation.chat_without(chat, n_drop))
        n_messages_unread = sum(map(len, conversation.turns[:n_unread]))
        n_tokens_unread = n_bytes_unread // _TYPICAL_BYTES_PER_TOKEN
        if overflow is Overflow.SHIFT and n_all > n_room:
            return self._shifted(
                tokenized, n_room=n_room, n_messages_unread=n_messages_unread, n_tokens_unread=n_tokens_unread
            )
        if overflow is Overflow.DROP_OLDEST and len(tokenized.tokens) > n_room and n_droppable > n_drop:
            n_drop, tokenized = self._drop_turns(
                chat, conversation, candidates=range(n_drop + 1, n_droppable + 1), n_room=n_room
            )
        self._check(tokenized)
        if not n_drop:
            return _fitted(tokenized, None)
        n_messages = sum(map(len, conversation.turns[:n_drop]))
        n_tokens = n_all - len(tokenized.tokens) + n_tokens_unread
        return _fitted(tokenized, Truncation(n_messages=n_messages, n_tokens=n_tokens))

    def _count_text(self, text: str) -> int:
        return len(self._plain_tokens(text)[1]) if text else 0

    def _drop_turns(
        self, chat: ChatInput, conversation: Turns, *, candidates: range, n_room: int
    ) -> tuple[int, TokenizedPrompt]:
        """Return how many turns to drop, the fewest of ``candidates`` that do, and what is left then."""
        candidates_read: dict[int, TokenizedPrompt] = {}

        def fits(n: int) -> bool:
            candidates_read[n] = self._read(conversation.chat_without(chat, n))
            return len(candidates_read[n].tokens) <= n_room

        # The prompt only gets shorter, so bisection finds the first that fits; if none does, all go.
        index = bisect.bisect_left(candidates, True, key=fits)
        n_drop = candidates[min(index, len(candidates) - 1)]
        if n_drop not in candidates_read:
            fits(n_drop)
        return n_drop, candidates_read[n_drop]

    def _drop_by_size(
        self, conversation: Turns, *, n_beside: int, n_droppable: int, drop_to: float = 1.0
    ) -> tuple[int, int]:
        """Return how many turns are too many by their bytes alone, and how many bytes those have.

        Raises:
            PromptTooLarge: the rest is still too large when ``n_droppable`` turns are gone.
        """
        n_bytes = size_of(conversation.without_oldest(0)) + n_beside
        n_gone = n_bytes_gone = 0
        if drop_to < 1 and n_droppable and n_bytes > self._limit_bytes:
            n_gone, n_bytes_gone = self._size_in_steps(conversation, n_bytes=n_bytes, drop_to=drop_to)
            n_bytes -= n_bytes_gone
        while n_bytes > self._limit_bytes:
            if n_gone == n_droppable:
                raise PromptTooLarge(n_bytes=n_bytes, limit_bytes=self._limit_bytes)
            n_turn = size_of(conversation.turns[n_gone])
            n_bytes -= n_turn
            n_bytes_gone += n_turn
            n_gone += 1
        return n_gone, n_bytes_gone

    def _size_in_steps(self, conversation: Turns, *, n_bytes: int, drop_to: float) -> tuple[int, int]:
        """Return how many turns go unread, many at once, and how many bytes those have."""
        sizes = [TurnSize(question=size_of(turn[:1]), whole=size_of(turn)) for turn in conversation.turns]
        n_gone = n_dropped(
            sizes,
            n_fixed=n_bytes - sum(size.whole for size in sizes),
            n_room=self._limit_bytes,
            n_target=int(self._limit_bytes * drop_to),
        )
        return n_gone, sum(size.whole for size in sizes[:n_gone])

    # Texts

    def _fit_text(self, prompt: TextInput, *, overflow: Overflow, n_room: int) -> FittedPrompt:
        check_text(prompt.text)
        n_bytes = len(prompt.text.encode())
        if n_bytes > self._limit_bytes:
            raise PromptTooLarge(n_bytes=n_bytes, limit_bytes=self._limit_bytes)
        if not prompt.text:
            raise InvalidText(reason=tr_noop("it is empty."))
        tokenized = self._read_prompt(prompt_of([Segment(text=prompt.text, special=prompt.parse_special)]))
        return self._fit_whole(tokenized, overflow=overflow, n_room=n_room)

    def _fit_tokens(self, prompt: TokenInput, *, overflow: Overflow, n_room: int) -> FittedPrompt:
        if not prompt.tokens:
            raise InvalidText(reason=tr_noop("it is empty."))
        tokens = np.array(prompt.tokens, np.int32)
        return self._fit_whole(TokenizedPrompt(tokens=tokens), overflow=overflow, n_room=n_room)

    def _fit_whole(self, tokenized: TokenizedPrompt, *, overflow: Overflow, n_room: int) -> FittedPrompt:
        if overflow is Overflow.SHIFT and len(tokenized.tokens) > n_room:
            return self._shifted(tokenized, n_room=n_room, n_messages_unread=0, n_tokens_unread=0)
        self._check(tokenized)
        return _fitted(tokenized, None)

    def _fit_infill(self, prompt: InfillInput, *, overflow: Overflow, n_room: int) -> FittedPrompt:
        """Word a gap as its model was taught: what is before it, what is behind it, and then the gap."""
        if self._infill is None:
            raise InvalidParameter(
                name="infill", reason=tr_noop("this model was not taught to fill gaps in a text.")
            )
        check_text(prompt.prefix)
        check_text(prompt.suffix)
        if not prompt.prefix and not prompt.suffix:
            raise InvalidText(reason=tr_noop("it is empty."))
        before, after, n_unread = self._near_gap(prompt, overflow=overflow)
        lead, before_tokens = self._plain_tokens(before)
        _, after_tokens = self._plain_tokens(after)
        gap = whole = Gap(lead=lead, before=before_tokens, after=after_tokens)
        if whole.n_tokens > n_room and overflow is not Overflow.REFUSE:
            gap = whole.cut_to(n_room)
        tokenized = TokenizedPrompt(tokens=gap.worded(self._infill), n_lead=len(lead))
        self._check(tokenized)
        n_left_out = whole.n_tokens - gap.n_tokens + n_unread // _TYPICAL_BYTES_PER_TOKEN
        if not n_left_out:
            return _fitted(tokenized, None)
        return _fitted(tokenized, Truncation(n_messages=0, n_tokens=n_left_out, n_shifted=n_left_out))

    def _near_gap(self, prompt: InfillInput, *, overflow: Overflow) -> tuple[str, str, int]:
        """Return what is near enough to the gap to be tokenized, and how many bytes are not."""
        before, after = prompt.prefix, prompt.suffix
        n_bytes = len(before.encode()) + len(after.encode())
        if n_bytes <= self._limit_bytes:
            return before, after, 0
        if overflow is Overflow.REFUSE:
            raise PromptTooLarge(n_bytes=n_bytes, limit_bytes=self._limit_bytes)
        n_chars = self._limit_bytes // 8  # no character has more than four bytes
        before, after = before[-n_chars:], after[:n_chars]
        return before, after, n_bytes - len(before.encode()) - len(after.encode())

    def _plain_tokens(self, text: str) -> tuple[Tokens, Tokens]:
        """Return what begins a prompt, and the tokens of ``text``."""
        parts = self._tokenizer.tokenize_segments(prompt_of([Segment(text=text, special=False)]))
        return parts[0], np.concatenate([np.empty(0, np.int32), *parts[1:]])

    # Both

    def _read(self, chat: ChatInput) -> TokenizedPrompt:
        return self._read_prompt(self._template.render(chat))

    def _read_prompt(self, prompt: Prompt) -> TokenizedPrompt:
        return tokenized_prompt(prompt, self._tokenizer.tokenize_segments(prompt))

    def _shifted(
        self, tokenized: TokenizedPrompt, *, n_room: int, n_messages_unread: int, n_tokens_unread: int
    ) -> FittedPrompt:
        cut = tokenized.cut_out_of_the_middle(n_room=n_room)
        shifted = tokenized.without(cut)
        self._check(shifted)
        n_cut = cut.end - cut.start
        truncation = Truncation(
            n_messages=n_messages_unread + tokenized.n_messages_within(cut),
            n_tokens=n_tokens_unread + n_cut,
            n_shifted=n_cut,
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
        marks=tokenized.marks,
        images=tokenized.images,
        opening=tokenized.opening,
    )
