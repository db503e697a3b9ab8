"""The sampling that makers recommend for their models, for files that recommend none themselves. Pure.

Only what a maker states is here, each row with its source; everything else keeps the program's defaults.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import Final

import msgspec

from fireside.core.model import ModelSpec
from fireside.core.prompt_input import ReasoningEffort

Recommended = Mapping[str, float]
"""Keys of sampling settings with their values."""

NONE: Final[Recommended] = MappingProxyType({})
_CARD: Final = "https://huggingface.co/"
_OWNERS: Final = frozenset(
    {"google", "huggingfacetb", "liquidai", "meta", "microsoft", "mistralai", "openai", "qwen"}
)
"""Put before the names of files by some."""


class MakersRow(msgspec.Struct, frozen=True, kw_only=True):
    """What the makers of a family recommend."""

    family: str
    """A pattern for the beginning of the model's name, in small letters with blanks between its words."""
    architectures: str
    """A pattern for the whole architecture in the file: other models carry the same names."""
    source: str
    plain: Recommended
    """For answers without thinking, and for models that never think."""
    thinking: Recommended | None = None
    """``None`` where it is the same."""
    thinks_from_params: float = 0
    """Smaller models of the family think only where they are told to."""


def _values(**values: float) -> Recommended:
    return MappingProxyType({f"sampling.{name}": value for name, value in values.items()})


MAKERS: Final = (
    MakersRow(
        family=r"qwen ?3\.5",
        architectures=r"qwen35(moe)?",
        source=f"{_CARD}Qwen/Qwen3.5-35B-A3B#best-practices",
        plain=_values(temperature=0.7, top_p=0.8, top_k=20, min_p=0, presence_penalty=1.5),
        thinking=_values(temperature=1.0, top_p=0.95, top_k=20, min_p=0, presence_penalty=1.5),
        thinks_from_params=3e9,
    ),
    MakersRow(
        family=r"qwen ?3 coder",
        architectures=r"qwen3(moe|next)?",
        source=f"{_CARD}Qwen/Qwen3-Coder-30B-A3B-Instruct#best-practices",
        plain=_values(temperature=0.7, top_p=0.8, top_k=20, repeat_penalty=1.05),
    ),
    MakersRow(
        family=r"qwen ?3(?![\w.])",
        architectures=r"qwen3(moe|next)?",
        source=f"{_CARD}Qwen/Qwen3-8B#best-practices",
        plain=_values(temperature=0.7, top_p=0.8, top_k=20, min_p=0),
        thinking=_values(temperature=0.6, top_p=0.95, top_k=20, min_p=0),
    ),
    MakersRow(
        family=r"gemma ?4",
        architectures=r"gemma4",
        source=f"{_CARD}google/gemma-4-31B-it#best-practices",
        plain=_values(temperature=1.0, top_p=0.95, top_k=64),
    ),
    MakersRow(
        family=r"gemma ?3n?",
        architectures=r"gemma3n?",
        source=f"{_CARD}google/gemma-3-4b-it/blob/main/generation_config.json",
        plain=_values(temperature=1.0, top_p=0.95, top_k=64),
    ),
    MakersRow(
        family=r"llama 3(\.[123])?(?![\w.])",
        architectures=r"llama",
        source=f"{_CARD}meta-llama/Llama-3.1-8B-Instruct/blob/main/generation_config.json",
        plain=_values(temperature=0.6, top_p=0.9),
    ),
    MakersRow(
        family=r"mistral small (24b|3)",
        architectures=r"(llama|mistral3)",
        source=f"{_CARD}mistralai/Mistral-Small-3.2-24B-Instruct-2506",
        plain=_values(temperature=0.15),
    ),
    MakersRow(
        family=r"magistral small",
        architectures=r"(llama|mistral3)",
        source=f"{_CARD}mistralai/Magistral-Small-2506",
        plain=_values(temperature=0.7, top_p=0.95),
    ),
    MakersRow(
        family=r"phi ?4 reasoning",
        architectures=r"phi3",
        source=f"{_CARD}microsoft/Phi-4-reasoning",
        plain=_values(temperature=0.8, top_k=50, top_p=0.95),
    ),
    MakersRow(
        family=r"deepseek r1",
        architectures=r"(llama|qwen2|qwen3|deepseek2)",
        source=f"{_CARD}deepseek-ai/DeepSeek-R1#usage-recommendations",
        plain=_values(temperature=0.6, top_p=0.95),
    ),
    MakersRow(
        family=r"glm z1",
        architectures=r"glm4",
        source=f"{_CARD}zai-org/GLM-Z1-32B-0414",
        plain=_values(temperature=0.6, top_p=0.95, top_k=40),
    ),
    MakersRow(
        family=r"glm 4\.6",
        architectures=r"(glm4moe|deepseek2)",
        source="https://docs.z.ai/guides/overview/concept-param",
        plain=_values(temperature=1.0, top_p=0.95),
    ),
    MakersRow(
        family=r"gpt ?oss",
        architectures=r"gpt-oss",
        source="https://github.com/openai/gpt-oss#recommended-sampling-parameters",
        plain=_values(temperature=1.0, top_p=1.0),
    ),
    MakersRow(
        family=r"smollm2",
        architectures=r"llama",
        source=f"{_CARD}HuggingFaceTB/SmolLM2-135M-Instruct#how-to-use",
        plain=_values(temperature=0.2, top_p=0.9),
    ),
    MakersRow(
        family=r"smollm3",
        architectures=r"smollm3",
        source=f"{_CARD}HuggingFaceTB/SmolLM3-3B#how-to-use",
        plain=_values(temperature=0.6, top_p=0.95),
    ),
    MakersRow(
        family=r"lfm2(?![\w.])",
        architectures=r"lfm2(moe)?",
        source=f"{_CARD}LiquidAI/LFM2-1.2B",
        plain=_values(temperature=0.3, min_p=0.15, repeat_penalty=1.05),
    ),
)


def makers_row(spec: ModelSpec) -> MakersRow | None:
    """Return the row of the family that ``spec`` belongs to by name and architecture; ``None`` for none.

    A model that others made of one of the family, which has a name of its own, does not belong to it.
    """
    if spec.remote is not None or spec.sampling:
        return None
    names = [_plain_name(name) for name in (spec.name, PurePath(spec.path).stem)]
    for row in MAKERS:
        family = re.compile(row.family)
        if re.fullmatch(row.architectures, spec.architecture) and any(map(family.match, names)):
            return row
    return None


def makers_sampling(spec: ModelSpec, reasoning: ReasoningEffort) -> Recommended:
    """Return what the makers of ``spec`` recommend where it thinks as ``reasoning`` says."""
    row = makers_row(spec)
    if row is None:
        return NONE
    if row.thinking is None or not spec.reasons or reasoning is ReasoningEffort.OFF:
        return row.plain
    by_itself = spec.n_params >= row.thinks_from_params
    return row.thinking if by_itself or reasoning is not ReasoningEffort.DEFAULT else row.plain


def _plain_name(name: str) -> str:
    """Return a name in small letters, with blanks between its words and without the owner before it."""
    words = re.split(r"[-_ ]+", name.casefold())
    return " ".join(words[1:] if words[0] in _OWNERS else words)
