"""The outlook estimated from a number of parameters is close to that from a header."""

from __future__ import annotations

import pytest

from fakes.engine_harness import GIB
from fireside.core.discovery import ModelOutline
from fireside.core.fit import Placement
from fireside.core.options import LoadOptions
from fireside.engine.host_info import Host
from fireside.engine.planning.speed_estimate import HOST, ReadSpeed
from fireside.services.hub.hub_service import active_params_in_name, max_fitting_params, outlook
from fireside.services.machine.host_measurement import Computer

TWO_CORES = Computer(
    devices=(),
    host=Host(n_cores=2, available_bytes=16 * GIB),
    options=LoadOptions(n_ctx=4096, n_seq_max=1),
    speeds={HOST: ReadSpeed(bytes_per_s=10e9, spread=0.3)},
)


def test_an_8b_model_on_the_cpu_has_a_plausible_speed() -> None:
    found = outlook(ModelOutline(repo="a/b-8B", n_params=8 * 10**9), TWO_CORES)
    assert found is not None
    assert found.where is Placement.PROCESSOR
    assert 4.5e9 < found.n_bytes < 5.5e9
    assert found.speed is not None
    assert found.speed.low < 2.0 < found.speed.high


def test_a_70b_model_does_not_fit_and_has_no_speed() -> None:
    found = outlook(ModelOutline(repo="a/b-70B", n_params=70 * 10**9), TWO_CORES)
    assert found is not None
    assert (found.where, found.speed) == (Placement.NOWHERE, None)


def test_the_largest_that_fits_fits_and_the_next_does_not() -> None:
    n_params = max_fitting_params(TWO_CORES)
    assert 15 * 10**9 < n_params < 26 * 10**9
    fits = outlook(ModelOutline(repo="", n_params=n_params), TWO_CORES)
    assert fits is not None
    assert fits.where is not Placement.NOWHERE


def test_a_mixture_of_experts_is_faster_than_its_size() -> None:
    outline = ModelOutline(repo="a/Q-20B-A3B-GGUF", n_params=20 * 10**9)
    mixture = outlook(outline, TWO_CORES)
    dense = outlook(ModelOutline(repo="a/Q-20B-GGUF", n_params=20 * 10**9), TWO_CORES)
    assert mixture is not None
    assert dense is not None
    assert mixture.speed is not None
    assert dense.speed is not None
    assert mixture.speed.low > 4 * dense.speed.low


def test_models_without_text_have_no_speed_and_unknown_ones_no_outlook() -> None:
    found = outlook(ModelOutline(repo="a/embed", n_params=10**9, generates_text=False), TWO_CORES)
    assert found is not None
    assert found.speed is None
    assert outlook(ModelOutline(repo="a/b", n_params=0), TWO_CORES) is None


@pytest.mark.parametrize(
    ("name", "n"),
    [("unsloth/Qwen3-30B-A3B-GGUF", 3 * 10**9), ("a/x_A1.5B", 1_500_000_000), ("a/Aya-8B", 0), ("a/m-8B", 0)],
)
def test_active_parameters_are_read_from_the_name(name: str, n: int) -> None:
    assert active_params_in_name(name) == n
