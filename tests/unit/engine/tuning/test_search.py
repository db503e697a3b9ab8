"""The search for the fastest settings, on simulated computers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fakes.simulated_machine import FOUR_CORES, SimulatedMachine
from fireside.core.options import GPU_LAYERS_ALL, FlashAttention, LoadOptions, Speculation
from fireside.core.tuning import Outcome, Speed, TuningStep
from fireside.engine.tuning.search import TuningSearch
from fireside.engine.tuning.significance import Judgement, Round, judge, noise_of
from fireside.engine.tuning.trial_candidates import STEPS, Machine, candidates
from fireside.engine.tuning.tuner import is_slow_under_load

BASE = LoadOptions(n_threads=3, n_ubatch=256, flash_attn=FlashAttention.OFF)


def physical_cores_are_best(options: LoadOptions) -> Round:
    n = options.n_threads
    factor = n if n <= 4 else 2.5
    return Round(prefill=50.0 * factor, decode=10.0 * factor)


def test_the_fastest_number_of_threads_is_found() -> None:
    search = SimulatedMachine(physical_cores_are_best).tune(TuningSearch(FOUR_CORES, limit_s=600), base=BASE)
    assert search.best.changes == {"load.n_threads": 4}
    assert search.gain() == pytest.approx(0.25)


def test_more_threads_are_used_for_prefill_if_only_that_is_faster() -> None:
    def speeds(options: LoadOptions) -> Round:
        reading = 1.5 if (options.n_threads_batch or options.n_threads) == 8 else 1.0
        writing = 0.4 if options.n_threads == 8 else 1.0
        return Round(prefill=100.0 * reading, decode=20.0 * writing)

    base = replace(BASE, n_threads=4)
    search = SimulatedMachine(speeds).tune(TuningSearch(FOUR_CORES, limit_s=900), base=base)
    assert search.best.changes == {"load.n_threads_batch": 8}


def test_several_settings_are_combined() -> None:
    def speeds(options: LoadOptions) -> Round:
        flash = 1.5 if options.flash_attn is FlashAttention.ON else 1.0
        batch = 1.3 if options.n_ubatch == 512 else 1.0
        return Round(prefill=100.0 * flash * batch, decode=20.0 * flash)

    machine = SimulatedMachine(speeds)
    search = machine.tune(TuningSearch(FOUR_CORES, limit_s=900), base=BASE)
    assert search.best.changes == {
        "load.flash_attn": "on",
        "load.n_ubatch": 512,
        "load.n_batch": 2048,
    }
    # A batch was tried with the attention that had won before.
    batches = [trial for trial in machine.trials if trial.step is TuningStep.BATCH]
    assert all(trial.changes["load.flash_attn"] == "on" for trial in batches)


def test_all_layers_are_placed_on_the_gpu_if_that_is_faster() -> None:
    def speeds(options: LoadOptions) -> Round:
        on_gpu = 10.0 if options.n_gpu_layers == GPU_LAYERS_ALL else 1.0
        return Round(prefill=100.0 * on_gpu, decode=20.0 * on_gpu)

    machine = Machine(n_cores=4, n_logical=4, n_layers=30, has_gpu=True)
    base = LoadOptions(n_threads=3, n_ubatch=512, n_gpu_layers=12)
    search = SimulatedMachine(speeds).tune(TuningSearch(machine, limit_s=900), base=base)
    assert search.best.changes == {"load.n_gpu_layers": GPU_LAYERS_ALL}


def test_more_and_fewer_experts_on_the_cpu_are_tried() -> None:
    machine = Machine(n_cores=4, n_logical=4, n_layers=32, has_gpu=True, has_experts=True)
    best = LoadOptions(n_gpu_layers=32, n_cpu_moe=16)
    tried = [each.changes for each in candidates(TuningStep.PLACING, best=best, machine=machine)]
    assert [each["load.n_cpu_moe"] for each in tried if "load.n_cpu_moe" in each] == [12, 20, 32]


def test_without_a_gpu_there_are_no_placement_candidates() -> None:
    assert candidates(TuningStep.PLACING, best=BASE, machine=FOUR_CORES) == ()


@pytest.mark.parametrize("seed", range(40))
def test_noise_alone_changes_no_settings(seed: int) -> None:
    def same(_: LoadOptions) -> Round:
        return Round(prefill=100.0, decode=20.0)

    search = SimulatedMachine(same, noise=0.02, seed=seed).tune(
        TuningSearch(FOUR_CORES, limit_s=900), base=BASE
    )
    assert search.best.changes == {}


@pytest.mark.parametrize("seed", range(20))
def test_a_clear_winner_is_found_despite_noise(seed: int) -> None:
    def speeds(options: LoadOptions) -> Round:
        faster = 1.6 if options.flash_attn is FlashAttention.ON else 1.0
        return Round(prefill=100.0 * faster, decode=20.0 * faster)

    search = SimulatedMachine(speeds, noise=0.08, seed=seed).tune(
        TuningSearch(FOUR_CORES, limit_s=900), base=BASE
    )
    assert search.best.changes.get("load.flash_attn") == "on"


@pytest.mark.parametrize("limit_s", [20.0, 40.0, 60.0, 110.0])
@pytest.mark.parametrize("trial_s", [2.0, 8.0, 30.0])
def test_the_time_limit_is_kept_after_the_first_measurement(limit_s: float, trial_s: float) -> None:
    machine = SimulatedMachine(physical_cores_are_best, trial_s=trial_s)
    search = machine.tune(TuningSearch(FOUR_CORES, limit_s=limit_s), base=BASE)
    # The confirmation began while there was time for one more trial, and takes two.
    assert machine.now_s <= max(limit_s + trial_s, trial_s)
    if machine.now_s < limit_s / 2:
        assert search.n_left_out > 0 or len(machine.trials) > 5


def test_skipped_candidates_are_counted() -> None:
    search = SimulatedMachine(physical_cores_are_best, trial_s=10).tune(
        TuningSearch(FOUR_CORES, limit_s=25), base=BASE
    )
    assert search.n_left_out > 0
    assert search.best.changes == {}


def test_a_compressed_cache_is_measured_and_never_chosen() -> None:
    def speeds(options: LoadOptions) -> Round:
        faster = 5.0 if options.cache_type_k.value == "q8_0" else 1.0
        return Round(prefill=100.0 * faster, decode=20.0 * faster)

    machine = SimulatedMachine(speeds)
    search = machine.tune(TuningSearch(FOUR_CORES, limit_s=900), base=BASE)
    assert "load.cache_type_k" not in search.best.changes
    (number,) = [trial.number for trial in machine.trials if trial.step is TuningStep.CACHE]
    assert machine.outcomes[number] is Outcome.OFFERED


def test_speculation_needs_a_larger_gain_than_other_settings() -> None:
    def speeds(gain: float) -> SimulatedMachine:
        def at(options: LoadOptions) -> Round:
            guesses = options.speculation is Speculation.PROMPT_LOOKUP
            return Round(prefill=100.0, decode=20.0 * (gain if guesses else 1.0))

        return SimulatedMachine(at)

    little = speeds(1.08).tune(TuningSearch(FOUR_CORES, limit_s=900), base=BASE)
    much = speeds(1.5).tune(TuningSearch(FOUR_CORES, limit_s=900), base=BASE)
    assert little.best.changes == {}
    assert much.best.changes == {"load.speculation": "prompt_lookup"}


def test_a_crashing_candidate_is_skipped_and_the_others_are_tried() -> None:
    machine = SimulatedMachine(physical_cores_are_best, broken=lambda options: options.n_threads == 8)
    search = machine.tune(TuningSearch(FOUR_CORES, limit_s=900), base=BASE)
    assert search.best.changes == {"load.n_threads": 4}
    assert any(trial.changes.get("load.n_threads") == 8 for trial in machine.trials)


def test_settings_that_fail_the_confirmation_are_dropped() -> None:
    search = TuningSearch(FOUR_CORES, limit_s=900)
    slow, fast = Round(prefill=100, decode=20), Round(prefill=200, decode=40)
    search.start(BASE, [slow] * 3, took_s=1)
    assert search.next(elapsed_s=2) is not None
    assert search.record(BASE, [fast] * 2, elapsed_s=3) is Outcome.FASTER
    assert search.confirm([slow, slow], [slow, slow]) == 0
    assert search.best == search.first


def test_the_most_effective_steps_come_first() -> None:
    assert STEPS[0] is TuningStep.THREADS
    assert STEPS.index(TuningStep.ATTENTION) < STEPS.index(TuningStep.BATCH) < STEPS.index(TuningStep.CACHE)


def test_no_settings_are_tried_twice() -> None:
    machine = SimulatedMachine(lambda _: Round(prefill=100, decode=20))
    machine.tune(TuningSearch(FOUR_CORES, limit_s=9000), base=BASE)
    tried = [tuple(sorted(trial.changes.items())) for trial in machine.trials]
    assert len(tried) == len(set(tried))


def test_far_slower_settings_are_rejected_after_one_round() -> None:
    champion = [Round(prefill=100, decode=20)] * 3
    assert judge([Round(prefill=50, decode=10)], champion) is Judgement.NOT_FASTER
    assert judge([Round(prefill=110, decode=22)], champion) is Judgement.UNDECIDED
    assert judge([Round(prefill=110, decode=22)] * 2, champion) is Judgement.FASTER


def test_a_gain_below_the_noise_does_not_count() -> None:
    shaky = [Round(prefill=80, decode=16), Round(prefill=120, decode=24), Round(prefill=100, decode=20)]
    better = [Round(prefill=108, decode=21.6)] * 4
    assert judge(better, shaky) is Judgement.NOT_FASTER
    assert noise_of([90.0, 100.0, 110.0]) == pytest.approx(0.1)


def spinning(options: LoadOptions) -> Round:
    faster = 1.3 if options.spin_count == 100_000 else 1.0
    return Round(prefill=100.0, decode=20.0 * faster)


def test_the_fastest_spin_count_is_found() -> None:
    machine = replace(FOUR_CORES, can_spin=True)
    search = SimulatedMachine(spinning).tune(TuningSearch(machine, limit_s=900), base=BASE)
    assert search.best.changes == {"load.spin_count": 100_000}


def test_settings_that_are_slow_under_load_are_never_chosen() -> None:
    search = TuningSearch(replace(FOUR_CORES, can_spin=True), limit_s=900, steps=(TuningStep.WAITING,))
    slow, fast = Round(prefill=100, decode=20), Round(prefill=200, decode=40)
    search.start(BASE, [slow] * 3, took_s=1)
    assert search.next(elapsed_s=2) is not None
    outcome = search.record(BASE, [fast] * 2, elapsed_s=3, is_slow_under_load=True)
    assert outcome is Outcome.OFFERED
    assert search.best == search.first


def test_losing_a_tenth_of_the_baseline_under_load_is_slow() -> None:
    assert is_slow_under_load(Speed(per_s=8), baseline=Speed(per_s=30))
    assert not is_slow_under_load(Speed(per_s=29), baseline=Speed(per_s=30))
    assert not is_slow_under_load(None, baseline=Speed(per_s=30))
