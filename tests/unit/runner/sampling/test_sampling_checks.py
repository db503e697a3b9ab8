"""No value reaches llama.cpp on which it would abort, whatever its type."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.errors import InvalidParameter
from fireside.core.options import MAX_STOPS, PARAMETERS, SamplingParams
from fireside.runner.sampling.sampling_checks import check_sampling, check_token_ids
from fireside.settings.conversions import sampling_params
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_sampling import SAMPLING
from fireside.settings.layers import resolve
from fireside.settings.value_check import normalise
from fireside.settings.values import Kind, Origin, SettingDefinition

DEFAULTS = SamplingParams()
NUMBERS = [row.name for row in PARAMETERS.values() if row.type is float]
COUNTS = [row.name for row in PARAMETERS.values() if row.type is int]


def changed(name: str, value: Any) -> SamplingParams:
    return msgspec.structs.replace(DEFAULTS, **{name: value})


def is_accepted(name: str, value: object) -> bool:
    try:
        check_sampling(changed(name, value))
    except InvalidParameter:
        return False
    return True


def test_the_defaults_are_accepted() -> None:
    check_sampling(DEFAULTS)


@given(name=st.sampled_from(NUMBERS), value=st.one_of(st.floats(), st.integers()))
def test_accepted_numbers_fit_a_native_float(name: str, value: float) -> None:
    if is_accepted(name, value):
        assert math.isfinite(value)
        assert abs(value) <= 1000


@given(name=st.sampled_from(COUNTS), value=st.one_of(st.floats(), st.integers()))
def test_accepted_counts_fit_a_native_integer(name: str, value: float) -> None:
    if is_accepted(name, value):
        assert isinstance(value, int)
        assert -1 <= value < 2**32 - 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", -0.1),
        ("temperature", math.nan),
        ("temperature", math.inf),
        ("temperature", "1"),
        ("temperature", True),
        ("temperature", 10**400),
        ("top_k", -1),
        ("top_k", 2**31),
        ("top_k", 1.0),
        ("top_p", 1.1),
        ("min_p", -1.0),
        ("typical_p", math.nan),
        ("repeat_penalty", 0.0),
        ("repeat_last_n", -1),
        ("presence_penalty", math.inf),
        ("frequency_penalty", -math.inf),
        ("mirostat", 3),
        ("dry_penalty_last_n", -2),
        ("top_logprobs", 21),
        ("seed", -1),
        ("seed", 2**32 - 1),
        ("max_tokens", -1),
        ("stop", ("",)),
        ("stop", ("a" * 2000,)),
        ("stop", ("a",) * (MAX_STOPS + 1)),
        ("dry_sequence_breakers", ("",)),
        ("dry_sequence_breakers", ("a\0",)),
        ("dry_sequence_breakers", ("\ud800",)),
        ("dry_sequence_breakers", ("é" * 21,)),
        ("dry_sequence_breakers", ("a",) * 33),
        ("logit_bias", ((-1, 0.0),)),
        ("logit_bias", ((1, 1001.0),)),
        ("logit_bias", ((1, math.nan),)),
        ("logit_bias", ((1, 0.0),) * 4097),
    ],
)
def test_invalid_value_is_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidParameter):
        check_sampling(changed(name, value))


@pytest.mark.parametrize("definition", SAMPLING, ids=lambda definition: definition.key)
def test_a_runner_takes_what_the_setting_takes(definition: SettingDefinition) -> None:
    bounds = () if definition.kind is Kind.LINES else (definition.minimum, definition.maximum)
    for value in (definition.default, *bounds, *(named for named, _ in definition.choices)):
        if value is not None:
            layer = {definition.key: normalise(definition, value)}
            check_sampling(sampling_params(resolve([(Origin.FILE, layer)])))


def test_a_runner_takes_as_many_stop_strings_as_the_setting() -> None:
    stops = [f"{n:01000}" for n in range(int(BY_KEY["sampling.stop"].maximum or 0))]
    check_sampling(changed("stop", normalise(BY_KEY["sampling.stop"], stops)))


@pytest.mark.parametrize("name", ["stop", "dry_sequence_breakers", "logit_bias"])
def test_too_many_are_refused_by_the_name_of_the_parameter(name: str) -> None:
    many = ((1, 0.0),) * 5000 if name == "logit_bias" else ("a",) * 5000
    with pytest.raises(InvalidParameter) as caught:
        check_sampling(changed(name, many))
    assert caught.value.name == name


def test_huge_number_is_shown_in_few_characters() -> None:
    with pytest.raises(InvalidParameter) as caught:
        check_sampling(changed("top_k", 10**5000))
    assert len(caught.value.sentence()) < 200


@pytest.mark.parametrize(("token", "accepted"), [(9, True), (10, False)])
def test_biased_token_must_be_in_the_vocabulary(token: int, accepted: bool) -> None:
    params = SamplingParams(logit_bias=((token, 1.0),))
    if accepted:
        check_token_ids(params, n_vocab=10)
    else:
        with pytest.raises(InvalidParameter):
            check_token_ids(params, n_vocab=10)
