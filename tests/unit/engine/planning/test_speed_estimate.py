"""The generation speed is estimated from the bytes read for each token."""

from __future__ import annotations

import math

import msgspec
import pytest

from fakes.engine_harness import a_spec
from fireside.core.fit import Placement, Rating, SpeedRange, rate, speed_text
from fireside.core.model import LayerLayout, ModelLayout, ModelSpec
from fireside.engine.planning.speed_estimate import (
    HOST,
    MeasuredAnswer,
    ReadSpeed,
    freshness,
    quietness,
    read_speed,
    tokens_per_s,
)

GB = 10**9
SPEEDS = {
    HOST: ReadSpeed(bytes_per_s=20 * GB, spread=0.25),
    "CUDA0": ReadSpeed(bytes_per_s=400 * GB, spread=0.25),
}


def spec_of(*, layer_bytes: int, expert_bytes: int = 0, used: int = 1, n_experts: int = 0) -> ModelSpec:
    layer = LayerLayout(weights_bytes=layer_bytes, expert_bytes=expert_bytes)
    layout = ModelLayout(
        layers=(layer,) * 10, input_bytes=0, output_bytes=0, n_experts_used=used, n_experts=n_experts
    )
    return msgspec.structs.replace(a_spec(), layout=layout)


def middle(spec: ModelSpec, *, n_gpu_layers: int = 0) -> float:
    result = tokens_per_s(spec, n_gpu_layers=n_gpu_layers, gpu="CUDA0", speeds=SPEEDS)
    assert result is not None
    assert result.low < result.high
    return math.sqrt(result.low * result.high)


def test_twice_the_bytes_take_twice_the_time() -> None:
    assert middle(spec_of(layer_bytes=GB)) == pytest.approx(2.0, rel=0.05)
    assert middle(spec_of(layer_bytes=2 * GB)) == pytest.approx(1.0, rel=0.05)


def test_layers_on_the_gpu_are_read_at_its_speed() -> None:
    spec = spec_of(layer_bytes=GB)
    assert middle(spec, n_gpu_layers=11) == pytest.approx(40.0, rel=0.05)
    assert middle(spec, n_gpu_layers=6) == pytest.approx(1 / (5 / 20 + 5 / 400), rel=0.05)


def test_only_active_experts_are_read() -> None:
    spec = spec_of(layer_bytes=GB, expert_bytes=GB, used=2, n_experts=8)
    assert middle(spec) == pytest.approx(8.0, rel=0.05)


def test_an_unmeasured_gpu_has_a_wide_range() -> None:
    spec = spec_of(layer_bytes=GB)
    guessed = tokens_per_s(spec, n_gpu_layers=11, gpu="Vulkan0", speeds=SPEEDS)
    known = tokens_per_s(spec, n_gpu_layers=11, gpu="CUDA0", speeds=SPEEDS)
    assert guessed is not None
    assert known is not None
    assert guessed.high / guessed.low > 3.5 > known.high / known.low


def test_there_is_no_estimate_without_measurements() -> None:
    assert tokens_per_s(spec_of(layer_bytes=GB), n_gpu_layers=0, gpu="", speeds={}) is None
    unknown = spec_of(layer_bytes=GB, expert_bytes=GB)
    assert tokens_per_s(unknown, n_gpu_layers=0, gpu="", speeds=SPEEDS) is None


def test_a_measured_speed_predicts_itself() -> None:
    spec = spec_of(layer_bytes=GB // 20)
    speed = read_speed(spec, n_gpu_layers=0, measured=30.0)
    assert speed is not None
    result = tokens_per_s(
        spec, n_gpu_layers=0, gpu="", speeds={HOST: ReadSpeed(bytes_per_s=speed.bytes_per_s, spread=0.2)}
    )
    assert result is not None
    assert result.low < 30.0 < result.high
    assert read_speed(spec, n_gpu_layers=5, measured=30.0) is None, "on two devices"
    assert read_speed(spec, n_gpu_layers=0, measured=0.0) is None


def test_a_tiny_model_condemns_no_large_one() -> None:
    slow = MeasuredAnswer(bytes_per_s=2 * GB, token_bytes=0.1 * GB)
    speed = ReadSpeed(bytes_per_s=20 * GB, spread=1.0, answers=(slow,) * 8)
    assert speed.of(5 * GB).bytes_per_s > 19.5 * GB
    assert speed.of(0.1 * GB).bytes_per_s < 3 * GB


def test_a_large_model_tells_of_smaller_ones_and_narrows_the_range() -> None:
    known = MeasuredAnswer(bytes_per_s=10 * GB, token_bytes=5 * GB)
    speed = ReadSpeed(bytes_per_s=20 * GB, spread=1.0, answers=(known,) * 8)
    assert speed.of(2 * GB).bytes_per_s == speed.of(5 * GB).bytes_per_s < 11 * GB
    assert speed.of(5 * GB).spread < 0.8 < speed.of(50 * GB).spread


def test_an_answer_counts_by_its_share_of_the_processor_and_its_age() -> None:
    assert [quietness(share) for share in (0.0, 0.5, 0.9, 1.0)] == [0.0, 0.0, 1.0, 1.0]
    assert 0 < quietness(0.6) < quietness(0.8) < 1
    assert [freshness(days * 86_400) for days in (-1, 0, 14, 28)] == [1.0, 1.0, 0.5, 0.25]


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (12.4, 19.6, "Fast (about 20 tokens/s)"),
        (0.5, 1.41, "Very slow (under 1 token/s)"),
        (19.0, 203.0, "Fast (about 60 tokens/s)"),
        (4.0, 16.0, "Fast enough (about 8 tokens/s)"),
        (4.0, 5.3, "Fast enough (about 5 tokens/s)"),
        (0.8, 3.6, "Slow (about 2 tokens/s)"),
    ],
)
def test_a_speed_is_shown_as_one_figure_in_words(low: float, high: float, text: str) -> None:
    speed = SpeedRange(low=low, high=high)
    assert speed_text(speed) == text
    assert (rate(Placement.PROCESSOR, speed) is Rating.GOOD) == text.startswith("Fast")
