"""A program that fetches a file onto a real disk with too little room, and makes room once it waits for that.

To be run in name spaces of its own (``unshare --map-root-user --mount``), where it mounts the disk. It prints
each state of the download as it begins.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from fakes.fake_hub import fake_hub, gguf_bytes
from fakes.hub_checks import check_arrived
from fakes.hub_harness import BLOCK, HubHarness
from fireside.core.hub import DownloadState
from fireside.hub.file_transfer import TransferReport

N_BLOCKS = 8


def main() -> None:
    disk = Path(sys.argv[1])
    size = f"size={2 * N_BLOCKS * BLOCK}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(disk)], check=True)
    ballast = disk / "ballast"
    ballast.write_bytes(bytes((N_BLOCKS + 2) * BLOCK))
    states: list[DownloadState] = []

    def on_report(report: TransferReport) -> None:
        if not states or states[-1] is not report.state:
            states.append(report.state)
            sys.stdout.write(f"{report.state.value}\n")
        if report.state is DownloadState.WAITING_FOR_SPACE:
            ballast.unlink(missing_ok=True)

    with fake_hub() as hub:
        harness = HubHarness(hub, disk / "models", content=gguf_bytes(N_BLOCKS * BLOCK - 7))
        harness.on_report = on_report
        harness.fetch()
        check_arrived(harness)
        harness.session.close()


if __name__ == "__main__":
    main()
