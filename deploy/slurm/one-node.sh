#!/usr/bin/env bash
# A Slurm cluster of this one machine, to try worker.sbatch on: munged, slurmctld and slurmd, with all they write below one
# folder. It needs root, also in a container, and Debian's packages slurm-wlm and munge; nothing below /etc is touched.
# Usage: deploy/slurm/one-node.sh start DIR    starts it and says which variable sinfo, sbatch and the others need
#        deploy/slurm/one-node.sh stop DIR     ends all jobs and the three daemons
set -euo pipefail

fail() {
    printf 'one-node: %s\n' "$1" >&2
    exit 1
}

usage='usage: one-node.sh start DIR | stop DIR'
[ "$#" -eq 2 ] || fail "$usage"
action=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
export SLURM_CONF="$dir/slurm.conf"
# Debian keeps daemons where only root looks.
export PATH="$PATH:/usr/sbin:/sbin"

write_slurm_conf() {
    local host cpus memory_mib
    host=$(hostname -s)
    cpus=$(nproc)
    memory_mib=$(awk '/^MemTotal:/ { print int($2 / 1024 * 3 / 4) }' /proc/meminfo)
    cat >"$SLURM_CONF" <<CONF
ClusterName=one-node
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
# A container has no cgroups of its own to give to jobs: processes are found by their parents.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
# Slurm's own limit is kept to the minute, and jobs are looked at every half minute; what is left here makes tries short.
OverTimeLimit=0
KillWait=10
MinJobAge=600
ReturnToService=2
MpiDefault=none
MailProg=/bin/true
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$memory_mib State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
}

start() {
    local program
    [ "$(id -u)" -eq 0 ] || fail 'the daemons of Slurm need root; run this as root, or in a container where you are'
    for program in munged slurmctld slurmd sinfo; do
        command -v "$program" >/dev/null 2>&1 || fail "there is no $program; install it with: apt-get install slurm-wlm munge"
    done
    [ ! -e "$dir/slurmd.pid" ] || fail "a cluster runs in $dir, or was not stopped; run: one-node.sh stop $dir"
    mkdir -p "$dir/state" "$dir/spool"
    write_slurm_conf
    # Anyone who has the key may act as any user of this cluster.
    [ -e "$dir/munge.key" ] || (umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
    # --force: munged would have the folder be its own, and not below one that others may write to, as /tmp is.
    munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
        --log-file="$dir/munged.log" --seed-file="$dir/munged.seed" 2>"$dir/munged.errors" || fail "munged did not start; see $dir/munged.errors"
    slurmctld || fail "slurmctld did not start; see $dir/slurmctld.log"
    slurmd || fail "slurmd did not start; see $dir/slurmd.log"
    for _ in $(seq 60); do
        if [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]; then
            printf 'export SLURM_CONF=%s\n' "$SLURM_CONF"
            return 0
        fi
        sleep 0.5
    done
    fail "the node is not idle after 30 s; see $dir/slurmctld.log and $dir/slurmd.log"
}

# Each daemon by the process id that it wrote itself; waits until it is gone.
end() {
    local file="$dir/$1.pid" pid
    [ -e "$file" ] || return 0
    pid=$(cat "$file")
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 100); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    rm -f "$file"
}

stop() {
    # Jobs first: slurmd leaves them running when it ends.
    if scancel --full --state=RUNNING --state=PENDING 2>/dev/null; then
        for _ in $(seq 60); do
            [ -n "$(squeue --noheader --states=RUNNING,COMPLETING 2>/dev/null)" ] || break
            sleep 0.5
        done
    fi
    end slurmd
    end slurmctld
    end munged
}

case $action in
start) start ;;
stop) stop ;;
*) fail "$usage" ;;
esac
