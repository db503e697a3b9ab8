"""Turn a model's reasoning on and off through its template's variables."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, assert_never

from fireside.core.prompt_input import Reasoning

SWITCHES: Final = frozenset(
    {"enable_thinking", "thinking", "reasoning_effort", "thinking_budget", "skip_thinking", "thinking_mode"}
)
"""Reasoning variables of published templates: Qwen3, GLM 4.5, SmolLM3, Hunyuan, Gemma 4 and many more;
DeepSeek 3.1, Granite 3, Kimi; gpt-oss and Solar; Seed; Command; MiniMax."""

_NO_EFFORT: Final = ("no_think", "none", "minimal")
_KNOWS_UNSET: Final = re.compile(r"\benable_thinking\s*(is\s+(not\s+)?defined|\|\s*d(efault)?\b)")


def reasoning_variables(mode: Reasoning, *, names: Collection[str], source: str) -> dict[str, object]:
    """Return the values for those of the template's variables ``names`` that select ``mode``.

    Nothing for ``DEFAULT`` where the template has its own default. A template that only tests whether
    ``enable_thinking`` is true (DeepSeek R1's distillates, QwQ, Command R7B) was written for programs that
    set it, as llama.cpp's server does; unset, it would close the reasoning of a model that always reasons.
    Where a template cannot turn reasoning off, the lowest effort that it names is selected.
    """
    values: dict[str, object]
    match mode:
        case Reasoning.DEFAULT:
            is_open = "enable_thinking" in names and _KNOWS_UNSET.search(source) is None
            return {"enable_thinking": True} if is_open else {}
        case Reasoning.OFF:
            values = {"enable_thinking": False, "thinking": False, "thinking_budget": 0}
            values |= {"skip_thinking": True, "thinking_mode": "disabled"}
        case Reasoning.ON | Reasoning.LOW | Reasoning.MEDIUM | Reasoning.HIGH:
            values = {"enable_thinking": True, "thinking": True}
            values |= {"skip_thinking": False, "thinking_mode": "enabled"}
        case _:
            assert_never(mode)
    if effort := _effort(mode, source):
        values["reasoning_effort"] = effort
    return {name: value for name, value in values.items() if name in names}


def _effort(mode: Reasoning, source: str) -> str | None:
    """Return the value of ``reasoning_effort``, as spelled in the template if it lists its levels."""
    off_value = next((effort for effort in _NO_EFFORT if _quotes(source, effort)), None)
    match mode:
        case Reasoning.OFF:
            return off_value or "low"
        case Reasoning.ON:
            # Where reasoning can be turned off, off may be the default.
            return "high" if off_value else None
        case Reasoning.MEDIUM if _quotes(source, "low") and not _quotes(source, "medium"):
            return "high"
        case _:
            return mode.value


def _quotes(source: str, value: str) -> bool:
    return re.search(f"(['\"]){value}\\1", source) is not None
