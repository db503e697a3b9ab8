"""Which compiled llama.cpp may stand in for which."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from provision import llama_build
from provision.backend import Backend, Choice
from provision.console import Console
from provision.llama_build import Build, build_wheel, native_flags
from provision.lock_files import Pin

CPU = Choice(backend=Backend.CPU, options=(), sentence="")
CUDA = Choice(backend=Backend.CUDA, options=("-DGGML_CUDA=ON",), sentence="")
PIN = Pin(name="llama-cpp-python", version="0.3.36", text="llama-cpp-python==0.3.36 --hash=sha256:aa\n")


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(pin=PIN, choice=CPU, tools=tmp_path / "tools.lock", cache=tmp_path / "cache")


def test_the_same_build_has_the_same_key_in_every_checkout(build: Build, tmp_path: Path) -> None:
    assert replace(build, tools=tmp_path / "another checkout").key == build.key


def test_another_backend_is_another_build(build: Build) -> None:
    assert replace(build, choice=CUDA).key != build.key


def test_another_source_is_another_build(build: Build) -> None:
    other = replace(PIN, text=PIN.text.replace("aa", "bb"))
    assert replace(build, pin=other).key != build.key


def test_the_tests_can_stand_rpc_devices_in_for_gpus(build: Build) -> None:
    assert "-DGGML_RPC=ON" in build.options


def test_a_finished_build_is_taken_and_nothing_is_compiled(build: Build, tmp_path: Path) -> None:
    build.finished.mkdir(parents=True)
    wheel = build.finished / "llama_cpp_python-0.3.36-py3-none-any.whl"
    wheel.touch()
    with Console(stream=io.StringIO()).task("") as task:
        assert build_wheel(build, task=task, log=tmp_path / "log") == wheel
    assert not build.work.exists()


def test_a_build_that_was_never_finished_is_no_build(build: Build) -> None:
    (build.work / "wheel").mkdir(parents=True)
    (build.work / "wheel" / "llama_cpp_python-0.3.36-py3-none-any.whl").touch()
    assert build.wheel() is None


def test_a_processor_with_amx_is_compiled_for_without_it() -> None:
    assert native_flags("flags: fpu avx512f amx_bf16 amx_tile amx_int8") == ("-mno-amx-int8",)


def test_a_processor_without_amx_gets_no_flag_that_its_compiler_may_not_know() -> None:
    assert native_flags("flags: fpu avx2") == ()


@pytest.mark.skipif(sys.platform != "linux", reason="only there the compiler gets such flags")
def test_other_compiler_flags_are_another_build(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = set()
    for flags in ((), ("-mno-amx-int8",)):
        monkeypatch.setattr(llama_build, "native_flags", lambda _, flags=flags: flags)
        keys.add(replace(build).key)
    assert len(keys) == 2


def test_only_what_the_binding_loads_is_compiled_and_a_change_of_that_is_another_build(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = tmp_path / "only_libraries.cmake"
    changed.write_text("# nothing", encoding="utf-8")
    key = build.key
    monkeypatch.setattr(llama_build, "ONLY_LIBRARIES", changed)
    assert replace(build).key != key


def test_the_same_libraries_in_another_folder_are_the_same_build(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = build.key
    copied = tmp_path / "a folder with spaces" / "only_libraries.cmake"
    copied.parent.mkdir()
    copied.write_bytes(llama_build.ONLY_LIBRARIES.read_bytes())
    monkeypatch.setattr(llama_build, "ONLY_LIBRARIES", copied)
    assert replace(build).key == key
