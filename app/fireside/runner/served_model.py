"""A loaded model with everything that the decode loop needs to serve it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from fireside.runner.decoder import AdapterScales, BatchT, Decoder, MakeSampler, Vocabulary
from fireside.runner.images.image_queue import ImageQueue
from fireside.runner.output.model_formats import ModelFormat
from fireside.runner.prompt.prompt_fitting import PromptFitter
from fireside.runner.prompt_cache.state_cache import StateCache
from fireside.runner.speculation.speculator import Speculator


@dataclass(frozen=True, kw_only=True)
class ServedModel(Generic[BatchT]):
    """The parts of one loaded model that answers are computed with."""

    name: str
    """For messages to the user."""
    decoder: Decoder[BatchT]
    make_batch: Callable[[int], BatchT]
    """Called once with the largest number of tokens in a step."""
    make_sampler: MakeSampler
    vocab: Vocabulary
    fitter: PromptFitter
    output: ModelFormat
    """The model's output format."""
    output_for_template: Callable[[str], ModelFormat] | None = None
    """Returns the output format for a request's own template; ``None`` uses ``output``."""
    stop: tuple[str, ...] = ()
    """Stop strings in addition to those of the request."""
    speculator: Speculator | None = None
    """Speculative decoding; ``None`` if it is off."""
    images: ImageQueue | None = None
    """Encodes and decodes images; ``None`` for a model without a projector."""
    adapters: AdapterScales | None = None
    """LoRA adapters; ``None`` if there are none."""
    state_cache: StateCache | None = None
    """Stores states of sequences outside the context; ``None`` stores none."""
    cache_reuse: int = 0
    """As ``core.options.LoadOptions.cache_reuse``."""
    report_late: bool = False
    """Whether a device computes on its own, and a step is reported only when the next was handed to it."""
