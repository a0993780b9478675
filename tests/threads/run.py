#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many host threads at once: hammer.cu as it is, and with ThreadSanitizer looking at the runtime."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.insert(0, str(HERE.parent))
from tally import Tally  # pylint: disable=wrong-import-position

SIMCC = ROOT / "build/bin/simcc"
WATCHED = ROOT / "build/tsan/lib/libsim.a"


def run(*command, **environment):
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    return done.returncode, done.stdout


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        program, entry = f"{folder}/program", f"{folder}/hammer.o"
        code, said = run("make", "-s", "tools", WATCHED.relative_to(ROOT))
        tally.check("the runtime builds with ThreadSanitizer", code == 0, said)
        # The device's code is not watched: simulated threads have no order that ThreadSanitizer could know.
        run(SIMCC, "-Wall", "-Wextra", "-c", HERE / "hammer.cu", "-o", entry)
        for name, flags in ("plain", []), ("watched", ["-fsanitize=thread", WATCHED]):
            built = run(SIMCC, entry, *flags, "-o", program)
            code, said = run(program)
            tally.check(name, built == (0, "") and code == 0 and "\n0 wrong\n" in said
                        and "WARNING: ThreadSanitizer" not in said, built[1] + said)
        for word, flags in ("shared", []), ("own", ["--default-stream", "per-thread"]):
            built = run(SIMCC, *flags, HERE / "default_stream.cu", "-o", program)
            code, said = run(program)
            tally.check(f"default stream: {word}", built == (0, "") and said == f"{word}\n1010101\n",
                        built[1] + said)
    return tally.close()


sys.exit(main())
