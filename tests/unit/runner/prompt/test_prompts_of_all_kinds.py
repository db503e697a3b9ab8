"""Prompts other than plain chats, and what fits a small context."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.raised import refuses
from fireside.core.errors import (
    ContextLengthExceeded,
    InvalidParameter,
    InvalidText,
    PromptTooLarge,
)
from fireside.core.generation import Overflow
from fireside.core.message import (
    AudioPart,
    ChatMessage,
    ImagePart,
    PassagesPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    VideoPart,
    text_message,
)
from fireside.core.prompt_input import (
    ChatInput,
    EmbeddingInput,
    InfillFile,
    InfillInput,
    PromptInput,
    RerankInput,
    TextInput,
    TokenInput,
    ToolDefinition,
)
from fireside.runner.prompt.infill import InfillTokens
from fireside.runner.prompt.prompt_fitting import BYTES_PER_TOKEN, FittedPrompt, PromptFitter
from fireside.runner.prompt.segments import Prompt, PromptSegment, prompt_of
from fireside.runner.tokens import Tokens

N_CTX = 100
LIMIT_BYTES = BYTES_PER_TOKEN * N_CTX + 64 * 1024
BOS = 1000
SPECIAL = 2000
IMAGE_TOKENS = np.arange(-20, 0, dtype=np.int32)
GAP = InfillTokens(prefix=1001, suffix=1002, middle=1003)
IMAGE = ImagePart(data=b"1", media_type="image/png")
SYSTEM = text_message(Role.SYSTEM, "s" * 10)


class LetterTokenizer:
    """A letter is a token, another one where it may be a control token; an image is twenty."""

    def tokenize_segments(self, prompt: Prompt) -> list[Tokens]:
        return [np.array([BOS], np.int32), *(self._tokens(segment) for segment in prompt.segments)]

    def _tokens(self, segment: PromptSegment) -> Tokens:
        if segment.image is not None:
            return IMAGE_TOKENS
        letters = np.frombuffer(segment.text.encode(), np.uint8).astype(np.int32)
        return letters + SPECIAL if segment.special else letters


class PlainTemplate:
    """Concatenated contents, and a full stop before the answer."""

    def render(self, chat: ChatInput) -> Prompt:
        images: list[ImagePart] = []
        segments: list[PromptSegment] = []
        for index, message in enumerate(chat.messages):
            for part in message.parts:
                match part:
                    case ImagePart():
                        images.append(part)
                        segment = PromptSegment(
                            text="", special=False, role=message.role, message=index, image=len(images) - 1
                        )
                    case ToolCallPart():
                        segment = self._words(part.arguments, message, index)
                    case PassagesPart():
                        segment = self._words(part.prompt_text, message, index)
                    case AudioPart() | VideoPart():
                        raise AssertionError
                    case _:
                        segment = self._words(part.text, message, index)
                segments.append(segment)
        return prompt_of([*segments, PromptSegment(text=".", special=True)], images=tuple(images))

    def _words(self, text: str, message: ChatMessage, index: int) -> PromptSegment:
        return PromptSegment(text=text, special=False, role=message.role, message=index)


def _fit(
    prompt: PromptInput,
    *,
    overflow: Overflow = Overflow.DROP_OLDEST,
    max_tokens: int | None = None,
    infill: InfillTokens | None = GAP,
) -> FittedPrompt:
    fitter = PromptFitter(template=PlainTemplate(), tokenizer=LetterTokenizer(), n_ctx=N_CTX, infill=infill)
    return fitter.fit(prompt, overflow=overflow, max_tokens=max_tokens)


def _text(tokens: Tokens) -> str:
    return "".join(chr(token) for token in tokens.tolist() if 0 <= token < BOS)


def _user(text: str) -> ChatMessage:
    return text_message(Role.USER, text)


def _assistant(text: str) -> ChatMessage:
    return text_message(Role.ASSISTANT, text)


def _exchange(letter: str, n: int) -> tuple[ChatMessage, ...]:
    call = ToolCallPart(id="call_1", name="find", arguments=letter * n)
    result = ToolResultPart(call_id="call_1", name="find", text=letter.upper() * n)
    return (
        ChatMessage(role=Role.ASSISTANT, parts=(call,)),
        ChatMessage(role=Role.TOOL, parts=(result,)),
    )


# Conversations


def test_message_ends_are_those_of_the_system_prompt_and_the_user_messages() -> None:
    messages = (SYSTEM, _user("aaa"), _assistant("bb"), _user("cccc"))
    fitted = _fit(ChatInput(messages=messages))
    assert fitted.message_ends == (11, 14, 20)
    assert [_text(fitted.tokens[:mark])[-1] for mark in fitted.message_ends] == ["s", "a", "c"]


def test_generation_prompt_is_reported() -> None:
    assert _fit(ChatInput(messages=(_user("a"),))).generation_prompt == "."


def test_tool_call_and_result_are_dropped_together() -> None:
    messages = (_user("a" * 10), *_exchange("b", 20), _user("c" * 10), *_exchange("d", 20))
    fitted = _fit(ChatInput(messages=messages), max_tokens=5)
    assert _text(fitted.tokens) == "c" * 10 + "d" * 20 + "D" * 20
    assert fitted.truncation is not None
    assert fitted.truncation.n_messages == 3


def test_tool_exchanges_of_the_last_turn_are_kept() -> None:
    messages = (_user("a" * 10), _user("q" * 5), *_exchange("b", 15), *_exchange("c", 15))
    fitted = _fit(ChatInput(messages=messages), max_tokens=5)
    assert _text(fitted.tokens).startswith("a" * 10 + "q" * 5 + "b" * 15)
    longer = (_user("a" * 30), _user("q" * 5), *_exchange("b", 15), *_exchange("c", 15))
    assert _text(_fit(ChatInput(messages=longer)).tokens).startswith("q" * 5 + "b" * 15)


def test_last_turn_whose_tool_exchanges_do_not_fit_is_refused() -> None:
    messages = (_user("a"), *_exchange("b", 30), *_exchange("c", 30))
    with pytest.raises(ContextLengthExceeded):
        _fit(ChatInput(messages=messages))


def test_huge_tools_are_refused_before_anything_is_tokenized() -> None:
    tool = ToolDefinition(name="find", description="x" * LIMIT_BYTES, parameters="{}")
    with pytest.raises(PromptTooLarge):
        _fit(ChatInput(messages=(_user("a"),), tools=(tool,)))


def test_pictures_are_dropped_with_their_turn() -> None:
    looks = ChatMessage(role=Role.USER, parts=(IMAGE, TextPart(text="a" * 30)))
    fitted = _fit(ChatInput(messages=(looks, _assistant("b" * 10), _user("c" * 20))))
    assert fitted.images == ()
    assert _text(fitted.tokens) == "c" * 20


# Shifting


def test_shifting_keeps_the_system_prompt_and_the_newest_tokens() -> None:
    messages = (SYSTEM, _user("a" * 40), _assistant("b" * 40), _user("c" * 20))
    fitted = _fit(ChatInput(messages=messages), overflow=Overflow.SHIFT)
    assert len(fitted.tokens) == 75
    assert _text(fitted.tokens) == "s" * 10 + "a" * 3 + "b" * 40 + "c" * 20


def test_shifted_tokens_are_reported() -> None:
    messages = (SYSTEM, _user("a" * 10), _assistant("b" * 60), _user("c" * 20))
    truncation = _fit(ChatInput(messages=messages), overflow=Overflow.SHIFT).truncation
    assert truncation is not None
    assert (truncation.n_messages, truncation.n_tokens, truncation.n_shifted) == (1, 27, 27)


def test_message_ends_move_with_their_text() -> None:
    messages = (SYSTEM, _user("a" * 10), _assistant("b" * 60), _user("c" * 20))
    fitted = _fit(ChatInput(messages=messages), overflow=Overflow.SHIFT)
    assert fitted.message_ends == (11, 74)


def test_shifting_does_not_cut_a_picture() -> None:
    looks = ChatMessage(role=Role.USER, parts=(TextPart(text="a" * 10), IMAGE, TextPart(text="b" * 20)))
    messages = (SYSTEM, looks, _assistant("c" * 25), _user("d" * 10))
    fitted = _fit(ChatInput(messages=messages), overflow=Overflow.SHIFT)
    assert fitted.images == ()
    assert not (fitted.tokens < 0).any()
    assert _text(fitted.tokens) == "s" * 10 + "b" * 20 + "c" * 25 + "d" * 10


def test_picture_in_a_cut_system_prompt_is_removed_as_a_whole() -> None:
    parts = (TextPart(text="s" * 25), IMAGE, TextPart(text="t" * 40))
    messages = (ChatMessage(role=Role.SYSTEM, parts=parts), _user("u" * 30))
    fitted = _fit(ChatInput(messages=messages), overflow=Overflow.SHIFT)
    assert fitted.images == ()
    assert not (fitted.tokens < 0).any()
    assert _text(fitted.tokens).startswith("s" * 25 + "t")


def test_picture_next_to_the_cut_stays_whole() -> None:
    looks = ChatMessage(role=Role.USER, parts=(TextPart(text="a" * 40), IMAGE, TextPart(text="b" * 10)))
    fitted = _fit(ChatInput(messages=(SYSTEM, looks, _user("d" * 10))), overflow=Overflow.SHIFT)
    assert fitted.images == (IMAGE,)
    assert int((fitted.tokens < 0).sum()) == 20


def test_prompt_that_fits_is_not_shifted() -> None:
    assert _fit(ChatInput(messages=(SYSTEM, _user("a"))), overflow=Overflow.SHIFT).truncation is None


@given(
    lengths=st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=1, max_size=12),
    n_system=st.integers(0, 90),
    overflow=st.sampled_from(Overflow),
    max_tokens=st.integers(1, 200),
)
def test_fitted_prompt_fits_and_the_truncation_is_exact(
    lengths: list[tuple[int, bool]], n_system: int, overflow: Overflow, max_tokens: int
) -> None:
    messages = [text_message(Role.SYSTEM, "s" * n_system)] if n_system else []
    for index, (n, has_image) in enumerate(lengths):
        part = TextPart(text="u" * n)
        parts = (part, IMAGE) if has_image else (part,)
        messages.append(ChatMessage(role=(Role.USER, Role.ASSISTANT)[index % 2], parts=parts))
    n_all = len(np.concatenate(LetterTokenizer().tokenize_segments(_render(messages))))
    try:
        fitted = _fit(ChatInput(messages=tuple(messages)), overflow=overflow, max_tokens=max_tokens)
    except ContextLengthExceeded:
        assert overflow is not Overflow.SHIFT
        return
    assert 0 < len(fitted.tokens) < N_CTX
    n_missing = fitted.truncation.n_tokens if fitted.truncation else 0
    assert len(fitted.tokens) + n_missing == n_all
    assert int((fitted.tokens < 0).sum()) == 20 * len(fitted.images)
    assert list(fitted.message_ends) == sorted(set(fitted.message_ends))
    assert all(0 < mark <= len(fitted.tokens) for mark in fitted.message_ends)
    assert fitted.tokens[-1] == ord(".") + SPECIAL


def _render(messages: list[ChatMessage]) -> Prompt:
    return PlainTemplate().render(ChatInput(messages=tuple(messages)))


# Raw text


@pytest.mark.parametrize(("parse_special", "token"), [(False, ord("x")), (True, ord("x") + SPECIAL)])
def test_control_tokens_in_a_raw_text_are_parsed_only_if_requested(parse_special: bool, token: int) -> None:
    fitted = _fit(TextInput(text="x", parse_special=parse_special))
    assert fitted.tokens.tolist() == [BOS, token]


def test_token_ids_are_used_unchanged() -> None:
    assert _fit(TokenInput(tokens=(5, 6))).tokens.tolist() == [5, 6]
    with pytest.raises(ContextLengthExceeded):
        _fit(TokenInput(tokens=(5,) * 100))
    with pytest.raises(InvalidText):
        _fit(TokenInput(tokens=()))


def test_raw_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(ContextLengthExceeded):
        _fit(TextInput(text="x" * 100))


def test_raw_text_is_shifted_if_requested() -> None:
    fitted = _fit(TextInput(text="a" * 50 + "b" * 74), overflow=Overflow.SHIFT)
    assert fitted.tokens[0] == BOS
    assert _text(fitted.tokens) == "b" * 74
    assert fitted.truncation is not None
    assert fitted.truncation.n_shifted == 50


@pytest.mark.parametrize("text", ["", "a\x00b", "a\ud800b"])
def test_invalid_raw_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidText):
        _fit(TextInput(text=text))


def test_oversized_raw_text_is_refused_before_tokenizing() -> None:
    with pytest.raises(PromptTooLarge):
        _fit(TextInput(text="x" * (LIMIT_BYTES + 1)), overflow=Overflow.SHIFT)


# Gaps


def test_infill_prompt_has_the_model_s_own_tokens() -> None:
    fitted = _fit(InfillInput(prefix="ab", suffix="cd"))
    assert fitted.tokens.tolist() == [BOS, 1001, *b"ab", 1002, *b"cd", 1003]


def test_text_farthest_from_the_gap_is_dropped() -> None:
    fitted = _fit(InfillInput(prefix="a" * 50 + "b" * 54, suffix="c" * 17 + "d" * 50))
    assert _text(fitted.tokens) == "b" * 54 + "c" * 17
    assert fitted.truncation is not None
    assert (fitted.truncation.n_messages, fitted.truncation.n_tokens) == (0, 100)
    assert len(fitted.tokens) == 75


def test_short_prefix_leaves_its_space_to_the_suffix() -> None:
    fitted = _fit(InfillInput(prefix="aa", suffix="c" * 200))
    assert _text(fitted.tokens) == "aa" + "c" * 69


def test_infill_of_a_huge_text_uses_what_is_near_the_gap() -> None:
    fitted = _fit(InfillInput(prefix="a" * LIMIT_BYTES + "b" * 100, suffix="c" * LIMIT_BYTES))
    assert set(_text(fitted.tokens)) == {"b", "c"}
    assert fitted.truncation is not None
    assert fitted.truncation.n_tokens > LIMIT_BYTES // 4


def test_infill_drops_nothing_if_overflow_is_refused() -> None:
    with pytest.raises(ContextLengthExceeded):
        _fit(InfillInput(prefix="a" * 80, suffix="b" * 80), overflow=Overflow.REFUSE)
    with pytest.raises(PromptTooLarge):
        _fit(InfillInput(prefix="a" * LIMIT_BYTES, suffix="b"), overflow=Overflow.REFUSE)


FILES = (InfillFile(name="a.py", text="1" * 20), InfillFile(name="b.py", text="2" * 20))
WITH_FILES = InfillTokens(prefix=1001, suffix=1002, middle=1003, project=1004, file=1005)


def test_other_files_stand_behind_the_model_s_own_tokens() -> None:
    fitted = _fit(InfillInput(prefix="ab", suffix="cd", files=FILES[:1]), infill=WITH_FILES)
    head = [BOS, 1004, *b"project\n", 1005, *b"a.py\n", *b"1" * 20, 10, 1005, *b"file\n"]
    assert fitted.tokens.tolist() == [*head, 1001, *b"ab", 1002, *b"cd", 1003]
    assert fitted.truncation is None


def test_other_files_are_text_for_a_model_without_such_tokens() -> None:
    fitted = _fit(InfillInput(prefix="ab", suffix="cd", files=FILES[:1]))
    shown = "--- a.py ---\n\n" + "1" * 20 + "\n\nab"
    assert fitted.tokens.tolist() == [BOS, 1001, *shown.encode(), 1002, *b"cd", 1003]


def test_other_files_are_cut_first() -> None:
    prompt = InfillInput(prefix="a" * 30, suffix="b" * 10, files=FILES)
    fitted = _fit(prompt, infill=WITH_FILES)
    text = _text(fitted.tokens)
    assert ("1" in text, "a" * 30 in text, "b" * 10 in text) == (False, True, True)
    assert "2" * 20 in text
    assert fitted.truncation is not None
    huge = tuple(InfillFile(name=f"{n}", text=f"{n}" * LIMIT_BYTES) for n in range(3))
    fitted = _fit(InfillInput(prefix="a", suffix="b", files=huge), infill=WITH_FILES)
    assert set(_text(fitted.tokens)) <= {"a", "b", "2", "\n", *"file"}
    assert fitted.truncation is not None
    assert fitted.truncation.n_tokens > LIMIT_BYTES // 2


def test_infill_without_model_support_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="not taught to fill gaps"):
        _fit(InfillInput(prefix="a", suffix="b"), infill=None)


@pytest.mark.parametrize(("prefix", "suffix"), [("", ""), ("a\x00", "b"), ("a", "\ud800")])
def test_empty_infill_prompt_is_refused(prefix: str, suffix: str) -> None:
    with pytest.raises(InvalidText):
        _fit(InfillInput(prefix=prefix, suffix=suffix))


@pytest.mark.parametrize("prompt", [EmbeddingInput(texts=("a",)), RerankInput(query="a", documents=("b",))])
def test_embedding_and_reranking_inputs_are_refused(prompt: PromptInput) -> None:
    with refuses("model_unsuited"):
        _fit(prompt)
