"""Which variables a runner inherits."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.engine.processes.environment import runner_environment

INSTALLED = Path("/opt/fireside/site-packages")


@pytest.mark.parametrize(
    "name",
    [
        "HF_TOKEN",
        "OPENAI_API_KEY",
        "GITHUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "DATABASE_PASSWORD",
        "GGML_API_KEY",
        "CUDA_LICENSE_TOKEN",
        "FIRESIDE_RPC_SECRET",
        "FIRESIDE_RPC_SERVERS",
        "DBUS_SESSION_BUS_ADDRESS",
        "SSH_AUTH_SOCK",
        "LD_PRELOAD",
        "PYTHONSTARTUP",
        "PYTHONHOME",
        "FIRESIDE_DATA_FOLDER",
        "MY_OWN_VARIABLE",
    ],
)
def test_secrets_and_unknown_variables_are_not_passed_on(name: str) -> None:
    assert name not in runner_environment({name: "x"}, app_folder=INSTALLED)


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "HOME",
        "LANG",
        "LC_ALL",
        "LD_LIBRARY_PATH",
        "CUDA_VISIBLE_DEVICES",
        "GGML_VK_VISIBLE_DEVICES",
        "OMP_NUM_THREADS",
        "SYSTEMROOT",
        "SystemRoot",
        "LLAMA_CPP_LIB_PATH",
    ],
)
def test_variables_of_libraries_and_drivers_are_passed_on(name: str) -> None:
    assert runner_environment({name: "x"}, app_folder=INSTALLED)[name] == "x"


@pytest.mark.parametrize(("switch", "is_passed_on"), [("1", True), ("", False), ("0", False), ("yes", False)])
def test_rpc_devices_are_for_developers_only(switch: str, is_passed_on: bool) -> None:
    inherited = {"FIRESIDE_RPC_SERVERS": "127.0.0.1:50052", "FIRESIDE_DEVELOPMENT": switch}
    environment = runner_environment(inherited, app_folder=INSTALLED)

    assert ("FIRESIDE_RPC_SERVERS" in environment) is is_passed_on
    assert "FIRESIDE_DEVELOPMENT" not in environment


def test_an_assert_does_not_start_a_debugger() -> None:
    assert runner_environment({}, app_folder=INSTALLED)["GGML_NO_BACKTRACE"] == "1"


def test_only_the_source_tree_is_importable() -> None:
    environment = runner_environment({"PYTHONPATH": "/elsewhere"}, app_folder=Path("/src/app"))
    assert environment["PYTHONPATH"] == str(Path("/src/app"))


def test_an_installed_package_needs_no_python_path() -> None:
    assert "PYTHONPATH" not in runner_environment({"PYTHONPATH": "/elsewhere"}, app_folder=INSTALLED)


def test_the_spin_count_is_limited() -> None:
    assert int(runner_environment({}, app_folder=INSTALLED)["GOMP_SPINCOUNT"]) <= 10_000


@pytest.mark.parametrize("name", ["GOMP_SPINCOUNT", "OMP_WAIT_POLICY"])
def test_a_spin_count_of_the_user_is_kept(name: str) -> None:
    environment = runner_environment({name: "active"}, app_folder=INSTALLED)

    assert environment[name] == "active"
    assert ("GOMP_SPINCOUNT" in environment) is (name == "GOMP_SPINCOUNT")
