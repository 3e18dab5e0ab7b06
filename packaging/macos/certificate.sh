#!/usr/bin/env bash
# Lets a job of GitHub sign for macOS, if it has the certificate: without one it does nothing.
#
# APPLE_CERTIFICATE: a certificate "Developer ID Application" with its key (PKCS #12, in base64).
# APPLE_CERTIFICATE_PASSWORD: its password.
# APPLE_NOTARY_KEY: the text of a key of App Store Connect, for the notary; may be empty.
#
# Later steps get CORPUS_EXPLORER_IDENTITY and NOTARY_KEY, which packaging/macos/make_dmg.py reads.
set -euo pipefail

[ -n "${APPLE_CERTIFICATE:-}" ] || { echo "There is no certificate, so the signature names nobody."; exit 0; }

keychain=$RUNNER_TEMP/signing.keychain-db
password=$(uuidgen)
base64 --decode <<<"$APPLE_CERTIFICATE" >"$RUNNER_TEMP/certificate.p12"
security create-keychain -p "$password" "$keychain"
# Open for six hours: the notary may take long.
security set-keychain-settings -lut 21600 "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$RUNNER_TEMP/certificate.p12" -k "$keychain" -P "$APPLE_CERTIFICATE_PASSWORD" -f pkcs12 -T /usr/bin/codesign
rm "$RUNNER_TEMP/certificate.p12"
# Without this, codesign would ask a person for the password.
security set-key-partition-list -S apple-tool:,apple: -s -k "$password" "$keychain" >/dev/null
security list-keychains -d user -s "$keychain" login.keychain-db
identity=$(security find-identity -v -p codesigning "$keychain" | awk 'NR == 1 { print $2 }')
echo "CORPUS_EXPLORER_IDENTITY=$identity" >>"$GITHUB_ENV"

if [ -n "${APPLE_NOTARY_KEY:-}" ]; then
    printf '%s\n' "$APPLE_NOTARY_KEY" >"$RUNNER_TEMP/notary.p8"
    echo "NOTARY_KEY=$RUNNER_TEMP/notary.p8" >>"$GITHUB_ENV"
fi
