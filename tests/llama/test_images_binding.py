"""The binding's structures for images are those of the library, for the pinned version."""

from __future__ import annotations

import json
import subprocess
import sys

SCRIPT = """
import json
from fireside.runner.images.mtmd_binding import mtmd
params = mtmd.mtmd_context_params_default()
print(json.dumps({
    "defaults": {key: getattr(params, key) for key in (
        "use_gpu", "print_timings", "n_threads", "flash_attn_type", "warmup", "image_min_tokens",
        "image_max_tokens", "batch_max_tokens")},
    "markers": [params.media_marker.decode(), mtmd.mtmd_default_marker().decode()],
}))
"""


def test_mtmd_structures_match_the_library() -> None:
    """A moved field would have the value of another one; all fields are compared."""
    done = subprocess.run([sys.executable, "-P", "-c", SCRIPT], capture_output=True, timeout=60, check=True)
    assert json.loads(done.stdout) == {
        "defaults": {
            "use_gpu": True,
            "print_timings": True,
            "n_threads": 4,
            "flash_attn_type": -1,
            "warmup": True,
            "image_min_tokens": -1,
            "image_max_tokens": -1,
            "batch_max_tokens": 1024,
        },
        "markers": ["<__media__>", "<__media__>"],
    }
