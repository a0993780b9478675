#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fuzz the translator and the runtime: a short run with fixed seeds, or a long one.

    tests/fuzz/run.py                             some seconds, as a test
    tests/fuzz/run.py --seconds 7200 --jobs 16    new seeds; where there is clang, libFuzzer too

Needs g++ alone. What goes wrong is shortened, left in /tmp/fuzz-*.input and shown as C; `build/fuzz/api
--input FILE` shows it again. The last line of each part counts runs, calls and seconds.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.insert(0, str(HERE.parent))
from tally import Tally  # pylint: disable=wrong-import-position

SEEDS = ["labs", "solutions", "tests", "common/sim/include"]
PARTS = {"xlate": ["--bytes", "4096", *SEEDS], "api": ["--bytes", "2400"], "checked": ["--bytes", "2400"]}
# What long runs have found; since mended.
FOUND = {"an unchanged header is written as it is": ("xlate", b'obal__ vS_H\n\n#include"R"\n'),
         "a lambda that does not end": ("xlate", b"void f(){ g([] __device__ (int i) { h; ); }"),
         "a macro that undoes the launch before it": ("xlate", b"#define void __shared__ "),
         "another function of a kernel's name": ("xlate", b"fuzz_kernel()"),
         "a copy from a block before its allocation": ("checked", bytes.fromhex(
                  "7d00000000000000000000000000000000000000000000000000000000000000"
                  "5972ad0000000000000c13110a000000ff460000000000f1001aedaf00000000"
                  "6cb0ac0000000074420038c60000b2000000000000000000"))}
FAULTS = ("short fill", "lost free", "silent free", "error kept", "wait forgotten", "lost graph",
          "early call", "other memory")


def make(*targets):
    command = ["make", "-s", f"-j{os.cpu_count()}", *(f"build/fuzz/{name}" for name in targets)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.returncode == 0, done.stdout


def start(name, *arguments, stderr=subprocess.DEVNULL, **environment):
    return subprocess.Popen([f"build/fuzz/{name}", *arguments], cwd=ROOT, env={**os.environ, **environment},
                            stdout=subprocess.PIPE, stderr=stderr, text=True)


def short():
    tally = Tally()
    for name in *PARTS, "broken":
        good, said = make(name)
        tally.check(f"{name} builds", good, said)
    calls = {"xlate": 3000, "api": 38000, "checked": 5500}
    for name, arguments in PARTS.items():
        child = start(name, "--calls", str(calls[name]), *arguments)
        said, _ = child.communicate()
        tally.check(f"{name}: {said.splitlines()[-1]}", child.returncode == 0, said)
    for what, (name, found) in FOUND.items():
        with tempfile.NamedTemporaryFile() as file:
            file.write(found)
            file.flush()
            child = start(name, "--input", file.name)
            said, _ = child.communicate()
        tally.check(what, child.returncode == 0, said)
    for fault in FAULTS:
        child = start("broken", "--calls", "100000", "--shorten", "0", *PARTS["api"], BROKEN=fault)
        said, _ = child.communicate()
        Path(f"/tmp/fuzz-{child.pid}.input").unlink(missing_ok=True)
        tally.check(f"a runtime with a {fault} is noticed", child.returncode == 1, said)
    return tally.close()


def long(seconds, jobs):
    good, said = make(*PARTS)
    if not good:
        sys.exit(said)
    each = max(1, jobs // len(PARTS))
    seed = str(time.time_ns() // 1000)
    print(f"seed {seed}, {each} jobs for each of {', '.join(PARTS)}", flush=True)
    children = {name: start(name, "--seed", seed, "--seconds", str(seconds), "--jobs", str(each), *arguments)
                for name, arguments in PARTS.items()}
    if shutil.which("clang") and make("xlate-guided")[0]:
        corpus = ROOT / "build/fuzz/corpus"
        corpus.mkdir(exist_ok=True)
        children["libFuzzer"] = start("xlate-guided", f"-max_total_time={seconds}", "-timeout=10",
                                      "-max_len=4096", "-artifact_prefix=/tmp/fuzz-", "-verbosity=0",
                                      "-print_final_stats=1", corpus, *SEEDS, stderr=subprocess.STDOUT)
    begin, failed = time.monotonic(), False
    while any(child.poll() is None for child in children.values()):
        time.sleep(1)
        ended = [name for name, child in children.items() if child.poll()]
        if int(time.monotonic() - begin) % 60 == 0:
            print(f"{int(time.monotonic() - begin)} s", *(f"FAILED: {name}" for name in ended), flush=True)
    for name, child in children.items():
        said = child.stdout.read()
        failed |= child.returncode != 0
        counts = [line for line in said.splitlines() if " runs" in line or "executed" in line]
        print(f"{name}: {said if child.returncode or not counts else counts[-1]}")
    return failed


parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("--seconds", type=int, default=0)
parser.add_argument("--jobs", type=int, default=os.cpu_count())
options = parser.parse_args()
sys.exit(long(options.seconds, options.jobs) if options.seconds else short())
