"""A fake llama.cpp with lists as KV caches, whose next token depends on every token before it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from fireside.core.errors import ConstraintInvalid, ModelOutputInvalid
from fireside.core.generation import TokenLogprobs, TokenProbability
from fireside.core.prompt_input import ChatInput
from fireside.core.task import Constraint, JsonSchemaConstraint
from fireside.runner.connection import CommandQueue
from fireside.runner.decoder import DecodeResult, NotReady, SampledToken
from fireside.runner.kv_memory import MemoryShape, State, StatePart
from fireside.runner.prompt.segments import Prompt, PromptSegment
from fireside.runner.tokens import Tokens
from fireside.wire.messages import Command

N_CTX = 64
END = 0
NAN = -1
"""A cell with this token makes the logits of its sequence NaN."""
IMPOSSIBLE = JsonSchemaConstraint(schema="false")

Follows = Callable[[Sequence[int]], int]
"""Returns the token that follows all tokens of a sequence."""


def next_token(tokens: Sequence[int]) -> int:
    """Return the token that follows ``tokens``: a letter, or sometimes the end token."""
    value = sum((position + 1) * token for position, token in enumerate(tokens)) * 2654435761 % 2**32
    return END if value % 13 == 0 else 97 + value % 26


def talkative_next_token(tokens: Sequence[int]) -> int:
    """As ``next_token``, with fewer end tokens."""
    token = next_token(tokens)
    return token if token != END or sum(tokens) % 7 == 0 else ord("z")


def expected_answer(
    prompt: str, *, n_max: int, n_keep: int | None = None, follows: Follows = next_token, n_ctx: int = N_CTX
) -> str:
    """Return the answer to a request alone.

    With ``n_keep`` the older half of the tokens after so many is discarded whenever the context is full.
    """
    tokens = list(prompt.encode())
    answer = ""
    while len(answer) < n_max:
        if len(tokens) > n_ctx:
            if n_keep is None:
                break
            del tokens[n_keep : n_keep + (n_ctx - n_keep) // 2]
        token = follows(tokens)
        if token == END:
            break
        tokens.append(token)
        answer += chr(token)
    return answer


def scripted(text: str, *, after: str) -> Follows:
    """Return a model that answers the prompt ``after`` with ``text``, and others as ``next_token``."""
    start, answer = after.encode(), text.encode()

    def follows(tokens: Sequence[int]) -> int:
        if bytes(tokens[: len(start)]) != start:
            return next_token(tokens)
        n_written = len(tokens) - len(start)
        return answer[n_written] if n_written < len(answer) else END

    return follows


class FakeBatch:
    def __init__(self, n_max: int) -> None:
        self.n_max = n_max
        self.entries: list[tuple[int, int, int, bool]] = []

    def clear(self) -> None:
        self.entries.clear()

    def add(self, tokens: Tokens, *, sequence: int, position: int, wants_logits: bool) -> int:
        for offset, token in enumerate(tokens):
            last = offset == len(tokens) - 1
            self.entries.append((int(token), sequence, position + offset, wants_logits and last))
        assert len(self.entries) <= self.n_max, "llama.cpp aborts on a batch that is too large"
        return len(self.entries) - 1

    def add_all(self, tokens: Tokens, *, sequence: int, position: int) -> int:
        first = len(self.entries)
        for offset in range(len(tokens)):
            self.add(
                tokens[offset : offset + 1], sequence=sequence, position=position + offset, wants_logits=True
            )
        return first


class FakeDecoder:
    """KV caches as lists. Decodes return ``results`` first, and ``DONE`` from then on.

    An aborted step keeps half of its tokens, as llama.cpp keeps the micro-batches that were done.
    """

    def __init__(
        self,
        *,
        n_seq_max: int = 2,
        n_batch: int = 16,
        can_trim: bool = True,
        can_shift: bool = True,
        n_ctx: int = N_CTX,
        follows: Follows | None = None,
        n_cells: int | None = None,
    ) -> None:
        self.n_cells = n_ctx * n_seq_max if n_cells is None else n_cells
        self.shares_cells = n_cells is not None
        self.n_ctx, self.n_batch, self.n_ubatch, self.n_seq_max = n_ctx, n_batch, n_batch, n_seq_max
        self.n_outputs_max = n_batch
        self.n_stages = 1
        self.shape = MemoryShape(n_swa=0, is_recurrent=not can_trim)
        self.can_shift = can_shift
        self.cells: list[list[int]] = [[] for _ in range(n_seq_max)]
        self.n_unshifted = [n_ctx] * n_seq_max
        """Cells at the beginning that were never shifted."""
        self.results: list[DecodeResult] = []
        self.before_decode: list[Command] = []
        self.commands: CommandQueue | None = None
        self.n_evaluated = 0
        self.n_sequences_per_step: list[int] = []
        """Number of sequences in each decoded step."""
        self._can_trim = can_trim
        self._follows = follows or next_token
        self._outputs: dict[int, int] = {}

    def decode(self, batch: FakeBatch) -> DecodeResult:
        if self.commands is not None and self.before_decode:
            self.commands.put(self.before_decode.pop(0))
        result = self.results.pop(0) if self.results else DecodeResult.DONE
        n_done = {DecodeResult.DONE: len(batch.entries), DecodeResult.ABORTED: len(batch.entries) // 2}.get(
            result, 0
        )
        self._outputs.clear()
        assert sum(map(len, self.cells)) + n_done <= self.n_cells, "all cells are in use"
        for index, (token, sequence, position, wants_logits) in enumerate(batch.entries[:n_done]):
            cells = self.cells[sequence]
            assert position == len(cells), "llama.cpp refuses a gap in the positions"
            assert position < self.n_ctx, "the cache is full"
            # An aborted recurrent state is corrupt, whatever its position.
            is_corrupt = result is DecodeResult.ABORTED and self.shape.is_recurrent
            cells.append(token + is_corrupt)
            self.n_evaluated += 1
            if wants_logits:
                self._outputs[index] = NAN if NAN in cells else self._follows(cells)
        return result

    def n_passes(self, parts: Mapping[int, int]) -> int:
        self.n_sequences_per_step.append(len(parts))
        return 1

    def output(self, index: int) -> int:
        return self._outputs[index]

    def remove_from(self, sequence: int, position: int) -> bool:
        return self.remove(sequence, position, self.n_ctx)

    def remove(self, sequence: int, start: int, end: int) -> bool:
        if self._can_trim:
            del self.cells[sequence][start:end]
            self._trim_unshifted(sequence)
        return self._can_trim or start >= len(self.cells[sequence])

    def shift(self, sequence: int, start: int, by: int) -> None:
        assert self.can_shift, "llama.cpp aborts"
        assert start + by < len(self.cells[sequence])
        self.n_unshifted[sequence] = min(self.n_unshifted[sequence], start + by)

    def _trim_unshifted(self, sequence: int) -> None:
        if len(self.cells[sequence]) <= self.n_unshifted[sequence]:
            self.n_unshifted[sequence] = self.n_ctx

    def clear(self, sequence: int) -> None:
        self.cells[sequence].clear()
        self._trim_unshifted(sequence)

    def first_position(self, sequence: int) -> int:
        return 0 if self.cells[sequence] else -1

    def last_position(self, sequence: int) -> int:
        return len(self.cells[sequence]) - 1

    def state_bytes(self, sequence: int, _part: StatePart) -> int:
        return 4 * len(self.cells[sequence])

    def save_state(self, sequence: int, _part: StatePart) -> State | None:
        return np.array(self.cells[sequence], np.int32).view(np.uint8)

    def load_state(self, sequence: int, state: State, _part: StatePart) -> bool:
        self.clear(sequence)
        self.cells[sequence] = state.view(np.int32).tolist()
        return True


class FakeSampler:
    """Samples the decoder's output. After ``fails_after`` tokens it raises an unexpected error."""

    def __init__(
        self, decoder: FakeDecoder, *, with_logprobs: bool = False, fails_after: int | None = None
    ) -> None:
        self._decoder = decoder
        self._with_logprobs = with_logprobs
        self._n_left = fails_after
        self._forced: list[int] = []
        self.constraints: list[tuple[Constraint, str, bool]] = []
        self.rejects_constraints = False
        self.compiling: threading.Event | None = None
        """Constraints are not ready before this is set."""
        self.n_closed = 0

    @property
    def closed(self) -> bool:
        return self.n_closed == 1

    def sample(self, index: int) -> SampledToken:
        assert not self.n_closed, "used after it was freed"
        if self._n_left is not None:
            self._n_left -= 1
            if self._n_left < 0:
                raise ZeroDivisionError
        output = self._decoder.output(index)
        if output == NAN:
            raise ModelOutputInvalid
        token = self._forced.pop(0) if self._forced else output
        chosen = TokenProbability(token, bytes([token]), -1.0)
        return SampledToken(token, TokenLogprobs(chosen, ()) if self._with_logprobs else None)

    def force(self, tokens: Tokens) -> None:
        self._forced += tokens.tolist()

    def constrain(
        self, constraint: Constraint, *, prefix: str, ends_answer: bool, alternatives: Sequence[Tokens] = ()
    ) -> bool:
        if constraint == IMPOSSIBLE or self.rejects_constraints:
            raise ConstraintInvalid(kind="json_schema", reason="nothing fits it.")
        if self.compiling is not None and not self.compiling.is_set():
            raise NotReady(self.compiling)
        self.constraints.append((constraint, prefix, ends_answer))
        return True

    def close(self) -> None:
        self.n_closed += 1


class FakeVocab:
    """A byte is a token. At the token ``fails_at`` it raises an unexpected error."""

    def __init__(self, *, fails_at: int | None = None, remembering_fails: bool = False) -> None:
        self._fails_at = fails_at
        self._remembering_fails = remembering_fails

    def tokenize_segments(self, prompt: Prompt) -> list[Tokens]:
        texts = ["", *(segment.text for segment in prompt.segments)]
        return [np.frombuffer(text.encode(), np.uint8).astype(np.int32) for text in texts]

    def piece(self, token: int) -> bytes:
        if token == self._fails_at:
            raise LookupError(token)
        return bytes([token])

    def is_eog(self, token: int) -> bool:
        return token == END

    def detokenize(self, tokens: Tokens) -> str:
        return bytes(tokens.tolist()).decode("latin-1")

    def tokenize_special(self, text: str) -> Tokens:
        return np.frombuffer(text.encode(), np.uint8).astype(np.int32)

    def tokenize_text(self, text: str) -> Tokens:
        return self.tokenize_special(text)

    def is_control(self, token: int) -> bool:
        return token == END

    def token_bytes(self, token: int) -> bytes:
        return bytes([token])

    def remember_answer(self, text: str, tokens: Tokens) -> None:
        assert bytes(tokens.tolist()).decode().startswith(text)
        if self._remembering_fails:
            raise OverflowError


class FakeTemplate:
    """Concatenated texts; ``boom`` raises an unexpected error."""

    def render(self, chat: ChatInput) -> Prompt:
        text = "".join(message.text for message in chat.messages)
        if text == "boom":
            raise ZeroDivisionError
        return Prompt(segments=(PromptSegment(text=text, special=False),))
