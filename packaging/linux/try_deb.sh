#!/usr/bin/env bash
# Installs packages in a bare Debian, uses the program, upgrades it, and purges it.
#
# usage: sudo packaging/linux/try_deb.sh OLD.deb NEW.deb [ROOT]
#
# ROOT: folder of the bare system, which is made by debootstrap if it does not exist (default /tmp/corpus-explorer-root).
# Needs debootstrap, and a mirror of Debian. Stops at the first thing that is not as it should be.
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: $0 OLD.deb NEW.deb [ROOT]" >&2; exit 2; }
old=$(realpath "$1")
new=$(realpath "$2")
root=${3:-/tmp/corpus-explorer-root}
[ -d "$root/usr" ] || debootstrap --variant=minbase bookworm "$root" >/dev/null

inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen "$@"; }
wrong() { echo "$1" >&2; exit 1; }

install() {
    cp "$1" "$root/tmp/package.deb"
    # Only what the package names: nothing that it merely recommends.
    inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /tmp/package.deb >/dev/null
}

inside apt-get update -qq
# All that a purge must leave as it was. Not what the system itself keeps about packages, and caches.
listed() {
    inside find / -xdev \( -path /proc -o -path /root -o -path /tmp -o -path /var/lib/dpkg -o -path /var/lib/apt \
        -o -path /var/cache -o -path /var/log \) -prune -o -print | sort
}
settings() { inside sh -c 'find /root/.config -type f -exec sha256sum {} + 2>/dev/null'; }

# What an earlier run left, if it stopped on its way.
rm -rf "$root/root/My Töne" "$root/root/.config" "$root/root/.cache" "$root/root/.local"
inside env DEBIAN_FRONTEND=noninteractive apt-get purge -y -qq corpus-explorer >/dev/null 2>&1 || true
inside env DEBIAN_FRONTEND=noninteractive apt-get autoremove -y -qq --purge >/dev/null
before=$(listed)
install "$old"
[ "$(inside sh -c 'command -v python3 || true')" = "" ] || echo "note: this system has Python"
first=$(inside dpkg-query -W -f '${Version}' corpus-explorer)
for file in usr/share/applications/corpus-explorer.desktop usr/share/mime/packages/corpus-explorer.xml \
    usr/share/icons/hicolor/scalable/apps/corpus-explorer.svg usr/share/man/man1/corpus-explorer.1.gz; do
    [ -e "$root/$file" ] || wrong "$file is not installed"
done
inside sh -c 'mkdir -p "/root/My Töne" && printf "the cat sat\nthe cat ran\n" > "/root/My Töne/a.txt"'
inside corpus-explorer build "/root/My Töne/a.txt" --out "/root/My Töne/index"
[ "$(inside corpus-explorer count "/root/My Töne/index" "the cat" | cut -f1)" = 2 ] || wrong "the count is wrong"
# The window: it must live until it is ended, and keep its settings over the upgrade.
inside timeout 15 corpus-explorer "/root/My Töne/index" && wrong "the window ended by itself" || [ $? = 124 ] || wrong "the window failed"
kept=$(settings)
[ -n "$kept" ] || wrong "the window left no settings"
install "$new"
second=$(inside dpkg-query -W -f '${Version}' corpus-explorer)
[ "$first" != "$second" ] || wrong "the version is still $first"
[ "$kept" = "$(settings)" ] || wrong "settings changed with the upgrade"
[ "$(inside corpus-explorer count "/root/My Töne/index" "the cat" | cut -f1)" = 2 ] || wrong "the count is wrong after the upgrade"
inside env DEBIAN_FRONTEND=noninteractive apt-get purge -y -qq corpus-explorer >/dev/null
inside env DEBIAN_FRONTEND=noninteractive apt-get autoremove -y -qq --purge >/dev/null
left=$(comm -13 <(echo "$before") <(listed))
[ -z "$left" ] || wrong "left after the purge: $left"
echo "installed $first, upgraded to $second, purged"
