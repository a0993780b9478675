#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build each program with `simcc --check`, run it in several orders, and check what its comments promise.

    // run: ARGS                  begins what is said about one run, with these arguments; what stands before
                                  the first `run` holds for all; without any: one run, without arguments
    // finding: KIND @a@ @b@ ...  a finding of KIND at the line that ends with the comment `// a`; what is
                                  said names every mark's line; without marks: a finding at any place
    // expect: TEXT               TEXT is in what the program printed (both streams)
    // first: TEXT                the same, but only when threads run in forward order
    // expect-not: TEXT           and this is not
    // exit: N                    status; also: signal, nonzero, any; default: nonzero with findings, else 0
    // env: NAME=VALUE            set while the program runs
    // flags: FLAGS               for simcc
    // unchecked: FLAGS           the file is also compiled without --check, with these flags, and linked
    // build: fail                simcc must refuse the file; expect lines then speak of what simcc printed
    // orders: one                the program sets an order itself, or prints what depends on it
    // clang: REASON              clang++ cannot show this (docs/sim.md): skipped where it compiles

In TEXT, @a@ stands for FILE:LINE of the mark. Each run makes the findings named and no others. One that names
no finding and no exit status must leave the device nothing to say: no [sim] in its output. With `exit: any`
and no finding it may say what it likes.

Each runs with SIM_ORDER forward, reverse, and random with several seeds, and all must hold in every order.
The compiler is simcc's, see its --help; of all programs, some are compiled by clang++ too, where that is.
usage: run.py [--simcc PATH] [--seeds N] [--show] [NAME or FILE.cu ...]   (default: every .cu beside this)
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.insert(0, str(HERE.parent / "reports"))
from run import exit_matches, run  # pylint: disable=wrong-import-position

# One of each kind of thing that is seen by other means where clang++ compiles.
CLANG = "bounds_host bounds_variables misaligned mixed other_languages unwritten_legal".split()

KEYS = "run|finding|expect|first|expect-not|exit|env|flags|unchecked|build|orders|clang"


def sections(path):
    """What is said about each run: a list of {key: [values]}, with marks resolved."""
    source = path.read_text()

    def place(mark):
        lines = [n for n, line in enumerate(source.splitlines(), 1)
                 if re.search(r"//\s*%s\s*$" % re.escape(mark.group(1)), line)]
        if len(lines) != 1:
            raise ValueError(f"{len(lines)} lines are marked '// {mark.group(1)}'")
        return f"{path.name}:{lines[0]}"

    common, runs = {}, []
    for key, value in re.findall(r"^// (%s):(?: (.*?))?\s*$" % KEYS, source, re.M):
        if key == "run":
            runs.append({k: list(v) for k, v in common.items()})
        into = runs[-1] if runs else common
        into.setdefault(key, []).append(re.sub(r"@([\w-]+)@", place, value))
    return runs or [common]


def judge(wants, status, output, report):
    """Complaints about one run."""
    try:
        findings = json.loads(report.read_text())
    except (OSError, ValueError) as reason:
        return [f"no list of findings: {reason}"]
    said = output + "".join(f"{f['message']}\n{f['allocation']}\n" for f in findings)
    complaints, known = [], set()
    for line in wants.get("finding", []):
        kind, marks = re.fullmatch(r"(.*?)((?: [\w.-]+:\d+)*)", line).groups()
        matching = {i for i, f in enumerate(findings) if f["kind"] == kind and
                    (not marks or f"{os.path.basename(f['file'] or '')}:{f['line']}" == marks.split()[0])}
        known |= matching
        complaints += [] if matching else [f"missing finding: {line}"]
        complaints += [f"nothing names {m}: {line}" for m in marks.split() if not names(said, m)]
    complaints += [f"unwanted finding: {f['kind']} at {f['file']}:{f['line']}: {f['message']}"
                   for i, f in enumerate(findings)
                   if i not in known and ("finding" in wants or wants.get("exit") != ["any"])]
    wanted = wants.get("exit", ["nonzero" if "finding" in wants else "0"])[0]
    complaints += [] if exit_matches(wanted, status) else [f"exit {status}, expected {wanted}"]
    silent = not wants.keys() & {"finding", "exit"}
    return complaints + texts(wants, output, ["[sim]"] * silent)


def names(said, place):
    return re.search(re.escape(place) + r"(?!\d)", said)


def texts(wants, output, unwanted=()):
    """Complaints about what was printed."""
    return ([f"missing: {text}" for text in wants.get("expect", []) + wants.get("first", [])
             if text not in output] +
            [f"unwanted: {text}" for text in wants.get("expect-not", []) + list(unwanted) if text in output])


def check(path, simcc, seeds, compiler):
    """Return [(run, complaints, output)] of what went wrong, how many runs passed, failed, were skipped."""
    runs = sections(path)
    skipped = [wants for wants in runs if "clang" in wants and "clang" in compiler]
    runs = [wants for wants in runs if wants not in skipped]
    if not runs:
        return [], 0, 0, len(skipped)
    build = [simcc, "-ccbin", compiler]
    orders = [("forward", 1), ("reverse", 1)] + [("random", seed) for seed in range(1, seeds + 1)]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        program, report = os.path.join(folder, path.stem), pathlib.Path(folder, "findings.json")
        flags = " ".join(runs[0].get("flags", [])).split()
        if "unchecked" in runs[0]:
            plain = " ".join(runs[0]["unchecked"]).split()
            flags.append(program + ".o")
            run([*build, "-c", "-g", *plain, path.name, "-o", flags[-1]], cwd=path.parent)
        status, output = run([*build, "--check", "-g", path.name, *flags, "-o", program], cwd=path.parent)
        if "build" in runs[0]:
            complaints = ["simcc accepted it"] * (status == 0) + texts(runs[0], output)
            return [("build", complaints, output)] * bool(complaints), not complaints, bool(complaints), 0
        if status != 0 or output:
            complaints = ["simcc failed" if status else "the build is not silent"]
            return [("build", complaints, output)], 0, len(runs), len(skipped)
        for wants in runs:
            arguments = " ".join(wants.get("run", [])).split()
            for order, seed in orders[:1] if "orders" in wants else orders:
                report.unlink(missing_ok=True)
                environment = {**os.environ, "SIM_ORDER": order, "SIM_SEED": str(seed),
                               "SIM_FINDINGS": str(report),
                               **dict(e.split("=", 1) for e in wants.get("env", []))}
                status, output = run([program, *arguments], cwd=path.parent, env=environment)
                if order != "forward":
                    wants.pop("first", None)
                if complaints := judge(wants, status, output, report):
                    name = " ".join([*arguments, f"(SIM_ORDER={order} SIM_SEED={seed})"])
                    wrong.append((name, complaints, output))
                    break
    return wrong, len(runs) - len(wrong), len(wrong), len(skipped)


def main():
    """Check the programs named on the command line, or all of this folder; return the exit status."""
    parser = argparse.ArgumentParser(usage=__doc__.strip().splitlines()[-1].partition(": ")[2])
    parser.add_argument("--simcc", default=HERE.parents[1] / "build" / "bin" / "simcc")
    parser.add_argument("--seeds", type=int, default=3, help="random orders to try (default 3)")
    parser.add_argument("--show", action="store_true", help="print all that a failed run printed")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    paths = [pathlib.Path(n) if n.endswith(".cu") else HERE / f"{n}.cu" for n in options.names]
    paths = [p.resolve() for p in paths] or sorted(HERE.glob("*.cu"))
    if missing := [str(p) for p in paths if not p.exists()]:
        parser.error("no such file: " + ", ".join(missing))
    simcc = os.path.abspath(options.simcc)
    if not os.path.exists(simcc):
        print(f"{simcc} is not built: run make\n0 passed, 0 failed, {len(paths)} skipped")
        return 0
    compiler = os.environ.get("SIMCC_CXX") or ("g++" if shutil.which("g++") else "clang++")
    work = [(path, options.seeds, compiler) for path in paths]
    if not options.names and "clang" not in compiler and shutil.which("clang++"):
        work += [(HERE / f"{name}.cu", 0, "clang++") for name in CLANG]

    def check_one(job):
        path, seeds, compiler = job
        try:
            return check(path, simcc, seeds, compiler)
        except ValueError as reason:  # in the comments
            return [("comments", [str(reason)], "")], 0, 1, 0

    passed = failed = skipped = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for (path, _, used), (wrong, *counts) in zip(work, workers.map(check_one, work)):
            by = "" if used == compiler else f", {used}"
            print("FAIL" if wrong else "ok  ", path.stem, f"({sum(counts)} runs{by})", flush=True)
            for name, complaints, output in wrong:
                print("    ", name, *(f"\n        {complaint}" for complaint in complaints))
                kept = output.splitlines()[-200 if options.show else -20:]
                print("".join(f"      | {line}\n" for line in kept), end="")
            passed += counts[0]
            failed += counts[1]
            skipped += counts[2]
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
