"""Layers on another device without a GPU: llama.cpp's RPC server on loopback stands in for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fireside.core.ids import ModelId
from fireside.core.options import GPU_LAYERS_ALL
from fireside.core.status import DeviceKind
from fireside.engine.planning.memory_estimate import gpus_among, predict
from fireside.gguf import model_spec, read_header
from llama.rpc_devices import rpc_device
from llama.runner_process import RunnerProcess, small_options


@pytest.fixture
def rpc_server() -> Iterator[str]:
    """A server on loopback that lends its CPU; its address."""
    with rpc_device() as device:
        yield device.address


@pytest.mark.parametrize("report_late", [False, True])
def test_full_offload_gives_the_same_answer(
    rpc_server: str, shared_runner: RunnerProcess, short_model_path: Path, report_late: bool
) -> None:
    with RunnerProcess(environment={"FIRESIDE_RPC_SERVERS": rpc_server}) as runner:
        names = [device.name for device in runner.hello.devices if device.kind is DeviceKind.GPU]
        assert names == ["RPC0"]
        options = small_options(n_gpu_layers=GPU_LAYERS_ALL, report_late=report_late)
        loaded = runner.load(short_model_path, options)
        assert loaded.n_gpu_layers == 6
        assert loaded.devices == ("CPU", "RPC0")
        (remote,) = [report for report in loaded.memory if report.buffer.startswith("RPC0")]
        assert remote.weights_bytes > 30_000_000
        assert remote.kv_bytes > 0
        assert runner.ask("List three fruits.").text == shared_runner.ask("List three fruits.").text


def test_offloaded_layers_are_counted(rpc_server: str, starter_model_path: Path) -> None:
    with RunnerProcess(environment={"FIRESIDE_RPC_SERVERS": rpc_server}) as runner:
        assert runner.load(starter_model_path, small_options(n_gpu_layers=10)).n_gpu_layers == 10


def test_unreachable_rpc_server_is_skipped() -> None:
    with RunnerProcess(environment={"FIRESIDE_RPC_SERVERS": "127.0.0.1:1"}) as runner:
        assert [device.kind for device in runner.hello.devices] == [DeviceKind.CPU]


@pytest.mark.parametrize("address", ["192.0.2.1:50052", "example.org:50052", "127.0.0.1:99999", "nonsense"])
def test_only_loopback_rpc_servers_are_accepted(address: str) -> None:
    with RunnerProcess(environment={"FIRESIDE_RPC_SERVERS": address}) as runner:
        assert [device.kind for device in runner.hello.devices] == [DeviceKind.CPU]


@pytest.mark.parametrize("n_gpu_layers", [1, 10, 30, 31])
def test_offloaded_memory_is_predicted(rpc_server: str, starter_model_path: Path, n_gpu_layers: int) -> None:
    options = small_options(n_gpu_layers=n_gpu_layers)
    spec = model_spec(read_header(starter_model_path), path=str(starter_model_path), id=ModelId("m"))
    with RunnerProcess(environment={"FIRESIDE_RPC_SERVERS": rpc_server}) as runner:
        gpus = gpus_among(runner.hello.devices)
        memory = runner.load(starter_model_path, options).memory
    (need,) = predict(spec, options, gpus=gpus).gpus
    (remote,) = [report for report in memory if report.buffer.startswith("RPC0")]
    assert (need.weights_bytes, need.kv_bytes) == (remote.weights_bytes, remote.kv_bytes)
    assert remote.compute_bytes <= need.compute_bytes
