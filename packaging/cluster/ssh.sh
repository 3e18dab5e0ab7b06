#!/usr/bin/env bash
# A cluster on machines that are reached by ssh: a scheduler on this machine, and a worker on each HOST, until Ctrl-C.
#
# usage: CERTIFICATES=DIR [SHARDS=PATHS] [DRY_RUN=1] packaging/cluster/ssh.sh HOST...
#
# CERTIFICATES  folder with ca.pem, cert.pem and key.pem, at the same path on all machines
# SHARDS        folders of indexes on the workers, separated by colons; not needed to build
# ADDRESS       name or address of this machine for the workers (default: its full name)
# PORT          of the scheduler (default 8786)
# DASK          the program on all machines (default: dask)
# SSH           how a machine is reached (default: ssh -tt -o BatchMode=yes)
# DRY_RUN       print the commands instead
set -euo pipefail

: "${CERTIFICATES:?names no folder of certificates: without them, anybody could run programs on all machines}"
[ $# -gt 0 ] || { echo "usage: CERTIFICATES=DIR packaging/cluster/ssh.sh HOST..." >&2; exit 2; }
address=${ADDRESS:-$(hostname -f)}
port=${PORT:-8786}
dask=${DASK:-dask}
read -r -a ssh <<<"${SSH:-ssh -tt -o BatchMode=yes}"
tls=(--tls-ca-file "$CERTIFICATES/ca.pem" --tls-cert "$CERTIFICATES/cert.pem" --tls-key "$CERTIFICATES/key.pem")

begin() {
    if [ -n "${DRY_RUN:-}" ]; then
        printf '%q ' "$@"
        printf '\n'
    else
        "$@" &
    fi
}

# What was begun here ends with this script; workers end when their connection does.
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
begin "$dask" scheduler --protocol tls --port "$port" --no-dashboard "${tls[@]}"
for host in "$@"; do
    # Quoted once more, for the shell of the other machine. Memory is not limited: mapped files count as memory.
    worker=$(printf '%q ' env "CORPUS_EXPLORER_SHARDS=${SHARDS:-}" "$dask" worker "tls://$address:$port" \
        --no-dashboard --memory-limit 0 "${tls[@]}")
    begin "${ssh[@]}" "$host" "$worker"
done
wait
