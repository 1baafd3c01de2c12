#!/bin/bash
# SPDX-License-Identifier: MIT
# A plan of `heed study` as an array of Grid Engine (SGE, Univa, Open Grid Scheduler), in 8 tasks, and its table once all
# are over:
#
#   qsub -N heed -v PLAN=/full/path/plan -t 1-8 sge_study.sh
#   qsub -hold_jid heed -v PLAN=/full/path/plan,TABLE=/full/path/table.tsv sge_study.sh
#
# The second waits for the first to end, well or not; where results are missing `gather` says so and writes nothing. When
# tasks died, submit both again: what is finished is passed over. HEED names the program where it is not in the PATH of
# the nodes (-v HEED=...).
#$ -cwd
#$ -j y
#$ -l h_rt=02:00:00
#$ -l h_vmem=4G
#$ -S /bin/bash
set -eu
heed=${HEED:-heed}
plan=${PLAN:?name the plan: qsub -v PLAN=/full/path/plan}

if [[ -n ${TABLE:-} ]]; then
  exec "$heed" study gather "$plan" -o "$TABLE"
fi
"$heed" study run "$plan" --shard auto --threads 1
