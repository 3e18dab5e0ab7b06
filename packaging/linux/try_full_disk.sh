#!/usr/bin/env bash
# Installs, upgrades and unpacks the program on a disk that is too small, and checks that nothing is left half done.
#
# usage: sudo packaging/linux/try_full_disk.sh OLD.deb NEW.deb ARCHIVE.tar.zst [ROOT]
#
# ROOT: folder of the bare system that packaging/linux/try_deb.sh made, without the program. The disk is a tmpfs where the
# program goes. Stops at the first thing that is not as it should be.
set -euo pipefail

[ $# -ge 3 ] || { echo "usage: $0 OLD.deb NEW.deb ARCHIVE.tar.zst [ROOT]" >&2; exit 2; }
old=$(realpath "$1")
new=$(realpath "$2")
archive=$(realpath "$3")
root=${4:-/tmp/corpus-explorer-root}
place=$root/usr/lib/corpus-explorer

inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
wrong() { echo "$1" >&2; exit 1; }
status() { inside dpkg-query -W -f '${db:Status-Status} ${Version}' corpus-explorer 2>/dev/null || echo none; }
clear_up() {
    inside apt-get purge -y -qq corpus-explorer >/dev/null 2>&1 || true
    mountpoint -q "$place" && umount "$place"
    rm -rf "$place"
}
# A disk of so many megabytes for the program.
disk() {
    clear_up
    mkdir -p "$place"
    mount -t tmpfs -o "size=$1m" none "$place"
}
install() {
    cp "$1" "$root/tmp/package.deb"
    inside apt-get install -y -qq --no-install-recommends /tmp/package.deb >"$root/tmp/said" 2>&1
}
trap clear_up EXIT
inside apt-get update -qq

# What it needs of the system fits.
clear_up
install "$old"
inside apt-get remove -y -qq corpus-explorer >/dev/null

disk 200
install "$new" && wrong "200 MB were enough"
grep -q "No space left on device" "$root/tmp/said" || wrong "the reason is not told: $(tail -3 "$root/tmp/said")"
case $(status) in installed\ *) wrong "it counts as installed: $(status)" ;; esac
[ -z "$(find "$place" -type f)" ] || wrong "files are left: $(find "$place" -type f | head -3)"
[ ! -e "$root/usr/bin/corpus-explorer" ] || wrong "the command is left"
echo "refused on a small disk, nothing is left"

disk 400
install "$old"
before=$(status)
listed=$(cd "$place" && find . -type f -exec sha256sum {} + | sort)
install "$new" && wrong "400 MB were enough for both versions"
grep -q "No space left on device" "$root/tmp/said" || wrong "the reason is not told"
[ "$listed" = "$(cd "$place" && find . -type f -exec sha256sum {} + | sort)" ] || wrong "the old version was changed"
case $(status) in installed\ *) ;; *) wrong "the old version does not count as installed: $(status)" ;; esac
[ "$before" = "$(status)" ] || wrong "the version is $(status)"
inside corpus-explorer --version >/dev/null || wrong "the old version does not run"
echo "upgrade refused on a small disk, the old version works"

disk 200
code=0
zstd -dc "$archive" | tar -xf - -C "$place" 2>"$root/tmp/said" || code=$?
[ "$code" != 0 ] || wrong "200 MB were enough for the archive"
grep -q "No space left on device" "$root/tmp/said" || wrong "the reason is not told"
echo "unpacking refused on a small disk"
# What was unpacked is not the program: it must not start as if it were.
chroot "$root" env -i HOME=/root PATH=/usr/bin:/bin /usr/lib/corpus-explorer/corpus-explorer/corpus-explorer --version \
    >"$root/tmp/said" 2>&1 && wrong "half a program ran: $(cat "$root/tmp/said")"
grep -q "is not complete" "$root/tmp/said" || wrong "half a program fails without a word about it: $(cat "$root/tmp/said")"
echo "half a program names what is missing"
