#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What becomes of findings: the file, the exit status, the interface for programs; and failures on demand."""
import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.insert(0, str(ROOT / "tests"))
from tally import Tally  # pylint: disable=wrong-import-position

SOURCE = "tests/findings/scenes.cu"
LINES = (ROOT / SOURCE).read_text().splitlines()


def at(mark):
    """FILE:LINE of the line that ends with the comment."""
    return f"{SOURCE}:{[line.endswith('// ' + mark) for line in LINES].index(True) + 1}"


OUTSIDE, TWICE = f"out of bounds {at('outside')} 56", f"double free {at('twice')} 2"
BLOCK, OTHER = f"leak {at('block')} 3", f"leak {at('other leak')} 1"
CLAIM, REFUSED = f"assertion {at('claim')} 64", f"unread {at('refused')} 1"
HOST = f"host access {at('in host code')} 1"

# Settings, scenes, exit status, findings, texts that must be there (one after another), texts that must not.
CASES = [
    # in the order in which things happen, each once, with how many did it
    ("", "outside", 1, [OUTSIDE],
     ["begin\n[sim]", at("outside"), "thread (8,0,0)",
      "threads 56 threads did this: the one above and 55 more\nafter the launch"], ["and 55 more of"]),
    ("", "outside outside", 1, [OUTSIDE], ["[sim]"], []),
    ("", "twice", 1, [TWICE], [f"end\n[sim] and 1 more of the kind \"double free\" at {at('twice')}"], []),
    ("", "leak", 1, [BLOCK, OTHER], ["350 bytes", "3 x cudaMalloc", "1 x cudaMallocHost"], []),
    ("", "claimed", 1, [CLAIM], ["Assertion `!p` failed.", "64 threads"], []),
    ("", "own_handler", 1, [TWICE], ["end\nfreed at exit: cudaSuccess\n[sim]"], ["never freed"]),
    # what is no finding
    ("", "", 0, [], ["begin\nend\n"], ["[sim]"]),
    ("", "read_refusal", 0, [], ["refused: cudaErrorInvalidValue", "cudaErrorInvalidValue\nend"], ["unread"]),
    ("", "refused", 1, [REFUSED], ["never read", at("refused")], []),
    ("", "pending", 0, [], ["end\n[sim] note: cudaErrorInvalidDevice", at("pending")], []),
    ("", "pending =3", 3, [], ["end\n"], ["[sim]"]),
    # the status
    ("", "twice =3", 3, [TWICE], [], []),
    ("SIM_ON_FINDING=continue", "twice", 1, [TWICE], ["end\n"], []),
    ("SIM_ON_FINDING=ignore", "twice leak", 0, [TWICE, BLOCK, OTHER], ["end\n"], []),
    ("SIM_ON_FINDING=ignore", "twice =3", 3, [TWICE], [], []),
    ("SIM_ON_FINDING=stop", "pending twice outside", 1, [TWICE.replace(" 2", " 1")], ["begin\n[sim]"],
     ["end", "never freed", "note:"]),
    ("SIM_ON_FINDING=stop", "outside twice", 1, [OUTSIDE.replace("56", "1")], ["begin\n[sim]"],
     ["after the launch", "\nend\n"]),
    ("SIM_ON_FINDING=stop", "in_host_code", 1, [HOST], ["begin\n[sim]"], ["never freed"]),
    ("SIM_ON_FINDING=stop", "own_handler", 1, [TWICE.replace(" 2", " 1")], ["freed at exit"], []),
    ("SIM_ON_FINDING=stop", "read_refusal", 0, [], ["end\n"], []),
    ("SIM_ON_FINDING=", "", 1, None,
     ["SIM_ON_FINDING= is not understood: give stop, continue or ignore"], ["begin"]),
    ("SIM_ON_FINDING=Stop", "", 1, None, ["SIM_ON_FINDING=Stop is not understood"], ["begin"]),
    ("SIM_FINDINGS=/no/file", "", 1, None,
     ["end\n[sim] SIM_FINDINGS=/no/file cannot be written: No such file"], []),
    ("SIM_FINDINGS=/dev/full", "=3", 3, None, ["/dev/full cannot be written: No space left"], []),
    # a process that dies
    ("", "in_host_code", -signal.SIGSEGV, [HOST], ["begin\n[sim]"], []),
    ("SIM_PROFILE=1", "killed_in_kernel", -signal.SIGTERM, [f"out of bounds {at('before the end')} 1"],
     ["begin\n[sim]", "killed_here", at("before the end")], []),
    ("", "aborts", -signal.SIGABRT, [TWICE], [], []),
    ("", "killed", -signal.SIGTERM, [TWICE], [], []),
    ("", "killed_in_kernel", -signal.SIGTERM, [f"out of bounds {at('before the end')} 1"],
     ["begin\n[sim]", "KERNEL killed_here is interrupted: Terminated", at("in the midst"),
      "block (0,0,0) thread (1,0,0)"], []),
    ("SIM_REPORT=/no/page.html", "=0", 1, [],
     ["end\n[sim] SIM_REPORT=/no/page.html cannot be written: No such file"], []),
    ("SIM_PROFILE=", "", 1, [], ["SIM_PROFILE= is not understood: give 1"], ["begin"]),
    # failures on demand
    ("SIM_FAIL_ALLOC=1", "allocations", 0, [],
     ["number 1 fail: cudaMalloc answers", at("first"),
      "1 cudaMalloc cudaErrorMemoryAllocation\n2 cudaMallocHost cudaSuccess"], []),
    ("SIM_FAIL_ALLOC=5", "allocations", 0, [], ["4 cudaMallocPitch cudaSuccess", at("fifth"),
                                                "5 cudaMallocAsync cudaErrorMemoryAllocation"], []),
    ("SIM_FAIL_ALLOC=6", "allocations", 0, [], ["6 cudaMallocArray cudaErrorMemoryAllocation"], []),
    ("SIM_FAIL_ALLOC=7", "allocations", 0, [], ["6 cudaMallocArray cudaSuccess"], ["[sim]"]),
    ("SIM_FAIL_RATE=0", "many", 0, [], ["\n0 refused"], ["[sim]"]),
    ("SIM_FAIL_RATE=1", "many", 0, [], ["\n1000 refused", "and 999 more"], []),
    ("SIM_FAIL_RATE=0.3", "many", 0, [], ["\n321 refused"], []),
    ("SIM_FAIL_RATE=0.3 SIM_SEED=2", "many", 0, [], [" refused"], ["\n321 refused"]),
    ("SIM_FAIL_ALLOC=2 SIM_FAIL_RATE=0", "many", 0, [], ["number 2", "\n1 refused"], []),
    *((f"SIM_FAIL_SYNC={k}", "waits", 0, [], [f"wait number {k} fail: {call}", f"{k} {call} cudaErrorUnknown",
                                               "cudaFree cudaErrorUnknown"], [f"{k} {call} cudaSuccess"])
      for k, call in enumerate(["cudaMemcpy", "cudaDeviceSynchronize", "cudaStreamSynchronize",
                                "cudaEventSynchronize"], 1)),
    ("SIM_FAIL_SYNC=5", "waits", 0, [], ["cudaFree cudaSuccess"], ["[sim]"]),
    *((f"{name}={value}", "many", 1, [], [f"[sim] {name}={value} is not understood: give a "], ["refused"])
      for name, value in [("SIM_FAIL_ALLOC", "0"), ("SIM_FAIL_ALLOC", "-1"), ("SIM_FAIL_ALLOC", "1x"),
                          ("SIM_FAIL_SYNC", ""), ("SIM_FAIL_RATE", "1.5"), ("SIM_FAIL_RATE", "nan"),
                          ("SIM_FAIL_RATE", "")]),
    # the interface
    ("", "interface", 1, [TWICE], ["checked 1, count 0, at -1\n", "count 2, total 3\n",
                                   f"double free, {at('twice')}, byte 0 of the 4-byte device block made by",
                                   ", 2, 2\ninterior free, ", ", 1, 3\nforgot 0, left 2, at 0\n",
                                   "forgot 1, left 1, at 0\nforgot 1, left 0, at -1\n[sim]"], []),
]

# The same in a program that is built without --check.
FAST = [
    ("", "twice", 0, [TWICE], ["end\n"], []),
    ("SIM_ON_FINDING=continue", "twice", 1, [TWICE], ["end\n"], []),
    ("SIM_ON_FINDING=stop", "leak twice", 1, [TWICE.replace(" 2", " 1")], [], ["end\n"]),
    ("", "pending", 0, [], ["end\n"], ["[sim]"]),
    ("", "interface", 0, [TWICE], ["checked 0, count 0, at -1\n"], []),
    ("SIM_FAIL_ALLOC=2", "many", 0, [], ["number 2", "\n1 refused"], []),
    ("SIM_FAIL_SYNC=2", "waits", 0, [], ["2 cudaDeviceSynchronize cudaErrorUnknown"], []),
]


def run(program, settings, scenes, report):
    """Status, output, findings as "KIND FILE:LINE COUNT" (None when there is no file)."""
    environment = {**os.environ, "SIM_FINDINGS": str(report),
                   **dict(s.split("=", 1) for s in settings.split())}
    report.unlink(missing_ok=True)
    done = subprocess.run([program, *scenes.split()], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=60, check=False)
    if not report.exists():
        return done.returncode, done.stdout, None
    findings = json.loads(report.read_text())
    assert all(set(f) == {"kind", "file", "line", "allocation", "message", "count"} for f in findings)
    texts = [f"{f['kind']} {f['file']}:{f['line']} {f['count']}" for f in findings]
    return done.returncode, done.stdout, texts


def on_terminal(command):
    """What the command prints on a terminal of its own."""
    pid, terminal = pty.fork()
    if not pid:
        os.execv(command[0], command)
    said = b""
    with contextlib.suppress(OSError):  # how a terminal ends
        while more := os.read(terminal, 4096):
            said += more
    os.waitpid(pid, 0)
    os.close(terminal)
    return said.decode()


def main():
    tally = Tally()
    check = tally.check

    with tempfile.TemporaryDirectory() as folder:
        report, checked, fast = Path(folder, "findings.json"), f"{folder}/checked", f"{folder}/fast"
        build = [ROOT / "build/bin/simcc", "-g", "-Wall", "-Wextra", "-Werror", SOURCE, "-o"]
        subprocess.run([*build, checked, "--check"], cwd=ROOT, check=True)
        subprocess.run([*build, fast], cwd=ROOT, check=True)
        for program, cases in (checked, CASES), (fast, FAST):
            for settings, scenes, status, wanted, texts, absent in cases:
                got, output, findings = run(program, settings, scenes, report)
                wrong = [f"exit {got}, not {status}"] * (got != status)
                wrong += [f"findings {findings}, not {wanted}"] * (findings != wanted)
                place = 0
                for text in texts:
                    place = output.find(text, place)
                    if place < 0:
                        wrong.append(f"lacks {text!r}")
                        break
                wrong += [f"has {text!r}" for text in absent if text in output]
                check(f"{Path(program).name} {settings} {scenes}: {wrong}", not wrong, output)

        said = on_terminal([checked, "slow"])
        check("a long launch on a terminal: how far it is, then cleared away",
              re.search(r"\[sim\] nothing: block \d+ of 67108864, \d+ %, .*\r\x1b\[Kend", said, re.S), said)
        check("and no word of it in a file", "block" not in run(checked, "", "slow", report)[1])

        odd = f'{folder}/a "b" \\ \u00e9 \t.cu'  # and bytes that are no text
        source = os.fsencode(odd).replace(b".cu", b"\xff\xe0\x80.cu")
        Path(os.fsdecode(source)).write_bytes((ROOT / SOURCE).read_bytes())
        subprocess.run([ROOT / "build/bin/simcc", "--check", "-g", source, "-o", checked], check=True)
        run(checked, "", "twice", report)
        files = [os.path.basename(f["file"]) for f in json.loads(report.read_text())]
        check("JSON: any name of a file", files == ['a "b" \\ \u00e9 \t\ufffd\ufffd\ufffd.cu'], files)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
