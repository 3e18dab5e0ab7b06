"""Sign programs for Windows, if there is a certificate.

python packaging/windows/sign.py FILE…

WINDOWS_CERTIFICATE has a certificate with its key (PKCS #12, in base64), and WINDOWS_CERTIFICATE_PASSWORD its password.
Without them nothing is signed, and Windows warns people before the first start. Needs the SDK of Windows.
"""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TIME_SERVER = "http://timestamp.digicert.com"
"""Who confirms the time, so that a signature is good for longer than its certificate."""


def signing(signtool: Path, certificate: Path, password: str, files: list[str]) -> list[str]:
    """The command that signs files."""
    command = [str(signtool), "sign", "/q", "/fd", "SHA256", "/td", "SHA256", "/tr", TIME_SERVER]
    return [*command, "/f", str(certificate), "/p", password, *files]


def find_signtool() -> Path:
    """The newest of the SDKs of Windows that are installed."""
    kits = Path(os.environ.get("PROGRAMFILES(X86)", "")) / "Windows Kits" / "10" / "bin"
    found = sorted(kits.glob("10.*/x64/signtool.exe"), key=lambda path: [int(n) for n in path.parts[-3].split(".")])
    if not found:
        raise SystemExit(f"signtool is missing in {kits}: install the SDK of Windows.")
    return found[-1]


def main(files: list[str]) -> int:
    coded = os.environ.get("WINDOWS_CERTIFICATE", "")
    if not coded:
        print(f"Not signed, since there is no certificate: {', '.join(files)}")
        return 0
    with tempfile.TemporaryDirectory() as place:
        certificate = Path(place) / "certificate.pfx"
        certificate.write_bytes(base64.b64decode(coded))
        command = signing(find_signtool(), certificate, os.environ.get("WINDOWS_CERTIFICATE_PASSWORD", ""), files)
        done = subprocess.run(command, check=False)
    # Not by an exception, which would show the password.
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
