"""Start the tool host: ``python -P -m fireside.tool_host``."""

from __future__ import annotations

import asyncio
import os
import sys

from fireside.tool_host.host import ToolHost


def main() -> int:
    """Serve until the program ends."""
    if sys.platform == "linux":
        from fireside.tool_host.confinement import die_with_parent

        die_with_parent()
    # Output that a library prints must not mix with the frames.
    frames = os.dup(1)
    os.dup2(2, 1)
    asyncio.run(ToolHost(frames).serve())
    return 0


if __name__ == "__main__":
    main()
