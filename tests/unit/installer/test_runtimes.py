"""What the builder of runtimes puts together, without compiling."""

from __future__ import annotations

import io
import shutil
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from fakes.runtimes import built_in_folder
from fireside.core.runtime import this_platform
from fireside.engine.runtimes.libraries import backends_among as backends_in_the_program
from fireside.engine.runtimes.libraries import is_licence, missing_libraries
from fireside.engine.runtimes.manifest import RuntimeManifest, changed_file
from provision.console import Console
from provision.failure import SetupFailure
from provision.layout import find_layout
from provision.process import Program
from release.elf import elf_files, read_needs
from runtimes import build, packing
from runtimes.kinds import COMMON, KINDS

BUILT = (
    "libllama.so.0.5.0",
    "libggml.so",
    "libggml-base.so",
    "libggml-cpu-haswell.so",
    "libggml-cpu-sapphirerapids.so",
    "libggml-vulkan.so",
    "libmtmd.so",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is collected from a build whose libraries are texts."""
    monkeypatch.setattr(shutil, "which", lambda _: None)
    built, source = tmp_path / "bin", tmp_path / "source"
    built.mkdir()
    source.mkdir()
    for name in BUILT:
        (built / name).write_text(name)
    (built / "libllama.so").symlink_to("libllama.so.0.5.0")
    (built / "llama-server").write_text("a program")
    (source / "LICENSE").write_text("MIT")
    packing.collect(built, source=source, target=tmp_path / "out" / "vulkan")
    return tmp_path / "out" / "vulkan"


def test_libraries_and_licence_are_taken_and_no_programs(folder: Path) -> None:
    names = {file.name for file in folder.iterdir()}
    assert "llama-server" not in names
    assert {"LICENSE", "libllama.so", "libggml-vulkan.so"} <= names
    assert (folder / "libllama.so").is_symlink()
    assert missing_libraries(names) == ()


@pytest.mark.skipif(sys.platform != "linux", reason="reads ELF files")
def test_a_real_build_brings_along_what_a_bare_system_lacks(tmp_path: Path) -> None:
    (tmp_path / "LICENSE").write_text("MIT")
    folder = tmp_path / "out"
    packing.collect(built_in_folder(), source=tmp_path, target=folder)
    needed = {name for needs in read_needs(elf_files(folder)).values() for name in needs.libraries}
    everywhere = {
        "libc.so.6",
        "libm.so.6",
        "libdl.so.2",
        "libpthread.so.0",
        "libstdc++.so.6",
        "libgcc_s.so.1",
    }
    lacking = needed - everywhere - {file.name for file in folder.iterdir()}
    assert {name for name in lacking if not name.startswith(("ld-linux", "libgcc_s"))} == set()
    assert is_licence("LICENSE-libgomp.txt")
    assert "GNU GENERAL PUBLIC LICENSE" in (folder / "LICENSE-libgomp.txt").read_text()


def test_a_module_that_the_compiler_gets_wrong_is_left_out(folder: Path) -> None:
    assert not list(folder.glob("*sapphirerapids*"))
    assert list(folder.glob("*haswell*"))


def test_the_program_reads_the_manifest_and_finds_every_file_as_it_says(folder: Path) -> None:
    packing.write_manifest(folder, name="vulkan", llama_cpp="0.5.0", binding="0.3.36", system=this_platform())
    manifest = msgspec.json.decode((folder / "runtime.json").read_bytes(), type=RuntimeManifest)
    assert manifest.backends == ("Vulkan", "CPU") == backends_in_the_program(manifest.files)
    assert manifest.platform == this_platform()
    assert changed_file(folder, manifest) is None
    (folder / "libmtmd.so").write_text("other")
    assert changed_file(folder, manifest) == "libmtmd.so"


def test_the_same_files_make_the_same_archive(folder: Path, tmp_path: Path) -> None:
    packing.pack(folder, archive=tmp_path / "a.tar.xz")
    (folder / "LICENSE").touch()
    packing.pack(folder, archive=tmp_path / "b.tar.xz")
    assert (tmp_path / "a.tar.xz").read_bytes() == (tmp_path / "b.tar.xz").read_bytes()
    with tarfile.open(tmp_path / "a.tar.xz") as archive:
        assert all(name.startswith("vulkan/") for name in archive.getnames())


def test_the_version_is_the_one_that_the_source_says(tmp_path: Path) -> None:
    lists = tmp_path / "CMakeLists.txt"
    lists.write_text("set(LLAMA_VERSION_MAJOR 1)\nset(LLAMA_VERSION_MINOR 22)\nset(LLAMA_VERSION_PATCH 3)\n")
    assert packing.llama_cpp_version(tmp_path) == "1.22.3"
    lists.write_text("project(llama)\n")
    with pytest.raises(SetupFailure):
        packing.llama_cpp_version(tmp_path)


def test_no_runtime_can_compute_on_other_machines() -> None:
    assert "-DGGML_RPC=OFF" in COMMON
    assert not any("GGML_RPC=ON" in option for kind in KINDS.values() for option in kind.options)


def test_a_build_whose_places_have_moved_is_configured_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []

    def configured_fresh(work: Path) -> bool:
        job = replace(build.job_for(KINDS["portable"], layout=find_layout()), work=work)
        job.build_folder.mkdir(parents=True, exist_ok=True)
        with Console(stream=io.StringIO()).task("a build") as task:
            build._configure(job, task=task)
        return "--fresh" in commands.pop()

    def run(program: Program, **_: object) -> None:
        commands.append([str(word) for word in program.command])

    monkeypatch.setattr(build, "run_program", run)
    assert configured_fresh(tmp_path / "here")
    assert not configured_fresh(tmp_path / "here")
    (tmp_path / "here").rename(tmp_path / "there")
    assert configured_fresh(tmp_path / "there")
    assert not configured_fresh(tmp_path / "there")
