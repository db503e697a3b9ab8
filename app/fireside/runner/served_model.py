"""A loaded model as the decode loop uses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from fireside.runner.decoder import BatchT, Decoder, MakeSampler, Vocabulary, Weights
from fireside.runner.images.image_queue import ImageQueue
from fireside.runner.output.model_formats import OutputFormat
from fireside.runner.prompt.prompt_fitting import PromptFitter
from fireside.runner.prompt_cache.state_cache import StateCache
from fireside.runner.speculation.speculator import Speculator


@dataclass(frozen=True, kw_only=True)
class ServedModel(Generic[BatchT]):
    """Everything that answers of one model are computed with."""

    name: str
    """For messages to the user."""
    decoder: Decoder[BatchT]
    make_batch: Callable[[int], BatchT]
    """Called once with the largest number of tokens in a step."""
    make_sampler: MakeSampler
    vocab: Vocabulary
    fitter: PromptFitter
    output: OutputFormat
    """How the model writes."""
    output_of: Callable[[str], OutputFormat] | None = None
    """How it writes by a template that a request brings; as ever without it."""
    stop: tuple[str, ...] = ()
    """Texts that end every answer, besides those of the request."""
    speculator: Speculator | None = None
    """Guesses tokens ahead; nothing is guessed without it."""
    images: ImageQueue | None = None
    """Reads the images of prompts; without it there are none."""
    adapters: Weights | None = None
    """Change the weights for a batch; without it there are none."""
    state_cache: StateCache | None = None
    """Keeps the states of conversations beyond the context; without it none is kept."""
    cache_reuse: int = 0
    """As ``core.options.LoadOptions.cache_reuse``."""
