"""Find the load options that differ from a loaded model's so that it must be reloaded."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.context_length import effective_n_ctx
from fireside.core.micro_batch import effective_micro_batch
from fireside.core.model import ModelSpec
from fireside.core.options import AutoAdjustable, LoadOptions

_WAYS: Final = {
    "n_seq_max": AutoAdjustable.SLOTS,
    "n_ctx": AutoAdjustable.CONTEXT,
    "cache_type_k": AutoAdjustable.CACHE_TYPE,
    "cache_type_v": AutoAdjustable.CACHE_TYPE,
}
_NOT_WISHES: Final = ("auto_adjustable",)


def fields_to_reload(
    spec: ModelSpec, wanted: LoadOptions, *, asked: LoadOptions, placed: LoadOptions | None
) -> frozenset[str]:
    """Return the names of the options for which ``wanted`` needs another load; none where it is as wanted.

    An option is as wanted where it names what was decided, or where it is what the load was asked for. To fix
    what Fireside chose, or to leave to it again what it would choose anyway, needs no load.

    Args:
        asked: what the load was made for.
        placed: what was decided then, all numbers settled; ``None`` while that is not known.
    """
    wanted, asked = _within(spec, wanted), _within(spec, asked)
    if wanted == asked:
        return frozenset()
    names = (name for name in LoadOptions.__struct_fields__ if name not in _NOT_WISHES)
    if placed is None:
        return frozenset(name for name in names if not _is_same_wish(name, wanted, asked))
    settled, took = _settled(spec, wanted, placed=placed), _settled(spec, placed, placed=placed)
    return frozenset(
        name
        for name in names
        if getattr(settled, name) != getattr(took, name) and not _is_same_wish(name, wanted, asked)
    )


def _is_same_wish(name: str, wanted: LoadOptions, asked: LoadOptions) -> bool:
    way = _WAYS.get(name)
    # What may give way is met by less than its value, which is too little where the user chose it.
    is_stricter = way is not None and way in asked.auto_adjustable and way not in wanted.auto_adjustable
    return getattr(wanted, name) == getattr(asked, name) and not is_stricter


def _within(spec: ModelSpec, options: LoadOptions) -> LoadOptions:
    """Return ``options`` with no more context than the model can have."""
    return msgspec.structs.replace(options, n_ctx=effective_n_ctx(options, n_ctx_train=spec.n_ctx_train))


def _settled(spec: ModelSpec, options: LoadOptions, *, placed: LoadOptions) -> LoadOptions:
    """Return ``options`` with what is open in them as it comes out beside what was placed."""
    n_all = spec.n_layers + 1
    n_gpu_layers = min(options.n_gpu_layers, n_all) if options.n_gpu_layers >= 0 else n_all
    settled = msgspec.structs.replace(
        options,
        n_gpu_layers=n_gpu_layers,
        n_cpu_moe=max(0, options.n_cpu_moe),
    )
    here = msgspec.structs.replace(settled, n_gpu_layers=placed.n_gpu_layers)
    return msgspec.structs.replace(settled, n_ubatch=effective_micro_batch(here))
