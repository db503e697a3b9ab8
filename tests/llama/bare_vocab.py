"""The vocabulary of a model without its weights: enough for samplers and constraints."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from fireside.runner.native import lib
from fireside.runner.vocab import Vocab

_LOG = lib.llama_log_callback(lambda *_: None)


class BareVocab(Vocab):
    """A vocabulary that is freed at the end of the block."""

    def __init__(self, path: Path) -> None:
        lib.llama_log_set(_LOG, None)
        lib.llama_backend_init()
        params = lib.llama_model_default_params()
        params.vocab_only = True
        params.n_gpu_layers = 0
        self._model = lib.llama_model_load_from_file(str(path).encode(), params)
        super().__init__(self._model)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        lib.llama_model_free(self._model)


__all__ = ["BareVocab", "lib"]
