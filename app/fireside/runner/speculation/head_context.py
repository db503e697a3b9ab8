"""The context of prediction heads, and the functions of llama.cpp that drive it.

They are in ``llama-ext.h``, which is no part of its stable API: a build may lack them or name them otherwise.
The binding knows their names under each compiler; nothing else of Fireside calls them.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np

from fireside.core.i18n import tr_noop
from fireside.gguf import n_usable_heads
from fireside.runner.llama import AbortFlag, Context, Model
from fireside.runner.native import lib
from fireside.runner.parameter_checks import ContextParams
from fireside.runner.speculation.prediction_heads import States
from fireside.runner.token_batch import TokenBatch
from fireside.runner.tokens import Tokens


def _functions() -> Any:
    """Return the module with the functions; ``None`` if this build of llama.cpp lacks one of them."""
    try:
        from llama_cpp import llama_cpp_ext
    except (ImportError, AttributeError):  # the binding looks for all of them when it is imported
        return None
    return llama_cpp_ext


ext: Final = _functions()
LACKS_FUNCTIONS: Final = tr_noop("this build of llama.cpp lacks the functions for them")


def n_heads(model: Model) -> int:
    """Return the number of the model's prediction heads; 0 for none that llama.cpp runs."""
    return n_usable_heads(model.architecture, int(lib.llama_model_n_layer_nextn(model.handle)))


class HeadContext(Context):
    """A context that runs the prediction heads of ``model`` on the states of the context ``main``.

    Raises ``ValueError`` if llama.cpp cannot create it.
    """

    def __init__(self, model: Model, params: ContextParams, *, main: Context, abort: AbortFlag) -> None:
        if ext is None:
            raise ValueError(LACKS_FUNCTIONS)
        super().__init__(model, params, abort=abort, predicts_for=main)
        self.n_heads = n_heads(model)
        self._main = main
        ext.llama_set_embeddings_nextn(main.handle, True, False)
        # It computes more of each batch now. Taking control vectors away has its buffers planned anew.
        lib.llama_set_adapter_cvec(main.handle, None, 0, main.n_embd, 0, 0)
        main.reserve()
        ext.llama_set_embeddings_nextn(self.handle, True, True)

    def main_states(self, n_tokens: int) -> States:
        """Return a view of the states after the ``n_tokens`` of the main context's last batch."""
        return self._view(ext.llama_get_embeddings_nextn(self._main.handle), n_tokens)

    def state(self, index: int) -> States:
        """Return a view of the state after the token at ``index`` of the last batch."""
        return self._view(ext.llama_get_embeddings_nextn_ith(self.handle, index), 1).reshape(self.n_embd)

    def select_head(self, head: int) -> None:
        """Have the next steps run this head."""
        ext.llama_set_nextn_layer_offset(self.handle, head)

    def _view(self, pointer: Any, n_rows: int) -> States:
        row = ctypes.c_float * (n_rows * self.n_embd)
        memory = row.from_address(ctypes.cast(pointer, ctypes.c_void_p).value or 0)
        return np.frombuffer(memoryview(memory), np.float32).reshape(n_rows, self.n_embd)


class StateBatch(TokenBatch):
    """A batch whose tokens each come with a state of ``n_embd`` numbers."""

    def __init__(self, n_max: int, *, n_embd: int) -> None:
        super().__init__(n_max)
        self._states = np.zeros((n_max, n_embd), np.float32)
        self.native.embd = self._states.ctypes.data_as(ctypes.POINTER(ctypes.c_float))

    def add_with_states(
        self, tokens: Tokens, states: States, *, sequence: int, position: int, wants_logits: bool
    ) -> int:
        """Append tokens of one sequence with the states before them; return the batch index of the last."""
        self._states[self.n_tokens : self.n_tokens + len(tokens)] = states
        return self.add(tokens, sequence=sequence, position=position, wants_logits=wants_logits)
