#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build each program with simcc, run it, and check what its comments promise.

    // expect: TEXT         TEXT is in what the program printed (both streams)
    // expect-not: TEXT     and this is not
    // exit: N              exit status (default 0); also: signal, nonzero (status or signal), any
    // env: NAME=VALUE      set while the program runs
    // build: fail          simcc must refuse the file; expect lines then speak of what simcc printed

In TEXT, @LINE:word@ stands for the number of the line that ends with the comment `// word`.
A file that expects nothing must build without a warning and give no report.
usage: run.py [--simcc PATH] [NAME or FILE.cu ...]      (default: every .cu beside this script)
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60


def directives(source):
    """The `// key: value` lines of a program, as {key: [values]}, with line marks resolved."""
    def number(mark):
        wanted = re.compile(r"//\s*%s\s*$" % re.escape(mark.group(1)))
        lines = [n for n, line in enumerate(source.splitlines(), 1) if wanted.search(line)]
        if len(lines) != 1:
            raise ValueError(f"{len(lines)} lines are marked '// {mark.group(1)}'")
        return str(lines[0])

    found = {}
    for key, value in re.findall(r"^// (expect|expect-not|exit|env|build): (.*?)\s*$", source, re.M):
        found.setdefault(key, []).append(re.sub(r"@LINE:([\w-]+)@", number, value))
    return found


def run(command, **options):
    """Run and return (status, everything printed); a hang is status 'timeout'."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, text=True, errors="replace", **options)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        return "timeout", (late.stdout or b"").decode(errors="replace")


def exit_matches(wanted, status):
    if status == "timeout":
        return False
    kinds = {"any": True, "signal": status < 0, "nonzero": status != 0}
    return kinds[wanted] if wanted in kinds else status == int(wanted)


def check(path, simcc):
    """Return (list of complaints, output) for one program."""
    wants = directives(path.read_text())
    silent = not wants.get("expect")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, path.stem)
        status, output = run([simcc, path.name, "-o", program], cwd=path.parent)
        if wants.get("build") == ["fail"]:
            complaints = [] if status not in (0, "timeout") else ["simcc accepted it"]
        elif status != 0:
            return ["simcc failed"], output
        elif silent and output:
            return ["the build is not silent"], output
        else:
            environment = dict(os.environ, **dict(e.split("=", 1) for e in wants.get("env", [])))
            status, output = run([program], cwd=path.parent, env=environment)
            wanted = wants.get("exit", ["0"])[0]
            complaints = [] if exit_matches(wanted, status) else [f"exit {status}, expected {wanted}"]
    complaints += [f"missing: {text}" for text in wants.get("expect", []) if text not in output]
    unwanted = wants.get("expect-not", []) + ["[sim]"] * silent
    complaints += [f"unwanted: {text}" for text in unwanted if text in output]
    return complaints, output


def main(folder):
    """Check the programs named on the command line, or all in `folder`; return the exit status."""
    parser = argparse.ArgumentParser(usage="run.py [--simcc PATH] [NAME or FILE.cu ...]")
    parser.add_argument("--simcc", default=HERE.parents[1] / "build" / "bin" / "simcc")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    paths = [pathlib.Path(n) if n.endswith(".cu") else folder / f"{n}.cu" for n in options.names]
    paths = [p.resolve() for p in paths] or sorted(folder.glob("*.cu"))
    if missing := [str(p) for p in paths if not p.exists()]:
        parser.error("no such file: " + ", ".join(missing))
    simcc = os.path.abspath(options.simcc)
    if not os.path.exists(simcc):
        print(f"{simcc} is not built: run make")
        print(f"0 passed, 0 failed, {len(paths)} skipped")
        return 0
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for path, (complaints, output) in zip(paths, workers.map(lambda p: check(p, simcc), paths)):
            print("FAIL" if complaints else "ok  ", path.stem, flush=True)
            for complaint in complaints:
                print("    ", complaint)
            if complaints:
                print("".join(f"      | {line}\n" for line in output.splitlines()[-40:]), end="")
            failed += bool(complaints)
    print(f"{len(paths) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(HERE))
