#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what the memory profile counts with what Nsight Compute counted on an H200 (h200.tsv, by ncu.sh).

Cells of the table: the profile's count and, where it differs, the H200's in brackets; nothing stands for 0.

usage: run.py [--simcc PATH] [--table] [NAME ...]     (default: every .cu beside this script)

A difference fails unless differences.txt explains it. --table prints the tables of docs/parity.md. Without
names the counting is tested by itself too (profile_test.c), and what SIM_PROFILE writes.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
L1 = "l1tex__%s_pipe_lsu_mem_%s"
# What is compared: a column, the profile's count, and the counters whose sum it must equal, those after "-"
# taken away. An instruction of a warp with no lane to run it (pred_off_all) asks nothing of memory.
COLUMNS = {
    "ld requests": ("global load requests", L1 % ("t_requests", "global_op_ld")),
    "ld sectors": ("global load sectors", L1 % ("t_sectors", "global_op_ld")),
    "st requests": ("global store requests", L1 % ("t_requests", "global_op_st")),
    "st sectors": ("global store sectors", L1 % ("t_sectors", "global_op_st")),
    "atomic requests": ("global atomic requests", L1 % ("t_requests", "global_op_red"),
                        L1 % ("t_requests", "global_op_atom")),
    "atomic sectors": ("global atomic sectors", L1 % ("t_sectors", "global_op_red"),
                       L1 % ("t_sectors", "global_op_atom")),
    "shared ld": ("shared load requests", "smsp__inst_executed_op_shared_ld_pred_on_any"),
    "shared ld conflicts": ("shared load conflicts", L1 % ("data_bank_conflicts", "shared_op_ld")),
    "shared st": ("shared store requests", "smsp__inst_executed_op_shared_st_pred_on_any"),
    "shared st conflicts": ("shared store conflicts", L1 % ("data_bank_conflicts", "shared_op_st")),
    "shared atomic": ("shared atomic requests", "smsp__inst_executed_op_shared_atom"),
    "shared atomic conflicts": ("shared atomic conflicts", L1 % ("data_bank_conflicts", "shared_op_atom")),
    "constant conflicts": ("constant load conflicts", "idc__requests", "-smsp__inst_executed_op_ldc"),
    "local ld requests": ("local load requests", L1 % ("t_requests", "local_op_ld")),
    "local ld sectors": ("local load sectors", L1 % ("t_sectors", "local_op_ld")),
    "local st requests": ("local store requests", L1 % ("t_requests", "local_op_st")),
    "local st sectors": ("local store sectors", L1 % ("t_sectors", "local_op_st")),
}


def counted(simcc, source):
    """{kernel: {"space op count": value}} of a program's profile."""
    with tempfile.TemporaryDirectory() as folder:
        program, profile = os.path.join(folder, "program"), os.path.join(folder, "profile.json")
        subprocess.run([simcc, "--check", source.name, "-o", program], check=True, cwd=source.parent)
        subprocess.run([program], check=True, env=dict(os.environ, SIM_PROFILE=profile))
        rows = json.loads(pathlib.Path(profile).read_text())
    sums = collections.defaultdict(collections.Counter)
    for row in rows:
        for count in "requests", "sectors", "conflicts":
            sums[row["kernel"]][f"{row['space']} {row['op']} {count}"] += row[count]
    return sums


def recorded():
    """{kernel: {counter: value}} in the order in which they ran."""
    lines = [line for line in (HERE / "h200.tsv").read_text().splitlines() if not line.startswith("#")]
    return {row.pop("kernel"): row for row in csv.DictReader(lines, delimiter="\t")}


def expected(counts, counters):
    """The H200's count; a constant that no lane loads is an instruction without a request: not below 0."""
    return max(0, sum(-int(counts[c[1:]]) if c[0] == "-" else int(counts[c]) for c in counters))


def explained():
    """{(kernel, column): reason} from differences.txt, whose lines are `kernel column: reason`."""
    reasons = {}
    for line in (HERE / "differences.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            what, _, reason = line.partition(": ")
            reasons[tuple(what.split(" ", 1))] = reason
    return reasons


def unit_test(simcc):
    """Complaints of profile_test.c."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        subprocess.run([simcc, "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/common/sim/src",
                        HERE / "profile_test.c", "-o", program], check=True)
        done = subprocess.run([program], stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()[:-1] + [f"exit {done.returncode}"] * (done.returncode > 1)


API = """#include <cooperative_groups.h>
#include <sim/profile.h>
#include <stdio.h>
__global__ void shift(float *x) { float v = x[threadIdx.x]; cooperative_groups::this_grid().sync();
                                  x[2 * threadIdx.x] = v; }
template <class T> __global__ void twice(T *x) { x[threadIdx.x] += 1; __syncthreads(); x[threadIdx.x] += 1; }
int main()
{
    float *x;
    cudaMalloc(&x, 1024);
    cudaMemset(x, 0, 1024);
    twice<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    printf("%d", sim_profile_start());
    twice<<<1, 64>>>(x);
    void *arguments[] = {&x};
    cudaLaunchCooperativeKernel((const void *)shift, dim3(2), dim3(64), arguments, 0, 0);
    cudaDeviceSynchronize();
    sim_profile_stop();
    twice<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    sim_profile_row all = sim_profile_sum(NULL, NULL, NULL), stores = sim_profile_sum("shift", NULL, "store"),
                    loads = sim_profile_sum("shift", "global", "load"), row;
    size_t rows = 0;
    while (sim_profile_at(rows, &row))
        rows++;
    printf(" %llu %llu %llu %.2f %zu\\n", all.requests, loads.sectors, stores.sectors,
           sim_profile_efficiency(&stores), rows);
    cudaFree(x);
    return 0;
}
"""


def interface(simcc):
    """Complaints about sim/profile.h, in all orders of threads."""
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "api.cu").write_text(API)
        subprocess.run([simcc, "--check", "api.cu", "-o", "program"], check=True, cwd=folder)
        for order in "forward", "reverse", "random":
            done = subprocess.run(["./program"], stdout=subprocess.PIPE, text=True, cwd=folder,
                                  env=dict(os.environ, SIM_ORDER=order, SIM_ON_FINDING="ignore"))
            if done.stdout != "1 16 16 32 0.50 4\n":
                complaints.append(f"SIM_ORDER={order}: {done.stdout}")
    return complaints


def outputs(simcc):
    """Complaints about the forms in which SIM_PROFILE writes a profile."""
    complaints = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "a <&\"\\ b.cu"
        source.write_text("__global__ void k(int *p)\n{\n\tp[2 * threadIdx.x] = 1 < 2 && 3 > 2;\n}\n"
                          "int main() { int *p; cudaMalloc(&p, 256); k<<<1, 32>>>(p); cudaFree(p); }\n")
        subprocess.run([simcc, "--check", source.name, "-o", "program"], check=True, cwd=folder)
        subprocess.run([simcc, source.name, "-o", "fast"], check=True, cwd=folder)
        (folder / "full.json").symlink_to("/dev/full")

        def said(value, status, program="./program"):
            done = subprocess.run([program], stderr=subprocess.PIPE, text=True, cwd=folder,
                                  env=dict(os.environ, SIM_PROFILE=value))
            if done.returncode != status:
                complaints.append(f"SIM_PROFILE={value}: exit {done.returncode}, not {status}: {done.stderr}")
            return done.stderr

        def expect(text, words):
            complaints.extend(f"does not say {word!r}: {text}" for word in words if word not in text)

        expect(said("1", 0), ["[sim] ", "b.cu:3 ", "global", "store", "50.0 %"])
        expect(said("yes", 1), ["SIM_PROFILE=yes is not understood", "FILE.json"])
        expect(said("none/a.json", 1), ["SIM_PROFILE=none/a.json cannot be written: No such file"])
        expect(said("full.json", 1), ["SIM_PROFILE=full.json cannot be written: No space left"])
        expect(said("1", 0, "./fast"), ["--check"])
        expect(said("a.json", 0), [])
        rows = json.loads((folder / "a.json").read_text())
        wanted = {"kernel": "k", "file": source.name, "line": 3, "space": "global", "op": "store",
                  "requests": 1, "bytes": 128, "sectors": 8, "conflicts": 0, "efficiency": 0.5}
        if rows != [wanted]:
            complaints.append(f"JSON: {rows}, not [{wanted}]")
        expect(said("a.svg", 0), [])
        picture = " ".join(xml.etree.ElementTree.parse(folder / "a.svg").getroot().itertext())
        expect(picture, ["p[2 * threadIdx.x] = 1 < 2 && 3 > 2;", "global store", source.name,
                         "128 B asked, 256 B moved: 50 %"])
    return complaints


def table(source, gpu, sim):
    """Print what the kernels of a source came to, in the columns in which there is something."""
    rows = {kernel: [(sim[kernel][count], expected(read, counters)) for count, *counters in COLUMNS.values()]
            for kernel, read in gpu.items()}
    shown = [i for i in range(len(COLUMNS)) if any(row[i] != (0, 0) for row in rows.values())]
    print(f"\n### {source.name}\n")
    print("| kernel |", " | ".join(list(COLUMNS)[i] for i in shown), "|")
    print("|---" * (1 + len(shown)) + "|")
    for kernel, row in rows.items():
        cells = [str(here or "") if here == there else f"{here} ({there})" for here, there in row]
        print("|", kernel, "|", " | ".join(cells[i] for i in shown), "|")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--simcc", default=ROOT / "build/bin/simcc", type=pathlib.Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    sources = [path for path in sorted(HERE.glob("*.cu")) if path.stem in (options.names or [path.stem])]
    reasons, gpu, used = explained(), recorded(), set()
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = list(pool.map(lambda source: counted(options.simcc.resolve(), source), sources))
    sim = collections.defaultdict(collections.Counter)
    for program in programs:
        sim.update(program)
    if options.table:
        for source, program in zip(sources, programs):
            table(source, {kernel: counts for kernel, counts in gpu.items() if kernel in program}, sim)
        return 0
    for kernel in [k for k in gpu if k in sim or not options.names]:
        wrong = []
        for column, (count, *counters) in COLUMNS.items():
            here, there = sim[kernel][count], expected(gpu[kernel], counters)
            if here != there:
                used.add((kernel, column))
                if (kernel, column) not in reasons:
                    wrong.append(f"{column}: {here}, on the H200 {there}")
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"FAIL {kernel}", *wrong, sep="\n     ")
    alone = {} if options.names else {
        "profile_test": unit_test(options.simcc.resolve()), "interface": interface(options.simcc.resolve()),
        "outputs": outputs(options.simcc.resolve())}
    for name, complaints in alone.items():
        passed, failed = passed + (not complaints), failed + bool(complaints)
        if complaints:
            print(f"FAIL {name}", *complaints, sep="\n     ")
    for kernel, column in sorted(reasons.keys() - used if not options.names else ()):
        failed += 1
        print(f"FAIL differences.txt: {kernel} {column} does not differ")
    unknown = sorted(sim.keys() - gpu.keys())
    if unknown:
        print(f"{len(unknown)} kernels are not in h200.tsv: {unknown[0]} ...")
    print(f"{passed} passed, {failed} failed, {len(unknown)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
