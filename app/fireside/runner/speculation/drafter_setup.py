"""Make the drafter that the load options ask for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from fireside.core.errors import InvalidParameter, LoadError
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.load_sizes import draft_load_options, effective_flash_attention, max_drafted
from fireside.core.options import LoadOptions, Purpose, Speculation
from fireside.core.status import MemoryReport
from fireside.gguf import read_header
from fireside.runner.buffer_types import memory_breakdown
from fireside.runner.decoder import Drafter
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.native import lib
from fireside.runner.parameter_checks import ModelParams, context_params, draft_context_params, model_params
from fireside.runner.speculation.draft_model import DraftModel
from fireside.runner.speculation.head_context import HeadContext, StateBatch, n_heads
from fireside.runner.speculation.prediction_heads import PredictionHeads
from fireside.runner.speculation.prompt_lookup import PromptLookup
from fireside.runner.token_batch import TokenBatch

_DRAFT: Final = "draft "
"""Prefix for the names of the draft model's buffers."""


_LACKS_FUNCTION: Final = tr_noop(
    "“{draft}” is a drafter of another kind ({kind}). It needs {function}, which Fireside’s build of "
    "llama.cpp does not offer yet. Choose a small model of the same family."
)
_READS_CACHE: Final = tr_noop(
    "“{draft}” is a drafter of another kind ({kind}). It reads the KV cache of the model it drafts for, "
    "which Fireside does not support yet. Choose a small model of the same family."
)
_OTHER_DRAFTERS: Final = {
    "dflash": (_LACKS_FUNCTION, {"kind": "DFlash", "function": "llama_get_embeddings_layer_inp"}),
    "eagle3": (_LACKS_FUNCTION, {"kind": "EAGLE-3", "function": "llama_get_embeddings_layer_inp"}),
    "gemma4-assistant": (_READS_CACHE, {"kind": "Gemma 4 assistant"}),
}
"""Architectures that draft from what only the model itself has, and why they are not run."""


_OTHER_MODEL: Final = tr_noop("they belong to another model")


class LoadedDrafter(msgspec.Struct, frozen=True, kw_only=True):
    """A drafter for a loaded model, and its memory."""

    drafter: Drafter
    kind: Speculation
    memory: tuple[MemoryReport, ...] = ()


def load_drafter(
    options: LoadOptions, *, name: str, model: Model, context: Context, check_fits: Callable[[Model], None]
) -> LoadedDrafter | None:
    """Return the drafter for ``model``; ``None`` if speculation is off or impossible.

    Args:
        name: the model's, for messages to the user.
        check_fits: raises ``OutOfMemory`` if the caches of the draft model do not fit.

    Raises:
        load_failed: the draft model cannot be loaded, or does not match the model.
        InvalidParameter: no draft model is named where one is needed.
    """
    if max_drafted(options) == 0 or options.purpose is not Purpose.GENERATE:
        return None
    if not can_roll_back(context, n_tokens=max_drafted(options)):
        sys.stderr.write(f"Speculative decoding is off: {name} cannot roll back tokens.\n")
        return None
    if options.speculation is Speculation.PROMPT_LOOKUP:
        return LoadedDrafter(drafter=PromptLookup(), kind=options.speculation)
    if options.speculation is Speculation.MTP:
        try:
            return _start_heads(options, model=model, context=context)
        except ValueError as exc:
            sys.stderr.write(f"Speculative decoding is off: {name} answers without its heads: {exc}.\n")
            return None
    return _load_draft_model(options, name=name, model=model, check_fits=check_fits)


def _start_heads(options: LoadOptions, *, model: Model, context: Context) -> LoadedDrafter:
    """Return a drafter over the model's own heads. Raises ``ValueError`` if they cannot be used."""
    heads_model = model if options.draft_path is None else Model(heads_params(options))
    try:
        if heads_model.n_vocab != model.n_vocab:  # a drafted token might be none of the model's
            raise ValueError(_OTHER_MODEL)
        heads = open_heads(options, heads_model, main=context)
    except ValueError:
        if heads_model is not model:
            heads_model.close()
        raise
    drafter = PredictionHeads[StateBatch](
        context=heads,
        states=heads.main_states,
        make_batch=lambda n_max: StateBatch(n_max, n_embd=heads.n_embd),
    )
    memory = heads_report(heads, is_own_file=heads_model is not model)
    return LoadedDrafter(drafter=drafter, kind=Speculation.MTP, memory=memory)


def heads_params(options: LoadOptions) -> ModelParams:
    """Return the parameters of the file that has the heads alone."""
    params = model_params(options.draft_path or "", draft_load_options(options))
    return msgspec.structs.replace(params, load_heads=True)


def open_heads(options: LoadOptions, model: Model, *, main: Context) -> HeadContext:
    """Return the context of the heads in ``model``, for the answers of ``main``."""
    if n_heads(model) == 0:
        raise ValueError(tr_noop("its file has none"))
    params = context_params(options, n_ctx_train=model.n_ctx_train)
    attention = effective_flash_attention(options, n_head=model.n_head, n_ctx=params.n_ctx)
    params = msgspec.structs.replace(params, n_batch=params.n_ubatch, n_draft=0, flash_attn=attention)
    heads = HeadContext(model, params, main=main, abort=AbortFlag())
    if heads.n_embd != main.n_embd:
        heads.close()
        raise ValueError(_OTHER_MODEL)
    return heads


def heads_report(heads: HeadContext, *, is_own_file: bool) -> tuple[MemoryReport, ...]:
    """Return the memory of the heads; weights in the model's file count as the model's."""
    reports = draft_report(heads)
    if is_own_file:
        return reports
    return tuple(msgspec.structs.replace(report, weights_bytes=0) for report in reports)


def can_roll_back(context: Context, *, n_tokens: int) -> bool:
    """Whether the memory can remove its last ``n_tokens`` tokens."""
    return not context.shape.is_recurrent or context.n_rollback >= n_tokens


def _load_draft_model(
    options: LoadOptions, *, name: str, model: Model, check_fits: Callable[[Model], None]
) -> LoadedDrafter:
    if options.draft_path is None:
        raise InvalidParameter(name="draft_path", reason=tr_noop("no draft model is set."))
    draft_name = Path(options.draft_path).name
    if refusal := _OTHER_DRAFTERS.get(read_header(options.draft_path).text("general.architecture")):
        reason, facts = refusal
        raise LoadError.of("load_failed", model=name, reason=Phrase(reason, {"draft": draft_name, **facts}))
    try:
        draft_model = Model(model_params(options.draft_path, draft_load_options(options)))
    except ValueError as exc:
        raise LoadError.of(
            "load_failed",
            model=name,
            reason=Phrase(tr_noop("the draft model “{draft}” could not be read."), {"draft": draft_name}),
        ) from exc
    try:
        return _start_draft_model(
            options, name=name, model=model, draft_model=draft_model, check_fits=check_fits
        )
    except BaseException:
        draft_model.close()
        raise


def _start_draft_model(
    options: LoadOptions, *, name: str, model: Model, draft_model: Model, check_fits: Callable[[Model], None]
) -> LoadedDrafter:
    draft_name = Path(options.draft_path or "").name
    problem = vocab_mismatch(NativeTable(model.vocab.handle), NativeTable(draft_model.vocab.handle))
    if problem is None and not draft_model.can_generate:
        problem = tr_noop("it cannot generate text")
    if problem is not None:
        raise LoadError.of(
            "load_failed",
            model=name,
            reason=Phrase(
                tr_noop("“{draft}” cannot be its draft model: {why}. Choose a model of the same family."),
                {"draft": draft_name, "why": problem if isinstance(problem, Phrase) else Phrase(problem)},
            ),
        )
    check_fits(draft_model)
    params = draft_context_params(options, n_head=draft_model.n_head, n_ctx_train=draft_model.n_ctx_train)
    try:
        # A flag of its own: aborting a step of the main model must not abort a later draft.
        context = Context(draft_model, params, abort=AbortFlag())
    except ValueError as exc:
        raise LoadError.of(
            "load_failed",
            model=name,
            reason=Phrase(tr_noop("the draft model “{draft}” could not be started."), {"draft": draft_name}),
        ) from exc
    if not can_roll_back(context, n_tokens=options.n_draft):
        context.close()
        raise LoadError.of(
            "load_failed",
            model=name,
            reason=Phrase(
                tr_noop("“{draft}” cannot be its draft model: it cannot roll back tokens."),
                {"draft": draft_name},
            ),
        )
    drafter = DraftModel(
        context=context,
        make_batch=TokenBatch,
        n_batch=min(context.n_batch, context.n_ubatch),
        n_vocab=draft_model.vocab.n_tokens,
    )
    return LoadedDrafter(drafter=drafter, kind=Speculation.DRAFT_MODEL, memory=draft_report(context))


def draft_report(context: Context) -> tuple[MemoryReport, ...]:
    """Return the memory of the draft model and its context, with prefixed buffer names."""
    reports = memory_breakdown(context.handle) or ()
    return tuple(msgspec.structs.replace(report, buffer=_DRAFT + report.buffer) for report in reports)


_MAX_EXTRA: Final = 128
"""Padding tokens at the end of a vocabulary, whose number differs within a model family."""
_N_UNCHECKED: Final = 5
"""The first tokens are often control tokens under other names."""


class TokenTable(Protocol):
    """A vocabulary as a table of texts."""

    n_tokens: int
    kind: int
    """The tokenizer type: llama.cpp's ``enum llama_vocab_type``."""
    special: tuple[int, ...]
    """BOS and EOS tokens, and whether they are added."""

    def raw_text(self, token: int) -> bytes:
        """Return a token's text as stored in the file."""
        ...


def vocab_mismatch(main: TokenTable, draft: TokenTable) -> Translatable | None:
    """Return why ``draft`` cannot be the draft model of ``main``; ``None`` if it can."""
    if main.kind != draft.kind:
        return tr_noop("its tokenizer differs")
    if abs(main.n_tokens - draft.n_tokens) > _MAX_EXTRA:
        return Phrase(
            tr_noop("its vocabulary has {n_small} tokens, the model’s {n_large}"),
            {"n_small": draft.n_tokens, "n_large": main.n_tokens},
        )
    if main.special != draft.special:
        return tr_noop("its begin or end tokens differ")
    for token in range(_N_UNCHECKED, min(main.n_tokens, draft.n_tokens)):
        if main.raw_text(token) != draft.raw_text(token):
            return Phrase(tr_noop("token {token} stands for another text in it"), {"token": token})
    return None


class NativeTable:
    """The vocabulary of a loaded model."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self.n_tokens = int(lib.llama_vocab_n_tokens(handle))
        self.kind = int(lib.llama_vocab_type(handle))
        self.special: tuple[int, ...] = (
            int(lib.llama_vocab_bos(handle)),
            int(lib.llama_vocab_eos(handle)),
            int(lib.llama_vocab_get_add_bos(handle)),
            int(lib.llama_vocab_get_add_eos(handle)),
        )

    def raw_text(self, token: int) -> bytes:
        """Return the text of ``token`` as stored in the file."""
        text = lib.llama_vocab_get_text(self._handle, token)
        return bytes(text) if text is not None else b""
