"""The model that a newcomer is offered suits the computer, in the catalogue that is shipped."""

from __future__ import annotations

import msgspec
import pytest

from fakes.engine_harness import GIB
from fireside.core.discovery import SuggestedModel
from fireside.core.fit import Rating
from fireside.core.options import LoadOptions
from fireside.engine.host_info import Host
from fireside.engine.planning.speed_estimate import HOST, ReadSpeed
from fireside.hub.catalogue import CATALOGUE_NAME, load_catalogue
from fireside.services.hub.hub_service import COMFORTABLE, MOST_BYTES, first_model, outlook, suggestions
from fireside.services.machine.host_measurement import Computer
from fireside.settings.paths import resources_folder

MODELS = load_catalogue(resources_folder() / CATALOGUE_NAME)


def suggested(*, free_gib: float, gb_per_s: float | None) -> SuggestedModel | None:
    speeds = {} if gb_per_s is None else {HOST: ReadSpeed(bytes_per_s=gb_per_s * 1e9, spread=0.3)}
    computer = Computer(
        devices=(),
        host=Host(n_cores=4, available_bytes=round(free_gib * GIB)),
        options=LoadOptions(n_ctx=4096, n_seq_max=1),
        speeds=speeds,
    )
    return first_model(MODELS, [outlook(model.outline, computer) for model in MODELS])


@pytest.mark.parametrize(
    ("free_gib", "gb_per_s", "name"),
    [
        (64, 200, "Qwen3.5 9B"),  # not the 27B, which would fit and be fast, and is 18 GB to fetch
        (16, 40, "Qwen3.5 4B"),  # the 9B fits and is slow
        (4, 200, "Qwen3.5 4B"),  # the 9B does not fit
        (24, 3, "Qwen3.5 2B"),  # all are slow: the fastest
        (16, None, "Qwen3.5 9B"),  # nothing was measured yet
    ],
)
def test_the_suggested_model_fits_and_answers_comfortably(
    free_gib: float, gb_per_s: float | None, name: str
) -> None:
    found = suggested(free_gib=free_gib, gb_per_s=gb_per_s)
    assert found is not None
    assert found.model.name == name
    assert found.model.size_bytes <= MOST_BYTES
    assert found.is_comfortable is (gb_per_s != 3)
    speed = found.estimate.speed
    assert speed is None or (speed.high > COMFORTABLE) is found.is_comfortable


def test_nothing_is_suggested_where_nothing_fits() -> None:
    assert suggested(free_gib=0.5, gb_per_s=40) is None


def test_models_for_one_task_and_models_without_an_estimate_are_not_suggested() -> None:
    computer = Computer(
        devices=(),
        host=Host(n_cores=4, available_bytes=64 * GIB),
        options=LoadOptions(n_ctx=4096, n_seq_max=1),
        speeds={},
    )
    coding = [model for model in MODELS if model.purpose in ("Code", "Search and compare texts")]
    assert coding
    assert first_model(coding, [outlook(model.outline, computer) for model in coding]) is None
    everyday = msgspec.structs.replace(coding[0], purpose="Everyday chat", size_bytes=1)
    assert first_model([everyday], [None]) is None


def all_suggested(*, total_gib: float, free_gib: float, gb_per_s: float = 25) -> tuple[SuggestedModel, ...]:
    computer = Computer(
        devices=(),
        host=Host(n_cores=4, available_bytes=round(free_gib * GIB), total_bytes=round(total_gib * GIB)),
        options=LoadOptions(n_ctx=8192, n_seq_max=1),
        speeds={HOST: ReadSpeed(bytes_per_s=gb_per_s * 1e9, spread=0.3)},
    )
    return suggestions(MODELS, [outlook(model.outline, computer) for model in MODELS])


def test_the_first_is_followed_by_the_others_by_fit_with_helpers_last() -> None:
    first, *rest = all_suggested(total_gib=16, free_gib=12)
    assert first.is_first
    assert not any(each.is_first for each in rest)
    ratings = [each.estimate.rating for each in rest if not each.model.is_helper]
    assert ratings == sorted(ratings, key=list(Rating).index)
    assert {Rating.GOOD, Rating.SLOW, Rating.NEVER} <= set(ratings)
    helpers = [each.model.is_helper for each in rest]
    assert helpers == sorted(helpers)


def test_what_other_programs_take_now_condemns_no_model() -> None:
    def rating_of_largest(total_gib: float) -> Rating:
        suggested = all_suggested(total_gib=total_gib, free_gib=4)
        return next(each.estimate.rating for each in suggested if each.model.name == "Qwen3.5 27B")

    assert rating_of_largest(32) is Rating.NOT_NOW
    assert rating_of_largest(8) is Rating.NEVER


def test_every_suggestion_that_does_not_run_says_why() -> None:
    for each in all_suggested(total_gib=8, free_gib=4):
        assert bool(each.estimate.obstacle) == (not each.estimate.where.runs)
