"""A published build of llama.cpp in place of compiling it."""

from __future__ import annotations

import importlib.metadata
import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.release_harness import ReleaseHarness, SigningKey
from fireside.core.runtime import this_platform
from fireside.engine.runtimes.manifest import make_manifest, write_manifest
from provision import prebuilt
from provision.backend import Backend, Choice
from provision.console import Console
from provision.failure import SetupFailure
from provision.layout import Layout, find_layout
from provision.llama_build import Build
from provision.lock_files import BUILD, Pin

INSTALLED = importlib.metadata.distribution("llama-cpp-python")
BINDING = Path(str(INSTALLED.locate_file("llama_cpp")))


class Published:
    """A release address that offers the libraries of this environment as a build."""

    def __init__(self, releases: ReleaseHarness, *, folder: Path) -> None:
        self.releases = releases
        self.folder = folder
        self.pin = Pin(name="llama-cpp-python", version=INSTALLED.version, text="")
        self.asked_for = Backend.CPU

    def publish(self, *, binding: str = INSTALLED.version, key: SigningKey | None = None) -> None:
        runtime = self.folder / "portable"
        runtime.mkdir()
        for library in (BINDING / "lib").iterdir():
            if not library.is_symlink():
                (runtime / library.name).write_bytes(library.read_bytes())
        manifest = make_manifest(runtime, name="portable", llama_cpp="0.5.0", binding=binding)
        write_manifest(runtime, manifest)
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:xz", preset=0) as tar:
            tar.add(runtime, arcname="portable")
        offer = self.releases.offer("portable.tar.xz", packed.getvalue())
        offer |= {"name": "portable", "llama_cpp": "0.5.0", "backends": manifest.backends}
        self.releases.publish("0.1.0", runtimes={this_platform(): [offer]}, key=key)

    def fetch(self) -> Path:
        """What set-up does, with a layout of its own whose Python and program are these."""
        choice = Choice(backend=self.asked_for, options=(), sentence="")
        here = find_layout()
        build = Build(pin=self.pin, choice=choice, tools=here.root / BUILD, cache=self.folder / "cache")
        layout = Layout(root=here.root, cache=build.cache)
        with Console(stream=io.StringIO()).task("") as task:
            return prebuilt.fetch_wheel(build, layout=layout, task=task, log=self.folder / "log")


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Published]:
    releases = ReleaseHarness()
    monkeypatch.setattr(prebuilt, "ADDRESS", releases.address)
    monkeypatch.setattr(prebuilt, "KEYS", (releases.key.text,))

    def unpacked_source(work: Path, **_rest: object) -> None:
        source = work / "source"
        source.mkdir()
        (source / "llama_cpp").symlink_to(BINDING, target_is_directory=True)
        (source / "PKG-INFO").write_text(
            f"Metadata-Version: 2.1\nName: llama_cpp_python\nVersion: {INSTALLED.version}\n"
        )

    monkeypatch.setattr(prebuilt, "prepare_source", unpacked_source)
    yield Published(releases, folder=tmp_path)
    releases.close()


def test_a_published_build_is_installed_and_answers(
    published: Published, tmp_path: Path, starter_model_path: Path
) -> None:
    published.publish()
    wheel = published.fetch()
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*command, f"--target={tmp_path / 'site'}", str(wheel)], check=True)
    program = (
        f"import llama_cpp; model = llama_cpp.Llama({str(starter_model_path)!r}, n_ctx=64, verbose=False); "
        "print(llama_cpp.__file__); print(model('Once', max_tokens=2)['usage']['completion_tokens'])"
    )
    answered = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={"PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
        text=True,
    )
    path, n_tokens = answered.stdout.split()
    assert path.startswith(str(tmp_path / "site"))
    assert n_tokens == "2"


def test_nothing_is_taken_that_does_not_fit_or_was_not_signed(published: Published) -> None:
    with pytest.raises(SetupFailure):  # nothing is published
        published.fetch()
    published.publish(binding="0.0.1")
    with pytest.raises(SetupFailure) as other:
        published.fetch()
    assert "is not for llama-cpp-python" in "".join(other.value.tail)
    published.asked_for = Backend.CUDA
    with pytest.raises(SetupFailure) as slower:
        published.fetch()
    assert "no build for this computer with cuda" in "".join(slower.value.tail)


def test_a_build_that_someone_else_signed_is_not_taken(published: Published) -> None:
    published.publish(key=SigningKey(b"stranger"))
    with pytest.raises(SetupFailure) as refused:
        published.fetch()
    assert "sign" in "".join(refused.value.tail)
    assert not list(published.folder.rglob("*.whl"))
