#!/usr/bin/env bash
#SBATCH --job-name=corpus-explorer
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=12:00:00
# A cluster in a job of Slurm, with a worker per node, for one command, in which {cluster} is its address.
#
# usage: CERTIFICATES=DIR sbatch packaging/cluster/slurm.sh \
#            corpus-explorer build texts/ --out index --shards 8 --cluster {cluster} --allow-remote
#
# CERTIFICATES  folder with ca.pem, cert.pem and key.pem, at the same path on all nodes
# SHARDS        folders of indexes on the nodes, separated by colons; not needed to build
# PORT          of the scheduler (default 8786)
# DRY_RUN       print the commands instead
set -euo pipefail

: "${CERTIFICATES:?names no folder of certificates: without them, anybody could run programs on all nodes}"
[ $# -gt 0 ] || { echo "usage: CERTIFICATES=DIR sbatch packaging/cluster/slurm.sh COMMAND..." >&2; exit 2; }
# Not by `head`: a program that still writes when it ends fails, and with it the script.
read -r head < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
cluster=tls://$head:${PORT:-8786}
tls=(--tls-ca-file "$CERTIFICATES/ca.pem" --tls-cert "$CERTIFICATES/cert.pem" --tls-key "$CERTIFICATES/key.pem")
# The command itself connects with the same certificates.
export DASK_DISTRIBUTED__COMM__TLS__CA_FILE=$CERTIFICATES/ca.pem
export DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT=$CERTIFICATES/cert.pem
export DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY=$CERTIFICATES/key.pem
export CORPUS_EXPLORER_SHARDS=${SHARDS:-}

begin() {
    if [ -n "${DRY_RUN:-}" ]; then
        printf '%q ' "$@"
        printf '\n'
    else
        "$@" &
    fi
}

trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
begin srun --overlap --nodes=1 --ntasks=1 --nodelist="$head" \
    dask scheduler --protocol tls --port "${PORT:-8786}" --no-dashboard "${tls[@]}"
# Memory is not limited: mapped files count as memory.
begin srun --overlap --ntasks="$SLURM_NNODES" \
    dask worker "$cluster" --no-dashboard --memory-limit 0 "${tls[@]}"
# The scheduler may take a while to start; workers that are late take part as soon as they are there.
for _ in {1..120}; do
    [ -z "${DRY_RUN:-}" ] && ! (exec 3<>"/dev/tcp/$head/${PORT:-8786}") 2>/dev/null || break
    sleep 1
done
command=("${@//\{cluster\}/$cluster}")
if [ -n "${DRY_RUN:-}" ]; then
    printf '%q ' "${command[@]}"
    printf '\n'
else
    "${command[@]}"
fi
