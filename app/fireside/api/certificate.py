"""The certificates by which other devices know this computer: an authority of its own, which is pinned, and
the server's, which it signs for the addresses of the moment.

The authority stays for ten years, so what devices pinned or installed stays true while addresses change. It
can sign for names and addresses of local networks alone (RFC 5280, name constraints): installed on a
telephone, it vouches for nothing else. The server's is short-lived: iOS takes none of more than 825 days.
"""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import os
import secrets
import ssl
import tempfile
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fireside.files.atomic_replace import replace_file
from fireside.files.private_files import make_private_folder

if TYPE_CHECKING:  # Takes 50 ms to import, and only where the switch is on.
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

log = logging.getLogger(__name__)

_AUTHORITY_NAME: Final = "authority.pem"
"""Key and certificate."""
_AUTHORITY_LIFE: Final = timedelta(days=3650)
_RENEWED_BEFORE: Final = timedelta(days=30)
_SERVER_LIFE: Final = timedelta(days=397)
_CLOCK_SKEW: Final = timedelta(days=1)
_LOCAL_NETWORKS: Final = (
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "::1/128",
    "fc00::/7",
)
_LOCAL_DOMAINS: Final = ("localhost", "local", "lan", "home.arpa", "internal")
_MAX_NAME: Final = 60


def is_on_local_network(address: str) -> bool:
    """Whether an IP address is of a network that the certificates are for."""
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(number in network for network in map(ipaddress.ip_network, _LOCAL_NETWORKS))


class DeviceCertificate:
    """The authority in ``folder``, and what it signs. Blocks.

    Args:
        now: the current time, with its zone.
    """

    def __init__(
        self, folder: Path, *, host_name: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._folder = folder
        self._host_name = _plain_name(host_name)
        self._now = now
        self._key, self._authority = self._read() or self._make()

    @property
    def pem(self) -> str:
        """The authority's certificate, for devices that install it."""
        from cryptography.hazmat.primitives.serialization import Encoding

        return self._authority.public_bytes(Encoding.PEM).decode()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the authority's certificate, in hexadecimal."""
        from cryptography.hazmat.primitives.serialization import Encoding

        return hashlib.sha256(self._authority.public_bytes(Encoding.DER)).hexdigest()

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which this computer is known on a local network."""
        return (f"{self._host_name}.local", "localhost")

    def make_context(self) -> ssl.SSLContext:
        """Return a context for servers, without a certificate. TLS 1.2 is what older telephones speak."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
        return context

    def sign_for(self, addresses: Iterable[str], context: ssl.SSLContext) -> None:
        """Give ``context`` a new certificate for ``addresses`` and ``names``, with a new key. Connections
        keep the one before. Raises ``OSError``."""
        content = self._sign(addresses)
        number, name = tempfile.mkstemp(dir=self._folder)  # of this user alone; ssl reads files only
        try:
            with os.fdopen(number, "wb") as file:
                file.write(content)
            context.load_cert_chain(name)
        finally:
            Path(name).unlink()

    def _sign(self, addresses: Iterable[str]) -> bytes:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding
        from cryptography.x509.oid import ExtendedKeyUsageOID

        key = ec.generate_private_key(ec.SECP256R1())
        alternatives: Sequence[x509.GeneralName] = [
            *map(x509.DNSName, self.names),
            *(x509.IPAddress(ipaddress.ip_address(each)) for each in sorted(set(addresses))),
        ]
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        certificate = (
            self._builder(key, name=self._host_name, life=_SERVER_LIFE)
            .issuer_name(self._authority.subject)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(usage, critical=False)
            .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False
            )
            .sign(self._key, hashes.SHA256())
        )
        return _key_pem(key) + certificate.public_bytes(Encoding.PEM) + self.pem.encode()

    def _read(self) -> tuple[EllipticCurvePrivateKey, x509.Certificate] | None:
        """Return the stored authority; ``None`` if there is none, or one that cannot be used any more."""
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        path = self._folder / _AUTHORITY_NAME
        try:
            content = path.read_bytes()
            key = load_pem_private_key(content, password=None)
            certificate = x509.load_pem_x509_certificate(content)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as exc:
            log.warning("the certificate for other devices cannot be read: %r", exc)
            return None
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
            log.warning("the certificate for other devices is damaged")
            return None
        if certificate.not_valid_after_utc < self._now() + _RENEWED_BEFORE:
            return None
        return key, certificate

    def _make(self) -> tuple[EllipticCurvePrivateKey, x509.Certificate]:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding

        key = ec.generate_private_key(ec.SECP256R1())
        name = f"Fireside on {self._host_name} ({secrets.token_hex(3)})"
        builder = self._builder(key, name=name, life=_AUTHORITY_LIFE)
        constraints = x509.NameConstraints(
            permitted_subtrees=[
                *(x509.DNSName(each) for each in _LOCAL_DOMAINS),
                *(x509.IPAddress(ipaddress.ip_network(each)) for each in _LOCAL_NETWORKS),
            ],
            excluded_subtrees=None,
        )
        certificate = (
            builder.issuer_name(_subject(name))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .add_extension(constraints, critical=True)
            .sign(key, hashes.SHA256())
        )
        make_private_folder(self._folder)
        replace_file(self._folder / _AUTHORITY_NAME, _key_pem(key) + certificate.public_bytes(Encoding.PEM))
        return key, certificate

    def _builder(
        self, key: EllipticCurvePrivateKey, *, name: str, life: timedelta
    ) -> x509.CertificateBuilder:
        from cryptography import x509

        return (
            x509.CertificateBuilder()
            .subject_name(_subject(name))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self._now() - _CLOCK_SKEW)
            .not_valid_after(self._now() + life)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        )


def _subject(name: str) -> x509.Name:
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _key_pem(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _plain_name(host_name: str) -> str:
    """Return the first part of a host's name, as it may stand in a certificate."""
    first = host_name.partition(".")[0].lower()
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in first).strip("-")
    return plain[:_MAX_NAME] or "computer"
