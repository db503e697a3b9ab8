"""Only signatures by minisign are accepted."""

from __future__ import annotations

import pytest

from fakes.raised import refuses
from fakes.release_harness import SigningKey
from fireside.updates.minisign import check_signature, parse_key

# The public key and a signature of the file “test”, as the documentation of minisign has them.
KEY = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
SIGNATURE = b"""untrusted comment: signature from minisign secret key
RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=
trusted comment: timestamp:1633700835\tfile:test\tprehashed
wLMDjy9FLAuxZ3q4NlEvkgtyhrr0gtTu6KC4KBJdITbbOeAi1zBIYo0v4iTgt8jJpIidRJnp94ABQkJAgAooBQ==
"""


def test_a_signature_of_minisign_is_accepted() -> None:
    key = parse_key(KEY)
    assert check_signature(b"test", SIGNATURE, keys=(key,)) == key
    with refuses("update_untrusted", match="wrong"):
        check_signature(b"Test", SIGNATURE, keys=(key,))


def test_any_changed_byte_of_a_signature_is_rejected() -> None:
    key = SigningKey()
    signature = key.sign(b"release", comment="timestamp:1\tfile:x")
    assert check_signature(b"release", signature, keys=(key.public,)) == key.public
    first_that_counts = signature.index(b"\n") + 1
    for at in range(first_that_counts, len(signature) - 1):
        changed = bytearray(signature)
        changed[at] ^= 1
        with refuses("update_untrusted"):
            check_signature(b"release", bytes(changed), keys=(key.public,))


@pytest.mark.parametrize("text", ["", "x", "AAAA", "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO"])
def test_an_invalid_key_is_a_value_error(text: str) -> None:
    with pytest.raises((ValueError, IndexError)):
        parse_key(text)
