"""Structs that commands print as JSON keep the field names of that output."""

import msgspec
import pytest

from fireside.core.diagnostics import Finding
from fireside.core.plan import LoadPlan
from fireside.core.status import Ready


@pytest.mark.parametrize(
    ("struct", "names"),
    [
        (LoadPlan, {"words", "rooms", "unloadable"}),
        (Finding, {"words"}),
        (Ready, {"is_short"}),
    ],
)
def test_renamed_fields_keep_their_json_names(struct: type[msgspec.Struct], names: set[str]) -> None:
    assert names <= {field.encode_name for field in msgspec.structs.fields(struct)}
