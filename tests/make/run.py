#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The front desk on other machines than this one: fakes on PATH, no room to build in, Ctrl-C, bad use."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASE = "make sh echo printf mkdir sed awk cat cp rm ar as ld env chmod".split()
CAPTURE = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
APT = "sudo apt-get install -y g++ make python3"
GXX = "#!/bin/sh\necho 12.2.0\n"
PYTHON = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
# What `nvcc --version` says, and a "compiler" whose program is a script: $ANSWER.
NVCC = """#!/bin/sh
case "$*" in *--version*) echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit;; esac
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\nANSWER\\n' >"$2" && chmod +x "$2"
"""
NO_GPU = NVCC.replace("ANSWER", "echo no device >\\&2; exit 1").replace("\\&", "&")
WITH_GPU = NVCC.replace("ANSWER", "echo Fake GPU")


def machine(folder, **programs):
    """A PATH with the base tools and these programs (text of a script each), nothing else."""
    path = Path(folder) / "bin"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    for tool in BASE:
        if shutil.which(tool):
            (path / tool).symlink_to(shutil.which(tool))
    for name, text in programs.items():
        program = path / name.replace("gxx", "g++")
        program.write_text(text)
        program.chmod(0o755)
    (path / "cc").symlink_to("g++")
    return str(path)


def make(folder, *words, path=None, root=ROOT):
    """Exit code and output of `make WORDS` with everything built under folder/build."""
    ours = "MAKEFLAGS", "MAKELEVEL", "B", "DEVICE", "ONLY"
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    if path:
        environment["PATH"] = path
    done = subprocess.run([shutil.which("make"), f"B={folder}/build", *words], cwd=root, env=environment,
                          stdin=subprocess.DEVNULL, **CAPTURE, timeout=300)
    return done.returncode, done.stdout


def says(answer, code, *texts):
    assert answer[0] == code, f"exit {answer[0]}, not {code}\n{answer[1]}"
    for text in texts:
        assert text in answer[1], f"does not say: {text}\n{answer[1]}"


def no_nvcc(folder):
    path = machine(folder, gxx=GXX, python3=PYTHON)
    says(make(folder, path=path), 0, "ok       g++      12", "missing  nvcc", "missing  GPU", "Device: sim")
    says(make(folder, "gpu", path=path), 2, "nvcc is missing")


def nvcc_without_gpu(folder):
    path = machine(folder, gxx=GXX, python3=PYTHON, nvcc=NO_GPU)
    says(make(folder, path=path), 0, "ok       nvcc     13.0", "missing  GPU", "Device: sim")
    says(make(folder, "gpu", path=path), 2, "no device")
    says(make(folder, "test-gpu", path=path), 2, "No GPU answers", "no device", "Error 77")


def nvcc_and_gpu(folder):
    path = machine(folder, gxx=GXX, python3=PYTHON, nvcc=WITH_GPU)
    says(make(folder, path=path), 0, "ok       nvcc     13.0", "ok       GPU      Fake GPU", "Device: cuda")
    says(make(folder, "lab-01", path=path), 0, "Fake GPU")
    says(make(folder, path=machine(folder, gxx=GXX, python3=PYTHON)), 0, "missing  GPU", "Device: sim")


def device_can_be_chosen(folder):
    path = machine(folder, gxx=GXX, python3=PYTHON, nvcc=WITH_GPU)
    says(make(folder, "-n", "DEVICE=sim", "lab-01", path=path), 0, "bin/simcc", "build/labs/01_")
    path = machine(folder, gxx=GXX, python3=PYTHON, nvcc=NO_GPU)
    says(make(folder, "-n", "DEVICE=cuda", "lab-01", path=path), 0, "nvcc", "build/cuda/labs/01_")
    says(make(folder, "DEVICE=tpu", "lab-01", path=path), 2, "DEVICE is sim or cuda, not tpu")


def missing_tools_are_named(folder):
    path = machine(folder, python3=PYTHON)
    says(make(folder, path=path), 0, "missing  g++      sudo apt-get install -y g++")
    says(make(folder, "tools", path=path), 2, "is missing. Install it: " + APT)
    path = machine(folder, gxx=GXX)
    says(make(folder, path=path), 0, "missing  python3  sudo apt-get install -y python3")
    for target in "run", "test":
        says(make(folder, target, path=path), 2, "python3 is missing. Install it: " + APT)
    says(make(folder, "docs", path=path), 2, "doxygen is missing. Install it: sudo apt-get")


def bad_use(folder):
    says(make(folder, "lab-99"), 2, "no lab 99; there are: 01_")
    says(make(folder, "solution-x"), 2, "no lab x; there are: 01_")
    says(make(folder, "nonsense"), 2, "No rule to make target 'nonsense'")
    says(make(folder, "test", "ONLY=labs nonsense"), 2,
         "no test begins with 'nonsense'; there are: checked, conformance,")
    for word in "1", "01_device", "1_device":
        says(make(folder, "-n", "DEVICE=sim", f"lab-{word}"), 0, "/build/labs/01_device")


def build_folder_cannot_be_made(folder):
    Path(folder, "build").write_text("in the way")
    says(make(folder, "tools"), 2, "cannot create directory")
    says(make(folder, "test"), 2, "cannot create directory", "0 passed, 1 failed, 0 skipped")


def full_disk(folder):
    disk = Path(folder) / "disk"
    disk.mkdir()
    if not shutil.which("mount"):
        return "mount is missing"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], **CAPTURE).returncode:
        return "cannot mount a small disk"
    try:
        says(make(disk, "tools"), 2, "No space left on device")
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        says(make(disk, "-j4", "tools"), 0)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)
    return None


def copy(folder):
    """A copy of the tree below a folder with a space in its name."""
    root = Path(folder) / "a tree"
    for name in "common", "docs", "labs", "solutions", "tests":
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "Makefile", root)
    return root


def spaces_in_the_path(folder):
    """And what is up to date is not made again, what is not, is."""
    root = copy(folder)
    lab = min(path.stem for path in root.glob("labs/*.cu"))
    says(make(".", "-j2", f"build/labs/{lab}", f"build/solutions/{lab}", root=root), 0)
    says(make(".", "-q", "tools", f"build/labs/{lab}", f"build/solutions/{lab}", root=root), 0)
    for touched in f"labs/{lab}.cu", "common/lab.h", "common/sim/include/sim/abi.h":
        (root / touched).touch()
        says(make(".", "-q", f"build/solutions/{lab}", root=root), 1)
        says(make(".", "-j2", f"build/solutions/{lab}", root=root), 0)


def hints(folder):
    """Each call shows one more, of the first task that does not pass; a named task has a count of its own."""
    root = copy(folder)
    levels = re.split(r"\n\s*\n|^## .*", (root / "docs/hints/02_copy.md").read_text(), flags=re.M)
    first = [text.strip().partition("\n")[0] for text in levels if text.strip()][1:4]
    says(make(".", "hint-99", root=root), 2, "no lab 99; there are: 01_device 02_copy")
    says(make(".", "hint-02", "TASK=9", root=root), 2, "02_copy has no task 9; there are: 1 2 3 4")
    says(make(".", "hint-2", root=root), 0, "02_copy, task 1, hint 1 of 3", first[0], "2 more")
    says(make(".", "hint-02", "TASK=1", root=root), 0, "hint 2 of 3", first[1], "1 more")
    says(make(".", "hint-02", "TASK=3", root=root), 0, "02_copy, task 3, hint 1 of 3")
    says(make(".", "hint-02_copy", root=root), 0, "02_copy, task 1, hint 3 of 3", first[2], "was the last",
         "solutions/02_copy.cu")
    says(make(".", "hint-02", root=root), 0, "all 3 hints were shown", "solutions/02_copy.cu", "--reset")
    subprocess.run([root / "labs/hint", "--reset", "02"], check=True, **CAPTURE)
    lab = root / "labs/02_copy.cu"
    stubs = lab.read_text()
    lab.write_text(re.sub(r"(array_bytes|pointer_bytes|blocks), LAB_UNKNOWN", predicted, stubs))
    says(make(".", "hint-02", root=root), 0, "02_copy, task 2, hint 1 of 3")
    lab.write_text("#define LAB_IMPL \"solutions/02_copy.cu\"\n" + stubs)
    says(make(".", "hint-02", root=root), 0, "02_copy: all tasks pass", "solutions/02_copy.cu")
    lab.write_text(stubs.replace("LAB_TODO(", "LAB_TODO(;", 1))
    says(make(".", "hint-02", root=root), 2, "labs/02_copy.cu does not compile", "name the task")
    says(make(".", "hint-02", "TASK=1", root=root), 0, "02_copy, task 1, hint 1 of 3")
    (root / "docs/hints/02_copy.md").unlink()
    says(make(".", "hint-02", root=root), 2, "lab 02_copy has no hints: docs/hints/02_copy.md is not there")


def predicted(hole):
    return {"array_bytes": "array_bytes, 8000", "pointer_bytes": "pointer_bytes, 8"}.get(hole[1], "blocks, 4")


def interrupt(folder):
    """Ctrl-C, which a terminal sends to the whole foreground group: while make builds, while tests run."""
    root = copy(folder)
    for awaited in "", "ok   labs/":
        mark = f"LAB_INTERRUPTED={folder}"
        child = subprocess.Popen(["env", mark, "make", "test", "ONLY=labs solutions wrong"], cwd=root,
                                 start_new_session=True, preexec_fn=hear_ctrl_c, **CAPTURE)
        while not (root / "build/obj").exists():
            time.sleep(0.02)
        while awaited and not child.stdout.readline().startswith(awaited):
            assert child.poll() is None, "ended by itself"
        os.killpg(child.pid, signal.SIGINT)
        rest = child.communicate(timeout=20)[0]
        left = [command(process) for process in Path("/proc").glob("[0-9]*") if command(process, mark)]
        assert not left, f"processes left: {left}"
        assert child.returncode in (2, -signal.SIGINT), f"exit {child.returncode}"
        assert "interrupted" in rest, rest


def hear_ctrl_c():
    """A run in the background, as CI's may be, begins with SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def command(process, mark=""):
    """The command line of a process that carries the mark in its environment, "" for any other."""
    try:
        return (process / "cmdline").read_text() if mark in (process / "environ").read_text() else ""
    except (OSError, UnicodeDecodeError):
        return ""


def main():
    counts = [0, 0, 0]
    for test in (no_nvcc, nvcc_without_gpu, nvcc_and_gpu, device_can_be_chosen, missing_tools_are_named,
                 bad_use, build_folder_cannot_be_made, full_disk, spaces_in_the_path, hints, interrupt):
        with tempfile.TemporaryDirectory() as folder:
            try:
                why, mark, index = test(folder), "ok  ", 0
                if why:
                    mark, index = "skip", 2
            except (AssertionError, subprocess.SubprocessError) as reason:
                why, mark, index = reason, "FAIL", 1
        counts[index] += 1
        print(mark, test.__name__ + (f": {why}" if why else ""), flush=True)
    print("%d passed, %d failed, %d skipped" % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
