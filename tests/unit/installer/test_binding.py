"""Moving to another version of llama.cpp's binding: no other package moves, and what differs is said."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Final

import pytest

from provision import binding
from provision.console import Console
from provision.failure import SetupFailure
from provision.layout import Layout
from provision.lock_files import DEVELOP, RUN, Pin
from provision.system_needs import C

SOURCES: Final = {
    "pyproject.toml": '[project]\ndependencies = [\n  "numpy>=1",\n]\n',
    "llama_cpp/llama_cpp.py": "class llama_batch(ctypes.Structure): ...\nclass other(Union): ...\n",
    "llama_cpp/mtmd_cpp.py": "class mtmd_pos(Structure): ...\n",
    "vendor/llama.cpp/include/llama.h": """
        #define LLAMA_API
#define LLAMA_SESSION_VERSION 9
        enum llama_mode { LLAMA_MODE_OFF, LLAMA_MODE_ON = 4, /* LLAMA_MODE_GONE */ };
        struct llama_batch {
            char n; double * a, b;  // int c;
            union { int x; char y[4]; };
            void (*done)(void * data, int status);
        };
        LLAMA_API int
            llama_decode(struct llama_batch batch);
        """,
    "vendor/llama.cpp/tools/mtmd/mtmd.h": "struct mtmd_pos { int t; }; struct mtmd_unknown { int u; };",
    "vendor/llama.cpp/tools/mtmd/mtmd-helper.h": "",
    "vendor/llama.cpp/src/llama-ext.h": "LLAMA_API void llama_secret(bool is_on);",
    "vendor/llama.cpp/src/llama-arch.cpp": '{ LLM_ARCH_LLAMA, "llama" }, // { LLM_ARCH_OLD, "old" }',
}
PINS: Final = (
    "numpy==2.0 \\\n    --hash=sha256:aa\nllama-cpp-python==1.0 \\\n    --hash=sha256:bb\n  # via x\n"
)

pytestmark = pytest.mark.skipif(not any(map(shutil.which, C.commands)), reason="asks a C compiler")


@pytest.fixture
def layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    def fetch(work: Path, *, name: str, version: str, **_rest: object) -> Pin:
        assert not work.exists()
        for path, text in SOURCES.items():
            file = work / "source" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return Pin(name=name, version=version, text=f"{name}=={version} \\\n    --hash=sha256:cc\n")

    monkeypatch.setattr(binding, "fetch_source", fetch)
    project = 'dependencies = [\n  "llama-cpp-python==1.0",  # why\n  "numpy>=2",\n]\n'
    for path, text in (("pyproject.toml", project), (RUN, PINS), (DEVELOP, PINS)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / binding.FACTS).parent.mkdir(parents=True)
    (tmp_path / "build/binding/tools").mkdir(parents=True)  # left by a run that was interrupted
    runner = tmp_path / "app/fireside/runner/deep"
    runner.mkdir(parents=True)
    (runner / "one.py").write_text("lib.llama_decode(batch)\n")
    return Layout(root=tmp_path, cache=tmp_path / "cache")


def moved(layout: Layout, version: str) -> tuple[str, ...]:
    return binding.move_binding(layout, version=version, console=Console(stream=io.StringIO()))


def test_only_the_binding_moves(layout: Layout) -> None:
    moved(layout, "1.1")
    for path in (RUN, DEVELOP):
        assert (layout.root / path).read_text() == PINS.replace("==1.0", "==1.1").replace(":bb", ":cc")
    assert '"llama-cpp-python==1.1",  # why' in (layout.root / "pyproject.toml").read_text()
    assert not (layout.build / "binding").exists()


def test_what_the_headers_declare_is_recorded_as_the_compiler_says(layout: Layout) -> None:
    moved(layout, "1.1")
    facts = json.loads((layout.root / binding.FACTS).read_text())
    assert facts["structs"] == {
        "llama_batch": "40",
        "llama_batch.a": "8+8",
        "llama_batch.b": "16+8",
        "llama_batch.done": "32+8",
        "llama_batch.n": "0+1",
        "llama_batch.x": "24+4",
        "llama_batch.y": "24+4",
        "mtmd_pos": "4",
        "mtmd_pos.t": "0+4",
    }
    assert facts["constants"] == {"LLAMA_MODE_OFF": "0", "LLAMA_MODE_ON": "4", "LLAMA_SESSION_VERSION": "9"}
    assert set(facts["functions"]) == {"llama_decode", "llama_secret"}
    assert facts["architectures"] == {"llama": ""}


def test_what_differs_from_the_version_before_is_said(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved(layout, "1.1")
    header = SOURCES["vendor/llama.cpp/include/llama.h"]
    newer = header.replace("char n;", "").replace("int\n", "void\n").replace("double", "int m; double")
    monkeypatch.setitem(SOURCES, "vendor/llama.cpp/include/llama.h", newer)
    monkeypatch.setitem(SOURCES, "vendor/llama.cpp/src/llama-arch.cpp", '{ LLM_ARCH_NEW, "new" }')
    assert moved(layout, "1.2") == (
        "binding: version 1.1 → 1.2",
        "structs: + llama_batch.m 0+4",
        "structs: - llama_batch.n 0+1",
        "USED  functions: llama_decode int llama_decode(struct llama_batch batch) → "
        "void llama_decode(struct llama_batch batch)",
        "architectures: - llama",
        "architectures: + new",
    )


def test_headers_that_are_not_understood_leave_everything_as_it_was(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SOURCES, "vendor/llama.cpp/tools/mtmd/mtmd.h", "struct mtmd_pos { nothing t; };")
    with pytest.raises(SetupFailure, match="no longer") as failure:
        moved(layout, "1.1")
    assert any("nothing" in line for line in failure.value.tail)
    assert (layout.root / RUN).read_text() == PINS
