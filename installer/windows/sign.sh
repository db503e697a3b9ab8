#!/bin/sh
# Sign one program for Windows where it lies, on Linux, with osslsigncode: sign.sh FILE
# FIRESIDE_CERTIFICATE is a file with the certificate and those above it, FIRESIDE_KEY its key (PEM, or a URI of
# PKCS #11), FIRESIDE_TIMESTAMP the address of a timestamp server, with which a signature outlives its certificate.
set -eu
file=$1 signed=$1.signed
set -- -certs "$FIRESIDE_CERTIFICATE" -key "$FIRESIDE_KEY" -h sha256 -n Fireside
[ -z "${FIRESIDE_TIMESTAMP:-}" ] || set -- "$@" -ts "$FIRESIDE_TIMESTAMP"
rm -f "$signed"
osslsigncode sign "$@" -in "$file" -out "$signed" >/dev/null
mv "$signed" "$file"
