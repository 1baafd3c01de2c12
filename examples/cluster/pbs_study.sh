#!/bin/bash
# SPDX-License-Identifier: MIT
# A plan of `heed study` as an array of PBS (PBS Pro, OpenPBS), in 8 tasks, and its table once all are done:
#
#   run=$(qsub -J 1-8 -v PLAN=/full/path/plan,TASKS=8 pbs_study.sh)
#   qsub -W depend=afterok:"$run" -v PLAN=/full/path/plan,TABLE=/full/path/table.tsv pbs_study.sh
#
# Torque writes -t for -J, and afterokarray for afterok. When tasks died, submit both again: what is finished is passed
# over. HEED names the program where it is not in the PATH of the nodes (-v HEED=...).
#PBS -N heed
#PBS -l select=1:ncpus=1:mem=4gb
#PBS -l walltime=02:00:00
#PBS -j oe
set -eu
heed=${HEED:-heed}
plan=${PLAN:?name the plan: qsub -v PLAN=/full/path/plan}

if [[ -n ${TABLE:-} ]]; then
  exec "$heed" study gather "$plan" -o "$TABLE"
fi
# PBS tells a task its index, but not how many there are. Code 1: all is done, but participants had to be left
# out; the log says whom.
"$heed" study run "$plan" --shard "auto/${TASKS:?say how many tasks: qsub -J 1-8 -v TASKS=8}" --threads 1 || {
  code=$?
  ((code == 1)) || exit "$code"
}
