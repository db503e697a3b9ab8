"""What a test expects to be raised where the error has no class of its own."""

from __future__ import annotations

import pytest

from fireside.core.errors import FiresideError


def refuses(code: str, *, match: str | None = None) -> pytest.RaisesExc[FiresideError]:
    """Expect an error with ``code``, as ``pytest.raises`` expects a class."""
    return pytest.raises(FiresideError, match=match, check=lambda error: error.code == code)
