"""Make the samplers of one model; constraints are compiled in other threads."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
import numpy as np
from llama_cpp.llama_cpp import _lib

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import tr_noop
from fireside.core.task import Constraint
from fireside.runner.decoder import SamplerRequest
from fireside.runner.native import lib
from fireside.runner.sampling.candidate_array import Candidates
from fireside.runner.sampling.grammar_limits import kind_of
from fireside.runner.sampling.grammar_preparation import GrammarCompiler, GrammarPreparation
from fireside.runner.sampling.penalties import Adjustments
from fireside.runner.sampling.sampler import LogitsSource, LogprobReader, SamplerShared, TokenSampler
from fireside.runner.sampling.sampler_chain import (
    MIN_TEMPERATURE,
    NativeChain,
    applies_penalties_first,
    chain_kinds,
    n_top,
)
from fireside.runner.sampling.sampling_checks import check_sampling, check_token_ids
from fireside.wire.runner_modes import CHECK_CONSTRAINT, ConstraintCheckReply, ConstraintCheckRequest

if TYPE_CHECKING:
    from llguidance import LLTokenizer


class SamplingVocabulary(Protocol):
    """What samplers need of a model's vocabulary."""

    n_tokens: int

    @property
    def handle(self) -> Any:
        """Handle of llama.cpp's vocabulary."""
        ...

    @property
    def end_tokens(self) -> tuple[int, ...]:
        """The end-of-generation tokens."""
        ...

    def piece(self, token: int) -> bytes: ...
    def token_bytes(self, token: int) -> bytes: ...


class SamplerFactory:
    """Makes samplers. Everything except compiling constraints runs in the decoding thread.

    Args:
        source: provides the logits.
        n_ctx: context of one sequence in tokens.
    """

    def __init__(self, *, source: LogitsSource, vocab: SamplingVocabulary, n_ctx: int) -> None:
        self._vocab = vocab
        self._n_ctx = n_ctx
        n_vocab = vocab.n_tokens
        self._end_tokens = np.array(vocab.end_tokens, np.int64)
        self._preparation = GrammarPreparation(self._build_compiler, dry_run=dry_run_grammar)
        self._shared = SamplerShared(
            source=source,
            candidates=Candidates(n_vocab),
            logprobs=LogprobReader(n_vocab=n_vocab, piece=vocab.piece, token_bytes=vocab.token_bytes),
            make_matcher=self._preparation.matcher,
            end_tokens=self._end_tokens,
        )

    def __call__(self, request: SamplerRequest) -> TokenSampler:
        """Return a sampler.

        Raises:
            NotReady: constraints are being compiled; call again.
            InvalidParameter, ConstraintInvalid: invalid sampling parameters or constraint.
        """
        params = request.params
        check_sampling(params)
        check_token_ids(params, n_vocab=self._vocab.n_tokens)
        self._preparation.prepare(request.constraints)
        self._preparation.start_compiling(request.likely)
        may_not_end = params.ignore_eos or params.min_tokens > 0
        return TokenSampler(
            self._shared,
            adjustments=Adjustments(
                params,
                prompt=request.prompt,
                penalises=applies_penalties_first(params),
                forbidden=(*map(int, self._end_tokens), *params.stop_tokens) if may_not_end else (),
                n_forbidden=None if params.ignore_eos else params.min_tokens,
            ),
            chain=self._chain(request),
            n_top=n_top(params),
            masks_before_sampling=params.mirostat != 0,
            n_logprobs=params.top_logprobs,
        )

    def _chain(self, request: SamplerRequest) -> NativeChain | None:
        params = request.params
        if params.temperature < MIN_TEMPERATURE and not chain_kinds(params):
            return None
        vocab = self._vocab
        chain = NativeChain(
            params, seed=request.seed, vocab=vocab.handle, n_vocab=vocab.n_tokens, n_ctx=self._n_ctx
        )
        if chain.needs_history:
            for token in request.prompt[-self._n_ctx :]:
                chain.accept(int(token))
        return chain

    def _build_compiler(self) -> GrammarCompiler:
        vocab = self._vocab
        table = build_table(vocab.handle, token_bytes=vocab.token_bytes, end_tokens=self._end_tokens.tolist())
        return GrammarCompiler(table)


# llguidance's tokenizer table for a vocabulary: every token's bytes, and which tokens are special


_SPECIAL_MARK: Final = b"\xff"
"""Prefix for special tokens: the bytes are the token's name, not text."""

_ATTRIBUTE_UNKNOWN: Final = 1
_ATTRIBUTE_UNUSED: Final = 2
_ATTRIBUTE_CONTROL: Final = 8
_ATTRIBUTE_USER_DEFINED: Final = 16


def build_table(vocab: Any, *, token_bytes: Callable[[int], bytes], end_tokens: list[int]) -> LLTokenizer:
    """Return the table of llama.cpp's ``vocab``. Takes 0.2 to 1 s, mostly without the interpreter lock.

    Args:
        token_bytes: returns the bytes of a token, or the name of a control token.
        end_tokens: the end-of-generation tokens, at least one.
    """
    # Imported only by runners that use constraints.
    from llguidance import LLTokenizer

    n_tokens = int(lib.llama_vocab_n_tokens(vocab))
    return LLTokenizer.from_llamacpp(  # type: ignore[attr-defined, no-any-return]  # missing from its stubs
        tokens=[_marked_bytes(vocab, token, token_bytes(token)) for token in range(n_tokens)],
        vocab_ptr=vocab,
        tokenize_fptr=ctypes.cast(_lib.llama_tokenize, ctypes.c_void_p).value,
        eos_token=end_tokens,
        slices=None,
    )


def _marked_bytes(vocab: Any, token: int, piece: bytes) -> bytes:
    """Return ``piece``, the bytes of ``token``, with a prefix if it is special."""
    attribute = lib.llama_vocab_get_attr(vocab, token)
    special = attribute & (_ATTRIBUTE_UNKNOWN | _ATTRIBUTE_UNUSED | _ATTRIBUTE_CONTROL) or (
        attribute & _ATTRIBUTE_USER_DEFINED and piece.startswith(b"<") and piece.endswith(b">")
    )
    return _SPECIAL_MARK + piece if special and piece else piece


# Compile a constraint in a separate process first, where a crash or a hang does no harm.
#
# No static check finds all inputs on which a compiler recurses too deep or does not terminate; this does.


LIMIT_S: Final = 5.0


def dry_run_grammar(constraint: Constraint, *, limit_s: float = LIMIT_S) -> None:
    """Compile ``constraint`` in a child process and wait for it. Thread-safe.

    Raises:
        ConstraintInvalid: it cannot be compiled, or not within the limits.
    """
    kind = kind_of(constraint)
    try:
        finished = subprocess.run(  # noqa: S603  # our own program, and nothing of the constraint's
            # -P: modules in the working directory are not imported.
            [sys.executable, "-P", "-m", "fireside.runner", CHECK_CONSTRAINT],
            input=msgspec.json.encode(ConstraintCheckRequest(constraint=constraint)),
            capture_output=True,
            timeout=limit_s,
            check=True,
        )
        problem = decode_json(finished.stdout, kind=ConstraintCheckReply).problem
    except subprocess.TimeoutExpired as exc:
        raise ConstraintInvalid(kind=kind, reason=tr_noop("compiling it takes too long.")) from exc
    except (subprocess.CalledProcessError, JsonInvalid) as exc:
        raise ConstraintInvalid(kind=kind, reason=tr_noop("it is too complex.")) from exc
    if problem:
        raise ConstraintInvalid(kind=kind, reason=problem)
