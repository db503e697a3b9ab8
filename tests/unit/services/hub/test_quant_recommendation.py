"""Which quant is recommended, and why."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from fakes.engine_harness import GIB, a_spec
from fakes.fake_hub import FakeHub, Repo, fake_hub
from fakes.gguf_files import GgufFile, Tensor, model_file
from fireside.core.discovery import HubQuant
from fireside.core.errors import HubChoiceUnknown
from fireside.core.fit import Placement
from fireside.core.hub import HubFile
from fireside.core.options import LoadOptions
from fireside.core.plan import MemoryKind
from fireside.core.quants import quant_description
from fireside.core.status import Device, DeviceKind
from fireside.engine.host_info import Host
from fireside.engine.planning.speed_estimate import HOST, ReadSpeed
from fireside.gguf.range_reader import FIRST_STEP_BYTES
from fireside.hub.download_plan import DownloadPlan, make_plan
from fireside.hub.hub_session import HubSession
from fireside.services.hub.quant_recommendation import Advice, QuantRecommender, advise
from fireside.services.machine.host_measurement import Computer

REPO = "acme/tiny-GGUF"
SIZES = {"Q2_K": 3, "Q4_K_M": 5, "Q5_K_M": 6, "Q8_0": 9, "F16": 16}
"""Of a model of eight thousand million weights, in GiB."""
CHOICES = tuple(
    HubQuant(
        label=label,
        description=quant_description(label),
        files=(HubFile(path=f"m-{label}.gguf", size_bytes=n * GIB, digest="0" * 64),),
    )
    for label, n in SIZES.items()
)
USUAL = (CHOICES[1], "the usual quantization")
HEADER = model_file().to_bytes()


def computer(*, available_bytes: int = 32 * GIB, gpu_bytes: int = 0) -> Computer:
    gpu = Device(
        name="GPU",
        description="",
        kind=DeviceKind.GPU,
        free_bytes=gpu_bytes,
        total_bytes=gpu_bytes,
        backend="test",
    )
    return Computer(
        devices=(gpu,) if gpu_bytes else (),
        host=Host(n_cores=8, available_bytes=available_bytes),
        options=LoadOptions(n_ctx=4096, n_seq_max=1),
    )


def advice_on(where: Computer) -> Advice | None:
    spec = msgspec.structs.replace(a_spec(), size_bytes=CHOICES[0].size_bytes)
    return advise(CHOICES, spec=spec, usual=USUAL, computer=where)


def label_for(where: Computer) -> str:
    advice = advice_on(where)
    assert advice is not None
    return advice.choice.label


def test_the_largest_that_fits_the_gpu_is_recommended() -> None:
    advice = advice_on(computer(gpu_bytes=8 * GIB))
    assert advice is not None
    assert advice.choice.label == "Q5_K_M"
    assert advice.why == (
        "Best quality that fits fully on the GPU: Q5_K_M (5-bit, close to full quality). "
        "Runs fully on GPU. About 6.6 GB of GPU memory."
    )


def test_more_bits_than_useful_are_not_recommended() -> None:
    assert label_for(computer(gpu_bytes=48 * GIB)) == "Q8_0"


def test_on_the_cpu_the_default_quant_is_recommended() -> None:
    advice = advice_on(computer())
    assert advice is not None
    assert advice.choice.label == "Q4_K_M"
    assert advice.why.startswith("Recommended for this computer: Q4_K_M (4-bit, good balance). Runs on the ")


def test_without_the_default_the_best_that_fits_is_recommended() -> None:
    advice = advice_on(computer(available_bytes=5 * GIB))
    assert advice is not None
    assert advice.choice.label == "Q2_K"
    assert advice.why.startswith("Best quality that fits in memory: Q2_K")


def test_a_gpu_that_is_too_small_does_not_change_the_recommendation() -> None:
    assert label_for(computer(gpu_bytes=2 * GIB)) == "Q4_K_M"


def test_without_a_fit_there_is_no_recommendation() -> None:
    assert advice_on(computer(available_bytes=GIB)) is None


def test_every_quant_is_judged_by_its_own_size() -> None:
    advice = advice_on(computer(available_bytes=8 * GIB))
    assert advice is not None
    places = [quant.fit.where for quant in advice.quants]
    assert places == [*[Placement.PROCESSOR] * 3, Placement.NOWHERE, Placement.NOWHERE]


def with_speed(where: Computer, *, gb_per_s: float) -> Computer:
    return msgspec.structs.replace(where, speeds={HOST: ReadSpeed(bytes_per_s=gb_per_s * 1e9, spread=0.2)})


def test_the_reason_names_the_speed() -> None:
    advice = advice_on(with_speed(computer(), gb_per_s=20))
    assert advice is not None
    assert advice.why.endswith(" Slow (about 4 tokens/s).")


def test_slow_quants_are_not_recommended() -> None:
    slow = advice_on(with_speed(computer(), gb_per_s=7))
    assert slow is not None
    assert slow.choice.label == "Q2_K", "of Q4_K_M a token takes more than half a second"
    assert advice_on(with_speed(computer(), gb_per_s=2)) is None


def test_one_bit_is_never_recommended() -> None:
    one_bit = HubQuant(
        label="IQ1_S",
        description=quant_description("IQ1_S"),
        files=(HubFile(path="m.gguf", size_bytes=2 * GIB, digest="0" * 64),),
    )
    spec = msgspec.structs.replace(a_spec(), size_bytes=2 * GIB)
    assert advise((one_bit,), spec=spec, usual=(one_bit, ""), computer=computer()) is None


class RequestPreparation:
    """Prepares downloads by name from a hub on loopback."""

    def __init__(self, hub: FakeHub) -> None:
        self.shown: list[Advice] = []
        self.where = computer()
        self.session = HubSession(endpoint=hub.endpoint)

    def plan(self, name: str = REPO) -> DownloadPlan:
        recommend = QuantRecommender(
            session=self.session, computer=lambda: self.where, show=self.shown.append
        )
        return make_plan(self.session, name, recommend=recommend)

    def put(self, hub: FakeHub, **files: bytes) -> None:
        hub.repos[REPO] = Repo(
            files={f"{name.replace('__', '-')}.gguf": data for name, data in files.items()}
        )


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with fake_hub() as hub:
        yield hub


@pytest.fixture
def asking(hub: FakeHub) -> Iterator[RequestPreparation]:
    asking = RequestPreparation(hub)
    asking.put(hub, m__Q4_K_M=HEADER, m__Q8_0=HEADER + bytes(2 * FIRST_STEP_BYTES))
    yield asking
    asking.session.close()


def test_the_smallest_quants_header_is_enough_for_all(hub: FakeHub, asking: RequestPreparation) -> None:
    plan = asking.plan()
    assert [wanted.file.path for wanted in plan.files] == ["m-Q4_K_M.gguf"]
    assert plan.why.startswith("Recommended for this computer: Q4_K_M")
    assert [quant.choice.label for quant in asking.shown[0].quants] == ["Q4_K_M", "Q8_0"]
    assert sum(seen.n_sent for seen in hub.seen if seen.server == "content") == len(HEADER)


@pytest.mark.parametrize("name", [f"{REPO}:Q8_0", f"{REPO}/m-Q8_0.gguf"])
def test_an_explicit_choice_gets_no_advice(hub: FakeHub, asking: RequestPreparation, name: str) -> None:
    assert asking.plan(name).files[0].file.path == "m-Q8_0.gguf"
    assert asking.shown == []
    assert not [seen for seen in hub.seen if seen.server == "content"]


def test_a_single_quant_sends_no_request(hub: FakeHub, asking: RequestPreparation) -> None:
    asking.put(hub, m__Q8_0=HEADER)
    assert asking.plan().files[0].file.path == "m-Q8_0.gguf"
    assert asking.shown == []


def test_different_models_of_a_repository_are_not_judged_by_each_other(
    hub: FakeHub, asking: RequestPreparation
) -> None:
    asking.put(hub, small__Q4_K_M=HEADER, large__Q8_0=HEADER + b"\0")
    assert asking.plan().files[0].file.path == "small-Q4_K_M.gguf"
    assert asking.shown == []


def test_without_a_readable_header_the_default_is_taken(hub: FakeHub, asking: RequestPreparation) -> None:
    asking.put(hub, m__Q2_K=b"GGUF nonsense" * 100, m__Q4_K_M=HEADER)
    assert asking.plan().files[0].file.path == "m-Q4_K_M.gguf"
    assert asking.shown == []


def test_a_split_quant_is_judged_by_all_its_parts(hub: FakeHub, asking: RequestPreparation) -> None:
    second = GgufFile(tensors=[Tensor("blk.1.attn_k.weight", (64, 32))]).to_bytes()
    parts = {"m-Q4_K_M-00001-of-00002.gguf": HEADER, "m-Q4_K_M-00002-of-00002.gguf": second}
    hub.repos[REPO] = Repo(files={**parts, "m-Q8_0.gguf": HEADER + bytes(FIRST_STEP_BYTES)})
    assert len(asking.plan().files) == 2
    # Keys and values of 512 tokens; the first part has no attention.
    caches = [
        [use.n_bytes for use in quant.fit.plan.uses if use.kind is MemoryKind.CACHE]
        for quant in asking.shown[0].quants
    ]
    assert caches == [[512 * 2 * 32 * 2]] * 2


@pytest.mark.parametrize("is_readable", [True, False])
def test_a_vision_model_is_judged_with_its_projector(
    hub: FakeHub, asking: RequestPreparation, is_readable: bool
) -> None:
    asking.plan()
    eyes = GgufFile(metadata=[("general.type", "mmproj")], tensors=[Tensor("v.patch", (64, 1000))]).to_bytes()
    hub.repos[REPO].files["mmproj-F16.gguf"] = eyes if is_readable else b"no header"
    asking.plan()
    blind, seeing = ([quant.fit.plan.n_bytes for quant in advice.quants] for advice in asking.shown)
    n_more = 64 * 1000 * 4 if is_readable else len(b"no header")
    assert [more - less for less, more in zip(blind, seeing, strict=True)] == [n_more] * 2


def test_nothing_that_does_not_fit_is_downloaded(asking: RequestPreparation) -> None:
    asking.where = computer(available_bytes=0)
    with pytest.raises(HubChoiceUnknown, match="no “quantization that fits in memory”"):
        asking.plan()
