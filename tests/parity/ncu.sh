#!/bin/bash
# SPDX-License-Identifier: MIT
# Count, on a GPU, what the kernels beside this ask of memory: FOLDER/h200.tsv, one line a kernel.
# usage: ncu.sh [FOLDER]       (default build/parity; needs nvcc, ncu and leave to read the counters)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-build/parity}
mkdir -p "$folder"

wanted="
l1tex__t_requests_pipe_lsu_mem_global_op_ld l1tex__t_sectors_pipe_lsu_mem_global_op_ld
l1tex__t_requests_pipe_lsu_mem_global_op_st l1tex__t_sectors_pipe_lsu_mem_global_op_st
l1tex__t_requests_pipe_lsu_mem_global_op_red l1tex__t_sectors_pipe_lsu_mem_global_op_red
l1tex__t_requests_pipe_lsu_mem_global_op_atom l1tex__t_sectors_pipe_lsu_mem_global_op_atom
l1tex__t_requests_pipe_lsu_mem_local_op_ld l1tex__t_sectors_pipe_lsu_mem_local_op_ld
l1tex__t_requests_pipe_lsu_mem_local_op_st l1tex__t_sectors_pipe_lsu_mem_local_op_st
smsp__inst_executed_op_shared_ld_pred_on_any smsp__inst_executed_op_shared_st_pred_on_any
smsp__inst_executed_op_shared_atom
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom
smsp__inst_executed_op_ldc idc__requests"

# Not every chip has every counter.
ncu --query-metrics --chip gh100 >"$folder/metrics.txt"
metrics=
for metric in $wanted; do
    if grep -q "^$metric " "$folder/metrics.txt"; then
        metrics=$metrics${metrics:+,}$metric.sum
    fi
done

[ -n "$metrics" ] || { echo "ncu knows none of the counters: see $folder/metrics.txt"; exit 1; }
rm -f "$folder"/*.csv
for source in "$here"/*.cu; do
    name=$(basename "$source" .cu)
    nvcc -std=c++17 -O3 -lineinfo -arch=native -o "$folder/$name" "$source"
    ncu --clock-control none --csv --print-units base --kernel-name-base function --metrics "$metrics" \
        --log-file "$folder/$name.csv" "$folder/$name"
done

{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | sed 's/^/# /'
    ncu --version | sed -n 's/^Version/# Nsight Compute/p'
    python3 - "$folder"/*.csv <<'END'
import csv, sys
kernels = {}
for path in sys.argv[1:]:
    lines = [line for line in open(path) if line.startswith('"')]
    for row in csv.DictReader(lines):
        value = int(float(row["Metric Value"].replace(",", "") or 0))
        kernels.setdefault(row["Kernel Name"], {})[row["Metric Name"].removesuffix(".sum")] = value
counters = list(dict.fromkeys(name for counts in kernels.values() for name in counts))
print("kernel", *counters, sep="\t")
for kernel, counts in kernels.items():
    print(kernel, *(counts.get(name, "") for name in counters), sep="\t")
END
} >"$folder/h200.tsv"
echo "$(grep -c '^k_' "$folder/h200.tsv") kernels in $folder/h200.tsv"
