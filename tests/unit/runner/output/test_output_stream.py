"""The output of one answer: whole characters by kind, with the probabilities of its tokens."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fireside.core.generation import OutputKind, TokenLogprobs, TokenProbability
from fireside.core.ids import RequestId
from fireside.core.prompt_input import ToolDefinition
from fireside.runner.output.model_formats import make_parser
from fireside.runner.output.output_format_detection import detect_format
from fireside.runner.output.output_stream import OutputStream, StopMatcher
from fireside.wire.messages import Piece

TOOL = ToolDefinition(name="add", description="", parameters='{"type": "object"}')
CALL = '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>'
THINKING = "<think>\nIs it one END or two?\n</think>\n\n"


class Recorder:
    """An answer and its pieces."""

    def __init__(
        self,
        *,
        stop: tuple[str, ...] = (),
        model_stop: tuple[str, ...] = (),
        min_tokens: int = 0,
        parsed: bool = True,
        prompt: str = "",
    ) -> None:
        self.pieces: list[Piece] = []
        fmt = detect_format(
            template_source="{% if tools %}<tool_call>{% endif %}", architecture="", control_tokens={}
        )
        self.answer = OutputStream(
            RequestId(1),
            parser=make_parser(fmt, rendered_prompt=prompt, tools=(TOOL,)) if parsed else None,
            stop=stop,
            model_stop=model_stop,
            min_tokens=min_tokens,
            emit=self.pieces.append,
        )

    def feed(self, *tokens: bytes, with_logprobs: bool = False) -> str:
        """Feed tokens up to a stop string; return the text so far."""
        for number, token in enumerate(tokens):
            if self.answer.stopped:
                break
            logprobs = TokenLogprobs(TokenProbability(number, token, -1.0), ()) if with_logprobs else None
            self.answer.feed(token, logprobs)
        return self.text

    def end(self) -> str:
        self.answer.end()
        return self.text

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def of(self, kind: OutputKind) -> str:
        return "".join(piece.text for piece in self.pieces if piece.kind is kind)

    @property
    def logprobs(self) -> list[int]:
        return [entry.chosen.token for piece in self.pieces for entry in piece.logprobs]


def cut(encoded: bytes, points: Iterable[int]) -> list[bytes]:
    edges = [0, *sorted(point % (len(encoded) + 1) for point in points), len(encoded)]
    return [encoded[start:end] for start, end in pairwise(edges)]


CUTS = st.lists(st.integers(0, 10_000), max_size=12)


@given(st.text(st.characters(exclude_characters="\0")), CUTS, st.booleans())
def test_text_does_not_depend_on_how_it_is_split(text: str, points: list[int], parsed: bool) -> None:
    encoded = text.encode("utf-8", "replace")
    recorder = Recorder(parsed=parsed)
    recorder.feed(*cut(encoded, points))
    assert recorder.end() == encoded.decode()


@given(st.lists(st.integers(0, 255), max_size=12).map(bytes), CUTS)
@example(b"\xed\xa0", [])
def test_any_bytes_become_text_except_an_incomplete_last_character(encoded: bytes, points: list[int]) -> None:
    recorder = Recorder(parsed=False)
    recorder.feed(*cut(encoded, points))
    expected = encoded.decode("utf-8", "replace").replace("\0", "\ufffd")
    text = recorder.end()
    assert expected.startswith(text)
    # Python counts each byte of the beginning of a surrogate, which is at most two.
    assert expected.removeprefix(text) in ("", "\ufffd", "\ufffd\ufffd")


def test_single_bytes_are_held_back_until_a_character_is_complete() -> None:
    for value in range(256):
        recorder = Recorder(parsed=False)
        recorder.feed(bytes([value]))
        lead = 0xC2 <= value <= 0xF4
        expected = "" if lead else chr(value) if 0 < value < 0x80 else "�"
        assert recorder.end() == expected, value


def test_incomplete_character_is_held_back() -> None:
    recorder = Recorder()
    llama = "🦙".encode()
    assert [recorder.feed(llama[:2]), recorder.feed(llama[2:3]), recorder.feed(llama[3:])] == ["", "", "🦙"]


@given(CUTS)
def test_kinds_do_not_depend_on_how_the_text_is_split(points: list[int]) -> None:
    raw = THINKING + "Well. " + CALL
    recorder = Recorder()
    recorder.feed(*cut(raw.encode(), points))
    assert recorder.end() == raw
    assert recorder.of(OutputKind.REASONING) == "Is it one END or two?"
    assert recorder.of(OutputKind.ANSWER) == "Well."
    assert [call.name for call in recorder.answer.tool_calls] == ["add"]


def test_stop_string_in_the_reasoning_does_not_end_the_answer() -> None:
    recorder = Recorder(stop=("END",))
    recorder.feed(*cut((THINKING + "One END two").encode(), range(0, 99, 3)))
    assert recorder.end() == THINKING + "One "


def test_stop_string_of_the_model_ends_the_answer_in_the_reasoning_too() -> None:
    recorder = Recorder(model_stop=("END",))
    recorder.feed(*cut((THINKING + "One").encode(), range(0, 99, 3)))
    assert recorder.end() == THINKING[: THINKING.index("END")]


def test_stop_strings_are_matched_within_each_kind_in_order() -> None:
    recorder = Recorder(stop=("Well<",))
    recorder.feed(*cut(("Well" + CALL).encode(), range(0, 99, 5)))
    assert recorder.end() == "Well" + CALL


@pytest.mark.parametrize("parsed", [False, True])
def test_a_stop_string_applies_behind_the_least_tokens(parsed: bool) -> None:
    recorder = Recorder(stop=("STOP",), min_tokens=2, parsed=parsed)
    assert recorder.feed(b"a STOP", b" b ST", b"OP", b" c STO", b"P d") == "a STOP b STOP c "
    assert recorder.answer.stop_string == "STOP"


def test_a_stop_string_of_the_model_applies_at_once() -> None:
    recorder = Recorder(stop=("STOP",), model_stop=("<end>",), min_tokens=9)
    assert recorder.feed(b"a STOP", b" b<en", b"d>", b" c") == "a STOP b"


def test_call_after_a_stop_string_is_ignored() -> None:
    recorder = Recorder(stop=("END",))
    recorder.feed(b"One END " + CALL.encode())
    assert recorder.end() == "One "
    assert recorder.answer.tool_calls == []


def test_reasoning_is_counted_without_its_tags() -> None:
    recorder = Recorder()
    recorder.feed(b"<think>", b"\n", b"One", b" two", b" three", b"</think>", b"\n\n", b"Four")
    assert recorder.answer.n_reasoning == 3


def test_tags_and_inner_space_do_not_count_as_reasoning() -> None:
    recorder = Recorder()
    recorder.feed(*cut(b"<think>\nOne two\n\n</think>\n\nFour", range(99)))
    assert recorder.answer.n_reasoning == len("One two")


def test_possible_start_of_an_end_tag_counts_as_reasoning_once_it_is_not_one() -> None:
    recorder = Recorder(prompt="<think>")
    recorder.feed(b"a ", b"</", b"th", b"at", b">")
    assert recorder.answer.n_reasoning == 5


def test_token_with_reasoning_and_end_tag_counts_as_reasoning() -> None:
    recorder = Recorder(prompt="<think>")
    recorder.feed(b"One", b" two</", b"think>Four")
    assert recorder.answer.n_reasoning == 2


def test_every_token_of_a_split_character_counts_as_reasoning() -> None:
    recorder = Recorder(prompt="<think>")
    recorder.feed(b"One <", *cut("€".encode(), (1, 2)), b"</think>", *cut("€".encode(), (1, 2)))
    assert recorder.answer.n_reasoning == 1 + 3


def test_reasoning_that_never_ends_is_counted_to_its_end() -> None:
    recorder = Recorder(prompt="<think>")
    recorder.feed(b"One", b" two", b"</thi")
    recorder.end()
    assert recorder.answer.n_reasoning == 3


@given(st.sampled_from(["", "<think>"]), st.sets(st.integers(0, 60)))
def test_reasoning_count_does_not_depend_on_how_the_text_is_split(prompt: str, points: set[int]) -> None:
    """A token counts as reasoning if any of its bytes is in the reasoning text."""
    begins = b"" if prompt else b"<think>\n"
    raw = begins + "\nIs it – <one> or two?\n</think>\n\nÜber all.".encode()
    first, last = raw.index(b"Is"), raw.index(b"\n</think>")
    tokens = [token for token in cut(raw, points) if token]
    recorder = Recorder(prompt=prompt)
    recorder.feed(*tokens)
    recorder.end()
    ends = [sum(map(len, tokens[: n + 1])) for n in range(len(tokens))]
    expected = sum(end > first and end - len(token) < last for end, token in zip(ends, tokens, strict=True))
    assert recorder.answer.n_reasoning == expected


def test_end_tag_is_known_while_the_reasoning_is_open() -> None:
    recorder = Recorder(prompt="<|assistant|><think>\n")
    before = recorder.answer.reasoning_end
    recorder.feed(b"Hm.", b"</think>", b"Yes")
    assert (before, recorder.answer.reasoning_end) == ("</think>", "")


def test_reasoning_is_not_closed_in_the_middle_of_a_character() -> None:
    recorder = Recorder(prompt="<think>")
    recorder.feed("é".encode()[:1])
    assert recorder.answer.reasoning_end == ""


def test_segments_are_the_emitted_text_by_kind() -> None:
    recorder = Recorder()
    recorder.feed(b"<think>", b"\nOne\n", b"</think>", b"\n\n", b"Two", b" three")
    recorder.end()
    segments = [
        (kind, text) for kind, text in recorder.answer.segments_by_kind if kind is not OutputKind.MARKUP
    ]
    assert segments == [(OutputKind.REASONING, "One"), (OutputKind.ANSWER, "Two three")]


@given(
    st.sampled_from([THINKING + "One END two", "Well. " + CALL + " So.", "🦙é END", "a\n\nb"]),
    CUTS,
    st.sampled_from([(), ("END",), ("\n\n",)]),
)
def test_no_probabilities_are_lost_and_none_comes_before_its_text(
    raw: str, points: list[int], stop: tuple[str, ...]
) -> None:
    tokens = cut(raw.encode(), points)
    recorder = Recorder(stop=stop)
    recorder.feed(*tokens, with_logprobs=True)
    early = len(recorder.logprobs)
    assert len(b"".join(tokens[:early]).decode("utf-8", "ignore")) <= len(recorder.text)
    recorder.end()
    assert recorder.logprobs == list(range(recorder.answer.n_tokens))


def test_probabilities_come_with_the_text_of_their_tokens() -> None:
    recorder = Recorder(parsed=False)
    recorder.feed(b"a", b"b", with_logprobs=True)
    assert [(piece.text, len(piece.logprobs)) for piece in recorder.pieces] == [("a", 1), ("b", 1)]


def test_probabilities_of_an_incomplete_character_come_with_the_whole_one() -> None:
    recorder = Recorder()
    recorder.feed(b"<think>", b"x", b"</think>", "é".encode()[:1], "é".encode()[1:], with_logprobs=True)
    answer = [piece for piece in recorder.pieces if piece.kind is OutputKind.ANSWER]
    assert [entry.chosen.token for piece in answer for entry in piece.logprobs] == [3, 4]


@pytest.mark.parametrize("parsed", [True, False])
def test_nothing_follows_a_stop_string(parsed: bool) -> None:
    recorder = Recorder(stop=("END",), parsed=parsed)
    recorder.feed(b"one ", b"E", b"N", b"D", b" two")
    assert recorder.end() == "one "
    assert recorder.answer.stop_string == "END"


def test_reported_stop_string_is_one_of_the_request() -> None:
    recorder = Recorder(stop=("two", "END"), model_stop=("<stop>",))
    recorder.feed(b"one <stop> two")
    assert (recorder.answer.stopped, recorder.answer.stop_string) == (True, "")
    assert Recorder(stop=("END",)).answer.stop_string == ""


@pytest.mark.parametrize("parsed", [False, True])
def test_emitted_text_contains_no_nul(parsed: bool) -> None:
    recorder = Recorder(parsed=parsed)
    recorder.feed(b"a\0", b"\0b", with_logprobs=True)
    assert recorder.end() == "a\ufffd\ufffdb"


def test_arguments_are_told_behind_all_text_before_them() -> None:
    recorder = Recorder(stop=("<tool box>",))
    recorder.feed(b"Yes <tool", b"_call>")
    assert recorder.answer.pop_constraint() is not None
    recorder.answer.set_constrained(True)
    recorder.feed(b'{"name": "add", ', b'"arguments": {"a"', b": 1}", b"}")
    recorder.end()
    told = [(piece.call.arguments if piece.call else piece.text) for piece in recorder.pieces]
    assert told[:3] == ["Yes", '{"a"', ": 1}"]
    assert recorder.of(OutputKind.ANSWER) == "Yes"


def test_where_a_stop_string_of_the_model_may_end_a_call_it_is_not_told_before_its_end() -> None:
    recorder = Recorder(model_stop=("<end>",))
    recorder.feed(b"<tool_call>")
    recorder.answer.set_constrained(True)
    recorder.feed(b'{"name": "add", "arguments": {"a"', b": 1}}")
    recorder.end()
    assert [piece for piece in recorder.pieces if piece.call] == []
    assert len(recorder.answer.tool_calls) == 1


def _fed(matcher: StopMatcher, pieces: list[str]) -> str:
    out = []
    for piece in pieces:
        out.append(matcher.feed(piece))
        if matcher.found:
            break
    return "".join(out) + matcher.release()


def _cut(text: str, points: list[int]) -> list[str]:
    edges = [0, *sorted(point % (len(text) + 1) for point in points), len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


@given(
    st.text("abc", max_size=30),
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=3),
    st.lists(st.integers(0, 30)),
)
def test_text_ends_before_the_first_stop_string(text: str, stop: list[str], points: list[int]) -> None:
    """The first stop string to be complete, wherever it began."""
    matcher = StopMatcher(stop)
    output = _fed(matcher, _cut(text, points))
    assert text.startswith(output)
    assert not any(s in output for s in stop)
    assert bool(matcher.found) == any(s in text for s in stop)
    assert text.startswith(output + matcher.found)
    if not matcher.found:
        assert output == text


def test_possible_stop_string_is_held_back() -> None:
    assert StopMatcher(["\nUser:"]).feed("Hi.\nUs") == "Hi."


def test_only_a_possible_stop_string_is_held_back() -> None:
    assert StopMatcher(["\nUser:"]).feed("Hi.\n\nUs") == "Hi.\n"


def test_held_text_is_released_once_it_is_no_stop_string() -> None:
    matcher = StopMatcher(["\nUser:"])
    matcher.feed("Hi.\nUs")
    assert matcher.feed(" two") == "\nUs two"


def test_held_text_is_released_at_the_end() -> None:
    matcher = StopMatcher(["\nUser:"])
    matcher.feed("Hi.\nUs")
    assert matcher.release() == "\nUs"


def test_the_matcher_gives_nothing_after_a_stop_string() -> None:
    matcher = StopMatcher(["END"])
    assert matcher.feed("one END two") == "one "
    assert matcher.release() == ""
