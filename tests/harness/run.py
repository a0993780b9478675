#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The labs' harness does what common/lab.h says: exit codes, messages, points, flags, the JSON file."""
import json
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.insert(0, str(ROOT / "tests"))
from tally import Tally  # pylint: disable=wrong-import-position

SOURCE = "tests/harness/harness.cu"
KEYS = {"lab", "device", "task", "title", "status", "points", "max_points", "seed", "file", "line",
        "expected", "got", "message", "findings"}

def at(text):
    """FILE:LINE of the line of the source that holds the text."""
    lines = (ROOT / SOURCE).read_text().splitlines()
    return f"{SOURCE}:{[text in line for line in lines].index(True) + 1}"


# Tasks to run, flags, exit code, texts that must be there, texts that must not.
CASES = [
    ("pass", "", 0, ["task 1: pass", "pass, 10 of 10 points", "10 of 10 points, 1 passed, 0 failed, 0 to do"],
     ["never said", "\033"]),
    ("fail", "", 1, [at("it is %s") + ": FAIL: 1 + 1: expected 3, got 2\n    it is two\n", "it still is",
                     "fail, 0 of 10 points"], []),
    ("show", "", 1, ["expected cudaErrorMemoryAllocation, got cudaErrorInvalidValue",
                     "expected 18446744073709551615, got 7", "expected -1, got 5", "expected 0.5, got 0.25",
                     "expected true, got false", "expected 0x10, got 0x20", "expected ONE, got OTHER"], []),
    ("todo", "", 2, [at('"once"') + ": TODO: once\n" + at("expression") + ": TODO: an expression\n  todo, 0"],
     ["silent", "FAIL"]),
    ("kernel_todo", "", 2, [at('"a kernel"') + ": TODO: a kernel\n  todo, 0"], ["silent", "FAIL"]),
    ("todo fail", "", 1, ["0 of 20 points, 0 passed, 1 failed, 1 to do"], []),
    ("fail todo pass", "", 1, ["10 of 30 points, 1 passed, 1 failed, 1 to do"], []),
    ("todo todo", "", 2, ["0 passed, 0 failed, 2 to do"], []),
    ("stop pass", "", 1, ["cudaMalloc(&d, (size_t)1 << 60)",
                          "expected cudaSuccess, got cudaErrorMemoryAllocation",
                          "task 2: pass", "10 of 20 points, 1 passed, 1 failed"], []),
    ("in_stream in_stream", "", 1, ["made anew after", "10 of 20 points"], []),
    ("in_stream stop in_stream", "", 1, ["20 of 30 points, 2 passed, 1 failed"], ["made anew", "LEAK"]),
    ("captures_nothing", "", 0, ["1 passed"], ["never said"]),
    ("held pass clean", "", 1, ["20 of 30 points, 2 passed, 1 failed"], ["LEAK", "device block"]),
    ("leak pass", "", 1, [at("lab_task(10") + ": FAIL: leaked: expected 0, got 5000",
                          "every cudaMalloc needs its cudaFree", "10 of 20 points, 1 passed"], []),
    ("pending clean", "", 0, ["2 passed"], []),
    ("fault pass", "", 1, [at("lab_task(10"), "a kernel of this task faulted", "got cudaErrorIllegalAddress",
                           "task 2: pass\n    not run: a kernel of an earlier task faulted",
                           "0 of 20 points, 0 passed, 2 failed"], []),
    ("fault_seen pass", "", 1, [": the device answers cudaErrorIllegalAddress: the task ends here",
                                "0 of 20 points, 0 passed, 2 failed"], ["FAIL: cudaM", "FAIL: freed"]),
    ("guess_open", "", 2, [at("(open_guess") + ": TODO: the answer"], ["42", "because"]),
    ("guess_good", "", 0, ["the answer: predicted 42, measured 42", "1 passed"], ["because"]),
    ("guess_bad", "", 1, ["the answer: predicted 41, measured 42", at("(bad_guess") + ": FAIL",
                          "because"], []),
    ("equal", "", 0, ["1 passed"], ["never said"]),
    ("unequal", "", 1, ["got[1], first of 4 wrong of 5, largest error inf at [1]",
                        "expected 2, got nan\n    four", "got[1], first of 1 wrong of 3", "nobody wrote it",
                        "exact"], ["never said"]),
    ("fences", "", 0, ["1 passed"], []),
    ("waits captures sectors", "", 0, ["3 passed"], []),
    ("numbers", "", 0, ["1 passed", "seed 1\n"], []),
    ("pass", "--help", 0, ["--seed N", "--json FILE", "77 no device"], ["task 1"]),
    ("pass", "--frob", 1, ["--frob", "unknown option"], ["task 1"]),
    ("pass", "--seed x", 1, ["--seed x: a number must follow"], ["task 1"]),
    ("pass", "--seed", 1, ["--seed", "a number must follow"], ["task 1"]),
    ("pass", "--seed 7", 0, ["seed 7\n"], []),
    ("pass", "--json", 1, ["--json", "No such file"], ["task 1"]),
    ("pass", "--json /no/such/file", 1, ["--json /no/such/file: No such file or directory"], ["task 1"]),
    ("pass", "--json /dev/full", 1, ["cannot write the --json file"], []),
]

# The same in the checked build.
RACE, OUTSIDE = f"global memory race at {at('// race')}", f"out of bounds at {at('out[i] = 1;')}"
CHECKED = [
    ("pass fail todo", "", 1, ["1 passed, 1 failed, 1 to do"], ["[sim]"]),
    ("race pass", "", 1, [f"fail, 0 of 10 points: {RACE}\n", "10 of 20 points, 1 passed"], ["FAIL"]),
    ("race race", "", 1, [f"task 2: race\n  fail, 0 of 10 points: {RACE}\n"], []),
    ("race_todo", "", 2, ["todo, 0 of 10 points\n"], []),
    ("outside pass", "", 1, [OUTSIDE, "task 2: pass\n    not run"], []),
    ("provoked", "", 0, ["pass, 10 of 10 points\n"], []),
    ("unwritten", "", 1, ["what the harness reads", "fail, 0 of 10 points\n"], ["[sim]"]),
    ("fault", "", 1, ["kernel fault at"], []),
    ("waits sectors", "", 0, ["2 passed"], ["[sim]"]),
    ("equal numbers kernel_todo guess_good", "", 2, ["3 passed"], ["[sim]"]),
]


def run(program, scene, *flags):
    done = subprocess.run([program, *flags], env={**os.environ, "SCENE": scene}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    return done.returncode, done.stdout


def on_terminal(program, **more):
    """What the program prints when its output is a terminal."""
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    with subprocess.Popen([program], env={**environment, "SCENE": "pass", **more}, stdout=theirs) as child:
        child.wait(60)
    os.close(theirs)
    text = os.read(ours, 65536).decode()
    os.close(ours)
    return text


def main():
    tally = Tally()
    check = tally.check

    with tempfile.TemporaryDirectory() as folder:
        program, deviceless, report = f"{folder}/harness", f"{folder}/deviceless", f"{folder}/report.json"
        checked = f"{folder}/checked"
        build = [ROOT / "build/bin/simcc", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-I.", SOURCE, "-o"]
        subprocess.run([*build, program], cwd=ROOT, check=True)
        subprocess.run([*build, checked, "--check"], cwd=ROOT, check=True)
        subprocess.run([*build, deviceless, "-DcudaGetDeviceCount=no_device_answers"], cwd=ROOT, check=True)
        for tested, (scene, flags, code, texts, absent) in [(program, case) for case in CASES] + \
                                                           [(checked, case) for case in CHECKED]:
            got, output = run(tested, scene, *flags.split())
            wrong = [f"lacks {text!r}" for text in texts if text not in output]
            wrong += [f"has {text!r}" for text in absent if text in output]
            check(f"{scene} {flags}: exit {got}, {wrong}", got == code and not wrong, output)
        first, again, other = (run(program, "numbers", "--seed", seed)[1].splitlines()[2] for seed in "112")
        check("numbers follow the seed", first == again != other, first + again + other)
        check("no device", run(deviceless, "pass")[0] == 77)

        code, output = run(program, "pass fail todo quotes guess_bad stop", "--json", report)
        lines = [json.loads(line) for line in Path(report).read_text().splitlines()]
        statuses = [line["status"] for line in lines]
        check("JSON: a line a task", statuses == ["pass", "fail", "todo", "fail", "fail", "fail"], statuses)
        check("JSON: keys", all(set(line) == KEYS for line in lines), lines)
        bad, quoted = lines[1], '0: a "quoted" \\ line\nand a tab\t\x01, and 20 %'
        check("JSON: place", f"{bad['file']}:{bad['line']}" == at("it is %s"), bad)
        values = bad["expected"], bad["got"], bad["message"]
        check("JSON: values", values == ("3", "2", "1 + 1: it is two"), bad)
        check("JSON: quotes", lines[3]["message"] == quoted, lines[3])
        check("JSON: points", [line["points"] for line in lines] == [10, 0, 0, 0, 0, 0], lines)

        run(checked, "race pass", "--json", report)
        lines = [json.loads(line) for line in Path(report).read_text().splitlines()]
        check("JSON: findings", [line["findings"] for line in lines] == [RACE, ""], lines)
        check("JSON: place of the finding", f"{lines[0]['file']}:{lines[0]['line']}" == at("// race"), lines)

        check("colour on a terminal", "\033[32mpass\033[0m" in on_terminal(program))
        check("no colour with NO_COLOR", "\033" not in on_terminal(program, NO_COLOR="1"))
    return tally.close()


sys.exit(main())
