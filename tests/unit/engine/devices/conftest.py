"""Shared libraries that stand in for drivers."""

from __future__ import annotations

import shutil

import pytest

from fakes.native_libraries import NativeLibraries


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> NativeLibraries:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    return NativeLibraries(compiler=compiler, folder=tmp_path_factory.mktemp("libraries"))
