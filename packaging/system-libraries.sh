#!/bin/sh
# Makes sure that what Python packages cannot bring is there, on Debian and Ubuntu by installing it.
#
# usage: packaging/system-libraries.sh build PYTHON   compiler, Python headers, venv
#        packaging/system-libraries.sh qt PYTHON      shared libraries and a font for Qt
#
# Installs what is missing where it may (root, or sudo without a password); otherwise prints the one
# command that does, and fails. Does nothing where nothing is missing.
set -eu
part=$1
python=$2

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Python 3.11 or newer is needed, and $python is not. Name one: make PYTHON=python3.12 ..." >&2
    exit 1
fi

missing_build() {
    command -v cc >/dev/null 2>&1 || echo "a C compiler"
    "$python" - <<'PY'
import importlib.util, pathlib, sysconfig
if not pathlib.Path(sysconfig.get_paths()["include"], "Python.h").exists():
    print("the headers of Python (Python.h)")
if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
    print("Python's venv module")
PY
}

missing_qt() {
    [ "$(uname -s)" = Linux ] || return 0
    qt=$("$python" -c 'import importlib.util as u; print(u.find_spec("PySide6").submodule_search_locations[0])')
    for file in "$qt/Qt/lib/libQt6Widgets.so.6" "$qt/Qt/lib/libQt6Svg.so.6" \
        "$qt/Qt/plugins/platforms/libqxcb.so" "$qt/Qt/plugins/platforms/libqoffscreen.so"; do
        if [ -e "$file" ]; then ldd "$file" | grep 'not found' || true; fi
    done
    if ! find /usr/share/fonts /usr/local/share/fonts "${HOME:-/root}/.fonts" "${HOME:-/root}/.local/share/fonts" \
        \( -name '*.ttf' -o -name '*.otf' -o -name '*.ttc' \) 2>/dev/null | grep -q .; then
        echo "a font"
    fi
}

version=$("$python" -c 'import sys; print(f"{sys.version_info[0]}.{sys.version_info[1]}")')
case $part in
build) packages="gcc libc6-dev python$version-dev python$version-venv" ;;
qt)
    packages="libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libglib2.0-0
 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0
 libxcb-xinerama0 libxcb-xkb1 libwayland-cursor0 libwayland-egl1 fontconfig fonts-noto-core fonts-noto-mono"
    ;;
*)
    echo "usage: $0 build|qt PYTHON" >&2
    exit 2
    ;;
esac

if [ -z "$("missing_$part")" ]; then exit 0; fi

# shellcheck disable=SC2086
command="apt-get install -y --no-install-recommends $(echo $packages)"
if command -v apt-get >/dev/null 2>&1; then
    as_root=
    if [ "$(id -u)" != 0 ]; then as_root="sudo -n"; fi
    if [ -z "$as_root" ] || $as_root true 2>/dev/null; then
        echo "Installing system packages: $(echo $packages)"
        export DEBIAN_FRONTEND=noninteractive
        $as_root apt-get update -qq || true
        $as_root $command >/dev/null || true
    fi
    if [ -z "$("missing_$part")" ]; then exit 0; fi
    echo "Something is missing on this system:" >&2
    "missing_$part" >&2
    echo "This one command installs it:" >&2
    echo "    sudo $command" >&2
    exit 1
fi
echo "These are missing; install them with your package manager:" >&2
"missing_$part" >&2
exit 1
