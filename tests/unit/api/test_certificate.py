"""The certificates for other devices, as other programs check them."""

from __future__ import annotations

import ipaddress
import ssl
import stat
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from fireside.api.certificate import DeviceCertificate, is_on_local_network


def handshake(certificate: DeviceCertificate, server: ssl.SSLContext, name: str) -> None:
    """Shake hands in memory as a client that trusts the authority and checks the name."""
    client = ssl.create_default_context(cadata=certificate.pem)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    one = client.wrap_bio(to_client, to_server, server_hostname=name)
    other = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(10):
        n_waiting = 0
        for end in (one, other):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                n_waiting += 1
        if not n_waiting:
            return
    raise AssertionError("no handshake")


def signed(certificate: DeviceCertificate, *addresses: str) -> ssl.SSLContext:
    context = certificate.make_context()
    certificate.sign_for(addresses, context)
    return context


def test_names_and_addresses_are_vouched_for(tmp_path: Path) -> None:
    certificate = DeviceCertificate(tmp_path / "devices", host_name="Jo’s Mac.home")
    server = signed(certificate, "192.168.1.5", "fd00::5")
    assert certificate.names == ("jo-s-mac.local", "localhost")
    for name in ("192.168.1.5", "fd00::5", "jo-s-mac.local"):
        handshake(certificate, server, name)
    with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
        handshake(certificate, server, "192.168.1.6")
    assert [path.name for path in (tmp_path / "devices").iterdir()] == ["authority.pem"]  # no other key stays
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "devices" / "authority.pem").stat().st_mode) == 0o600


@pytest.mark.parametrize("address", ["93.184.216.34", "2001:db8::1"])
def test_a_trusted_authority_vouches_for_nothing_on_the_internet(tmp_path: Path, address: str) -> None:
    certificate = DeviceCertificate(tmp_path, host_name="Desk")
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
        handshake(certificate, signed(certificate, address), address)
    assert not is_on_local_network(address)
    assert is_on_local_network(str(ipaddress.ip_address("172.31.0.9")))


def test_the_authority_stays_until_it_is_old_or_damaged(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    first = DeviceCertificate(tmp_path, host_name="Desk", now=lambda: now)
    own = x509.load_pem_x509_certificate(first.pem.encode())
    assert own.not_valid_after_utc > now + timedelta(days=3600)
    for later, is_same in ((365 * 9, True), (365 * 10, False)):
        then = now + timedelta(days=later)
        again = DeviceCertificate(tmp_path, host_name="Other", now=then.replace)
        assert (again.fingerprint == first.fingerprint) is is_same
    before = DeviceCertificate(tmp_path, host_name="Desk").fingerprint
    (tmp_path / "authority.pem").write_text("damaged")
    assert DeviceCertificate(tmp_path, host_name="Desk").fingerprint != before


def test_what_the_server_shows_is_short_lived(tmp_path: Path) -> None:
    certificate = DeviceCertificate(tmp_path, host_name="Desk")
    own = x509.load_pem_x509_certificate(certificate._sign(["10.0.0.1"]))
    assert own.not_valid_after_utc - own.not_valid_before_utc < timedelta(days=825)
