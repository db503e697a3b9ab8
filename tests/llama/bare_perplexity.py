"""The perplexity of a text, computed with the simplest calls of llama.cpp.

Run in a process of its own: ``python bare_perplexity.py MODEL``, with ``given`` and ``judged`` as JSON on
standard input. The two texts are tokenised apart, as a prompt and its answer are.
"""

from __future__ import annotations

import ctypes
import json
import math
import sys
from typing import Any

import numpy as np

from fireside.runner.llama import Model
from fireside.runner.native import lib
from fireside.runner.parameter_checks import ModelParams
from fireside.runner.prompt.segments import Prompt, PromptSegment
from llama.pipeline_loss import native_loss_from


def main() -> None:
    callback: Any = lib.llama_log_callback(lambda *_: None)
    lib.llama_log_set(callback, ctypes.c_void_p())
    lib.llama_backend_init()
    task = json.load(sys.stdin)
    with Model(ModelParams(path=sys.argv[1], n_gpu_layers=0, use_mmap=True, use_repack=True)) as model:
        given, judged = (
            model.vocab.tokenize(Prompt(segments=(PromptSegment(text=task[name], special=False),)))
            for name in ("given", "judged")
        )
        total = native_loss_from(model, np.concatenate((given, judged)), first=len(given))
    result = {"perplexity": math.exp(-total / len(judged)), "n_tokens": len(judged)}
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
